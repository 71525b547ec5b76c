"""Exponentials, logarithms and roots, trigonometric and hyperbolic functions; choosing between tensors."""

from __future__ import annotations

from math import log, pi
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import DType
from chalkgrad.engine.memory_format import copied
from chalkgrad.engine.ordering import laid_as
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.shapes import same
from chalkgrad.ops.samples import M23, P3, V3, S, vector

UNIT = vector(0.5, -0.25, 0.75)
"""Values between -1 and 1."""


def pointwise(
    name: str,
    forward: Any,
    vjp: Formula,
    latex: str,
    derivative: str,
    *samples: np.ndarray,
    grad_fn: str = "",
    **fields: Any,
) -> None:
    """One function of each element, floating point, that PyTorch names alike as function and method."""
    record = Record(
        name=name,
        inputs=("self",),
        promotes="float",
        forward=forward,
        vjps={"self": vjp},
        grad_fn=f"{grad_fn or name.capitalize()}Backward0",
        function=f"torch.{name}",
        method=name,
        shape=same,
        section="pointwise",
        latex=latex,
        derivatives={"self": derivative},
        samples=tuple(((sample,), {}) for sample in samples),
    )
    register(record._replace(**fields))


# Exponentials and logarithms

pointwise("exp", np.exp, lambda o, g, result: o.mul(g, result), r"e^{\self}", r"e^{\self}", V3, S, M23, said=("e^x",))
pointwise(
    "exp2",
    np.exp2,
    lambda o, g, result: o.mul_number(o.mul(g, result), log(2)),
    r"2^{\self}",
    r"2^{\self} \ln 2",
    V3,
    M23,
)
pointwise(
    "expm1",
    np.expm1,
    lambda o, g, result: o.mul(g, o.add_number(result, 1)),
    r"e^{\self} - 1",
    r"e^{\self}",
    V3,
    M23,
)
pointwise("log", np.log, lambda o, g, self: o.div(g, self), r"\ln \self", r"\frac{1}{\self}", P3, S, said=("ln",))
pointwise(
    "log1p",
    np.log1p,
    lambda o, g, self: o.div(g, o.add_number(self, 1)),
    r"\ln(1 + \self)",
    r"\frac{1}{1 + \self}",
    P3,
    S,
    grad_fn="Log1P",
)
pointwise(
    "log2",
    np.log2,
    lambda o, g, self: o.div(g, o.mul_number(self, log(2))),
    r"\log_{2} \self",
    r"\frac{1}{\self \ln 2}",
    P3,
    S,
)
pointwise(
    "log10",
    np.log10,
    lambda o, g, self: o.div(g, o.mul_number(self, log(10))),
    r"\log_{10} \self",
    r"\frac{1}{\self \ln 10}",
    P3,
    S,
)


# Roots


def _rsqrt(self: np.ndarray) -> Any:
    return np.reciprocal(np.sqrt(self))


def rsqrt_gradient(o: Any, g: Any, result: Any) -> Any:
    """Derivative of ``1 / sqrt(self)``."""
    slope = o.pow_number(result, 3)
    return o.mul(o.mul_number(g, -0.5), slope)


pointwise(
    "sqrt",
    np.sqrt,
    lambda o, g, result: o.div(g, o.mul_number(result, 2)),
    r"\sqrt{\self}",
    r"\frac{1}{2 \sqrt{\self}}",
    P3,
    S,
    said=("√",),
)
pointwise(
    "rsqrt",
    _rsqrt,
    rsqrt_gradient,
    r"\frac{1}{\sqrt{\self}}",
    r"-\frac{1}{2 \sqrt{\self}^{3}}",
    P3,
    S,
)


# Trigonometric functions and their inverses


def minus_square_plus_one(o: Any, x: Any) -> Any:
    """``1 - x * x``, in the order that PyTorch computes it in."""
    return o.add_number(o.mul(o.neg(x), x), 1)


pointwise("sin", np.sin, lambda o, g, self: o.mul(g, o.cos(self)), r"\sin \self", r"\cos \self", V3, S)
pointwise("cos", np.cos, lambda o, g, self: o.mul(g, o.neg(o.sin(self))), r"\cos \self", r"-\sin \self", V3, S)
pointwise(
    "tan",
    np.tan,
    lambda o, g, result: o.mul(g, o.add_number(o.pow_number(result, 2), 1)),
    r"\tan \self",
    r"1 + \tan^{2} \self",
    UNIT,
    S,
)
pointwise(
    "asin",
    np.arcsin,
    lambda o, g, self: o.mul(g, o.rsqrt(minus_square_plus_one(o, self))),
    r"\arcsin \self",
    r"\frac{1}{\sqrt{1 - \self^{2}}}",
    UNIT,
    aliases=("arcsin",),
)
pointwise(
    "acos",
    np.arccos,
    lambda o, g, self: o.mul(g, o.neg(o.rsqrt(minus_square_plus_one(o, self)))),
    r"\arccos \self",
    r"-\frac{1}{\sqrt{1 - \self^{2}}}",
    UNIT,
    aliases=("arccos",),
)
pointwise(
    "atan",
    np.arctan,
    lambda o, g, self: o.div(g, o.add_number(o.mul(self, self), 1)),
    r"\arctan \self",
    r"\frac{1}{1 + \self^{2}}",
    V3,
    S,
    aliases=("arctan",),
)


# Hyperbolic functions and their inverses (tanh is an activation)

pointwise("sinh", np.sinh, lambda o, g, self: o.mul(g, o.cosh(self)), r"\sinh \self", r"\cosh \self", V3, S)
pointwise("cosh", np.cosh, lambda o, g, self: o.mul(g, o.sinh(self)), r"\cosh \self", r"\sinh \self", V3, S)
pointwise(
    "asinh",
    np.arcsinh,
    lambda o, g, self: o.mul(g, o.rsqrt(o.add_number(o.pow_number(self, 2), 1))),
    r"\operatorname{arsinh} \self",
    r"\frac{1}{\sqrt{\self^{2} + 1}}",
    V3,
    S,
    aliases=("arcsinh",),
)
pointwise(
    "acosh",
    np.arccosh,
    lambda o, g, self: o.mul(g, o.rsqrt(o.sub_number(o.mul(self, self), 1))),
    r"\operatorname{arcosh} \self",
    r"\frac{1}{\sqrt{\self^{2} - 1}}",
    P3 + 1,
    S,
    aliases=("arccosh",),
)


def artanh_gradient(o: Any, g: Any, self: Any) -> Any:
    """Derivative of the inverse of ``tanh``."""
    rest = o.sub(1, o.pow_number(self, 2))
    return o.div(o.mul_number(g, 1), rest)


pointwise(
    "atanh",
    np.arctanh,
    artanh_gradient,
    r"\operatorname{artanh} \self",
    r"\frac{1}{1 - \self^{2}}",
    UNIT,
    aliases=("arctanh",),
)


# Angles


pointwise(
    "deg2rad",
    lambda self: laid_as(np.asarray(self * (pi / 180)), self),
    lambda o, g: o.mul_number(g, pi / 180),
    r"\frac{\pi}{180} \self",
    r"\frac{\pi}{180}",
    V3,
    grad_fn="Deg2Rad",
)
pointwise(
    "rad2deg",
    lambda self: laid_as(np.asarray(self * (180 / pi)), self),
    lambda o, g: o.mul_number(g, 180 / pi),
    r"\frac{180}{\pi} \self",
    r"\frac{180}{\pi}",
    V3,
    grad_fn="Rad2Deg",
)


def zeros_like_shape(g: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Zeros of another tensor's dtype; of a single element that was spread they take over the stride, which is 0."""
    zeros = np.zeros(shape, g.dtype)
    if g.size == 1 and g.shape == shape and 0 in g.strides:
        zeros = np.ndarray(shape, g.dtype, strides=g.strides)
        zeros.fill(0)
    return zeros


register(
    Record(
        name="zeros_of",
        inputs=("self",),
        attributes=(Attribute("shape", "size", required=True),),
        forward=zeros_like_shape,
        promotes="none",
        section="pointwise",
        hidden=True,
        part_of="zero_",
    )
)
register(
    Record(
        name="zeros_in_order",
        inputs=("self",),
        attributes=(Attribute("shape", "size", required=True),),
        forward=lambda self, shape: np.zeros(shape, self.dtype),
        promotes="none",
        section="pointwise",
        elementwise=False,
        hidden=True,
        part_of="zero_",
    )
)


def _to_copy(self: np.ndarray, dtype: Any, memory_format: Any = None) -> np.ndarray:
    return copied(self, dtype.numpy if isinstance(dtype, DType) else np.dtype(dtype), memory_format)


_TO_COPY = register(
    Record(
        name="to_copy",
        inputs=("self",),
        attributes=(
            Attribute("dtype", "dtype", required=True),
            Attribute("memory_format", "memory_format", None, positional=False),
        ),
        promotes="none",
        forward=_to_copy,
        vjps={"self": lambda o, g: g},
        grad_fn="ToCopyBackward0",
        shape=same,
        section="shape",
        latex=r"\self",
        derivatives={"self": "1"},
        hidden=True,
        part_of="clone",
    )
)
# a copy in whole numbers has no history, and nobody asks where its gradient would go
register(_TO_COPY._replace(name="to_copy_whole", vjps={}, grad_fn=None, derivatives={}))
