"""Pooling: what all kinds have in common, and the largest element of each window.

What has one dimension is pooled as an image of one row, as PyTorch does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.composing import in_format
from chalkgrad.ops.overloads import no_gradient_by_self, not_implemented
from chalkgrad.ops.windows import Sizes, expanded, offsets, padded

KERNEL = Attribute("kernel_size", "size", required=True)
STRIDE = Attribute("stride", "size", ())
PADDING = Attribute("padding", "size", (0,))
DILATION = Attribute("dilation", "size", (1,))
CEIL = Attribute("ceil_mode", "bool", False)
COUNTED = Attribute("count_include_pad", "bool", True)
DIVISOR = Attribute("divisor_override", "int", None)
OUTPUT_SIZE = Attribute("output_size", "size", required=True)

IMAGE = (np.linspace(-1.0, 1.0, 50).reshape(1, 2, 5, 5) * 7.3) % 1.1
LINE = (np.linspace(-1.0, 1.0, 12).reshape(1, 2, 6) * 7.3) % 1.1


def pooled_size(size: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> int:
    """How many windows lie along one dimension; the last may reach beyond the end, but not begin there."""
    span = size + 2 * padding - dilation * (kernel - 1) - 1
    count = (span + (stride - 1 if ceil_mode else 0)) // stride + 1
    return count - 1 if ceil_mode and (count - 1) * stride >= size + padding else count


def full_settings(
    kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, dims: int = 2
) -> tuple[Sizes, Sizes, Sizes, Sizes]:
    """The settings for each of ``dims`` dimensions; without a stride windows lie side by side."""
    kernel = expanded(kernel, dims)
    return kernel, expanded(stride, dims) if stride else kernel, expanded(padding, dims), expanded(dilation, dims)


def window_counts(
    sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, ceil_mode: bool
) -> Sizes:
    """How many windows lie along each of the last dimensions."""
    settings = zip(sizes[-len(kernel) :], kernel, stride, padding, dilation, strict=True)
    return tuple(pooled_size(*values, ceil_mode) for values in settings)


def check_padding(kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
    """RuntimeError for windows that don't move, or that would lie in the frame."""
    for size, reach, move, step in zip(padding, kernel, stride, dilation, strict=True):
        if move == 0:
            raise RuntimeError("stride should not be zero")
        if size < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {size}")
        if size > int(((reach - 1) * step + 1) / 2):
            raise RuntimeError(
                "pad should be at most half of effective kernel size, but got "
                f"pad={size}, kernel_size={reach} and dilation={step}"
            )


def pool_shape(
    self: Sizes,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
    **_: Any,
) -> Sizes:
    """The shape of what pooling of images makes; RuntimeError for what PyTorch refuses."""
    kernel, stride, padding, dilation = full_settings(kernel_size, stride, padding, dilation)
    check_padding(kernel, stride, padding, dilation)
    settings = ("kernel size", "k", kernel), ("stride", "d", stride), ("dilation", "dilation", dilation)
    for name, letters, sizes in settings:
        if any(size <= 0 for size in sizes):
            raise RuntimeError(
                f"{name} should be greater than zero, but got {letters}H: {sizes[0]} {letters}W: {sizes[1]}"
            )
    if len(self) not in (3, 4) or 0 in self[-3:]:
        raise RuntimeError(
            f"Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{brackets(self)}"
        )
    counts = window_counts(self, kernel, stride, padding, dilation, ceil_mode)
    if any(count < 1 for count in counts):
        before, after = (f"{self[-3]}x{sizes[0]}x{sizes[1]}" for sizes in (self[-2:], counts))
        raise RuntimeError(f"Given input size: ({before}). Calculated output size: ({after}). Output size is too small")
    return (*self[:-2], *counts)


def check_settings(name: str, kernel_size: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
    """RuntimeError for settings of images that are neither one number nor two."""
    pair = "a single int, or a tuple of two ints"
    for setting, must, sizes in (
        ("kernel_size", f"must either be {pair}", kernel_size),
        ("stride", f"must either be omitted, {pair}", stride or (1,)),
        ("padding", f"must either be {pair}", padding),
        ("dilation", f"must be either {pair}", dilation),
    ):
        if len(sizes) not in (1, 2):
            raise RuntimeError(f"{name}: {setting} {must}")


def max_shape(
    self: Sizes,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
) -> Sizes:
    """The shape rule of max_pool2d."""
    check_settings("max_pool2d", kernel_size, stride, padding, dilation)
    if len(self) not in (3, 4):
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    return pool_shape(self, kernel_size, stride, padding, dilation, ceil_mode)


def framed(
    self: np.ndarray, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, counts: Sizes, value: float
) -> np.ndarray:
    """``self`` with all that windows reach beyond it."""
    ends = []
    sizes = self.shape[-len(kernel) :]
    for size, reach, step, before, d, count in zip(sizes, kernel, stride, padding, dilation, counts, strict=True):
        ends.append(max((count - 1) * step + d * (reach - 1) + 1 - size - 2 * before, 0))
    return padded(self, padding, value, tuple(ends))


def _lowest(dtype: np.dtype[Any]) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _max_of_fours(self: np.ndarray, counts: Sizes) -> tuple[np.ndarray, np.ndarray] | None:
    """The usual case, windows of 2 by 2 side by side: the larger of neighbours, then the larger of these two rows.

    None where there is a NaN, which has an order of its own.
    """
    height, width = counts
    whole = self[..., : 2 * height, : 2 * width]
    left, right = whole[..., ::2], whole[..., 1::2]
    columns, larger = right > left, np.maximum(left, right)
    top, bottom = larger[..., ::2, :], larger[..., 1::2, :]
    rows, best = bottom > top, np.maximum(top, bottom)
    if self.dtype.kind == "f" and np.isnan(best).any():
        return None
    steps = np.where(rows, columns[..., 1::2, :] + np.int64(self.shape[-1]), columns[..., ::2, :])
    best = np.ascontiguousarray(best)
    steps += (np.arange(height) * 2 * self.shape[-1])[:, None] + np.arange(width) * 2
    return best, steps


def max_pool(
    self: np.ndarray,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
    dims: int = 2,
) -> tuple[np.ndarray, np.ndarray]:
    """The largest elements, and where in the image, or the volume, each stands."""
    if self.dtype.kind == "b":
        raise not_implemented(f"max_pool{dims}d", self.dtype)
    kernel, stride, padding, dilation = full_settings(kernel_size, stride, padding, dilation, dims)
    counts = window_counts(self.shape, kernel, stride, padding, dilation, ceil_mode)
    if kernel == stride == (2, 2) and padding == (0, 0) and dilation == (1, 1) and not ceil_mode:
        found = _max_of_fours(self, counts)
        if found is not None:
            return found
    whole = framed(self, kernel, stride, padding, dilation, counts, _lowest(self.dtype))
    windows = [(place, whole[(..., *slices)]) for place, slices in offsets(kernel, counts, stride, dilation)]
    best = windows[0][1].copy()
    winner = np.zeros(best.shape, np.int16)
    for number, (_, values) in enumerate(windows[1:], 1):
        np.copyto(winner, number, where=values > best)
        np.maximum(best, values, out=best)
    if self.dtype.kind == "f" and np.isnan(best.max(initial=-np.inf)):
        for number, (_, values) in enumerate(windows):
            np.copyto(winner, number, where=np.isnan(values))
    lines = [np.arange(count) * step - pad for count, step, pad in zip(counts, stride, padding, strict=True)]
    starts = np.ix_(*lines)
    steps = np.array([[at * d for at, d in zip(place, dilation, strict=True)] for place, _ in windows])
    return best, np.asarray(_numbered(starts, self.shape[-dims:]) + _numbered(steps.T, self.shape[-dims:])[winner])


def _numbered(places: Iterable[np.ndarray], sizes: Sizes) -> Any:
    """Places along each dimension as numbers of elements that lie one after the other."""
    number: Any = 0
    for place, size in zip(places, sizes, strict=True):
        number = number * size + place
    return number


def max_pool_backward(
    grad_output: np.ndarray,
    self: np.ndarray,
    indices: np.ndarray,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
    dims: int = 2,
) -> Any:
    """Each gradient where its element stands."""
    if not indices.size:
        return np.zeros(self.shape, grad_output.dtype)
    area = math.prod(self.shape[-dims:])
    planes = self.size // area
    places = (indices.reshape(planes, -1) + np.arange(planes)[:, None] * area).ravel()
    kernel, stride, _, dilation = full_settings(kernel_size, stride, padding, dilation, dims)
    apart = all(reach <= step for reach, step in zip(kernel, stride, strict=True))
    if apart and set(dilation) == {1}:  # no element is in two windows
        made = np.zeros(self.size, grad_output.dtype)
        made[places] = grad_output.ravel()
        return reshaped(made, self.shape)
    found = np.bincount(places, weights=grad_output.ravel(), minlength=self.size)
    return reshaped(found.astype(grad_output.dtype), self.shape)


def pooled_again(o: Any, g: Any, indices: Any, dims: int = 2) -> Any:
    """What of ``g`` stands where the largest elements did."""
    lead = tuple(indices.shape)[:-dims]
    flat = o.reshape(g, (*lead, -1))
    return o.reshape(o.gather(flat, o.reshape(indices, (*lead, -1)), -1), tuple(indices.shape))


def max_pool_gradient(
    o: Any, g: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: Any, result1: Any
) -> Any:
    """Derivative of max_pool2d."""
    return o.max_pool2d_with_indices_backward(g, self, result1, kernel_size, stride, padding, dilation, ceil_mode)


MAX = (KERNEL, STRIDE, PADDING, DILATION, CEIL)
register(
    Record(
        name="max_pool2d_with_indices",
        inputs=("self",),
        attributes=MAX,
        promotes="none",
        forward=in_format(max_pool),
        vjps={"self": max_pool_gradient},
        grad_fn="MaxPool2DWithIndicesBackward0",
        shape=max_shape,
        section="layer",
        hidden=True,
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        signatures=(
            (
                "max_pool2d_with_indices(Tensor input, int[2] kernel_size, int[2] stride=None, int[2] padding=0, "
                "int[2] dilation=1, bool ceil_mode=False, *, Tensor[2] out=None)"
            ),
        ),
    )
)
register(
    Record(
        name="max_pool2d_with_indices_backward",
        inputs=("grad_output", "self", "indices"),
        attributes=MAX,
        promotes="none",
        forward=in_format(max_pool_backward, 1),
        vjps={"grad_output": lambda o, g, indices: pooled_again(o, g, indices), "self": no_gradient_by_self},
        fills={"self": 1},
        grad_fn="MaxPool2DWithIndicesBackwardBackward0",
        section="layer",
        hidden=True,
    )
)
