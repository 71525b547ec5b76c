"""What operators made of others and in-place twins need."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase, new_tensor, state
from chalkgrad.engine.record import OPS
from chalkgrad.engine.rules import ARRAYS, TENSORS
from chalkgrad.engine.tensor import Tensor


def as_dims(dim: Any) -> Any:
    """``dim`` as a tuple where it is a single one."""
    return dim if dim is None or isinstance(dim, tuple) else (dim,)


def array_in(value: Any) -> np.ndarray:
    """The array of a tensor, or the array itself."""
    found: np.ndarray = value.array if isinstance(value, TensorBase) else value
    return found


def as_method(function: Callable[..., Any], name: str) -> None:
    """Make ``function`` the method ``name`` of tensors, one that PyTorch wrote in Python."""
    function.__name__ = name
    function.__qualname__ = f"Tensor.{name}"
    setattr(Tensor, name, function)


def like(value: Any, array: np.ndarray) -> Any:
    """``array`` as what ``value`` is: an array or a tensor."""
    return new_tensor(array) if isinstance(value, TensorBase) else array


def warn_once(text: str) -> None:
    """A warning that PyTorch gives the first time only."""
    if state.is_news(text):
        warnings.warn(text, UserWarning, stacklevel=2)


def through(compose: Callable[..., Any]) -> Callable[..., Any]:
    """The forward of an operator that is only composed of others: the same on arrays."""
    return lambda *inputs, **attributes: compose(ARRAYS, *inputs, **attributes)


def of_arrays(name: str) -> Callable[..., Any]:
    """The forward of an operator whose composition asks tensors for their shapes: it runs on tensors of the arrays."""

    def forward(*values: Any, **attributes: Any) -> Any:
        given = [new_tensor(value) if isinstance(value, np.ndarray) else value for value in values]
        return getattr(TENSORS, name)(*given, **attributes).array

    return forward


def writing(name: str, *signatures: str, visible: bool = True, **changes: Any) -> None:
    """Register the in-place twin of operator ``name``, called as ``signatures`` say; a method only.

    ``changes`` are fields in which it differs otherwise.
    """
    record = OPS[name]
    register(
        record._replace(
            name=f"{name}_",
            writes=record.inputs[0],
            function=None,
            method=f"{name}_" if record.method else None,
            signatures=signatures,
            symbol=None,
            style="method",
            section="in-place",
            aliases=(),
            hidden=record.hidden or not visible,
            part_of=record.part_of or (None if visible else name),
            **changes,
        )
    )
