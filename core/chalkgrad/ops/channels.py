"""Channels made into pixels, pixels into channels, and channels of groups mixed."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.composing import in_format
from chalkgrad.ops.windows import Sizes


def _check(name: str, shape: Sizes, factor: str, value: int) -> None:
    if len(shape) < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with {len(shape)} dimension(s)"
        )
    if value <= 0:
        raise RuntimeError(f"{name} expects a positive {factor}, but got {value}")


def _shuffled_shape(self: Sizes, upscale_factor: int) -> Sizes:
    _check("pixel_shuffle", self, "upscale_factor", upscale_factor)
    channels, square = self[-3], upscale_factor * upscale_factor
    if square >> 63:
        raise ValueError(f"upscale factor is too large, (upscale_factor)^2 overflowed: upscale_factor={upscale_factor}")
    if channels % square:
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={channels} is not divisible by {square}"
        )
    return (*self[:-3], channels // square, self[-2] * upscale_factor, self[-1] * upscale_factor)


def _shuffled(self: np.ndarray, upscale_factor: int) -> Any:
    *lead, channels, height, width = self.shape
    r, n = upscale_factor, len(lead)
    parts = self.reshape(*lead, channels // (r * r), r, r, height, width)
    turned = parts.transpose(*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return reshaped(turned.copy(), _shuffled_shape(self.shape, r))


def _unshuffled_shape(self: Sizes, downscale_factor: int) -> Sizes:
    _check("pixel_unshuffle", self, "downscale_factor", downscale_factor)
    for axis, title in ((-2, "height"), (-1, "width")):
        if self[axis] % downscale_factor:
            raise RuntimeError(
                f"pixel_unshuffle expects {title} to be divisible by downscale_factor, but input.size({axis})="
                f"{self[axis]} is not divisible by {downscale_factor}"
            )
    if 0 in self:  # of nothing PyTorch gives back a copy
        return self
    square = downscale_factor * downscale_factor
    return (*self[:-3], self[-3] * square, self[-2] // downscale_factor, self[-1] // downscale_factor)


def _unshuffled(self: np.ndarray, downscale_factor: int) -> Any:
    if not self.size:
        return self.copy()
    *lead, channels, height, width = self.shape
    r, n = downscale_factor, len(lead)
    parts = self.reshape(*lead, channels, height // r, r, width // r, r)
    turned = parts.transpose(*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return reshaped(turned.copy(), _unshuffled_shape(self.shape, r))


def _mixed_shape(self: Sizes, groups: int) -> Sizes:
    if len(self) <= 2:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {brackets(self)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    if self[1] % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {self[1]} channels and {groups} groups."
        )
    return self


def _mixed(self: np.ndarray, groups: int) -> Any:
    count, channels = self.shape[:2]
    parts = self.reshape(count, groups, channels // groups, *self.shape[2:])
    return reshaped(parts.swapaxes(1, 2).copy(), self.shape)


_DEEP = np.linspace(-1.0, 1.0, 16).reshape(1, 4, 2, 2) ** 3
_WIDE = np.linspace(-1.0, 1.0, 16).reshape(1, 1, 4, 4) ** 3


def _rearranging(name: str, option: str, forward: Any, formula: Any, shape: Any, sample: np.ndarray) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(Attribute(option, "int", required=True),),
            promotes="none",
            forward=in_format(forward),
            vjps={"self": formula},
            grad_fn=f"{name.title().replace('_', '')}Backward0",
            shape=shape,
            function=f"torch.{name}",
            section="layer",
            hidden=True,
            signatures=(f"{name}(Tensor input, {'SymInt' if option == 'groups' else 'int'} {option})",),
            samples=(((sample, 2), {}),),
        )
    )


_rearranging(
    "pixel_shuffle",
    "upscale_factor",
    _shuffled,
    lambda o, g, upscale_factor: o.pixel_unshuffle(g, upscale_factor),
    _shuffled_shape,
    _DEEP,
)
_rearranging(
    "pixel_unshuffle",
    "downscale_factor",
    _unshuffled,
    lambda o, g, downscale_factor: o.pixel_shuffle(g, downscale_factor),
    _unshuffled_shape,
    _WIDE,
)
_rearranging(
    "channel_shuffle",
    "groups",
    _mixed,
    lambda o, g, groups: o.channel_shuffle(g, g.shape[1] // groups),
    _mixed_shape,
    _DEEP,
)
