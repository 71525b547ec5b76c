"""Losses, with PyTorch's warnings about sizes and about arguments of old."""

from __future__ import annotations

import math
import warnings

from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.reading import Check
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.size import broadcast_shapes
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.making import code_of, legacy_reduction, operator, plus, reads
from chalkgrad.ops import entropy

_SMOOTH_L1 = operator("smooth_l1_loss_native", "smooth_l1_loss")
_HUBER = operator("huber_loss_native", "huber_loss")
_SOFT_MARGIN = operator("soft_margin_loss_native", "soft_margin_loss")
_POISSON = reads("poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction)")
_KL_DIV = Parser.of("kl_div(Tensor input, Tensor target, int reduction=1, *, bool log_target=False)")
_check_nll_loss = Check(
    Parser.of(
        "nll_loss_nd(Tensor input, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100)"
    )
)
_check_cross_entropy = Check(
    Parser.of(
        "cross_entropy_loss(Tensor input, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
        "ignore_index=-100, float label_smoothing=0.0)"
    )
)


def reduced(losses: Tensor, reduction: str) -> Tensor:
    """The losses as they are, their mean or their sum, as ``reduction`` says."""
    return reduced_by(losses, code_of(reduction))


def reduced_by(losses: Tensor, code: int) -> Tensor:
    """The same by PyTorch's number for the reduction."""
    return losses if code == 0 else losses.mean() if code == 1 else losses.sum()


def _warn_of_sizes(input: Tensor, target: Tensor) -> None:
    """A warning where one of both will be expanded."""
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            stacklevel=3,
        )


def _together(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both expanded to one shape."""
    left, right = input.array.shape, target.array.shape
    if left == right:
        return input, target
    shape = broadcast(left, right)
    return (
        input if left == shape else TENSORS.expand(input, shape),
        target if right == shape else TENSORS.expand(target, shape),
    )


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The mean (or sum, or each) of the squared differences."""
    _warn_of_sizes(input, target)
    reduction = legacy_reduction(size_average, reduce, reduction)
    left, right = _together(input, target)
    if weight is not None:
        _check_weight(weight, input)
        return _weighed((left - right).pow(2), weight, reduction)
    result: Tensor = TENSORS.mse_loss_native(left, right, code_of(reduction))
    return result


def _check_weight(weight: Tensor, input: Tensor) -> None:
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def _weighed(losses: Tensor, weight: Tensor, reduction: str, *, by_weight: bool = True) -> Tensor:
    """The losses times their weights, their sum, or that divided by the sum of the weights or by how many there are."""
    found = losses * weight
    if reduction == "none":
        return found
    if reduction not in ("sum", "mean"):
        raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")
    if reduction == "mean" and not by_weight:
        return found.mean()
    return found.sum() if reduction == "sum" else found.sum() / weight.sum()


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The mean (or sum, or each) of the sizes of the differences."""
    _warn_of_sizes(input, target)
    reduction = legacy_reduction(size_average, reduce, reduction)
    left, right = _together(input, target)
    if weight is None:
        return _distance(left, right, code_of(reduction))
    _check_weight(weight, input)
    return _weighed(_distance(left, right, 0), weight, reduction)


def _distance(input: Tensor, target: Tensor, code: int) -> Tensor:
    return reduced_by((input - target).abs(), code)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Squared below ``beta``, straight above."""
    _warn_of_sizes(input, target)
    reduction = legacy_reduction(size_average, reduce, reduction)
    input, target = _together(input, target)
    if beta == 0.0:
        return _distance(input, target, code_of(reduction))
    return _SMOOTH_L1(input, target, code_of(reduction), beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Squared below ``delta``, straight above."""
    _warn_of_sizes(input, target)
    left, right = _together(input, target)
    if weight is None:
        return _HUBER(left, right, code_of(reduction), delta)
    _check_weight(weight, input)
    return _weighed(_HUBER(left, right, 0, delta), weight, reduction, by_weight=False)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negated log-probability of each example's class."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    code = code_of(reduction)
    _check_nll_loss(input, target, weight, code, ignore_index)
    result: Tensor = entropy.nll_loss(TENSORS, input, target, weight, code, ignore_index)
    return result


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """The same of scores, of which the log-softmax is taken first; the target may be probabilities too."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    given = (input, target, weight, code_of(reduction), ignore_index, label_smoothing)
    _check_cross_entropy(*given)
    result: Tensor = entropy.cross_entropy(TENSORS, *given)
    return result


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Cross entropy of probabilities of yes."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    code = code_of(reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is "
            "deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        size = broadcast_shapes(target.size(), weight.size())
        weight = weight.expand(size)
    result: Tensor = TENSORS.binary_cross_entropy_native(input, target, weight, code)
    return result


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Cross entropy of scores of yes."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    code = code_of(reduction)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    result: Tensor = TENSORS.binary_cross_entropy_with_logits(input, target, weight, pos_weight, code)
    return result


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """How far the target's probabilities are from those whose logarithm the input is."""
    old = size_average is not None or reduce is not None
    reduction = legacy_reduction(size_average, reduce, reduction)
    if reduction == "mean" and not old:
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
            "'mean' will be changed to behave the same as 'batchmean' in the next major release.",
            stacklevel=2,
        )
    whole = "sum" if reduction == "batchmean" else reduction
    _KL_DIV.parse((input, target, code_of(whole)), {"log_target": log_target})
    if input.array.dtype.kind != "f" or target.array.dtype.kind != "f":
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        difference = target - input  # first, as in PyTorch: the order of nodes can be seen
        losses = target.exp() * difference
    else:
        expected = target * input
        losses = target.xlogy(target) - expected
    found = reduced(losses, whole)
    return found / input.shape[0] if reduction == "batchmean" and input.ndim else found


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """log(1 + e to the negated product)."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    return _SOFT_MARGIN(input, target, code_of(reduction))


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The negated log-likelihood of counts."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not a valid value for reduction")
    input, target, log_input, full, eps, code = _POISSON(input, target, log_input, full, eps, code_of(reduction))
    likely = target * input if log_input else target * plus(input, eps).log()  # as in PyTorch worked out first
    losses = (input.exp() if log_input else input) - likely
    if full:
        last = TENSORS.mul_number(TENSORS.mul_number(target, 2 * math.pi).log(), 0.5)
        stirling = target * target.log() - target + last
        losses += stirling.masked_fill(target <= 1, 0)
    return reduced_by(losses, code)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """The negated log-likelihood of normal numbers of variance ``var``."""
    spread = input.new_full(input.size(), var) if isinstance(var, int | float) else var
    if (spread < 0).any():
        raise ValueError("var has negative entry/entries")
    if spread.size() != input.size():
        if input.shape[:-1] == spread.shape:
            spread = spread.unsqueeze(-1)
        elif not (input.shape[:-1] == spread.shape[:-1] and spread.shape[-1] == 1):
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    spread = spread.clone()
    with no_grad():
        spread.clamp_(min=eps)
    losses = 0.5 * (spread.log() + (input - target) ** 2 / spread)
    if full:
        losses += 0.5 * math.log(2 * math.pi)
    return reduced(losses, reduction)
