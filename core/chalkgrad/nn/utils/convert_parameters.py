"""All parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.naming import typename


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """One vector of all elements of all parameters, in order."""
    vector: Tensor = TENSORS.cat([parameter.view(-1) for parameter in parameters])
    return vector


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Let the parameters be parts of ``vec``, cut in order."""
    if not isinstance(vec, TensorBase):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].reshape(parameter.shape).data
        start = end
