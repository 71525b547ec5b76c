"""Losses of classification: of log-probabilities, and of probabilities of yes."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.size import brackets
from chalkgrad.ops.loss import CODE, MEAN, NONE, SUM, reduced_loss
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23
from chalkgrad.ops.windows import Sizes

IGNORE = Attribute("ignore_index", "int", -100)
_WEIGHT = frozenset({"weight"})
_TARGET = np.array([2, 0])
_CLASS_WEIGHT = np.array([0.5, 1.5, 2.0])


# Negative log-likelihood


def _weights(self: np.ndarray, target: np.ndarray, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """The class of each place, 0 where it is ignored, and what it counts for."""
    ignored = target == ignore_index
    if not ignored.any():
        ignored = None
    safe = target if ignored is None else np.where(ignored, 0, target)
    classes = self.shape[1] if self.ndim > 1 else self.shape[0]
    if safe.size and (safe.min() < 0 or safe.max() >= classes):
        wrong = safe[(safe < 0) | (safe >= classes)].flat[0]
        raise IndexError(f"Target {wrong} is out of bounds.")
    counts = np.ones(safe.shape, self.dtype) if weight is None else weight[safe]
    if ignored is not None:
        counts = np.where(ignored, np.asarray(0, self.dtype), counts)
    return safe, counts


def _picked(self: np.ndarray, safe: np.ndarray) -> np.ndarray:
    """The element of the class of each place."""
    place: Any = safe if self.ndim == 1 else (np.arange(len(self)), safe)
    found: np.ndarray = self[place] if self.ndim < 3 else np.take_along_axis(self, safe[:, None], 1)[:, 0]
    return found


def _nll(self: np.ndarray, target: np.ndarray, weight: Any, reduction: int, ignore_index: int) -> Any:
    if self.dtype.kind != "f":
        raise not_implemented("nll_loss_out_frame", self.dtype)
    safe, counts = _weights(self, target, weight, ignore_index)
    losses = -_picked(self, safe) * counts
    if reduction == NONE and self.ndim > 1:
        return losses + 0.0, np.zeros((), self.dtype)
    total = np.asarray(counts.sum(), self.dtype)
    result = losses.sum()
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
    shares = -counts * grad_output
    if reduction == MEAN:
        shares = shares / total_weight
    made = np.zeros(self.shape, self.dtype)
    if self.ndim == 1:
        made[safe] = shares
    elif self.ndim == 2:
        made[np.arange(len(self)), safe] = shares
    else:
        np.put_along_axis(made, safe[:, None], shares[:, None], 1)
    return made


def _check_flat(self: Any, target: Any, weight: Any, *_: Any) -> None:
    if self.ndim not in (1, 2):
        raise RuntimeError("input tensor should be 1D or 2D")
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if not (self.ndim == 1 and target.ndim == 0) and self.shape[:1] != target.shape[:1]:
        raise RuntimeError(f"size mismatch (got input: {brackets(self.shape)}, target: {brackets(target.shape)})")
    classes = self.shape[-1]
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {brackets(weight.shape)}"
        )
    _check_dtypes(self, target, weight, "nll_loss_forward_reduce_cuda_kernel_2d_index")


def _check_planes(self: Any, target: Any, weight: Any, *_: Any) -> None:
    if target.ndim != 3:
        raise RuntimeError(
            f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {target.ndim}"
        )
    if self.ndim != 4:
        raise RuntimeError(
            f"only batches of spatial inputs supported (4D tensors), but got input of dimension: {self.ndim}"
        )
    if (self.shape[0], *self.shape[2:]) != target.shape:
        raise RuntimeError(f"size mismatch (got input: {brackets(self.shape)} , target: {brackets(target.shape)}")
    if weight is not None and weight.shape != (self.shape[1],):
        raise RuntimeError("weight tensor should be defined either for all or no classes")
    _check_dtypes(self, target, weight, "nll_loss2d_forward_out_frame")


def _check_dtypes(self: Any, target: Any, weight: Any, kernel: str) -> None:
    if target.dtype not in (np.int64, np.uint8):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {dtype_of(target).scalar_type}")
    if weight is not None and weight.dtype != self.dtype:
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
    if x.ndim == y.ndim == 1 and y.size != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {y.size}")
    if x.ndim != 1 and x.shape[:1] != y.shape[:1]:
        batch = y.shape[0] if y.ndim else 0
        raise ValueError(f"Expected input batch_size ({x.shape[0]}) to match target batch_size ({batch}).")
    if x.ndim in (1, 2):
        return o.nll_loss_forward(self, target, weight, reduction, ignore_index)[0]
    if x.ndim == 4:
        return o.nll_loss2d_forward(self, target, weight, reduction, ignore_index)[0]
    if y.shape[1:] != x.shape[2:]:
        raise RuntimeError(f"Expected target size {brackets((x.shape[0], *x.shape[2:]))}, got {brackets(y.shape)}")
    count, classes = x.shape[:2]
    flat = o.reshape(self, (count, classes, 1, -1) if x.size else (count, classes, 0, 0))
    places = o.reshape(target, (count, 1, -1) if x.size else (count, 0, 0))
    found = o.nll_loss2d_forward(flat, places, weight, reduction, ignore_index)[0]
    return o.reshape(found, (count, *x.shape[2:])) if reduction == NONE else found


# Cross entropy


def _check_smoothing(label_smoothing: float) -> None:
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")


def _of_probabilities(o: Any, self: Any, target: Any, weight: Any, reduction: int, label_smoothing: float) -> Any:
    x = self.array
    axis = 0 if x.ndim == 1 else 1
    classes = x.shape[axis]
    if weight is not None and weight.array.shape != (classes,):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got "
            f"weight tensor of shape: {brackets(weight.array.shape)}"
        )
    _check_smoothing(label_smoothing)
    logs = o.log_softmax(self, axis)
    if label_smoothing > 0:
        target = o.add(o.mul(target, 1 - label_smoothing), label_smoothing / x.shape[axis])
    terms = o.mul(logs, target)
    if weight is not None:
        sizes = [1] * x.ndim
        sizes[axis] = -1
        terms = o.mul(terms, o.view(weight, tuple(sizes)))
    if reduction == NONE:
        return o.neg(o.sum(terms, axis))
    total = o.neg(o.sum(terms))
    if reduction == SUM:
        return total
    return o.div_number(total, x.size // x.shape[axis])


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
        sizes = [1] * self.array.ndim
        sizes[axis] = -1
        spread = o.neg(o.sum(o.mul(logs, o.view(weight, tuple(sizes))), axis))
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
    return o.add(o.mul(likelihood, 1 - label_smoothing), o.mul(spread, label_smoothing / count))


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


# Yes or no


def _bce(self: np.ndarray, target: np.ndarray, weight: Any, reduction: int = MEAN) -> Any:
    if self.dtype.kind != "f":
        raise not_implemented("binary_cross_entropy", self.dtype)
    if self.size and not ((self >= 0) & (self <= 1)).all():
        raise RuntimeError("all elements of input should be between 0 and 1")
    if target.size and not ((target >= 0) & (target <= 1)).all():
        raise RuntimeError("all elements of target should be between 0 and 1")
    lowest = np.asarray(-100, self.dtype)
    losses = (target - 1) * np.maximum(np.log1p(-self), lowest) - target * np.maximum(np.log(self), lowest)
    return reduced_loss(losses if weight is None else losses * weight, reduction)


def _bce_backward(
    grad_output: np.ndarray, self: np.ndarray, target: np.ndarray, weight: Any, reduction: int = MEAN
) -> Any:
    slopes = grad_output * (self - target) / np.maximum((1 - self) * self, np.asarray(1e-12, self.dtype))
    slopes = slopes if weight is None else slopes * weight
    return slopes / np.asarray(self.size, self.dtype) if reduction == MEAN else slopes


def _shares(o: Any, found: Any, weight: Any, reduction: int) -> Any:
    """``found`` weighed, and divided by the number of elements where the loss is their mean."""
    if weight is not None:
        found = o.mul(found, weight)
    count = int(np.prod(tuple(found.shape), dtype=np.int64))
    return o.div_number(found, count) if reduction == MEAN and count else found


def bce_by_target(o: Any, g: Any, self: Any, weight: Any, reduction: int) -> Any:
    """Derivative of the binary cross entropy by its target."""
    found = o.mul(g, o.sub(o.log1p(o.neg(self)), o.log(self)))
    return _shares(o, found, weight, reduction)


def _kept_from_zero(o: Any, self: Any) -> Any:
    """``self * (1 - self)``, which at the ends is not quite 0."""
    return o.mul(o.add_number(self, 1e-12), o.add_number(o.rsub_number(self, 1), 1e-12))


def bce_slope(o: Any, g: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
    """Derivative of the backward of the binary cross entropy by the gradient that comes in."""
    found = o.mul(g, o.div(o.sub(self, target), _kept_from_zero(o, self)))
    return _shares(o, found, weight, reduction)


def bce_curve(o: Any, g: Any, grad_output: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
    """Derivative of its backward by its input."""
    squared = o.mul(self, self)
    above = o.add(o.sub(squared, o.mul_number(o.mul(self, target), 2)), target)
    below = _kept_from_zero(o, self)
    found = o.div(o.mul(o.mul(g, grad_output), above), o.mul(below, below))
    return _shares(o, found, weight, reduction)


def bce_slope_by_target(o: Any, g: Any, grad_output: Any, self: Any, weight: Any, reduction: int) -> Any:
    """The same by its target."""
    found = o.div(o.mul(g, grad_output), o.mul(self, o.sub_number(self, 1)))
    return _shares(o, found, weight, reduction)


def _bce_shape(self: Sizes, target: Sizes, weight: Any = None, reduction: Any = MEAN, **_: Any) -> Sizes:
    return self if reduction in (NONE, "none") else ()


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
        grad_fn="BinaryCrossEntropyBackwardBackward0",
        section="loss",
        hidden=True,
    )
)


# Yes or no, from scores


def _bce_scores(self: np.ndarray, target: np.ndarray, weight: Any, pos_weight: Any, reduction: int = MEAN) -> Any:
    log = np.minimum(self, 0) - np.log1p(np.exp(-np.abs(self)))
    if pos_weight is None:
        losses = (1 - target) * self - log
    else:
        losses = (1 - target) * self - ((pos_weight - 1) * target + 1) * log
    return reduced_loss(losses if weight is None else losses * weight, reduction)


def scores_by_self(o: Any, g: Any, self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    """Derivative of the cross entropy of scores by the scores."""
    if pos_weight is None:
        found = o.mul(o.sub(o.sigmoid(self), target), g)
    else:
        wanted = o.mul(pos_weight, target)
        found = o.sub(o.mul(o.sub(o.add_number(wanted, 1), target), o.sigmoid(self)), wanted)
        found = o.mul(found, g)
    return _shares(o, found, weight, reduction)


def scores_by_target(o: Any, g: Any, self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    """The same by the target."""
    if pos_weight is None:
        found = o.mul(o.neg(self), g)
    else:
        no, yes = o.logsigmoid(o.neg(self)), o.mul(pos_weight, o.logsigmoid(self))
        found = o.mul(o.sub(no, yes), g)
    return _shares(o, found, weight, reduction)


def _check_scores(self: Any, target: Any, *weights: Any) -> None:
    if self.shape != target.shape:
        raise ValueError(
            f"Target size (torch.Size({brackets(target.shape)})) must be the same as input size "
            f"(torch.Size({brackets(self.shape)}))"
        )
    for values in weights:
        together = self.shape if values is None else broadcast(self.shape, values.shape)
        if together != self.shape:
            raise RuntimeError(
                f"output with shape {brackets(self.shape)} doesn't match the broadcast shape {brackets(together)}"
            )


register(
    Record(
        name="binary_cross_entropy_with_logits",
        inputs=("self", "target", "weight", "pos_weight"),
        attributes=(CODE,),
        optional=frozenset({"weight", "pos_weight"}),
        no_gradient=frozenset({"weight", "pos_weight"}),
        promotes="together",
        check=_check_scores,
        forward=_bce_scores,
        vjps={"self": scores_by_self, "target": scores_by_target},
        grad_fn="BinaryCrossEntropyWithLogitsBackward0",
        function="torch.binary_cross_entropy_with_logits",
        shape=lambda self, target, weight, pos_weight, reduction=MEAN: _bce_shape(self, target, weight, reduction),
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
