"""What a run writes down by the thousand and what is seldom looked at: kept short, made readable on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Rows(Sequence[T], Generic[T]):
    """Records kept as bare tuples of their fields, each made when it is looked at.

    To write a bare tuple takes a sixth of the time of a named one, and most are never looked at.
    """

    __slots__ = ("_made", "rows")

    def __init__(self, made: Callable[[Iterable[Any]], T]) -> None:
        self._made = made
        self.rows: list[tuple[Any, ...]] = []

    def append(self, row: tuple[Any, ...]) -> None:
        """Write one down; who writes many appends to :attr:`rows` at once."""
        self.rows.append(row)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self._made(row) for row in self.rows[index]]
        return self._made(self.rows[index])

    def __iter__(self) -> Iterator[T]:
        return map(self._made, self.rows)
