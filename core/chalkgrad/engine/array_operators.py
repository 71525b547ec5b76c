"""Operators on arrays: what a record's forward is called by in formulas, with results as PyTorch lays them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.dtype import FLOATING, DType, exact, from_numpy_dtype, get_default_dtype, result_type
from chalkgrad.engine.ordering import laid_as, ordered
from chalkgrad.engine.record import Record
from chalkgrad.engine.storage import reshaped

_DOUBLE = np.dtype(np.float64)


def array_operator(record: Record) -> Callable[..., Any]:
    """``record`` as an operator on arrays: results stay arrays, also without dimensions (``out=...`` sees to it).

    Formulas may give it arrays of several dtypes, as a float gradient and an integer factor, of which NumPy would make
    doubles or half floats; they are computed in the dtype that PyTorch takes for them together.
    """
    compute = _of_one_dtype(record)
    if record.promotes == "none" or len(record.inputs) < 2 or record.variadic or record.writes is not None:
        return compute
    if isinstance(record.forward, np.ufunc) and record.section == "arithmetic":
        return compute  # called most, it looks only at results that are double

    def pair(self: Any, other: Any) -> Any:
        if type(self) is type(other) is np.ndarray and self.dtype is not other.dtype:
            self, other = _in_common_dtype(record, (self, other))
        return compute(self, other)

    if len(record.inputs) == 2 and not record.attributes:
        return pair

    def together(*values: Any, **attributes: Any) -> Any:
        return compute(*(_in_common_dtype(record, values) if _unlike(values) else values), **attributes)

    return together


def compute_dtype(record: Record, values: list[Any]) -> DType:
    """The dtype in which ``record`` computes on ``values``."""
    target = result_type(value for value in values if value is not None)
    if record.promotes == "float" and target.kind != FLOATING:
        return get_default_dtype()
    return target


def _unlike(values: tuple[Any, ...]) -> bool:
    """True where there are arrays of several dtypes among ``values``."""
    first = None
    for value in values:
        if type(value) is np.ndarray:
            if first is not None and value.dtype is not first:
                return True
            first = value.dtype
    return False


def _in_common_dtype(record: Record, values: tuple[Any, ...]) -> list[Any]:
    """``values`` with their arrays in the dtype in which ``record`` computes on them."""
    target = compute_dtype(record, list(values)).numpy
    return [value.astype(target, copy=False) if type(value) is np.ndarray else value for value in values]


def _of_one_dtype(record: Record) -> Callable[..., Any]:
    """The same for arrays of one dtype."""
    forward = record.forward
    if not isinstance(forward, np.ufunc):
        if record.promotes == "float" and len(record.inputs) == 1:
            forward = _of_floats(forward)
        if len(record.outputs) != 1 or record.view:  # what shows the memory of an array is one
            return forward
        if record.section == "reduce":
            return _contiguous_result(forward)
        if record.attributes or len(record.inputs) not in (1, 2):
            return _laid_out_result(forward) if record.follows_layout else _array_result(forward)
        if len(record.inputs) == 1:
            return _single_result(forward)
        return _laid_out_pair(forward) if record.follows_layout else _pair_result(forward)
    ufunc = forward
    if ufunc.nin == 1:
        return _ufunc_of_floats(ufunc) if record.promotes == "float" else lambda self: ufunc(self, out=...)
    if any(attribute.name == "alpha" for attribute in record.attributes):

        def with_alpha(self: Any, other: Any, alpha: Any = 1) -> Any:
            if alpha != 1 or type(alpha) is not int:
                other = np.multiply(other, _scale(other, alpha), out=...)
            result = ufunc(self, other, out=...)
            if result.dtype is _DOUBLE and type(self) is type(other) is np.ndarray and self.dtype is not other.dtype:
                return with_alpha(*_in_common_dtype(record, (self, other)))
            if result.ndim > 1 and type(self) is type(other) is np.ndarray and not self.flags.c_contiguous:
                return ordered(result, (self, other))
            return result

        return with_alpha
    if record.writes is not None:
        return lambda self, other: laid_as(ufunc(self, other, out=...), self)
    if not record.follows_layout:
        return lambda self, other: ufunc(self, other, out=...)

    def pair(self: Any, other: Any) -> Any:
        result = ufunc(self, other, out=...)
        if result.dtype is _DOUBLE and type(self) is type(other) is np.ndarray and self.dtype is not other.dtype:
            return pair(*_in_common_dtype(record, (self, other)))
        if result.ndim > 1 and type(self) is type(other) is np.ndarray and not self.flags.c_contiguous:
            return ordered(result, (self, other))
        return result

    return pair


def _ufunc_of_floats(ufunc: np.ufunc) -> Callable[..., Any]:
    """``ufunc`` in the default dtype for integers and bools, of which NumPy would make half floats or doubles."""

    def call(self: Any) -> Any:
        if self.dtype.kind != "f":
            self = self.astype(get_default_dtype().numpy)
        return ufunc(self, out=...)

    return call


def _of_floats(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The same for other functions, which may have attributes."""

    def call(self: Any, *rest: Any, **named: Any) -> Any:
        if self.dtype.kind != "f":
            self = self.astype(get_default_dtype().numpy)
        return forward(self, *rest, **named)

    return call


def _array_result(forward: Callable[..., Any]) -> Callable[..., Any]:
    """``forward`` with its result as an array, where NumPy would make it a scalar."""

    def compute(*values: Any, **attributes: Any) -> Any:
        found = forward(*values, **attributes)
        return found if type(found) is np.ndarray else np.asarray(found)

    return compute


def _laid_out_result(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The same for what computes element by element: the result lies in memory as the operands do."""

    def compute(*values: Any, **attributes: Any) -> Any:
        found = forward(*values, **attributes)
        if type(found) is not np.ndarray:
            return np.asarray(found)
        if found.ndim > 1 and type(values[0]) is np.ndarray and not values[0].flags.c_contiguous:
            return ordered(found, [value for value in values if type(value) is np.ndarray])
        return found

    return compute


def _contiguous_result(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The same for what reduces a tensor, which PyTorch leaves in the order of C, however the tensor lies in memory."""

    def compute(*values: Any, **attributes: Any) -> Any:
        found = forward(*values, **attributes)
        if type(found) is np.ndarray and found.flags.c_contiguous:
            return reshaped(found, found.shape) if 1 in found.shape else found  # a size of 1 kept may have any stride
        return np.asarray(found, order="C")

    return compute


def _laid_out_pair(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The same for two operands and nothing else, which is faster to call."""

    def compute(self: Any, other: Any) -> Any:
        found = forward(self, other)
        if type(found) is not np.ndarray:
            return np.asarray(found)
        if found.ndim > 1 and type(self) is type(other) is np.ndarray and not self.flags.c_contiguous:
            return ordered(found, (self, other))
        return found

    return compute


def _single_result(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The same for one operand and nothing else, which is faster to call."""

    def compute(self: Any) -> Any:
        found = forward(self)
        return found if type(found) is np.ndarray else np.asarray(found)

    return compute


def _pair_result(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The same for two operands and nothing else."""

    def compute(self: Any, other: Any) -> Any:
        found = forward(self, other)
        return found if type(found) is np.ndarray else np.asarray(found)

    return compute


def _scale(values: Any, alpha: Any) -> np.ndarray:
    """``alpha`` in the dtype of what it multiplies; RuntimeError for a fraction of integers."""
    dtype = np.asarray(values).dtype
    if isinstance(alpha, bool) and dtype.kind != "b":
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, float) and dtype.kind != "f":
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    return exact(alpha, from_numpy_dtype(dtype))
