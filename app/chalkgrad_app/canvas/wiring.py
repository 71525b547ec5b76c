"""Edits of wires that a gesture on the canvas makes: plugging, re-plugging, tags, an operator put into a wire.

A tag (``.detach()``, ``.T``) is an unnamed operator written inline in the line that uses it; ``.data`` is a step of
the operand's path. Each function looks at a sheet and returns the change to make.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from chalkgrad.engine.record import OPS, Record
from chalkgrad.program import building, edits, rewiring
from chalkgrad.program.cards import is_tag
from chalkgrad.program.change import Change
from chalkgrad.program.known import Known
from chalkgrad.program.program import CycleError, Program, ProgramError
from chalkgrad.program.removing import remove
from chalkgrad.program.shapes import infer
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import EMPTY, Kind, Operand, Ref, Statement
from chalkgrad.source import emit
from chalkgrad.text import Text

PATH_TAGS = ("data",)
"""Tags that are attributes of a tensor rather than operators."""

TRANSPOSED = "T"
"""The tag ``.T``, which is written as an attribute and is the operator ``permute``."""


class Plug(NamedTuple):
    """One input port: the statement it belongs to and the port's number (as :meth:`Statement.ports` counts)."""

    consumer: int
    port: int


def plugged(program: Program, plug: Plug) -> Operand:
    """What is in a port; EMPTY for a port that the statement doesn't have."""
    ports = program[plug.consumer].ports() if plug.consumer in program else ()
    return ports[plug.port] if plug.port < len(ports) else EMPTY


def tags(program: Program, plug: Plug) -> tuple[int, ...]:
    """Ids of the operators that are tags on the wire into ``plug``, the one nearest to the port first."""
    found: list[int] = []
    operand = plugged(program, plug)
    while isinstance(operand, Ref) and operand.statement in program and is_tag(program, program[operand.statement]):
        found.append(operand.statement)
        operands = program[operand.statement].operands
        operand = operands[0] if operands else EMPTY
    return tuple(found)


def tag_texts(program: Program, plug: Plug) -> tuple[str, ...]:
    """What the tags of a wire say, in the order in which :func:`remove_tag` counts them."""
    inline = tags(program, plug)
    texts = [emit.tag(program[id_]) for id_ in inline]
    operand = plugged(program, plug)
    if inline:
        operand = program[inline[-1]].operands[0]
    data = isinstance(operand, Ref) and any(step in PATH_TAGS for step in operand.path)
    return (*texts, ".data") if data else tuple(texts)


def has_operator(call: str) -> bool:
    """True for a tag that is an operator of the table OPS."""
    return call in OPS or call == TRANSPOSED


def source(program: Program, plug: Plug) -> Ref | None:
    """Where the wire into ``plug`` begins: past its tags, without ``.data``; None for a port without a wire."""
    operand = plugged(program, plug)
    for tag in tags(program, plug):
        operand = program[tag].operands[0] if program[tag].operands else EMPTY
    if not isinstance(operand, Ref):
        return None
    return replace(operand, path=tuple(step for step in operand.path if step not in PATH_TAGS))


def connect(sheet: Sheet, plug: Plug, start: Ref) -> Change:
    """Wire ``start`` into a port; what was on the old wire goes. Raises CycleError when no order would do."""
    draft = Draft(sheet)
    old = plugged(draft.program, plug)
    draft.apply(edits.connect(draft.program, plug.consumer, plug.port, start))
    rewiring.drop_unused(draft, [old])
    return draft.change


def set_value(sheet: Sheet, plug: Plug, value: Operand) -> Change:
    """Write a Python value into a port; EMPTY takes the wire off."""
    draft = Draft(sheet)
    old = plugged(draft.program, plug)
    draft.apply(edits.set_port(draft.program, plug.consumer, plug.port, value))
    rewiring.drop_unused(draft, [old])
    return draft.change


def replug(sheet: Sheet, old: Plug, new: Plug) -> Change:
    """Move the end of a wire to another port, its tags with it; two wires of one card change places.

    Raises CycleError when no order would do.
    """
    operand = plugged(sheet.program, old)
    if old == new or not isinstance(operand, Ref):
        return Change({})
    draft = Draft(sheet)
    replaced = plugged(draft.program, new)
    draft.apply(edits.set_port(draft.program, old.consumer, old.port, EMPTY))
    if new.consumer in (operand.statement, *tags(sheet.program, old)):
        raise CycleError((new.consumer,))
    draft.apply(edits.connect(draft.program, new.consumer, new.port, operand))
    if new.consumer == old.consumer and isinstance(replaced, Ref):
        draft.apply(edits.set_port(draft.program, old.consumer, old.port, replaced))
    else:
        rewiring.drop_unused(draft, [replaced])
    return draft.change


def reroute(sheet: Sheet, plug: Plug, start: Ref) -> Change:
    """Let the wire into a port begin elsewhere, its tags kept. Raises CycleError when no order would do."""
    program = sheet.program
    inline = tags(program, plug)
    consumer, port = (inline[-1], 0) if inline else (plug.consumer, plug.port)
    old = program[consumer].ports()[port]
    data = tuple(step for step in old.path if step in PATH_TAGS) if isinstance(old, Ref) else ()
    if start.statement in (plug.consumer, *inline) or start.statement in program.dependents(plug.consumer):
        raise CycleError((plug.consumer,))
    return edits.connect(program, consumer, port, replace(start, path=(*start.path, *data)))


def add_tag(sheet: Sheet, plug: Plug, call: str) -> Change:
    """Put ``.data`` or an inline operator of the table OPS on the wire, next to the port."""
    program = sheet.program
    operand = plugged(program, plug)
    if not isinstance(operand, Ref):
        raise ProgramError(Text("edit.no_wire"))
    if call in PATH_TAGS:
        return edits.set_port(program, plug.consumer, plug.port, replace(operand, path=(*operand.path, call)))
    tag = Statement(0, Kind.OP, call, operands=(operand,), style="method")
    if call == TRANSPOSED:
        dims = tuple(reversed(range(_rank(program, operand))))
        tag = replace(tag, call="permute", options=(("dims", dims),), style="operator")
    built = building.inline(sheet, tag, plug.consumer)
    draft = Draft(sheet)
    draft.apply(built.change)
    draft.apply(edits.set_port(draft.program, plug.consumer, plug.port, Ref(built.ids[0])))
    return draft.change


def remove_tag(sheet: Sheet, plug: Plug, number: int) -> Change:
    """Take tag ``number`` (0 is next to the port) off the wire; operators are counted before ``.data``."""
    program = sheet.program
    inline = tags(program, plug)
    if number >= len(inline):
        return _without_data(sheet, plug, inline)
    tag = program[inline[number]]
    draft = Draft(sheet)
    if number == 0:
        draft.apply(edits.set_port(program, plug.consumer, plug.port, tag.operands[0]))
    else:
        outer = program[inline[number - 1]]
        draft.apply(edits.put(program, replace(outer, operands=(tag.operands[0], *outer.operands[1:]))))
    draft.apply(remove(draft.sheet, [tag.id]).change)
    return draft.change


def insert_operator(sheet: Sheet, record: Record, plug: Plug, at: tuple[float, float] | None) -> building.Built:
    """Put a new operator into a wire: it reads what the port read, the port reads its result."""
    operand = plugged(sheet.program, plug)
    if not isinstance(operand, Ref) or record.writes:
        raise ProgramError(Text("edit.no_result"))
    draft = Draft(sheet)
    built = building.operator(sheet, record, [operand], sheet.program.positions[plug.consumer], at)
    draft.apply(built.change)
    draft.apply(edits.connect(draft.program, plug.consumer, plug.port, Ref(built.ids[0])))
    return building.Built(draft.change, built.ids)


def forbidden_consumers(program: Program, start: Ref) -> set[int]:
    """Statements that can't read ``start``, since it needs them."""
    return program.needs(start.statement) | {start.statement} if start.statement in program else set()


def forbidden_sources(program: Program, consumer: int) -> set[int]:
    """Statements that ``consumer`` can't read, since they need it."""
    return program.dependents(consumer) | {consumer}


def _rank(program: Program, ref: Ref) -> int:
    """How many dimensions a tensor has, as far as its shape is known without running; else 2, as a matrix."""
    made = program.maker(ref)
    found = infer(program).get((made.statement, made.output))
    return len(found.shape) if isinstance(found, Known) else 2


def _without_data(sheet: Sheet, plug: Plug, inline: tuple[int, ...]) -> Change:
    """The change that takes ``.data`` off the wire's beginning."""
    program = sheet.program
    holder = program[inline[-1]] if inline else program[plug.consumer]
    port = 0 if inline else plug.port
    operand = holder.ports()[port]
    if not isinstance(operand, Ref):
        raise ProgramError(Text("edit.no_tagged_wire"))
    path = tuple(step for step in operand.path if step not in PATH_TAGS)
    return edits.set_port(program, holder.id, port, replace(operand, path=path))
