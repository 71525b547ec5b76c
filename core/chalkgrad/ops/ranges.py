"""The factories that count: evenly spaced numbers, and the places of a triangle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType, Number, bool_, exact, float32, get_default_dtype, int64
from chalkgrad.engine.values import check_fits
from chalkgrad.engine.warning import warn
from chalkgrad.ops.draw import plain
from chalkgrad.ops.factory import OUT, PLACE, Options, factory

RANGE = (
    "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with "
    "Python's range builtin. Instead, use torch.arange, which produces values in [start, end)."
)


def _check_range(start: Number, end: Number, step: Number) -> None:
    if not (step > 0 or step < 0):
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {plain(start)} -> {plain(end)}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")


def _counted(count: int, start: Number, step: Number, dtype: DType) -> np.ndarray:
    """``count`` numbers from ``start`` on; floats are computed in the precision PyTorch computes them in."""
    memory_format.check_size((count,), dtype.itemsize)
    if dtype.is_floating_point:
        # PyTorch multiplies and adds in float64 for all floats, and rounds once.
        return (start + np.arange(count) * float(step)).astype(dtype.numpy)
    first, by = int(check_fits(start, int64)), int(check_fits(step, int64))
    return (first + np.arange(count, dtype=np.int64) * by).astype(dtype.numpy)


def _arange(options: Options, end: Number, start: Number = 0, step: Number = 1) -> np.ndarray:
    """Numbers from ``start`` to ``end``, which is excluded."""
    floating = any(isinstance(value, float) for value in (start, end, step))
    dtype = options.dtype or (get_default_dtype() if floating else int64)
    if dtype is bool_:
        raise NotImplementedError("\"arange_cpu\" not implemented for 'Bool'")
    _check_range(start, end, step)
    if dtype is int64:
        if not int(step):
            raise ValueError("step must be nonzero")
        count = -((int(start) - int(end)) // int(step))
    else:
        count = math.ceil((float(end) - float(start)) / float(step))
    return _counted(count, start, step, dtype)


arange = factory(
    _arange,
    f"arange(Scalar end, *, {OUT})",
    f"arange(Scalar start, Scalar end, *, {PLACE})",
    f"arange(Scalar start, Scalar end, Scalar step=1, *, {OUT})",
)


def _range(options: Options, start: Number, end: Number, step: Number = 1) -> np.ndarray:
    """Numbers from ``start`` to ``end``, which is included; PyTorch's older function."""
    warn(RANGE)
    _check_range(start, end, step)
    count = math.floor((end - start) / step) + 1
    return _counted(count, start, step, options.dtype or get_default_dtype())


range = factory(_range, f"range(Scalar start, Scalar end, Scalar step=1, *, {OUT})")  # noqa: A001  PyTorch's name


def spaced(start: Any, end: Any, steps: int, dtype: DType, name: str) -> np.ndarray:
    """``steps`` numbers from ``start`` to ``end``, both included, counted from the nearer end as PyTorch does."""
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if dtype is bool_:
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for 'Bool'")
    memory_format.check_size((steps,), dtype.itemsize)
    places = np.arange(steps)
    if not dtype.is_floating_point:
        return _between(int(start), int(end), steps).astype(dtype.numpy)
    for end_point in (start, end):
        exact(end_point, dtype)
    number: Any = dtype.numpy.type
    step = number((number(end) - number(start)) / number(steps - 1)) if steps > 1 else number(0)
    from_start = _multiplied(step, places, number(start), dtype)
    from_end = _multiplied(-step, steps - 1 - places, number(end), dtype)
    found: np.ndarray = np.where(places < max(steps // 2, steps == 1), from_start, from_end)
    return found.astype(dtype.numpy)


def _between(start: int, end: int, steps: int) -> np.ndarray:
    """What whole numbers are made of: stepped through in float64, from the nearer end."""
    places = np.arange(steps)
    gap = (float(end) - float(start)) / (steps - 1) if steps > 1 else 0.0
    low, high = start + gap * places, end - gap * (steps - 1 - places)
    return np.asarray(np.where(places < max(steps // 2, steps == 1), low, high))


def _multiplied(step: Any, places: np.ndarray, start: Any, dtype: DType) -> np.ndarray:
    """``start + step * places``, rounded once, as the processor's fused instruction does."""
    if dtype is float32:
        return np.asarray(float(step) * places + float(start))
    factors = places.astype(np.float64)
    product = step * factors
    high, low = _halves(step)
    lost = (high * factors - product) + low * factors  # the places are small: only the step needs splitting
    total = product + start
    part = total - product
    return np.asarray(total + ((product - (total - part)) + (start - part) + lost))


def _halves(number: Any) -> tuple[Any, Any]:
    """A float64 as the sum of two that have half of its digits each."""
    spread = number * 134217729.0
    high = spread - (spread - number)
    return high, number - high


def _linspace(options: Options, start: Any, end: Any, steps: int) -> np.ndarray:
    """``steps`` numbers from ``start`` to ``end``, both included."""
    first, last = _ends("linspace", start, end)
    return spaced(first, last, steps, options.dtype or get_default_dtype(), "linspace")


def _logspace(options: Options, start: Any, end: Any, steps: int, base: float = 10.0) -> np.ndarray:
    """``base`` to the power of ``steps`` numbers from ``start`` to ``end``."""
    first, last = _ends("logspace", start, end)
    dtype = options.dtype or get_default_dtype()
    if not dtype.is_floating_point:
        return np.asarray(np.power(base, _between(int(first), int(last), _count(steps))), dtype.numpy)
    powers = spaced(first, last, steps, dtype, "logspace")
    return np.power(base, powers.astype(np.float64)).astype(dtype.numpy)


def _count(steps: int) -> int:
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    return steps


def _ends(name: str, start: Any, end: Any) -> tuple[Number, Number]:
    """Both ends as numbers; RuntimeError for tensors with dimensions."""
    ends = [(title, value) for title, value in (("start", start), ("end", end)) if isinstance(value, TensorBase)]
    if any(value.array.ndim for _, value in ends):
        found = " and ".join(f"{title} with {value.array.ndim} dimension(s)" for title, value in ends)
        raise RuntimeError(f"{name} only supports 0-dimensional start and end tensors, but got {found}.")
    first, last = (value.item() if isinstance(value, TensorBase) else value for value in (start, end))
    return first, last


def _ways(name: str, more: str = "") -> tuple[str, ...]:
    """The signatures of a function whose two ends may each be a tensor."""
    kinds = ("Tensor", "Tensor"), ("Scalar", "Tensor"), ("Tensor", "Scalar"), ("Scalar", "Scalar")
    return tuple(f"{name}({start} start, {end} end, int steps, {more}*, {OUT})" for start, end in kinds)


linspace = factory(_linspace, *_ways("linspace"))
logspace = factory(_logspace, *_ways("logspace", "float base=10.0, "))


def _triangle_size(name: str, row: int, col: int, offset: int) -> int:
    """How many places of a matrix are below its diagonal, or on it or above."""
    if not name.startswith("tril"):
        return row * col - _triangle_size("tril", row, col, offset - 1)
    start = max(0, -offset)
    rows, first = max(0, row - start), start + offset + 1
    growing = min(rows, max(0, col - first))
    return growing * first + growing * (growing - 1) // 2 + (rows - growing) * col


def _triangle(name: str, places: Callable[..., Any]) -> Callable[..., np.ndarray]:
    def make(options: Options, row: int, col: int, offset: int = 0) -> np.ndarray:
        for title, value in (("row", row), ("col", col)):
            if value < 0:
                raise RuntimeError(f"{title} must be non-negative, got{value}")
        dtype = options.dtype or int64
        if dtype.is_floating_point or dtype is bool_:
            raise NotImplementedError(f"\"{name}\" not implemented for '{dtype.scalar_type}'")
        memory_format.check_size((2, _triangle_size(name, row, col, offset)), dtype.numpy.itemsize)
        return np.stack(places(row, offset, col)).astype(dtype.numpy)

    return make


tril_indices = factory(
    _triangle("tril_indices", np.tril_indices), f"tril_indices(int row, int col, int offset=0, *, {PLACE})"
)
triu_indices = factory(
    _triangle("triu_indices", np.triu_indices), f"triu_indices(int row, int col, int offset=0, *, {PLACE})"
)
