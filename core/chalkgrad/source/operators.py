"""Reading calls of operators: ``torch.sum(x, dim=0)`` and ``x.sum(0)``, by what their records say they take."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from chalkgrad.engine.record import Attribute, Record
from chalkgrad.program.arguments import Meant, meant
from chalkgrad.program.shapes import output_count
from chalkgrad.program.statement import EMPTY, Empty, Kind, Operand, Ref, Statement
from chalkgrad.source.meaning import Made, Meaning, Path, Several, is_number, is_tensor, is_unknown
from chalkgrad.source.parameters import gathered, takes
from chalkgrad.source.problem import Unreadable, refuse

if TYPE_CHECKING:
    from chalkgrad.source.operands import Operands


def read_operator(reader: Operands, node: ast.Call, record: Record, given: list[Operand], style: str) -> Meaning:
    """What a call of an operator returns; ``given`` is what stands before its arguments: the tensor of a method."""
    call = _meant(reader, node, record, given, style) if record.signatures else None
    if call is None:
        operands, options = _bind(reader, node, record, given)
    else:
        record, operands, options = call.record, list(call.inputs), list(call.options)
    if any(is_unknown(operand) for operand in operands):
        return EMPTY
    if record.writes:
        reader.make(Kind.OP, record.name, (), operands, options, style)
        return operands[0]
    count = len(record.outputs) or _count(reader, node, record, operands, options)
    id_ = reader.make(Kind.OP, record.name, ("",) * count, operands, options, style)
    if len(record.outputs) == 1:
        return Ref(id_)
    names = record.outputs if record.returns else ()
    return Several(tuple(Ref(id_, output) for output in range(count)), names)


def _meant(reader: Operands, node: ast.Call, record: Record, given: list[Operand], style: str) -> Meant[Operand] | None:
    """What a call means by the operator's signatures; None where none fits."""
    made = dict(reader.made)
    try:
        args = gathered(record.name, [*given, *(_argument(reader, argument) for argument in node.args)])
        keywords = {str(keyword.arg): _argument(reader, keyword.value) for keyword in node.keywords}
    except Unreadable:
        reader.made = made  # read once more, argument by argument, which says what is wrong with which
        return None
    call = meant(record, style, args, keywords, takes)
    if call is None:
        reader.made = made
    return call


def _argument(reader: Operands, node: ast.expr) -> Operand:
    value = reader.value(node)
    if isinstance(value, Path):
        return reader.constant(node)
    if isinstance(value, Made):
        raise refuse(node, "not_a_tensor")
    return value.members if isinstance(value, Several) else value


def _count(
    reader: Operands, node: ast.Call, record: Record, operands: list[Operand], options: list[tuple[str, Operand]]
) -> int:
    """How many tensors an operator makes whose number depends on the call."""
    call = Statement(reader.next_id, Kind.OP, record.name, ("",), tuple(operands), tuple(options))
    count = output_count(reader.so_far(), call) or reader.unpacked
    if count is None:
        raise refuse(node, "unpack_unknown", name=record.name)
    return count


def _bind(
    reader: Operands, node: ast.Call, record: Record, given: list[Operand]
) -> tuple[list[Operand], list[tuple[str, Operand]]]:
    """Arguments as operands and options of an operator's record."""
    waiting = list(node.args)
    inputs = dict(zip(record.inputs, given, strict=False))
    for name in record.inputs[len(given) :]:
        if waiting:
            inputs[name] = _input(reader, waiting.pop(0), record)
    options = dict(_positional(reader, node, record, waiting))
    for keyword in node.keywords:
        name = str(keyword.arg)
        if name == "input" and record.inputs[0] not in inputs:
            name = record.inputs[0]
        if name in record.inputs and name not in inputs:
            inputs[name] = _input(reader, keyword.value, record)
        elif name not in options and any(a.name == name for a in record.attributes):
            options[name] = _option(reader, keyword.value, record.attribute(name))
        else:
            raise refuse(keyword.value, "unknown_argument", name=record.name, argument=name)
    for name in record.inputs:
        if name not in inputs:
            raise refuse(node, "missing_argument", name=record.name, argument=name)
    return [inputs[name] for name in record.inputs], list(options.items())


def _positional(
    reader: Operands, node: ast.Call, record: Record, waiting: list[ast.expr]
) -> Iterator[tuple[str, Operand]]:
    """What is left of the arguments without names, as options in the record's order."""
    for attribute in record.attributes:
        if not waiting or not attribute.positional:
            break
        value = _option(reader, waiting.pop(0), attribute)
        if attribute.kind == "size" and waiting and isinstance(value, tuple) and len(value) == 1:
            sizes = [*value, *(reader.number(argument) for argument in waiting)]
            waiting.clear()
            value = tuple(sizes)
        yield attribute.name, value
    if waiting:
        raise refuse(node, "argument_count", name=record.name)


def _option(reader: Operands, node: ast.expr, attribute: Attribute) -> Operand:
    value = reader.constant(node)
    return (value,) if attribute.kind == "size" and isinstance(value, int) else value


def _input(reader: Operands, node: ast.expr, record: Record) -> Operand:
    value = reader.operand(node)
    if isinstance(value, tuple):
        if record.variadic and all(is_tensor(member) for member in value):
            return value
    elif isinstance(value, Ref | Empty) or is_number(value):
        return value
    raise refuse(node, "not_a_tensor")
