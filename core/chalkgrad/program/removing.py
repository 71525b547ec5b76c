"""Deleting statements: what goes along with them, and what stays behind with an open port."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import filterfalse
from typing import NamedTuple

from chalkgrad.program import arranging
from chalkgrad.program.change import NOTHING, Change, Key, together
from chalkgrad.program.edits import drop_empty_blocks, forget_places, put
from chalkgrad.program.inlining import with_inline
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Empty, Kind, Operand, Ref, Statement

ACTS_ON_ONE = frozenset({Kind.ATTRIBUTE, Kind.ASSIGN, Kind.DELETE, Kind.BACKWARD, Kind.AGAIN, Kind.PRINT, Kind.UPDATE})
"""Kinds that only act on what they refer to: they go when it goes."""


class Removal(NamedTuple):
    """What deleting does: the change, the ids of statements that go as well, and of those left with an open port."""

    change: Change
    gone: tuple[int, ...]
    opened: tuple[int, ...]


def remove(sheet: Sheet, ids: Iterable[int]) -> Removal:
    """Delete statements, with the lines that only act on them; what reads them keeps an open port."""
    program = sheet.program
    chosen = {id_ for id_ in ids if id_ in program}
    gone = _closure(program, chosen)
    reading = {user for id_ in gone for user in program.users.get(id_, ())} - gone
    readers = [program[id_] for id_ in sorted(reading, key=program.positions.__getitem__)]
    left = [reader.map_refs(lambda ref: EMPTY if ref.statement in gone else ref) for reader in readers]
    change = together([*(put(program, _without_empty_options(opened)) for opened in left), _drop(program, gone)])
    emptied = drop_empty_blocks(program.apply(change)) if program.blocks else NOTHING
    change = together([change, forget_places(sheet.board, gone), arranging.forget(sheet.board, gone), emptied])
    others = filter((gone - chosen).__contains__, program.order)
    also = tuple([id_ for id_ in others if not program.is_inline(id_)])
    return Removal(change, also, tuple(reader.id for reader in readers))


def _closure(program: Program, chosen: set[int]) -> set[int]:
    """``chosen``, the lines that only act on them, and what is written inside those."""
    gone, positions = set(chosen), program.positions
    after = [positions[user] for id_ in gone for user in program.users.get(id_, ())]
    heapify(after)
    while after:  # in the order of the lines: whether one goes hangs on which of those before it do
        place = heappop(after)
        id_ = program.order[place]
        if id_ not in gone and _acts_only_on(program, program[id_], gone):
            gone.add(id_)
            for user in program.users.get(id_, ()):
                if positions[user] > place:
                    heappush(after, positions[user])
    return set(with_inline(program, gone))


def _acts_only_on(program: Program, statement: Statement, gone: set[int]) -> bool:
    refs = list(statement.refs())
    hit = [ref for ref in refs if ref.statement in gone]
    if not hit:
        return False
    if statement.kind is Kind.BACKWARD and all(_all_gone(root, gone) for root in statement.operands):
        return True  # whatever it was to begin with
    if statement.kind in ACTS_ON_ONE:
        return len(hit) == len(refs) or statement.kind in (Kind.ATTRIBUTE, Kind.ASSIGN, Kind.AGAIN)
    if statement.kind in (Kind.GRAD, Kind.OPTIMIZER):
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
    options = tuple((key, _filled(value)) for key, value in statement.options if not isinstance(value, Empty))
    operands = statement.operands
    if statement.kind in (Kind.BACKWARD, Kind.GRAD, Kind.PRINT, Kind.OPTIMIZER):
        operands = tuple(_filled(value) for value in operands if not isinstance(value, Empty))
    return replace(statement, options=options, operands=operands)


def _filled(value: Operand) -> Operand:
    """A list without the members that nothing is connected to."""
    if isinstance(value, tuple):
        return tuple(member for member in value if not isinstance(member, Empty))
    return value


def _drop(program: Program, gone: set[int]) -> Change:
    entries: dict[Key, tuple[object, object]] = {("statements", id_): (program[id_], None) for id_ in gone}
    order = tuple(filterfalse(gone.__contains__, program.order))
    return Change(entries, (program.order, order)) if gone else NOTHING
