"""Smooth activations: exponential units, gelu, silu, mish, softplus, logsigmoid, tanhshrink, softsign."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.dtype import check_held
from chalkgrad.engine.memory_format import empty_like
from chalkgrad.engine.record import Attribute
from chalkgrad.ops import special_values
from chalkgrad.ops.leaky import NEGATIVE_ELU, W3, activation, backward_of
from chalkgrad.ops.overloads import FLOATS, only
from chalkgrad.ops.samples import M23, V3, vector
from chalkgrad.ops.selecting import choose

# Exponential units

ALPHA = Attribute("alpha", "number", 1)
SCALES = (ALPHA, Attribute("scale", "number", 1), Attribute("input_scale", "number", 1))
IS_RESULT = Attribute("is_result", "bool", False)
SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def _elu(self: np.ndarray, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> Any:
    check_held(self, alpha, scale, input_scale)
    kind = self.dtype.type
    below = np.expm1(self * kind(input_scale)) * kind(alpha * scale)
    return choose(self <= 0, below, self * kind(scale))


def _elu_backward(
    grad_output: Any,
    self_or_result: Any,
    alpha: float = 1,
    scale: float = 1,
    input_scale: float = 1,
    is_result: bool = False,
) -> Any:
    kind = grad_output.dtype.type
    factor = alpha * scale
    if is_result:
        if alpha < 0:
            raise RuntimeError(NEGATIVE_ELU)
        below = kind(input_scale) * (self_or_result + kind(factor))
    else:
        below = kind(input_scale * factor) * np.exp(self_or_result * kind(input_scale))
    return grad_output * choose(self_or_result <= 0, below, kind(scale))


def elu_gradient(o: Any, g: Any, x: Any, alpha: Any, scale: Any, input_scale: Any, is_result: bool = False) -> Any:
    """Derivative of an exponential unit from its input, or from its result."""
    return o.elu_backward(g, x, alpha, scale, input_scale, is_result)


def _as_numbers(o: Any, mask: Any, like: Any) -> Any:
    """Bools as 1 and 0 of the dtype of ``like``."""
    return o.to_copy(mask, like.dtype)


def elu_curve(
    o: Any, g: Any, grad_output: Any, x: Any, alpha: Any, scale: Any, input_scale: Any, is_result: bool
) -> Any:
    """Derivative of the derivative."""
    weighted = o.mul_number(o.mul(g, grad_output), input_scale)
    if is_result:
        return o.mul(weighted, _as_numbers(o, o.lt(x, 0), g))
    return o.mul(o.elu_backward(weighted, x, alpha, scale, input_scale, is_result), _as_numbers(o, o.lt(x, 0), g))


def inverse_alpha(alpha: Any) -> float:
    """1 / alpha as PyTorch's derivative of celu has it: from ``alpha`` in single precision."""
    return 1.0 / float(np.float32(alpha))


def _check_celu(alpha: Any) -> None:
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")


def _celu(self: np.ndarray, alpha: Any = 1.0) -> Any:
    _check_celu(alpha)
    _elu_check(self)
    return _elu(self, alpha, 1, 1 / alpha)


_elu_check = only("elu_cpu", FLOATS)

activation(
    "elu",
    _elu,
    lambda o, g, self, alpha, scale, input_scale: elu_gradient(o, g, self, alpha, scale, input_scale),
    r"\max(\self, 0) + \alpha \min(e^{\self} - 1, 0)",
    r"[\self > 0] + \alpha e^{\self} \, [\self \le 0]",
    attributes=SCALES,
    check=_elu_check,
    samples=(((V3,), {}), ((W3, 0.7), {}), ((M23,), {})),
)
backward_of(
    "elu",
    _elu_backward,
    lambda o, g, self_or_result, alpha, scale, input_scale, is_result: elu_gradient(
        o, g, self_or_result, alpha, scale, input_scale, is_result
    ),
    None,
    inputs=("grad_output", "self_or_result"),
    attributes=(*SCALES, IS_RESULT),
    vjps={
        "grad_output": lambda o, g, self_or_result, alpha, scale, input_scale, is_result: elu_gradient(
            o, g, self_or_result, alpha, scale, input_scale, is_result
        ),
        "self_or_result": (
            lambda o, g, grad_output, self_or_result, alpha, scale, input_scale, is_result: elu_curve(
                o, g, grad_output, self_or_result, alpha, scale, input_scale, is_result
            )
        ),
    },
    samples=(((V3, W3, 0.7, 1.5, 2.0), {}), ((V3, vector(-0.5, 0.25, 3.5), 0.7, 1, 1, True), {})),
)
activation(
    "selu",
    lambda self: _elu(self, SELU_ALPHA, SELU_SCALE, 1),
    None,
    r"\lambda \, (\max(\self, 0) + \alpha \min(e^{\self} - 1, 0))",
    r"\lambda \, ([\self > 0] + \alpha e^{\self} \, [\self \le 0])",
    compose=lambda o, self: o.elu(self, SELU_ALPHA, SELU_SCALE),
    grad_fn="EluBackward0",
    function="torch.selu",
    signatures=("selu(Tensor input)",),
)
activation(
    "celu",
    _celu,
    lambda o, g, self, alpha: elu_gradient(o, g, self, alpha, 1, inverse_alpha(alpha)),
    r"\max(\self, 0) + \alpha \min(e^{\self / \alpha} - 1, 0)",
    r"[\self > 0] + e^{\self / \alpha} \, [\self \le 0]",
    attributes=(Attribute("alpha", "number", 1.0),),
    function="torch.celu",
    signatures=("celu(Tensor input, Scalar alpha=1.0)",),
    samples=(((V3,), {}), ((W3, 0.5), {}), ((M23,), {})),
)


# Weighted by a bell curve's integral

APPROXIMATE = Attribute("approximate", "choice", "none", positional=False, choices=("none", "tanh"))
TANH_SCALE, CUBIC = math.sqrt(2 / math.pi), 0.044715
DENSITY = 1 / math.sqrt(2 * math.pi)


def _check_approximate(approximate: str) -> None:
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")


def _gelu_weight(x: np.ndarray, approximate: str) -> Any:
    """What ``x`` is multiplied by."""
    kind = x.dtype.type
    if approximate == "tanh":
        return kind(0.5) * (1 + np.tanh(kind(TANH_SCALE) * (x + kind(CUBIC) * x * x * x)))
    return kind(0.5) * (1 + special_values.erf(x * kind(math.sqrt(0.5))))


def _gelu(self: np.ndarray, approximate: str = "none") -> Any:
    _check_approximate(approximate)
    found = self * _gelu_weight(self, approximate)
    # of several of single precision PyTorch computes in a way that ends with a sum, which makes 0 of -0
    return found + np.float32(0) if approximate == "none" and self.size > 1 and self.dtype == np.float32 else found


def _gelu_backward(grad_output: np.ndarray, self: np.ndarray, approximate: str = "none") -> Any:
    kind = self.dtype.type
    weight = _gelu_weight(self, approximate)
    if approximate == "tanh":
        inner = kind(TANH_SCALE) * (1 + kind(3 * CUBIC) * self * self)
        slope = 2 * weight * (1 - weight) * inner
    else:
        slope = kind(DENSITY) * np.exp(kind(-0.5) * self * self)
    return grad_output * (weight + self * slope)


def gelu_curve(o: Any, g: Any, grad_output: Any, self: Any, approximate: str) -> Any:
    """Second derivative of gelu, weighted."""
    curve = _tanh_curve(o, self) if approximate == "tanh" else _gelu_curve(o, self)
    return o.mul(o.mul(g, grad_output), curve)


def _gelu_curve(o: Any, self: Any) -> Any:
    square = o.mul(self, self)
    density = o.mul_number(o.exp(o.mul_number(square, -0.5)), DENSITY)
    away = o.mul(square, density)
    return o.sub(o.mul_number(density, 2), away)


def _tanh_curve(o: Any, self: Any) -> Any:
    """The second derivative of gelu by its approximation, a product of three factors: each falls in turn."""
    inner = o.mul_number(o.add(self, o.mul_number(o.pow_number(self, 3), CUBIC)), TANH_SCALE)
    tanh, shrunk = o.tanh(inner), o.div(1.0, o.cosh(inner))
    half, falling = o.mul_number(self, 0.5), o.sub(1.0, o.mul(tanh, tanh))
    slope = o.mul_number(o.add_number(o.mul(o.mul_number(self, 3 * CUBIC), self), 1), TANH_SCALE)
    by_half = o.mul(o.mul_number(falling, 0.5), slope)
    fall = o.mul(o.neg(shrunk), tanh)
    fall = o.mul(o.mul(o.mul_number(shrunk, 2), fall), slope)
    by_falling = o.mul(o.mul(half, slope), fall)
    bend = o.mul_number(o.mul_number(self, 6 * CUBIC), TANH_SCALE)
    by_slope = o.mul(o.mul(half, falling), bend)
    return o.add(o.add(o.mul_number(by_half, 2), by_falling), by_slope)


activation(
    "gelu",
    _gelu,
    lambda o, g, self, approximate: o.gelu_backward(g, self, approximate=approximate),
    r"\self \, \Phi(\self)",
    r"\Phi(\self) + \self \, \varphi(\self)",
    attributes=(APPROXIMATE,),
    check=only("GeluKernelImpl", FLOATS),
    samples=(((V3,), {}), ((M23,), {}), ((V3,), {"approximate": "tanh"})),
)
backward_of(
    "gelu",
    _gelu_backward,
    lambda o, g, self, approximate: o.gelu_backward(g, self, approximate=approximate),
    gelu_curve,
    attributes=(APPROXIMATE,),
    vjps={
        "grad_output": lambda o, g, self, approximate: o.gelu_backward(g, self, approximate=approximate),
        "self": gelu_curve,
    },
    samples=(((V3, V3), {}), ((V3, V3), {"approximate": "tanh"})),
)


# Weighted by a sigmoid


def silu_gradient(o: Any, g: Any, self: Any) -> Any:
    """Derivative of ``x * sigmoid(x)``."""
    sigmoid = o.sigmoid(self)
    slope = o.add_number(o.mul(self, o.sub(1.0, sigmoid)), 1.0)
    return o.mul(o.mul(g, sigmoid), slope)


def mish_gradient(o: Any, g: Any, self: Any) -> Any:
    """Derivative of ``x * tanh(softplus(x))``."""
    sigmoid, tanh = o.sigmoid(self), o.tanh(o.log1p(o.exp(self)))
    falling = o.sub(1.0, o.mul(tanh, tanh))
    return o.mul(g, o.add(tanh, o.mul(o.mul(self, sigmoid), falling)))


activation(
    "silu",
    lambda self: self / (1 + np.exp(-self)),
    silu_gradient,
    r"\self \, \sigma(\self)",
    r"\sigma(\self) \, (1 + \self \, (1 - \sigma(\self)))",
    check=only("silu_cpu", FLOATS),
    said=("swish",),
)
activation(
    "mish",
    lambda self: self * np.tanh(np.log1p(np.exp(self))),
    mish_gradient,
    r"\self \tanh(\ln(1 + e^{\self}))",
    r"\tanh(\ln(1 + e^{\self})) + \self \, \sigma(\self) \, (1 - \tanh^{2}(\ln(1 + e^{\self})))",
    check=only("mish_cpu", FLOATS),
)


# Soft versions of relu and of the logarithm

CURVE = (Attribute("beta", "number", 1), Attribute("threshold", "number", 20))


def _softplus(self: np.ndarray, beta: float = 1, threshold: float = 20) -> Any:
    check_held(self, beta, threshold)
    kind = self.dtype.type
    scaled = self * kind(beta)
    return np.where(scaled > threshold, self, np.log1p(np.exp(scaled)) / kind(beta))


def _softplus_backward(grad_output: np.ndarray, self: np.ndarray, beta: float, threshold: float) -> Any:
    scaled = self * self.dtype.type(beta)
    grown = np.exp(scaled)
    return np.where(scaled > threshold, grad_output, grad_output * grown / (grown + 1))


def softplus_curve(o: Any, g: Any, grad_output: Any, self: Any, beta: Any, threshold: Any) -> Any:
    """Second derivative of softplus, weighted; 0 where it is taken for the identity."""
    g = o.mul(g, grad_output)
    scaled = o.mul_number(self, beta)
    curve = o.sigmoid_backward(g, o.sigmoid(scaled))
    return o.mul_number(o.mul(curve, _as_numbers(o, o.lt(scaled, threshold), g)), beta)


activation(
    "softplus",
    _softplus,
    lambda o, g, self, beta, threshold: o.softplus_backward(g, self, beta, threshold),
    r"\frac{1}{\beta} \ln(1 + e^{\beta \self})",
    r"\sigma(\beta \self)",
    attributes=CURVE,
    check=only("softplus_cpu", FLOATS),
    samples=(((V3,), {}), ((M23, 2.0), {}), ((W3, 1, 3), {})),
)
backward_of(
    "softplus",
    _softplus_backward,
    lambda o, g, self, beta, threshold: o.softplus_backward(g, self, beta, threshold),
    softplus_curve,
    attributes=CURVE,
    samples=(((V3, W3, 1.5, 5), {}),),
)


def _log_sigmoid_forward(self: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    self = np.asarray(self, order="C")
    buffer = np.exp(-np.abs(self))
    return np.minimum(self, self.dtype.type(0)) - np.log1p(buffer), buffer


def _log_sigmoid_backward(grad_output: np.ndarray, self: np.ndarray, buffer: np.ndarray) -> Any:
    part = buffer / (1 + buffer)
    made = empty_like(grad_output, grad_output.dtype)
    made[...] = grad_output * choose(self < 0, 1 - part, part)
    return made


def log_sigmoid_curve(o: Any, g: Any, grad_output: Any, self: Any) -> Any:
    """Second derivative of the logarithm of a sigmoid, weighted."""
    g = o.mul(g, grad_output)
    sigmoid = o.sigmoid(self)
    return o.mul(o.mul(g, o.sub_number(sigmoid, 1)), sigmoid)


activation(
    "logsigmoid",
    lambda self: _log_sigmoid_forward(self)[0],
    None,
    r"\ln \sigma(\self)",
    r"1 - \sigma(\self)",
    compose=lambda o, self: o.log_sigmoid_forward(self)[0],
    elementwise=False,
    grad_fn="LogSigmoidBackward0",
    signatures=("log_sigmoid(Tensor input, *, Tensor out=None)",),
)
activation(
    "log_sigmoid_forward",
    _log_sigmoid_forward,
    lambda o, g, self, buffer: o.log_sigmoid_backward(g, self, buffer),
    "",
    "",
    outputs=("output", "buffer"),
    not_differentiable=frozenset({"buffer"}),
    check=only("log_sigmoid_cpu", FLOATS),
    grad_fn="LogSigmoidBackward0",
    function=None,
    hidden=True,
    part_of="logsigmoid",
    elementwise=False,
    samples=(),
)
backward_of(
    "log_sigmoid",
    _log_sigmoid_backward,
    lambda o, g, self, buffer: o.log_sigmoid_backward(g, self, buffer),
    log_sigmoid_curve,
    inputs=("grad_output", "self", "buffer"),
    shape=lambda grad_output, self, buffer: self,
    elementwise=False,
    part_of="logsigmoid",
    samples=(),
)


# Written with other operators

activation(
    "tanhshrink",
    lambda self: self - np.tanh(self),
    None,
    r"\self - \tanh \self",
    r"\tanh^{2} \self",
    compose=lambda o, self: o.sub(self, o.tanh(self)),
    grad_fn="SubBackward0",
)
activation(
    "softsign",
    lambda self: self / (np.abs(self) + 1),
    None,
    r"\frac{\self}{1 + \lvert \self \rvert}",
    r"\frac{1}{(1 + \lvert \self \rvert)^{2}}",
    compose=lambda o, self: o.div(self, o.add(o.abs(self), 1)),
    grad_fn="DivBackward0",
)
