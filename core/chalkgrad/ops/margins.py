"""Losses that ask the score of the right class, or of all right classes, to be above the others by a margin."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import check_held, dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.loss import CODE, MEAN, NONE
from chalkgrad.ops.overloads import not_implemented, underivable
from chalkgrad.ops.windows import Sizes

_WEIGHT = frozenset({"weight"})
_SETTINGS = (Attribute("p", "number", 1), Attribute("margin", "number", 1))


def _reduced(losses: np.ndarray, self: np.ndarray, target: np.ndarray, reduction: int) -> Any:
    if reduction == NONE and target.ndim:
        return losses
    total = losses.sum()
    return np.asarray(total / max(len(losses), 1) if reduction == MEAN else total, self.dtype)


def _rows(self: np.ndarray) -> np.ndarray:
    return self if self.ndim == 2 else self.reshape(1, -1)


# One right class


def _check_one(self: np.ndarray, target: np.ndarray, weight: Any, *_: Any) -> None:
    if self.ndim > 2 or 0 in self.shape[self.ndim - 1 :]:
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {brackets(self.shape)}"
        )
    count = self.shape[0] if self.ndim == 2 else 1
    if target.ndim > 1 or target.size != count:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            f"size). Expected target size [{count}], but got {brackets(target.shape)}. Input has shape "
            f"{brackets(self.shape)}."
        )
    classes = self.shape[-1] if self.ndim else 1
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {brackets(weight.shape)}")
    if self.dtype.kind != "f":
        raise not_implemented("multi_margin_loss_cpu_kernel", self.dtype)
    if target.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {dtype_of(target).scalar_type}")
    if target.size and (target.min() < 0 or target.max() >= classes):
        raise RuntimeError("target out of range")


def _missing(self: np.ndarray, target: np.ndarray, margin: float) -> tuple[np.ndarray, Any]:
    """How much each score of a wrong class lacks to be below the right one by the margin, and where the right ones are.

    0 where nothing lacks.
    """
    scores = _rows(self)
    right = (np.arange(len(scores)), target.reshape(-1))
    check_held(self, margin)
    lacking = np.maximum(np.asarray(margin, self.dtype) - scores[right][:, None] + scores, 0)
    lacking[right] = 0
    return lacking, right


def _one(
    self: np.ndarray, target: np.ndarray, weight: Any, p: float = 1, margin: float = 1, reduction: int = MEAN
) -> Any:
    lacking, right = _missing(self, target, margin)
    terms = lacking * lacking if p == 2 else lacking
    if weight is not None:
        terms = terms * weight[right[1]][:, None]
    return _reduced(terms.sum(1) / np.asarray(lacking.shape[1], self.dtype), self, target, reduction)


def _one_backward(
    grad_output: np.ndarray,
    self: np.ndarray,
    target: np.ndarray,
    weight: Any,
    p: float = 1,
    margin: float = 1,
    reduction: int = MEAN,
) -> Any:
    lacking, right = _missing(self, target, margin)
    slopes = 2 * lacking if p == 2 else (lacking > 0).astype(self.dtype)
    if weight is not None:
        slopes = slopes * weight[right[1]][:, None]
    slopes = slopes / np.asarray(lacking.shape[1], self.dtype)
    slopes[right] = 0 - slopes.sum(1)  # nothing is lacking: 0, and no -0
    if reduction == MEAN:
        slopes = slopes / np.asarray(len(slopes), self.dtype)
    grown = grad_output.reshape(-1, 1) if grad_output.ndim else grad_output
    return reshaped(np.ascontiguousarray(slopes * grown), self.shape)


def _loss_shape(self: Sizes, target: Sizes, weight: Any = None, reduction: int = MEAN, **_: Any) -> Sizes:
    return target[:1] if reduction == NONE else ()


register(
    Record(
        name="multi_margin_loss",
        inputs=("self", "target", "weight"),
        no_gradient=_WEIGHT,
        attributes=(*_SETTINGS, CODE),
        optional=_WEIGHT,
        promotes="none",
        check=_check_one,
        forward=_one,
        vjps={
            "self": lambda o, g, self, target, weight, p, margin, reduction: o.multi_margin_loss_backward(
                g, self, target, weight, p, margin, reduction
            )
        },
        grad_fn="MultiMarginLossBackward0",
        section="loss",
        hidden=True,
        shape=_loss_shape,
    )
)
register(
    Record(
        name="multi_margin_loss_backward",
        inputs=("grad_output", "self", "target", "weight"),
        attributes=(*_SETTINGS, CODE),
        optional=_WEIGHT,
        promotes="none",
        forward=_one_backward,
        vjps={name: underivable("multi_margin_loss_backward") for name in ("grad_output", "self", "weight")},
        grad_fn="NotImplemented",
        section="loss",
        hidden=True,
    )
)


# Several right classes


def _check_many(self: np.ndarray, target: np.ndarray, *_: Any) -> None:
    if self.ndim > 2 or 0 in self.shape[self.ndim - 1 :]:
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {brackets(self.shape)}"
        )
    if self.shape != target.shape:
        raise RuntimeError(
            f"inconsistent target size: {brackets(target.shape)} for input of size: {brackets(self.shape)}"
        )
    if self.dtype.kind != "f":
        raise not_implemented("multilabel_margin_loss_forward_out_frame", self.dtype)
    if target.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {dtype_of(target).scalar_type}")
    if target.size and (target.min() < -1 or target.max() >= (self.shape[-1] if self.ndim else 1)):
        raise RuntimeError("argument #2 'target' is out of range")


def _right_classes(row: np.ndarray) -> np.ndarray:
    """The classes that a row of targets names: all before the first -1."""
    ends = np.nonzero(row < 0)[0]
    return row[: ends[0]] if len(ends) else row


def _many(self: np.ndarray, target: np.ndarray, reduction: int) -> tuple[Any, Any]:
    scores, classes = _rows(self), _rows(target)
    is_target = np.zeros(scores.shape, self.dtype)
    losses = np.zeros(len(scores), self.dtype)
    for number, row in enumerate(classes):
        right = _right_classes(row)
        is_target[number, right] = 1
        wrong = scores[number][is_target[number] == 0]
        lacking = np.maximum(1 - scores[number, right][:, None] + wrong, 0)
        losses[number] = lacking.sum() / scores.shape[1]
    whole = losses if reduction == NONE and self.ndim == 2 else losses.sum()
    if reduction == MEAN:
        whole = whole / max(len(losses), 1)
    return np.asarray(whole, self.dtype), is_target.reshape(target.shape)


def _many_backward(
    grad_output: np.ndarray, self: np.ndarray, target: np.ndarray, is_target: np.ndarray, reduction: int
) -> Any:
    scores, classes, marks = _rows(self), _rows(target), _rows(is_target)
    slopes = np.zeros(scores.shape, self.dtype)
    for number, row in enumerate(classes):
        right, wrong = _right_classes(row), marks[number] == 0
        lacking = (1 - scores[number, right][:, None] + scores[number] > 0) & wrong
        slopes[number] = lacking.sum(0)
        np.subtract.at(slopes[number], right, lacking.sum(1).astype(self.dtype))
    slopes /= scores.shape[1] * (len(scores) if reduction == MEAN else 1)
    grown = grad_output.reshape(-1, 1) if grad_output.ndim else grad_output
    return reshaped(np.ascontiguousarray(slopes * grown), self.shape)


register(
    Record(
        name="multilabel_margin_loss_forward",
        inputs=("self", "target"),
        attributes=(Attribute("reduction", "int", required=True),),
        promotes="none",
        check=_check_many,
        forward=_many,
        vjps={
            "self": lambda o, g, self, target, reduction, is_target: o.multilabel_margin_loss_backward(
                g, self, target, is_target, reduction
            )
        },
        grad_fn="MultilabelMarginLossBackward0",
        outputs=("output", "is_target"),
        not_differentiable=frozenset({"is_target"}),
        section="loss",
        hidden=True,
    )
)
register(
    Record(
        name="multilabel_margin_loss_backward",
        inputs=("grad_output", "self", "target", "is_target"),
        attributes=(Attribute("reduction", "int", required=True),),
        promotes="none",
        forward=_many_backward,
        vjps={name: underivable("multilabel_margin_loss_backward") for name in ("grad_output", "self")},
        grad_fn="NotImplemented",
        section="loss",
        hidden=True,
    )
)
