"""Operators of several overloads: which one a call means, what numbers become, and dtypes that PyTorch refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.dtype import (
    FLOATING,
    DType,
    can_cast,
    cast,
    dtype_of,
    dtype_of_number,
    from_numpy_dtype,
    get_default_dtype,
    result_type,
)
from chalkgrad.engine.inplace import check_followed
from chalkgrad.engine.places import OVERLAP
from chalkgrad.engine.storage import overlaps_itself
from chalkgrad.ops.composing import array_in

Forward = Callable[..., Any]

_REALS = frozenset({int, float, bool})

FLOATS, NUMBERS = "f", "iuf"
"""Kinds of dtypes, as NumPy's letters."""


def is_number(value: object) -> bool:
    """True for a Python number, which PyTorch has overloads of its own for."""
    return not isinstance(value, np.ndarray | TensorBase)


def not_implemented(kernel: str, dtype: np.dtype[Any]) -> NotImplementedError:
    """What PyTorch says where a kernel is not there for a dtype."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{from_numpy_dtype(dtype).scalar_type}'")


def only(kernel: str, kinds: str) -> Callable[..., None]:
    """The check of an operator of one tensor that there is for dtypes of these kinds only."""

    def check(self: np.ndarray, *_: Any) -> None:
        if self.dtype.kind not in kinds:
            raise not_implemented(kernel, self.dtype)

    return check


def limited(kernel: str, kinds: str, forward: Forward) -> Forward:
    """``forward``, refused for dtypes of other kinds once its inputs have the dtype they are computed in."""

    def compute(self: Any, *values: Any, **attributes: Any) -> Any:
        arrays = [np.asarray(value) for value in (self, *values)]
        if arrays[0].dtype.kind not in kinds:
            raise not_implemented(kernel, arrays[0].dtype)
        return forward(*arrays, **attributes)

    return compute


def common_dtype(values: tuple[Any, ...], promotes: str = "together") -> DType:
    """The dtype in which arrays and numbers are computed; see ``Record.promotes``."""
    first = values[0]
    if len(values) == 2 and isinstance(first, np.ndarray) and first.dtype.kind == "f" and type(values[1]) in _REALS:
        return from_numpy_dtype(first.dtype)
    found = result_type(value for value in values if value is not None)
    return get_default_dtype() if promotes == "float" and found.kind != FLOATING else found


def as_floats(value: Any) -> Any:
    """Integers and bools in an array as PyTorch takes them for logarithms and quotients; NumPy would take half floats.

    A formula on tensors gets its operand as it is: operators on these promote themselves.
    """
    if isinstance(value, np.ndarray) and value.dtype.kind != "f":
        return value.astype(get_default_dtype().numpy)
    return value


def by_number(forward: Forward, promotes: str = "together") -> Forward:
    """``forward`` of two arrays as that of an array and a number, which yields to the array's dtype."""

    def compute(self: np.ndarray, other: Any, **attributes: Any) -> Any:
        dtype = common_dtype((self, other), promotes)
        return forward(cast(self, dtype), cast(other, dtype), **attributes)

    return compute


def from_number(forward: Forward, promotes: str = "together") -> Forward:
    """``forward`` of two arrays as that of an array, the second operand, and a number, the first."""

    def compute(other: np.ndarray, self: Any, **attributes: Any) -> Any:
        dtype = common_dtype((other, self), promotes)
        return forward(cast(self, dtype), cast(other, dtype), **attributes)

    return compute


def overloaded(tensors: str, number: str, reversed_number: str = "") -> Callable[..., Any]:
    """Compose: operator ``tensors`` of two tensors, ``number`` of tensor and number, or the other way around."""

    def compose(o: Any, self: Any, other: Any, **attributes: Any) -> Any:
        if is_number(other):
            if is_number(self):
                self = new_tensor(cast(self, dtype_of_number(self)))
            return getattr(o, number)(self, other, **attributes)
        if is_number(self):
            return getattr(o, reversed_number)(other, self, **attributes)
        return getattr(o, tensors)(self, other, **attributes)

    return compose


def overloaded_in_place(tensors: str, number: str, promotes: str = "together", cpp: bool = False) -> Callable[..., Any]:
    """The same for what writes into its first operand, whose dtype must be able to hold the result.

    ``cpp`` where PyTorch's error then names that dtype as C++ does.
    """

    def compose(o: Any, self: Any, other: Any, **attributes: Any) -> Any:
        if not is_number(other):
            return getattr(o, tensors)(self, other, **attributes)
        check_followed(self, number)
        check_result(self.array, (other,), promotes, cpp)
        return getattr(o, number)(self, other, **attributes)

    return compose


def check_result(target: np.ndarray, others: tuple[Any, ...], promotes: str = "together", cpp: bool = False) -> None:
    """RuntimeError when what is computed of ``target`` and ``others`` can't be written into ``target``."""
    if not cpp and overlaps_itself(target):
        raise RuntimeError(OVERLAP)
    computed, wanted = common_dtype((target, *others), promotes), dtype_of(target)
    if not can_cast(computed, wanted):
        name = wanted.cpp if cpp else wanted.scalar_type
        raise RuntimeError(f"result type {computed.scalar_type} can't be cast to the desired output type {name}")


def underivable(name: str) -> Callable[..., Any]:
    """The formula of an operator that has a node but no derivative."""

    def refuse(o: Any, g: Any) -> NoReturn:
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    return refuse


def not_derivable(name: str) -> Callable[..., Any]:
    """The same where PyTorch's table of derivatives says so itself."""

    def refuse(o: Any, g: Any) -> NoReturn:
        raise NotImplementedError(f"the derivative for '{name}' is not implemented.")

    return refuse


def no_gradient(o: Any, g: Any) -> Any:
    """The formula of what doesn't change when its input does: zeros."""
    return o.zeros_of(g, tuple(g.shape))


def no_gradient_by_other(o: Any, g: Any, other_args_info: Any) -> Any:
    """The same where PyTorch remembers shape and dtype and makes zeros of these (and writes them: ``fills`` is 1)."""
    return zeros_as(o, g, other_args_info)


def no_gradient_by_self(o: Any, g: Any, self_args_info: Any) -> Any:
    """The same for the input called ``self``."""
    return zeros_as(o, g, self_args_info)


def zeros_as(o: Any, g: Any, info: tuple[tuple[int, ...], np.dtype[Any]]) -> Any:
    """Zeros of the shape and the dtype that were remembered of a tensor."""
    shape, dtype = info
    zeros = o.zeros_of(g, shape)
    if not array_in(zeros).flags.c_contiguous:  # the layout of ``g`` is not remembered
        zeros = o.contiguous(zeros, memory_format=contiguous_format)
    return zeros if array_in(g).dtype == dtype else o.to_copy(zeros, dtype)
