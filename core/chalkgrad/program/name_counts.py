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


def name_counts_of(statements: Iterable[Statement]) -> Mapping[str, int]:
    """How often each name is bound; under ``""``, how many results have none."""
    return MappingProxyType(Counter(chain.from_iterable([statement.targets for statement in statements])))


def name_counts_after(before: Program, program: Program, change: Change) -> Mapping[str, int]:
    """The same after a change of a program in which it was known."""
    counts = dict(before.name_counts)
    for table, key in change.entries:
        if table == "statements":
            id_ = cast("int", key)
            for statements, by in ((before.statements, -1), (program.statements, 1)):
                for name in statements[id_].targets if id_ in statements else ():
                    counts[name] = counts.get(name, 0) + by
                    if not counts[name]:
                        del counts[name]
    return MappingProxyType(counts)
