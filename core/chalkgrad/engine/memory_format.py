"""Arrays laid out in memory as PyTorch lays them out: in order, like another tensor, or with channels last."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from chalkgrad.engine import device
from chalkgrad.engine.device import MemoryFormat
from chalkgrad.engine.ordering import laid_out, like, order_of
from chalkgrad.engine.storage import element_strides, is_dense, overlaps_itself, resized

Shape = tuple[int, ...]

_OVERFLOW = 1 << 63
_TRIED_FIRST = 1 << 31
"""From this many bytes on memory is asked for before anything is computed."""


def check_size(shape: Shape, itemsize: int) -> None:
    """Raise PyTorch's errors for a negative size, and for one that no memory holds."""
    count, most = 1, 1
    for size in shape:
        if size < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {size}: {list(shape)}")
        count *= size
        most = max(most, count)
    count *= itemsize
    if not count and math.prod([max(size, 1) for size in shape[1:]]) >= _OVERFLOW:
        raise RuntimeError("Stride calculation overflowed")
    if count >= _OVERFLOW or most >= 2 * _OVERFLOW:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(shape)}")
    if count >= _TRIED_FIRST:
        try:
            np.empty(count, np.uint8)
        except MemoryError:
            raise out_of_memory(count) from None


def out_of_memory(count: int) -> RuntimeError:
    """What PyTorch says when there are no ``count`` bytes."""
    return RuntimeError(
        f"[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to "
        f"allocate {count} bytes. Error code 12 (Cannot allocate memory)"
    )


def empty(shape: Shape, dtype: np.dtype[np.generic], form: MemoryFormat | None = None) -> np.ndarray:
    """An array of zeros of that shape (PyTorch leaves in it what was there), in that memory format."""
    check_size(shape, dtype.itemsize)
    order = _order(len(shape), form)
    return np.zeros(shape, dtype) if order is None else _zeros(shape, order, dtype)


def _zeros(shape: Shape, order: Sequence[int], dtype: np.dtype[np.generic]) -> np.ndarray:
    """Zeros whose dimensions lie in memory in ``order``."""
    made = laid_out(shape, order, dtype)
    made.fill(0)
    return made


def _order(ndim: int, form: MemoryFormat | None) -> Shape | None:
    """In which order the dimensions lie in memory, None for as they are."""
    for known, count in ((device.channels_last, 4), (device.channels_last_3d, 5)):
        if form is known:
            if ndim != count:
                raise RuntimeError(f"required rank {count} tensor to use {known.name} format")
            return (0, *range(2, ndim), 1)
    return None


def empty_like(array: np.ndarray, dtype: np.dtype[np.generic], form: MemoryFormat | None = None) -> np.ndarray:
    """An array of zeros in the shape of another, in its order of dimensions unless ``form`` says otherwise."""
    if form is not None and form is not device.preserve_format:
        return empty(array.shape, dtype, form)
    if is_dense(array):
        made = like(array, dtype)
        made.fill(0)
        return made
    return _zeros(array.shape, order_of(array), dtype)


def is_contiguous(array: np.ndarray, form: MemoryFormat | None = None) -> bool:
    """True when the elements lie in memory in the order of ``form``."""
    if form is device.preserve_format:
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    wanted = ((device.channels_last, 4), (device.channels_last_3d, 5))
    for known, count in wanted:
        if form is known:
            if array.ndim != count:
                return False
            order = (0, *range(2, count), 1)
            return bool(array.transpose(order).flags.c_contiguous)
    return bool(array.flags.c_contiguous)


def suggested(array: np.ndarray) -> MemoryFormat:
    """The memory format in which ``array`` lies, as PyTorch guesses it."""
    if array.ndim not in (4, 5) or not array.size or (array.flags.c_contiguous and 1 not in array.shape):
        return device.contiguous_format  # sizes of 1 may have any stride, and PyTorch looks at theirs, too
    strides, least = element_strides(array), 0
    for axis in (1, *range(array.ndim - 1, 1, -1), 0):
        if not strides[1] or strides[axis] < least or (axis == 0 and least == strides[1]):
            return device.contiguous_format
        least = strides[axis] * max(array.shape[axis], 1)
    return device.channels_last if array.ndim == 4 else device.channels_last_3d


def restrided(array: np.ndarray, form: MemoryFormat) -> np.ndarray:
    """The elements that lie where ``array`` begins, one after the other, in that memory format."""
    if form is device.preserve_format:
        raise RuntimeError("Unsupported memory formatPreserve")
    flat = resized(array, array.shape)
    order = _order(array.ndim, form)
    return flat if order is None else flat.reshape([flat.shape[axis] for axis in order]).transpose(np.argsort(order))


def dim_order(array: np.ndarray) -> Shape:
    """The dimensions from the outermost in memory to the innermost."""
    strides = element_strides(array)
    return tuple(sorted(range(array.ndim), key=lambda axis: (-strides[axis], axis)))


def copied(array: np.ndarray, dtype: np.dtype[np.generic], form: MemoryFormat | None = None) -> np.ndarray:
    """A copy in ``dtype``, laid out like ``array`` (dense ones exactly) or in the memory format ``form``."""
    if form is None or form is device.preserve_format:
        if array.flags.c_contiguous:
            made = array.astype(dtype, order="C", copy=True)
            if 1 not in array.shape or element_strides(made) == element_strides(array):
                return made
        if overlaps_itself(array) and order_of(array) == list(range(array.ndim)):
            return array.astype(dtype, order="C", copy=True)
    made = empty_like(array, dtype, form)
    np.copyto(made, array, casting="unsafe")
    return made


def for_others(gradient: np.ndarray) -> np.ndarray:
    """A copy of ``gradient`` for others' code to write into; one that is spread can't be written and stays as it is."""
    spread = gradient.size > 1 and 0 in gradient.strides
    return gradient if spread else copied(gradient, gradient.dtype)
