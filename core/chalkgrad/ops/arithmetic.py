"""Add, subtract, multiply, divide, negate, raise to a power.

A formula's parameter names are declarations: they say what is saved (see :mod:`chalkgrad.engine.record`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops.samples import M23, MISMATCH, P3, V2, V3, S, matrix, scalar, vector

BOTH = frozenset({"self", "other"})
ALPHA = Attribute("alpha", "number", 1, positional=False)

_TWO_BOOLS = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
    "instead."
)
_NEGATED_BOOL = (
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
    "`logical_not()` operator instead."
)


def times(o: Any, g: Any, alpha: Any) -> Any:
    """``g * alpha``, without an operator where alpha is 1."""
    return g if alpha == 1 else o.mul_number(g, alpha)


def is_number(value: object) -> bool:
    """True for a Python number, which PyTorch has overloads of its own for."""
    return not isinstance(value, np.ndarray | TensorBase)


def dtype_kind(value: Any) -> str:
    """NumPy's letter for the kind of a number's, array's or tensor's dtype: ``b``, ``i``, ``u`` or ``f``."""
    array = value.array if isinstance(value, TensorBase) else value
    return np.asarray(array).dtype.kind


_ONE_BOOL = (
    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the "
    "`~` or `logical_not()` operator instead."
)


def _refuse_bools(self: Any, other: Any) -> None:
    """PyTorch subtracts no bools."""
    bools = (dtype_kind(self) == "b") + (dtype_kind(other) == "b")
    if bools:
        raise RuntimeError(_TWO_BOOLS if bools == 2 else _ONE_BOOL)


def _reversed_sub(self: Any, other: Any, alpha: Any = 1) -> Any:
    return np.subtract(other, self if alpha == 1 else np.multiply(self, np.asarray(alpha, np.asarray(self).dtype)))


def _neg(self: np.ndarray) -> np.ndarray:
    if self.dtype.kind == "b":
        raise RuntimeError(_NEGATED_BOOL)
    found: np.ndarray = np.negative(self, out=...)
    return found


def divided_gradient(o: Any, g: Any, self: Any, other: Any) -> Any:
    """Derivative of ``self / other`` by ``other``."""
    return o.mul(o.neg(g), o.div(o.div(self, other), other))


register(
    Record(
        name="add",
        inputs=("self", "other"),
        numbers=BOTH,
        attributes=(ALPHA,),
        forward=np.add,
        vjps={"self": lambda o, g: g, "other": lambda o, g, alpha: times(o, g, alpha)},
        grad_fn="AddBackward0",
        function="torch.add",
        method="add",
        symbol="+",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self + \other",
        derivatives={"self": "1", "other": "1"},
        samples=(((V3, P3), {}), ((M23, V3), {}), ((V3, 1), {}), ((V2, V2), {"alpha": 2}), ((S, V3), {})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)

register(
    Record(
        name="sub",
        inputs=("self", "other"),
        numbers=BOTH,
        attributes=(ALPHA,),
        forward=np.subtract,
        check=_refuse_bools,
        vjps={"self": lambda o, g: g, "other": lambda o, g, alpha: times(o, o.neg(g), alpha)},
        grad_fn="SubBackward0",
        function="torch.sub",
        method="sub",
        symbol="-",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self - \other",
        derivatives={"self": "1", "other": "-1"},
        aliases=("subtract",),
        samples=(((V3, P3), {}), ((M23, V3), {}), ((V3, 1), {}), ((V2, V2), {"alpha": 2})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)

register(
    Record(
        name="mul",
        inputs=("self", "other"),
        numbers=BOTH,
        forward=np.multiply,
        vjps={"self": lambda o, g, other: o.mul(g, other), "other": lambda o, g, self: o.mul(g, self)},
        grad_fn="MulBackward0",
        function="torch.mul",
        method="mul",
        symbol="*",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self \cdot \other",
        derivatives={"self": r"\other", "other": r"\self"},
        aliases=("multiply",),
        samples=(((V3, P3), {}), ((M23, V3), {}), ((V3, 2), {}), ((V3, 2.5), {}), ((S, M23), {})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)

register(
    Record(
        name="div",
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
        samples=(((V3, P3), {}), ((M23, P3), {}), ((V3, 2), {}), ((S, P3), {})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)

register(
    Record(
        name="neg",
        inputs=("self",),
        forward=_neg,
        vjps={"self": lambda o, g: o.neg(g)},
        grad_fn="NegBackward0",
        function="torch.neg",
        method="neg",
        symbol="-",
        style="operator",
        shape=same,
        section="arithmetic",
        latex=r"-\self",
        derivatives={"self": "-1"},
        aliases=("negative",),
        samples=(((V3,), {}), ((S,), {})),
        bad_samples=(((np.array([True, False]),), {}, "RuntimeError", _NEGATED_BOOL),),
    )
)


# Overloads with a Python number that PyTorch's own formulas use


def _number_record(name: str, base: str, grad_fn: str, forward: Any, vjp: Any, latex: str, derivative: str) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(Attribute("other", "number", required=True),),
            forward=forward,
            vjps={"self": vjp},
            grad_fn=grad_fn,
            shape=same,
            section="arithmetic",
            latex=latex,
            derivatives={"self": derivative},
            hidden=True,
            part_of=base,
            samples=(((P3, 3), {}), ((M23, 2.5), {})),
        )
    )


def _by_number(ufunc: np.ufunc) -> Any:
    return lambda self, other: ufunc(self, np.asarray(other, self.dtype), out=...)


_number_record(
    "mul_number",
    "mul",
    "MulBackward1",
    _by_number(np.multiply),
    lambda o, g, other: o.mul_number(g, other),
    r"\self \cdot \other",
    r"\other",
)
_number_record(
    "div_number",
    "div",
    "DivBackward1",
    _by_number(np.true_divide),
    lambda o, g, other: o.div_number(g, other),
    r"\frac{\self}{\other}",
    r"\frac{1}{\other}",
)


# other - self


def _number_minus(self: np.ndarray, other: Any, alpha: Any = 1) -> Any:
    dtype = _number_dtype(self, other)
    return _reversed_sub(self.astype(dtype, copy=False), np.asarray(other, dtype), alpha)


def _number_dtype(self: np.ndarray, number: Any) -> Any:
    from chalkgrad.engine.dtype import result_type

    return result_type((self, number)).numpy


def _rsub(o: Any, self: Any, other: Any, alpha: Any = 1) -> Any:
    _refuse_bools(self.array, other.array if isinstance(other, TensorBase) else other)
    return o.rsub_number(self, other, alpha=alpha) if is_number(other) else o.rsub_tensor(self, other, alpha=alpha)


register(
    Record(
        name="rsub",
        inputs=("self", "other"),
        numbers=frozenset({"other"}),
        attributes=(ALPHA,),
        forward=_reversed_sub,
        compose=_rsub,
        grad_fn="RsubBackward1",
        function="torch.rsub",
        symbol="-",
        style="operator",
        shape=broadcast,
        section="arithmetic",
        latex=r"\other - \self",
        derivatives={"self": "-1", "other": "1"},
        hidden=True,
        samples=(((V3, 1), {}), ((V3, P3), {})),
    )
)


register(
    Record(
        name="rsub_number",
        inputs=("self",),
        attributes=(Attribute("other", "number", required=True), ALPHA),
        forward=_number_minus,
        vjps={"self": lambda o, g, alpha: times(o, o.neg(g), alpha)},
        grad_fn="RsubBackward1",
        shape=same,
        section="arithmetic",
        latex=r"\other - \self",
        derivatives={"self": "-1"},
        hidden=True,
        part_of="rsub",
        samples=(((V3, 1), {}),),
    )
)

register(
    Record(
        name="rsub_tensor",
        inputs=("self", "other"),
        attributes=(ALPHA,),
        forward=_reversed_sub,
        vjps={"self": lambda o, g, alpha: times(o, o.neg(g), alpha), "other": lambda o, g: g},
        grad_fn="RsubBackward0",
        shape=broadcast,
        section="arithmetic",
        latex=r"\other - \self",
        derivatives={"self": "-1", "other": "1"},
        hidden=True,
        part_of="rsub",
        samples=(((V3, P3), {}),),
    )
)


register(
    Record(
        name="reciprocal",
        inputs=("self",),
        promotes="float",
        forward=np.reciprocal,
        vjps={"self": lambda o, g, result: o.mul(o.neg(g), o.mul(result, result))},
        grad_fn="ReciprocalBackward0",
        function="torch.reciprocal",
        method="reciprocal",
        shape=same,
        section="arithmetic",
        latex=r"\frac{1}{\self}",
        derivatives={"self": r"-\frac{1}{\self^{2}}"},
        samples=(((P3,), {}), ((S,), {})),
    )
)


# Powers


def power_gradient(o: Any, g: Any, self: Any, exponent: Any) -> Any:
    """Derivative of ``self ** exponent``, a number, by ``self``; 0 for exponent 0, also at 0."""
    if exponent == 0:
        return o.zeros_of(g, tuple(g.shape))
    return o.mul(g, o.mul_number(o.pow_number(self, exponent - 1), exponent))


def power_self_gradient(o: Any, g: Any, self: Any, exponent: Any) -> Any:
    """Derivative of ``self ** exponent``, both tensors, by ``self``."""
    slope = o.mul(g, o.mul(exponent, o.pow_tensor(self, o.sub_number(exponent, 1))))
    return o.where(o.eq(exponent, 0), o.zeros_of(slope, ()), slope)


def power_exponent_gradient(o: Any, g: Any, self: Any, exponent: Any, result: Any) -> Any:
    """Derivative of ``self ** exponent``, both tensors, by ``exponent``; 0 where ``self`` is 0 and exponent not < 0."""
    zero = o.both(o.eq(self, 0), o.ge(exponent, 0))
    slope = o.mul(result, o.log(self))
    return o.mul(g, o.where(zero, o.zeros_of(slope, ()), slope))


def number_power_gradient(o: Any, g: Any, self: Any, exponent: Any, result: Any) -> Any:
    """Derivative of ``self ** exponent`` by the tensor ``exponent``, ``self`` being a number."""
    if self == 0:
        slope = o.mul_number(result, float("-inf"))
        return o.mul(g, o.where(o.ge(exponent, 0), o.zeros_of(slope, ()), slope))
    return o.mul(g, o.mul_number(result, float(np.log(self)) if self > 0 else float("nan")))


def _pow(o: Any, self: Any, exponent: Any) -> Any:
    if is_number(exponent):
        return o.pow_number(self, exponent)
    return o.number_pow(exponent, self) if is_number(self) else o.pow_tensor(self, exponent)


def _power(self: Any, exponent: Any) -> Any:
    if np.asarray(self).dtype.kind == "b":
        raise NotImplementedError("\"pow\" not implemented for 'Bool'")
    if dtype_kind(self) in "iu" and dtype_kind(exponent) in "iub":
        return _integer_power(np.asarray(self), np.asarray(exponent))
    return np.power(self, exponent)


def _integer_power(self: np.ndarray, exponent: np.ndarray) -> np.ndarray:
    """Integer powers as PyTorch has them: negative exponents give 0, but for bases 1 and -1."""
    safe = np.power(self, np.where(exponent < 0, 0, exponent).astype(self.dtype))
    odd = np.where(exponent % 2 == 0, 1, -1)
    inverse = np.where(self == 1, 1, np.where(self == -1, odd, 0))
    return np.asarray(np.where(exponent < 0, inverse, safe), self.dtype)


def _power_of_tensor(self: np.ndarray, exponent: Any) -> Any:
    dtype = _number_dtype(self, exponent)
    if dtype.kind in "iu" and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return _power(self.astype(dtype, copy=False), np.asarray(exponent, dtype))


register(
    Record(
        name="pow",
        inputs=("self", "exponent"),
        numbers=frozenset({"self", "exponent"}),
        forward=_power,
        compose=_pow,
        grad_fn="PowBackward0",
        function="torch.pow",
        method="pow",
        symbol="**",
        style="operator",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self^{\exponent}",
        derivatives={"self": r"\exponent \cdot \self^{\exponent - 1}", "exponent": r"\self^{\exponent} \ln \self"},
        samples=(((V3, 3), {}), ((P3, 0.5), {}), ((P3, P3), {}), ((2, V3), {}), ((V2, 2), {}), ((V2, 0), {})),
        bad_samples=(
            ((np.array([2]), -1), {}, "RuntimeError", "Integers to negative integer powers are not allowed."),
        ),
    )
)

register(
    Record(
        name="pow_number",
        inputs=("self",),
        attributes=(Attribute("exponent", "number", required=True),),
        promotes="none",
        forward=_power_of_tensor,
        vjps={"self": lambda o, g, self, exponent: power_gradient(o, g, self, exponent)},
        grad_fn="PowBackward0",
        shape=same,
        section="arithmetic",
        latex=r"\self^{\exponent}",
        derivatives={"self": r"\exponent \cdot \self^{\exponent - 1}"},
        hidden=True,
        part_of="pow",
        samples=(((V3, 3), {}), ((P3, -0.5), {})),
    )
)

register(
    Record(
        name="pow_tensor",
        inputs=("self", "exponent"),
        forward=_power,
        vjps={
            "self": lambda o, g, self, exponent: power_self_gradient(o, g, self, exponent),
            "exponent": lambda o, g, self, exponent, result: power_exponent_gradient(o, g, self, exponent, result),
        },
        grad_fn="PowBackward1",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self^{\exponent}",
        derivatives={"self": r"\exponent \cdot \self^{\exponent - 1}", "exponent": r"\self^{\exponent} \ln \self"},
        hidden=True,
        part_of="pow",
        samples=(((P3, V3), {}), ((matrix((1.0, 2.0), (3.0, 0.5)), V2), {})),
    )
)

register(
    Record(
        name="number_pow",
        inputs=("exponent",),
        attributes=(Attribute("self", "number", required=True),),
        promotes="none",
        forward=lambda exponent, self: _power(
            np.asarray(self, _number_dtype(exponent, self)), exponent.astype(_number_dtype(exponent, self), copy=False)
        ),
        vjps={
            "exponent": lambda o, g, exponent, result, self: number_power_gradient(o, g, self, exponent, result),
        },
        grad_fn="PowBackward2",
        shape=same,
        section="arithmetic",
        latex=r"\self^{\exponent}",
        derivatives={"exponent": r"\self^{\exponent} \ln \self"},
        hidden=True,
        part_of="pow",
        samples=(((V3, 2), {}), ((scalar(0.5), 3.0), {}), ((vector(1.0, 2.0), 0.5), {})),
    )
)

register(
    Record(
        name="sub_number",
        inputs=("self",),
        check=lambda self: _refuse_bools(self, 1),
        attributes=(Attribute("other", "number", required=True),),
        forward=_by_number(np.subtract),
        vjps={"self": lambda o, g: g},
        grad_fn="SubBackward1",
        shape=same,
        section="arithmetic",
        latex=r"\self - \other",
        derivatives={"self": "1"},
        hidden=True,
        part_of="sub",
        samples=(((V3, 1), {}),),
    )
)
