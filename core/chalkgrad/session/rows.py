"""What a run writes down by the thousand and what is seldom looked at: kept short, made readable on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

from chalkgrad.session.events import Event, EventKind
from chalkgrad.session.memory import Memory
from chalkgrad.session.results import ENDED, RAN, Result, Told

T = TypeVar("T")
Row = tuple[Any, ...]

PIECES = (Result, Told)
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
            rows, before = self._rows, self.entries[0]
            for entry in self.entries:
                if isinstance(entry, PIECES):
                    rows += entry.rows()
                elif entry:
                    rows.append(entry + _REST[len(entry) :])
                else:
                    assert isinstance(before, Result)
                    rows += before.over()
                before = entry
            self.entries.clear()
        return self._rows

    def kinds(self, start: int, stop: int | None) -> list[EventKind]:
        """The kinds of the events from index ``start`` to ``stop``; what came in one piece is left so."""
        known = len(self._rows)
        if stop is not None and stop <= known:
            return [row[0] for row in self._rows[start:stop]]
        found: list[EventKind] = [row[0] for row in self._rows[start:]]
        for entry in self.entries:
            if isinstance(entry, PIECES):
                found += entry.kinds()
            elif entry:
                found.append(entry[0])
            else:
                found += RAN, ENDED
        begin = min(start, known)
        return found[start - begin : None if stop is None else stop - begin]

    @property
    def last_kind(self) -> EventKind | None:
        """What happened last; None where nothing has happened yet."""
        return self._row(self.length - 1)[0] if self.length else None

    def _row(self, index: int) -> Row:
        """One event; the last, which is asked for again and again while a program runs, is all that is taken apart."""
        if index != self.length - 1 or not self.entries:
            return self.rows[index]
        last = self.entries[-1]
        if isinstance(last, PIECES):
            return last.rows()[-1]
        return last + _REST[len(last) :] if last else (ENDED, *self.entries[-2][:2], *_REST[3:])

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if isinstance(index, slice):
            return [self._event(place, self.rows[place]) for place in range(*index.indices(self.length))]
        place = index if index >= 0 else index + self.length
        if not 0 <= place < self.length:
            raise IndexError(index)
        return self._event(place, self._row(place))

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
