"""The edits that mend errors: functions of a sheet that return the change to make."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from chalkgrad.engine.record import OPS
from chalkgrad.program import building, edits, rewiring
from chalkgrad.program.change import Change, together
from chalkgrad.program.inlining import line_of, with_inline
from chalkgrad.program.program import Program, ProgramError
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import DIFFERENTIATING, Kind, Operand, Ref, Statement
from chalkgrad.text import Text

Edit = Callable[[Sheet], Change]


def out_of_place(sheet: Sheet, ids: Collection[int]) -> Change:
    """Make each ``a.add_(b)`` a line ``a = a.add(b)``, ``c = a.add_(b)`` one ``c = a.add(b)``; later lines read it."""
    program, writers, newest = sheet.program, frozenset(ids), dict[Ref, Statement]()

    def renewed(ref: Ref) -> Operand:
        new = newest.get(replace(program.maker(ref), path=()))
        return ref if new is None else Ref(new.id, 0, ref.path)

    changes = []
    for id_ in program.order[min(program.positions[id_] for id_ in writers) :]:  # in one go: there may be hundreds
        line = program[id_].map_refs(renewed)
        if id_ in writers:
            old = _written_whole(program, id_)
            named = newest[old].name if old in newest else program[old.statement].targets[old.output]
            line = newest[old] = _out_of_place(line, line.name or named)
        changes.append(edits.put(program, line))
    return together(changes)


def _written_whole(program: Program, writer: int) -> Ref:
    """The tensor into which a line writes; ProgramError where that is a part of one, or its gradient."""
    target = program[writer].operands[0]
    made = program.maker(target) if isinstance(target, Ref) else None
    if made is None or made.path:
        raise ProgramError(Text("edit.no_anew"))
    return made


def _out_of_place(writer: Statement, name: str) -> Statement:
    record = OPS[writer.call.removesuffix("_")]
    style = writer.style if writer.style == "method" and record.method else record.style
    return replace(writer, call=record.name, targets=(name,), style=style)


def cloned_before(sheet: Sheet, id_: int, source: Ref, block: int | None) -> Change:
    """A line ``a = a.clone()`` before a line, in a block; that line and those after it read the copy."""
    draft, program = Draft(sheet), sheet.program
    at = program.positions[id_]
    name = program[source.statement].targets[source.output]
    clone = Statement(draft.new_id(), Kind.OP, "clone", (name,), (source,), style="method", block=block)
    draft.apply(edits.insert(program, [clone], at))
    read_instead(draft, program, program.order[at:], source, clone.id)
    return draft.change


def detached(sheet: Sheet, id_: int, source: Ref) -> Change:
    """Make a line ``a = a.detach()``; lines after it read that."""
    draft, program = Draft(sheet), sheet.program
    name = program[source.statement].targets[source.output]
    made = Statement(id_, Kind.OP, "detach", (name,), (source,), style="method", block=program[id_].block)
    draft.apply(edits.put(program, made))
    read_instead(draft, program, program.order[program.positions[id_] + 1 :], source, id_)
    return draft.change


def read_instead(draft: Draft, before: Program, ids: Sequence[int], old: Ref, new: int) -> None:
    """Let lines read what line ``new`` makes in the place of ``old``, as it was called ``before``."""

    def renewed(ref: Ref) -> Operand:
        found = before.maker(ref)
        return Ref(new, 0, ref.path) if (found.statement, found.output) == (old.statement, old.output) else ref

    program = draft.program
    draft.apply(together(edits.put(program, program[later].map_refs(renewed)) for later in ids))


def whole_line(program: Program, id_: int) -> tuple[int, ...]:
    """A line with all that is written inside it."""
    return tuple(with_inline(program, [line_of(program, id_)]))


def through(sheet: Sheet, consumer: int, source: Ref, call: str, *options: tuple[str, Operand]) -> Change:
    """Let a line, wherever it reads ``source``, read it through an operator written inline: ``a.clone()`` for ``a``."""
    draft, wanted = Draft(sheet), sheet.program.maker(source)
    for part in whole_line(sheet.program, consumer):
        if part == wanted.statement or wanted not in map(sheet.program.maker, sheet.program[part].refs()):
            continue
        made = Statement(0, Kind.OP, call, operands=(source,), options=options, style="method")
        built = building.inline(draft.sheet, made, part)
        draft.apply(built.change)
        draft.apply(edits.put(draft.program, draft.program[part].map_refs(_past(sheet.program, wanted, built.ids[0]))))
    return draft.change


def _past(program: Program, source: Ref, new: int) -> Callable[[Ref], Operand]:
    return lambda ref: replace(ref, statement=new, output=0) if program.maker(ref) == source else ref


def instead(consumer: int, old: Ref, new: Ref) -> Edit:
    """Let a line read one tensor in the place of another; what was written inside it for that alone goes."""

    def edit(sheet: Sheet) -> Change:
        draft = Draft(sheet)
        before = sheet.program[consumer]
        draft.apply(edits.put(sheet.program, before.map_refs(lambda ref: new if ref == old else ref)))
        rewiring.drop_unused(draft, before.ports())
        return draft.change

    return edit


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
    """Delete a line; what read it reads its input instead, backwards too, which would go with a card."""

    def edit(sheet: Sheet) -> Change:
        draft, source = Draft(sheet), sheet.program[id_].operands[0]
        for user in map(sheet.program.__getitem__, sheet.program.users.get(id_, ())):
            if user.kind in DIFFERENTIATING and isinstance(source, Ref):
                draft.apply(edits.put(draft.program, user.map_refs(_shortened(id_, source))))
        draft.apply(rewiring.delete_and_reconnect(draft.sheet, [id_]).change)
        return draft.change

    return edit


def _shortened(id_: int, source: Ref) -> Callable[[Ref], Operand]:
    return lambda ref: replace(source, path=(*source.path, *ref.path)) if ref.statement == id_ else ref


def appending(statement: Statement, at: int) -> Edit:
    """Put a new line at place ``at``, or after the lines that it needs."""
    return lambda sheet: building.append(sheet, statement, at).change


def passing(consumer: int, source: Ref, call: str, *options: tuple[str, Operand]) -> Edit:
    """Let a line read a tensor through an operator written inline."""
    return lambda sheet: through(sheet, consumer, source, call, *options)


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
