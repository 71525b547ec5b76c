"""Edits: functions that look at a program (or a board) and return the change to make.

None of them changes anything; the caller applies the change, remembers it for undo, or throws it away (a preview).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from chalkgrad.program import arranging
from chalkgrad.program.board import Board, Frame, Note, Place
from chalkgrad.program.change import NOTHING, Change, Key, entry, together
from chalkgrad.program.inlining import with_inline
from chalkgrad.program.names import free_among
from chalkgrad.program.program import Block, CycleError, Program, ProgramError
from chalkgrad.program.statement import Operand, Ref, Statement
from chalkgrad.text import Text

VARIABLE = "step"
"""What the variable of a new loop is called."""


# ---------------------------------------------------------------- statements


def insert(program: Program, statements: Iterable[Statement], at: int | None = None) -> Change:
    """Put new ``statements`` at place ``at`` (the end if None), in the order given."""
    return insert_at(program, {len(program.order) if at is None else at: list(statements)})


def insert_at(program: Program, statements: Mapping[int, Sequence[Statement]]) -> Change:
    """Put new ``statements`` before the lines that stand at these places, each in the order given.

    Raises GoneError for one that refers to a statement that is neither new nor in the program.
    """
    new = [made for place in sorted(statements) for made in statements[place]]
    known = {made.id for made in new}
    for made in new:
        for ref in made.refs():
            if ref.statement not in known:
                _ = program[ref.statement]
    order: list[int] = []
    done = 0
    for place in sorted(statements):
        order += [*program.order[done:place], *(made.id for made in statements[place])]
        done = place
    order += program.order[done:]
    entries: dict[Key, tuple[object, object]] = {("statements", made.id): (None, made) for made in new}
    return Change(entries, (program.order, tuple(order))) if new else NOTHING


def put(program: Program, statement: Statement) -> Change:
    """Replace the statement that has the same id."""
    return entry("statements", statement.id, program[statement.id], statement)


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
                raise ProgramError(Text("edit.before_needed"))
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


def wrap(
    program: Program, ids: Iterable[int], mode: str = "no_grad", block: int | None = None, rounds: int = 0
) -> Change:
    """Put statements into a new block, a loop where ``mode`` says so, moving what stands between them out of the way.

    Blocks of which there are lines among them are put into it as a whole. Raises ProgramError when something between
    them both needs one of them and is needed by another.
    """
    outer, chosen = _whole_blocks(program, ids)
    places = [program.positions[id_] for id_ in chosen]
    first, last = min(places), max(places)
    between = [id_ for id_ in program.order[first : last + 1] if id_ not in chosen]
    late = {id_ for id_ in between if any(id_ in program.dependents(other) for other in chosen)}
    if any(id_ in program.needs(other) for other in chosen for id_ in late):
        raise ProgramError(Text("edit.between"))
    inside = [id_ for id_ in program.order if id_ in chosen]
    middle = [id_ for id_ in between if id_ not in late] + inside + [id_ for id_ in between if id_ in late]
    order = (*program.order[:first], *middle, *program.order[last + 1 :])
    name = free_among(VARIABLE, program.names()) if rounds else ""
    new = Block(program.next_id if block is None else block, mode, outer, rounds, name)
    changes = [entry("blocks", new.id, None, new)]
    changes += [put(program, replace(program[id_], block=new.id)) for id_ in inside if program[id_].block == outer]
    inner = {program.chain(program[id_].block)[len(program.chain(outer)) :][:1] for id_ in inside}
    changes += [
        entry("blocks", other, program.blocks[other], replace(program.blocks[other], parent=new.id))
        for chain in inner
        for other in chain
    ]
    return together(changes).then(_order(program, order))


def wrap_each(program: Program, ids: Iterable[int], block: int, mode: str = "no_grad") -> Change:
    """Put lines, each with what is written inside it, into new blocks of their own, of ids from ``block`` on."""
    changes, scattered = [], []
    for id_ in ids:
        line = with_inline(program, [id_])
        start, outer = program.positions[line[0]], program[id_].block
        if tuple(line) != program.order[start : start + len(line)]:
            scattered.append(id_)
            continue
        changes.append(entry("blocks", block, None, Block(block, mode, outer)))
        changes += [put(program, replace(program[part], block=block)) for part in line]
        block += 1
    change = together(changes)  # those that lie in one piece at once: there may be hundreds
    for number, id_ in enumerate(scattered, block):
        change = change.then(wrap(program.apply(change), [id_], mode, number))
    return change


def _whole_blocks(program: Program, ids: Iterable[int]) -> tuple[int | None, set[int]]:
    """The innermost block around statements; and these, all lines of the blocks inside it that they stand in included.

    What stands inline in one of the lines is one of them.
    """
    chosen = set(with_inline(program, ids))
    chains = [program.chain(program[id_].block) for id_ in chosen]
    shared = [same[0] for same in zip(*chains, strict=False) if len(set(same)) == 1]
    below = {chain[len(shared)] for chain in chains if len(chain) > len(shared)}
    chosen |= {s.id for s in program if not below.isdisjoint(program.chain(s.block))}
    return shared[-1] if shared else None, chosen


def set_rounds(program: Program, loop: int, rounds: int) -> Change:
    """Let a loop have another number of rounds."""
    old = program.blocks[loop]
    return entry("blocks", loop, old, replace(old, rounds=rounds))


def unwrap(program: Program, block: int) -> Change:
    """Take a block away; its statements stand where it stood."""
    old = program.blocks[block]
    changes = [entry("blocks", block, old, None)]
    counting = [s.map_counters(lambda counter: 0 if counter.block == block else counter) for s in program]
    changes += [put(program, replace(s, block=old.parent if s.block == block else s.block)) for s in counting]
    inner = [other for other in program.blocks.values() if other.parent == block]
    changes += [entry("blocks", other.id, other, replace(other, parent=old.parent)) for other in inner]
    return together(changes)


def drop_empty_blocks(program: Program) -> Change:
    """Take away blocks without statements."""
    if not program.blocks:
        return NOTHING
    used = {id_ for statement in program for id_ in program.chain(statement.block)}
    gone = program.blocks.keys() - used
    if not gone:
        return NOTHING
    counting = (s.map_counters(lambda counter: 0 if counter.block in gone else counter) for s in program)
    changes = [put(program, statement) for statement in counting]
    return together([*changes, *(entry("blocks", id_, program.blocks[id_], None) for id_ in gone)])


# ---------------------------------------------------------------- board


def place(board: Board, places: Mapping[int, tuple[float, float]]) -> Change:
    """Put cards at these top left corners in the drawing shown; those that are kept in place are so there."""
    entries: dict[Key, tuple[object, object]] = {}
    for id_, (x, y) in places.items():
        old = board.place(id_)
        new = Place(float(x), float(y), old is not None and old.pinned)
        if new != old:
            entries["places", (board.drawing, id_)] = (old, new)
    return Change(entries)


def keep_in_place(board: Board, ids: Iterable[int], on: bool) -> Change:
    """Have tidying leave these cards where they are in the drawing shown, or no longer."""
    places = {(board.drawing, id_): board.place(id_) for id_ in ids}
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
    gone = [id_ for id_ in ids if id_ in board.notes]
    return together(entry("notes", id_, board.notes[id_], None) for id_ in gone).then(_forget_spots(board, gone))


def remove_frames(board: Board, ids: Iterable[int]) -> Change:
    """Take plain frames away; what lies on them stays."""
    gone = [id_ for id_ in ids if id_ in board.frames]
    change = together(entry("frames", id_, board.frames[id_], None) for id_ in gone)
    return change.then(arranging.forget(board, gone)).then(_forget_spots(board, gone))


def put_frame(board: Board, frame: Frame) -> Change:
    """Add a plain frame, or replace the one with its id."""
    return entry("frames", frame.id, board.frames.get(frame.id), frame)


# ---------------------------------------------------------------- inside


def _forget_spots(board: Board, ids: Collection[int]) -> Change:
    """Drop where notes and frames that are gone lie in the drawings that are not shown."""
    return together(entry("spots", key, old, None) for key, old in board.spots.items() if key[1] in ids)


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
