"""Instance normalisation."""

from __future__ import annotations

import warnings
from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.modules.batchnorm import _NormBase


class _InstanceNorm(_NormBase):
    """Normalisation of each channel of each example by itself; ``dimensions`` counts those without the batch."""

    dimensions: int

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim not in (self.dimensions, self.dimensions + 1):
            raise ValueError(f"expected {self.dimensions}D or {self.dimensions + 1}D input (got {input.ndim}D input)")

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.instance_norm`, with or without a batch dimension."""
        self._check_input_dim(input)
        channel = input.ndim - self.dimensions
        size = input.array.shape[channel]
        if size != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={channel} to match num_features ({self.num_features}), but got: "
                    f"{size}."
                )
            warnings.warn(
                f"input's size at dim={channel} does not match num_features. You can silence this warning by not "
                "passing in num_features, which is not used because affine=False",
                stacklevel=2,
            )
        if input.ndim == self.dimensions:
            alone: Tensor = self._normalised(input.unsqueeze(0)).squeeze(0)
            return alone
        return self._normalised(input)

    def _normalised(self, input: Tensor) -> Tensor:
        return functional.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum if self.momentum is not None else 0.0,
            self.eps,
        )


class InstanceNorm1d(_InstanceNorm):
    """Instance normalisation of lines."""

    dimensions = 2


class InstanceNorm2d(_InstanceNorm):
    """Instance normalisation of images."""

    dimensions = 3


class InstanceNorm3d(_InstanceNorm):
    """Instance normalisation of volumes."""

    dimensions = 4
