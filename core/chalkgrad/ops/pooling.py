"""Pooling: the largest element or the mean of each window, of given size or such that a given number results.

What has one dimension is pooled as an image of one row, as PyTorch does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import size_at
from chalkgrad.engine.size import brackets
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.windows import Sizes, expanded, offsets, padded, unframed

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


def _settings(kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> tuple[Sizes, Sizes, Sizes, Sizes]:
    kernel = expanded(kernel, 2)
    return kernel, expanded(stride, 2) if stride else kernel, expanded(padding, 2), expanded(dilation, 2)


def _counts(
    sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, ceil_mode: bool
) -> tuple[int, int]:
    first, second = (
        pooled_size(*values, ceil_mode) for values in zip(sizes[-2:], kernel, stride, padding, dilation, strict=True)
    )
    return first, second


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
    kernel, stride, padding, dilation = _settings(kernel_size, stride, padding, dilation)
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
    counts = _counts(self, kernel, stride, padding, dilation, ceil_mode)
    if any(count < 1 for count in counts):
        before, after = (f"{self[-3]}x{sizes[0]}x{sizes[1]}" for sizes in (self[-2:], counts))
        raise RuntimeError(f"Given input size: ({before}). Calculated output size: ({after}). Output size is too small")
    return (*self[:-2], *counts)


def _check_settings(name: str, kernel_size: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> None:
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
    _check_settings("max_pool2d", kernel_size, stride, padding, dilation)
    if len(self) not in (3, 4):
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    return pool_shape(self, kernel_size, stride, padding, dilation, ceil_mode)


def _framed(
    self: np.ndarray, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, counts: Sizes, value: float
) -> np.ndarray:
    """``self`` with all that windows reach beyond it."""
    ends = []
    for size, reach, step, before, d, count in zip(
        self.shape[-2:], kernel, stride, padding, dilation, counts, strict=True
    ):
        ends.append(max((count - 1) * step + d * (reach - 1) + 1 - size - 2 * before, 0))
    return padded(self, padding, value, tuple(ends))


# The largest


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


def _max_pool(
    self: np.ndarray,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """The largest elements, and where in the plane each stands."""
    if self.dtype.kind == "b":
        raise not_implemented("max_pool2d", self.dtype)
    kernel, stride, padding, dilation = _settings(kernel_size, stride, padding, dilation)
    counts = _counts(self.shape, kernel, stride, padding, dilation, ceil_mode)
    if kernel == stride == (2, 2) and padding == (0, 0) and dilation == (1, 1) and not ceil_mode:
        found = _max_of_fours(self, counts)
        if found is not None:
            return found
    whole = _framed(self, kernel, stride, padding, dilation, counts, _lowest(self.dtype))
    windows = [(place, whole[(..., *slices)]) for place, slices in offsets(kernel, counts, stride, dilation)]
    best = windows[0][1].copy()
    winner = np.zeros(best.shape, np.int16)
    for number, (_, values) in enumerate(windows[1:], 1):
        np.copyto(winner, number, where=values > best)
        np.maximum(best, values, out=best)
    if self.dtype.kind == "f" and np.isnan(best.max(initial=-np.inf)):
        for number, (_, values) in enumerate(windows):
            np.copyto(winner, number, where=np.isnan(values))
    rows, columns = (np.arange(count) * step - pad for count, step, pad in zip(counts, stride, padding, strict=True))
    width = self.shape[-1]
    steps = np.array([place[0] * dilation[0] * width + place[1] * dilation[1] for place, _ in windows])
    return best, steps[winner] + (rows[:, None] * width + columns)


def _max_pool_backward(
    grad_output: np.ndarray,
    self: np.ndarray,
    indices: np.ndarray,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    dilation: Sizes = (1,),
    ceil_mode: bool = False,
) -> Any:
    """Each gradient where its element stands."""
    area = self.shape[-1] * self.shape[-2]
    planes = self.size // area if area else 0
    places = (indices.reshape(planes, -1) + np.arange(planes)[:, None] * area).ravel()
    kernel, stride, _, dilation = _settings(kernel_size, stride, padding, dilation)
    if kernel[0] <= stride[0] and kernel[1] <= stride[1] and dilation == (1, 1):  # no element is in two windows
        made = np.zeros(self.size, grad_output.dtype)
        made[places] = grad_output.ravel()
        return made.reshape(self.shape)
    found = np.bincount(places, weights=grad_output.ravel(), minlength=self.size)
    return found.astype(grad_output.dtype).reshape(self.shape)


def pooled_again(o: Any, g: Any, indices: Any) -> Any:
    """What of ``g`` stands where the largest elements did."""
    lead = tuple(indices.shape)[:-2]
    flat = o.reshape(g, (*lead, -1))
    return o.reshape(o.gather(flat, o.reshape(indices, (*lead, -1)), -1), tuple(indices.shape))


def zeros_like_input(o: Any, g: Any, self: Any) -> Any:
    """The formula of the input of a backward whose result does not change with it."""
    return o.zeros_of(self, tuple(self.shape))


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
        forward=_max_pool,
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
        forward=_max_pool_backward,
        vjps={"grad_output": lambda o, g, indices: pooled_again(o, g, indices), "self": zeros_like_input},
        grad_fn="MaxPool2DWithIndicesBackwardBackward0",
        section="layer",
        hidden=True,
    )
)


# The mean


def _divisors(
    sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, counts: Sizes, included: bool, fixed: int | None
) -> Any:
    """By how much the sum of each window is divided: its size within the frame, or without it, or ``fixed``."""
    if fixed is not None:
        return fixed
    sides = []
    for size, reach, step, pad, count in zip(sizes[-2:], kernel, stride, padding, counts, strict=True):
        starts = np.arange(count) * step - pad
        ends = np.minimum(starts + reach, size + pad)
        sides.append(ends - starts if included else np.minimum(ends, size) - np.maximum(starts, 0))
    return sides[0][:, None] * sides[1]


def _avg_pool(
    self: np.ndarray,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    if self.dtype.kind != "f" and self.dtype != np.int64:
        raise not_implemented("avg_pool2d", self.dtype)
    kernel, stride, padding, ones = _settings(kernel_size, stride, padding, (1,))
    counts = _counts(self.shape, kernel, stride, padding, ones, ceil_mode)
    whole = _framed(self, kernel, stride, padding, ones, counts, 0)
    total = np.zeros((*self.shape[:-2], *counts), self.dtype)
    for _, slices in offsets(kernel, counts, stride, ones):
        total += whole[(..., *slices)]
    by = _divisors(self.shape, kernel, stride, padding, counts, count_include_pad, divisor_override)
    if self.dtype.kind != "f":
        return np.trunc(total / by).astype(self.dtype)
    return total / np.asarray(by, self.dtype)


def _avg_pool_backward(
    grad_output: np.ndarray,
    self: np.ndarray,
    kernel_size: Sizes,
    stride: Sizes,
    padding: Sizes,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Any:
    kernel, stride, padding, ones = _settings(kernel_size, stride, padding, (1,))
    counts = _counts(self.shape, kernel, stride, padding, ones, ceil_mode)
    by = _divisors(self.shape, kernel, stride, padding, counts, count_include_pad, divisor_override)
    shares = grad_output / np.asarray(by, grad_output.dtype)
    made = _framed(np.zeros(self.shape, grad_output.dtype), kernel, stride, padding, ones, counts, 0)
    for _, slices in offsets(kernel, counts, stride, ones):
        made[(..., *slices)] += shares
    return unframed(made, padding, self.shape[-2:])


def avg_pool_gradient(
    o: Any,
    g: Any,
    self: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: Any,
    count_include_pad: Any,
    divisor_override: Any,
) -> Any:
    """Derivative of avg_pool2d."""
    settings = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return o.avg_pool2d_backward(g, self, *settings)


def _avg_again(
    o: Any,
    g: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: Any,
    count_include_pad: Any,
    divisor_override: Any,
) -> Any:
    return o.avg_pool2d(g, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def _avg_shape(self: Sizes, kernel_size: Sizes, stride: Sizes = (), padding: Sizes = (0,), **settings: Any) -> Sizes:
    _check_settings("avg_pool2d", kernel_size, stride, padding, (1,))
    if settings.get("divisor_override") == 0:
        raise RuntimeError("divisor must be not zero")
    size_at(self, -3)
    return pool_shape(self, kernel_size, stride, padding, ceil_mode=settings.get("ceil_mode", False))


_MEAN = (KERNEL, STRIDE, PADDING, CEIL, COUNTED, DIVISOR)
register(
    Record(
        name="avg_pool2d",
        inputs=("self",),
        attributes=_MEAN,
        promotes="none",
        forward=_avg_pool,
        vjps={"self": avg_pool_gradient},
        grad_fn="AvgPool2DBackward0",
        function="torch.nn.functional.avg_pool2d",
        shape=_avg_shape,
        section="layer",
        latex=r"\operatorname{mean}_{\text{window}} \self",
        derivatives={"self": r"\frac{1}{k}"},
        signatures=(
            (
                "avg_pool2d(Tensor input, int[2] kernel_size, int[2] stride=None, int[2] padding=0, "
                "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor out=None)"
            ),
        ),
        samples=(((IMAGE, (2, 2)), {}), ((IMAGE, (3, 3), (2, 2), (1, 1), True), {})),
        bad_samples=(((IMAGE, (2, 2), (0, 0)), {}, "RuntimeError", "stride should not be zero"),),
    )
)
register(
    Record(
        name="avg_pool2d_backward",
        inputs=("grad_output", "self"),
        attributes=_MEAN,
        promotes="none",
        forward=_avg_pool_backward,
        vjps={"grad_output": _avg_again, "self": zeros_like_input},
        grad_fn="AvgPool2DBackwardBackward0",
        section="layer",
        hidden=True,
    )
)
