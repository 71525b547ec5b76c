"""Losses of answers of yes or no: of probabilities of yes, and of scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import cast, dtype_of
from chalkgrad.engine.ordering import laid_as
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.size import brackets
from chalkgrad.ops.arithmetic import refuse_bools
from chalkgrad.ops.composing import array_in
from chalkgrad.ops.loss import CODE, MEAN, NONE, SUM, reduced_loss
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.windows import Sizes

_WEIGHT = frozenset({"weight"})


# Probabilities


def _bce(self: np.ndarray, target: np.ndarray, weight: Any, reduction: int = MEAN) -> Any:
    if target.dtype != self.dtype:
        raise RuntimeError(f"Found dtype {dtype_of(target).scalar_type} but expected {dtype_of(self).scalar_type}")
    if self.dtype.kind != "f":
        raise not_implemented("binary_cross_entropy", self.dtype)
    wrong, unwanted = (~((values >= 0) & (values <= 1)).ravel() for values in (self, target))
    if (wrong | unwanted).any():  # PyTorch looks at both element by element
        first = int((wrong | unwanted).argmax())
        raise RuntimeError(f"all elements of {'input' if wrong[first] else 'target'} should be between 0 and 1")
    lowest = np.asarray(-100, self.dtype)
    losses = (target - 1) * np.maximum(np.log1p(-self), lowest) - target * np.maximum(np.log(self), lowest)
    if weight is not None:
        _written(losses.shape, weight.shape)
        losses = (losses * weight).astype(self.dtype, copy=False)  # in place, whatever dtype the weight has
    return reduced_loss(losses, reduction)


def _bce_backward(
    grad_output: np.ndarray, self: np.ndarray, target: np.ndarray, weight: Any, reduction: int = MEAN
) -> Any:
    least = np.float32(1e-12).astype(self.dtype)  # a float in PyTorch, whatever the dtype
    slopes = grad_output * (self - target) / np.maximum((1 - self) * self, least)
    slopes = slopes if weight is None else (slopes * weight).astype(self.dtype, copy=False)
    return laid_as(slopes / np.asarray(self.size, self.dtype) if reduction == MEAN else slopes, self)


def _in_dtype_of(found: Any, weighed: Any) -> Any:
    """``weighed``, which was written over ``found``: arrays have to be made what tensors stay."""
    return weighed.astype(found.dtype, copy=False) if isinstance(weighed, np.ndarray) else weighed


def _shares(o: Any, found: Any, weight: Any, reduction: int, *, over: bool = False, shape: Any = None) -> Any:
    """``found`` weighed in place, and divided by the number of elements where the loss is their mean; ``over`` it.

    How many there are says ``shape``, if not that of ``found``.
    """
    if weight is not None:
        _written(tuple(found.shape), tuple(weight.shape))
        found = _in_dtype_of(found, o.mul_(found, weight))
    count = int(np.prod(tuple(found.shape if shape is None else shape), dtype=np.int64))
    if reduction != MEAN or not count:
        return found
    return o.div_number_(found, count) if over else o.div_number(found, count)


def bce_by_target(o: Any, g: Any, self: Any, weight: Any, reduction: int) -> Any:
    """Derivative of the binary cross entropy by its target."""
    found = o.mul_(o.neg_(o.logit(self)), g)
    return _shares(o, found, weight, reduction, over=True)


_EPS = 1e-12


def bce_slope(o: Any, g: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
    """Derivative of the backward of the binary cross entropy by the gradient that comes in."""
    rest = o.add_number(o.sub(1.0, self), _EPS)
    below = o.mul(o.add_number(self, _EPS), rest)
    found = o.mul_(o.div(o.sub(self, target), below), g)
    return _shares(o, found, weight, reduction)


def bce_curve(o: Any, g: Any, grad_output: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
    """Derivative of its backward by its input."""
    near, rest = o.add_number(self, _EPS), o.add_number(o.sub(1.0, self), _EPS)
    rest = o.pow_number(rest, 2)
    below = o.mul(o.pow_number(near, 2), rest)
    away = o.mul(o.mul_number(self, 2), target)
    above = o.add(o.sub(o.mul(self, self), away), target)
    found = o.mul_(o.div(above, below), o.mul(g, grad_output))
    return _shares(o, found, weight, reduction)


def bce_slope_by_target(o: Any, g: Any, grad_output: Any, self: Any, weight: Any, reduction: int) -> Any:
    """The same by its target."""
    found = o.mul(o.neg(g), grad_output)
    found = found if weight is None else o.mul_(found, weight)
    below = o.mul_(o.sub(1.0, self), self)
    np.maximum(array_in(below), _EPS, out=array_in(below))  # PyTorch does not record it
    return _shares(o, o.div_(found, below), None, reduction, over=True)


def _curve_written(weight: Any, reduction: int) -> tuple[int, int, int]:
    """The same of its backward, by the gradient that comes in, by the input and by the target."""
    weighed = weight is not None
    return (0, 0, 2 + weighed) if reduction == MEAN else (1 + weighed,) * 3


def _bce_shape(self: Sizes, target: Sizes, weight: Any = None, reduction: Any = MEAN, **_: Any) -> Sizes:
    return self if reduction in (NONE, "none") else ()


def _written_by_target(weight: Any, reduction: int) -> tuple[int, int]:
    """How often PyTorch writes into the gradients by the input and by the target: it works the latter out in place."""
    return 0, 2 + (weight is not None) + (reduction == MEAN)


_P = np.array([0.2, 0.7, 0.6])
_T = np.array([0.0, 1.0, 0.5])
register(
    Record(
        name="binary_cross_entropy_native",
        inputs=("self", "target", "weight"),
        attributes=(CODE,),
        optional=_WEIGHT,
        no_gradient=_WEIGHT,
        promotes="none",
        forward=_bce,
        vjps={
            "self": lambda o, g, self, target, weight, reduction: o.binary_cross_entropy_backward(
                g, self, target, weight, reduction
            ),
            "target": lambda o, g, self, target, weight, reduction: bce_by_target(o, g, self, weight, reduction),
        },
        fills=_written_by_target,
        grad_fn="BinaryCrossEntropyBackward0",
        shape=_bce_shape,
        section="loss",
        hidden=True,
    )
)
register(
    Record(
        name="binary_cross_entropy_backward",
        inputs=("grad_output", "self", "target", "weight"),
        attributes=(CODE,),
        optional=_WEIGHT,
        promotes="none",
        forward=_bce_backward,
        vjps={
            "grad_output": bce_slope,
            "self": bce_curve,
            "target": lambda o, g, grad_output, self, weight, reduction: bce_slope_by_target(
                o, g, grad_output, self, weight, reduction
            ),
        },
        fills=_curve_written,
        grad_fn="BinaryCrossEntropyBackwardBackward0",
        section="loss",
        hidden=True,
    )
)


# Scores


def _bce_scores(self: np.ndarray, target: np.ndarray, weight: Any, pos_weight: Any, reduction: int = MEAN) -> Any:
    own, kind = dtype_of(target), dtype_of(self)
    if not own.is_floating_point:
        raise RuntimeError(f"result type {kind.scalar_type} can't be cast to the desired output type {own.scalar_type}")
    log = np.minimum(self, 0) - np.log1p(np.exp(-np.abs(self)))
    if pos_weight is not None:
        log = cast(log * ((pos_weight - 1) * target + 1), kind)
    losses = cast(cast((1 - target) * self, own) - log, own)
    if weight is not None:
        _written(losses.shape, weight.shape)
    return reduced_loss(losses if weight is None else cast(losses * weight, own), reduction)


def scores_by_self(o: Any, g: Any, self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    """Derivative of the cross entropy of scores by the scores."""
    if pos_weight is None:
        if isinstance(g, np.ndarray):  # what is recorded PyTorch computes without writing
            _written(tuple(self.shape), tuple(target.shape))
        found = o.sigmoid(self)
        found = _in_dtype_of(found, o.sub(found, target))
    else:
        wanted = o.mul(pos_weight, target)
        found = o.mul(o.sub(o.add_number(wanted, 1), target), o.sigmoid(self))
        found = o.sub(_in_dtype_of(wanted, found), wanted)
    found = _in_dtype_of(found, o.mul(found, g))
    found = found if weight is None else _in_dtype_of(found, o.mul(found, weight))
    return _shares(o, found, None, reduction, over=True, shape=self.shape)


def scores_by_target(o: Any, g: Any, self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    """The same by the target."""
    if pos_weight is None:
        found = o.mul(o.neg(self), g)
    else:
        no, yes = o.logsigmoid(o.neg(self)), o.mul(o.logsigmoid(self), pos_weight)
        found = _in_dtype_of(no, o.sub_(no, yes))
        found = _in_dtype_of(no, o.mul_(found, g))
    return _shares(o, found, weight, reduction, over=True, shape=target.shape)


def _scores_written(weight: Any, pos_weight: Any, reduction: int) -> tuple[int, int]:
    """How often PyTorch writes into the gradients by the scores and by the target: it works them out in place."""
    shared = (weight is not None) + (reduction == MEAN)
    return shared + (2 if pos_weight is None else 4), shared + (0 if pos_weight is None else 2)


def _check_scores(self: Any, target: Any = None, weight: Any = None, pos_weight: Any = None) -> None:
    if self.dtype.kind != "f":
        raise not_implemented("log_sigmoid_cpu", self.dtype)
    if pos_weight is not None:
        refuse_bools(pos_weight, 1)
        _written(self.shape, broadcast(pos_weight.shape, target.shape))
    if target is not None:
        refuse_bools(target, target)  # PyTorch makes the 1 from which it is subtracted a bool, too


def _written(shape: Sizes, other: Sizes) -> Sizes:
    """``shape`` where ``other`` can be worked into a tensor of it in place, as PyTorch computes this loss."""
    together = broadcast(shape, other)
    if together != shape:
        raise RuntimeError(
            f"output with shape {brackets(shape)} doesn't match the broadcast shape {brackets(together)}"
        )
    return shape


def _scores_shape(self: Sizes, target: Sizes, weight: Any, pos_weight: Any, reduction: int = MEAN) -> Sizes:
    if pos_weight is not None:
        _written(self, broadcast(pos_weight, target))
    _written(target, self)
    return () if reduction in (MEAN, SUM) else target


register(
    Record(
        name="binary_cross_entropy_with_logits",
        inputs=("self", "target", "weight", "pos_weight"),
        attributes=(Attribute("reduction", "int", NONE),),
        optional=frozenset({"weight", "pos_weight"}),
        fills=_scores_written,
        no_gradient=frozenset({"weight", "pos_weight"}),
        promotes="none",
        check=_check_scores,
        forward=_bce_scores,
        vjps={"self": scores_by_self, "target": scores_by_target},
        grad_fn="BinaryCrossEntropyWithLogitsBackward0",
        function="torch.binary_cross_entropy_with_logits",
        shape=_scores_shape,
        section="loss",
        hidden=True,
        signatures=(
            (
                "binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight=None, Tensor? "
                "pos_weight=None, int reduction=1)"
            ),
        ),
    )
)
