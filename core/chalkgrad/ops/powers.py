"""Powers, and one divided by a tensor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import cast, dtype_of, exact, float64
from chalkgrad.engine.inplace import check_followed
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops.arithmetic import refuse_bools
from chalkgrad.ops.composing import array_in
from chalkgrad.ops.overloads import check_result, common_dtype, is_number, not_implemented
from chalkgrad.ops.samples import M23, P3, V2, V3, S, matrix, scalar, vector

BOTH = frozenset({"self", "exponent"})
NEGATIVE = "Integers to negative integer powers are not allowed."


def reciprocal_gradient(o: Any, g: Any, result: Any) -> Any:
    """Derivative of ``1 / self``."""
    slope = o.mul(result, result)
    return o.mul(o.neg(g), slope)


register(
    Record(
        name="reciprocal",
        inputs=("self",),
        promotes="float",
        forward=np.reciprocal,
        vjps={"self": lambda o, g, result: reciprocal_gradient(o, g, result)},
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


def power_gradient(o: Any, g: Any, self: Any, exponent: Any) -> Any:
    """Derivative of ``self ** exponent``, a number, by ``self``; 0 for exponent 0, also at 0."""
    if exponent == 0:
        return o.zeros_of(g, tuple(g.shape))
    return o.mul(g, o.mul_number(o.pow_number(self, exponent - 1), exponent))


def power_self_gradient(o: Any, g: Any, self: Any, exponent: Any) -> Any:
    """Derivative of ``self ** exponent``, both tensors, by ``self``."""
    refuse_bools(array_in(exponent), 1)
    slope = o.mul(g, o.mul(exponent, o.pow_tensor(self, o.sub_number(exponent, 1))))
    return o.where(o.eq(exponent, 0), o.zeros_of(slope, ()), slope)


def power_exponent_gradient(o: Any, g: Any, self: Any, exponent: Any, result: Any) -> Any:
    """Derivative of ``self ** exponent``, both tensors, by ``exponent``; 0 where ``self`` is 0 and exponent not < 0."""
    zero = o.logical_and(o.eq(self, 0), o.ge(exponent, 0))
    dtype = common_dtype((array_in(self), array_in(exponent))).numpy
    base = self if array_in(self).dtype == dtype else o.to_copy(self, dtype)
    slope = o.mul(result, o.log(base))
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
    self, exponent = np.asarray(self), np.asarray(exponent)
    if self.dtype.kind == "b":
        raise not_implemented("pow", self.dtype)
    if self.dtype.kind in "iu" and exponent.dtype.kind in "iub":
        return _integer_power(self, exponent)
    return np.power(self, exponent)


def _integer_power(self: np.ndarray, exponent: np.ndarray) -> np.ndarray:
    """Integer powers as PyTorch has them: negative exponents give 0, but for bases 1 and -1."""
    safe = np.power(self, np.where(exponent < 0, 0, exponent).astype(self.dtype))
    odd = np.where(exponent % 2 == 0, 1, -1)
    inverse = np.where(self == 1, 1, np.where(self == -1, odd, 0))
    return np.asarray(np.where(exponent < 0, inverse, safe), self.dtype)


_SHORT: Mapping[float, Callable[[np.ndarray], Any]] = {
    0.5: np.sqrt,
    1: np.positive,
    2: np.square,
    3: lambda x: x * x * x,
    -0.5: lambda x: 1 / np.sqrt(x),
    -1: np.reciprocal,
    -2: lambda x: 1 / (x * x),
}
"""Powers that PyTorch computes without a logarithm."""


def _power_of_tensor(self: np.ndarray, exponent: Any) -> Any:
    dtype = common_dtype((self, exponent))
    base = cast(self, dtype)
    if dtype.numpy.kind == "f":
        short = _SHORT.get(exponent)
        return np.power(base, cast(exponent, dtype)) if short is None else short(base)
    if dtype.numpy.kind == "b":
        return base.copy() if exponent else np.ones_like(base)
    if exponent < 0:
        raise RuntimeError(NEGATIVE)
    return _power(base, exact(exponent, dtype))


def _power_of_number(exponent: np.ndarray, self: Any) -> Any:
    dtype = common_dtype((exponent, self))
    if self == 1 and dtype.kind:
        return np.ones(exponent.shape, dtype.numpy)
    base = cast(self, dtype) if dtype.is_floating_point else exact(self, dtype)
    return np.asarray(_power(base, cast(exponent, dtype)), order="C")


def pow_in_place(o: Any, self: Any, exponent: Any) -> Any:
    """``pow_``: of a tensor or a number."""
    if not is_number(exponent):
        return o.pow_tensor_(self, exponent)
    if self.array.dtype.kind != "f" and isinstance(exponent, int) and exponent < 0:
        raise RuntimeError(NEGATIVE)
    check_followed(self, "pow_number_")
    check_result(self.array, (exponent,))
    return o.pow_number_(self, exponent)


register(
    Record(
        name="pow",
        inputs=("self", "exponent"),
        numbers=BOTH,
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
        signatures=(
            "pow(Tensor input, Tensor exponent, *, Tensor out=None)",
            "torch.pow(Scalar self, Tensor exponent, *, Tensor out=None)",
            "pow(Tensor input, Scalar exponent, *, Tensor out=None)",
        ),
        samples=(((V3, 3), {}), ((P3, 0.5), {}), ((P3, P3), {}), ((2, V3), {}), ((V2, 2), {}), ((V2, 0), {})),
        bad_samples=(((np.array([2]), -1), {}, "RuntimeError", NEGATIVE),),
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
        forward=_power_of_number,
        vjps={
            "exponent": lambda o, g, exponent, result, self: number_power_gradient(o, g, self, exponent, result),
        },
        grad_fn="PowBackward2",
        shape=same,
        elementwise=False,
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
        name="square",
        inputs=("self",),
        forward=lambda self: _power_of_tensor(self, 2),
        compose=lambda o, self: o.pow_number(self, 2),
        grad_fn="PowBackward0",
        function="torch.square",
        method="square",
        shape=same,
        section="arithmetic",
        latex=r"\self^{2}",
        derivatives={"self": r"2 \self"},
        samples=(((V3,), {}), ((M23,), {})),
    )
)


# Powers in double precision, whatever comes in


def _double(o: Any, value: Any) -> Any:
    if is_number(value):
        return float(value)
    return value if value.array.dtype == np.float64 else o.to_copy(value, float64)


def _float_power(o: Any, self: Any, exponent: Any) -> Any:
    exponent = _double(o, exponent)  # PyTorch's compiler works its arguments out from right to left
    return o.pow(_double(o, self), exponent)


def float_power_in_place(o: Any, self: TensorBase, exponent: Any) -> Any:
    """``float_power_``: only into a float64 tensor."""
    if self.array.dtype != np.float64:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {dtype_of(self.array).scalar_type} but the operation's result "
            "requires dtype Double"
        )
    return o.pow_(self, _double(o, exponent))


register(
    Record(
        name="float_power",
        inputs=("self", "exponent"),
        numbers=BOTH,
        forward=lambda self, exponent: np.power(np.asarray(self, np.float64), np.asarray(exponent, np.float64)),
        compose=_float_power,
        grad_fn="PowBackward0",
        function="torch.float_power",
        method="float_power",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self^{\exponent}",
        derivatives={"self": r"\exponent \cdot \self^{\exponent - 1}", "exponent": r"\self^{\exponent} \ln \self"},
        signatures=(
            "float_power(Tensor input, Tensor exponent, *, Tensor out=None)",
            "torch.float_power(Scalar self, Tensor exponent, *, Tensor out=None)",
            "float_power(Tensor input, Scalar exponent, *, Tensor out=None)",
        ),
        samples=(((V3, 3), {}), ((P3, P3), {}), ((2, V3), {})),
    )
)
