"""The edits that mend errors: functions of a sheet that return the change to make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from chalkgrad.engine.record import OPS
from chalkgrad.program import building, edits, rewiring
from chalkgrad.program.change import Change
from chalkgrad.program.program import ProgramError
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import Kind, Operand, Ref, Statement
from chalkgrad.text import Text

Edit = Callable[[Sheet], Change]


def out_of_place(sheet: Sheet, id_: int) -> Change:
    """Make ``a.add_(b)`` the line ``a = torch.add(a, b)``; lines after it read the new tensor."""
    draft = Draft(sheet)
    program = sheet.program
    writer = program[id_]
    target = writer.operands[0]
    if not isinstance(target, Ref) or target.path:
        raise ProgramError(Text("edit.no_anew"))
    old = program.maker(target)
    record = OPS[writer.call.removesuffix("_")]
    style = writer.style if writer.style == "method" and record.method else record.style
    made = replace(writer, call=record.name, targets=(program[old.statement].targets[old.output],), style=style)
    draft.apply(edits.put(program, made))

    def renewed(ref: Ref) -> Operand:
        found = program.maker(ref)
        return Ref(id_, 0, ref.path) if (found.statement, found.output) == (old.statement, old.output) else ref

    for later in program.order[program.positions[id_] + 1 :]:
        draft.apply(edits.put(draft.program, draft.program[later].map_refs(renewed)))
    return draft.change


def through(sheet: Sheet, consumer: int, source: Ref, call: str) -> Change:
    """Let a line read ``source`` through an operator that is written inline: ``a.clone()`` for ``a``."""
    draft = Draft(sheet)
    program = sheet.program
    built = building.inline(sheet, Statement(0, Kind.OP, call, operands=(source,), style="method"), consumer)
    draft.apply(built.change)

    def past(ref: Ref) -> Operand:
        return replace(ref, statement=built.ids[0], output=0) if program.maker(ref) == program.maker(source) else ref

    draft.apply(edits.put(draft.program, draft.program[consumer].map_refs(past)))
    return draft.change


def with_ones(sheet: Sheet, id_: int, option: str, shape: tuple[int, ...]) -> Change:
    """Give a backward the weights 1, written inline."""
    draft = Draft(sheet)
    statement = sheet.program[id_]
    built = building.inline(sheet, Statement(0, Kind.LEAF, "ones", operands=(shape,)), id_)
    draft.apply(built.change)
    draft.apply(edits.put(draft.program, statement.with_option(option, Ref(built.ids[0]))))
    return draft.change


def unwrapping(block: int) -> Edit:
    """Take a block away."""
    return lambda sheet: edits.unwrap(sheet.program, block)


def reconnecting(id_: int) -> Edit:
    """Delete a line; what read it reads its input instead."""
    return lambda sheet: rewiring.delete_and_reconnect(sheet, [id_]).change


def appending(statement: Statement, at: int) -> Edit:
    """Put a new line at place ``at``, or after the lines that it needs."""
    return lambda sheet: building.append(sheet, statement, at).change


def passing(consumer: int, source: Ref, call: str) -> Edit:
    """Let a line read a tensor through an operator written inline."""
    return lambda sheet: through(sheet, consumer, source, call)


def reducing(consumer: int, root: Ref, call: str) -> Edit:
    """A line of its own before ``consumer`` that reduces its root, which it then starts from."""

    def edit(sheet: Sheet) -> Change:
        draft = Draft(sheet)
        built = building.operator(sheet, OPS[call], [root], sheet.program.positions[consumer])
        draft.apply(built.change)
        old = draft.program[consumer]
        made = old.map_refs(lambda ref: Ref(built.ids[0]) if ref == root else ref)
        draft.apply(edits.put(draft.program, replace(made, options=old.options)))
        return draft.change

    return edit
