"""Losses of distance with bends: smooth, huber, and soft margin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import cast, dtype_of, get_default_dtype
from chalkgrad.engine.ordering import laid_as
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.size import brackets
from chalkgrad.ops.arithmetic import refuse_negated_bool
from chalkgrad.ops.loss import CODE, MEAN, NONE, check_written_like, curve_written, reduced_loss, shared_in_place
from chalkgrad.ops.overloads import common_dtype, not_implemented
from chalkgrad.ops.samples import P3, V3
from chalkgrad.ops.selecting import choose
from chalkgrad.ops.windows import Sizes

Slope = Callable[[Any, float], Any]


def _shape(self: Sizes, target: Sizes, reduction: Any = MEAN, **_: Any) -> Sizes:
    shape = broadcast(self, target)
    return shape if reduction == NONE else ()


def _share(size: int, reduction: int, dtype: Any) -> Any:
    return np.asarray(1 / size if reduction == MEAN and size else 1, dtype)


def slope_by_gradient(
    o: Any, back: Callable[..., Any], g: Any, grad_output: Any, self: Any, target: Any, reduction: int, *bend: float
) -> Any:
    """Derivative of a loss's backward by the gradient that comes in: what 1 would come to, weighted and added up."""
    if reduction == NONE:
        return back(g, self, target, reduction, *bend)
    ones = o.add(o.zeros_of(grad_output, tuple(grad_output.shape)), 1)
    return o.sum(o.mul(back(ones, self, target, reduction, *bend), g))


def _smooth(x: np.ndarray, beta: float) -> Any:
    size = np.abs(x)
    if beta == 0:
        return size
    return np.asarray(choose(size < beta, 0.5 * size * size / beta, size - 0.5 * beta), x.dtype)


def _smooth_slope(x: np.ndarray, beta: float) -> Any:
    return np.sign(x) if beta == 0 else np.clip(x / np.asarray(beta, x.dtype), -1, 1)


def _huber(x: np.ndarray, delta: float) -> Any:
    size = np.abs(x)
    return np.asarray(choose(size <= delta, 0.5 * size * size, delta * (size - 0.5 * delta)), x.dtype)


def _huber_slope(x: np.ndarray, delta: float) -> Any:
    return np.clip(x, -delta, delta)


def _as(target: np.ndarray, self: np.ndarray) -> np.ndarray:
    """``target`` in the dtype of ``self``, which a loss that is written into a tensor like ``self`` has."""
    check_written_like(self, target)
    return cast(target, dtype_of(self))


def _check_alike(self: np.ndarray, *others: np.ndarray) -> None:
    """RuntimeError unless all have one dtype: what huber_loss takes forward, it refuses backward."""
    for other in others:
        if other.dtype != self.dtype:
            raise RuntimeError(f"Found dtype {dtype_of(other).scalar_type} but expected {dtype_of(self).scalar_type}")


def _bent(name: str, node: str, option: str, height: Slope, slope: Slope, curve: Callable[..., Any]) -> None:
    """A loss that is a parabola near 0 and straight from ``option`` on, and its backward."""
    attribute, back = Attribute(option, "float", 1.0), f"{name}_backward"

    def forward(self: np.ndarray, target: np.ndarray, reduction: int, bend: float) -> Any:
        if not (bend > 0 if name == "huber_loss" else bend >= 0):
            refused = "non-positive" if name == "huber_loss" else "negative"
            raise RuntimeError(f"{name} does not support {refused} values for {option}.")
        if name == "huber_loss":
            target = _as(target, self)
        if self.dtype.kind != "f":
            raise not_implemented(name.removesuffix("_loss") + "_cpu", self.dtype)
        found = reduced_loss(height(self - target, bend), reduction)
        if name == "huber_loss" and reduction == NONE:
            return laid_as(np.asarray(found, order="C"), self)
        return found

    def backward(grad_output: np.ndarray, self: np.ndarray, target: np.ndarray, reduction: int, bend: float) -> Any:
        if name == "huber_loss":
            _check_alike(self, grad_output, target)
        else:
            check_written_like(self, grad_output, target)
        own, common = self.dtype, common_dtype((grad_output, self, target))
        grad_output, self, target = (cast(value, common) for value in (grad_output, self, target))
        found = slope(self - target, bend) * grad_output * _share(self.size, reduction, self.dtype)
        return np.asarray(found, own, order="C")

    def curved(o: Any, g: Any, grad_output: Any, self: Any, target: Any, reduction: int, bend: float) -> Any:
        g = o.mul(g, grad_output)
        inside = o.lt(o.abs(o.sub(self, target)), bend)
        return shared_in_place(o, curve(o, g, inside, bend), self, reduction)

    vjps, curves = _formulas(option, back, curved)
    register(
        Record(
            name=f"{name}_native",
            inputs=("self", "target"),
            attributes=(CODE, attribute),
            forward=lambda self, target, reduction=MEAN, **bend: (
                forward(self, target, reduction, *bend.values()) if bend else forward(self, target, reduction, 1.0)
            ),
            promotes="none" if name == "huber_loss" else "together",
            vjps=vjps,
            elementwise=name != "huber_loss",
            grad_fn=f"{node}Backward0",
            shape=_shape,
            section="loss",
            hidden=True,
            samples=(((V3, P3 * 2, MEAN), {}),),
        )
    )
    register(
        Record(
            name=back,
            inputs=("grad_output", "self", "target"),
            attributes=(CODE, attribute),
            forward=lambda grad_output, self, target, reduction, *bend, **named: backward(
                grad_output, self, target, reduction, *(bend or named.values() or (1.0,))
            ),
            promotes="none",
            vjps=curves,
            fills=curve_written,
            grad_fn=f"{node}BackwardBackward0",
            section="loss",
            hidden=True,
        )
    )


def _formulas(option: str, back: str, curved: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The formulas, with the option under its own name, which is what is saved."""
    if option == "beta":
        return (
            {
                "self": lambda o, g, self, target, reduction, beta: getattr(o, back)(g, self, target, reduction, beta),
                "target": lambda o, g, self, target, reduction, beta: getattr(o, back)(
                    g, target, self, reduction, beta
                ),
            },
            {
                "grad_output": lambda o, g, self, target, reduction, beta: getattr(o, back)(
                    g, self, target, reduction, beta
                ),
                "self": lambda o, g, grad_output, self, target, reduction, beta: curved(
                    o, g, grad_output, self, target, reduction, beta
                ),
                "target": lambda o, g, grad_output, self, target, reduction, beta: o.neg(
                    curved(o, g, grad_output, self, target, reduction, beta)
                ),
            },
        )
    return (
        {
            "self": lambda o, g, self, target, reduction, delta: getattr(o, back)(g, self, target, reduction, delta),
            "target": lambda o, g, self, target, reduction, delta: getattr(o, back)(g, target, self, reduction, delta),
        },
        {
            "grad_output": lambda o, g, grad_output, self, target, reduction, delta: slope_by_gradient(
                o, getattr(o, back), g, grad_output, self, target, reduction, delta
            ),
            "self": lambda o, g, grad_output, self, target, reduction, delta: curved(
                o, g, grad_output, self, target, reduction, delta
            ),
            "target": lambda o, g, grad_output, self, target, reduction, delta: o.neg(
                curved(o, g, grad_output, self, target, reduction, delta)
            ),
        },
    )


def _smooth_curve(o: Any, g: Any, inside: Any, beta: float) -> Any:
    if beta == 0:
        return o.zeros_of(g, tuple(g.shape))
    return o.div_number(o.mul(g, o.to_copy(inside, g.dtype)), beta)


def _huber_curve(o: Any, g: Any, inside: Any, delta: float) -> Any:
    return o.mul(g, inside)


_bent("smooth_l1_loss", "SmoothL1Loss", "beta", _smooth, _smooth_slope, _smooth_curve)
_bent("huber_loss", "HuberLoss", "delta", _huber, _huber_slope, _huber_curve)


# The soft margin


def _soft_shape(self: Sizes, target: Sizes, reduction: Any = MEAN) -> Sizes:
    whole = broadcast(self, target)
    if whole != self:  # it is all written into the negated input
        raise RuntimeError(f"output with shape {brackets(self)} doesn't match the broadcast shape {brackets(whole)}")
    return whole if reduction == NONE else ()


def _check_soft(self: np.ndarray, target: np.ndarray) -> None:
    refuse_negated_bool(self)


def _soft(self: np.ndarray, target: np.ndarray, reduction: int = MEAN) -> Any:
    product = self * _as(target, self)
    if self.dtype.kind != "f":
        computed, own = get_default_dtype().scalar_type, dtype_of(self).scalar_type
        raise RuntimeError(f"result type {computed} can't be cast to the desired output type {own}")
    return reduced_loss(np.log1p(np.exp(-product)), reduction)


def _soft_backward(grad_output: np.ndarray, self: np.ndarray, target: np.ndarray, reduction: int = MEAN) -> Any:
    refuse_negated_bool(target)
    grown = np.exp(-target * self)  # of unsigned labels the negated ones are large
    return target * grown * -_share(self.size, reduction, self.dtype) / (1 + grown) * grad_output


def soft_margin_curve(o: Any, g: Any, grad_output: Any, self: Any, target: Any, reduction: int) -> Any:
    """Derivative of the soft margin loss's backward by the loss's input."""
    g = o.mul(g, grad_output)
    grown = o.exp(o.mul(self, o.neg(target)))
    more = o.add_number(grown, 1)
    below = o.mul(more, more)
    found = o.div(o.mul(o.mul(g, o.mul(target, target)), grown), below)
    return shared_in_place(o, found, self, reduction)


register(
    Record(
        name="soft_margin_loss_native",
        inputs=("self", "target"),
        no_gradient=frozenset({"target"}),
        attributes=(CODE,),
        promotes="none",
        check=_check_soft,
        forward=_soft,
        vjps={"self": lambda o, g, self, target, reduction: o.soft_margin_loss_backward(g, self, target, reduction)},
        grad_fn="SoftMarginLossBackward0",
        shape=_soft_shape,
        section="loss",
        hidden=True,
        samples=(((V3, np.array([1, -1, 1]), MEAN), {}),),
    )
)
register(
    Record(
        name="soft_margin_loss_backward",
        inputs=("grad_output", "self", "target"),
        attributes=(CODE,),
        promotes="none",
        forward=_soft_backward,
        vjps={
            "grad_output": lambda o, g, grad_output, self, target, reduction: slope_by_gradient(
                o, o.soft_margin_loss_backward, g, grad_output, self, target, reduction
            ),
            "self": soft_margin_curve,
        },
        fills=lambda reduction: (0, reduction == MEAN),
        grad_fn="SoftMarginLossBackwardBackward0",
        section="loss",
        hidden=True,
    )
)
