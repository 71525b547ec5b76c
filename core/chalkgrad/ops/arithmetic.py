"""Add, subtract, multiply, negate.

A formula's parameter names are declarations: they say what is saved (see :mod:`chalkgrad.engine.record`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import cast
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.rules import ARRAYS
from chalkgrad.engine.shapes import broadcast, same
from chalkgrad.ops.overloads import common_dtype, is_number
from chalkgrad.ops.samples import M23, MISMATCH, P3, V2, V3, S

BOTH = frozenset({"self", "other"})
ALPHA = Attribute("alpha", "number", 1, positional=False)

_TWO_BOOLS = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
    "instead."
)
_ONE_BOOL = (
    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the "
    "`~` or `logical_not()` operator instead."
)
_NEGATED_BOOL = (
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
    "`logical_not()` operator instead."
)


_POSITIVE_BOOL = "The `+` operator, on a bool tensor is not supported."


def times(o: Any, g: Any, alpha: Any) -> Any:
    """``g * alpha``, without an operator where alpha is 1."""
    return g if alpha == 1 else o.mul_number(g, alpha)


def dtype_kind(value: Any) -> str:
    """NumPy's letter for the kind of a number's, array's or tensor's dtype: ``b``, ``i``, ``u`` or ``f``."""
    array = value.array if isinstance(value, TensorBase) else value
    return np.asarray(array).dtype.kind


def refuse_bools(self: Any, other: Any) -> None:
    """PyTorch subtracts no bools."""
    bools = (dtype_kind(self) == "b") + (dtype_kind(other) == "b")
    if bools:
        raise RuntimeError(_TWO_BOOLS if bools == 2 else _ONE_BOOL)


def _positive(self: TensorBase) -> TensorBase:
    """The tensor itself, as PyTorch has it."""
    _refuse_bool(_POSITIVE_BOOL)(self.array)
    return self


def _reversed_sub(self: Any, other: Any, alpha: Any = 1) -> Any:
    return ARRAYS.sub(other, self, alpha)


def _reversed_tensor_sub(self: np.ndarray, other: np.ndarray, alpha: Any = 1) -> np.ndarray:
    """The result lies in memory as that of ``other - self``."""
    return ordered(_reversed_sub(self, other, alpha), [other, self])


def _refuse_bool(text: str) -> Callable[[np.ndarray], None]:
    def check(self: np.ndarray) -> None:
        if self.dtype.kind == "b":
            raise RuntimeError(text)

    return check


refuse_negated_bool = _refuse_bool(_NEGATED_BOOL)


register(
    Record(
        name="add",
        said=("plus",),
        inputs=("self", "other"),
        numbers=BOTH,
        attributes=(ALPHA,),
        forward=np.add,
        vjps={"self": lambda o, g: g, "other": lambda o, g, alpha: g if alpha == 1 else o.mul_number(g, alpha)},
        grad_fn="AddBackward0",
        function="torch.add",
        method="add",
        symbol="+",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self + \other",
        derivatives={"self": "1", "other": r"\alpha"},
        signatures=(
            "add(Tensor input, Scalar alpha, Tensor other, *, Tensor out=None)|deprecated",
            "add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)",
        ),
        samples=(((V3, P3), {}), ((M23, V3), {}), ((V3, 1), {}), ((V2, V2), {"alpha": 2}), ((S, V3), {})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)

register(
    Record(
        name="sub",
        said=("minus", "−"),
        inputs=("self", "other"),
        numbers=BOTH,
        attributes=(ALPHA,),
        forward=np.subtract,
        check=refuse_bools,
        vjps={"self": lambda o, g: g, "other": lambda o, g, alpha: times(o, o.neg(g), alpha)},
        grad_fn="SubBackward0",
        function="torch.sub",
        method="sub",
        symbol="-",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self - \other",
        derivatives={"self": "1", "other": r"-\alpha"},
        aliases=("subtract",),
        signatures=(
            "sub(Tensor input, Scalar alpha, Tensor other, *, Tensor out=None)|deprecated",
            "sub(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)",
            "subtract(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)",
            "subtract(Tensor input, Scalar other, Scalar alpha=1) -> subtract_number",
        ),
        samples=(((V3, P3), {}), ((M23, V3), {}), ((V3, 1), {}), ((V2, V2), {"alpha": 2})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)

register(
    Record(
        name="mul",
        said=("times", "×", "·", "⊙", "hadamard product", "elementwise product"),
        inputs=("self", "other"),
        numbers=BOTH,
        forward=np.multiply,
        vjps={"self": lambda o, g, other: o.mul(g, other), "other": lambda o, g, self: o.mul(g, self)},
        grad_fn="MulBackward0",
        function="torch.mul",
        method="mul",
        symbol="*",
        shape=broadcast,
        section="arithmetic",
        latex=r"\self \cdot \other",
        derivatives={"self": r"\other", "other": r"\self"},
        aliases=("multiply",),
        signatures=(
            "multiply(Tensor input, Tensor other, *, Tensor out=None)",
            "multiply(Tensor input, Scalar other)",
        ),
        samples=(((V3, P3), {}), ((M23, V3), {}), ((V3, 2), {}), ((V3, 2.5), {}), ((S, M23), {})),
        bad_samples=(((V2, V3), {}, "RuntimeError", MISMATCH),),
    )
)

register(
    Record(
        name="neg",
        inputs=("self",),
        forward=np.negative,
        check=refuse_negated_bool,
        vjps={"self": lambda o, g: o.neg(g)},
        grad_fn="NegBackward0",
        function="torch.neg",
        method="neg",
        symbol="-",
        style="operator",
        shape=same,
        section="arithmetic",
        latex=r"-\self",
        derivatives={"self": "-1"},
        aliases=("negative",),
        samples=(((V3,), {}), ((S,), {})),
        bad_samples=(((np.array([True, False]),), {}, "RuntimeError", _NEGATED_BOOL),),
    )
)


register(
    Record(
        name="positive",
        inputs=("self",),
        forward=lambda self: self,
        compose=lambda o, self: _positive(self),
        function="torch.positive",
        method="positive",
        shape=same,
        section="arithmetic",
        latex=r"\self",
        derivatives={"self": "1"},
        signatures=("positive(Tensor input)",),
        samples=(((V3,), {}), ((M23,), {})),
        bad_samples=(((np.array([True, False]),), {}, "RuntimeError", _POSITIVE_BOOL),),
    )
)

# Overloads with a Python number that PyTorch's own formulas use


def _number_record(name: str, base: str, grad_fn: str, forward: Any, vjp: Any, latex: str, derivative: str) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(Attribute("other", "number", required=True),),
            forward=forward,
            vjps={"self": vjp},
            grad_fn=grad_fn,
            shape=same,
            section="arithmetic",
            latex=latex,
            derivatives={"self": derivative},
            hidden=True,
            part_of=base,
            samples=(((P3, 3), {}), ((M23, 2.5), {})),
        )
    )


def _by_number(ufunc: np.ufunc) -> Any:
    def compute(self: np.ndarray, other: Any) -> Any:
        if self.dtype.kind != "f":
            self = cast(self, common_dtype((self, other)))
        return ufunc(self, np.asarray(other, self.dtype), out=...)

    return compute


_number_record(
    "mul_number",
    "mul",
    "MulBackward1",
    _by_number(np.multiply),
    lambda o, g, other: o.mul_number(g, other),
    r"\self \cdot \other",
    r"\other",
)
_number_record("add_number", "add", "AddBackward1", _by_number(np.add), lambda o, g: g, r"\self + \other", "1")
_number_record("sub_number", "sub", "SubBackward1", _by_number(np.subtract), lambda o, g: g, r"\self - \other", "1")


def _less_number(self: np.ndarray, other: Any, alpha: Any = 1) -> Any:
    refuse_bools(self, other)
    dtype = common_dtype((self, other))
    return ARRAYS.sub(cast(self, dtype), cast(other, dtype), alpha)


register(
    Record(
        name="subtract_number",
        inputs=("self",),
        attributes=(Attribute("other", "number", required=True), Attribute("alpha", "number", 1)),
        forward=_less_number,
        vjps={"self": lambda o, g: g},
        grad_fn="SubBackward1",
        shape=same,
        section="arithmetic",
        latex=r"\self - \alpha \other",
        derivatives={"self": "1"},
        hidden=True,
        part_of="sub",
        samples=(((V3, 1), {}), ((V3, 1, 2), {})),
    )
)

# other - self


def _number_minus(self: np.ndarray, other: Any, alpha: Any = 1) -> Any:
    dtype = common_dtype((self, other))
    number = cast(other, dtype)
    found = np.asarray(_reversed_sub(cast(self, dtype), number, alpha))
    return ordered(found, (self, number)) if found.ndim > 1 else found


def _rsub(o: Any, self: Any, other: Any, alpha: Any = 1) -> Any:
    refuse_bools(self.array, other.array if isinstance(other, TensorBase) else other)
    return o.rsub_number(self, other, alpha=alpha) if is_number(other) else o.rsub_tensor(self, other, alpha=alpha)


register(
    Record(
        name="rsub",
        inputs=("self", "other"),
        numbers=frozenset({"other"}),
        attributes=(ALPHA,),
        forward=_reversed_sub,
        compose=_rsub,
        grad_fn="RsubBackward1",
        function="torch.rsub",
        symbol="-",
        style="operator",
        shape=broadcast,
        section="arithmetic",
        latex=r"\other - \self",
        derivatives={"self": "-1", "other": "1"},
        hidden=True,
        signatures=(
            "torch.rsub(Tensor input, Tensor other, *, Scalar alpha=1)",
            "torch.rsub(Tensor input, Scalar other, Scalar alpha=1)",
        ),
        samples=(((V3, 1), {}), ((V3, P3), {})),
    )
)


register(
    Record(
        name="rsub_number",
        elementwise=False,
        inputs=("self",),
        attributes=(Attribute("other", "number", required=True), ALPHA),
        forward=_number_minus,
        vjps={"self": lambda o, g, alpha: times(o, o.neg(g), alpha)},
        grad_fn="RsubBackward1",
        shape=same,
        section="arithmetic",
        latex=r"\other - \self",
        derivatives={"self": "-1"},
        hidden=True,
        part_of="rsub",
        samples=(((V3, 1), {}),),
    )
)

register(
    Record(
        name="rsub_tensor",
        elementwise=False,
        inputs=("self", "other"),
        attributes=(ALPHA,),
        forward=_reversed_tensor_sub,
        vjps={"self": lambda o, g, alpha: times(o, o.neg(g), alpha), "other": lambda o, g: g},
        grad_fn="RsubBackward0",
        shape=lambda self, other, **_: broadcast(other, self),
        section="arithmetic",
        latex=r"\other - \self",
        derivatives={"self": "-1", "other": "1"},
        hidden=True,
        part_of="rsub",
        samples=(((V3, P3), {}),),
    )
)
