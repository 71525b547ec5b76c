"""Bessel functions, those of the normal distribution, and further special functions of ``torch.special``."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops import bessel_values as values
from chalkgrad.ops.arithmetic import dtype_kind
from chalkgrad.ops.composing import through
from chalkgrad.ops.overloads import by_number, from_number, overloaded
from chalkgrad.ops.pointwise import pointwise
from chalkgrad.ops.samples import P3, V3, S, vector

_SPECIAL: dict[str, Any] = {"function": None, "method": None, "hidden": True}


def _away_from_zero(o: Any, self: Any) -> tuple[Any, Any]:
    """Where ``self`` is not about 0, and ``self`` with a tiny number where it is."""
    tiny = float(np.finfo(getattr(self.dtype, "numpy", self.dtype)).eps)
    there = o.gt(o.abs(self), tiny)
    return there, o.where(there, self, tiny)


def i1_gradient(o: Any, g: Any, self: Any, result: Any) -> Any:
    """Derivative of I1; a half at 0."""
    there, safe = _away_from_zero(o, self)
    away = o.mul(result, o.reciprocal(safe))
    return o.mul(g, o.where(there, o.sub(o.i0(safe), away), 0.5))


def i1e_gradient(o: Any, g: Any, self: Any, result: Any) -> Any:
    """Derivative of the scaled I1; a half at 0."""
    there, safe = _away_from_zero(o, self)
    inverse = o.reciprocal(safe)
    away = o.mul(result, o.add(o.sgn(safe), inverse))
    return o.mul(g, o.where(there, o.sub(o.special_i0e(safe), away), 0.5))


def i0e_gradient(o: Any, g: Any, self: Any, result: Any) -> Any:
    """Derivative of the scaled I0."""
    away = o.mul(o.sgn(self), result)
    return o.mul(g, o.sub(o.special_i1e(self), away))


pointwise(
    "i0", values.i0, lambda o, g, self: o.mul(g, o.special_i1(self)), "I_0(\\self)", "I_1(\\self)", V3, hidden=True
)
pointwise(
    "special_i0e",
    values.i0e,
    i0e_gradient,
    r"e^{-\lvert \self \rvert} I_0(\self)",
    "",
    V3,
    grad_fn="SpecialI0E",
    **_SPECIAL,
)
pointwise("special_i1", values.i1, i1_gradient, r"I_1(\self)", "", V3, grad_fn="SpecialI1", **_SPECIAL)
pointwise(
    "special_i1e",
    values.i1e,
    i1e_gradient,
    r"e^{-\lvert \self \rvert} I_1(\self)",
    "",
    V3,
    grad_fn="SpecialI1E",
    **_SPECIAL,
)
pointwise(
    "special_entr",
    values.entr,
    lambda o, g, self: o.mul(g, o.neg(o.add_number(o.log(self), 1))),
    r"-\self \ln \self",
    r"-1 - \ln \self",
    P3,
    grad_fn="SpecialEntr",
    **_SPECIAL,
)


def _ndtri_gradient(o: Any, g: Any, result: Any) -> Any:
    slope = o.exp(o.div_number(o.pow_number(result, 2), 2))  # PyTorch works out the last operand first
    return o.mul(o.mul_number(g, sqrt(2 * pi)), slope)


pointwise(
    "special_ndtri",
    values.ndtri,
    _ndtri_gradient,
    r"\Phi^{-1}(\self)",
    "",
    vector(0.25, 0.5, 0.9),
    grad_fn="SpecialNdtri",
    **_SPECIAL,
)


def _log_ndtr_gradient(o: Any, g: Any, self: Any, result: Any) -> Any:
    slope = o.exp(o.neg(o.add(result, o.div_number(o.pow_number(self, 2), 2))))  # worked out first, too
    return o.mul(o.div_number(g, sqrt(2 * pi)), slope)


pointwise(
    "special_log_ndtr",
    values.log_ndtr,
    _log_ndtr_gradient,
    r"\ln \Phi(\self)",
    "",
    V3,
    S,
    grad_fn="SpecialLogNdtr",
    **_SPECIAL,
)
pointwise(
    "special_erfcx",
    values.erfcx,
    lambda o, g, self, result: o.mul(o.sub_number(o.mul(o.mul_number(self, 2.0), result), 2 / sqrt(pi)), g),
    r"e^{\self^{2}} \operatorname{erfc} \self",
    "",
    V3,
    grad_fn="SpecialErfcx",
    **_SPECIAL,
)


def _ndtr(o: Any, self: Any) -> Any:
    scaled = (o.mul if dtype_kind(self) != "f" else o.mul_number)(self, sqrt(0.5))
    return o.mul_number(o.add_number(o.erf(scaled), 1), 0.5)


register(
    Record(
        name="special_ndtr",
        inputs=("self",),
        forward=through(_ndtr),
        compose=_ndtr,
        shape=same,
        section="pointwise",
        latex=r"\Phi(\self)",
        hidden=True,
    )
)


# xlog1py


def xlog1py_gradient(o: Any, g: Any, self: Any, other: Any) -> Any:
    """Derivative of ``self * log(1 + other)`` by ``self``; 0 where both make a gap."""
    gap = o.logical_and(o.eq(self, 0), o.le(other, -1))
    return o.masked_fill(o.special_xlog1py(g, other), gap, 0)


def _by_grown(o: Any, g: Any, self: Any, other: Any) -> Any:
    grown = o.add_number(other, 1)  # PyTorch works out the last operand first
    return o.div(o.mul(g, self), grown)


def _number_gradient(o: Any, g: Any, self: Any, other: Any) -> Any:
    slope = o.special_xlog1py(g, other)
    return slope if other > -1 else o.masked_fill(slope, o.eq(self, 0), 0)


_PIECE: dict[str, Any] = {"section": "pointwise", "hidden": True, "part_of": "xlogy"}

register(
    Record(
        name="special_xlog1py",
        inputs=("self", "other"),
        numbers=frozenset({"self", "other"}),
        forward=lambda self, other: values.xlog1py(np.asarray(self), np.asarray(other)),
        compose=overloaded("xlog1py_tensor", "xlog1py_number", "number_xlog1py"),
        grad_fn="SpecialXlog1PyBackward0",
        shape=broadcast,
        signatures=(
            "special_xlog1py(Tensor input, Tensor other, *, Tensor out=None)",
            "torch.special_xlog1py(Scalar self, Tensor other, *, Tensor out=None)",
            "special_xlog1py(Tensor input, Scalar other, *, Tensor out=None)",
        ),
        **_PIECE,
    )
)
register(
    Record(
        name="xlog1py_tensor",
        inputs=("self", "other"),
        promotes="float",
        forward=values.xlog1py,
        vjps={
            "self": xlog1py_gradient,
            "other": _by_grown,
        },
        grad_fn="SpecialXlog1PyBackward0",
        shape=broadcast,
        samples=(((V3, P3), {}),),
        **_PIECE,
    )
)
register(
    Record(
        name="xlog1py_number",
        inputs=("self",),
        attributes=(Attribute("other", "number", required=True),),
        promotes="none",
        forward=by_number(values.xlog1py, "float"),
        vjps={"self": _number_gradient},
        grad_fn="SpecialXlog1PyBackward2",
        shape=same,
        samples=(((V3, 2), {}),),
        **_PIECE,
    )
)
register(
    Record(
        name="number_xlog1py",
        inputs=("other",),
        attributes=(Attribute("self", "number", required=True),),
        promotes="none",
        forward=from_number(values.xlog1py, "float"),
        vjps={"other": lambda o, g, other, self: _by_grown(o, g, self, other)},
        grad_fn="SpecialXlog1PyBackward1",
        shape=same,
        samples=(((P3, 2), {}),),
        **_PIECE,
    )
)
