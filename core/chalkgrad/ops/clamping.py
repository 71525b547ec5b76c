"""Cutting off at bounds, and the larger or smaller of two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import exact
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.shapes import broadcast, broadcast_all, same
from chalkgrad.engine.size import brackets
from chalkgrad.ops.overloads import check_result, common_dtype, is_number, not_implemented, overloaded
from chalkgrad.ops.samples import M23, MISMATCH, P3, V2, V3, S, vector
from chalkgrad.ops.selecting import bounded, without

NO_BOUND = "torch.clamp: At least one of 'min' or 'max' must not be None"
BOUNDS = (Attribute("min", "number"), Attribute("max", "number"))
LOW, HIGH = vector(0.0, 0.5, 1.0), vector(0.25, 1.0, 1.5)


def zero(o: Any, g: Any) -> Any:
    """A tensor without dimensions that fills gaps of ``g``."""
    return o.zeros_of(g, ())


def larger(self: Any, other: Any) -> Any:
    """The larger of two; of -0 and 0 that of ``self``, as in PyTorch, where NumPy takes that of the second."""
    return bounded(np.maximum, self, other)


def smaller(self: Any, other: Any) -> Any:
    """The smaller of two, likewise."""
    return bounded(np.minimum, self, other)


def _clamped(self: np.ndarray, min: Any = None, max: Any = None) -> Any:
    found = self if min is None else larger(self, min)
    return found if max is None else smaller(found, max)


def _clamped_by_numbers(self: np.ndarray, min: Any, max: Any) -> Any:
    dtype = common_dtype((self, min, max))
    if dtype.numpy.kind == "b":
        which = "" if min is not None and max is not None else "_max" if min is None else "_min"
        raise not_implemented(f"clamp{which}_scalar_cpu", dtype.numpy)
    bounds = [None if bound is None else exact(bound, dtype) for bound in (min, max)]
    if any(bound is not None and bound != bound for bound in bounds):
        return np.full(self.shape, np.nan, dtype.numpy)
    return _clamped(self.astype(dtype.numpy, copy=False), *bounds)


def _clamped_by_tensors(self: np.ndarray, min: Any = None, max: Any = None) -> Any:
    if min is not None and max is not None and self.dtype.kind == "b":
        raise not_implemented("clamp_cpu", self.dtype)
    return _clamped(self, min, max)


def clamp_gradient(o: Any, g: Any, self: Any, min: Any, max: Any) -> Any:
    """Derivative by what is clamped: 1 also on the bounds."""
    if min is not None and max is not None:
        inside = o.ge(self, min)
        return o.where(o.logical_and(inside, _fits(inside, o.le(self, max))), g, zero(o, g))
    return o.where(o.ge(self, min) if max is None else o.le(self, max), g, zero(o, g))


def _fits(mask: Any, other: Any) -> Any:
    """``other``, which PyTorch joins with ``mask`` in place: RuntimeError where that would have to become larger."""
    shape = broadcast(tuple(mask.shape), tuple(other.shape))
    if shape != tuple(mask.shape):
        raise RuntimeError(
            f"output with shape {brackets(mask.shape)} doesn't match the broadcast shape {brackets(shape)}"
        )
    return other


def _clamp_gradients(o: Any, g: Any, self: Any, min: Any, max: Any, *, grad_input_mask: tuple[bool, ...]) -> Any:
    """The gradients of what is clamped and of the bounds, which PyTorch makes first."""
    of_self, of_min, of_max = grad_input_mask
    by_min = clamp_min_gradient(o, g, self, min, max) if of_min else None
    by_max = clamp_max_gradient(o, g, self, min, max) if of_max else None
    return clamp_gradient(o, g, self, min, max) if of_self else None, by_min, by_max


def clamp_min_gradient(o: Any, g: Any, self: Any, min: Any, max: Any) -> Any:
    """Derivative by the lower bound."""
    below = o.lt(self, min)
    return o.where(below if max is None else o.logical_and(below, _fits(below, o.lt(min, max))), g, zero(o, g))


def clamp_max_gradient(o: Any, g: Any, self: Any, min: Any, max: Any) -> Any:
    """Derivative by the upper bound, which counts more than the lower."""
    above = o.gt(self, max)
    return o.where(above if min is None else o.logical_or(above, _fits(above, o.lt(max, min))), g, zero(o, g))


def clamp(o: Any, self: Any, min: Any = None, max: Any = None, suffix: str = "") -> Any:
    """Compose: the operator for bounds that are tensors or numbers; ``suffix`` is ``_`` in place."""
    if min is None and max is None:
        raise RuntimeError(NO_BOUND)
    kind = "numbers" if all(bound is None or is_number(bound) for bound in (min, max)) else "tensors"
    if suffix and kind == "numbers":
        check_result(self.array, (min, max), cpp=True)
    return getattr(o, f"clamp_{kind}{suffix}")(self, min, max)


_CLAMP: dict[str, Any] = {"section": "pointwise", "hidden": True, "part_of": "clamp"}

register(
    Record(
        name="clamp",
        inputs=("self", "min", "max"),
        optional=frozenset({"min", "max"}),
        numbers=frozenset({"min", "max"}),
        forward=_clamped,
        compose=clamp,
        grad_fn="ClampBackward1",
        function="torch.clamp",
        method="clamp",
        shape=broadcast_all,
        section="pointwise",
        latex=r"\operatorname{min}(\operatorname{max}(\self, \min), \max)",
        derivatives={
            "self": r"[\min \le \self \le \max]",
            "min": r"[\self < \min]",
            "max": r"[\self > \max]",
        },
        aliases=("clip",),
        signatures=(
            "clamp(Tensor input, Tensor? min=None, Tensor? max=None, *, Tensor out=None)",
            "clamp(Tensor input, Scalar? min=None, Scalar? max=None, *, Tensor out=None)",
        ),
        samples=(
            ((V3, -1, 1), {}),
            ((V3, 0), {}),
            ((M23, None, 1.0), {}),
            ((V3, LOW, HIGH), {}),
            ((M23, LOW), {}),
        ),
        bad_samples=(((V2,), {}, "RuntimeError", NO_BOUND),),
    )
)
register(
    Record(
        name="clamp_numbers",
        inputs=("self",),
        attributes=BOUNDS,
        promotes="none",
        forward=_clamped_by_numbers,
        vjps={"self": clamp_gradient},
        grad_fn="ClampBackward1",
        shape=same,
        samples=(((V3, -1, 1), {}), ((V3, 0, None), {}), ((V3, None, 1), {})),
        **_CLAMP,
    )
)
register(
    Record(
        name="clamp_tensors",
        inputs=("self", "min", "max"),
        optional=frozenset({"min", "max"}),
        forward=_clamped_by_tensors,
        vjps=dict.fromkeys(("self", "min", "max"), _clamp_gradients),
        grad_fn="ClampBackward0",
        shape=broadcast_all,
        samples=(((V3, LOW, HIGH), {}), ((M23, HIGH, LOW), {}), ((V3, LOW, None), {}), ((V3, None, LOW), {})),
        **_CLAMP,
    )
)


# One bound


def _kept_above(o: Any, g: Any, self: Any, min: Any) -> Any:
    return o.where(o.ge(self, min), g, zero(o, g))


def _raised(o: Any, g: Any, self: Any, min: Any) -> Any:
    return o.where(o.lt(self, min), g, zero(o, g))


def _kept_below(o: Any, g: Any, self: Any, max: Any) -> Any:
    return o.where(o.le(self, max), g, zero(o, g))


def _lowered(o: Any, g: Any, self: Any, max: Any) -> Any:
    return o.where(o.gt(self, max), g, zero(o, g))


def _at_least(self: np.ndarray, min: Any) -> Any:
    return _clamped_by_numbers(self, min, None)


def _at_most(self: np.ndarray, max: Any) -> Any:
    return _clamped_by_numbers(self, None, max)


def _one_bound(name: str, bound: str, compute: Any, by_number: Formula, of_self: Formula, of_bound: Formula) -> None:
    """``clamp_min`` or ``clamp_max``, and its pieces for a tensor and for a number."""
    grad_fn = f"Clamp{bound.capitalize()}Backward"
    register(
        Record(
            name=name,
            inputs=("self", bound),
            numbers=frozenset({bound}),
            forward=compute,
            compose=overloaded(f"{name}_tensor", f"{name}_number"),
            function=f"torch.{name}",
            method=name,
            shape=broadcast,
            signatures=(
                f"{name}(Tensor input, Tensor {bound}, *, Tensor out=None)",
                f"{name}(Tensor input, Scalar {bound}, *, Tensor out=None)",
            ),
            samples=(((V3, LOW), {}), ((V3, 1), {})),
            **_CLAMP,
        )
    )
    register(
        Record(
            name=f"{name}_tensor",
            inputs=("self", bound),
            forward=compute,
            vjps={"self": of_self, bound: of_bound},
            grad_fn=f"{grad_fn}1",
            shape=broadcast,
            samples=(((V3, LOW), {}),),
            **_CLAMP,
        )
    )
    register(
        Record(
            name=f"{name}_number",
            inputs=("self",),
            attributes=(Attribute(bound, "number", required=True),),
            promotes="none",
            forward=by_number,
            vjps={"self": of_self},
            grad_fn=f"{grad_fn}0",
            shape=same,
            samples=(((V3, 1), {}),),
            **_CLAMP,
        )
    )


_one_bound("clamp_min", "min", larger, _at_least, _kept_above, _raised)
_one_bound("clamp_max", "max", smaller, _at_most, _kept_below, _lowered)


# The larger or smaller of two


def _shared(o: Any, g: Any, self: Any, other: Any) -> Any:
    """The gradient, halved where both are equal."""
    return o.where(o.eq(self, other), o.div_number(g, 2), g)


def _extreme(name: str, compute: Any, of_self: str, of_other: str, latex: str, wins: str) -> None:
    """``maximum`` or ``minimum``; gradients go to the one that is taken, half to each of equal ones."""
    register(
        Record(
            name=name,
            inputs=("self", "other"),
            forward=compute,
            vjps={
                "self": lambda o, g, self, other: without(
                    o, _shared(o, g, self, other), getattr(o, of_self)(self, other)
                ),
                "other": lambda o, g, self, other: without(
                    o, _shared(o, g, self, other), getattr(o, of_other)(self, other)
                ),
            },
            grad_fn=f"{name.capitalize()}Backward0",
            fills=1,
            function=f"torch.{name}",
            method=name,
            shape=broadcast,
            section="pointwise",
            latex=latex,
            derivatives={"self": rf"[\self {wins} \other]", "other": rf"[\other {wins} \self]"},
            samples=(((V3, vector(1.0, -2.0, 0.5)), {}), ((M23, P3 + 0.1), {}), ((V3, S), {})),
            bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
        )
    )


_extreme("maximum", larger, "lt", "gt", r"\max(\self, \other)", ">")
_extreme("minimum", smaller, "gt", "lt", r"\min(\self, \other)", "<")


def _taken(o: Any, self: Any, other: Any, compare: str) -> Any:
    """Where the first is taken, as it also is beside nan."""
    return o.logical_or(getattr(o, compare)(self, other), o.isnan(other))


def _extreme_of_numbers(name: str, forward: Callable[..., Any], compare: str, latex: str, wins: str) -> None:
    """``fmax`` or ``fmin``, which prefer any number to nan; of equal ones the first gets the gradient."""
    register(
        Record(
            name=name,
            inputs=("self", "other"),
            forward=forward,
            vjps={
                "self": lambda o, g, self, other: o.masked_fill(g, o.logical_not(_taken(o, self, other, compare)), 0),
                "other": lambda o, g, self, other: o.masked_fill(g, _taken(o, self, other, compare), 0),
            },
            grad_fn=f"{name.capitalize()}Backward0",
            function=f"torch.{name}",
            method=name,
            shape=broadcast,
            section="pointwise",
            latex=latex,
            derivatives={"self": rf"[\self {wins} \other]", "other": rf"[\other {wins} \self]"},
            samples=(((V3, vector(1.0, -2.0, 0.5)), {}), ((M23, P3 + 0.1), {})),
            bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
        )
    )


def _first_of_equals(choose: np.ufunc) -> Callable[[np.ndarray, np.ndarray], Any]:
    """``choose``, but of 0 and -0 always the first, as which NumPy takes depends on how many there are."""

    def forward(self: np.ndarray, other: np.ndarray) -> Any:
        found = choose(self, other)
        return np.where(self == other, self, found) if found.dtype.kind == "f" else found

    return forward


_extreme_of_numbers("fmax", _first_of_equals(np.fmax), "ge", r"\max(\self, \other)", r"\ge")
_extreme_of_numbers("fmin", _first_of_equals(np.fmin), "le", r"\min(\self, \other)", r"\le")
