"""The memory that a backward graph retains: what is saved, by which node, until when, and what that comes to.

All of it is read off the trace. A saved value goes when its node frees it, or with the node, as soon as nobody refers
to that any more: no name, no tensor with a name, no other node. What another ``retain_graph`` would have meant is
worked out from the same facts; nothing runs for it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from chalkgrad.engine.storage import owner
from chalkgrad.session.calling import Calling
from chalkgrad.session.events import EventKind
from chalkgrad.session.tables import Facts, Tables
from chalkgrad.stepwise import Steps, Work

FOREVER = 1 << 62
AT_ONCE = 8_000
"""So many events are read in one slice of the work."""


class Fate(StrEnum):
    """What has become of a saved value at a position."""

    KEPT = "kept"
    FREED = "freed"  # by a backward
    DROPPED = "dropped"  # nobody refers to its node any more


class Keeping(StrEnum):
    """Whether backwards keep what is saved."""

    AS_IT_RAN = "as it ran"
    ALWAYS = "always"  # retain_graph=True in every backward
    NEVER = "never"  # retain_graph=False in every backward


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """One value that a node saved: as what, which object, and from when until when; ``storage`` numbers its memory.

    ``first_ran`` is the position at which a backward had used it for the first time. Positions that never come are
    None.
    """

    node: int
    name: str
    number: int | None
    version: int
    array: np.ndarray = field(compare=False)
    storage: int
    made: int
    freed: int | None
    dropped: int | None
    first_ran: int | None

    @property
    def nbytes(self) -> int:
        """What the tensor itself takes; its storage may be larger."""
        return self.array.nbytes

    def fate(self, position: int) -> Fate:
        """What has become of it."""
        if self.freed is not None and self.freed <= position:
            return Fate.FREED
        return Fate.DROPPED if self.dropped is not None and self.dropped <= position else Fate.KEPT

    def end(self, keeping: Keeping) -> int:
        """The position from which it is kept no longer."""
        gone = FOREVER if self.dropped is None else self.dropped
        used = {Keeping.AS_IT_RAN: self.freed, Keeping.ALWAYS: None, Keeping.NEVER: self.first_ran}[keeping]
        return gone if used is None else min(used, gone)


class Total(NamedTuple):
    """Bytes of the storages that are kept for a backward: at a position, and most of the whole run, and when."""

    now: int
    peak: int
    peak_at: int


class StorageUse(NamedTuple):
    """One storage in use at a position: its size, the objects with a name that show it, and what is saved of it."""

    storage: int
    nbytes: int
    holders: tuple[int, ...]
    entries: tuple[SavedEntry, ...]


class Retained:
    """What the nodes of one trace have saved."""

    def __init__(self, tables: Tables, calling: Calling) -> None:
        self._tables = tables
        self._calling = calling
        self._seen = -1
        self._read = 0
        self._saved_at: dict[int, int] = {}
        self._ran_at: dict[int, int] = {}
        self._mentioned: dict[int | None, int] = {}
        self._entries: tuple[SavedEntry, ...] = ()
        self._storages: dict[int, int] = {}
        self._sizes: list[int] = []
        self._courses: dict[Keeping, tuple[list[int], list[int]]] = {}

    def entries(self) -> tuple[SavedEntry, ...]:
        """Everything that was ever saved, in the order in which it was."""
        return self.work().finish()

    @property
    def is_current(self) -> bool:
        """True when nothing has happened since it was worked out last."""
        return self._seen == len(self._tables.events)

    def work(self) -> Work[tuple[SavedEntry, ...]]:
        """The same, worked out in slices: of a long run it takes a while."""
        return Work(self._steps())

    def at(self, position: int) -> list[SavedEntry]:
        """What had been saved by ``position``, gone or not."""
        entries = self.entries()
        return list(entries[: bisect_right(entries, position, key=_made)])

    def freed_by(self, entry: SavedEntry) -> int | None:
        """The statement whose backward freed it."""
        return None if entry.freed is None else self._tables.events[entry.freed - 1].statement

    def dropped_by(self, entry: SavedEntry) -> int | None:
        """The statement after which nobody referred to its node any more."""
        if entry.dropped is None:
            return None
        return self._tables.runs[max(bisect_left(self._tables.runs, entry.dropped, key=_start) - 1, 0)].statement

    def storage_bytes(self, storage: int) -> int:
        """The size of a storage."""
        return self._sizes[storage]

    def total(self, position: int, keeping: Keeping = Keeping.AS_IT_RAN) -> Total:
        """What is kept for a backward; each storage counts once, whole, however many values lie in it."""
        self.entries()
        positions, sums = self._courses[keeping]
        before = bisect_right(positions, position)
        peak = max(sums, default=0)
        return Total(sums[before - 1] if before else 0, peak, positions[sums.index(peak)] if peak else 0)

    def storages(self, position: int) -> list[StorageUse]:
        """The storages that a name leads to, or that are kept for a backward, in the order in which they appeared."""
        holders: dict[int, list[int]] = {}
        entries: dict[int, list[SavedEntry]] = {}
        for entry in self.at(position):
            if entry.fate(position) is Fate.KEPT:
                entries.setdefault(entry.storage, []).append(entry)
        for number in self._named(position):
            array = self._array(number, position)
            if array is not None:
                holders.setdefault(self._storages[id(owner(array))], []).append(number)
        return [
            StorageUse(storage, self._sizes[storage], tuple(holders.get(storage, ())), tuple(entries.get(storage, ())))
            for storage in sorted({*holders, *entries})
        ]

    # ------------------------------------------------------------ inside

    def _worked_out(self, entries: tuple[SavedEntry, ...], keeping: Keeping) -> tuple[list[int], list[int]]:
        """The positions at which what is kept changes, and what is kept from there on."""
        steps: list[tuple[int, int, int]] = []
        for entry in entries:
            end = entry.end(keeping)
            if entry.made < end:
                steps.append((entry.made, 1, entry.storage))
                if end < FOREVER:
                    steps.append((end, -1, entry.storage))
        users, held = [0] * len(self._sizes), 0
        positions: list[int] = []
        sums: list[int] = []
        for at, by, storage in sorted(steps):
            users[storage] += by
            if users[storage] == max(by, 0):  # the first that needs it came, or the last went
                held += by * self._sizes[storage]
            if positions and positions[-1] == at:
                sums[-1] = held
            else:
                positions.append(at)
                sums.append(held)
        return positions, sums

    def _named(self, position: int) -> list[int]:
        """The objects that names mean at ``position``, and their gradients."""
        found: dict[int, None] = {}
        for name in self._tables.names:
            number = self._tables.names.at(name, position)
            while number is not None and number not in found:
                found[number] = None
                facts = None if self._tables.facts.is_plain(number) else self._tables.facts[number].at(position)
                number = None if facts is None else facts.grad
        return list(found)

    def _array(self, number: int, position: int) -> np.ndarray | None:
        """The memory that an object shows at ``position``, at which it was there."""
        if self._tables.facts.is_plain(number):
            return self._tables.facts.birth(number)
        facts = self._tables.facts[number].at(position)
        return None if facts is None else facts.array

    def _steps(self) -> Steps[tuple[SavedEntry, ...]]:
        """Take in what has happened since the last time; then everything that was ever saved."""
        count = len(self._tables.events)
        if not self.is_current:
            while self._read < count:
                self._read_on(min(self._read + AT_ONCE, count))
                yield
            held = yield from self._held()
            yield
            gone = yield from self._gone(held)
            yield
            self._number_storages()
            yield
            self._entries = tuple(self._all_entries(gone))
            for keeping in Keeping:
                yield
                self._courses[keeping] = self._worked_out(self._entries, keeping)
            self._seen = count
        return self._entries

    def _read_on(self, stop: int) -> None:
        """When nodes were made, saved and ran, and which objects were spoken of last when."""
        for position, row in enumerate(self._tables.events.rows[self._read : stop], self._read + 1):
            kind, _, _, tensors, node, inputs = row[:6]
            if kind is EventKind.SAVED:
                self._saved_at[node] = position
            elif kind is EventKind.NODE_RAN:
                self._ran_at.setdefault(node, position)
            for number in tensors:
                self._mentioned[number] = position
            for number in inputs:
                self._mentioned[number] = position
        self._read = stop

    def _all_entries(self, gone: list[int]) -> Iterator[SavedEntry]:
        tables = self._tables
        for node, made in self._saved_at.items():
            end, freed, ran = gone[node], tables.freed.get(node), self._ran_at.get(node)
            for saved in tables.saved[node]:
                if saved.array is not None:
                    yield SavedEntry(
                        *(node, saved.name, saved.number, saved.version, saved.array),
                        *(self._storages[id(owner(saved.array))], made, freed),
                        *(None if end == FOREVER else max(end, made), ran),
                    )

    def _gone(self, held: list[int]) -> Steps[list[int]]:
        """The positions from which nobody refers to the nodes any more, by node."""
        tables = self._tables
        gone = [0] * len(tables.nodes)
        for number, facts, end in self._facts():
            if facts.node is not None:
                gone[facts.node] = max(gone[facts.node], min(end, held[number]))
        for node in range(len(gone) - 1, -1, -1):  # who refers to a node was made after it
            if node % AT_ONCE == 0:
                yield
            for output in tables.results_of(node):
                if output is not None and tables.facts.is_plain(output):
                    gone[node] = max(gone[node], held[output])
            for below in tables.edges_of(node):
                if below is not None:
                    gone[below] = max(gone[below], gone[node])
        for inner, outer in _carried(tables):
            _keep_until(gone[outer], inner, gone, tables)
        return gone

    def _held(self) -> Steps[list[int]]:
        """The positions from which no name leads to the objects any more; the end of its last line for one without."""
        tables = self._tables
        starts, named = [run.start for run in tables.runs], self._calling.named
        held = [0] * len(tables.facts)
        for number in range(len(held)):
            if number not in named:
                held[number] = self._end_of_line(self._mentioned.get(number, 0), starts)
        yield
        for line in tables.names.values():
            for (_, bound), end in zip(line, [*line.positions[1:], FOREVER], strict=True):
                if bound is not None:
                    held[bound] = max(held[bound], end)
        for number, facts, end in self._facts():
            if facts.grad is not None:
                held[facts.grad] = max(held[facts.grad], min(end, held[number]))
        return held

    def _facts(self) -> Iterator[tuple[int, Facts, int]]:
        """What was true of each object, and until which position; all but plain results, whose node is theirs."""
        for number in range(len(self._tables.facts)):
            if not self._tables.facts.is_plain(number):
                line = self._tables.facts[number]
                ends = [position for position, _ in line[1:]]
                for (_, facts), end in zip(line, [*ends, FOREVER], strict=True):
                    yield number, facts, end

    def _end_of_line(self, position: int, starts: list[int]) -> int:
        """The end of the line that a position is in; ``starts`` are the beginnings of all lines."""
        after = bisect_left(starts, position)
        if after < len(starts):
            return starts[after]
        events = self._tables.events
        return len(events) if events and events[-1].kind is EventKind.ENDED else FOREVER

    def _number_storages(self) -> None:
        """Number the storages of what has a name or is saved, in the order of birth."""
        tables = self._tables
        found: list[tuple[int, np.ndarray]] = []
        for node in self._saved_at:
            result = next((number for number in tables.results_of(node) if number is not None), 0)
            found += [
                (result if saved.number is None else saved.number, saved.array)
                for saved in tables.saved[node]
                if saved.array is not None
            ]
        for number in self._with_gradients(self._calling.named):
            if tables.facts.is_plain(number):
                found.append((number, tables.facts.birth(number)))
            else:
                found += [(number, facts.array) for _, facts in tables.facts[number]]
        self._storages, self._sizes = {}, []
        for _, array in sorted(found, key=_first):
            memory = owner(array)
            if id(memory) not in self._storages:
                self._storages[id(memory)] = len(self._sizes)
                self._sizes.append(memory.nbytes)

    def _with_gradients(self, numbers: Iterable[int]) -> set[int]:
        found, pending = set(numbers), list(numbers)
        while pending:
            number = pending.pop()
            if self._tables.facts.is_plain(number):
                continue
            grads = {facts.grad for _, facts in self._tables.facts[number]} - found
            for grad in grads:
                if grad is not None:
                    found.add(grad)
                    pending.append(grad)
        return found


def _carried(tables: Tables) -> Iterator[tuple[int, int]]:
    """Nodes of writes into views, each with the CopySlices of the whole, recorded before it, that carries it."""
    outer: dict[tuple[int, int], int] = {}
    names = [tables.name_of(node) for node in range(len(tables.nodes))]
    for node, name in enumerate(names) if "CopySlices" in names else ():
        record = tables.nodes[node]
        line = record.statement, record.pass_
        if name == "CopySlices":
            outer[line] = node
        elif line in outer:
            yield node, outer[line]


def _keep_until(end: int, node: int, gone: list[int], tables: Tables) -> None:
    """Somebody refers to a node until ``end``: so long it, and what it refers to, is there."""
    pending = [node]
    while pending:
        node = pending.pop()
        if gone[node] < end:
            gone[node] = end
            pending += [below for below in tables.edges_of(node) if below is not None]


def _start(run: tuple[int, int]) -> int:
    return run[1]


def _made(entry: SavedEntry) -> int:
    return entry.made


def _first(found: tuple[int, np.ndarray]) -> int:
    return found[0]
