"""Pooling by the mean of each window."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.shapes import size_at
from chalkgrad.ops.composing import in_format
from chalkgrad.ops.overloads import no_gradient_by_self, not_implemented
from chalkgrad.ops.pooling import (
    CEIL,
    COUNTED,
    DIVISOR,
    IMAGE,
    KERNEL,
    PADDING,
    STRIDE,
    check_lengths,
    checked_settings,
    each,
    framed,
    full_settings,
    pool_shape,
    window_counts,
)
from chalkgrad.ops.windows import Sizes, offsets, unframed


def _divisors(
    sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, counts: Sizes, included: bool, fixed: int | None
) -> Any:
    """By how much the sum of each window is divided: its size within the frame, or without it, or ``fixed``."""
    if fixed is not None:
        return fixed
    sides = []
    last = sizes[-len(kernel) :]
    for size, reach, step, pad, count in zip(last, kernel, stride, padding, counts, strict=True):
        starts = np.arange(count) * step - pad
        ends = np.minimum(starts + reach, size + pad)
        sides.append(ends - starts if included else np.minimum(ends, size) - np.maximum(starts, 0))
    return functools.reduce(np.multiply, np.ix_(*sides))


def avg_pool(
    self: np.ndarray,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    dims: int = 2,
) -> Any:
    """The mean of each window over the last ``dims`` dimensions."""
    if self.dtype.kind != "f" and self.dtype != np.int64:
        raise not_implemented("avg_pool2d" if dims == 2 else "avg_pool3d_out_frame", self.dtype)
    kernel, stride, padding, ones = full_settings(kernel_size, stride, padding, (1,), dims)
    counts = window_counts(self.shape, kernel, stride, padding, ones, ceil_mode)
    whole = framed(self, kernel, stride, padding, ones, counts, 0)
    total = np.zeros((*self.shape[:-dims], *counts), self.dtype)
    for _, slices in offsets(kernel, counts, stride, ones):
        total += whole[(..., *slices)]
    by = _divisors(self.shape, kernel, stride, padding, counts, count_include_pad, divisor_override)
    if self.dtype.kind != "f":
        return (total - np.fmod(total, by)) // by
    return total / np.asarray(by, self.dtype)


def avg_pool_backward(
    grad_output: np.ndarray,
    self: np.ndarray,
    kernel_size: Sizes,
    stride: Sizes,
    padding: Sizes,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
    dims: int = 2,
) -> Any:
    """The share that each element had in the means."""
    kernel, stride, padding, ones = full_settings(kernel_size, stride, padding, (1,), dims)
    counts = window_counts(self.shape, kernel, stride, padding, ones, ceil_mode)
    by = _divisors(self.shape, kernel, stride, padding, counts, count_include_pad, divisor_override)
    shares = grad_output / np.asarray(by, grad_output.dtype)
    made = framed(np.zeros(self.shape, grad_output.dtype), kernel, stride, padding, ones, counts, 0)
    for _, slices in offsets(kernel, counts, stride, ones):
        made[(..., *slices)] += shares
    return unframed(made, padding, self.shape[-dims:])


def avg_pool_gradient(dims: int) -> Formula:
    """The derivative of pooling by means over ``dims`` dimensions."""
    name = f"avg_pool{dims}d_backward"

    def gradient(
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
        settings = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        return getattr(o, name)(g, self, *settings)

    return gradient


def avg_pool_again(dims: int) -> Formula:
    """The derivative of :func:`avg_pool_gradient`: the means of ``g``."""
    name = f"avg_pool{dims}d"

    def gradient(
        o: Any,
        g: Any,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        ceil_mode: Any,
        count_include_pad: Any,
        divisor_override: Any,
    ) -> Any:
        return getattr(o, name)(g, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    return gradient


def check_divisor(divisor_override: int | None) -> None:
    """RuntimeError for means over no element."""
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")


def _avg_shape(
    self: Sizes,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Sizes:
    check_lengths("avg_pool2d", kernel_size, stride, padding)
    check_divisor(divisor_override)
    size_at(self, -3)
    return pool_shape(self, checked_settings("avg_pool2d", self, kernel_size, stride, padding, (1,)), ceil_mode)


def mean_settings(dims: int) -> tuple[Attribute, ...]:
    """The attributes of pooling by means over the last ``dims`` dimensions."""
    return KERNEL, STRIDE, each(PADDING, dims), CEIL, COUNTED, DIVISOR


register(
    Record(
        name="avg_pool2d",
        inputs=("self",),
        attributes=mean_settings(2),
        promotes="none",
        forward=in_format(avg_pool),
        vjps={"self": avg_pool_gradient(2)},
        grad_fn="AvgPool2DBackward0",
        function="torch.nn.functional.avg_pool2d",
        shape=_avg_shape,
        section="layer",
        latex=r"\operatorname{mean}_{\text{window}} \self",
        derivatives={"self": r"\frac{1}{n}"},
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
        attributes=mean_settings(2),
        promotes="none",
        forward=in_format(avg_pool_backward, 1),
        vjps={"grad_output": avg_pool_again(2), "self": no_gradient_by_self},
        fills={"self": 1},
        grad_fn="AvgPool2DBackwardBackward0",
        section="layer",
        hidden=True,
    )
)
