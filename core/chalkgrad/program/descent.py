"""What a program or a board was made of, and where it differs from that: who shows one needn't look for it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import compress
from operator import is_not
from typing import Any, Generic, TypeVar
from weakref import ref

K = TypeVar("K", bound=Hashable)

GENERATIONS = 6
"""So many edits back it is known."""


class Descent(Generic[K]):
    """The values that one was made of by edits, as long as somebody has them, and the keys that may differ in each."""

    def __init__(self, made_of: Iterable[tuple[ref[Any], frozenset[K]]] = ()) -> None:
        self._made_of = tuple(made_of)

    def of(self, parent: object, touched: Iterable[K]) -> Descent[K]:
        """The descent of what is made of ``parent``, whose this one is, by an edit that touched some keys."""
        keys = frozenset(touched)
        earlier = [(old, known | keys) for old, known in self._made_of[: GENERATIONS - 1] if old() is not None]
        return Descent([(ref(parent), keys), *earlier])

    def ancestors(self) -> Iterator[tuple[object, frozenset[K]]]:
        """Those that are still there, the newest first, and the keys that may differ."""
        for old, keys in self._made_of:
            if (found := old()) is not None:
                yield found, keys

    def since(self, ancestor: object) -> frozenset[K] | None:
        """The keys that may differ from one of them; None where it isn't known."""
        return next((keys for old, keys in self.ancestors() if old is ancestor), None)


def differing(before: Mapping[K, object], after: Mapping[K, object]) -> set[K]:
    """The keys under which two tables have other objects, looked for one by one."""
    if before is after:
        return set()
    found = set(compress(after, map(is_not, after.values(), map(before.get, after))))
    return found.union(before.keys() - after.keys())
