"""Who refers to what in a program, carried over from one program to the next."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from chalkgrad.program.change import Change
from chalkgrad.program.statement import Statement

if TYPE_CHECKING:
    from chalkgrad.program.program import Program

Users = MappingProxyType[int, tuple[int, ...]]


def users_of(statements: Iterable[Statement]) -> Users:
    """Ids of the statements that refer to a statement, in order, by its id."""
    return MappingProxyType({id_: tuple(users) for id_, users in _referring(statements).items()})


def users_after(before: Program, program: Program, change: Change) -> Users | None:
    """The same after a change of a program in which it was known; None where lines stand in another order."""
    old, new = before.statements, program.statements
    if change.order is not None:  # of twenty thousand lines mostly few differ: what goes through all is written in C
        stayed = tuple(filter(new.__contains__, before.order)), tuple(filter(old.__contains__, program.order))
        if stayed[0] != stayed[1]:
            return None
    differing = {cast("int", id_) for table, id_ in change.entries if table == "statements"}
    added = _referring(map(new.__getitem__, filter(differing.__contains__, program.order)))
    lost = {ref.statement for id_ in differing if id_ in old for ref in old[id_].refs()}
    users = before.users.copy()
    found = {}
    for id_ in lost | added.keys():
        left = [user for user in users.pop(id_, ()) if user not in differing]
        if left or id_ in added:
            found[id_] = [*left, *added.get(id_, ())]
    sorted_out = set(chain.from_iterable(found.values()))
    place = {id_: place for place, id_ in enumerate(filter(sorted_out.__contains__, program.order))}
    users |= {id_: tuple(sorted(those, key=place.__getitem__)) for id_, those in found.items()}
    return MappingProxyType(users)


def _referring(statements: Iterable[Statement]) -> dict[int, dict[int, None]]:
    found: dict[int, dict[int, None]] = {}
    for statement in statements:
        for ref in statement.refs():
            found.setdefault(ref.statement, {})[statement.id] = None
    return found
