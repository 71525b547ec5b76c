"""Normalisation, and similarity of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.dtype import dtype_of, promote_types
from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.engine.warning import warn_once
from chalkgrad.nn.functional.making import operator, plus, reads
from chalkgrad.ops.layer_norm import check_layer
from chalkgrad.ops.normalization import check_eps, several_values
from chalkgrad.ops.overloads import not_implemented

_BATCH, _LAYER, _GROUP = operator("batch_norm"), operator("layer_norm"), operator("group_norm")
avg_pool2d = operator("avg_pool2d")
avg_pool3d = operator("avg_pool3d")
_DIV = operator("div")
_RMS_NORM = reads("rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None)")
_PAIRWISE = Parser.of("pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False)")
_COSINE = Parser.of("cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08)")


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel normalised over the batch, or by the statistics seen so far; those are brought up to date."""
    if training:
        several_values(input.size())
    check_eps(training, eps)
    result: Tensor = _BATCH(input, weight, bias, running_mean, running_var, training, momentum, eps, True)
    return result


def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel of each example normalised by itself."""
    if use_input_stats:
        product = 1
        for length in input.shape[2:]:
            product *= length
        if product == 1:
            raise ValueError(f"Expected more than 1 spatial element when training, got input size {Size(input.shape)}")
    count, channels = input.shape[:2]
    scale, shift, mean, var = (
        None if value is None else value.repeat(count) for value in (weight, bias, running_mean, running_var)
    )
    flat = input.contiguous().view(1, count * channels, *input.shape[2:])
    found = _BATCH(flat, scale, shift, mean, var, use_input_stats, momentum, eps, True)
    for seen, here in ((running_mean, mean), (running_var, var)):
        if seen is not None and here is not None and use_input_stats:
            (seen if seen.is_inference() else seen.detach()).copy_(here.view(count, channels).mean(0))
    result: Tensor = found.view(input.shape)
    return result


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """The last dimensions normalised together."""
    result: Tensor = _LAYER(input, normalized_shape, weight, bias, eps, True)
    return result


def _warn_of_weight(input: Tensor, weight: Tensor | None) -> None:
    if weight is not None and weight.array.dtype != input.array.dtype:
        own, other = (dtype_of(tensor.array).cpp for tensor in (input, weight))
        warn_once(
            f"Mismatch dtype between input and weight: input dtype = {own}, weight dtype = {other}, Cannot dispatch to "
            "fused implementation."
        )


def rms_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None) -> Tensor:
    """The last dimensions divided by the root of their mean square."""
    input, normalized_shape, weight, eps = _RMS_NORM(input, normalized_shape, weight, eps)
    if input.ndim < len(normalized_shape):
        least = len(normalized_shape)
        raise ValueError(f"Input tensor must have at least {least} dimensions, but got {input.ndim}")
    check_layer(input.array.shape, tuple(normalized_shape), None if weight is None else weight.array.shape, None, "")
    _warn_of_weight(input, weight)
    if input.array.dtype.kind != "f":
        raise not_implemented("rms_norm", input.array.dtype)
    dims = tuple(range(-len(normalized_shape), 0))
    added = float(np.finfo(input.array.dtype).eps) if eps is None else eps
    found: Tensor = input * plus(input.pow(2).mean(dims, keepdim=True), added).rsqrt()
    return (found if weight is None else found * weight).type_as(input).contiguous()


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Groups of channels of each example normalised together."""
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.ndim}")
    several_values([input.shape[0] * input.shape[1] // num_groups, num_groups, *input.shape[2:]])
    result: Tensor = _GROUP(input, num_groups, weight, bias, eps, True)
    return result


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Each element divided by a power of the mean square of ``size`` neighbouring channels."""
    if input.dim() < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {input.ndim} dimensions)"
        )
    if not input.array.size:
        return input
    squares = input.mul(input)
    before, after = size // 2, (size - 1) // 2
    if input.ndim == 3:
        framed = TENSORS.constant_pad_nd(squares.unsqueeze(1), (0, 0, before, after), 0.0)
        means = avg_pool2d(framed, (size, 1), stride=1).squeeze(1)
    else:
        shape = input.array.shape
        framed = squares.view(shape[0], 1, shape[1], shape[2], -1)
        framed = TENSORS.constant_pad_nd(framed, (0, 0, 0, 0, before, after), 0.0)
        means = avg_pool3d(framed, (size, 1, 1), stride=1).squeeze(1).view(shape)
    return input / means.mul(alpha).add(k).pow(beta)


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """Vectors along ``dim`` divided by their norms."""
    norms = input.norm(p, dim, keepdim=True)
    if out is None:
        return input / norms.clamp_min(eps).expand_as(input)
    result: Tensor = _DIV(input, norms.clamp_min_(eps).expand_as(input), out=out)
    return result


def pairwise_distance(*args: Any, **kwargs: Any) -> Tensor:
    """The norm of the difference of vectors along the last dimension."""
    return _distance(**_PAIRWISE.parse(args, kwargs)[1])


def _distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    last = max(x1.ndim, x2.ndim) - 1
    result: Tensor = TENSORS.norm_along(plus(x1 - x2, eps), p, (last,), keepdim)
    return result


pdist = operator("pdist")


def cosine_similarity(*args: Any, **kwargs: Any) -> Tensor:
    """The product of vectors along ``dim``, divided by both norms."""
    return _cosine(**_COSINE.parse(args, kwargs)[1])


def _cosine(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    common = promote_types(x1.dtype, x2.dtype)
    if not common.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {common.scalar_type}")
    if not eps >= 0:
        raise RuntimeError(f"eps must be non-negative, got: {eps:g}")
    x1, x2 = (x if x.is_floating_point() else x.to(common) for x in (x1, x2))
    shape = broadcast(x1.array.shape, x2.array.shape)
    if x1.array.shape != x2.array.shape:  # PyTorch works out the last first, here and below
        x2, x1 = TENSORS.expand(x2, shape), TENSORS.expand(x1, shape)
    norm, other_norm = _safe_norm(x1, dim, eps), _safe_norm(x2, dim, eps)
    second = x2 / other_norm
    return (x1 / norm * second).sum(dim)


def _safe_norm(x: Tensor, dim: int, eps: float) -> Tensor:
    """The norm, not less than ``eps``; the gradient knows nothing of that bound."""
    norm: Tensor = x.norm(2, dim, True).clone()
    with no_grad():
        return norm.clamp_min_(eps)
