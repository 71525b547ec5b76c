"""The history of a write counter: who wrote, who saved which version, and which backward found what.

Views and ``detach()`` of a tensor share its counter, so they have one history. A write by way of ``.data`` changes the
same memory and is not counted; a backward that reads after one takes other values than were saved, and nobody notices.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from chalkgrad.engine.storage import owner
from chalkgrad.session.events import EventKind
from chalkgrad.session.tables import Tables

OF_SAVED = frozenset({EventKind.SAVED, EventKind.NODE_RAN, EventKind.FREED})
"""The events of a node that tell of what it saved."""


class Deed(StrEnum):
    """What was done with the memory."""

    MADE = "made"  # the first tensor, at version 0 unless its memory was written before
    SHARED = "shared"  # another tensor shows it and shares the counter: a view, a detach()
    BYPASSED = "bypassed"  # another tensor shows it with a counter of its own: .data
    WROTE = "wrote"
    WROTE_UNSEEN = "wrote unseen"  # the counter did not tick
    MOVED = "moved"  # .data = t: it shows other memory now
    SAVED = "saved"
    READ = "read"  # a backward found the version that was saved
    READ_OTHER_VALUES = "read other values"  # so it did, but the memory had been written past the counter
    REFUSED = "refused"  # a backward found another version and raised
    FREED = "freed"


class Entry(NamedTuple):
    """One thing that happened: when, in which statement and pass, to which object or by which node.

    ``version`` is the counter's after it. For a node ``names`` are those of the saved values and ``saved`` is the
    version that they have.
    """

    deed: Deed
    position: int
    statement: int
    pass_: int
    version: int
    number: int | None = None
    node: int | None = None
    names: tuple[str, ...] = ()
    saved: int = 0


class History(NamedTuple):
    """What happened to the memory and the counter of ``objects``; ``strangers`` show that memory past the counter."""

    objects: tuple[int, ...]
    strangers: tuple[int, ...]
    entries: tuple[Entry, ...]

    def until(self, position: int) -> History:
        """The same without what happens later."""
        return self._replace(entries=tuple(entry for entry in self.entries if entry.position <= position))

    def version(self, position: int) -> int:
        """The counter at a position."""
        versions = [entry.version for entry in self.entries if entry.position <= position]
        return versions[-1] if versions else 0


class Conflict(NamedTuple):
    """Why a backward refused: who wrote, who had saved the version before, who reads; ``history`` is all of it."""

    history: History
    writers: tuple[Entry, ...]
    saver: Entry
    reader: Entry


class Versions:
    """The histories of one trace."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._read = self._objects = self._nodes = 0
        self._showing: dict[int, dict[int, None]] = {}
        self._shown: dict[int, int] = {}
        self._events_of: dict[int, list[int]] = {}
        self._savers: dict[int, dict[int, None]] = {}
        self._events_at: dict[int, list[int]] = {}

    def history(self, number: int) -> History:
        """The history of an object's counter, up to the end of the trace."""
        self._follow()
        objects, strangers = self._sharing(number)
        entries = [*self._births(objects, strangers), *self._writes(objects, strangers)]
        for node in dict.fromkeys(node for one in objects for node in self._savers.get(one, ())):
            entries += self._uses(node, objects)
        return History(tuple(objects), tuple(strangers), tuple(self._read_through(entries)))

    def conflict(self, position: int) -> Conflict | None:
        """What the failure told of at ``position`` came of, where a backward refused a version there."""
        node = self._failed_node(position)
        for saved in () if node is None else self._tables.saved[node]:
            if saved.number is None:
                continue
            history = self.history(saved.number)
            reader = next((e for e in history.entries if e.deed is Deed.REFUSED and e.position == position), None)
            saver = next((e for e in history.entries if e.deed is Deed.SAVED and e.node == node), None)
            if reader is not None and saver is not None:
                between = range(saver.position, position)
                wrote = [e for e in history.entries if e.deed is Deed.WROTE and e.position in between]
                return Conflict(history, tuple(wrote), saver, reader)
        return None

    # ------------------------------------------------------------ what is shared

    def _sharing(self, number: int) -> tuple[list[int], list[int]]:
        """The objects that share the counter, and those that show the same memory without it."""
        counters, facts = self._tables.counters, self._tables.facts
        showing = {other for one in facts[number].values for other in self._showing[id(owner(one.array))]}
        mine = counters.get(number)
        objects = [one for one in sorted(showing) if one == number or (mine and counters.get(one) is mine)]
        objects += [one for one in self._counted_by(mine) if one not in showing]
        return sorted(objects), sorted(showing.difference(objects))

    def _counted_by(self, counter: object) -> list[int]:
        """All objects with a counter: one may show other memory since ``.data = t``."""
        return [] if counter is None else [one for one, found in self._tables.counters.items() if found is counter]

    # ------------------------------------------------------------ what happened

    def _births(self, objects: list[int], strangers: list[int]) -> list[Entry]:
        found = []
        for number in (*objects, *strangers):
            position = self._tables.facts[number][0][0]
            event = self._tables.events[max(position - 1, 0)]
            first = number == objects[0]
            deed = Deed.BYPASSED if number in strangers else Deed.MADE if first else Deed.SHARED
            version = self._version(objects, position)
            found.append(Entry(deed, position, event.statement, event.pass_, version, number))
        return found

    def _writes(self, objects: list[int], strangers: list[int]) -> list[Entry]:
        found = []
        for number in (*objects, *strangers):
            for index in self._events_of.get(number, ()):
                event, position = self._tables.events[index], index + 1
                before, after = self._version(objects, index), self._version(objects, position)
                moved = self._array(number, index) is not self._array(number, position)
                deed = Deed.MOVED if moved else Deed.WROTE if after != before else Deed.WROTE_UNSEEN
                if not (moved and number in strangers):
                    found.append(Entry(deed, position, event.statement, event.pass_, after, number))
        return found

    def _uses(self, node: int, objects: list[int]) -> list[Entry]:
        """Who saved, who read and who freed: one node."""
        kept = [saved for saved in self._tables.saved[node] if saved.number in objects]
        names, version = tuple(saved.name for saved in kept), kept[0].version
        found = []
        for index in self._events_at.get(node, ()):
            event, position = self._tables.events[index], index + 1
            now = self._version(objects, position)
            deed = {
                EventKind.SAVED: Deed.SAVED,
                EventKind.NODE_RAN: Deed.READ,
                EventKind.FREED: Deed.FREED,
                EventKind.FAILED: Deed.REFUSED if now != version else None,
            }[event.kind]
            if deed is not None:
                found.append(
                    Entry(deed, position, event.statement, event.pass_, now, None, node, names, version),
                )
        return found

    def _read_through(self, entries: list[Entry]) -> list[Entry]:
        """In order of time; what was read after writes that nobody counted is marked."""
        found, unseen = [], -1
        saved: dict[int | None, int] = {}
        for entry in sorted(entries, key=_when):
            if entry.deed is Deed.SAVED:
                saved[entry.node] = entry.position
            elif entry.deed is Deed.WROTE_UNSEEN:
                unseen = entry.position
            is_other = entry.deed is Deed.READ and unseen > saved.get(entry.node, 0)
            found.append(entry._replace(deed=Deed.READ_OTHER_VALUES) if is_other else entry)
        return found

    def _version(self, objects: list[int], position: int) -> int:
        """The counter at a position, as whoever was told of the last write has it."""
        facts = (self._tables.facts[number].at(position) for number in objects)
        return max((found.version for found in facts if found is not None), default=0)

    def _array(self, number: int, position: int) -> object:
        facts = self._tables.facts[number].at(position)
        return None if facts is None else facts.array

    def _failed_node(self, position: int) -> int | None:
        """The node that was at work when a failure was told of at ``position``."""
        events = self._tables.events
        for index in range(position - 2, -1, -1):
            kind = events[index].kind
            if kind is EventKind.NODE_READY:
                return events[index].node
            if kind in (EventKind.NODE_RAN, EventKind.BACKWARD_BEGAN, EventKind.ENDED):
                return None
        return None

    # ------------------------------------------------------------ reading the trace

    def _follow(self) -> None:
        """Take in what has happened since the last time."""
        tables = self._tables
        for number in range(self._objects, len(tables.facts)):
            self._showing.setdefault(id(owner(tables.facts.birth(number))), {})[number] = None
        for node in range(self._nodes, len(tables.nodes)):
            for saved in tables.saved[node]:
                if saved.number is not None:
                    self._savers.setdefault(saved.number, {})[node] = None
        for index, row in enumerate(tables.events.rows[self._read :], self._read):
            kind, _, _, tensors, node = row[:5]
            if kind in OF_SAVED:
                self._events_at.setdefault(node, []).append(index)
            elif kind is EventKind.WRITE:
                self._note_write(tensors[0], index)
            elif kind is EventKind.FAILED:
                failed = self._failed_node(index + 1)
                if failed is not None:
                    self._events_at.setdefault(failed, []).append(index)
        self._objects, self._nodes, self._read = len(tables.facts), len(tables.nodes), len(tables.events)

    def _note_write(self, number: int, index: int) -> None:
        """A write, or a ``.data = t``, after which an object shows other memory."""
        self._events_of.setdefault(number, []).append(index)
        line, known = self._tables.facts[number], self._shown.get(number, 0)
        for _, facts in islice(line, max(0, known - 1), None):  # what was true last may have been put right since
            self._showing.setdefault(id(owner(facts.array)), {})[number] = None
        self._shown[number] = len(line)


def _when(entry: Entry) -> int:
    return entry.position
