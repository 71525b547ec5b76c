"""Special functions: of the error integral, of the gamma function, and those with a gap that is filled."""

from __future__ import annotations

from math import log, pi, sqrt
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import state
from chalkgrad.engine.dtype import check_held
from chalkgrad.engine.ordering import ordered_by
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops import special_values as values
from chalkgrad.ops.composing import array_in, like
from chalkgrad.ops.overloads import by_number, from_number, overloaded
from chalkgrad.ops.pointwise import UNIT, pointwise
from chalkgrad.ops.samples import M23, MISMATCH, P3, V2, V3, S, vector


def bell(o: Any, self: Any, factor: float) -> Any:
    """``factor * exp(-self ** 2)``."""
    return o.mul_number(o.exp(o.neg(o.pow_number(self, 2))), factor)


pointwise(
    "erf",
    values.erf,
    lambda o, g, self: o.mul(bell(o, self, 2 / sqrt(pi)), g),
    r"\operatorname{erf} \self",
    r"\frac{2}{\sqrt{\pi}} e^{-\self^{2}}",
    V3,
    S,
)
pointwise(
    "erfc",
    values.erfc,
    lambda o, g, self: o.mul(bell(o, self, -2 / sqrt(pi)), g),
    r"\operatorname{erfc} \self",
    r"-\frac{2}{\sqrt{\pi}} e^{-\self^{2}}",
    V3,
    S,
)
pointwise(
    "erfinv",
    values.erfinv,
    lambda o, g, self: o.mul(o.mul_number(o.exp(o.pow_number(o.erfinv(self), 2)), sqrt(pi) / 2), g),
    r"\operatorname{erf}^{-1} \self",
    r"\frac{\sqrt{\pi}}{2} e^{(\operatorname{erf}^{-1} \self)^{2}}",
    UNIT,
)
pointwise(
    "lgamma",
    values.lgamma,
    lambda o, g, self: o.mul(g, o.digamma(self)),
    r"\ln \lvert \Gamma(\self) \rvert",
    r"\psi(\self)",
    P3,
    vector(-0.5, -1.75),
)
pointwise(
    "digamma",
    values.digamma,
    lambda o, g, self: o.mul(g, o.polygamma_of(self, 1)),
    r"\psi(\self)",
    r"\psi'(\self)",
    P3,
    vector(-0.5, -1.75),
)


# Derivatives of digamma


def _polygamma_shape(self: tuple[int, ...], n: int) -> tuple[int, ...]:
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    return self


def polygamma_in_place(o: Any, self: Any, n: int) -> Any:
    """Compose: a wrong ``n`` is told of before it is seen whether the tensor may be written."""
    if not (state.grad and self.requires_grad):  # else it may first be refused as a leaf
        _polygamma_shape(self.array.shape, n)
    return o.polygamma_of_(self, n)


def _polygamma(self: np.ndarray, n: int) -> np.ndarray:
    _polygamma_shape(self.shape, n)
    return values.polygamma(n, self)


register(
    Record(
        name="polygamma_of",
        inputs=("self",),
        attributes=(Attribute("n", "int", required=True),),
        promotes="float",
        forward=_polygamma,
        vjps={"self": lambda o, g, self, n: o.mul(g, o.polygamma_of(self, n + 1))},
        grad_fn="PolygammaBackward0",
        shape=_polygamma_shape,
        section="pointwise",
        hidden=True,
        part_of="digamma",
        samples=(((P3, 1), {}), ((P3, 2), {}), ((P3, 0), {})),
    )
)

register(
    Record(
        name="polygamma",
        inputs=("self",),
        attributes=(Attribute("n", "int", required=True),),
        forward=_polygamma,
        compose=lambda o, self, n: o.polygamma_of(self, n),
        grad_fn="PolygammaBackward0",
        function="torch.polygamma",
        method="polygamma",
        shape=_polygamma_shape,
        section="pointwise",
        signatures=("torch.polygamma(int n, Tensor input, *, Tensor out=None)", "Tensor.polygamma(int n)"),
        hidden=True,
        part_of="digamma",
    )
)


# The gamma function of several dimensions


def _mvlgamma_shape(self: tuple[int, ...], p: int) -> tuple[int, ...]:
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    return self


def _mvlgamma(self: np.ndarray, p: int) -> Any:
    whole = np.asarray(self, order="C")
    total = sum(values.lgamma(whole - self.dtype.type(j / 2)) for j in range(p))
    return total + self.dtype.type(p * (p - 1) / 4 * log(pi))


def mvlgamma_gradient(o: Any, g: Any, self: Any, p: int) -> Any:
    """Derivative of the multivariate lgamma: digamma at ``p`` places, half apart, added up."""
    steps = like(self, np.arange(0.5 - p / 2, 0.5, 0.5, dtype=array_in(self).dtype))
    return o.mul(g, o.sum_dim(o.digamma_(o.add(steps, o.unsqueeze(self, -1))), (-1,)))


def _check_mvlgamma(self: np.ndarray) -> None:
    if self.dtype.kind == "b":
        raise RuntimeError("The input tensor may not be a boolean tensor.")


def mvlgamma_in_place(o: Any, self: Any, p: int) -> Any:
    """Compose: integers can't be written, but are told of a wrong ``p`` first."""
    if self.array.dtype.kind != "f":
        _check_mvlgamma(self.array)
    if not (state.grad and self.requires_grad):  # else it may first be refused as a leaf
        _mvlgamma_shape(self.array.shape, p)
    return o.mvlgamma_of_(self, p)


_P = Attribute("p", "int", required=True)
pointwise(
    "mvlgamma_of",
    _mvlgamma,
    mvlgamma_gradient,
    "",
    "",
    grad_fn="Mvlgamma",
    attributes=(_P,),
    check=_check_mvlgamma,
    shape=_mvlgamma_shape,
    function=None,
    method=None,
    hidden=True,
    elementwise=False,
    part_of="lgamma",
    samples=(((P3 + 2, 2), {}), ((P3 + 2, 3), {})),
)
pointwise(
    "mvlgamma",
    _mvlgamma,
    mvlgamma_gradient,
    "",
    "",
    attributes=(_P,),
    compose=lambda o, self, p: o.mvlgamma_of(self, p),
    hidden=True,
    part_of="lgamma",
    samples=(((P3 + 2, 2), {}),),
)


# Functions with a gap that is filled


def _sinc(self: np.ndarray) -> Any:
    angle = self * self.dtype.type(pi)
    return np.where(self == 0, self.dtype.type(1), np.sin(angle) / angle)


def sinc_gradient(o: Any, g: Any, self: Any) -> Any:
    """Derivative of ``sin(pi x) / (pi x)``, 0 at 0."""
    angle, square = o.mul_number(self, pi), o.mul_number(o.mul(self, self), pi)
    sine = o.sin(angle)
    slope = o.mul(g, o.div(o.sub(o.mul(angle, o.cos(angle)), sine), square))
    return o.where(o.eq(square, 0), o.zeros_of(g, ()), slope)


pointwise(
    "sinc",
    _sinc,
    sinc_gradient,
    r"\frac{\sin \pi \self}{\pi \self}",
    r"\frac{\cos \pi \self}{\self} - \frac{\sin \pi \self}{\pi \self^{2}}",
    V3 + 0.1,
    S,
)


def _logit(self: np.ndarray, eps: float | None = None) -> Any:
    check_held(self, eps)
    if eps is not None and eps >= 0:
        low, high = self.dtype.type(eps), self.dtype.type(1 - eps)
        self = np.where(self < low, low, np.where(self > high, high, self))
    return np.log(self / (1 - self))


def logit_gradient(o: Any, g: Any, self: Any, eps: float | None) -> Any:
    """Derivative of logit: nan outside of 0 to 1, or 0 where ``eps`` cuts off.

    In a graph an ``eps`` below 0 is one, too, and a nan lies outside.
    """
    recorded = not isinstance(self, np.ndarray)
    if eps is not None and eps < 0 and not recorded:
        eps = None
    low, high = (0, 1) if eps is None else (eps, 1 - eps)
    inside = o.logical_and(o.ge(self, low), o.le(self, high)) if recorded else ~((self < low) | (self > high))
    outside = o.zeros_of(g, ()) if eps is not None else o.add_number(o.zeros_of(g, ()), float("nan"))
    below = o.mul(self, o.sub(1.0, self))
    found = o.where(inside, o.div(g, below if recorded else below + 0), outside)  # so that -0 is like 0
    return found if recorded else ordered_by(g, self, found)


pointwise(
    "logit",
    _logit,
    logit_gradient,
    r"\ln \frac{\self}{1 - \self}",
    r"\frac{1}{\self (1 - \self)}",
    attributes=(Attribute("eps", "float"),),
    signatures=("logit(Tensor input, float? eps=None, *, Tensor out=None)",),
    samples=(((vector(0.25, 0.5, 0.9),), {}), ((vector(0.05, 0.5, 0.99),), {"eps": 0.1})),
)


def _xlogy(self: Any, other: Any) -> Any:
    other = other if other.dtype.kind == "f" else other.astype(self.dtype)  # of bytes NumPy takes half floats
    return np.where((self == 0) & ~np.isnan(other), np.zeros_like(self), self * np.log(other))


def xlogy_gradient(o: Any, g: Any, self: Any, other: Any) -> Any:
    """Derivative of ``self * log(other)`` by ``self``; 0 where both are 0, the second at most."""
    gap = o.logical_and(o.eq(self, 0), o.le(other, 0))
    return o.masked_fill(o.xlogy(g, other), gap, 0)


def xlogy_number_gradient(o: Any, g: Any, self: Any, other: Any) -> Any:
    """The same where ``other`` is a number."""
    slope = o.xlogy(g, other)
    return slope if other > 0 else o.masked_fill(slope, o.eq(self, 0), 0)


_LOGARITHM = r"\self \ln \other"
_PIECE: dict[str, Any] = {"section": "pointwise", "hidden": True, "part_of": "xlogy"}

register(
    Record(
        name="xlogy",
        inputs=("self", "other"),
        numbers=frozenset({"self", "other"}),
        forward=lambda self, other: _xlogy(np.asarray(self), np.asarray(other)),
        compose=overloaded("xlogy_tensor", "xlogy_number", "number_xlogy"),
        grad_fn="XlogyBackward0",
        function="torch.xlogy",
        method="xlogy",
        shape=broadcast,
        section="pointwise",
        latex=_LOGARITHM,
        derivatives={"self": r"\ln \other", "other": r"\frac{\self}{\other}"},
        signatures=(
            "xlogy(Tensor input, Tensor other, *, Tensor out=None)",
            "torch.xlogy(Scalar self, Tensor other, *, Tensor out=None)",
            "xlogy(Tensor input, Scalar other, *, Tensor out=None)",
        ),
        samples=(((V3, P3), {}), ((M23, P3), {}), ((V3, 2), {}), ((2, P3), {})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)
register(
    Record(
        name="xlogy_tensor",
        inputs=("self", "other"),
        promotes="float",
        forward=_xlogy,
        vjps={
            "self": xlogy_gradient,
            "other": lambda o, g, self, other: o.div(o.mul(g, self), other),
        },
        grad_fn="XlogyBackward0",
        shape=broadcast,
        samples=(((V3, P3), {}), ((M23, P3), {})),
        **_PIECE,
    )
)
register(
    Record(
        name="xlogy_number",
        inputs=("self",),
        attributes=(Attribute("other", "number", required=True),),
        promotes="none",
        forward=by_number(_xlogy, "float"),
        vjps={"self": xlogy_number_gradient},
        grad_fn="XlogyBackward2",
        shape=same,
        samples=(((V3, 2), {}),),
        **_PIECE,
    )
)
register(
    Record(
        name="number_xlogy",
        inputs=("other",),
        attributes=(Attribute("self", "number", required=True),),
        promotes="none",
        forward=from_number(_xlogy, "float"),
        vjps={"other": lambda o, g, other, self: o.div(o.mul_number(g, self), other)},
        grad_fn="XlogyBackward1",
        shape=same,
        samples=(((P3, 2), {}),),
        **_PIECE,
    )
)
