"""Images of another size, windows as columns, and channels rearranged."""

from __future__ import annotations

import math
import warnings
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.making import operator, pair
from chalkgrad.nn.functional.pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

pixel_shuffle = operator("pixel_shuffle")
pixel_unshuffle = operator("pixel_unshuffle")
channel_shuffle = operator("channel_shuffle")
native_channel_shuffle = channel_shuffle
_IM2COL, _COL2IM = operator("im2col"), operator("col2im")


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """All windows of images, each as a column: of shape (N, channels * window, number of windows)."""
    result: Tensor = _IM2COL(input, pair(kernel_size), pair(dilation), pair(padding), pair(stride))
    return result


def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """The image of ``output_size`` that windows, given as columns, add up to."""
    result: Tensor = _COL2IM(input, pair(output_size), pair(kernel_size), pair(dilation), pair(padding), pair(stride))
    return result


# Resizing

_ALIGNED = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5}
"""The modes that mix elements, with the number of dimensions they need."""

_PLAIN = ("nearest", "area", "nearest-exact")


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Lines (N, C, L), images (N, C, H, W) or volumes of another size, or ``scale_factor`` times as large.

    ValueError where neither or both are given; NotImplementedError for a mode of another number of dimensions.
    """
    if mode in _PLAIN:
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
                "trilinear"
            )
    elif align_corners is None:
        align_corners = False
    sizes, scales = _goal(input, size, scale_factor)
    if recompute_scale_factor:
        if scales is None:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        have = input.array.shape[2:]
        sizes, scales = tuple(math.floor(float(n) * scale) for n, scale in zip(have, scales, strict=True)), None
    if antialias:
        if mode not in ("bilinear", "bicubic", "lanczos") or input.ndim != 4:
            raise ValueError(
                "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as "
                "input"
            )
        raise NotImplementedError("antialias=True is not offered here")
    return _resized(input, sizes, scales, mode, bool(align_corners))


def _goal(input: Tensor, size: Any, scale_factor: Any) -> tuple[Any, Any]:
    """The sizes or the factors asked for, one for each dimension after batch and channels."""
    dims = input.ndim - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    given = scale_factor if size is None else size
    if not isinstance(given, tuple | list):
        return (None, (float(given),) * dims) if size is None else ((given,) * dims, None)
    if len(given) != dims:
        what, letter = ("output size of", "o") if scale_factor is None else ("scale_factor of shape", "s")
        title = "output" if scale_factor is None else "scale_factor"
        shown = size if scale_factor is None else tuple(scale_factor)
        raise ValueError(
            f"Input and {title} must have the same number of spatial dimensions, but got input with spatial "
            f"dimensions of {list(input.array.shape[2:])} and {what} {shown}. Please provide input tensor in (N, C, "
            f"d1, d2, ...,dK) format and {'output size' if scale_factor is None else 'scale_factor'} in ({letter}1, "
            f"{letter}2, ...,{letter}K) format."
        )
    if size is None:
        return None, tuple(float(scale) for scale in given)
    if any(not isinstance(count, int | TensorBase) for count in given):
        raise TypeError(
            "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size "
            f"with types {[type(count) for count in given]}"
        )
    return tuple(given), None


def _resized(input: Tensor, sizes: Any, scales: Any, mode: str, align_corners: bool) -> Tensor:
    ndim = input.ndim
    if mode not in (*_PLAIN, *_ALIGNED) or ndim not in (3, 4, 5):
        raise NotImplementedError(
            "Input Error: Only 3D, 4D and 5D input Tensors supported "
            f"(got {ndim}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | "
            f"nearest-exact (got {mode})"
        )
    if mode in _ALIGNED and ndim != _ALIGNED[mode]:
        raise NotImplementedError(f"Got {ndim}D input, but {mode} mode needs {_ALIGNED[mode]}D input")
    if sizes is None:
        sizes = tuple(int(n * scale) for n, scale in zip(input.array.shape[2:], scales, strict=True))
    factors = scales or (None,) * (ndim - 2)
    result: Tensor
    if mode == "area":
        means = {3: adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}
        result = means[ndim](input, sizes)
    elif mode in _ALIGNED:
        result = getattr(TENSORS, f"upsample_{mode}{ndim - 2}d")(input, sizes, align_corners, *factors)
    else:
        name = "upsample_nearest" if mode == "nearest" else "_upsample_nearest_exact"
        result = getattr(TENSORS, f"{name}{ndim - 2}d")(input, sizes, *factors)
    return result


def _deprecated(name: str) -> None:
    warnings.warn(f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3)


def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Tensor:
    """:func:`interpolate` under its old name."""
    _deprecated("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """:func:`interpolate` from the nearest element."""
    _deprecated("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """:func:`interpolate` between the corners."""
    _deprecated("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
