"""Convolutions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional, init
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.making import empty_parameter, repeated

PADDINGS = {"same", "valid"}
PADDING_MODES = {"zeros", "reflect", "replicate", "circular"}

Sizes = int | tuple[int, ...]


class _ConvNd(Module):
    """Settings and weights of a convolution over ``dimensions`` dimensions."""

    dimensions: int
    bias: Tensor | None

    def _set_up(
        self,
        channels: tuple[int, int],
        sizes: dict[str, Any],
        groups: int,
        bias: bool,
        padding_mode: str,
        transposed: bool,
        factory: tuple[Any, Any],
    ) -> None:
        """Check and keep the settings, and make the weights."""
        self.in_channels, self.out_channels = channels
        _check_groups(*channels, groups)
        for name, value in sizes.items():
            setattr(self, name, value if isinstance(value, str) else repeated(value, self.dimensions))
        self.transposed, self.groups, self.padding_mode = transposed, groups, padding_mode
        self._check_padding()
        rows, columns = channels if transposed else (channels[1], channels[0])
        self.weight = empty_parameter((rows, columns // groups, *self.kernel_size), *factory)
        self.register_parameter("bias", empty_parameter((self.out_channels,), *factory) if bias else None)
        self.reset_parameters()

    def _check_padding(self) -> None:
        if isinstance(self.padding, str):
            if self.padding not in PADDINGS:
                raise ValueError(f"Invalid padding string {self.padding!r}, should be one of {PADDINGS}")
            if self.padding == "same" and any(step != 1 for step in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if self.padding_mode not in PADDING_MODES:
            raise ValueError(f"padding_mode must be one of {PADDING_MODES}, but got padding_mode='{self.padding_mode}'")

    def reset_parameters(self) -> None:
        """Draw the weights anew."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def _frame(self) -> list[int]:
        """How far the input is continued on both sides, last dimension first, as ``pad`` takes it."""
        if not isinstance(self.padding, str):
            return [size for size in reversed(self.padding) for _ in range(2)]
        frame: list[int] = []
        for dilation, kernel in zip(reversed(self.dilation), reversed(self.kernel_size), strict=True):
            total = dilation * (kernel - 1) if self.padding == "same" else 0
            frame += total // 2, total - total // 2
        return frame

    def extra_repr(self) -> str:
        """Channels, sizes, and what differs from the defaults."""
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        for name, usual in (("padding", 0), ("dilation", 1), ("output_padding", 0)):
            value = getattr(self, name)
            if value != (usual,) * len(value):
                text += f", {name}={value}"
        text += f", groups={self.groups}" if self.groups != 1 else ""
        text += ", bias=False" if self.bias is None else ""
        return text + (f", padding_mode={self.padding_mode}" if self.padding_mode != "zeros" else "")


def _check_groups(in_channels: int, out_channels: int, groups: int) -> None:
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if in_channels % groups != 0:
        raise ValueError("in_channels must be divisible by groups")
    if out_channels % groups != 0:
        raise ValueError("out_channels must be divisible by groups")


class _Forward(_ConvNd):
    """A convolution in the usual direction."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: str | Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        sizes = {"kernel_size": kernel_size, "stride": stride, "padding": padding, "dilation": dilation}
        sizes["output_padding"] = 0
        self._set_up((in_channels, out_channels), sizes, groups, bias, padding_mode, False, (device, dtype))

    def forward(self, input: Tensor) -> Tensor:
        """The input convolved with the weight, plus the bias."""
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        padding = self.padding
        if self.padding_mode != "zeros":
            input = functional.pad(input, self._frame(), mode=self.padding_mode)
            padding = (0,) * self.dimensions
        convolve = getattr(functional, f"conv{self.dimensions}d")
        result: Tensor = convolve(input, weight, bias, self.stride, padding, self.dilation, self.groups)
        return result


class Conv1d(_Forward):
    """A convolution over one dimension."""

    dimensions = 1


class Conv2d(_Forward):
    """A convolution over two dimensions."""

    dimensions = 2


class Conv3d(_Forward):
    """A convolution over three dimensions."""

    dimensions = 3


class _ConvTransposeNd(_ConvNd):
    """A convolution in the direction of the gradient of one."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Sizes = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__()
        sizes = {"kernel_size": kernel_size, "stride": stride, "padding": padding, "dilation": dilation}
        sizes["output_padding"] = output_padding
        self._set_up((in_channels, out_channels), sizes, groups, bias, padding_mode, True, (device, dtype))

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """The transposed convolution, of ``output_size`` where several are possible."""
        extra = self.output_padding if output_size is None else self._extra_for(input, list(output_size))
        convolve = getattr(functional, f"conv_transpose{self.dimensions}d")
        result: Tensor = convolve(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )
        return result

    def _extra_for(self, input: Tensor, wanted: list[int]) -> list[int]:
        """The output padding that leads to a size; ValueError where none does."""
        count = self.dimensions
        leading = 2 if input.ndim == count + 2 else 1
        if len(wanted) == leading + count:
            wanted = wanted[leading:]
        if len(wanted) != count:
            raise ValueError(
                f"ConvTranspose{count}D: for {input.ndim}D input, output_size must have {count} or {leading + count} "
                f"elements (got {len(wanted)})"
            )
        shape = input.array.shape
        smallest = [
            (shape[place + leading] - 1) * self.stride[place]
            - 2 * self.padding[place]
            + self.dilation[place] * (self.kernel_size[place] - 1)
            + 1
            for place in range(count)
        ]
        largest = [low + step - 1 for low, step in zip(smallest, self.stride, strict=True)]
        if any(not low <= size <= high for size, low, high in zip(wanted, smallest, largest, strict=True)):
            raise ValueError(
                f"requested an output size of {wanted}, but valid sizes range from {smallest} to {largest} (for an "
                f"input of {Size(shape[2:])})"
            )
        return [size - low for size, low in zip(wanted, smallest, strict=True)]


class ConvTranspose1d(_ConvTransposeNd):
    """A transposed convolution over one dimension."""

    dimensions = 1


class ConvTranspose2d(_ConvTransposeNd):
    """A transposed convolution over two dimensions."""

    dimensions = 2


class ConvTranspose3d(_ConvTransposeNd):
    """A transposed convolution over three dimensions."""

    dimensions = 3
