"""Batch normalisation."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.dtype import int64
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional, init
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.making import empty_parameter
from chalkgrad.ops.create import ones, tensor, zeros


class _NormBase(Module):
    """Scale, shift and running statistics of a normalisation by channels."""

    _version = 2  # since then the number of batches is counted

    weight: Tensor | None
    bias: Tensor | None
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        shape = (num_features,)
        self.register_parameter("weight", empty_parameter(shape, device, dtype) if affine else None)
        self.register_parameter("bias", empty_parameter(shape, device, dtype) if affine and bias else None)
        tracked = track_running_stats
        self.register_buffer("running_mean", zeros(shape, device=device, dtype=dtype) if tracked else None)
        self.register_buffer("running_var", ones(shape, device=device, dtype=dtype) if tracked else None)
        self.register_buffer("num_batches_tracked", tensor(0, dtype=int64, device=device) if tracked else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget what was seen."""
        if self.track_running_stats:
            for buffer, value in ((self.running_mean, 0), (self.running_var, 1), (self.num_batches_tracked, 0)):
                if buffer is not None:
                    buffer.fill_(value) if value else buffer.zero_()

    def reset_parameters(self) -> None:
        """Start over: scale 1, shift 0, nothing seen."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        raise NotImplementedError

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict: dict[str, Any], prefix: str, local_metadata: dict[str, Any], *args: Any
    ) -> None:
        version = local_metadata.get("version")
        counted = prefix + "num_batches_tracked"
        if (version is None or version < 2) and self.track_running_stats and counted not in state_dict:
            state_dict[counted] = self.num_batches_tracked
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *args)


class _BatchNorm(_NormBase):
    """Normalisation by the statistics of the batch, or in evaluation mode by those seen before."""

    def forward(self, input: Tensor) -> Tensor:
        """:func:`functional.batch_norm`, counting the batch while training."""
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / float(self.num_batches_tracked)
        seen = not self.training or self.track_running_stats
        return functional.batch_norm(
            input,
            self.running_mean if seen else None,
            self.running_var if seen else None,
            self.weight,
            self.bias,
            self.training or (self.running_mean is None and self.running_var is None),
            factor,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of rows or lines."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.ndim}D input)")


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of images."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim != 4:
            raise ValueError(f"expected 4D input (got {input.ndim}D input)")


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of volumes."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim != 5:
            raise ValueError(f"expected 5D input (got {input.ndim}D input)")
