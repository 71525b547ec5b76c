"""``torch.nn.functional``: what modules compute with."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input @ weight.T + bias``."""
    turned = TENSORS.t(weight)
    if bias is None:
        result: Tensor = TENSORS.matmul(input, turned)
    elif input.array.ndim == 2:
        result = TENSORS.addmm(bias, input, turned)
    else:
        result = TENSORS.add(TENSORS.matmul(input, turned), bias)
    return result


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The larger of each element and 0."""
    result: Tensor = TENSORS.relu_(input) if inplace else TENSORS.relu(input)
    return result


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent of each element."""
    result: Tensor = TENSORS.tanh(input)
    return result


def sigmoid(input: Tensor) -> Tensor:
    """The logistic function of each element."""
    result: Tensor = TENSORS.sigmoid(input)
    return result


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Exponentials along ``dim``, divided by their sum."""
    if dim is None:
        dim = 0 if input.array.ndim in (0, 1, 3) else 1
    result: Tensor = TENSORS.softmax(input, dim, dtype=dtype)
    return result


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """The mean (or sum, or each) of the squared differences."""
    result: Tensor = TENSORS.mse_loss(input, target, reduction=reduction)
    return result
