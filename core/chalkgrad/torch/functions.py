"""What the face consists of: the table's operators under PyTorch's names, and a few plain functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from chalkgrad.engine.dtype import DType
from chalkgrad.engine.record import OPS
from chalkgrad.engine.spelling import function
from chalkgrad.engine.tensor import Tensor


def operators(module: str) -> dict[str, Callable[..., Any]]:
    """All operators that PyTorch has as functions of ``module``, by name, with their aliases."""
    found: dict[str, Callable[..., Any]] = {}
    for record in OPS.values():
        place, _, name = (record.function or "").rpartition(".")
        if name and place == module:
            found |= {spelling: function(record, spelling) for spelling in (name, *record.aliases)}
    return found


def typed(dtype: DType) -> Callable[..., Tensor]:
    """``FloatTensor`` and its kin: a tensor of these values, or of this shape, in one dtype."""

    def make(*data: Any) -> Tensor:
        return Tensor(*data).to(dtype)

    make.__name__ = make.__qualname__ = f"{dtype.scalar_type}Tensor"
    return make


def absent(module: str) -> Callable[[str], NoReturn]:
    """The ``__getattr__`` of a module of the face."""

    def refuse(name: str) -> NoReturn:
        raise AttributeError(f"module '{module}' has no attribute '{name}'")

    return refuse


def is_tensor(obj: object) -> bool:
    """True for a tensor."""
    return isinstance(obj, Tensor)


def numel(input: Tensor) -> int:
    """Number of elements."""
    return input.numel()


def equal(input: Tensor, other: Tensor) -> bool:
    """True when two tensors have the same shape and the same elements."""
    return input.array.shape == other.array.shape and bool((input.array == other.array).all())


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """True when all elements are nearly equal; RuntimeError for different dtypes."""
    if input.array.dtype != other.array.dtype:
        raise RuntimeError(f"{input.dtype_title} did not match {other.dtype_title}")
    return bool(np.allclose(input.array, other.array, rtol, atol, equal_nan))
