"""Rewiring: operators taken out of their wires or put into one, inputs swapped, an operator changed for another."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from chalkgrad.engine.record import OPS, Record
from chalkgrad.program import building, edits
from chalkgrad.program.building import Built, Point
from chalkgrad.program.cards import has_card
from chalkgrad.program.change import Change
from chalkgrad.program.program import Program, ProgramError
from chalkgrad.program.removing import Removal, remove
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import EMPTY, Empty, Kind, Operand, Ref, Statement
from chalkgrad.text import Text


def record_of(program: Program, id_: int) -> Record | None:
    """The record of an operator that makes tensors of its own; None for leaves and for what writes in place."""
    statement = program[id_]
    record = OPS.get(statement.call) if statement.kind is Kind.OP else None
    return record if record is not None and not record.writes else None


def delete_and_reconnect(sheet: Sheet, ids: Iterable[int]) -> Removal:
    """Delete statements; what read one of them reads its first input instead."""
    chosen = {id_ for id_ in ids if id_ in sheet.program}
    draft = Draft(sheet)
    _reconnect(draft, chosen)
    removal = remove(draft.sheet, chosen)
    return Removal(draft.change.then(removal.change), removal.gone, removal.opened)


def pull_out(sheet: Sheet, ids: Iterable[int]) -> Change:
    """Take cards out of their wires, except those among them; what read one of them reads its first input instead."""
    chosen = {id_ for id_ in ids if id_ in sheet.program}
    draft = Draft(sheet)
    _reconnect(draft, chosen)
    _take_off(draft, chosen, chosen)
    return draft.change


def disconnect(sheet: Sheet, ids: Iterable[int]) -> Change:
    """Take off every wire that joins one of these cards to any other card, or them among each other."""
    chosen = {id_ for id_ in ids if id_ in sheet.program}
    draft = Draft(sheet)
    _take_off(draft, chosen, ())
    return draft.change


def cut(sheet: Sheet, plugs: Iterable[tuple[int, int]]) -> Change:
    """Take the wires off ports, given as pairs of a statement and the number of its port."""
    draft = Draft(sheet)
    for consumer, port in plugs:
        if consumer not in draft.program:  # written inline in the line of one before, it went with that wire
            continue
        old = draft.program[consumer].ports()[port]
        draft.apply(edits.set_port(draft.program, consumer, port, EMPTY))
        drop_unused(draft, [old])
    return draft.change


def insert_after(sheet: Sheet, record: Record, id_: int, place: Point | None) -> Built:
    """Put a new operator behind a card: it reads the card's first tensor, and what read that reads the new one."""
    program = sheet.program
    if record.writes:
        raise ProgramError(Text("edit.no_result"))
    source = program.maker(Ref(id_))
    readers = _readers(program, source)
    draft = Draft(sheet)
    built = building.operator(sheet, record, [source], program.positions[source.statement] + 1, place)
    draft.apply(built.change)
    for user, port, path in readers:
        draft.apply(edits.connect(draft.program, user, port, Ref(built.ids[0], 0, path)))
    return Built(draft.change, built.ids)


def splice(sheet: Sheet, id_: int, consumer: int, port: int) -> Change:
    """Put a card that is there into the wire that ends in a port: by its first open port, or its first.

    Raises CycleError when no order would do, ProgramError for what can't stand in a wire.
    """
    program = sheet.program
    operand = program[consumer].ports()[port]
    own = free_port(program, id_)
    if not isinstance(operand, Ref) or own is None or record_of(program, id_) is None:
        raise ProgramError(Text("edit.no_open_port"))
    draft = Draft(sheet)
    draft.apply(edits.connect(program, id_, own, operand))
    draft.apply(edits.connect(draft.program, consumer, port, Ref(id_)))
    return draft.change


def free_port(program: Program, id_: int) -> int | None:
    """The first port of a statement that nothing is plugged into, or None."""
    ports = program[id_].ports()
    return next((index for index, operand in enumerate(ports) if isinstance(operand, Empty)), None)


def swap_inputs(program: Program, id_: int) -> Change:
    """Swap the two inputs of an operator; of more, each goes to the next port and the last to the first."""
    statement = program[id_]
    ports = [index for index, operand in enumerate(statement.ports()) if operand is not None]
    values = [statement.ports()[index] for index in ports]
    swapped = statement
    for index, value in zip(ports, [*values[-1:], *values[:-1]], strict=True):
        swapped = swapped.with_port(index, value)
    return edits.put(program, _spelled(swapped))


def change_operator(sheet: Sheet, id_: int, record: Record) -> Change:
    """Make another operator of a card; wires, numbers, name and place stay as far as the new one has room for them.

    Raises ProgramError where one of the two writes in place: its readers read something else.
    """
    program = sheet.program
    old = program[id_]
    if record.writes or record_of(program, id_) is None:
        raise ProgramError(Text("edit.in_place"))
    known = {attribute.name for attribute in record.attributes}
    options = tuple((name, value) for name, value in old.options if name in known)
    operands = building.inputs_of(record, [operand for operand in old.ports() if operand is not None])
    made = replace(old, call=record.name, operands=operands, options=options, style=_style(record, old.style))
    made = replace(
        made, options=(*options, *(pair for pair in building.first_options(record) if pair[0] not in dict(options)))
    )
    named = building.free_targets(program, record, made)
    made = replace(made, targets=(*old.targets[: len(named)], *named[len(old.targets) :]))
    draft = Draft(sheet)
    draft.apply(edits.put(program, _spelled(made)))
    for user in program.users.get(id_, ()):
        _drop_outputs(draft, user, id_, len(made.targets))
    drop_unused(draft, old.ports())
    return draft.change


def drop_unused(draft: Draft, operands: Iterable[Operand]) -> None:
    """Take away unnamed operators that no line uses any more, from the port inwards."""
    for operand in operands:
        if not isinstance(operand, Ref) or operand.statement not in draft.program:
            continue
        made = draft.program[operand.statement]
        if made.targets == ("",) and not draft.program.users.get(made.id):
            draft.apply(remove(draft.sheet, [made.id]).change)
            drop_unused(draft, made.operands)


# ---------------------------------------------------------------- inside


def _takes_wires(program: Program, id_: int) -> bool:
    """True for what wires are drawn to: cards, tags, and lines that write in place."""
    statement = program[id_]
    return statement.kind is Kind.OP or has_card(program, statement)


def _reconnect(draft: Draft, chosen: Collection[int]) -> None:
    """Let what reads one of the chosen cards, and is none of them, read that card's first input."""
    program = draft.program
    for id_ in program.order:
        if id_ in chosen or not _takes_wires(program, id_):
            continue
        for port, operand in enumerate(program[id_].ports()):
            source = _source(program, operand, chosen)
            if source is not None:
                draft.apply(edits.connect(draft.program, id_, port, source))


def _source(program: Program, operand: Operand, chosen: Collection[int]) -> Ref | None:
    """What a reader of a chosen card gets in its place; None when it reads none, or there is nothing to get."""
    if not isinstance(operand, Ref) or program.maker(operand).statement not in chosen:
        return None
    ref: Operand = program.maker(operand)
    path: tuple[str, ...] = ()
    while isinstance(ref, Ref) and ref.statement in chosen:
        if "grad" in ref.path:
            return None
        path = (*ref.path, *path)
        statement = program[ref.statement]
        wired = (port for port in statement.ports() if isinstance(port, Ref)) if statement.kind is Kind.OP else ()
        ref = _past_shared(program, next(iter(wired), EMPTY), statement)
    return replace(ref, path=(*ref.path, *path)) if isinstance(ref, Ref) else None


def _past_shared(program: Program, operand: Operand, reader: Statement) -> Operand:
    """An operand without its tags, where several lines would get it: a tag belongs to one wire."""
    if len(program.users.get(reader.id, ())) > 1:
        while isinstance(operand, Ref) and program.is_inline(operand.statement):
            operand = program[operand.statement].operands[0]
    return operand


def _readers(program: Program, source: Ref) -> list[tuple[int, int, tuple[str, ...]]]:
    """Which ports read a tensor (not its gradient), each with the path that it reads it by."""
    return [
        (user, port, operand.path)
        for user in program.users.get(source.statement, ())
        if _takes_wires(program, user) and not program.writes(program[user])
        for port, operand in enumerate(program[user].ports())
        if isinstance(operand, Ref)
        and (operand.statement, operand.output) == (source.statement, source.output)
        and "grad" not in operand.path
    ]


def _take_off(draft: Draft, chosen: Collection[int], but: Collection[int]) -> None:
    """Take the wires off cards, in and out, except those that join them to ``but``.

    The cards stay, those inside a line too: in the order of lines each has lost its reader before that drops it.
    """
    for id_ in sorted(chosen, key=draft.program.positions.__getitem__):
        _open(draft, id_, but)
        for user in draft.program.users.get(id_, ()):
            if user not in but and user in draft.program and _takes_wires(draft.program, user):
                _open_reader(draft, user, id_)


def _open(draft: Draft, id_: int, but: Collection[int]) -> None:
    """Take the wires off a card's ports, except those from ``but``."""
    before = draft.program[id_].ports()
    for port, operand in enumerate(before):
        if isinstance(operand, Ref) and draft.program.maker(operand).statement not in but:
            draft.apply(edits.set_port(draft.program, id_, port, EMPTY))
    drop_unused(draft, before)


def _open_reader(draft: Draft, user: int, source: int) -> None:
    """Take the wires from ``source`` off the ports of one of its readers; a tag on such a wire goes with it."""
    is_tag = draft.program.is_inline(user) and not has_card(draft.program, draft.program[user])
    for reader in draft.program.users.get(user, ()) if is_tag else ():
        _open_reader(draft, reader, user)
    for port, operand in enumerate(draft.program[user].ports()):
        if isinstance(operand, Ref) and operand.statement == source:
            draft.apply(edits.set_port(draft.program, user, port, EMPTY))
    if is_tag:
        drop_unused(draft, [Ref(user)])


def _style(record: Record, wanted: str) -> str:
    """The spelling that a line has, where the operator has it too; else the operator's own."""
    spellings = {"function": record.function, "method": record.method, "operator": record.symbol}
    return wanted if spellings.get(wanted) else record.style


def _spelled(statement: Statement) -> Statement:
    """As a function where the method would have to be called on something that is no tensor."""
    record = OPS.get(statement.call)
    on_tensor = bool(statement.operands) and isinstance(statement.operands[0], Ref)
    if statement.style == "method" and not on_tensor and record is not None and record.function:
        return replace(statement, style="function")
    return statement


def _drop_outputs(draft: Draft, user: int, source: int, count: int) -> None:
    """Leave ports open that read an output which ``source`` no longer has."""

    def kept(ref: Ref) -> Operand:
        return EMPTY if ref.statement == source and ref.output >= count else ref

    draft.apply(edits.put(draft.program, draft.program[user].map_refs(kept)))
