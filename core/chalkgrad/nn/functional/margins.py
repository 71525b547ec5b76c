"""Losses of several classes that ask for margins, and of several labels at once."""

from __future__ import annotations

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.activation import logsigmoid
from chalkgrad.nn.functional.making import code_of, legacy_reduction, reads

_MULTI_MARGIN = reads(
    "multi_margin_loss(Tensor input, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=1)"
)
_MULTILABEL = reads("multilabel_margin_loss(Tensor input, Tensor target, int reduction=1)")


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much other classes are not below the right one by the margin, to the power ``p``, 1 or 2."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    code = code_of(reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    input, target, p, margin, weight, code = _MULTI_MARGIN(input, target, p, margin, weight, code)
    result: Tensor = TENSORS.multi_margin_loss(input, target, weight, p, margin, code)
    return result


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """By how much wrong classes are not below each right one by 1; a row of the target names these before a -1."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    result: Tensor = TENSORS.multilabel_margin_loss_forward(*_MULTILABEL(input, target, code_of(reduction)))[0]
    return result


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Cross entropy of scores of yes, the mean over the labels."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    losses: Tensor = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        losses = losses * weight
    losses = losses.sum(dim=input.dim() - 1) / input.size(input.dim() - 1)
    if reduction == "none":
        return losses
    if reduction not in ("mean", "sum"):
        raise ValueError(reduction + " is not valid")
    return losses.mean() if reduction == "mean" else losses.sum()
