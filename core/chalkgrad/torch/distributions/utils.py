"""``torch.distributions.utils``: parameters made alike, and chances as logarithms of odds and back."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.tensor import Tensor

__all__ = [
    "broadcast_all",
    "clamp_probs",
    "euler_constant",
    "lazy_property",
    "logits_to_probs",
    "probs_to_logits",
    "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]

euler_constant = 0.57721566490153286060


def is_number(value: object) -> bool:
    """True for what is no tensor but a number."""
    return isinstance(value, int | float)


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Tensors of one shape; numbers get the dtype of the first tensor."""
    if not all(isinstance(value, TensorBase) or is_number(value) for value in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    dtype = next((value.dtype for value in values if not is_number(value)), torch.get_default_dtype())
    tensors: list[Any] = [
        value if isinstance(value, TensorBase) else torch.tensor(value, dtype=dtype) for value in values
    ]
    found: tuple[Tensor, ...] = torch.broadcast_tensors(*tensors)
    return found


def standard_normal(shape: Any, like: Tensor) -> Tensor:
    """Normal numbers of mean 0 and deviation 1."""
    return torch.empty(shape, dtype=like.dtype).normal_()


def empty_as(like: Tensor, shape: Any) -> Tensor:
    """Memory to draw into, of the dtype of another tensor."""
    return torch.empty(shape, dtype=like.dtype)


def sum_rightmost(value: Tensor, count: int) -> Tensor:
    """The sum over the last ``count`` dimensions."""
    return value if count == 0 else value.reshape((*value.shape[:-count], -1)).sum(-1)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Chances: of 1, or of each class."""
    return torch.sigmoid(logits) if is_binary else torch.nn.functional.softmax(logits, dim=-1)


def clamp_probs(probs: Tensor) -> Tensor:
    """Chances that are neither 0 nor 1."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Logarithms of the odds of 1, or of the chances of each class."""
    inside = clamp_probs(probs)
    return torch.log(inside) - torch.log1p(-inside) if is_binary else torch.log(inside)


class lazy_property:  # noqa: N801  PyTorch's name
    """A property worked out when it is first read, and kept."""

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        update_wrapper(self, wrapped)  # type: ignore[arg-type]

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        with torch.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def _lower_places(size: int, diag: int) -> Tensor:
    places = torch.arange(size)
    return places < places.view(-1, 1) + (diag + 1)


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """The lower triangles of matrices, row by row."""
    size = mat.shape[-1]
    if not -size <= diag < size:
        raise ValueError(f"diag ({diag}) provided is outside [{-size}, {size - 1}].")
    return mat[..., _lower_places(size, diag)]


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """Matrices with these lower triangles."""
    odd = 1 + 2 * diag
    size = (-odd + (odd**2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(size) - size > torch.finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as "
            "the lower triangular part of a square D x D matrix."
        )
    count = round(size)
    mat = vec.new_zeros((*vec.shape[:-1], count, count))
    mat[..., _lower_places(count, diag)] = vec
    return mat
