"""A change: what an edit did, told so that it can be taken back.

Program and board are tables of frozen values; a change lists for each key that differs what was there before and
what is there after (``None``: nothing). Turning a change round is swapping the two, written here once for every edit.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

Key = tuple[str, Hashable]
"""Table and key: ``("statements", 4)``, ``("places", ("cards", 4))``."""


@dataclass(frozen=True)
class Change:
    """Entries before and after, and the order of the statements before and after where it differs."""

    entries: Mapping[Key, tuple[object, object]]
    order: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    def __bool__(self) -> bool:
        """False for a change that changes nothing."""
        return bool(self.entries) or self.order is not None

    def inverse(self) -> Change:
        """The change that takes this one back."""
        swapped = {key: (after, before) for key, (before, after) in self.entries.items()}
        return Change(swapped, None if self.order is None else (self.order[1], self.order[0]))

    def then(self, later: Change) -> Change:
        """One change for this and ``later``, made after it."""
        return together((self, later))

    @property
    def touches_program(self) -> bool:
        """True when the program itself differs, so that it has to run again."""
        return self.order is not None or not self.tables.isdisjoint(PROGRAM_TABLES)

    @cached_property
    def tables(self) -> frozenset[str]:
        """The tables in which something differs."""
        return frozenset({table for table, _ in self.entries})

    def split(self, keys: Collection[Key]) -> tuple[Change, Change]:
        """What of it is of some keys, and the rest."""
        if self.entries.keys().isdisjoint(keys):
            return NOTHING, self
        inside = {key: entry for key, entry in self.entries.items() if key in keys}
        rest = {key: entry for key, entry in self.entries.items() if key not in keys}
        return Change(inside), Change(rest, self.order)

    def keys(self, table: str) -> set[Hashable]:
        """The keys of one table that differ."""
        return {key for name, key in self.entries if name == table}


PROGRAM_TABLES = frozenset({"statements", "blocks", "program"})
NOTHING = Change({})


def together(changes: Iterable[Change]) -> Change:
    """One change for all of ``changes``, made one after the other."""
    entries: dict[Key, tuple[object, object]] = {}
    order = None
    for change in changes:
        for key, (before, after) in change.entries.items():
            first = entries[key][0] if key in entries else before
            if first == after:
                entries.pop(key, None)
            else:
                entries[key] = (first, after)
        order = _join(order, change.order)
    return Change(entries, order)


def entry(table: str, key: Hashable, before: object, after: object) -> Change:
    """The change of one entry; nothing when both are equal."""
    return NOTHING if before == after else Change({(table, key): (before, after)})


def _join(
    first: tuple[tuple[int, ...], tuple[int, ...]] | None, second: tuple[tuple[int, ...], tuple[int, ...]] | None
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    if first is None or second is None:
        return first or second
    return None if first[0] == second[1] else (first[0], second[1])
