"""The loss of a sequence that may be spread over more steps than it has labels, with blanks and repetitions between.

Between the labels, before and after them stand blanks; a path goes through these places step by step, stays, moves on
by one, or skips a blank between two labels that differ. ``alpha`` is the logarithm of how probable the ways to a place
are, ``beta`` of those from it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.overloads import not_implemented, underivable

Lengths = tuple[int, ...]

_SETTINGS = (
    Attribute("input_lengths", "size", required=True),
    Attribute("target_lengths", "size", required=True),
    Attribute("blank", "int", 0),
    Attribute("zero_infinity", "bool", False),
)
_WHERE = "(while checking arguments for ctc_loss_allocate_outputs)"


def _check(log_probs: np.ndarray, targets: np.ndarray, inputs: Lengths, lengths: Lengths, blank: int) -> None:
    """PyTorch's error for sizes that do not go together."""
    if log_probs.dtype.kind != "f":
        raise not_implemented("ctc_loss_cpu", log_probs.dtype)
    if log_probs.ndim != 3:
        raise RuntimeError(
            f"Expected 3-dimensional tensor, but got {log_probs.ndim}-dimensional tensor for argument #1 'log_probs' "
            f"{_WHERE}"
        )
    if targets.ndim not in (1, 2):
        raise RuntimeError(
            f"Expected 1 to 2 dimensions, but got {targets.ndim}-dimensional tensor for argument #2 'targets' {_WHERE}"
        )
    steps, batch, labels = log_probs.shape
    if not 0 <= blank < labels:
        raise RuntimeError("blank must be in label range")
    for name, given in (("input_lengths", inputs), ("target_lengths", lengths)):
        if len(given) != batch:
            raise RuntimeError(f"{name} must be of size batch_size")
    for name, given in (("target_lengths", lengths), ("input_lengths", inputs)):
        if min(given, default=0) < 0:
            wrong = next(length for length in given if length < 0)
            raise RuntimeError(f"Expected {name} to have value at least 0, but got value {wrong} {_WHERE}")
    _check_targets(targets, lengths, batch)
    for length in inputs:
        if length > steps:
            raise RuntimeError(f"Expected input_lengths to have value at most {steps}, but got value {length} {_WHERE}")


def _check_targets(targets: np.ndarray, lengths: Lengths, batch: int) -> None:
    if targets.ndim == 1:
        wanted, dim, least = sum(lengths), 0, ""
        wrong = targets.shape[0] != wanted
    elif targets.shape[0] != batch:
        wanted, dim, least, wrong = batch, 0, "", True
    else:
        wanted, dim, least = max(lengths, default=0), 1, "at least "
        wrong = targets.shape[1] < wanted
    if wrong:
        raise RuntimeError(
            f"Expected tensor to have size {least}{wanted} at dimension {dim}, but got size {targets.shape[dim]} for "
            f"argument #2 'targets' {_WHERE}"
        )


def _places(targets: np.ndarray, lengths: Lengths, number: int, blank: int) -> tuple[np.ndarray, np.ndarray]:
    """The labels of one sequence with blanks around them, and which of these places a path may skip to."""
    start = sum(lengths[:number]) if targets.ndim == 1 else 0
    line = targets if targets.ndim == 1 else targets[number]
    places = np.full(2 * lengths[number] + 1, blank, np.int64)
    places[1::2] = line[start : start + lengths[number]]
    skips = np.zeros(len(places), bool)
    skips[3::2] = places[3::2] != places[1:-2:2]
    return places, skips


def _alphas(rows: np.ndarray, skips: np.ndarray) -> np.ndarray:
    """How probable the ways to each place are, step by step; ``rows`` are the probabilities of the places' labels."""
    alpha = np.full(rows.shape, -np.inf, rows.dtype)
    alpha[0, :2] = rows[0, :2]
    for step in range(1, len(rows)):
        before = alpha[step - 1]
        ways = before.copy()
        ways[1:] = np.logaddexp(ways[1:], before[:-1])
        ways[2:] = np.where(skips[2:], np.logaddexp(ways[2:], before[:-2]), ways[2:])
        alpha[step] = ways + rows[step]
    return alpha


def _ctc_loss(
    log_probs: np.ndarray,
    targets: np.ndarray,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: int = 0,
    zero_infinity: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    _check(log_probs, targets, input_lengths, target_lengths, blank)
    steps, batch, _ = log_probs.shape
    losses = np.zeros(batch, log_probs.dtype)
    alphas = np.full((batch, steps, 2 * max(target_lengths, default=0) + 1), -np.inf, log_probs.dtype)
    for number, length in enumerate(input_lengths):
        places, skips = _places(targets, target_lengths, number, blank)
        if not length:
            losses[number] = np.inf if target_lengths[number] else 0
            continue
        alpha = _alphas(log_probs[:length, number][:, places], skips)
        alphas[number, :length, : len(places)] = alpha
        losses[number] = -np.logaddexp.reduce(alpha[-1, -2:])
    return losses, alphas


def _backward(
    grad: np.ndarray,
    log_probs: np.ndarray,
    targets: np.ndarray,
    neg_log_likelihood: np.ndarray,
    log_alpha: np.ndarray,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: int,
    zero_infinity: bool,
) -> np.ndarray:
    """For each label what softmax gives it, less how probable the paths are that are at it then."""
    made = np.zeros(log_probs.shape, log_probs.dtype)
    for number, length in enumerate(input_lengths):
        loss = neg_log_likelihood[number]
        if not length or (zero_infinity and loss == np.inf):
            continue
        places, skips = _places(targets, target_lengths, number, blank)
        probs = log_probs[:length, number]
        rows = probs[:, places]
        turned = np.zeros(len(places), bool)
        turned[:-2] = skips[2:]
        beta = _alphas(rows[::-1, ::-1], turned[::-1])[::-1, ::-1]
        both = log_alpha[number, :length, : len(places)] + beta
        with np.errstate(invalid="ignore"):
            through = np.zeros_like(probs)
            where: Any = (slice(None), places)
            np.add.at(through, where, np.exp(both + loss - rows))
            made[:length, number] = (np.exp(probs) - through) * grad[number]
    return made


def _by_log_probs(
    o: Any,
    g: Any,
    log_probs: Any,
    targets: Any,
    input_lengths: Lengths,
    target_lengths: Lengths,
    result0: Any,
    result1: Any,
    blank: int,
    zero_infinity: bool,
) -> Any:
    lengths = (input_lengths, target_lengths)
    return o._ctc_loss_backward(g, log_probs, targets, result0, result1, *lengths, blank, zero_infinity)


register(
    Record(
        name="_ctc_loss",
        inputs=("log_probs", "targets"),
        attributes=_SETTINGS,
        promotes="none",
        forward=_ctc_loss,
        vjps={"log_probs": _by_log_probs},
        grad_fn="CtcLossBackward0",
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        section="loss",
        hidden=True,
    )
)
register(
    Record(
        name="_ctc_loss_backward",
        inputs=("grad", "log_probs", "targets", "neg_log_likelihood", "log_alpha"),
        attributes=_SETTINGS,
        promotes="none",
        forward=_backward,
        vjps=dict.fromkeys(
            ("grad", "log_probs", "targets", "neg_log_likelihood", "log_alpha"), underivable("_ctc_loss_backward")
        ),
        grad_fn="NotImplemented",
        section="loss",
        hidden=True,
    )
)


def ctc_loss(
    o: Any,
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int,
    reduction: int,
    zero_infinity: bool,
) -> Any:
    """The loss of each sequence, or one number for all."""
    inputs, lengths = _lengths("input_lengths", input_lengths), _lengths("target_lengths", target_lengths)
    if not log_probs.array.size:
        raise RuntimeError("log_probs tensor must not be empty")
    alone = log_probs.array.ndim != 3
    if alone:
        log_probs = o.unsqueeze(log_probs, 1)
        targets = o.unsqueeze(targets, 0) if targets.array.ndim == 1 else targets
    loss = o._ctc_loss(log_probs, targets, inputs, lengths, blank, zero_infinity)[0]
    if zero_infinity:
        infinite = o.eq(o.detach(loss), float("inf"))
        loss = o.where(infinite, o.zeros_of(o.detach(loss), ()), loss)
    if reduction == 1:
        sizes = o.zeros_of(o.detach(loss), (len(lengths),))
        sizes.array[...] = np.maximum(lengths, 1)
        return o.mean(o.div(loss, sizes))
    if reduction == 2:
        return o.sum(loss)
    return o.squeeze_dim(loss, 0) if alone else loss


def _lengths(name: str, lengths: Any) -> Lengths:
    """The lengths as numbers; they may be given as a tensor."""
    array = getattr(lengths, "array", None)
    if array is None:
        return tuple(lengths)
    if array.dtype.kind == "f":
        raise RuntimeError(f"{name} must be integral")
    return tuple(array.ravel().tolist())
