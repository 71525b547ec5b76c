"""Leaky relus, whose slope is given or drawn at random; and what all activations are made by."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import new_tensor
from chalkgrad.engine.dtype import check_held
from chalkgrad.engine.generator import default_generator
from chalkgrad.engine.ordering import ordered_by
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops.overloads import FLOATS, no_gradient, not_implemented, only
from chalkgrad.ops.samples import M23, V3, vector
from chalkgrad.ops.selecting import choose

TWO = ("grad_output", "self")
W3 = vector(-4.0, 0.25, 3.5)
"""Values on three pieces of most of these functions."""


def activation(name: str, forward: Any, vjp: Any, latex: str, derivative: str, **fields: Any) -> None:
    """An activation of one tensor; without ``function`` it is one of ``torch.nn.functional``."""
    defaults: dict[str, Any] = {
        "inputs": ("self",),
        "grad_fn": f"{name.title().replace('_', '')}Backward0",
        "function": f"torch.nn.functional.{name}",
        "style": "function",
        "shape": same,
        "section": "activation",
        "elementwise": True,
        "samples": (((V3,), {}), ((W3,), {}), ((M23,), {})),
    }
    register(
        Record(
            name=name,
            forward=forward,
            vjps={} if vjp is None else {"self": vjp},
            latex=latex,
            derivatives={"self": derivative},
            **(defaults | fields),
        )
    )


def backward_of(name: str, forward: Any, by_grad_output: Any, by_self: Any, **fields: Any) -> None:
    """The backward operator of activation ``name``, which can be differentiated once more."""
    defaults: dict[str, Any] = {
        "inputs": TWO,
        "grad_fn": f"{name.title().replace('_', '')}BackwardBackward0",
        "samples": (((V3, W3), {}),),
        "vjps": {"grad_output": by_grad_output, "self": by_self},
        "shape": broadcast,
        "part_of": name,
        "elementwise": True,
    }
    register(Record(name=f"{name}_backward", forward=forward, section="activation", hidden=True, **(defaults | fields)))


# Leaky

SLOPE = Attribute("negative_slope", "number", 0.01)
IS_RESULT = Attribute("self_is_result", "bool", False)
_NEGATIVE = (
    "In-place {0} backward calculation is triggered with a negative slope which is not supported. This is caused by "
    "calling in-place forward function with a negative slope, please call out-of-place version instead.{1}"
)
NEGATIVE_LEAK = _NEGATIVE.format(
    "leakyReLu",
    " File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward "
    "calculation with negative slope",
)
NEGATIVE_ELU = _NEGATIVE.format("elu", "")


def _leaky(self: np.ndarray, negative_slope: float = 0.01) -> Any:
    check_held(self, negative_slope)
    return choose(self > 0, self, self * self.dtype.type(negative_slope))


def _leaky_backward(grad_output: Any, self: Any, negative_slope: float, self_is_result: bool = False) -> Any:
    if self_is_result and negative_slope < 0:
        raise RuntimeError(NEGATIVE_LEAK)
    found = choose(self > 0, grad_output, grad_output * grad_output.dtype.type(negative_slope))
    return ordered_by(self, grad_output, found)


activation(
    "leaky_relu",
    _leaky,
    lambda o, g, self, negative_slope: o.leaky_relu_backward(g, self, negative_slope),
    r"\max(\self, 0) + a \min(\self, 0)",
    r"[\self > 0] + \negative_slope \, [\self \le 0]",
    attributes=(SLOPE,),
    check=only("leaky_relu_cpu", FLOATS),
    samples=(((V3,), {}), ((W3, 0.2), {}), ((M23,), {})),
)
backward_of(
    "leaky_relu",
    _leaky_backward,
    lambda o, g, self, negative_slope: o.leaky_relu_backward(g, self, negative_slope),
    no_gradient,
    attributes=(SLOPE, IS_RESULT),
    elementwise=False,
    samples=(((V3, W3, 0.2), {}),),
)


# Leaky with a random slope

BOUNDS = (Attribute("lower", "number", 1 / 8), Attribute("upper", "number", 1 / 3))
TRAINING = Attribute("training", "bool", False)


def drawn_noise(values: np.ndarray, lower: float, upper: float, training: bool, generator: Any) -> np.ndarray:
    """The slope of each element when training: random for those not above 0, drawn one after the other."""
    noise = np.ones(values.shape, values.dtype)
    if training:
        leaking = values <= 0
        source = default_generator if generator is None else generator
        uniform = source.rand((int(leaking.sum()),), np.float64)
        noise[leaking] = uniform * (upper - lower) + lower
    return noise


def rrelu(o: Any, self: Any, lower: Any, upper: Any, training: bool, generator: Any = None, suffix: str = "") -> Any:
    """Compose: draws the noise and multiplies by it; ``suffix`` is ``_`` in place."""
    for name, bound in (("lower", lower), ("upper", upper)):
        if not suffix and not math.isfinite(bound):  # in place PyTorch doesn't ask
            raise RuntimeError(f"rrelu: {name} bound must be finite, got {bound:g}")
    if not lower <= upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if training and self.array.dtype.kind not in FLOATS:
        raise not_implemented("rrelu_with_noise_out_cpu", self.array.dtype)
    if training:
        check_held(self.array, lower, upper)
    noise = new_tensor(drawn_noise(self.array, lower, upper, training, generator))
    operator = getattr(o, f"rrelu_with_noise{suffix}")
    return operator(self, noise, lower=lower, upper=upper, training=training)


def _between(lower: Any, upper: Any) -> Any:
    """The slope when not training. PyTorch adds the bounds as tensors, where two bools make a bool."""
    return (lower or upper if isinstance(lower, bool) and isinstance(upper, bool) else lower + upper) / 2


def _with_noise(
    self: np.ndarray, noise: np.ndarray, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False
) -> Any:
    found = np.where(self > 0, self, self * noise) if training else _leaky(self, _between(lower, upper))
    return np.asarray(found, order="C")


def _with_noise_backward(
    grad_output: Any,
    self: Any,
    noise: Any,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    self_is_result: bool = False,
) -> Any:
    if training and upper - lower > 1e-6:
        return ordered_by(noise, grad_output, grad_output * noise)
    return _leaky_backward(grad_output, self, (lower + upper) / 2, self_is_result)


def _noise_gradient(o: Any, g: Any, self: Any, noise: Any, lower: Any, upper: Any, training: Any) -> Any:
    return o.rrelu_with_noise_backward(g, self, noise, lower, upper, training)


RRELU = (
    "rrelu(Tensor input, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, "
    "Generator? generator=None)"
)
activation(
    "rrelu",
    lambda self, lower=1 / 8, upper=1 / 3, training=False, generator=None: _leaky(self, (lower + upper) / 2),
    None,
    r"\max(\self, 0) + a \min(\self, 0)",
    r"[\self > 0] + a \, [\self \le 0]",
    attributes=(*BOUNDS, TRAINING, Attribute("generator", "choice")),
    compose=rrelu,
    function="torch.rrelu",
    grad_fn="RreluWithNoiseBackward0",
    signatures=(RRELU,),
    samples=(((V3,), {}), ((W3, 0.1, 0.3), {})),
)
activation(
    "rrelu_with_noise",
    _with_noise,
    _noise_gradient,
    "",
    "",
    inputs=("self", "noise"),
    attributes=(*BOUNDS, TRAINING),
    check=only("leaky_relu_cpu", FLOATS),
    grad_fn="RreluWithNoiseBackward0",
    elementwise=False,
    function=None,
    shape=lambda self, noise, **_: self,
    hidden=True,
    part_of="rrelu",
    samples=(((V3, V3), {}),),
)
backward_of(
    "rrelu_with_noise",
    _with_noise_backward,
    _noise_gradient,
    no_gradient,
    inputs=("grad_output", "self", "noise"),
    attributes=(*BOUNDS, TRAINING, IS_RESULT),
    elementwise=False,
    shape=lambda grad_output, self, noise, **_: self,
    part_of="rrelu",
    samples=(((V3, W3, V3), {}),),
)
