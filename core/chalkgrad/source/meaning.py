"""What a name means while a text is read."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass

from chalkgrad.program.arithmetic import Number
from chalkgrad.program.statement import Array, Dtype, Empty, Operand, Ref


@dataclass(frozen=True, slots=True)
class Path:
    """A module, or something in one, by its full name: ``torch.nn.functional``, ``math.log``."""

    name: str


@dataclass(frozen=True, slots=True)
class Several:
    """A Python tuple of tensors, as ``torch.autograd.grad`` returns it; ``names`` are those of a named tuple."""

    members: tuple[Operand, ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeOptimizer:
    """An optimiser, by the reference to the line that made it."""

    ref: Ref


@dataclass(frozen=True, slots=True)
class MadeHook:
    """The handle of a hook, by the reference to the line that registered it."""

    ref: Ref


Made = MadeOptimizer | MadeHook
"""What is no tensor, and only good for having methods called on it."""

Meaning = Operand | Path | Several | Made
"""What an expression means: a tensor (a reference), a value, a module, several tensors, an optimiser or a hook."""

MATH = frozenset(
    {
        *("acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "degrees", "e", "exp", "expm1", "fabs", "floor"),
        *("hypot", "inf", "log", "log10", "log1p", "log2", "nan", "pi", "radians", "sin", "sinh", "sqrt", "tan"),
        "tanh",
    }
)
"""What of :mod:`math` is worked out while reading."""

CONSTANTS = {"torch.inf": math.inf, "torch.nan": math.nan, "torch.pi": math.pi, "torch.e": math.e}

SYMBOLS: Mapping[type[ast.operator] | type[ast.cmpop] | type[ast.unaryop], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.USub: "-",
    ast.Invert: "~",
}
"""The sign of each of Python's operators that tensors have too."""


def is_number(value: Meaning) -> bool:
    """True for a Python number."""
    return isinstance(value, bool | int | float)


def is_tensor(value: Meaning) -> bool:
    """True for what may be a tensor: a reference that isn't a number taken out of one, or something unknown."""
    if isinstance(value, Ref):
        return not value.path or value.path[-1] != "item()"
    return isinstance(value, Empty)


def is_unknown(value: Operand) -> bool:
    """True for an unknown name, or something with one in it."""
    if isinstance(value, tuple):
        return any(is_unknown(member) for member in value)
    return isinstance(value, Empty)


def is_constant(value: Meaning) -> bool:
    """True for a value in which nothing refers to a tensor."""
    if isinstance(value, tuple):
        return all(is_constant(member) for member in value)
    return value is None or isinstance(value, bool | int | float | str | Dtype | Array)


def math_call(name: str, arguments: list[Number]) -> Number:
    """A function of :mod:`math`; ArithmeticError, ValueError or TypeError where it has no result."""
    result: Number = getattr(math, name)(*arguments)
    return result
