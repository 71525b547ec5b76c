"""The factories that draw at random, with PyTorch's numbers for the same seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType, bool_, dtype_of, float32, get_default_dtype, int64, limits
from chalkgrad.engine.warning import warn
from chalkgrad.ops.create import LIKE
from chalkgrad.ops.draw import draw_integers, draw_normal, draw_uniform
from chalkgrad.ops.factory import OUT, Options, factory

Size = tuple[int, ...]

_INTEGER_LIMIT = {"float32": 1 << 24, "float64": 1 << 53}
"""Whole numbers up to here are all there in a dtype of floats."""


def _with_generator(text: str, options: str) -> tuple[str, str]:
    """Both signatures of a function that PyTorch has with and without a generator."""
    return f"{text}, *, Generator? generator, {options})", f"{text}, *, {options})"


def _drawn(draw: Callable[..., None]) -> Callable[..., np.ndarray]:
    def make(options: Options, size: Size) -> np.ndarray:
        found = memory_format.empty(size, (options.dtype or get_default_dtype()).numpy)
        draw(found, options.source)
        return found

    return make


def _drawn_like(draw: Callable[..., None]) -> Callable[..., np.ndarray]:
    def make(options: Options, input: TensorBase) -> np.ndarray:
        dtype = options.dtype or dtype_of(input.array)
        found = memory_format.empty_like(input.array, dtype.numpy, options.memory_format)
        draw(found, options.source)
        return found

    return make


rand = factory(_drawn(draw_uniform), *_with_generator("rand(SymInt[] size", OUT))
randn = factory(_drawn(draw_normal), *_with_generator("randn(SymInt[] size", OUT))
rand_like = factory(_drawn_like(draw_uniform), *_with_generator("rand_like(Tensor input", LIKE))
randn_like = factory(_drawn_like(draw_normal), *_with_generator("randn_like(Tensor input", LIKE))


def check_bounds(low: int, high: int, dtype: DType) -> None:
    """Raise, or warn, where whole numbers from ``low`` to ``high - 1`` don't fit ``dtype``."""
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if dtype.is_floating_point:
        limit = _INTEGER_LIMIT[dtype.name]
        for title, number in (("from", low), ("to - 1", high - 1)):
            if not -limit <= number <= limit:
                digits = limit.bit_length() - 1
                warn(
                    f"{title} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations {dtype.cpp} "
                    "can support discrete uniform distribution only within this range. This warning will become an "
                    "error in version 1.7 release, please fix the code in advance"
                )
        return
    least, most = limits(dtype)
    for title, number in (("from", low), ("to - 1", high - 1)):
        if not least <= number <= most:
            raise RuntimeError(f"{title} is out of bounds for {dtype.cpp}")


def bounds_in(low: int, high: int, dtype: DType) -> tuple[int, int]:
    """``low`` and ``high``, moved inwards where ``dtype`` would round numbers between them out of these bounds."""
    if not dtype.is_floating_point:
        return low, high
    digits, number = _INTEGER_LIMIT[dtype.name].bit_length() - 1, dtype.numpy.type
    first, last = int(number(low + 1)), int(number(high - 1))
    if first < low:
        low = first + (1 << abs(low + 1).bit_length() - digits)
    if last >= high:
        high = last - (1 << abs(high - 1).bit_length() - digits)
    return low, high


def _randint(options: Options, high: int, size: Size, low: int = 0) -> np.ndarray:
    """Whole numbers from ``low`` on, ``high`` excluded."""
    dtype = options.dtype or int64
    memory_format.check_size(size, dtype.itemsize)
    check_bounds(low, high, dtype)
    return options.source.randint(*bounds_in(low, high, dtype), size).astype(dtype.numpy)


randint = factory(
    _randint,
    *_with_generator("randint(SymInt high, SymInt[] size", OUT),
    *_with_generator("randint(SymInt low, SymInt high, SymInt[] size", OUT),
)


def _randint_like(options: Options, input: TensorBase, high: Any, low: int = 0) -> np.ndarray:
    """Whole numbers in the shape and dtype of another tensor."""
    dtype = options.dtype or dtype_of(input.array)
    end = int(high.item()) if isinstance(high, TensorBase) else high
    check_bounds(low, end, dtype)
    found = memory_format.empty_like(input.array, dtype.numpy, options.memory_format)
    draw_integers(found, options.source, *bounds_in(low, end, dtype))
    return found


randint_like = factory(
    _randint_like,
    *_with_generator("randint_like(Tensor input, SymInt low, SymInt high", LIKE),
    *_with_generator("randint_like(Tensor input, Tensor high", LIKE),
    *_with_generator("randint_like(Tensor input, SymInt high", LIKE),
)


def _randperm(options: Options, n: int) -> np.ndarray:
    """The whole numbers from 0 to ``n - 1`` in random order."""
    dtype = options.dtype or int64
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    if dtype.is_floating_point:
        if dtype is float32 and n > 1 << 24:
            raise RuntimeError(f"n cannot be greater than 2^24+1 for Float type, got {n}")
    elif dtype is not bool_ and n > limits(dtype)[1]:
        raise RuntimeError(f"value cannot be converted to type {_c_name(dtype)} without overflow")
    memory_format.check_size((n,), dtype.numpy.itemsize)
    return options.source.randperm(n).astype(dtype.numpy)


def _c_name(dtype: DType) -> str:
    return {"int32": "int", "int64": "int64_t"}.get(dtype.name, f"{dtype.name}_t")


randperm = factory(_randperm, *_with_generator("randperm(SymInt n", OUT))


def _normal_of_shape(options: Options, mean: float, std: float, size: Size) -> np.ndarray:
    """Normal numbers of one mean and one deviation."""
    found = memory_format.empty(size, (options.dtype or get_default_dtype()).numpy)
    draw_normal(found, options.source, mean, std)
    return found


normal_of_shape = factory(
    _normal_of_shape,
    f"normal(float mean, float std, SymInt[] size, *, Generator? generator=None, {OUT})",
)
