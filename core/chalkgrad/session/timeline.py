"""Values over positions of a trace, found by bisection."""

from __future__ import annotations

from bisect import bisect_right
from typing import Generic, TypeVar

T = TypeVar("T")


class Timeline(Generic[T]):
    """A value that changes at positions; it holds from the position of a change on."""

    __slots__ = ("positions", "values")

    def __init__(self) -> None:
        self.positions: list[int] = []
        self.values: list[T] = []

    def put(self, position: int, value: T) -> None:
        """The value from ``position`` on, which is not before the last change."""
        if self.positions and self.positions[-1] == position:
            self.values[-1] = value
        else:
            self.positions.append(position)
            self.values.append(value)

    def at(self, position: int) -> T | None:
        """The value at ``position``; None before the first."""
        index = bisect_right(self.positions, position) - 1
        return self.values[index] if index >= 0 else None

    def until(self, position: int) -> list[T]:
        """All values up to and at ``position``."""
        return self.values[: bisect_right(self.positions, position)]

    def count(self, position: int) -> int:
        """How many changes there were up to and at ``position``."""
        return bisect_right(self.positions, position)

    @property
    def last(self) -> T | None:
        """The newest value; None when there is none."""
        return self.values[-1] if self.values else None
