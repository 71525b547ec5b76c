"""Divide, with and without rounding, and what division leaves over."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops.overloads import (
    NUMBERS,
    as_floats,
    by_number,
    from_number,
    limited,
    no_gradient,
    overloaded,
    underivable,
)
from chalkgrad.ops.samples import M23, MISMATCH, P3, V2, V3, S, vector

BOTH = frozenset({"self", "other"})
OTHER = Attribute("other", "number", required=True)
SELF = Attribute("self", "number", required=True)
MODE = Attribute("rounding_mode", "choice", required=True, positional=False, choices=("trunc", "floor"))
INTEGERS = (np.array([7, -7, 8]), np.array([2, 2, -3]))


def _without_zeros(divisor: np.ndarray) -> None:
    """Integers are not divided by zero."""
    if divisor.dtype.kind in "iu" and not divisor.all():
        raise RuntimeError("ZeroDivisionError")


def _floor_divided(self: np.ndarray, other: np.ndarray) -> Any:
    _without_zeros(other)
    return np.floor_divide(self, other)


def _trunc_divided(self: np.ndarray, other: np.ndarray) -> Any:
    if self.dtype.kind == "f":
        return np.trunc(np.true_divide(self, other))
    _without_zeros(other)
    floored = np.floor_divide(self, other)
    return np.where((floored < 0) & (floored * other != self), floored + self.dtype.type(1), floored)


def _remainder(self: np.ndarray, other: np.ndarray) -> Any:
    """What is left over, with the sign of the divisor; a zero keeps the sign of ``self``."""
    if self.dtype.kind != "f":
        _without_zeros(other)
        return np.remainder(self, other)
    left = np.fmod(self, other)
    return np.where((left != 0) & ((other < 0) != (left < 0)), left + other, left)


def _fmod(self: np.ndarray, other: np.ndarray) -> Any:
    _without_zeros(other)
    return np.fmod(self, other)


floor_divided = limited("div_floor_cpu", NUMBERS, _floor_divided)
trunc_divided = limited("div_trunc_cpu", NUMBERS, _trunc_divided)
remainder = limited("remainder_cpu", NUMBERS, _remainder)
fmod = limited("fmod_cpu", NUMBERS, _fmod)


def _rounded(self: Any, other: Any, rounding_mode: str) -> Any:
    return (floor_divided if rounding_mode == "floor" else trunc_divided)(self, other)


def _divided(self: Any, other: Any, rounding_mode: str | None) -> Any:
    return np.true_divide(self, other) if rounding_mode is None else _rounded(self, other, rounding_mode)


def _check_mode(mode: str | None) -> None:
    if mode not in (None, "trunc", "floor"):
        raise RuntimeError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{mode}'")


def _div_mode(o: Any, self: Any, other: Any, rounding_mode: str | None) -> Any:
    _check_mode(rounding_mode)
    operator = o.div_unrounded if rounding_mode is None else o.div_rounded
    return operator(self, other, rounding_mode=rounding_mode)


def div_mode_in_place(o: Any, self: Any, other: Any, rounding_mode: str | None) -> Any:
    """``div_`` with a rounding mode, None too."""
    _check_mode(rounding_mode)
    operator = o.div_unrounded_ if rounding_mode is None else o.div_rounded_
    return operator(self, other, rounding_mode=rounding_mode)


def divided_gradient(o: Any, g: Any, self: Any, other: Any) -> Any:
    """Derivative of ``self / other`` by ``other``."""
    slope = o.div(o.div(self, other), other)
    return o.mul(o.neg(g), slope)


def leftover_gradient(o: Any, g: Any, self: Any, other: Any, mode: str) -> Any:
    """Derivative of what division with rounding leaves over by ``other``."""
    slope = o.div_mode(as_floats(self), as_floats(other), rounding_mode=mode)
    return o.mul(o.neg(g), slope)


register(
    Record(
        name="div",
        said=("÷",),
        inputs=("self", "other"),
        numbers=BOTH,
        promotes="float",
        forward=np.true_divide,
        vjps={
            "self": lambda o, g, other: o.div(g, other),
            "other": lambda o, g, self, other: divided_gradient(o, g, self, other),
        },
        grad_fn="DivBackward0",
        function="torch.div",
        method="div",
        symbol="/",
        shape=broadcast,
        section="arithmetic",
        latex=r"\frac{\self}{\other}",
        derivatives={"self": r"\frac{1}{\other}", "other": r"-\frac{\self}{\other^{2}}"},
        aliases=("divide", "true_divide"),
        signatures=(
            "div(Tensor input, Tensor other, *, Tensor out=None)",
            "div(Tensor input, Tensor other, *, str? rounding_mode, Tensor out=None) -> div_mode",
            "div(Tensor input, Scalar other, *, str? rounding_mode) -> div_mode",
            "divide(Tensor input, Tensor other, *, Tensor out=None)",
            "divide(Tensor input, Tensor other, *, str? rounding_mode, Tensor out=None) -> div_mode",
            "divide(Tensor input, Scalar other)",
            "divide(Tensor input, Scalar other, *, str? rounding_mode) -> div_mode",
            "true_divide(Tensor input, Tensor other, *, Tensor out=None)",
            "true_divide(Tensor input, Scalar other)",
        ),
        samples=(((V3, P3), {}), ((M23, P3), {}), ((V3, 2), {}), ((S, P3), {})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)

register(
    Record(
        name="div_number",
        inputs=("self",),
        attributes=(OTHER,),
        forward=by_number(np.true_divide, "float"),
        vjps={"self": lambda o, g, other: o.div_number(g, other)},
        grad_fn="DivBackward1",
        shape=same,
        section="arithmetic",
        latex=r"\frac{\self}{\other}",
        derivatives={"self": r"\frac{1}{\other}"},
        hidden=True,
        part_of="div",
        samples=(((P3, 3), {}), ((M23, 2.5), {})),
    )
)

register(
    Record(
        name="div_mode",
        inputs=("self", "other"),
        numbers=BOTH,
        attributes=(MODE,),
        forward=_divided,
        compose=_div_mode,
        shape=broadcast,
        section="arithmetic",
        hidden=True,
        part_of="div",
    )
)

register(
    Record(
        name="div_unrounded",
        inputs=("self", "other"),
        numbers=BOTH,
        attributes=(MODE,),
        promotes="float",
        forward=_divided,
        vjps={
            "self": lambda o, g, other, rounding_mode: o.div(g, other),
            "other": lambda o, g, self, other, rounding_mode: divided_gradient(o, g, self, other),
        },
        grad_fn="DivBackward2",
        shape=broadcast,
        section="arithmetic",
        hidden=True,
        part_of="div",
        samples=(((V3, P3), {"rounding_mode": None}),),
    )
)

register(
    Record(
        name="div_rounded",
        inputs=("self", "other"),
        numbers=BOTH,
        attributes=(MODE,),
        forward=_rounded,
        vjps={
            "self": lambda o, g, other, rounding_mode: no_gradient(o, g),
            "other": lambda o, g, self, other, rounding_mode: no_gradient(o, g),
        },
        grad_fn="DivBackward2",
        shape=broadcast,
        section="arithmetic",
        hidden=True,
        part_of="div",
        samples=(((V3, P3 + 0.1), {"rounding_mode": "floor"}), ((M23, 0.9), {"rounding_mode": "trunc"})),
    )
)


def _overloads(name: str, forward: Any, tensors: Any, numbers: Any, reflected: bool, grad_fn: str) -> None:
    """The pieces of an operator with nodes of their own for a number as second and, reflected, as first operand."""
    common: dict[str, Any] = {"shape": broadcast, "section": "arithmetic", "hidden": True, "part_of": name}
    not_derived: dict[str, Any] = {"self": underivable(name)}
    samples: Any = (((vector(7.3, -7.3, 8.1), vector(2.0, 2.0, -3.0)), {}),) if tensors is not None else ()
    register(
        Record(
            name=f"{name}_tensor",
            inputs=("self", "other"),
            forward=forward,
            vjps=tensors or {**not_derived, "other": underivable(name)},
            grad_fn=f"{grad_fn}1" if tensors else "NotImplemented",
            samples=samples,
            **common,
        )
    )
    register(
        Record(
            name=f"{name}_number",
            inputs=("self",),
            attributes=(OTHER,),
            promotes="none",
            forward=by_number(forward),
            vjps=numbers or not_derived,
            grad_fn=f"{grad_fn}0" if numbers else "NotImplemented",
            samples=(((vector(7.3, -7.3, 8.1), 2), {}),) if numbers else (),
            **{**common, "shape": same},
        )
    )
    if reflected:
        register(
            Record(
                name=f"number_{name}",
                inputs=("other",),
                attributes=(SELF,),
                promotes="none",
                forward=from_number(forward),
                vjps={"other": underivable(name)},
                grad_fn="NotImplemented",
                **{**common, "shape": same},
            )
        )


register(
    Record(
        name="floor_divide",
        inputs=("self", "other"),
        numbers=BOTH,
        forward=floor_divided,
        compose=overloaded("floor_divide_tensor", "floor_divide_number", "number_floor_divide"),
        function="torch.floor_divide",
        method="floor_divide",
        symbol="//",
        style="operator",
        shape=broadcast,
        section="arithmetic",
        latex=r"\left\lfloor \frac{\self}{\other} \right\rfloor",
        signatures=(
            "floor_divide(Tensor input, Tensor other, *, Tensor out=None)",
            "floor_divide(Tensor input, Scalar other)",
        ),
        samples=((INTEGERS, {}), ((np.array([7, -7]), 2), {})),
        bad_samples=(((np.array([1]), 0), {}, "RuntimeError", "ZeroDivisionError"),),
    )
)
_overloads("floor_divide", floor_divided, None, None, True, "")

register(
    Record(
        name="remainder",
        inputs=("self", "other"),
        numbers=BOTH,
        forward=remainder,
        compose=overloaded("remainder_tensor", "remainder_number", "number_remainder"),
        grad_fn="RemainderBackward1",
        function="torch.remainder",
        method="remainder",
        symbol="%",
        style="operator",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self \bmod \other",
        derivatives={"self": "1", "other": r"-\left\lfloor \frac{\self}{\other} \right\rfloor"},
        signatures=(
            "remainder(Tensor input, Tensor other, *, Tensor out=None)",
            "torch.remainder(Scalar self, Tensor other)",
            "remainder(Tensor input, Scalar other, *, Tensor out=None)",
        ),
        samples=(((vector(7.3, -7.3, 8.1), vector(2.0, 2.0, -3.0)), {}), ((V3, 0.7), {}), (INTEGERS, {})),
        bad_samples=(
            ((np.array([1]), 0), {}, "RuntimeError", "ZeroDivisionError"),
            ((V2, V3), {}, "RuntimeError", MISMATCH),
        ),
    )
)
_overloads(
    "remainder",
    remainder,
    {
        "self": lambda o, g: g,
        "other": lambda o, g, self, other: leftover_gradient(o, g, self, other, "floor"),
    },
    {"self": lambda o, g: g},
    True,
    "RemainderBackward",
)

register(
    Record(
        name="fmod",
        inputs=("self", "other"),
        numbers=frozenset({"other"}),
        forward=fmod,
        compose=overloaded("fmod_tensor", "fmod_number"),
        grad_fn="FmodBackward1",
        function="torch.fmod",
        method="fmod",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self - \other \operatorname{trunc} \frac{\self}{\other}",
        derivatives={"self": "1", "other": r"-\operatorname{trunc} \frac{\self}{\other}"},
        signatures=(
            "fmod(Tensor input, Tensor other, *, Tensor out=None)",
            "fmod(Tensor input, Scalar other, *, Tensor out=None)",
        ),
        samples=(((vector(7.3, -7.3, 8.1), vector(2.0, 2.0, -3.0)), {}), ((V3, 0.7), {}), (INTEGERS, {})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)
_overloads(
    "fmod",
    fmod,
    {
        "self": lambda o, g: g,
        "other": lambda o, g, self, other: leftover_gradient(o, g, self, other, "trunc"),
    },
    {"self": lambda o, g: g},
    False,
    "FmodBackward",
)
