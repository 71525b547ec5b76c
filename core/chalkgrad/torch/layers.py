"""The layers that ``torch`` has under its own name, beside ``torch.nn.functional``."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.record import OPS
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.spelling import function
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.functional import (
    adaptive_avg_pool1d,
    avg_pool1d,
    conv1d,
    conv2d,
    conv3d,
    conv_transpose1d,
    conv_transpose2d,
    conv_transpose3d,
    cosine_similarity,
    grid_sampler,
    pairwise_distance,
    rms_norm,
)
from chalkgrad.ops.ctc import ctc_loss as _ctc_loss

__all__ = [
    "adaptive_avg_pool1d",
    "affine_grid_generator",
    "alpha_dropout",
    "avg_pool1d",
    "bilinear",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "cosine_similarity",
    "ctc_loss",
    "dropout",
    "dropout_",
    "embedding_bag",
    "feature_alpha_dropout",
    "feature_dropout",
    "grid_sampler",
    "grid_sampler_2d",
    "grid_sampler_3d",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "native_batch_norm",
    "native_layer_norm",
    "pairwise_distance",
    "rms_norm",
]

max_pool1d = function(OPS["max_pool1d"])
max_pool2d = function(OPS["max_pool2d"])
max_pool3d = function(OPS["max_pool3d"])
embedding_bag = function(OPS["embedding_bag"], "embedding_bag")
affine_grid_generator = function(OPS["affine_grid_generator"], "affine_grid_generator")
grid_sampler_2d = function(OPS["grid_sampler_2d"], "grid_sampler_2d")
grid_sampler_3d = function(OPS["grid_sampler_3d"], "grid_sampler_3d")
native_batch_norm = function(OPS["native_batch_norm"], "native_batch_norm")
native_layer_norm = function(OPS["native_layer_norm"], "native_layer_norm")


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """``input1 @ weight[k] @ input2`` for each ``k``, plus the bias, which must be given, if only as None."""
    return functional.bilinear(input1, input2, weight, bias)


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: int = 1,
    zero_infinity: bool = False,
) -> Tensor:
    """:func:`functional.ctc_loss`, with PyTorch's number for how the losses are put together."""
    lengths = (input_lengths, target_lengths)
    result: Tensor = _ctc_loss(TENSORS, log_probs, targets, *lengths, blank, reduction, zero_infinity)
    return result


def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Each element is made 0 with chance ``p`` when training."""
    return functional.dropout(input, p, train)


def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """The same in place."""
    return functional.dropout(input, p, train, inplace=True)


def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Dropout that keeps mean and variance behind SELU."""
    return functional.alpha_dropout(input, p, train)


def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Whole channels are made 0."""
    return functional.dropout2d(input, p, train)


def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """The same, keeping mean and variance."""
    return functional.feature_alpha_dropout(input, p, train)
