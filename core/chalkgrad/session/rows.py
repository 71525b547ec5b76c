"""What a run writes down by the thousand and what is seldom looked at: kept short, made readable on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

from chalkgrad.session.events import Event, EventKind
from chalkgrad.session.memory import Memory
from chalkgrad.session.results import Line, Result, Told

T = TypeVar("T")
Row = tuple[Any, ...]

PIECES = (Result, Line, Told)
MOST_UNREAD = 8000
"""To take apart so many events takes some ten milliseconds."""

_REST: Row = Event(EventKind.ENDED, 0)
"""What the fields are that a short row leaves out."""


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


class EventLog(Sequence[Event]):
    """Events as they come: rows of fields, of which those at the end may be left out, and what comes in one piece.

    ``entries`` are those that nobody has looked at yet; ``length`` is how many events there are in all. Who writes many
    appends to the one and counts in the other. Gradients in them are memory, of which ``memory`` knows what it held.
    """

    __slots__ = ("_memory", "_rows", "entries", "length")

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.entries: list[Row] = []
        self.length = 0
        self._rows: list[Row] = []

    def settle(self) -> None:
        """Take apart what has come, if it is much, so that who looks next needn't wait for all of it."""
        if self.length - len(self._rows) > MOST_UNREAD:
            _ = self.rows

    def append(self, row: Row) -> None:
        """Write down one event."""
        self.entries.append(row)
        self.length += 1

    @property
    def rows(self) -> list[Row]:
        """All events as tuples of all their fields."""
        if self.entries:
            rows = self._rows
            for entry in self.entries:
                if isinstance(entry, PIECES):
                    rows += entry.rows()
                else:
                    rows.append(entry + _REST[len(entry) :])
            self.entries.clear()
        return self._rows

    @property
    def last_kind(self) -> EventKind | None:
        """What happened last; None where nothing has happened yet."""
        last = self.entries[-1] if self.entries else None
        if last is None or isinstance(last, Result | Told):
            return self.rows[-1][0] if self.length else None
        return EventKind.ENDED if isinstance(last, Line) else last[0]

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        rows = self.rows
        if isinstance(index, slice):
            return [self._event(place, rows[place]) for place in range(*index.indices(len(rows)))]
        return self._event(index if index >= 0 else index + len(rows), rows[index])

    def __iter__(self) -> Iterator[Event]:
        return (self._event(place, row) for place, row in enumerate(self.rows))

    def _event(self, place: int, row: Row) -> Event:
        """The event with this index."""
        event = Event._make(row)
        if event.incoming or event.outgoing:
            held, position = self._memory.held, place + 1
            incoming = tuple([held(gradient, position) for gradient in event.incoming])
            return event._replace(incoming=incoming, outgoing=tuple([held(made, position) for made in event.outgoing]))
        return event
