"""How often each name is bound in a program, carried over from one program to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from chalkgrad.program.change import Change
from chalkgrad.program.statement import Statement

if TYPE_CHECKING:
    from chalkgrad.program.program import Program


NameCounts = MappingProxyType[str, int]


def name_counts_of(statements: Iterable[Statement]) -> NameCounts:
    """How often each name is bound; under ``""``, how many results have none."""
    return MappingProxyType(dict(Counter(chain.from_iterable([statement.targets for statement in statements]))))


def name_counts_after(before: Program, program: Program, change: Change) -> NameCounts:
    """The same after a change of a program in which it was known."""
    counts = before.name_counts.copy()
    for table, key in change.entries:
        if table == "statements":
            id_ = cast("int", key)
            for statements, by in ((before.statements, -1), (program.statements, 1)):
                for name in statements[id_].targets if id_ in statements else ():
                    counts[name] = counts.get(name, 0) + by
                    if not counts[name]:
                        del counts[name]
    return MappingProxyType(counts)


def repeated_among(names: Iterable[str], counts: Mapping[str, int]) -> frozenset[str]:
    """Those of some names that are bound more than once."""
    return frozenset([name for name in names if name and counts.get(name, 0) > 1])


def repeated_after(before: Program, program: Program, touched: Iterable[int]) -> frozenset[str]:
    """The names bound more than once where only statements ``touched`` differ from a program of which it is known."""
    names: set[str] = set()
    for id_ in touched:
        was, now = before.statements.get(id_), program.statements.get(id_)
        if was is None or now is None or was.targets != now.targets:
            names.update(*[statement.targets for statement in (was, now) if statement is not None])
    return (before.repeated_names - names) | repeated_among(names, program.name_counts)
