"""Sliding windows over the last dimensions of arrays: gathered into columns, and added up again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from chalkgrad.ops.adding_at import add_at

Sizes = tuple[int, ...]


def expanded(value: int | Sizes | list[int], count: int) -> Sizes:
    """One size for each of ``count`` dimensions; a single one stands for all."""
    sizes = (value,) if isinstance(value, int) else tuple(value)
    return sizes * count if len(sizes) == 1 else sizes


def padded(x: np.ndarray, padding: Sizes, value: float = 0, more: Sizes | None = None) -> np.ndarray:
    """``x`` framed by ``value`` along its last dimensions; ``more`` widens the far ends."""
    if not any(padding) and not (more and any(more)):
        return x
    count = len(padding)
    ends = padding if more is None else tuple(p + m for p, m in zip(padding, more, strict=True))
    lead = x.shape[: x.ndim - count]
    sizes = tuple(s + p + e for s, p, e in zip(x.shape[-count:], padding, ends, strict=True))
    made = np.full((*lead, *sizes), value, x.dtype) if value else np.zeros((*lead, *sizes), x.dtype)
    inner: tuple[Any, ...] = tuple(slice(p, p + s) for p, s in zip(padding, x.shape[-count:], strict=True))
    made[(..., *inner)] = x
    return made


def offsets(kernel: Sizes, counts: Sizes, stride: Sizes, dilation: Sizes) -> Iterator[tuple[Sizes, tuple[Any, ...]]]:
    """Each place in the window, with the slices of the elements that stand there, one for each window."""
    for place in itertools.product(*(range(size) for size in kernel)):
        starts = [at * d for at, d in zip(place, dilation, strict=True)]
        yield (
            place,
            tuple(
                slice(start, start + step * (count - 1) + 1, step) if count else slice(0, 0)
                for start, step, count in zip(starts, stride, counts, strict=True)
            ),
        )


def gathered(x: np.ndarray, kernel: Sizes, counts: Sizes, stride: Sizes, dilation: Sizes) -> np.ndarray:
    """All windows of ``x``, already framed: of shape (lead..., kernel..., counts...)."""
    lead = x.shape[: x.ndim - len(kernel)]
    if all(size == 1 for size in (*kernel, *stride)):
        return x.reshape(*lead, *kernel, *counts)
    steps = x.strides[len(lead) :]
    inner = tuple(step * d for step, d in zip(steps, dilation, strict=True))
    outer = tuple(step * s for step, s in zip(steps, stride, strict=True))
    view = np.lib.stride_tricks.as_strided(
        x, (*lead, *kernel, *counts), (*x.strides[: len(lead)], *inner, *outer), writeable=False
    )
    return np.ascontiguousarray(view)


def put_back(values: np.ndarray, places: np.ndarray, axis: int, size: int) -> np.ndarray:
    """The transpose of ``take`` along ``axis``, which has ``size``: what was taken from one place is added up there."""
    made = np.zeros((*values.shape[:axis], size, *values.shape[axis + 1 :]), values.dtype)
    add_at(made, places, values, axis)
    return made


def scattered(columns: np.ndarray, sizes: Sizes, counts: Sizes, stride: Sizes, dilation: Sizes) -> np.ndarray:
    """The sum of all windows at their places in an array that ends in ``sizes``: the transpose of :func:`gathered`."""
    count = len(sizes)
    lead = columns.shape[: columns.ndim - 2 * count]
    kernel = columns.shape[len(lead) : len(lead) + count]
    made = np.zeros((*lead, *sizes), columns.dtype)
    around = (slice(None),) * len(lead)
    for place, slices in offsets(kernel, counts, stride, dilation):
        made[around + slices] += columns[around + place]
    return made


def unframed(x: np.ndarray, padding: Sizes, sizes: Sizes) -> np.ndarray:
    """``x`` without its frame, of ``sizes`` along its last dimensions."""
    if not any(padding) and x.shape[-len(sizes) :] == sizes:
        return x
    inner: tuple[Any, ...] = tuple(slice(p, p + size) for p, size in zip(padding, sizes, strict=True))
    return np.ascontiguousarray(x[(..., *inner)])
