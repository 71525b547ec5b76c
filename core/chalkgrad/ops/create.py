"""The factories: tensors from values, filled with a number, counted, or drawn at random."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.arguments import type_name
from chalkgrad.engine.base import TensorBase, meta_of, new_tensor, state
from chalkgrad.engine.dtype import (
    DType,
    dtype_of_number,
    float32,
    float64,
    from_numpy_dtype,
    get_default_dtype,
    int64,
)
from chalkgrad.engine.generator import Generator, default_generator
from chalkgrad.engine.size import brackets
from chalkgrad.engine.tensor import Tensor
from chalkgrad.engine.values import values_of

INTEGRAL_GRAD = "Only Tensors of floating point and complex dtype can require gradients"


def made(array: np.ndarray, requires_grad: bool = False) -> Tensor:
    """A new leaf on ``array``; RuntimeError when it should require grad and can't."""
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError(INTEGRAL_GRAD)
    result = new_tensor(array)
    if requires_grad:
        meta_of(result).requires_grad = True
    if state.observer is not None:
        state.observer.tensor_made(result)
    return cast("Tensor", result)


# From values


def tensor(
    data: Any, *, dtype: DType | None = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """A new tensor holding a copy of ``data``: a number, nested lists, an array, or a tensor."""
    if isinstance(data, TensorBase):
        warnings.warn(messages.COPY_CONSTRUCT, UserWarning, stacklevel=2)
    return made(np.array(values_of(data, dtype), copy=True), requires_grad)


def as_tensor(data: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """``data`` as a tensor on the same memory where that is possible."""
    if isinstance(data, TensorBase):
        return cast("Tensor", data).to(dtype)
    if isinstance(data, np.ndarray):
        wanted = from_numpy_dtype(data.dtype) if dtype is None else dtype
        return made(data.astype(wanted.numpy, copy=False))
    return tensor(data, dtype=dtype)


def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor on the memory of ``array``."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(array)})")
    from_numpy_dtype(array.dtype)
    return made(array)


# Of a shape


def _shape(name: str, size: tuple[Any, ...]) -> tuple[int, ...]:
    """A shape given as separate ints or as one sequence."""
    if not size:
        raise TypeError(f'{name}() missing 1 required positional arguments: "size"')
    given = size[0] if len(size) == 1 and isinstance(size[0], list | tuple) else size
    for number in given:
        if isinstance(number, bool | float | str) or not hasattr(number, "__index__"):
            raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, not {type_name(number)}")
    shape = tuple(int(number) for number in given)
    if any(number < 0 for number in shape):
        if name in ("zeros", "ones"):
            raise RuntimeError(f"{name}: Dimension size must be non-negative.")
        negative = next(number for number in shape if number < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {negative}: {brackets(shape)}")
    return shape


def _of_shape(name: str, make: Callable[..., np.ndarray]) -> Callable[..., Tensor]:
    def factory(
        *size: Any, dtype: DType | None = None, device: Any = None, requires_grad: bool = False, out: None = None
    ) -> Tensor:
        wanted = get_default_dtype() if dtype is None else dtype
        return made(make(_shape(name, size), wanted.numpy), requires_grad)

    factory.__name__ = factory.__qualname__ = name
    return factory


zeros = _of_shape("zeros", np.zeros)
ones = _of_shape("ones", np.ones)
empty = _of_shape("empty", np.zeros)


def full(
    size: Sequence[int], fill_value: Any, *, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of one number everywhere."""
    if not isinstance(size, list | tuple):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {type_name(size)}")
    value = fill_value.item() if isinstance(fill_value, TensorBase) else fill_value
    wanted = dtype_of_number(value) if dtype is None else dtype
    shape = () if len(size) == 0 else _shape("full", (tuple(size),))
    return made(np.full(shape, value, wanted.numpy), requires_grad)


def _like(name: str, make: Callable[..., np.ndarray]) -> Callable[..., Tensor]:
    def factory(
        input: Tensor, *, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
    ) -> Tensor:
        if not isinstance(input, TensorBase):
            raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {type_name(input)}")
        return made(make(input.array, None if dtype is None else dtype.numpy), requires_grad)

    factory.__name__ = factory.__qualname__ = name
    return factory


zeros_like = _like("zeros_like", np.zeros_like)
ones_like = _like("ones_like", np.ones_like)
empty_like = _like("empty_like", np.zeros_like)


def full_like(
    input: Tensor, fill_value: Any, *, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of one number everywhere, in the shape and dtype of another."""
    wanted = input.dtype if dtype is None else dtype
    return made(np.full_like(input.array, fill_value, wanted.numpy), requires_grad)


def eye(
    n: int, m: int | None = None, *, dtype: DType | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Ones on the diagonal, zeros elsewhere."""
    wanted = get_default_dtype() if dtype is None else dtype
    return made(np.eye(n, m, dtype=wanted.numpy), requires_grad)


# Counted


def arange(*args: Any, dtype: DType | None = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """``arange(end)``, ``arange(start, end)``, ``arange(start, end, step)``: evenly spaced, the end excluded."""
    if not 1 <= len(args) <= 3:
        raise TypeError(f"arange() takes from 1 to 3 positional arguments but {len(args)} were given")
    numbers = [value.item() if isinstance(value, TensorBase) else value for value in args]
    start, end = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    step = numbers[2] if len(numbers) == 3 else 1
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    floating = any(isinstance(value, float) for value in numbers)
    wanted = dtype or (get_default_dtype() if floating else int64)
    count = math.ceil((end - start) / step)
    return made((start + np.arange(count) * step).astype(wanted.numpy), requires_grad)


def linspace(
    start: float,
    end: float,
    steps: int,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """``steps`` numbers from ``start`` to ``end``, both included, counted from the nearer end as PyTorch does."""
    wanted = get_default_dtype() if dtype is None else dtype
    if not wanted.is_floating_point:
        return made(np.linspace(start, end, steps).astype(wanted.numpy), requires_grad)
    number = wanted.numpy.type
    step = number((end - start) / (steps - 1)) if steps > 1 else number(0)
    places = np.arange(steps)
    from_start = number(start) + step * places.astype(wanted.numpy)
    from_end = number(end) - step * (steps - 1 - places).astype(wanted.numpy)
    return made(
        np.where(places < max(steps // 2, steps == 1), from_start, from_end).astype(wanted.numpy), requires_grad
    )


# At random


def _drawn(name: str) -> Callable[..., Tensor]:
    def factory(
        *size: Any,
        generator: Generator | None = None,
        dtype: DType | None = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Tensor:
        wanted = get_default_dtype() if dtype is None else dtype
        if wanted not in (float32, float64):
            kernel = "check_uniform_bounds" if name == "rand" else "normal_kernel_cpu"
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{wanted.scalar_type}'")
        source = default_generator if generator is None else generator
        return made(getattr(source, name)(_shape(name, size), wanted.numpy), requires_grad)

    factory.__name__ = factory.__qualname__ = name
    return factory


rand = _drawn("rand")
randn = _drawn("randn")


def rand_like(input: Tensor, *, dtype: DType | None = None, requires_grad: bool = False) -> Tensor:
    """Uniform random numbers in the shape and dtype of another tensor."""
    return rand(tuple(input.shape), dtype=dtype or input.dtype, requires_grad=requires_grad)


def randn_like(input: Tensor, *, dtype: DType | None = None, requires_grad: bool = False) -> Tensor:
    """Normal random numbers in the shape and dtype of another tensor."""
    return randn(tuple(input.shape), dtype=dtype or input.dtype, requires_grad=requires_grad)


def randint(
    *args: Any,
    generator: Generator | None = None,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """``randint(high, size)`` or ``randint(low, high, size)``: random integers, ``high`` excluded."""
    low, high, size = (0, *args) if len(args) == 2 else args
    source = default_generator if generator is None else generator
    drawn = source.randint(int(low), int(high), _shape("randint", (tuple(size),)))
    return made(drawn.astype((dtype or int64).numpy), requires_grad)


def randperm(n: int, *, generator: Generator | None = None) -> Tensor:
    """The integers from 0 to ``n - 1`` in random order."""
    return made((default_generator if generator is None else generator).randperm(n))
