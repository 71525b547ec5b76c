"""Edits: functions that look at a program (or a board) and return the change to make.

None of them changes anything; the caller applies the change, remembers it for undo, or throws it away (a preview).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from chalkgrad.program import arranging
from chalkgrad.program.board import Board, Frame, Note, Place
from chalkgrad.program.change import NOTHING, Change, Key, entry, together
from chalkgrad.program.program import Block, CycleError, Program, ProgramError
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import EMPTY, Empty, Kind, Operand, Ref, Statement

ACTS_ON_ONE = frozenset({Kind.ATTRIBUTE, Kind.ASSIGN, Kind.DELETE, Kind.BACKWARD, Kind.AGAIN, Kind.PRINT})
"""Kinds that only act on what they refer to: they go when it goes."""


@dataclass(frozen=True, slots=True)
class Removal:
    """What deleting does: the change, the ids of statements that go as well, and of those left with an open port."""

    change: Change
    gone: tuple[int, ...]
    opened: tuple[int, ...]


# ---------------------------------------------------------------- statements


def insert(program: Program, statements: Iterable[Statement], at: int | None = None) -> Change:
    """Put new ``statements`` at place ``at`` (the end if None), in the order given."""
    new = tuple(statements)
    place = len(program.order) if at is None else at
    order = program.order[:place] + tuple(statement.id for statement in new) + program.order[place:]
    entries: dict[Key, tuple[object, object]] = {("statements", made.id): (None, made) for made in new}
    return Change(entries, (program.order, order)) if new else NOTHING


def put(program: Program, statement: Statement) -> Change:
    """Replace the statement that has the same id."""
    return entry("statements", statement.id, program[statement.id], statement)


def remove(sheet: Sheet, ids: Iterable[int]) -> Removal:
    """Delete statements, with the lines that only act on them; what reads them keeps an open port."""
    program = sheet.program
    chosen = {id_ for id_ in ids if id_ in program}
    gone = _closure(program, chosen)
    draft = Draft(sheet)
    readers = [s for s in program if s.id not in gone and any(ref.statement in gone for ref in s.refs())]
    left = [reader.map_refs(lambda ref: EMPTY if ref.statement in gone else ref) for reader in readers]
    draft.apply(together(put(program, _without_empty_options(opened)) for opened in left))
    draft.apply(_drop(draft.program, gone))
    draft.apply(forget_places(draft.board, gone))
    draft.apply(arranging.forget(draft.board, gone))
    draft.apply(drop_empty_blocks(draft.program))
    also = tuple(id_ for id_ in program.order if id_ in gone - chosen and not program.is_inline(id_))
    return Removal(draft.change, also, tuple(reader.id for reader in readers))


def rename(program: Program, id_: int, output: int, name: str) -> Change:
    """Give output ``output`` of a statement another name; what refers to it follows by itself."""
    statement = program[id_]
    targets = (*statement.targets[:output], name, *statement.targets[output + 1 :])
    return put(program, replace(statement, targets=targets))


def set_stops(program: Program, stops: bool) -> Change:
    """Let the program stop at the first line that fails, as a script does, or go on past it."""
    return entry("program", "stops", program.stops, stops)


# ---------------------------------------------------------------- wires


def connect(program: Program, consumer: int, port: int, source: Ref) -> Change:
    """Wire ``source`` to a port, moving lines where the order must follow.

    From an in-place operator's port the reader goes after it; from the port of what it overwrote the reader goes
    before it. Raises CycleError when no order would do.
    """
    made = program.maker(source)
    wired = program[consumer].with_port(port, made)
    change = put(program, wired)
    _refuse_cycle(program, consumer, source.statement)
    after = program.apply(change)
    if program.positions[source.statement] > program.positions[consumer]:
        return change.then(move_after(after, consumer, source.statement))
    if made.statement == source.statement:
        return change.then(_before_writers(after, consumer, made))
    return change


def set_port(program: Program, consumer: int, port: int, value: Operand) -> Change:
    """Write a Python value into a port, or leave it open with EMPTY."""
    return put(program, program[consumer].with_port(port, value))


def move_after(program: Program, id_: int, anchor: int) -> Change:
    """Move a statement, and all before ``anchor`` that depends on it, to just after ``anchor``."""
    limit = program.positions[anchor]
    moving = {id_} | program.dependents(id_)
    moving = {other for other in moving if program.positions[other] <= limit}
    if anchor in moving:
        raise CycleError(_circle(program, id_, anchor))
    rest = [other for other in program.order if other not in moving]
    at = rest.index(anchor) + 1
    moved = [other for other in program.order if other in moving]
    return _reordered(program, rest[:at] + moved + rest[at:], moved)


def move(program: Program, ids: Iterable[int], at: int) -> Change:
    """Move statements, kept in their order, so that they begin at place ``at`` of the list as it is now.

    Raises ProgramError when a line would stand before one that it needs.
    """
    moving = [id_ for id_ in program.order if id_ in set(ids)]
    before = [id_ for id_ in program.order[:at] if id_ not in moving]
    after = [id_ for id_ in program.order[at:] if id_ not in moving]
    order = before + moving + after
    place = {id_: index for index, id_ in enumerate(order)}
    for statement in program:
        for ref in statement.refs():
            if ref.statement in place and place[ref.statement] > place[statement.id]:
                raise ProgramError("a line can't stand before one that it needs")
    return _reordered(program, order, moving)


def _before_writers(program: Program, consumer: int, made: Ref) -> Change:
    """Move a reader of the earlier version before the first line that overwrites it, where one stands between."""
    here = program.positions[consumer]
    for id_ in program.order[program.positions[made.statement] + 1 : here]:
        other = program[id_]
        first = other.operands[0] if other.operands else None
        if program.writes(other) and isinstance(first, Ref) and program.maker(first) == made:
            if id_ in program.needs(consumer) or program.writes(program[consumer]):
                return NOTHING
            late = [n for n in program.needs(consumer) if program.positions[n] > program.positions[id_]]
            if late:
                return NOTHING
            return move(program, [consumer], program.positions[id_])
    return NOTHING


def _refuse_cycle(program: Program, consumer: int, source: int) -> None:
    if consumer == source or source in program.dependents(consumer):
        raise CycleError(_circle(program, consumer, source))


def _circle(program: Program, start: int, end: int) -> tuple[int, ...]:
    """A way from ``start`` along its users to ``end``."""
    came: dict[int, int] = {}
    stack = [start]
    while stack and end not in came and start != end:
        here = stack.pop()
        for user in program.users.get(here, ()):
            if user not in came:
                came[user] = here
                stack.append(user)
    path = [end]
    while path[-1] != start and path[-1] in came:
        path.append(came[path[-1]])
    return tuple(reversed(path))


# ---------------------------------------------------------------- blocks


def wrap(program: Program, ids: Iterable[int], mode: str = "no_grad", block: int | None = None) -> Change:
    """Put statements into a new ``with`` block, moving what stands between them out of the way.

    Raises ProgramError when something between them both needs one of them and is needed by another.
    """
    chosen = set(ids)
    places = [program.positions[id_] for id_ in chosen]
    first, last = min(places), max(places)
    between = [id_ for id_ in program.order[first : last + 1] if id_ not in chosen]
    late = {id_ for id_ in between if any(id_ in program.dependents(other) for other in chosen)}
    if any(id_ in program.needs(other) for other in chosen for id_ in late):
        raise ProgramError("a line between them needs one of these and is needed by another")
    inside = [id_ for id_ in program.order if id_ in chosen]
    middle = [id_ for id_ in between if id_ not in late] + inside + [id_ for id_ in between if id_ in late]
    order = (*program.order[:first], *middle, *program.order[last + 1 :])
    new = Block(program.next_id if block is None else block, mode, program[inside[0]].block)
    changes = [entry("blocks", new.id, None, new)]
    changes += [put(program, replace(program[id_], block=new.id)) for id_ in inside]
    return together(changes).then(_order(program, order))


def unwrap(program: Program, block: int) -> Change:
    """Take a block away; its statements stand where it stood."""
    old = program.blocks[block]
    changes = [entry("blocks", block, old, None)]
    changes += [put(program, replace(s, block=old.parent)) for s in program if s.block == block]
    inner = [other for other in program.blocks.values() if other.parent == block]
    changes += [entry("blocks", other.id, other, replace(other, parent=old.parent)) for other in inner]
    return together(changes)


def drop_empty_blocks(program: Program) -> Change:
    """Take away blocks without statements."""
    used = {id_ for statement in program for id_ in program.chain(statement.block)}
    return together(entry("blocks", id_, block, None) for id_, block in program.blocks.items() if id_ not in used)


# ---------------------------------------------------------------- board


def place(board: Board, places: Mapping[int, tuple[float, float]], drawing: str = "cards") -> Change:
    """Put cards at these top left corners; those that are kept in place are so there."""
    entries: dict[Key, tuple[object, object]] = {}
    for id_, (x, y) in places.items():
        old = board.place(id_, drawing)
        new = Place(float(x), float(y), old is not None and old.pinned)
        if new != old:
            entries["places", (drawing, id_)] = (old, new)
    return Change(entries)


def keep_in_place(board: Board, ids: Iterable[int], on: bool, drawing: str = "cards") -> Change:
    """Have tidying leave these cards where they are, or no longer."""
    places = {(drawing, id_): board.place(id_, drawing) for id_ in ids}
    return Change(
        {
            ("places", key): (place, replace(place, pinned=on))
            for key, place in places.items()
            if place is not None and place.pinned != on
        }
    )


def forget_places(board: Board, ids: Iterable[int]) -> Change:
    """Drop the places of statements that are gone, in every drawing."""
    gone = set(ids)
    return together(entry("places", key, old, None) for key, old in board.places.items() if key[1] in gone)


def put_note(board: Board, note: Note) -> Change:
    """Add a note, or replace the one with its id."""
    return entry("notes", note.id, board.notes.get(note.id), note)


def remove_notes(board: Board, ids: Iterable[int]) -> Change:
    """Take notes away."""
    return together(entry("notes", id_, board.notes[id_], None) for id_ in ids if id_ in board.notes)


def remove_frames(board: Board, ids: Iterable[int]) -> Change:
    """Take plain frames away; what lies on them stays."""
    gone = [id_ for id_ in ids if id_ in board.frames]
    return together(entry("frames", id_, board.frames[id_], None) for id_ in gone).then(arranging.forget(board, gone))


def put_frame(board: Board, frame: Frame) -> Change:
    """Add a plain frame, or replace the one with its id."""
    return entry("frames", frame.id, board.frames.get(frame.id), frame)


# ---------------------------------------------------------------- inside


def _closure(program: Program, chosen: set[int]) -> set[int]:
    """``chosen``, the lines that only act on them, and what is written inside those."""
    gone = set(chosen)
    for id_ in program.order:
        if id_ not in gone and _acts_only_on(program, program[id_], gone):
            gone.add(id_)
    inside = [ref.statement for id_ in gone for ref in program[id_].refs() if program.is_inline(ref.statement)]
    while inside:
        id_ = inside.pop()
        if id_ not in gone:
            gone.add(id_)
            inside += [ref.statement for ref in program[id_].refs() if program.is_inline(ref.statement)]
    return gone


def _acts_only_on(program: Program, statement: Statement, gone: set[int]) -> bool:
    refs = list(statement.refs())
    hit = [ref for ref in refs if ref.statement in gone]
    if not hit:
        return False
    if statement.kind in ACTS_ON_ONE:
        return len(hit) == len(refs) or statement.kind in (Kind.ATTRIBUTE, Kind.ASSIGN, Kind.AGAIN)
    if statement.kind is Kind.GRAD:
        return any(_all_gone(operand, gone) for operand in statement.operands)
    if statement.kind is Kind.ALIAS:
        return True
    first = statement.operands[0] if statement.operands else None
    if isinstance(first, Ref) and first.statement in gone:
        return (program.writes(statement) and bool(first.path)) or statement.targets == ("",)
    return False


def _all_gone(operand: Operand, gone: set[int]) -> bool:
    members = operand if isinstance(operand, tuple) else (operand,)
    return all(isinstance(member, Ref) and member.statement in gone for member in members)


def _without_empty_options(statement: Statement) -> Statement:
    """Lists (roots, inputs) lose the members that are gone; an option that is gone goes."""
    options = tuple(
        (key, tuple(m for m in value if not isinstance(m, Empty)) if isinstance(value, tuple) else value)
        for key, value in statement.options
        if not isinstance(value, Empty)
    )
    operands = statement.operands
    if statement.kind in (Kind.BACKWARD, Kind.GRAD, Kind.PRINT):
        operands = tuple(
            tuple(m for m in value if not isinstance(m, Empty)) if isinstance(value, tuple) else value
            for value in operands
            if not isinstance(value, Empty)
        )
    return replace(statement, options=options, operands=operands)


def _drop(program: Program, gone: set[int]) -> Change:
    entries: dict[Key, tuple[object, object]] = {("statements", id_): (program[id_], None) for id_ in gone}
    order = tuple(id_ for id_ in program.order if id_ not in gone)
    return Change(entries, (program.order, order)) if gone else NOTHING


def _order(program: Program, order: Iterable[int]) -> Change:
    new = tuple(order)
    return NOTHING if new == program.order else Change({}, (program.order, new))


def _reordered(program: Program, order: list[int], moved: list[int]) -> Change:
    """The change to ``order``; statements that left their block, or landed inside another, take the block there."""
    change = _order(program, order)
    try:
        program.apply(change)
    except ProgramError:
        here = order.index(moved[0])
        block = program[order[here - 1]].block if here else None
        following = order[here + len(moved)] if here + len(moved) < len(order) else None
        if following is None or block not in program.chain(program[following].block):
            block = _common(program, block, program[following].block if following is not None else None)
        changes = [put(program, replace(program[id_], block=block)) for id_ in moved]
        change = together([*changes, change])
        program.apply(change)
    return change


def _common(program: Program, one: int | None, other: int | None) -> int | None:
    """The innermost block around both."""
    shared = [a for a, b in zip(program.chain(one), program.chain(other), strict=False) if a == b]
    return shared[-1] if shared else None
