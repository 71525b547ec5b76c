"""The in-place forms of the pointwise operators and the activations."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of, get_default_dtype
from chalkgrad.engine.inplace import check_followed
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops.activation import refuse_bool
from chalkgrad.ops.clamping import clamp
from chalkgrad.ops.division import div_mode_in_place
from chalkgrad.ops.leaky import rrelu
from chalkgrad.ops.mixing import refuse_bool_exponent
from chalkgrad.ops.overloads import (
    by_number,
    is_number,
    no_gradient,
    no_gradient_by_other,
    overloaded_in_place,
    underivable,
)
from chalkgrad.ops.powers import float_power_in_place, pow_in_place
from chalkgrad.ops.samples import P3, V3
from chalkgrad.ops.smooth import SELU_ALPHA, SELU_SCALE, elu_gradient, inverse_alpha
from chalkgrad.ops.special import mvlgamma_in_place, polygamma_in_place
from chalkgrad.ops.writing import in_place

SHOWN = frozenset(
    {
        *("add", "sub", "mul", "div", "pow", "neg", "reciprocal", "square", "sqrt", "abs", "round", "floor", "exp"),
        *("log", "sin", "cos", "tanh", "sigmoid", "relu", "clamp", "lerp", "addcmul", "addcdiv"),
    }
)
"""Those that are worth a place in the palette."""

_PLAIN = {"promotes": "together"}
"""Numbers are cast by the operator itself, but the tensor that is written must still be checked."""


def twin(name: str, **fields: Any) -> None:
    """The in-place form of ``name``, hidden unless it is one of those shown."""
    in_place(name, **({} if name in SHOWN else {"hidden": True, "part_of": OPS[name].part_of or name}) | fields)


# Arithmetic

for _name, _symbol in (("add", "+="), ("sub", "-="), ("mul", "*="), ("div", "/=")):
    twin(_name, symbol=_symbol)
twin("subtract_number", **_PLAIN)
twin("mul_number", **_PLAIN)
twin("div_number", **_PLAIN)
twin("div_mode", compose=div_mode_in_place)
twin("div_rounded")
twin("div_unrounded")


def _overloaded(name: str, promotes: str = "together", cpp: bool = False, **fields: Any) -> None:
    """An operator whose node depends on whether its second operand is a number, and its two pieces."""
    compose = overloaded_in_place(f"{name}_tensor_", f"{name}_number_", promotes, cpp)
    twin(name, compose=compose, **fields)
    twin(f"{name}_tensor")
    twin(f"{name}_number", **_PLAIN)


_refused = underivable("floor_divide_")
twin("floor_divide", compose=overloaded_in_place("floor_divide_tensor_", "floor_divide_number_"), symbol="//=")
twin("floor_divide_tensor", vjps={"self": _refused, "other": _refused})
twin("floor_divide_number", vjps={"self": _refused}, **_PLAIN)
_overloaded("remainder", symbol="%=")
_overloaded("fmod")
_overloaded("xlogy", "float", function=True)
_overloaded("copysign", "float")

twin("pow", compose=pow_in_place, symbol="**=")
twin("pow_tensor")
twin("pow_number", **_PLAIN)
twin("square", compose=lambda o, self: o.pow_(self, 2), function=True)
twin("float_power", compose=float_power_in_place)


# Functions of one tensor; those of the second loop are methods only

for _name in (
    *("neg", "reciprocal", "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "rsqrt", "sin", "cos"),
    *("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "deg2rad", "rad2deg", "abs", "floor", "ceil", "trunc"),
    *("frac", "round", "nan_to_num", "sigmoid", "erf", "erfc", "sinc", "logit", "i0"),
):
    twin(_name, function=True)
twin("relu", function=True, check=refuse_bool)
for _name in ("sign", "sgn", "erfinv", "lgamma", "digamma"):
    twin(_name)
twin("round_decimals")
twin("polygamma", compose=polygamma_in_place, signatures=("Tensor.polygamma(int n)",))


def _check_mvlgamma(self: np.ndarray) -> None:
    if self.dtype.kind != "f":
        wanted, computed = dtype_of(self).scalar_type, get_default_dtype().scalar_type
        raise RuntimeError(f"mvlgamma: result type {wanted} can't be cast to the desired output type {computed}")


twin("mvlgamma", compose=mvlgamma_in_place)
twin("mvlgamma_of", check=_check_mvlgamma)
twin("polygamma_of", grad_fn="PolygammaBackward1")


def _not_in_place(name: str) -> Any:
    def refuse(o: Any, g: Any) -> NoReturn:
        raise NotImplementedError(f"the derivative for 'inplace version of {name}' is not implemented.")

    return refuse


for _name in ("asinh", "acosh", "atanh"):
    twin(
        _name,
        function=True,
        vjps={"self": _not_in_place(_name)},
        grad_fn=f"{_name.capitalize()}Backward1",
        samples=(),
    )


# Functions of two and three tensors

for _name in ("atan2", "hypot", "nextafter", "addcmul", "addcdiv", "gcd", "lcm"):
    twin(_name, function=_name in ("gcd", "lcm"))


def _check_ldexp(self: np.ndarray, other: np.ndarray) -> None:
    if self.dtype.kind != "f":
        raise RuntimeError(f"ldexp can't be cast to the desired output type {dtype_of(self).scalar_type}")
    refuse_bool_exponent(self, other)


twin("ldexp", check=_check_ldexp, function=True)
twin("heaviside", vjps={"self": underivable("heaviside_"), "values": underivable("heaviside_")})
twin(
    "lerp",
    compose=lambda o, self, end, weight: (o.lerp_number_ if is_number(weight) else o.lerp_tensor_)(self, end, weight),
)
twin("lerp_tensor")
twin("lerp_number")


def _clamp(o: Any, self: Any, min: Any = None, max: Any = None) -> Any:
    if min is None and max is None:
        check_followed(self, "clamp_min_number_")
    return clamp(o, self, min, max, "_")


twin("clamp", compose=_clamp, function=True)
twin("clamp_tensors")
twin("clamp_numbers", **_PLAIN)
for _name in ("clamp_min", "clamp_max"):
    _overloaded(_name, cpp=True, function=True)


# Bits and logic

for _name, _symbol in (
    ("bitwise_and", "&="),
    ("bitwise_or", "|="),
    ("bitwise_xor", "^="),
    ("bitwise_left_shift", "<<="),
    ("bitwise_right_shift", ">>="),
):
    twin(_name, symbol=_symbol)
twin("bitwise_not")
for _name in ("logical_and", "logical_or", "logical_xor", "logical_not"):
    twin(_name)


def _compared(name: str, ufunc: Any) -> None:
    """A comparison whose answer is written as 1 or 0, whatever dtypes were compared."""

    def compose(o: Any, self: Any, other: Any) -> Any:
        return getattr(o, f"{name}_number_" if is_number(other) else f"{name}_tensor_")(self, other)

    pieces: dict[str, Any] = {
        "writes": "self",
        "section": "in-place",
        "hidden": True,
        "part_of": f"{name}_",
        "fills": 1,
    }
    twin(name, compose=compose, samples=(((V3, P3 + 0.1), {}), ((V3, 0.7), {})))
    register(
        Record(
            name=f"{name}_tensor_",
            inputs=("self", "other"),
            promotes="none",
            forward=ufunc,
            vjps={"self": no_gradient, "other": no_gradient_by_other},
            grad_fn=f"{name.capitalize()}Backward1",
            shape=broadcast,
            **pieces,
        )
    )
    register(
        Record(
            name=f"{name}_number_",
            inputs=("self",),
            attributes=(Attribute("other", "number", required=True),),
            promotes="together",
            forward=by_number(ufunc),
            vjps={"self": no_gradient},
            grad_fn=f"{name.capitalize()}Backward0",
            shape=same,
            **pieces,
        )
    )


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _compared(_name, OPS[_name].forward)


# Activations; several of them differentiate from their result in place

for _name in ("hardtanh", "gelu", "silu", "mish", "hardswish", "hardsigmoid"):
    twin(_name, function=_name == "hardtanh")
twin("threshold", function=True, grad_fn="ThresholdBackward1")
twin("relu6", compose=lambda o, self: o.hardtanh_(self, 0, 6))
twin(
    "leaky_relu",
    function=True,
    vjps={"self": lambda o, g, result, negative_slope: o.leaky_relu_backward(g, result, negative_slope, True)},
    grad_fn="LeakyReluBackward1",
)
twin(
    "elu",
    function=True,
    vjps={
        "self": lambda o, g, result, alpha, scale, input_scale: elu_gradient(
            o, g, result, alpha, scale, input_scale, True
        )
    },
    grad_fn="EluBackward1",
)
twin(
    "celu",
    function=True,
    vjps={"self": lambda o, g, result, alpha: elu_gradient(o, g, result, alpha, 1, inverse_alpha(alpha), True)},
    grad_fn="CeluBackward1",
)
twin(
    "selu",
    function=True,
    compose=lambda o, self: o.elu_(self, SELU_ALPHA, SELU_SCALE),
)


def _rrelu(o: Any, self: Any, lower: Any, upper: Any, training: bool, generator: Any = None) -> Any:
    return rrelu(o, self, lower, upper, training, generator, "_")


def _noise_gradient(o: Any, g: Any, noise: Any, result: Any, lower: Any, upper: Any, training: Any) -> Any:
    return o.rrelu_with_noise_backward(g, result, noise, lower, upper, training, True)


twin("rrelu", function=True, compose=_rrelu)
twin(
    "rrelu_with_noise",
    vjps={"self": _noise_gradient},
    grad_fn="RreluWithNoiseBackward1",
    part_of="rrelu",
    samples=(),
)
