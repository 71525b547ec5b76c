"""Losses of classification: of log-probabilities, and of scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import size_at
from chalkgrad.engine.size import brackets
from chalkgrad.ops.loss import CODE, MEAN, NONE, SUM
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23

IGNORE = Attribute("ignore_index", "int", -100)
_WEIGHT = frozenset({"weight"})
_LONG_OR_BYTE = np.dtype(np.int64).char + np.dtype(np.uint8).char
_TARGET = np.array([2, 0])


# Negative log-likelihood


def _weights(self: np.ndarray, target: np.ndarray, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """The class of each place, 0 where it is ignored, and what it counts for; None where each counts for 1."""
    classes = self.shape[1] if self.ndim > 1 else self.shape[0]
    if not 0 <= ignore_index < classes and _all_within(target, classes):
        return target, None if weight is None else weight[target]
    ignored = target == ignore_index
    safe = np.where(ignored, 0, target)
    if not _all_within(safe, classes):
        wrong = safe[(safe < 0) | (safe >= classes)].flat[0]
        raise IndexError(f"Target {wrong} is out of bounds.")
    counts = np.ones(safe.shape, self.dtype) if weight is None else weight[safe]
    return safe, np.where(ignored, np.asarray(0, self.dtype), counts)


def _all_within(target: np.ndarray, classes: int) -> bool:
    """True when every place has one of the classes."""
    counted = target.view(np.uint64) if target.dtype == np.int64 else target  # below 0 becomes very large
    return not target.size or bool(np.maximum.reduce(counted, axis=None) < classes)


def _picked(self: np.ndarray, safe: np.ndarray) -> np.ndarray:
    """The element of the class of each place."""
    place: Any = safe if self.ndim == 1 else (np.arange(len(self)), safe)
    found: np.ndarray = self[place] if self.ndim < 3 else np.take_along_axis(self, safe[:, None], 1)[:, 0]
    return found


def _nll(self: np.ndarray, target: np.ndarray, weight: Any, reduction: int, ignore_index: int) -> Any:
    if self.dtype.kind != "f":
        raise not_implemented("nll_loss_out_frame" if self.ndim < 4 else "nll_loss2d_forward_out_frame", self.dtype)
    if self.ndim > 3 and target.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {dtype_of(target).scalar_type}")
    safe, counts = _weights(self, target, weight, ignore_index)
    losses = -_picked(self, safe)
    if counts is not None:
        losses = losses * counts
    if reduction == NONE and self.ndim > 1:
        return losses + 0.0, np.zeros((), self.dtype)
    total = np.asarray(safe.size if counts is None else counts.sum(), self.dtype)
    result = np.add.reduce(losses, axis=None)
    return np.asarray(result / total if reduction == MEAN else result, self.dtype), total


def _nll_backward(
    grad_output: np.ndarray,
    self: np.ndarray,
    target: np.ndarray,
    weight: Any,
    total_weight: np.ndarray,
    reduction: int,
    ignore_index: int,
) -> Any:
    safe, counts = _weights(self, target, weight, ignore_index)
    shares = -grad_output if counts is None else -counts * grad_output
    if reduction == MEAN:
        shares = shares / total_weight
    made = np.zeros(self.shape, self.dtype)
    if self.ndim == 1:
        made[safe] = shares
    elif self.ndim == 2:
        made[np.arange(len(self)), safe] = shares
    else:
        np.put_along_axis(made, safe[:, None], np.broadcast_to(shares, safe.shape)[:, None], 1)
    return made


def _check_flat(self: Any, target: Any, weight: Any, *_: Any) -> None:
    if self.ndim not in (1, 2):
        raise RuntimeError("input tensor should be 1D or 2D")
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    _check_classes(target)
    if self.ndim == target.ndim == 1 and target.size != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target.size}")
    if self.ndim != 1 and self.shape[0] != size_at(target.shape, 0):
        raise RuntimeError(f"size mismatch (got input: {brackets(self.shape)}, target: {brackets(target.shape)})")
    classes = self.shape[-1]
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {brackets(weight.shape)}"
        )
    _check_weight(self, weight)


def _check_planes(self: Any, target: Any, weight: Any, *_: Any) -> None:
    if target.ndim != 3:
        raise RuntimeError(
            f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {target.ndim}"
        )
    if self.ndim != 4:
        raise RuntimeError(
            f"only batches of spatial inputs supported (4D tensors), but got input of dimension: {self.ndim}"
        )
    _check_classes(target)
    if (self.shape[0], *self.shape[2:]) != target.shape:
        raise RuntimeError(f"size mismatch (got input: {brackets(self.shape)} , target: {brackets(target.shape)}")
    if weight is not None and weight.shape != (self.shape[1],):
        raise RuntimeError("weight tensor should be defined either for all or no classes")
    _check_weight(self, weight)


def _check_classes(target: Any) -> None:
    if target.dtype.char not in _LONG_OR_BYTE:
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {dtype_of(target).scalar_type}")


def _check_weight(self: Any, weight: Any) -> None:
    if weight is not None and weight.dtype != self.dtype and self.dtype.kind == "f":
        raise RuntimeError(
            f"expected scalar type {dtype_of(self).scalar_type} but found {dtype_of(weight).scalar_type}"
        )


def _nll_records(name: str, node: str, check: Any, self: np.ndarray, target: np.ndarray) -> None:
    forward, back = f"{name}_forward", f"{name}_backward"
    register(
        Record(
            name=forward,
            inputs=("self", "target", "weight"),
            attributes=(CODE, IGNORE),
            optional=_WEIGHT,
            no_gradient=_WEIGHT,
            promotes="none",
            check=check,
            forward=_nll,
            vjps={
                "self": lambda o, g, self, target, weight, reduction, ignore_index, total_weight: getattr(o, back)(
                    g, self, target, weight, total_weight, reduction, ignore_index
                )
            },
            grad_fn=f"{node}Backward0",
            outputs=("output", "total_weight"),
            not_differentiable=frozenset({"total_weight"}),
            section="loss",
            hidden=True,
        )
    )
    register(
        Record(
            name=back,
            inputs=("grad_output", "self", "target", "weight", "total_weight"),
            attributes=(CODE, IGNORE),
            optional=_WEIGHT,
            promotes="none",
            forward=_nll_backward,
            vjps={
                "grad_output": lambda o, g, target, weight, reduction, ignore_index: getattr(o, forward)(
                    g, target, weight, reduction, ignore_index
                )[0],
                "self": lambda o, g: o.zeros_of(g, tuple(g.shape)),
            },
            grad_fn=f"{node}BackwardBackward0",
            section="loss",
            hidden=True,
        )
    )


_nll_records("nll_loss", "NllLoss", _check_flat, M23, _TARGET)
_nll_records("nll_loss2d", "NllLoss2D", _check_planes, M23, _TARGET)


def nll_loss(o: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> Any:
    """The loss of tensors of any number of dimensions, the second being that of the classes."""
    x, y = self.array, target.array
    if x.ndim < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {x.ndim})")
    batch = y.shape[0] if y.ndim else 0
    if x.ndim != 1 and x.shape[0] != batch:
        raise ValueError(f"Expected input batch_size ({x.shape[0]}) to match target batch_size ({batch}).")
    if x.ndim in (1, 2):
        return o.nll_loss_forward(self, target, weight, reduction, ignore_index)[0]
    if x.ndim == 4:
        return o.nll_loss2d_forward(self, target, weight, reduction, ignore_index)[0]
    if not y.ndim:  # for a batch of nothing, for which a target without dimensions will do so far
        raise RuntimeError("ArrayRef: invalid slice, N = 1; size = 0")
    if y.shape[1:] != x.shape[2:]:
        raise RuntimeError(f"Expected target size {brackets((x.shape[0], *x.shape[2:]))}, got {brackets(y.shape)}")
    count, classes = x.shape[:2]
    flat = o.reshape(self, (count, classes, 1, -1) if x.size else (count, classes, 0, 0))
    places = o.reshape(target, (count, 1, -1) if x.size else (count, 0, 0))
    found = o.nll_loss2d_forward(flat, places, weight, reduction, ignore_index)[0]
    return o.reshape(found, (count, *x.shape[2:])) if reduction == NONE else found


# Cross entropy


def _check_smoothing(label_smoothing: float) -> None:
    if label_smoothing > 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")


def _of_probabilities(o: Any, self: Any, target: Any, weight: Any, reduction: int, label_smoothing: float) -> Any:
    x = self.array
    axis = 0 if x.ndim == 1 else 1
    classes = size_at(x.shape, axis)
    if weight is not None and weight.array.shape != (classes,):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got "
            f"weight tensor of shape: {brackets(weight.array.shape)}"
        )
    _check_smoothing(label_smoothing)
    logs = o.log_softmax(self, axis)
    if label_smoothing > 0 and classes:
        target = o.add_number(o.mul_number(target, 1 - label_smoothing), label_smoothing / classes)
    along = None if weight is None else _along(o, weight, x.ndim, axis)  # the order of nodes can be seen
    terms = o.mul(logs, target)
    if along is not None:
        terms = o.mul(terms, along)
    if reduction == NONE:
        return o.neg(o.sum(terms, axis))
    total = o.sum(terms)
    if reduction != SUM and not x.size:
        return o.neg(o.fill_number_(total, math.nan))
    return o.neg(total) if reduction == SUM else o.div_number(o.neg(total), x.size // classes)


def _along(o: Any, weight: Any, ndim: int, axis: int) -> Any:
    """``weight`` as it is laid over scores whose dimension ``axis`` is that of the classes."""
    if ndim == 1:
        return weight
    return o.view(weight, tuple(-1 if place == axis else 1 for place in range(ndim)))


def _smoothed(
    o: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, label_smoothing: float
) -> Any:
    axis = 0 if self.array.ndim == 1 else 1
    logs = o.log_softmax(self, axis)
    likelihood = nll_loss(o, logs, target, weight, reduction, ignore_index)
    count = self.array.shape[axis]
    if weight is None:
        spread = o.neg(o.sum(logs, axis))
    else:
        spread = o.neg(o.sum(o.mul(logs, _along(o, weight, self.array.ndim, axis)), axis))
    ignored = o.eq(target, ignore_index)
    spread = o.masked_fill(spread, ignored, 0.0)
    if reduction == MEAN:
        if weight is None:
            kept = target.array.size - int(ignored.array.sum())
            spread = o.div(o.sum(spread), kept)
        else:
            safe = np.where(ignored.array, 0, target.array)
            counts = np.where(ignored.array, 0, weight.array[safe]).sum(dtype=weight.array.dtype)
            spread = o.div(o.sum(spread), float(counts))
    elif reduction == SUM:
        spread = o.sum(spread)
    spread = o.mul_number(spread, label_smoothing / count)  # PyTorch's compiler works out the last operand first
    return o.add(o.mul_number(likelihood, 1 - label_smoothing), spread)


def cross_entropy(
    o: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, label_smoothing: float
) -> Any:
    """Cross entropy of scores with class numbers, or with probabilities where the shapes are the same."""
    if self.array.shape == target.array.shape:
        if target.array.dtype.kind != "f":
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, got "
                f"{dtype_of(target.array).scalar_type}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _of_probabilities(o, self, target, weight, reduction, label_smoothing)
    _check_smoothing(label_smoothing)
    if label_smoothing > 0:
        return _smoothed(o, self, target, weight, reduction, ignore_index, label_smoothing)
    logs = o.log_softmax_of(self, 0 if self.array.ndim == 1 else 1)
    return nll_loss(o, logs, target, weight, reduction, ignore_index)
