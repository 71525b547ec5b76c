"""Reading calls that make a tensor out of numbers: ``torch.tensor([1., 2.])``, ``torch.ones(2, 3)``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from chalkgrad.program.statement import EMPTY, Array, Kind, Operand, Ref
from chalkgrad.program.vocabulary import Factory
from chalkgrad.source.meaning import Meaning, Path, is_unknown
from chalkgrad.source.problem import only_argument, refuse
from chalkgrad.source.values import BadValueError, packed

if TYPE_CHECKING:
    from chalkgrad.source.operands import Operands

LEAF_KEYWORDS = ("dtype", "requires_grad", "generator")


def read_leaf(reader: Operands, node: ast.Call, factory: Factory) -> Meaning:
    """The tensor that a call of ``factory`` makes."""
    operands = _operands(reader, node, factory)
    options: list[tuple[str, Operand]] = []
    for keyword in node.keywords:
        if keyword.arg in factory.arguments:
            continue
        if keyword.arg not in LEAF_KEYWORDS:
            raise refuse(keyword.value, "unknown_argument", name=factory.name, argument=str(keyword.arg))
        if keyword.arg == "generator":
            options.append(("seed", _generator(reader, keyword.value)))
        else:
            options.append((str(keyword.arg), reader.constant(keyword.value)))
    if any(is_unknown(operand) for operand in operands):
        return EMPTY
    return Ref(reader.make(Kind.LEAF, factory.name, ("",), operands, options))


def read_old_tensor(reader: Operands, node: ast.Call) -> Meaning:
    """``torch.Tensor([1, 2])``: its numbers are floats always."""
    value = reader.constant(only_argument(node, "torch.Tensor"))
    if is_unknown(value):
        return EMPTY
    value = _data(node, value)
    if not isinstance(value, tuple):
        raise refuse(node, "unknown_function", name="torch.Tensor")
    return Ref(reader.make(Kind.LEAF, "tensor", ("",), (_floats(value),)))


def _operands(reader: Operands, node: ast.Call, factory: Factory) -> tuple[Operand, ...]:
    given = list(node.args)
    given += [keyword.value for keyword in node.keywords if keyword.arg in factory.arguments]
    if len(given) < factory.required or (len(given) > len(factory.arguments) and factory.arguments != ("*size",)):
        raise refuse(node, "argument_count", name=f"torch.{factory.name}")
    if factory.arguments[0] == "input":
        return (reader.tensor(given[0]), *(reader.number(value) for value in given[1:]))
    values = tuple(reader.constant(value) for value in given)
    if any(is_unknown(value) for value in values):
        return (EMPTY,)
    if factory.name == "tensor":
        return (_data(node, values[0]),)
    if factory.arguments == ("*size",) and len(values) == 1 and isinstance(values[0], tuple):
        values = values[0]
    return values


def _generator(reader: Operands, node: ast.expr) -> Operand:
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=made, args=[], keywords=[]) as new, attr="manual_seed"),
            args=[seed],
            keywords=[],
        ) if reader.value(made) == Path("torch.Generator"):
            reader.calls.update((new, node))
            return reader.number(seed)
    raise refuse(node, "generator")


def _data(node: ast.expr, value: Operand) -> Operand:
    try:
        return packed(value)
    except BadValueError as error:
        raise refuse(node, error.key, **error.fields) from None


def _floats(value: Operand) -> Operand:
    if isinstance(value, tuple):
        return tuple(_floats(member) for member in value)
    if isinstance(value, Array):
        return Array.of(value.numpy().astype("float32"))
    return float(value) if isinstance(value, int) else value
