"""Functions of each element by itself, and choosing between two tensors element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops.samples import M23, P3, V3, S


def _pointwise(name: str, ufunc: np.ufunc, vjp: Formula, latex: str, derivative: str, *samples: np.ndarray) -> None:
    """One function that PyTorch names alike as function and method."""
    register(
        Record(
            name=name,
            inputs=("self",),
            promotes="float",
            forward=ufunc,
            vjps={"self": vjp},
            grad_fn=f"{name.capitalize()}Backward0",
            function=f"torch.{name}",
            method=name,
            shape=same,
            section="pointwise",
            latex=latex,
            derivatives={"self": derivative},
            samples=tuple(((sample,), {}) for sample in samples),
        )
    )


_pointwise("exp", np.exp, lambda o, g, result: o.mul(g, result), r"e^{\self}", r"e^{\self}", V3, S, M23)
_pointwise("log", np.log, lambda o, g, self: o.div(g, self), r"\ln \self", r"\frac{1}{\self}", P3, S)
_pointwise("sin", np.sin, lambda o, g, self: o.mul(g, o.cos(self)), r"\sin \self", r"\cos \self", V3, S)
_pointwise("cos", np.cos, lambda o, g, self: o.mul(g, o.neg(o.sin(self))), r"\cos \self", r"-\sin \self", V3, S)


def zeros_like_shape(g: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Zeros of another tensor's dtype."""
    return np.zeros(shape, g.dtype)


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
        name="where",
        inputs=("condition", "self", "other"),
        promotes="none",
        forward=np.where,
        vjps={
            "self": lambda o, g, condition: o.where(condition, g, o.zeros_of(g, ())),
            "other": lambda o, g, condition: o.where(condition, o.zeros_of(g, ()), g),
        },
        grad_fn="WhereBackward0",
        shape=lambda condition, self, other: broadcast(condition, broadcast(self, other)),
        section="pointwise",
        latex=r"\self \text{ where } \condition \text{ else } \other",
        derivatives={"self": r"[\condition]", "other": r"[\text{not } \condition]"},
        hidden=True,
        part_of="pow",
        samples=(((np.array([True, False, True]), V3, P3), {}),),
    )
)

register(
    Record(
        name="both",
        inputs=("self", "other"),
        promotes="none",
        forward=np.logical_and,
        shape=broadcast,
        section="compare",
        hidden=True,
        part_of="eq",
    )
)


def _comparison(name: str, ufunc: np.ufunc, symbol: str, latex: str) -> None:
    """A comparison: its result is bool and has no history."""
    register(
        Record(
            name=name,
            inputs=("self", "other"),
            numbers=frozenset({"other"}),
            forward=ufunc,
            function=f"torch.{name}",
            method=name,
            symbol=symbol,
            style="operator",
            shape=broadcast,
            section="compare",
            latex=rf"\self {latex} \other",
            samples=(((V3, P3), {}), ((V3, 0.5), {})),
        )
    )


_comparison("eq", np.equal, "==", "=")
_comparison("ne", np.not_equal, "!=", r"\neq")
_comparison("lt", np.less, "<", "<")
_comparison("le", np.less_equal, "<=", r"\leq")
_comparison("gt", np.greater, ">", ">")
_comparison("ge", np.greater_equal, ">=", r"\geq")


def _to_copy(self: np.ndarray, dtype: Any) -> np.ndarray:
    return self.astype(getattr(dtype, "numpy", dtype))


register(
    Record(
        name="to_copy",
        inputs=("self",),
        attributes=(Attribute("dtype", "dtype", required=True),),
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
