"""Rounding, signs, absolute values, and numbers that are none."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.memory_format import copied
from chalkgrad.engine.ordering import laid_as
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.shapes import same
from chalkgrad.ops.composing import array_in
from chalkgrad.ops.overloads import FLOATS, NUMBERS, no_gradient, not_implemented, only, zeros_as
from chalkgrad.ops.samples import M23, V3, scalar


def _unary(name: str, forward: Any, vjp: Formula, latex: str, derivative: str, **fields: Any) -> None:
    """A function of each element that keeps its dtype."""
    defaults: dict[str, Any] = {
        "inputs": ("self",),
        "grad_fn": f"{name.capitalize()}Backward0",
        "function": f"torch.{name}",
        "method": name,
        "shape": same,
        "section": "pointwise",
        "samples": (((V3 + 0.2,), {}), ((scalar(1.7),), {}), ((M23 + 0.2,), {})),
    }
    register(
        Record(
            name=name,
            forward=forward,
            vjps={"self": vjp},
            latex=latex,
            derivatives={"self": derivative},
            **(defaults | fields),
        )
    )


def _sign(self: np.ndarray) -> Any:
    """1, 0 or -1; 0 for nan too."""
    if self.dtype.kind == "b":
        return self.copy()
    return ((self > 0).astype(np.int8) - (self < 0).astype(np.int8)).astype(self.dtype)


def _row_by_row(o: Any, result: Any) -> Any:
    """Zeros in place of ``result`` that lie in order, however that lies."""
    return zeros_as(o, result, (tuple(result.shape), array_in(result).dtype))


_unary(
    "abs",
    np.absolute,
    lambda o, g, self: o.mul(g, o.sgn(self)),
    r"\lvert \self \rvert",
    r"\operatorname{sgn} \self",
    check=only("abs_cpu", NUMBERS),
    aliases=("absolute",),
    said=("|x|",),
)
_unary("sign", _sign, no_gradient, r"\operatorname{sgn} \self", "0")
_unary("sgn", _sign, lambda o, g, self, result: _row_by_row(o, result), r"\operatorname{sgn} \self", "0")
_unary(
    "floor",
    np.floor,
    no_gradient,
    r"\lfloor \self \rfloor",
    "0",
    check=only("floor_vml_cpu", NUMBERS),
)
_unary("ceil", np.ceil, no_gradient, r"\lceil \self \rceil", "0", check=only("ceil_vml_cpu", NUMBERS))
_unary(
    "trunc",
    np.trunc,
    no_gradient,
    r"\operatorname{trunc} \self",
    "0",
    check=only("trunc_vml_cpu", NUMBERS),
    aliases=("fix",),
)
_unary(
    "frac",
    lambda self: self - np.trunc(self),
    lambda o, g: g,
    r"\self - \operatorname{trunc} \self",
    "1",
    check=only("frac_cpu", FLOATS),
)


# Rounding to the nearest, also to a number of decimals


def _round_decimals(self: np.ndarray, decimals: int = 0) -> Any:
    if self.dtype.kind != "f":
        raise not_implemented("round_cpu" if decimals else "round_vml_cpu", self.dtype)
    if decimals == 0:
        return np.rint(self)
    scale = self.dtype.type(10.0 ** abs(decimals))
    return np.rint(self / scale) * scale if decimals < 0 else np.rint(self * scale) / scale


_unary(
    "round",
    lambda self: np.rint(self) if self.dtype.kind == "f" else self.copy(),
    no_gradient,
    r"\operatorname{round} \self",
    "0",
    check=only("round_vml_cpu", NUMBERS),
    signatures=(
        "round(Tensor input, *, Tensor out=None)",
        "round(Tensor input, *, int decimals, Tensor out=None) -> round_decimals",
    ),
)
_unary(
    "round_decimals",
    _round_decimals,
    no_gradient,
    r"\operatorname{round} \self",
    "0",
    attributes=(Attribute("decimals", "int", 0, positional=False),),
    grad_fn="RoundBackward1",
    function=None,
    method=None,
    hidden=True,
    part_of="round",
    samples=(((V3 * 1.337,), {"decimals": 2}), ((V3 * 133.7,), {"decimals": -1})),
)


# Numbers instead of nan and infinities


def _nan_to_num(
    self: np.ndarray, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Any:
    if self.dtype.kind != "f":
        return copied(self, self.dtype)
    limits = np.finfo(self.dtype)
    values = (
        0 if nan is None else nan,
        limits.max if posinf is None else posinf,
        limits.min if neginf is None else neginf,
    )
    found = self.copy()
    if not np.isfinite(self).all():
        for place, value in zip((np.isnan(self), self == np.inf, self == -np.inf), values, strict=True):
            np.copyto(found, self.dtype.type(value), where=place)
    return laid_as(found, self)


_unary(
    "nan_to_num",
    _nan_to_num,
    lambda o, g, self: o.mul(g, o.isfinite(self)),
    r"\self \text{ or a number}",
    r"[\lvert \self \rvert < \infty]",
    attributes=(
        Attribute("nan", "float"),
        Attribute("posinf", "float"),
        Attribute("neginf", "float"),
    ),
    grad_fn="NanToNumBackward0",
    signatures=(
        "nan_to_num(Tensor input, float? nan=None, float? posinf=None, float? neginf=None, *, Tensor out=None)",
    ),
    samples=(((V3,), {}), ((np.array([1.5, np.nan, np.inf, -np.inf]), 1.0, 2.0, 3.0), {})),
)
