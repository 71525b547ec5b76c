"""Pooling: what all kinds have in common, and the largest element of each window.

What has one dimension is pooled as an image of one row, as PyTorch does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format
from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.composing import array_in, in_format
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


def each(setting: Attribute, dims: int) -> Attribute:
    """``setting`` with its default for each of ``dims`` dimensions."""
    return setting._replace(default=setting.default * dims)


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


def _check_padding(kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
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


def _check_windows(kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
    """RuntimeError for windows that have no elements, don't move, or would lie in the frame."""
    _check_padding(kernel, stride, padding, dilation)
    for name, letters, sizes in (
        ("kernel size", "k", kernel),
        ("stride", "d", stride),
        ("dilation", "dilation", dilation),
    ):
        if min(sizes) <= 0:
            raise RuntimeError(f"{name} should be greater than zero, but got {by_side(letters, sizes)}")


def by_side(letters: str, sizes: Sizes) -> str:
    """Sizes as errors list them, ``kH: 2 kW: 3``: each behind the letter of its side, time, height or width."""
    return " ".join(f"{letters}{side}: {size}" for side, size in zip("THW"[-len(sizes) :], sizes, strict=True))


def _check_filled(name: str, shape: Sizes, dims: int) -> None:
    """RuntimeError for images or volumes without elements; the batch may be empty."""
    empty = 0 in shape[-dims - 1 :]
    if dims == 2 and (empty or len(shape) not in (3, 4)):
        raise RuntimeError(
            f"Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:{brackets(shape)}"
        )
    if empty:
        raise RuntimeError(
            f"{name}(): Expected input's non-batch dimensions to have positive length, but input has a shape of "
            f"{brackets(shape)} and non-batch dimension {shape[shape.index(0, len(shape) - dims - 1)]} has length zero!"
        )


_INTS = range(-(1 << 31), 1 << 31)
"""The numbers that C++ has an ``int`` for."""


def checked_settings(
    name: str, shape: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, dims: int = 2
) -> tuple[Sizes, Sizes, Sizes, Sizes]:
    """The settings for each of ``dims`` dimensions; RuntimeError for windows or inputs that PyTorch refuses."""
    settings = full_settings(kernel, stride, padding, dilation, dims)
    if not all(size in _INTS for sizes in settings for size in sizes):
        raise RuntimeError("value cannot be converted to type int without overflow")
    _check_windows(*settings)
    _check_filled(name, shape, dims)
    return settings


def pool_shape(shape: Sizes, settings: tuple[Sizes, Sizes, Sizes, Sizes], ceil_mode: bool) -> Sizes:
    """The shape of what pooling makes; RuntimeError where no window fits."""
    counts = window_counts(shape, *settings, ceil_mode)
    dims = len(counts)
    if min(counts) < 1:
        before, after = ("x".join(map(str, (shape[-dims - 1], *sizes))) for sizes in (shape[-dims:], counts))
        raise RuntimeError(f"Given input size: ({before}). Calculated output size: ({after}). Output size is too small")
    return (*shape[:-dims], *counts)


def check_lengths(
    name: str,
    kernel_size: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes = (1,),
    dims: int = 2,
    must: str = "must either be",
) -> None:
    """RuntimeError for settings that are neither one number nor one for each of ``dims`` dimensions."""
    for setting, words, sizes in (
        ("kernel_size", must, kernel_size),
        ("stride", f"{must} omitted,", stride or (1,)),
        ("padding", must, padding),
        ("dilation", "must be either", dilation),
    ):
        if len(sizes) not in (1, dims):
            count = "two" if dims == 2 else "three"
            raise RuntimeError(f"{name}: {setting} {words} a single int, or a tuple of {count} ints")


def check_batch(shape: Sizes, dims: int) -> None:
    """RuntimeError for what is neither ``dims`` dimensions of channels nor a batch of these."""
    if len(shape) not in (dims + 1, dims + 2):
        raise RuntimeError(f"non-empty {dims + 1}D or {dims + 2}D (batch mode) tensor expected for input")


def max_shape(
    self: Sizes,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
    dims: int = 2,
) -> Sizes:
    """The shape rule of max pooling over the last ``dims`` dimensions."""
    given = (kernel_size, stride, padding, dilation)
    check_lengths(f"max_pool{dims}d", *given, dims)
    check_batch(self, dims)
    name = f"max_pool{dims}d_with_indices_out_cpu_template"
    return pool_shape(self, checked_settings(name, self, *given, dims), ceil_mode)


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
    shape = tuple(indices.shape)
    if 0 in shape:
        return o.zeros_of(g, shape)
    form, flat = memory_format.suggested(array_in(indices)), (*shape[:-dims], -1)
    whole = g if memory_format.is_contiguous(array_in(g), form) else o.contiguous(g, memory_format=form)
    return o.view(o.gather(o.view(whole, flat), o.view(indices, flat), -1), shape)


def max_pool_gradient(dims: int) -> Formula:
    """The derivative of max pooling over ``dims`` dimensions."""
    name = f"max_pool{dims}d_with_indices_backward"

    def gradient(
        o: Any,
        g: Any,
        self: Any,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        ceil_mode: Any,
        result1: Any,
    ) -> Any:
        return getattr(o, name)(g, self, result1, kernel_size, stride, padding, dilation, ceil_mode)

    return gradient


def largest_alone(dims: int) -> Callable[..., Any]:
    """Max pooling over ``dims`` dimensions without the places, made of that with them."""
    name = f"max_pool{dims}d_with_indices"

    def largest(o: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool) -> Any:
        return getattr(o, name)(self, kernel_size, stride, padding, dilation, ceil_mode)[0]

    return largest


def max_settings(dims: int) -> tuple[Attribute, ...]:
    """The attributes of max pooling over the last ``dims`` dimensions."""
    return KERNEL, STRIDE, each(PADDING, dims), each(DILATION, dims), CEIL


register(
    Record(
        name="max_pool2d_with_indices",
        inputs=("self",),
        attributes=max_settings(2),
        promotes="none",
        forward=in_format(max_pool),
        vjps={"self": max_pool_gradient(2)},
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
        attributes=max_settings(2),
        promotes="none",
        forward=in_format(max_pool_backward, 1),
        vjps={"grad_output": lambda o, g, indices: pooled_again(o, g, indices), "self": no_gradient_by_self},
        fills={"self": 1},
        grad_fn="MaxPool2DWithIndicesBackwardBackward0",
        section="layer",
        hidden=True,
    )
)
