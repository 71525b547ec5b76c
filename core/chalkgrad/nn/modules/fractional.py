"""Pooling over windows that lie at random."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.module import Module


class _FractionalMaxPool(Module):
    """The settings; ``dimensions`` are those that are pooled."""

    dimensions: int
    _random_samples: Tensor | None

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size, self.return_indices = self._each(kernel_size), return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size, self.output_ratio = self._each(output_size), self._each(output_ratio)
        if output_size is None and output_ratio is None:
            raise ValueError(f"{type(self).__name__} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def _each(self, setting: Any) -> Any:
        if setting is None or isinstance(setting, tuple | list):
            return setting if setting is None else tuple(setting)
        return (setting,) * self.dimensions


class FractionalMaxPool2d(_FractionalMaxPool):
    """The largest elements, as many as wanted, of windows of an image that lie at random."""

    dimensions = 2

    def forward(self, input: Tensor) -> Any:
        """:func:`functional.fractional_max_pool2d`."""
        return functional.fractional_max_pool2d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


class FractionalMaxPool3d(_FractionalMaxPool):
    """The same of a volume."""

    dimensions = 3

    def forward(self, input: Tensor) -> Any:
        """:func:`functional.fractional_max_pool3d`."""
        return functional.fractional_max_pool3d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )
