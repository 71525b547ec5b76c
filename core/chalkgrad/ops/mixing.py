"""Pointwise operators of two or three tensors: angles, lengths, signs taken over, mixtures."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import cast, check_held, dtype_of
from chalkgrad.engine.outputs import warn_resized
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.rules import ARRAYS
from chalkgrad.engine.shapes import broadcast, broadcast_all, same
from chalkgrad.ops.arithmetic import refuse_bools, refuse_negated_bool
from chalkgrad.ops.overloads import (
    FLOATS,
    by_number,
    common_dtype,
    is_number,
    limited,
    no_gradient_by_other,
    not_implemented,
    overloaded,
    underivable,
)
from chalkgrad.ops.samples import M23, MISMATCH, P3, V2, V3, vector
from chalkgrad.ops.selecting import choose, without


def _binary(
    name: str, forward: Any, of_self: Formula, of_other: Formula, latex: str, slopes: tuple[str, str], **fields: Any
) -> None:
    """A function of two tensors, element by element."""
    defaults: dict[str, Any] = {
        "inputs": ("self", "other"),
        "grad_fn": f"{name.capitalize()}Backward0",
        "function": f"torch.{name}",
        "method": name,
        "shape": broadcast,
        "section": "pointwise",
        "samples": (((V3, P3), {}), ((M23, P3), {})),
        "bad_samples": (((V2, V3), {}, "RuntimeError", MISMATCH),),
    }
    register(
        Record(
            name=name,
            forward=forward,
            vjps={"self": of_self, "other": of_other},
            latex=latex,
            derivatives={"self": slopes[0], "other": slopes[1]},
            **(defaults | fields),
        )
    )


def _reciprocal_length(o: Any, self: Any, other: Any) -> Any:
    """1 / (self ** 2 + other ** 2), 0 where that is infinite."""
    square = o.mul(other, other)
    found = o.reciprocal(o.add(o.mul(self, self), square))
    return o.masked_fill(found, o.isinf(found), 0)


def angle_gradients(o: Any, g: Any, self: Any, other: Any, *, grad_input_mask: tuple[bool, ...]) -> Any:
    """Both derivatives of ``atan2``."""
    of_self, of_other = grad_input_mask
    if of_other:
        refuse_negated_bool(self)
    shrunk = _reciprocal_length(o, self, other)
    return (
        o.mul(o.mul(g, other), shrunk) if of_self else None,
        o.mul(o.mul(g, o.neg(self)), shrunk) if of_other else None,
    )


_binary(
    "atan2",
    np.arctan2,
    angle_gradients,
    angle_gradients,
    r"\operatorname{atan2}(\self, \other)",
    (r"\frac{\other}{\self^{2} + \other^{2}}", r"-\frac{\self}{\self^{2} + \other^{2}}"),
    promotes="float",
    aliases=("arctan2",),
)
_binary(
    "hypot",
    limited("hypot_cpu", FLOATS, np.hypot),
    lambda o, g, self, result: o.div(o.mul(g, self), result),
    lambda o, g, other, result: o.div(o.mul(g, other), result),
    r"\sqrt{\self^{2} + \other^{2}}",
    (r"\frac{\self}{\sqrt{\self^{2} + \other^{2}}}", r"\frac{\other}{\sqrt{\self^{2} + \other^{2}}}"),
)


def _minus(o: Any, self: Any, other: Any) -> Any:
    """A difference of inputs, which may be bools and are refused then."""
    refuse_bools(self, other)
    return o.sub(self, other)


_binary(
    "logaddexp",
    limited("logaddexp_cpu", FLOATS, np.logaddexp),
    lambda o, g, self, other: o.div(g, o.add_number(o.exp(_minus(o, other, self)), 1)),
    lambda o, g, self, other: o.div(g, o.add_number(o.exp(_minus(o, self, other)), 1)),
    r"\ln(e^{\self} + e^{\other})",
    (r"\frac{e^{\self}}{e^{\self} + e^{\other}}", r"\frac{e^{\other}}{e^{\self} + e^{\other}}"),
)
_binary(
    "logaddexp2",
    limited("logaddexp2_cpu", FLOATS, np.logaddexp2),
    lambda o, g, self, other: o.div(g, o.add_number(o.number_pow(_minus(o, other, self), 2), 1)),
    lambda o, g, self, other: o.div(g, o.add_number(o.number_pow(_minus(o, self, other), 2), 1)),
    r"\log_{2}(2^{\self} + 2^{\other})",
    (r"\frac{2^{\self}}{2^{\self} + 2^{\other}}", r"\frac{2^{\other}}{2^{\self} + 2^{\other}}"),
)


def refuse_bool_exponent(self: np.ndarray, other: np.ndarray) -> None:
    """NotImplementedError where PyTorch has no ``ldexp`` of a floating-point tensor."""
    if self.dtype.kind == "f" and other.dtype.kind == "b":
        raise not_implemented("ldexp_cpu_exp", other.dtype)


def _check_ldexp(self: np.ndarray, other: np.ndarray) -> None:
    shape = broadcast(self.shape, other.shape)
    if self.dtype.kind == "f" and other.dtype.kind != "f" and self.size and shape != self.shape:
        warn_resized(self.shape, shape)  # PyTorch prepares a result of the first one's shape
    refuse_bool_exponent(self, other)


def _ldexp(self: np.ndarray, other: np.ndarray) -> np.ndarray:
    """``self * 2 ** other``, the power in the dtype of ``other``: as exact as C where that is an ``int``."""
    if self.dtype.kind == "f" and other.dtype.kind != "f":
        return np.asarray(np.ldexp(self, other.astype(np.int32)))
    power = ARRAYS.number_pow(other, 2.0)
    dtype = common_dtype((self, power))
    return np.asarray(cast(self, dtype) * cast(power, dtype))


_binary(
    "ldexp",
    _ldexp,
    lambda o, g, other: o.mul(g, o.number_pow(other, 2)),
    lambda o, g, result: o.mul_number(o.mul(g, result), log(2)),
    r"\self \cdot 2^{\other}",
    (r"2^{\other}", r"\self \cdot 2^{\other} \ln 2"),
    promotes="none",
    check=_check_ldexp,
)
_binary(
    "nextafter",
    limited("nextafter_cpu", FLOATS, np.nextafter),
    lambda o, g, self, other: o.where(o.ne(self, other), g, o.zeros_of(g, ())),
    no_gradient_by_other,
    r"\self \to \other",
    ("1", "0"),
    fills={"other": 1},
    samples=(((V3 * 1.5, P3 + 0.1), {}),),
)


# The sign of another tensor or number


def copysign_gradient(o: Any, g: Any, self: Any, result: Any) -> Any:
    """Derivative by what gives the size: 1 or -1, 0 at 0."""
    return o.mul(g, without(o, o.div(result, self), o.eq(self, 0)))


register(
    Record(
        name="copysign",
        inputs=("self", "other"),
        numbers=frozenset({"other"}),
        forward=np.copysign,
        compose=overloaded("copysign_tensor", "copysign_number"),
        grad_fn="CopysignBackward0",
        function="torch.copysign",
        method="copysign",
        shape=broadcast,
        section="pointwise",
        latex=r"\lvert \self \rvert \operatorname{sgn} \other",
        derivatives={"self": r"\operatorname{sgn} \self \operatorname{sgn} \other", "other": "0"},
        signatures=(
            "copysign(Tensor input, Tensor other, *, Tensor out=None)",
            "copysign(Tensor input, Scalar other, *, Tensor out=None)",
        ),
        samples=(((V3, -P3), {}), ((M23, V3), {}), ((V3, -1), {})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)
register(
    Record(
        name="copysign_tensor",
        inputs=("self", "other"),
        promotes="float",
        forward=np.copysign,
        vjps={"self": copysign_gradient, "other": no_gradient_by_other},
        fills={"other": 1},
        grad_fn="CopysignBackward0",
        shape=broadcast,
        section="pointwise",
        hidden=True,
        part_of="copysign",
        samples=(((V3, -P3), {}),),
    )
)
register(
    Record(
        name="copysign_number",
        inputs=("self",),
        attributes=(Attribute("other", "number", required=True),),
        promotes="none",
        forward=by_number(np.copysign, "float"),
        vjps={"self": copysign_gradient},
        grad_fn="CopysignBackward1",
        shape=same,
        section="pointwise",
        hidden=True,
        part_of="copysign",
        samples=(((V3, -1), {}),),
    )
)


# The step from 0 to 1


def _check_heaviside(self: np.ndarray, values: np.ndarray) -> None:
    if self.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")


register(
    Record(
        name="heaviside",
        inputs=("self", "values"),
        check=_check_heaviside,
        forward=lambda self, values: np.where(self == 0, values, self > 0).astype(self.dtype),
        vjps={"self": underivable("heaviside"), "values": underivable("heaviside")},
        grad_fn="NotImplemented",
        function="torch.heaviside",
        method="heaviside",
        shape=broadcast,
        section="pointwise",
        latex=r"[\self > 0]",
        derivatives={"self": r"\text{none}", "values": r"\text{none}"},
        samples=(((np.array([-2, 0, 3]), np.array([5])), {}), ((np.array([0, 1]), np.array([7, 8])), {})),
        bad_samples=(
            (
                (V3, np.array([1])),
                {},
                "RuntimeError",
                "heaviside is not yet implemented for tensors with different dtypes.",
            ),
        ),
    )
)


# Mixtures


def _check_lerp(self: np.ndarray, end: np.ndarray, weight: Any = None) -> None:
    for name, value, mixes in (("end", end, False), ("weight", weight, True)):
        if isinstance(value, np.ndarray) and value.dtype != self.dtype and not (mixes and value.ndim == 0):
            mine, its = dtype_of(self).cpp, dtype_of(value).cpp
            raise RuntimeError(f"expected dtype {mine} for `{name}` but got dtype {its}")


def _lerp(self: np.ndarray, end: np.ndarray, weight: Any) -> Any:
    """From the nearer end, as PyTorch computes it."""
    if not isinstance(weight, np.ndarray):
        check_held(self, weight)
    weight = np.asarray(weight, self.dtype)
    distance, near = end - self, np.abs(weight) < 0.5
    if not weight.ndim:
        return self + weight * distance if near else end - distance * (1 - weight)
    return choose(near, self + weight * distance, end - distance * (1 - weight))


def _rest(o: Any, weight: Any) -> Any:
    """What is left to the first of the two."""
    refuse_bools(weight, weight)
    return o.sub(1, weight)


def _lerp_call(o: Any, self: Any, end: Any, weight: Any) -> Any:
    return (o.lerp_number if is_number(weight) else o.lerp_tensor)(self, end, weight)


register(
    Record(
        name="lerp",
        inputs=("self", "end", "weight"),
        numbers=frozenset({"weight"}),
        forward=_lerp,
        compose=_lerp_call,
        grad_fn="LerpBackward0",
        function="torch.lerp",
        method="lerp",
        shape=broadcast_all,
        section="pointwise",
        latex=r"\self + \weight \cdot (\end - \self)",
        derivatives={"self": r"1 - \weight", "end": r"\weight", "weight": r"\end - \self"},
        signatures=(
            "lerp(Tensor input, Tensor end, Tensor weight, *, Tensor out=None)",
            "lerp(Tensor input, Tensor end, Scalar weight, *, Tensor out=None)",
        ),
        samples=(((V3, P3 + 1, 0.25), {}), ((V3, P3 + 1, vector(0.1, 0.5, 0.9)), {}), ((M23, P3, 2), {})),
        bad_samples=(((V2, V3, 0.5), {}, "RuntimeError", MISMATCH),),
    )
)
_LERP: dict[str, Any] = {"section": "pointwise", "hidden": True, "part_of": "lerp", "check": _check_lerp}
register(
    Record(
        name="lerp_number",
        inputs=("self", "end"),
        attributes=(Attribute("weight", "number", required=True),),
        forward=limited("lerp_kernel_scalar", FLOATS, _lerp),
        vjps={
            "self": lambda o, g, weight: o.mul_number(g, 1 - weight),
            "end": lambda o, g, weight: o.mul_number(g, weight),
        },
        grad_fn="LerpBackward0",
        shape=lambda self, end, **_: broadcast(self, end),
        samples=(((V3, P3 + 1, 0.25), {}),),
        **_LERP,
    )
)
register(
    Record(
        name="lerp_tensor",
        inputs=("self", "end", "weight"),
        forward=limited("lerp_kernel_tensor", FLOATS, _lerp),
        vjps={
            "self": lambda o, g, weight: o.mul(g, _rest(o, weight)),
            "end": lambda o, g, weight: o.mul(g, weight),
            "weight": lambda o, g, self, end: o.mul(g, _minus(o, end, self)),
        },
        grad_fn="LerpBackward1",
        shape=broadcast_all,
        samples=(((V3, P3 + 1, vector(0.1, 0.5, 0.9)), {}),),
        **_LERP,
    )
)
