"""Losses of pairs and triplets, which are to lie apart by a margin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.size import brackets
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.loss import reduced, reduced_by
from chalkgrad.nn.functional.making import code_of, legacy_reduction, plus, reads
from chalkgrad.nn.functional.normalization import pairwise_distance

_HINGE = reads("hinge_embedding_loss(Tensor input, Tensor target, float margin=1.0, int reduction=1)")
_RANKING = reads("margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1)")
_COSINE = reads("cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1)")
_TRIPLET = reads(
    "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, "
    "float eps=1e-06, bool swap=False, int reduction=1)"
)


def _number(value: float, like: Tensor) -> Tensor:
    """``value`` as a tensor without dimensions, of the dtype of ``like``."""
    return like.new_full((), value)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The input where the target is 1, how far it is below the margin where it is -1."""
    code = code_of(legacy_reduction(size_average, reduce, reduction))
    input, target, margin, code = _HINGE(input, target, margin, code)
    zero = TENSORS.zeros_of(input.detach(), input.array.shape)
    far = TENSORS.sub(_number(margin, input), input).clamp_min(0)
    losses = TENSORS.where(target != 1, far, zero) + TENSORS.where(target != -1, input, zero)
    return reduced_by(losses, code)


def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much ``input1`` misses to be above ``input2`` (below, where the target is -1)."""
    code = code_of(legacy_reduction(size_average, reduce, reduction))
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    input1, input2, target, margin, code = _RANKING(input1, input2, target, margin, code)
    missed = plus(-target * (input1 - input2), margin)
    return reduced_by(missed.clamp_min_(0), code)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """1 - cosine where the target is 1, the cosine above the margin where it is -1."""
    code = code_of(legacy_reduction(size_average, reduce, reduction))
    input1, input2, target, margin, code = _COSINE(input1, input2, target, margin, code)
    dim = target.ndim
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if {input1.ndim, input2.ndim} != {dim + 1}:
        found = " and ".join(brackets(one.array.shape) for one in (input1, input2))
        raise RuntimeError(
            f"{dim}D target tensor expects {dim + 1}D input tensors, but found inputs with sizes {found}."
        )
    eps = 1e-12
    product = (input1 * input2).sum(dim)
    first, second = (plus((one * one).sum(dim), eps) for one in (input1, input2))
    lengths = first * second
    cosine = product / lengths.sqrt()
    zero = TENSORS.zeros_of(cosine.detach(), cosine.array.shape)
    apart, above = TENSORS.sub(_number(1, cosine), cosine), TENSORS.sub_number(cosine, margin).clamp_min(0)
    near, far = TENSORS.where(target == 1, apart, zero), TENSORS.where(target == -1, above, zero)
    return reduced_by(near + far, code)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much the anchor is not nearer to the positive than to the negative."""
    code = code_of(legacy_reduction(size_average, reduce, reduction))
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    anchor, positive, negative, margin, p, eps, swap, code = _TRIPLET(
        anchor, positive, negative, margin, p, eps, swap, code
    )
    _check_triplet("inputs", anchor, positive, negative)
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = far.minimum(pairwise_distance(positive, negative, p, eps))
    return reduced_by((plus(near, margin) - far).clamp_min(0), code)


def _check_triplet(what: str, anchor: Tensor, positive: Tensor, negative: Tensor) -> None:
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D {what}"
        )


def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """The same with any distance."""
    measure: Any = pairwise_distance if distance_function is None else distance_function
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    _check_triplet("inputs", anchor, positive, negative)
    near, far = measure(anchor, positive), measure(anchor, negative)
    if swap:
        far = far.minimum(measure(positive, negative))
    return reduced((margin + near - far).clamp_min(0), reduction)
