"""Activations with bounds: hardtanh and its kin, shrinking, thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.dtype import check_held, dtype_of, exact, int64
from chalkgrad.engine.ordering import laid_as
from chalkgrad.engine.record import Attribute
from chalkgrad.ops.clamping import larger, smaller
from chalkgrad.ops.leaky import W3, activation, backward_of
from chalkgrad.ops.overloads import FLOATS, NUMBERS, no_gradient, only, underivable
from chalkgrad.ops.samples import M23, V3
from chalkgrad.ops.selecting import choose


def _zero(like: np.ndarray) -> np.ndarray:
    return np.zeros((), like.dtype)


# Cut off at two bounds

LIMITS = (Attribute("min_val", "number", -1), Attribute("max_val", "number", 1))


def _check_hardtanh(self: np.ndarray) -> None:
    if self.dtype.kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")


def _hardtanh(self: np.ndarray, min_val: Any = -1, max_val: Any = 1) -> Any:
    if self.dtype.kind != "f":
        min_val, max_val = (exact(bound, int64).item() for bound in (min_val, max_val))
    if self.dtype.kind == "u" and (min_val < 0 or max_val < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    low, high = (exact(bound, dtype_of(self)) for bound in (min_val, max_val))
    return laid_as(np.asarray(smaller(larger(self, low), high)), self)


activation(
    "hardtanh",
    _hardtanh,
    lambda o, g, self, min_val, max_val: o.hardtanh_backward(g, self, min_val, max_val),
    r"\min(\max(\self, -1), 1)",
    r"[\min_val < \self < \max_val]",
    attributes=LIMITS,
    check=_check_hardtanh,
    samples=(((V3,), {}), ((W3, -2.0, 3.0), {}), ((M23,), {})),
)
backward_of(
    "hardtanh",
    lambda grad_output, self, min_val=-1, max_val=1: choose(
        (self <= min_val) | (self >= max_val), _zero(grad_output), grad_output
    ),
    lambda o, g, self, min_val, max_val: o.hardtanh_backward(g, self, min_val, max_val),
    no_gradient,
    attributes=LIMITS,
)
activation(
    "relu6",
    lambda self: _hardtanh(self, 0, 6),
    None,
    r"\min(\max(\self, 0), 6)",
    r"[0 < \self < 6]",
    compose=lambda o, self: o.hardtanh(self, 0, 6),
    check=_check_hardtanh,
    grad_fn="HardtanhBackward0",
    signatures=("relu6(Tensor input)",),
)


def _six(self: np.ndarray) -> Any:
    """``min(max(self + 3, 0), 6)``."""
    return smaller(larger(self + 3, _zero(self)), self.dtype.type(6))


SIXTH = np.float32(1 / 6)
"""PyTorch's kernel has it in single precision for all dtypes."""

activation(
    "hardsigmoid",
    lambda self: _six(self) / 6,
    lambda o, g, self: o.hardsigmoid_backward(g, self),
    r"\frac{\min(\max(\self + 3, 0), 6)}{6}",
    r"\frac{1}{6} \, [-3 < \self < 3]",
    check=only("hardsigmoid_cpu", FLOATS),
)
backward_of(
    "hardsigmoid",
    lambda grad_output, self: choose(
        (self > -3) & (self < 3), grad_output * grad_output.dtype.type(SIXTH), _zero(grad_output)
    ),
    underivable("hardsigmoid_backward"),
    underivable("hardsigmoid_backward"),
    grad_fn="NotImplemented",
    samples=(),
)


def _hardswish_backward(grad_output: np.ndarray, self: np.ndarray) -> Any:
    inner = choose(self < 3, grad_output * (self / 3 + grad_output.dtype.type(0.5)), grad_output)
    return choose(self <= -3, _zero(grad_output), inner)


def _hardswish_curve(o: Any, g: Any, grad_output: Any, self: Any) -> Any:
    inside = o.logical_and(o.gt(self, -3), o.lt(self, 3))
    return o.where(inside, o.div_number(o.mul(g, grad_output), 3), o.zeros_of(g, ()))


activation(
    "hardswish",
    lambda self: self * _six(self) / 6,
    lambda o, g, self: o.hardswish_backward(g, self),
    r"\self \, \frac{\min(\max(\self + 3, 0), 6)}{6}",
    r"(\frac{\self}{3} + \frac{1}{2}) \, [\lvert \self \rvert < 3] + [\self \ge 3]",
    check=only("hardswish_cpu", FLOATS),
)
backward_of(
    "hardswish",
    _hardswish_backward,
    lambda o, g, self: o.hardswish_backward(g, self),
    _hardswish_curve,
)


# Towards zero

LAMBD = Attribute("lambd", "number", 0.5)
SAMPLES: Any = (((V3 + 0.1,), {}), ((W3, 1.0), {}), ((M23 + 0.1,), {}))


def _hardshrink(self: np.ndarray, lambd: float = 0.5) -> Any:
    check_held(self, lambd)
    return choose((self >= -lambd) & (self <= lambd), _zero(self), self)


def _shrink_backward(grad_output: np.ndarray, self: np.ndarray, lambd: float = 0.5) -> Any:
    return choose((self >= -lambd) & (self <= lambd), _zero(grad_output), grad_output)


def _softshrink(self: np.ndarray, lambd: float = 0.5) -> Any:
    if not 0 <= lambd <= np.finfo(self.dtype).max:
        most = "3.40282e+38" if self.dtype == np.float32 else "1.79769e+308"
        name = dtype_of(self).scalar_type
        raise RuntimeError(f"lambda must be in range [0, {most}] for input dtype {name}, but found {lambd:g}")
    size = self.dtype.type(lambd)
    return choose(self > size, self - size, choose(self < -size, self + size, self * 0))


activation(
    "hardshrink",
    _hardshrink,
    lambda o, g, self, lambd: o.hardshrink_backward(g, self, lambd),
    r"\self \, [\lvert \self \rvert > \lambda]",
    r"[\lvert \self \rvert > \lambd]",
    attributes=(LAMBD,),
    check=only("hardshrink_cpu", FLOATS),
    samples=SAMPLES,
    function="torch.hardshrink",
    method="hardshrink",
)
backward_of(
    "hardshrink",
    _shrink_backward,
    lambda o, g, self, lambd: o.hardshrink_backward(g, self, lambd),
    no_gradient,
    inputs=("grad_out", "self"),
    attributes=(LAMBD,),
    vjps={
        "grad_out": lambda o, g, self, lambd: o.hardshrink_backward(g, self, lambd),
        "self": no_gradient,
    },
)
activation(
    "softshrink",
    _softshrink,
    lambda o, g, self, lambd: o.softshrink_backward(g, self, lambd),
    r"\operatorname{sgn}(\self) \max(\lvert \self \rvert - \lambda, 0)",
    r"[\lvert \self \rvert > \lambd]",
    attributes=(LAMBD,),
    check=only("softshrink_check", FLOATS),
    samples=SAMPLES,
)
backward_of(
    "softshrink",
    _shrink_backward,
    lambda o, g, self, lambd: o.softshrink_backward(g, self, lambd),
    no_gradient,
    attributes=(LAMBD,),
)


# Above a threshold

THRESHOLD, VALUE = Attribute("threshold", "number", required=True), Attribute("value", "number", required=True)


def _threshold(self: np.ndarray, threshold: Any, value: Any) -> Any:
    least, other = (exact(number, dtype_of(self)) for number in (threshold, value))
    return choose(self <= least, other, self)


activation(
    "threshold",
    _threshold,
    lambda o, g, self, threshold: o.threshold_backward(g, self, threshold),
    r"\self \text{ if } \self > t \text{ else } v",
    r"[\self > \threshold]",
    attributes=(THRESHOLD, VALUE),
    check=only("threshold_cpu", NUMBERS),
    function="torch.threshold",
    samples=(((V3, 0.1, 20.0), {}), ((M23, 1.0, 0.0), {})),
)
