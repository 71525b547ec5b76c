"""Values over positions of a trace, found by bisection."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import TypeVar

T = TypeVar("T")

_position = itemgetter(0)


class Timeline(list[tuple[int, T]]):
    """A value that changes at positions: each change with its position, from which on the value holds.

    A list of pairs, because a run begins thousands of timelines that hold one change: this way it takes a quarter.
    """

    __slots__ = ()

    def put(self, position: int, value: T) -> None:
        """The value from ``position`` on, which is not before the last change."""
        if self and self[-1][0] == position:
            self[-1] = position, value
        else:
            self.append((position, value))

    def at(self, position: int) -> T | None:
        """The value at ``position``; None before the first."""
        if self and self[-1][0] <= position:  # nearly always asked for now
            return self[-1][1]
        count = self.count_until(position)
        return self[count - 1][1] if count else None

    def until(self, position: int) -> list[T]:
        """All values up to and at ``position``."""
        return [value for _, value in self[: self.count_until(position)]]

    def count_until(self, position: int) -> int:
        """How many changes there were up to and at ``position``."""
        return bisect_right(self, position, key=_position)

    @property
    def positions(self) -> list[int]:
        """Where it changed."""
        return [position for position, _ in self]

    @property
    def values(self) -> list[T]:
        """What it changed to."""
        return [value for _, value in self]

    @property
    def last(self) -> T | None:
        """The newest value; None when there is none."""
        return self[-1][1] if self else None
