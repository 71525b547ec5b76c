"""Convolutions of arrays and their transposes, by products of matrices.

With stride 1, the elements that all windows have at one place are a single stretch of the flattened image, if windows
that begin in one row and end in the next are taken along. Copying such stretches is much faster than copying windows
row by row, and pays for the few results too many; elsewhere windows are gathered one by one.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.windows import Sizes, gathered, offsets, padded, scattered, unframed

_WASTE = 2
"""How many times as many windows as there are may be taken for the sake of long stretches."""


def window_counts(sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Sizes:
    """How many windows fit along each dimension."""
    found = zip(sizes, kernel, stride, padding, dilation, strict=True)
    return tuple([(s + 2 * p - d * (k - 1) - 1) // step + 1 for s, k, step, p, d in found])


def transposed_sizes(
    sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, output_padding: Sizes
) -> Sizes:
    """The sizes that a transposed convolution makes."""
    found = zip(sizes, kernel, stride, padding, dilation, output_padding, strict=True)
    return tuple([(s - 1) * step - 2 * p + d * (k - 1) + more + 1 for s, k, step, p, d, more in found])


def _steps(sizes: Sizes) -> Sizes:
    """How many elements of the flattened image lie between neighbours along each dimension."""
    return tuple([prod(sizes[axis + 1 :]) for axis in range(len(sizes))])


def _stretch(sizes: Sizes, counts: Sizes, stride: Sizes) -> int:
    """The length of the stretch from the first window to the last; 0 where windows are better taken one by one."""
    if any(step != 1 for step in stride) or 0 in counts:
        return 0
    length = 1 + sum((count - 1) * step for count, step in zip(counts, _steps(sizes), strict=True))
    return length if length <= _WASTE * prod(counts) else 0


def _stretch_of_zeros(sizes: Sizes, counts: Sizes, stride: Sizes, others: np.ndarray) -> int:
    """The same where windows too many are 0, which is nothing only if the ``others``, by which they go, are finite."""
    length = _stretch(sizes, counts, stride)
    return length if length in (0, prod(counts)) or np.isfinite(others).all() else 0


def _view(x: np.ndarray, shape: Sizes, steps: Sizes) -> np.ndarray:
    """The elements of contiguous ``x`` found with ``steps``, counted in elements."""
    return np.ndarray(shape, x.dtype, x, 0, tuple([step * x.itemsize for step in steps]))


def _columns(
    x: np.ndarray, kernel: Sizes, counts: Sizes, stride: Sizes, dilation: Sizes, groups: int, length: int
) -> np.ndarray:
    """The windows of ``x``, already framed, as columns: (N, groups, channels of a group * window, windows)."""
    count, channels, *sizes = x.shape
    if length:
        x = np.ascontiguousarray(x)
        steps = _steps(tuple(sizes))
        inner = tuple([step * d for step, d in zip(steps, dilation, strict=True)])
        whole = prod(sizes)
        view = _view(x, (count, channels, *kernel, length), (channels * whole, whole, *inner, 1))
        columns = np.ascontiguousarray(view)
    else:
        columns = gathered(x, kernel, counts, stride, dilation)
        length = prod(counts)
    return columns.reshape(count, groups, channels // groups * prod(kernel), length)


def _narrowed(found: np.ndarray, counts: Sizes, sizes: Sizes) -> np.ndarray:
    """Results (N, channels, windows) in the form of an image, without those of too many windows."""
    count, channels, length = found.shape
    if length == prod(counts):
        return reshaped(found, (count, channels, *counts))
    return _view(found, (count, channels, *counts), (channels * length, length, *_steps(sizes)))


def _widened(g: np.ndarray, sizes: Sizes, groups: int, length: int) -> np.ndarray:
    """The transpose of that, 0 for windows too many: (N, groups, channels of a group, windows)."""
    count, channels, *rest = g.shape
    counts = tuple(rest)
    length = length or prod(counts)
    if length == prod(counts):
        return g.reshape(count, groups, channels // groups, length)
    made = np.zeros((count, channels, length), g.dtype)
    _narrowed(made, counts, sizes)[...] = g
    return made.reshape(count, groups, channels // groups, length)


def _summed(
    columns: np.ndarray, sizes: Sizes, counts: Sizes, stride: Sizes, dilation: Sizes, stretched: bool
) -> np.ndarray:
    """The sum of windows (N, channels, window..., windows) at their places in images of ``sizes``."""
    length, kernel = columns.shape[-1], columns.shape[2:-1]
    if not stretched:
        return scattered(columns.reshape(*columns.shape[:-1], *counts), sizes, counts, stride, dilation)
    made = np.zeros((*columns.shape[:2], prod(sizes)), columns.dtype)
    steps = [step * d for step, d in zip(_steps(sizes), dilation, strict=True)]
    for place, _ in offsets(kernel, counts, stride, dilation):
        start = sum([at * step for at, step in zip(place, steps, strict=True)])
        found: Any = (slice(None), slice(None), *place)
        made[:, :, start : start + length] += columns[found]
    return reshaped(made, (*columns.shape[:2], *sizes))


def correlate(
    x: np.ndarray, weight: np.ndarray, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int, bias: Any = None
) -> Any:
    """The convolution itself: every window times the weight, plus the bias."""
    kernel = weight.shape[2:]
    counts = window_counts(x.shape[2:], kernel, stride, padding, dilation)
    framed = padded(x, padding)
    length = _stretch(framed.shape[2:], counts, stride)
    columns = _columns(framed, kernel, counts, stride, dilation, groups, length)
    rows = weight.reshape(groups, weight.shape[0] // groups, columns.shape[2])
    found = reshaped(np.matmul(rows, columns), (len(x), weight.shape[0], columns.shape[3]))
    narrow = _narrowed(found, counts, framed.shape[2:])
    if bias is not None:
        return np.add(narrow, bias.reshape(-1, *[1] * len(counts)))
    return narrow if narrow.base is None else narrow.copy()


def spread(
    g: np.ndarray, weight: np.ndarray, sizes: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Any:
    """Its transpose by the input, of shape (N, C, sizes...)."""
    kernel, counts = weight.shape[2:], g.shape[2:]
    framed = tuple([s + 2 * p for s, p in zip(sizes, padding, strict=True)])
    rows = weight.reshape(groups, weight.shape[0] // groups, weight.shape[1] * prod(kernel))
    length = _stretch_of_zeros(framed, counts, stride, weight)
    columns = np.matmul(rows.transpose(0, 2, 1), _widened(g, framed, groups, length))
    columns = columns.reshape(len(g), groups * weight.shape[1], *kernel, columns.shape[-1])
    return unframed(_summed(columns, framed, counts, stride, dilation, bool(length)), padding, sizes)


def weigh(
    g: np.ndarray, x: np.ndarray, sizes: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, groups: int
) -> Any:
    """Its transpose by the weight, which has all ``sizes``."""
    framed = padded(x, padding)
    length = _stretch_of_zeros(framed.shape[2:], g.shape[2:], stride, framed)
    columns = _columns(framed, sizes[2:], g.shape[2:], stride, dilation, groups, length)
    wide = _widened(g, framed.shape[2:], groups, length)
    return reshaped(np.matmul(wide, columns.transpose(0, 1, 3, 2)).sum(axis=0), sizes)


def convolved(
    input: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool = False,
    output_padding: Sizes = (0,),
    groups: int = 1,
) -> Any:
    """A convolution, or a transposed one."""
    if not transposed:
        return correlate(input, weight, stride, padding, dilation, groups, bias)
    sizes = transposed_sizes(input.shape[2:], weight.shape[2:], stride, padding, dilation, output_padding)
    found = spread(input, weight, sizes, stride, padding, dilation, groups)
    if bias is not None:
        found += bias.reshape(-1, *[1] * len(sizes))
    return found
