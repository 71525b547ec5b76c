"""Who refers to what in a program, carried over from one program to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from chalkgrad.program.change import Change
from chalkgrad.program.statement import Statement

if TYPE_CHECKING:
    from chalkgrad.program.program import Program

Users = Mapping[int, tuple[int, ...]]


def users_of(statements: Iterable[Statement]) -> Users:
    """Ids of the statements that refer to a statement, in order, by its id."""
    return MappingProxyType({id_: tuple(users) for id_, users in _referring(statements).items()})


def users_after(before: Program, program: Program, change: Change) -> Users | None:
    """The same after a change of a program in which it was known; None where lines stand in another order."""
    if change.order is not None:
        old, new = before.statements, program.statements
        if [id_ for id_ in before.order if id_ in new] != [id_ for id_ in program.order if id_ in old]:
            return None
    differing = {cast("int", id_) for table, id_ in change.entries if table == "statements"}
    added = _referring(program[id_] for id_ in program.order if id_ in differing)
    lost = {ref.statement for id_ in differing if id_ in before for ref in before.statements[id_].refs()}
    users = dict(before.users)
    for id_ in lost | added.keys():
        left = [user for user in users.pop(id_, ()) if user not in differing]
        if left or id_ in added:
            users[id_] = tuple(sorted([*left, *added.get(id_, ())], key=program.positions.__getitem__))
    return MappingProxyType(users)


def _referring(statements: Iterable[Statement]) -> dict[int, dict[int, None]]:
    found: dict[int, dict[int, None]] = {}
    for statement in statements:
        for ref in statement.refs():
            found.setdefault(ref.statement, {})[statement.id] = None
    return found
