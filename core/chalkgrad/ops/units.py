"""Activations that work on halves of a tensor or with a learned slope: glu and prelu."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.ordering import ordered_by
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, wrap_dim
from chalkgrad.ops.activation import logistic
from chalkgrad.ops.composing import written_zeros
from chalkgrad.ops.overloads import FLOATS, only
from chalkgrad.ops.samples import M23, V3, matrix, vector
from chalkgrad.ops.selecting import choose

DIM = Attribute("dim", "int", -1)
V4, M24 = vector(0.5, -1.5, 2.0, 0.25), matrix((0.5, -1.5, 2.0, 0.1), (1.25, 0.75, -0.5, -2.0))


def _halved(self: tuple[int, ...], dim: int = -1) -> tuple[int, ...]:
    """The shape of one half; RuntimeError where there are none."""
    if not self:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    axis = wrap_dim(dim, len(self))
    if self[axis] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {axis} is size {self[axis]}")
    return (*self[:axis], self[axis] // 2, *self[axis + 1 :])


def _glu(self: np.ndarray, dim: int = -1) -> Any:
    only("glu_cpu", FLOATS)(self)
    first, second = np.split(self, 2, dim)
    return first * logistic(second)


def _glu_backward(grad_output: np.ndarray, self: np.ndarray, dim: int) -> Any:
    first, second = np.split(self, 2, dim)
    gate = logistic(second)
    return np.ascontiguousarray(np.concatenate([gate * grad_output, (1 - gate) * gate * grad_output * first], dim))


def _halves(o: Any, x: Any, dim: int) -> tuple[Any, Any]:
    size = x.shape[dim] // 2
    return o.narrow(x, dim, 0, size), o.narrow(x, dim, size, size)


def glu_curve(o: Any, g: Any, grad_output: Any, self: Any, dim: int) -> Any:
    """Derivative of glu's backward by its input."""
    first, second = _halves(o, self, dim)
    gate = o.sigmoid(second)
    rest = o.sub(1.0, gate)
    slope = o.mul(gate, rest)
    for_first, for_second = _halves(o, g, dim)
    both = o.mul(for_second, first)
    by_first = o.mul(o.mul(for_second, grad_output), slope)
    away = o.mul(gate, slope)
    bend = o.sub(o.mul(slope, rest), away)
    across = o.mul(o.mul(for_first, grad_output), slope)
    by_second = o.add(o.mul(o.mul(both, grad_output), bend), across)
    return o.cat([by_first, by_second], dim)


def glu_weight(o: Any, g: Any, self: Any, dim: int) -> Any:
    """Derivative of glu's backward by the gradient that came in."""
    size = self.shape[dim] // 2
    sizes = [size if axis == dim % len(self.shape) else length for axis, length in enumerate(self.shape)]
    ones = o.add(o.zeros_of(self, tuple(sizes)), 1)
    whole = o.mul(g, o.glu_backward(ones, self, dim))
    second = o.narrow(whole, dim, size, size)
    return o.add(o.narrow(whole, dim, 0, size), second)


register(
    Record(
        name="glu",
        inputs=("self",),
        attributes=(DIM,),
        forward=_glu,
        vjps={"self": lambda o, g, self, dim: o.glu_backward(g, self, dim)},
        grad_fn="GluBackward0",
        function="torch.nn.functional.glu",
        shape=_halved,
        section="activation",
        latex=r"a \, \sigma(b), \; (a, b) = \self",
        derivatives={"self": r"(\sigma(b), \; a \, \sigma(b) \, (1 - \sigma(b)))"},
        samples=(((V4,), {}), ((M24,), {}), ((M24, 0), {})),
        bad_samples=(((V3,), {}, "RuntimeError", "Halving dimension must be even, but dimension 0 is size 3"),),
    )
)
register(
    Record(
        name="glu_backward",
        inputs=("grad_output", "self"),
        attributes=(Attribute("dim", "int", required=True),),
        forward=_glu_backward,
        vjps={"grad_output": glu_weight, "self": glu_curve},
        grad_fn="GluBackwardBackward0",
        shape=lambda grad_output, self, dim: self,
        section="activation",
        hidden=True,
        part_of="glu",
        samples=(((vector(0.5, 1.5), V4, 0), {}), ((M24[:, :2], M24, -1), {})),
    )
)


# A learned slope

MISMATCHED = "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} and channel size = {}."


def _check_prelu(self: np.ndarray, weight: np.ndarray) -> None:
    if self.dtype != weight.dtype:
        mine, its = dtype_of(self).scalar_type, dtype_of(weight).scalar_type
        raise RuntimeError(f"prelu: Type promoting not supported. Got {mine} and {its}")
    _prelu_shape(self.shape, weight.shape)


def _prelu_shape(self: tuple[int, ...], weight: tuple[int, ...]) -> tuple[int, ...]:
    count = prod(weight)
    if count != 1:
        if not self:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = self[1] if len(self) > 1 else 1
        if channels != count:
            raise RuntimeError(MISMATCHED.format(count, channels))
    if len(weight) > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {len(weight)}")
    return self


def _prelu(o: Any, self: Any, weight: Any) -> Any:
    """Compose: the slopes are turned so that they belong to the second dimension."""
    _check_prelu(self.array, weight.array)
    ndim = self.array.ndim
    if ndim != weight.array.ndim:
        weight = o.reshape(weight, tuple(weight.array.size if axis == 1 else 1 for axis in range(ndim)))
    return o.prelu_kernel(self, weight)


def _prelu_kernel(self: np.ndarray, weight: np.ndarray) -> Any:
    return choose(self > 0, self, self * weight)


def _prelu_kernel_backward(grad_output: Any, self: Any, weight: Any) -> tuple[Any, Any]:
    positive = self > 0
    by_weight = choose(positive, np.zeros((), self.dtype), self * grad_output)
    by_self = choose(positive, grad_output, weight * grad_output)
    return ordered_by(self, grad_output, by_self), ordered_by(self, grad_output, by_weight)


def _prelu_gradients(o: Any, g: Any, self: Any, weight: Any, *, grad_input_mask: tuple[bool, ...]) -> Any:
    """Derivatives of prelu by its input and by its slope, both whichever is wanted."""
    return o.prelu_kernel_backward(g, self, weight)


def _positive(o: Any, self: Any) -> Any:
    return o.ge(self, 0)


def prelu_by_grad_output(o: Any, g: Any, grad_output: Any, self: Any, weight: Any) -> Any:
    """Derivative of prelu's two gradients by the one that came in."""
    of_self, of_weight = g
    second = None if of_weight is None else o.mul(of_weight, self)  # C++ looks at the last term first
    first = None if of_self is None else o.mul(of_self, weight)
    below = second if first is None else first if second is None else o.add(first, second)
    return o.where(_positive(o, self), o.zeros_of(self, ()) if of_self is None else of_self, below)


def prelu_by_self(o: Any, g: Any, grad_output: Any, self: Any) -> Any:
    """The same by the input."""
    if g[1] is None:
        return written_zeros(o, self, tuple(self.shape))
    return o.where(_positive(o, self), o.zeros_of(self, ()), o.mul(grad_output, g[1]))


def prelu_by_weight(o: Any, g: Any, grad_output: Any, self: Any) -> Any:
    """The same by the slope."""
    if g[0] is None:
        return written_zeros(o, self, tuple(self.shape))
    return o.where(_positive(o, self), o.zeros_of(self, ()), o.mul(grad_output, g[0]))


register(
    Record(
        name="prelu",
        inputs=("self", "weight"),
        forward=_prelu_kernel,
        compose=_prelu,
        grad_fn="PreluKernelBackward0",
        function="torch.prelu",
        method="prelu",
        shape=_prelu_shape,
        section="activation",
        latex=r"\operatorname{max}(\self, 0) + \weight \operatorname{min}(\self, 0)",
        derivatives={"self": r"[\self > 0] + \weight \, [\self \le 0]", "weight": r"\self \, [\self \le 0]"},
        signatures=("prelu(Tensor input, Tensor weight)",),
        samples=(((V3, vector(0.25)), {}), ((M23, vector(0.25, 0.5, -0.1)), {})),
        bad_samples=(
            (
                (M23, vector(0.25, 0.5)),
                {},
                "RuntimeError",
                MISMATCHED.format(2, 3),
            ),
        ),
    )
)
register(
    Record(
        name="prelu_kernel",
        inputs=("self", "weight"),
        check=only("prelu_cpu", FLOATS),
        forward=_prelu_kernel,
        vjps=dict.fromkeys(("self", "weight"), _prelu_gradients),
        grad_fn="PreluKernelBackward0",
        shape=broadcast,
        section="activation",
        hidden=True,
        part_of="prelu",
        samples=(((M23, vector(0.25, 0.5, -0.1)), {}),),
    )
)
register(
    Record(
        name="prelu_kernel_backward",
        inputs=("grad_output", "self", "weight"),
        forward=_prelu_kernel_backward,
        outputs=("grad_self", "grad_weight"),
        vjps={
            "grad_output": prelu_by_grad_output,
            "self": prelu_by_self,
            "weight": prelu_by_weight,
        },
        fills=lambda came: (0, came[1] is None, came[0] is None),  # zeros, where the other is all that came
        grad_fn="PreluKernelBackwardBackward0",
        section="activation",
        hidden=True,
        part_of="prelu",
    )
)
