"""Comparing, asking what kind of number each element is, and logic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import counter_of
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.ordering import laid_as
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.recording import computed_with
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops.samples import MISMATCH, P3, V2, V3

Shape = tuple[int, ...]

FLAGS = np.array([True, False, True]), np.array([True, True, False])
INTEGERS = np.array([[2, 0, -1]]), np.array([[0, 1, 3]])


def _comparison(name: str, ufunc: np.ufunc, symbol: str, latex: str, *aliases: str, said: str = "") -> None:
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
            aliases=aliases,
            said=(said,) if said else (),
            samples=(((V3, P3), {}), ((V3, 0.5), {})),
            bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
        )
    )


_comparison("eq", np.equal, "==", "=")
_comparison("ne", np.not_equal, "!=", r"\neq", "not_equal", said="≠")
_comparison("lt", np.less, "<", "<", "less")
_comparison("le", np.less_equal, "<=", r"\leq", "less_equal", said="≤")
_comparison("gt", np.greater, ">", ">", "greater")
_comparison("ge", np.greater_equal, ">=", r"\geq", "greater_equal", said="≥")


# Nearly equal


def _check_close(self: np.ndarray, other: np.ndarray) -> None:
    if self.dtype != other.dtype:
        raise RuntimeError(f"{dtype_of(self).scalar_type} did not match {dtype_of(other).scalar_type}")


def _close_shape(self: Shape, other: Shape, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Shape:
    for name, value in (("rtol", rtol), ("atol", atol)):
        if not value >= 0:  # a nan is refused, too
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")
    return broadcast(self, other)


def _isclose(
    self: np.ndarray, other: np.ndarray, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    close = self == other
    if equal_nan and self.dtype.kind == "f":
        close = close | (np.isnan(self) & np.isnan(other))
    if rtol == 0 and atol == 0:
        return close
    x, y = (value if value.dtype.kind == "f" else value.astype(np.float64) for value in (self, other))
    distance = np.abs(x - y)
    return close | (np.isfinite(distance) & (distance <= atol + np.abs(rtol * y)))


def _isclose_call(o: Any, self: Any, other: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    """Compose: PyTorch writes into the result of ``==`` what else counts as close, and counts these writes."""
    found = o.isclose_of(self, other, rtol, atol, equal_nan)
    if rtol != 0 or atol != 0:
        computed_with(other, self)
    writes = (equal_nan and self.array.dtype.kind == "f") + (rtol != 0 or atol != 0)
    if writes:
        counter_of(found).version = writes
    return found


TOLERANCES = (
    Attribute("rtol", "float", 1e-05),
    Attribute("atol", "float", 1e-08),
    Attribute("equal_nan", "bool", False),
)

register(
    Record(
        name="isclose",
        inputs=("self", "other"),
        attributes=TOLERANCES,
        forward=_isclose,
        compose=_isclose_call,
        function="torch.isclose",
        method="isclose",
        shape=_close_shape,
        section="compare",
        latex=r"\self \approx \other",
        signatures=("isclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)",),
        samples=(((V3, P3), {}), ((V3, V3 + 1e-9), {}), ((V3, P3, 10.0), {})),
        bad_samples=(
            ((V3, np.array([1])), {}, "RuntimeError", "Double did not match Long"),
            ((V3, V3), {"rtol": -1.0}, "RuntimeError", "rtol must be greater than or equal to zero, but got -1"),
        ),
    )
)
register(
    Record(
        name="isclose_of",
        inputs=("self", "other"),
        attributes=TOLERANCES,
        check=_check_close,
        forward=_isclose,
        shape=_close_shape,
        section="compare",
        hidden=True,
        part_of="isclose",
    )
)


# What kind of number each element is


def _infinite(sign: int) -> Callable[[np.ndarray], Any]:
    return lambda self: self == sign * np.inf if self.dtype.kind == "f" else np.zeros(self.shape, np.bool_)


def _isfinite_call(o: Any, self: Any) -> Any:
    """Compose: PyTorch compares the absolute values with infinity."""
    found = o.isfinite_of(self)
    computed_with(self)
    return found


def _question(
    name: str,
    forward: Callable[[np.ndarray], Any],
    latex: str,
    writable: bool = True,
    compose: Callable[..., Any] | None = None,
) -> None:
    """A question about each element, answered by a bool."""
    register(
        Record(
            name=name,
            inputs=("self",),
            forward=forward,
            compose=compose,
            function=f"torch.{name}",
            method=name,
            shape=same,
            section="compare",
            latex=latex,
            signatures=(f"{name}(Tensor input, *, Tensor out=None)" if writable else f"{name}(Tensor input)",),
            samples=(((np.array([1.5, np.inf, -np.inf, np.nan, -0.0]),), {}), ((np.array([1, -2]),), {})),
        )
    )


_question("isnan", np.isnan, r"\self \text{ is nan}", False)
_question("isinf", np.isinf, r"\lvert \self \rvert = \infty", False)
_question("isfinite", np.isfinite, r"\lvert \self \rvert < \infty", False, _isfinite_call)
register(
    Record(
        name="isfinite_of",
        inputs=("self",),
        forward=np.isfinite,
        shape=same,
        section="compare",
        hidden=True,
        part_of="isfinite",
    )
)
_question("isposinf", _infinite(1), r"\self = \infty")
_question("isneginf", _infinite(-1), r"\self = -\infty")
_question("isreal", lambda self: laid_as(np.ones(self.shape, np.bool_), self), r"\self \in \mathbb{R}", False)
_question("signbit", lambda self: np.signbit(self) if self.dtype.kind == "f" else self < 0, r"\self < 0")


# Logic


def _logic(name: str, ufunc: np.ufunc, latex: str) -> None:
    """An operator on truth values; numbers other than 0 are true."""
    inputs = ("self", "other")[: ufunc.nin]
    register(
        Record(
            name=name,
            inputs=inputs,
            promotes="none",
            forward=ufunc,
            not_differentiable=frozenset({"result"}),
            function=f"torch.{name}",
            method=name,
            shape=broadcast if len(inputs) == 2 else same,
            section="compare",
            latex=latex,
            samples=((FLAGS[: len(inputs)], {}), (INTEGERS[: len(inputs)], {})),
            bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),) if len(inputs) == 2 else (),
        )
    )


_logic("logical_and", np.logical_and, r"\self \land \other")
_logic("logical_or", np.logical_or, r"\self \lor \other")
_logic("logical_xor", np.logical_xor, r"\self \oplus \other")
_logic("logical_not", np.logical_not, r"\lnot \self")
