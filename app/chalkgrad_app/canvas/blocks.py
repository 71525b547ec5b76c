"""Moving a line into a ``with`` block or out of it, as dropping its card into a frame does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chalkgrad.program import edits
from chalkgrad.program.change import Change, together
from chalkgrad.program.program import Program, ProgramError
from chalkgrad_app.i18n import translate


def members(program: Program, block: int) -> list[int]:
    """Ids of the statements in a block and in the blocks inside it, in order."""
    return [statement.id for statement in program if block in program.chain(statement.block)]


def with_inline(program: Program, id_: int) -> list[int]:
    """A statement and the operators written inline in its line, in order."""
    found = {id_}
    stack = [id_]
    while stack:
        for ref in program[stack.pop()].refs():
            if ref.statement in program and program.is_inline(ref.statement) and ref.statement not in found:
                found.add(ref.statement)
                stack.append(ref.statement)
    return sorted(found, key=program.positions.__getitem__)


def join(program: Program, id_: int, block: int) -> Change:
    """Move a line to where a block ends, or begins, and into it. ProgramError says why that can't be."""
    if block in program.chain(program[id_].block):
        return Change({})
    inside = members(program, block)
    moving = with_inline(program, id_)
    rest = [other for other in program.order if other not in moving]
    places = [rest.index(inside[-1]) + 1, rest.index(inside[0])]
    return _moved(program, moving, rest, places, block)


def leave(program: Program, id_: int) -> Change:
    """Move a line out of its innermost block: behind it, or before it. ProgramError says why that can't be."""
    block = program[id_].block
    if block is None:
        return Change({})
    moving = with_inline(program, id_)
    inside = [other for other in members(program, block) if other not in moving]
    parent = program.blocks[block].parent
    if not inside:
        return edits.unwrap(program, block)
    rest = [other for other in program.order if other not in moving]
    places = [rest.index(inside[-1]) + 1, rest.index(inside[0])]
    return _moved(program, moving, rest, places, parent)


def _moved(
    program: Program, moving: Sequence[int], rest: Sequence[int], places: Sequence[int], block: int | None
) -> Change:
    """The first of ``places`` at which the lines stand after what they need and before what needs them."""
    puts = together(edits.put(program, replace(program[id_], block=block)) for id_ in moving)
    for at in sorted(places, key=lambda place: abs(place - program.positions[moving[0]])):
        order = (*rest[:at], *moving, *rest[at:])
        if not _fits(program, order):
            continue
        moved = None if order == program.order else (program.order, order)
        change = puts.then(Change({}, moved))
        change = change.then(edits.drop_empty_blocks(program.apply(change)))
        try:
            program.apply(change)
        except ProgramError:
            continue
        return change
    needs = program.needs(moving[-1])
    first = next((n for n in program.dependents(moving[-1]) if n in program), None)
    name = program[moving[-1]].name or program[moving[-1]].call
    if first is not None and not needs:
        text = translate("Blocks", "{name} can't move there: line {line} needs it before")
        raise ProgramError(text.format(name=name, line=program.lines[first]))
    text = translate("Blocks", "{name} can't move there: a line between needs it, or it needs one")
    raise ProgramError(text.format(name=name))


def _fits(program: Program, order: Sequence[int]) -> bool:
    place = {id_: index for index, id_ in enumerate(order)}
    return all(
        place[ref.statement] < place[statement.id]
        for statement in program
        for ref in statement.refs()
        if ref.statement in place
    )
