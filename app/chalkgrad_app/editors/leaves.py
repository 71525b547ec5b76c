"""How a leaf is made: the factory it is written with, and that factory's arguments as fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chalkgrad.program.statement import Array, Dtype, Operand, Statement
from chalkgrad.program.vocabulary import FACTORIES
from chalkgrad.session.state import TensorState
from chalkgrad.source.literals import shape_text, value_text
from chalkgrad.source.values import LARGE

EDITABLE = (
    "tensor",
    "zeros",
    "ones",
    "full",
    "eye",
    "arange",
    "linspace",
    "rand",
    "randn",
    "randint",
    "randperm",
    "empty",
)
"""Factories offered; another one stays as it was read."""

SIZED = "size"
DOTS = "..."

LEFT_OUT = {"arange": ("start", 0), "randint": ("low", 0)}
"""First arguments that may be left out, and what they are then: ``torch.arange(12.)`` gives ``end``."""

CONSTRUCTORS = tuple(name for name in EDITABLE if name != "tensor")
"""Factories that take sizes or ends, and no numbers."""

LARGENESS = ("size", "steps", "end", "n")
"""Arguments that say how large a tensor is made."""


def arguments(statement: Statement) -> tuple[str, ...]:
    """The names of a leaf's arguments, as PyTorch has them; none for a factory that isn't known."""
    factory = FACTORIES.get(statement.call)
    return tuple(name.removeprefix("*") for name in factory.arguments) if factory and statement.call in EDITABLE else ()


def argument_text(statement: Statement, name: str) -> str:
    """An argument as it is typed; nothing where it isn't given. :data:`DOTS` stand for most of very many numbers."""
    if _is_spread(statement.call, name):
        return ", ".join(value_text(size) for size in statement.operands)
    value = _given(statement).get(name)
    if value is None:
        return ""
    return shape_text(value) if name == SIZED and isinstance(value, tuple) else value_text(value, in_brief=True)


def argument_kind(name: str) -> str:
    """What kind of value an argument is, in the words of an operator's attributes."""
    return {SIZED: "size", "n": "int", "m": "int", "steps": "int", "low": "int", "high": "int"}.get(name, "number")


def is_required(statement: Statement, name: str) -> bool:
    """True for an argument that PyTorch insists on."""
    if statement.call in LEFT_OUT:
        return name in ("end", "high", SIZED)
    return _is_spread(statement.call, name) or arguments(statement).index(name) < FACTORIES[statement.call].required


def with_argument(statement: Statement, name: str, value: Operand) -> Statement:
    """The leaf with another value for an argument; None takes it away, and what follows where that needs it."""
    if _is_spread(statement.call, name):
        return replace(statement, operands=value if isinstance(value, tuple) else (value,))
    if statement.call in LEFT_OUT:
        return replace(statement, operands=_in_order(statement.call, {**_given(statement), name: value}))
    at = arguments(statement).index(name)
    if value is None:
        return replace(statement, operands=statement.operands[:at])
    return replace(statement, operands=(*statement.operands[:at], value, *statement.operands[at + 1 :]))


def value_dtype(statement: Statement) -> str | None:
    """What typed numbers are kept as: a tensor of floats stays one when ``2`` is typed into it."""
    if statement.option("dtype") is not None or not statement.operands:
        return None
    return "float32" if is_floating(statement.operands[0]) else None


def made_by(statement: Statement, call: str, tensor: TensorState | None, unknown: Sequence[int] = (1,)) -> Statement:
    """The leaf written with another factory, as like the tensor that it is as that factory can be.

    ``unknown`` is the shape where there is no tensor yet.
    """
    shape: Sequence[int] = unknown if tensor is None else tensor.shape
    first = shape[0] if shape else 1
    value = None if tensor is None else tensor.value
    size = int(np.prod(shape))
    by_name: dict[str, tuple[Operand, ...]] = {
        "tensor": (_nested(value) if value is not None else (1.0,),),
        "full": (tuple(shape), 1.0),
        "eye": (first,) if len(set(shape[:2])) < 2 else tuple(shape[:2]),
        "arange": (float(size),),
        "linspace": (0.0, 1.0, size),
        "randint": (0, 10, tuple(shape)),
        "randperm": (size,),
    }
    made = replace(statement, call=call, operands=by_name.get(call, tuple(shape)))
    if FACTORIES[call].random:
        return made if made.option("seed") is not None else made.with_option("seed", statement.id)
    return made.without_option("seed")


def _given(statement: Statement) -> dict[str, Operand]:
    """A leaf's arguments that are given, by name."""
    names = arguments(statement)
    first = LEFT_OUT.get(statement.call)
    if first is not None and len(statement.operands) == FACTORIES[statement.call].required:
        names = names[1:]
    return dict(zip(names, statement.operands, strict=False))


def _in_order(call: str, given: dict[str, Operand]) -> tuple[Operand, ...]:
    """Arguments as they are written; the first is left out where it may be."""
    values = {name: value for name, value in given.items() if value is not None}
    first, default = LEFT_OUT[call]
    names = FACTORIES[call].arguments
    if first not in values and len(values) > FACTORIES[call].required:
        values[first] = default
    return tuple(values[name] for name in names if name in values)


def _is_spread(call: str, name: str) -> bool:
    """True for sizes that are written as separate numbers: ``torch.zeros(2, 3)``."""
    return f"*{name}" in FACTORIES[call].arguments


def values(statement: Statement) -> np.ndarray | None:
    """The numbers written in a ``torch.tensor(...)``; None for what another factory makes."""
    if statement.call != "tensor" or not statement.operands:
        return None
    operand = statement.operands[0]
    if isinstance(operand, Array):
        return operand.numpy()
    array = np.array(operand)
    if array.dtype.kind == "f":
        return array if statement.option("dtype") == Dtype("float64") else array.astype(np.float32)
    return array if array.dtype.kind in "ib" else None


def drawn_again(statement: Statement) -> Statement:
    """The random leaf with the next seed."""
    seed = statement.option("seed")
    return statement.with_option("seed", seed + 1 if isinstance(seed, int) else statement.id)


def with_values(statement: Statement, array: np.ndarray, says_dtype: bool) -> Statement:
    """The leaf as ``torch.tensor(...)`` of these numbers; its ``requires_grad`` stays as it is written.

    The dtype is written with ``says_dtype``, and where PyTorch would give the numbers another one.
    """
    options = tuple(pair for pair in statement.options if pair[0] in ("requires_grad", "dtype"))
    made = replace(statement, call="tensor", operands=(_nested(array),), options=options)
    if says_dtype or array.dtype.name != _inferred(array):
        return made.with_option("dtype", Dtype(array.dtype.name))
    return made.without_option("dtype")


def with_flag(statement: Statement, requires_grad: bool) -> Statement:
    """The leaf that requires a gradient, or doesn't; as it is written where that is so already."""
    if (statement.option("requires_grad") is True) == requires_grad:
        return statement
    if requires_grad:
        return statement.with_option("requires_grad", True)
    return statement.without_option("requires_grad")


def _inferred(array: np.ndarray) -> str:
    """The dtype that PyTorch gives a list of these numbers."""
    return {"f": "float32", "b": "bool"}.get(array.dtype.kind, "int64")


def _nested(value: np.ndarray) -> Operand:
    """The numbers as a statement keeps them: lists of the shortest numbers that mean them, or an array."""
    if value.size > LARGE:
        return Array.of(value)
    if value.dtype.kind == "f":  # 0.1, not the double next to the float32
        value = value.astype("U").astype(np.float64)
    return nested(value.tolist())


def nested(value: object) -> Operand:
    """The operand that nested lists of numbers are: nested tuples."""
    if isinstance(value, list):
        return tuple(nested(member) for member in value)
    return value if isinstance(value, bool | int | float) else 0


def is_floating(value: Operand) -> bool:
    """True for a value that PyTorch makes a floating-point tensor of."""
    if isinstance(value, Array):
        return value.dtype.startswith("float")
    if isinstance(value, tuple):
        return not value or any(is_floating(member) for member in value)
    return isinstance(value, float)
