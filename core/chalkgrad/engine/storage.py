"""Memory: which tensors share it, and how often it has been written.

A NumPy array that owns its memory is a storage; arrays made from it by view operators keep it as their ``base``. The
version counter is an object of its own, made only when somebody needs to agree on it: a view, a ``detach()``, an
in-place operator or a saved result. A tensor without one has version 0.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np


class Counter:
    """How often a tensor and its views were written: ``_version``.

    ``detached`` tells that one of the tensors that share it was detached in place, so that saved values look closer;
    ``inference`` that these tensors show memory made in inference mode, which autograd doesn't take.
    """

    __slots__ = ("detached", "version")
    inference: ClassVar[bool] = False

    def __init__(self, version: int = 0) -> None:
        self.version = version
        self.detached = False


class InferenceCounter(Counter):
    """That of a tensor born in inference mode, and of its views: nobody counts."""

    __slots__ = ()
    inference = True
    version = property(lambda self: 0, lambda self, value: None)


class DetachedInferenceCounter(Counter):
    """That of a ``detach()`` or ``.data`` of such a tensor outside of inference mode, which may be written there."""

    __slots__ = ()
    inference = True


def owner(array: np.ndarray) -> np.ndarray:
    """The array whose memory ``array`` shows, itself where it owns it."""
    base = array.base
    while base is not None:
        if isinstance(base, np.ndarray):
            array = base
        elif not isinstance(getattr(base, "base", None), np.ndarray):  # as_strided puts an object in between
            break
        base = base.base
    return array


def storage_id(array: np.ndarray) -> int:
    """A number that two live arrays have in common exactly when they share their memory's owner."""
    return id(owner(array))


def data_ptr(array: np.ndarray) -> int:
    """Address of the first element; 0 where there is none."""
    return _address(array) if array.size else 0


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def storage_offset(array: np.ndarray) -> int:
    """Place of the first element in its storage, counted in elements."""
    whole = owner(array)
    return 0 if whole is array else (_address(array) - _address(whole)) // array.itemsize


def empty_from(array: np.ndarray, part: np.ndarray, skipped: int) -> np.ndarray:
    """``part`` of ``array``, which has no elements, as a view that begins ``skipped`` bytes after ``array``.

    NumPy lets an empty slice begin where the whole does.
    """
    memory = owner(array)
    offset = _address(array) - _address(memory) + skipped
    if offset > memory.nbytes:
        return part
    return np.ndarray(part.shape, part.dtype, _elements(array), offset, part.strides)


def element_strides(array: np.ndarray) -> tuple[int, ...]:
    """Strides counted in elements; those of a contiguous tensor where NumPy gives none to what has no elements."""
    width, steps = array.itemsize, array.strides
    if len(steps) == 2 and array.size:  # those of matrices are asked for in every product
        return steps[0] // width, steps[1] // width
    strides = tuple([step // width for step in steps])
    if array.size or any(strides):
        return strides
    made = [1]
    for size in array.shape[:0:-1]:
        made.append(made[-1] * max(size, 1))
    return tuple(made[::-1]) if array.ndim else ()


def view_strides(shape: tuple[int, ...], strides: tuple[int, ...], to: tuple[int, ...], step: int) -> tuple[int, ...]:
    """The strides with which PyTorch views what has elements and can be viewed with sizes ``to``; ``step`` is for one.

    It goes from the last dimension to the first: those that lie together are a chunk, and share out its memory.
    """
    if not shape:
        return (step,) * len(to)
    made = [0] * len(to)
    place = len(to) - 1
    base, there, taken = strides[-1], 1, 1
    for axis in reversed(range(len(shape))):
        there *= shape[axis]
        if axis and (shape[axis - 1] == 1 or strides[axis - 1] == there * base):
            continue
        while place >= 0 and (taken < there or to[place] == 1):
            made[place] = taken * base
            taken *= to[place]
            place -= 1
        if axis:
            base, there, taken = strides[axis - 1], 1, 1
    return tuple(made)


def overlaps_itself(array: np.ndarray) -> bool:
    """True when two elements are the same memory, as those of an expanded tensor are."""
    return array.size > 0 and any(
        stride == 0 and size > 1 for stride, size in zip(array.strides, array.shape, strict=True)
    )


def copied_with_repeats(array: np.ndarray) -> np.ndarray:
    """A copy in which elements that are the same memory in ``array`` are the same memory again."""
    if not overlaps_itself(array):
        return array.copy(order="K")
    once = array[tuple(slice(None) if step else slice(0, 1) for step in array.strides)].copy()
    steps = [new if step else 0 for new, step in zip(once.strides, array.strides, strict=True)]
    return np.lib.stride_tricks.as_strided(once, array.shape, steps)


def copied_memory(array: np.ndarray) -> np.ndarray:
    """A copy in which the elements lie as they do in ``array``, in a copy of all its memory where that holds more."""
    if overlaps_itself(array):
        return array.copy()
    if owner(array).nbytes != array.nbytes:
        return as_strided(_elements(array).copy(), array.shape, element_strides(array), storage_offset(array))
    made = np.ndarray(array.shape, array.dtype, strides=array.strides)  # a size of 1 keeps its stride, too
    np.copyto(made, array)
    return made


def is_dense(array: np.ndarray) -> bool:
    """True when the elements fill a stretch of memory without gaps or repetitions, in whatever order."""
    if not array.size and not any(array.strides):  # NumPy gives no strides to what has no elements
        return True
    expected = array.itemsize
    for stride, size in sorted((s, n) for s, n in zip(array.strides, array.shape, strict=True) if n > 1):
        if stride != expected:
            return False
        expected *= size
    return True


def overlap_partly(first: np.ndarray, second: np.ndarray) -> bool:
    """True for two dense arrays that share memory without being element by element the same."""
    if not (first.size and second.size and is_dense(first) and is_dense(second)):
        return False
    start, other = data_ptr(first), data_ptr(second)
    if start == other and first.nbytes == second.nbytes:
        return element_strides(first) != element_strides(second)
    return start < other + second.nbytes and other < start + first.nbytes


def geometry_of(array: np.ndarray) -> tuple[tuple[int, ...], tuple[int, ...], int, int]:
    """Where ``array`` lies in its storage: its shape, strides, offset, and how many elements the storage has."""
    return array.shape, element_strides(array), storage_offset(array), owner(array).nbytes // array.itemsize


def as_strided(array: np.ndarray, size: tuple[int, ...], stride: tuple[int, ...], offset: int) -> np.ndarray:
    """The elements of ``array``'s storage found with ``size``, ``stride`` and ``offset``, all in elements; a view."""
    return strided_in(_elements(array), size, stride, offset)


def strided_in(start: np.ndarray, size: tuple[int, ...], stride: tuple[int, ...], offset: int) -> np.ndarray:
    """The same of a row of elements."""
    byte_strides = tuple(step * start.itemsize for step in stride)
    if 0 in size:  # NumPy would let it begin where the storage does
        return np.ndarray(size, start.dtype, start, min(offset, start.size) * start.itemsize, byte_strides)
    return np.lib.stride_tricks.as_strided(start[offset:], size, byte_strides)


def _flat(array: np.ndarray) -> np.ndarray:
    """All elements in the order of memory, for arrays that fill their memory in another order than C's."""
    order = sorted(range(array.ndim), key=lambda axis: -array.strides[axis])
    return array.transpose(order).reshape(-1, copy=False)


def resized(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """An array of ``shape`` that begins where ``array`` does: on its storage, or on a larger copy of that."""
    flat, offset = _elements(array), storage_offset(array)
    count = math.prod(shape)
    if not count and offset <= flat.size:  # NumPy lets what is empty begin where the whole does
        return np.ndarray(shape, array.dtype, flat, offset * array.itemsize)
    if offset + count <= flat.size:
        return flat[offset : offset + count].reshape(shape)
    grown = np.zeros(offset + count, array.dtype)
    grown[: flat.size] = flat
    return grown[offset:].reshape(shape)


def _elements(array: np.ndarray) -> np.ndarray:
    """All elements of the storage of ``array``, in the order of memory."""
    flat = owner(array)
    row = flat.reshape(-1, copy=False) if flat.flags.c_contiguous else _flat(flat)
    if row.dtype == array.dtype:
        return row
    whole = row.nbytes // array.itemsize * array.itemsize  # the memory was another dtype's first
    return row.view(np.uint8)[:whole].view(array.dtype)


def reshaped(made: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """``made``, which nobody else has seen, in another shape; it stays the owner of its memory, no view of it."""
    if made.base is not None or not made.flags.c_contiguous:
        return made.reshape(shape)
    made.resize(shape, refcheck=False)
    return made


def bytes_of(array: np.ndarray) -> np.ndarray:
    """The bytes of the storage of ``array``, as they are in memory; a view."""
    return _elements(array).view(np.uint8)


def typed_elements(array: np.ndarray) -> np.ndarray:
    """All elements of the storage of ``array``, one after the other; a view."""
    return _elements(array)
