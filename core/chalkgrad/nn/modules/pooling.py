"""Pooling."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.making import repeated


class _MaxPoolNd(Module):
    """The settings of max pooling."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )

    def _settings(self) -> dict[str, Any]:
        names = ("kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices")
        return {name: getattr(self, name) for name in names}


class MaxPool1d(_MaxPoolNd):
    """The largest element of each window of a line."""

    def forward(self, input: Tensor) -> Any:
        """:func:`functional.max_pool1d`."""
        return functional.max_pool1d(input, **self._settings())


class MaxPool2d(_MaxPoolNd):
    """The largest element of each window of an image."""

    def forward(self, input: Tensor) -> Any:
        """:func:`functional.max_pool2d`."""
        return functional.max_pool2d(input, **self._settings())


class MaxPool3d(_MaxPoolNd):
    """The largest element of each window of a volume."""

    def forward(self, input: Tensor) -> Any:
        """:func:`functional.max_pool3d`."""
        return functional.max_pool3d(input, **self._settings())


class _AvgPoolNd(Module):
    """What average pooling shows of itself."""

    kernel_size: Any
    stride: Any
    padding: Any

    def extra_repr(self) -> str:
        """The sizes."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPoolNd):
    """The mean of each window of a line."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = repeated(kernel_size, 1)
        self.stride = repeated(kernel_size if stride is None else stride, 1)
        self.padding = repeated(padding, 1)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.avg_pool1d`."""
        return functional.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class _AvgPoolWhole(_AvgPoolNd):
    """The settings of average pooling over images and volumes."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad
        self.divisor_override = divisor_override

    def _settings(self) -> tuple[Any, ...]:
        sizes = (self.kernel_size, self.stride, self.padding)
        return *sizes, self.ceil_mode, self.count_include_pad, self.divisor_override


class AvgPool2d(_AvgPoolWhole):
    """The mean of each window of an image."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.avg_pool2d`."""
        return functional.avg_pool2d(input, *self._settings())


class AvgPool3d(_AvgPoolWhole):
    """The mean of each window of a volume."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.avg_pool3d`."""
        return functional.avg_pool3d(input, *self._settings())


class _Adaptive(Module):
    """Pooling to a size that is given."""

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        """The size."""
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_Adaptive):
    """Means, as many as wanted, of a line."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.adaptive_avg_pool1d`."""
        return functional.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_Adaptive):
    """Means, as many as wanted, of an image."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.adaptive_avg_pool2d`."""
        return functional.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(_Adaptive):
    """Means, as many as wanted, of a volume."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.adaptive_avg_pool3d`."""
        return functional.adaptive_avg_pool3d(input, self.output_size)


class _AdaptiveMaxPoolNd(_Adaptive):
    """Max pooling to a size, with the places of the largest elements if asked for."""

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Largest elements, as many as wanted, of a line."""

    def forward(self, input: Tensor) -> Any:
        """:func:`functional.adaptive_max_pool1d`."""
        return functional.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """Largest elements, as many as wanted, of an image."""

    def forward(self, input: Tensor) -> Any:
        """:func:`functional.adaptive_max_pool2d`."""
        return functional.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """Largest elements, as many as wanted, of a volume."""

    def forward(self, input: Tensor) -> Any:
        """:func:`functional.adaptive_max_pool3d`."""
        return functional.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _LPPoolNd(Module):
    """The settings of power-average pooling."""

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPoolNd):
    """The norm of each window of a line."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.lp_pool1d`."""
        return functional.lp_pool1d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_LPPoolNd):
    """The norm of each window of an image."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.lp_pool2d`."""
        return functional.lp_pool2d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool3d(_LPPoolNd):
    """The norm of each window of a volume."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.lp_pool3d`."""
        return functional.lp_pool3d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)
