"""Max pooling turned round, as layers."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.making import repeated


class _MaxUnpoolNd(Module):
    """The settings of the pooling that is turned round."""

    dims: int

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.kernel_size = repeated(kernel_size, self.dims)
        self.stride = repeated(kernel_size if stride is None else stride, self.dims)
        self.padding = repeated(padding, self.dims)

    def extra_repr(self) -> str:
        """The sizes."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpoolNd):
    """The elements that :class:`MaxPool1d` found, back in their places."""

    dims = 1

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """:func:`functional.max_unpool1d`."""
        return functional.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool2d(_MaxUnpoolNd):
    """The elements that :class:`MaxPool2d` found, back in their places."""

    dims = 2

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """:func:`functional.max_unpool2d`."""
        return functional.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool3d(_MaxUnpoolNd):
    """The elements that :class:`MaxPool3d` found, back in their places."""

    dims = 3

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """:func:`functional.max_unpool3d`."""
        return functional.max_unpool3d(input, indices, self.kernel_size, self.stride, self.padding, output_size)
