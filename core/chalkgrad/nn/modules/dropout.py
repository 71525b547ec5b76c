"""Dropout."""

from __future__ import annotations

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.module import Module


class _DropoutNd(Module):
    """The settings of a dropout."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def extra_repr(self) -> str:
        """The settings."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Zeros some elements at random while training."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.dropout`."""
        return functional.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """Zeros some channels of lines at random while training."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.dropout1d`."""
        return functional.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """Zeros some channels of images at random while training."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.dropout2d`."""
        return functional.dropout2d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout that keeps mean and variance, for SELU."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.alpha_dropout`."""
        return functional.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """Alpha dropout of whole channels."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.feature_alpha_dropout`."""
        return functional.feature_alpha_dropout(input, self.p, self.training)


class Dropout3d(_DropoutNd):
    """Zeros some channels of volumes at random while training."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.dropout3d`."""
        return functional.dropout3d(input, self.p, self.training, self.inplace)
