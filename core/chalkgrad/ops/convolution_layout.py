"""How the results of convolutions lie in memory: with channels last where that is so of what goes in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.ordering import laid_out
from chalkgrad.engine.storage import owner
from chalkgrad.ops.convolution_kernels import is_by_onednn

_SETTINGS = ("stride", "padding", "dilation", "transposed", "output_padding", "groups")


def with_channels(forward: Callable[..., Any], place: int) -> Callable[..., Any]:
    """``forward``, whose results lie as its arguments at ``place`` and behind it do, the input and the weight."""

    def call(*values: Any, **attributes: Any) -> Any:
        found = forward(*values, **attributes)
        settings = dict(zip(_SETTINGS, values[3:], strict=False)) | attributes
        last = _has_channels_last(values[place], values[place + 1], settings)
        if isinstance(found, tuple):
            return tuple(_laid(array, last) for array in found)
        return _laid(found, last)

    return call


def _has_channels_last(input: np.ndarray, weight: np.ndarray, settings: dict[str, Any]) -> bool:
    if input.ndim == 5:  # only one of PyTorch's kernels of volumes looks at it
        options = [settings[name] for name in ("stride", "transposed", "output_padding", "groups")]
        if not is_by_onednn(input, weight, *options):
            return False
    looked_at = [input, weight]
    if input.ndim == 3:
        looked_at = [_as_image(line) for line in (np.ascontiguousarray(input), weight)]  # only the input is laid anew
    return any(memory_format.suggested(array) is not contiguous_format for array in looked_at)


def _as_image(line: np.ndarray) -> np.ndarray:
    """A line as the image of one row that PyTorch makes of it."""
    (count, channels, length), (outer, step, inner) = line.shape, line.strides
    strides = (outer, step, length * inner, inner)
    return np.lib.stride_tricks.as_strided(line, (count, channels, 1, length), strides)


def _laid(array: np.ndarray | None, channels_last: bool) -> np.ndarray | None:
    if array is None:
        return None
    if array.ndim < 3 or not channels_last:
        is_whole = array.flags.c_contiguous and owner(array).size == array.size  # no piece of a framed one
        return array if is_whole else array.copy()
    made = laid_out(array.shape, (0, *range(2, array.ndim), 1), array.dtype)
    np.copyto(made, array)
    return made
