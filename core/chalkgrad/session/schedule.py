"""One backward as the engine goes through it: which nodes are ready, which wait and for whom, what has come to each.

It is read off the trace: what the engine set out to do (how many gradients each node waits for), and what happened.
Everything is kept as arrays of positions, so that any moment in a backward of many thousand nodes is found at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from chalkgrad.session.events import Event, EventKind
from chalkgrad.session.trace import Trace

NEVER = np.iinfo(np.int64).max
CALL = -1
"""Stands for the call of the backward, from which the first gradients come."""

ACCUMULATES = "AccumulateGrad"
TAKEN = frozenset({EventKind.NODE_RAN, EventKind.ACCUMULATED, EventKind.DROPPED, EventKind.CAPTURED})
"""Tell what became of a node that was taken from the queue."""

BEFORE = frozenset(
    {EventKind.MADE, EventKind.NODE_MADE, EventKind.SAVED, EventKind.WRITE, EventKind.FLAGS, EventKind.RETAINED}
)
"""Happen while a node is at work, before it is told what became of it."""

STRETCH = 128
"""So many events are looked through at a time."""


class Arrival(NamedTuple):
    """A gradient that came to a node: from which one (None: from the call), and what it is, where that was kept."""

    source: int | None
    gradient: np.ndarray | None


@dataclass(frozen=True, slots=True)
class Moment:
    """The nodes of a backward at one position, by number.

    ``now`` is at work; ``ready`` are in the order in which they will be taken, ``waiting`` have got something and lack
    something, ``to_come`` have got nothing yet, ``done`` are over, the newest first.
    """

    now: int | None
    ready: tuple[int, ...]
    waiting: tuple[int, ...]
    to_come: tuple[int, ...]
    done: tuple[int, ...]


def backward_at(trace: Trace, position: int) -> int | None:
    """Index of the event with which the backward began that a position stands in or after, in the same line."""
    run = bisect_left(trace.runs, position, key=attrgetter("start")) - 1
    start = trace.runs[run].start if run >= 0 else position
    return max((index for index in trace.plans if start <= index < position), default=None)


def at_work(trace: Trace, position: int) -> int | None:
    """The node at work at a position inside a backward: what follows its work belongs to it until the next is taken.

    It is looked for near the position, so that a long backward need not be read as a whole.
    """
    kind, node = next(_around(trace, position, back=True), (None, None))
    if kind is EventKind.HOOK_RAN:
        return node
    if kind in BEFORE:
        following = (node for kind, node in _around(trace, position, back=False) if kind in TAKEN)
        taken = next(following, None)
        if taken is not None:
            return taken
    return next((node for kind, node in _around(trace, position, back=True) if kind in TAKEN), None)


def _around(trace: Trace, position: int, back: bool) -> Iterator[tuple[EventKind, int | None]]:
    """The events of the backward at a position, without those of others that run inside of it.

    They go back from the one that happened last, or on to those that are to come.
    """
    opens, closes = EventKind.BACKWARD_BEGAN, EventKind.BACKWARD_ENDED
    if back:
        opens, closes = closes, opens
    depth = 0
    for stretch in _stretches(trace, position, back):
        rows = trace.kinds_and_nodes(stretch.start, stretch.stop)
        for kind, node in reversed(rows) if back else rows:
            depth += (kind is opens) - (kind is closes)
            if depth < 0:
                return
            if not depth and kind is not closes:
                yield kind, node


def _stretches(trace: Trace, position: int, back: bool) -> Iterator[range]:
    """Stretches of events of the line that a position stands in, one after another away from it."""
    line = trace.line_at(position)
    within = range(0) if line is None else trace.events_of(line, position)
    if back:
        yield from (range(max(within.start, stop - STRETCH), stop) for stop in range(position, within.start, -STRETCH))
    else:
        yield from (range(start, min(within.stop, start + STRETCH)) for start in range(position, within.stop, STRETCH))


class Schedule:
    """One backward of a trace, the one that began with event ``began``, as far as it has run.

    ``order`` are the nodes in the order in which they were taken; ``end`` is the position after its last event.
    """

    def __init__(self, trace: Trace, began: int) -> None:
        self._trace = trace
        self.began = began
        self.plan = trace.plans[began]
        self._index = {number: index for index, number in enumerate(self.plan.nodes)}
        self._age = np.array(self.plan.sequence, np.float64)
        self._leaf = np.array([trace.name_of(number) == ACCUMULATES for number in self.plan.nodes], bool)
        self._freed_at: dict[int, int] = {}
        self._sums: dict[int, list[int]] = {}
        self.end = self._read()
        taken = np.argsort(self._ran_at, kind="stable")
        self._taken = taken[: int((self._ran_at != NEVER).sum())]
        self._taken_at = self._ran_at[self._taken]
        self.order = self._numbers(self._taken)
        self._end_leaves()
        self._source, self._target, self._slot = self._edges()
        self._sent_at = np.where(self._source == CALL, began + 1, self._ran_at[self._source])
        self._by_target = np.argsort(self._target, kind="stable")
        self._first_of = np.searchsorted(self._target[self._by_target], np.arange(len(self._index) + 1))

    # ------------------------------------------------------------ ask

    def moment(self, position: int) -> Moment:
        """Where every node stands at a position."""
        working = at_work(self._trace, position) if self.began < position < self.end else None
        now = None if working is None else self._index.get(working)
        over, ready = self._ran_at <= position, self._ready_at <= position
        if now is not None:
            over[now] = ready[now] = False
        rest = ~over & ~ready
        if now is not None:
            rest[now] = False
        came = np.zeros(len(over), bool)
        came[self._target[self._sent_at <= position]] = True
        ready &= ~over
        if position >= self.end:
            ready[:] = False
        turn = np.where(self._leaf, np.minimum(self._ran_at, self.end) - 1e18, -self._age)  # leaves: as they were taken
        return Moment(
            None if now is None else self.plan.nodes[now],
            self._sorted(ready, turn),
            self._sorted(rest & came, -self._age),
            self._sorted(rest & ~came, -self._age),
            self._sorted(over, -self._ran_at),
        )

    def needs(self, node: int) -> int:
        """How many gradients a node waits for at the beginning: its dependency count."""
        return self.plan.waits[self._index[node]]

    def arrivals(self, node: int, position: int) -> tuple[Arrival, ...]:
        """What has come to a node by then, in order."""
        rows = self._rows(node)
        rows = rows[self._sent_at[rows] <= position]
        return tuple([self._arrival(row) for row in rows[np.argsort(self._sent_at[rows], kind="stable")].tolist()])

    def missing(self, node: int, position: int) -> tuple[int, ...]:
        """The nodes that a node still waits for, one for each gradient."""
        rows = self._rows(node)
        return self._numbers(self._source[rows[self._sent_at[rows] > position]])

    def total(self, node: int, position: int) -> np.ndarray | None:
        """The sum of what has come to a node by then; None where nothing has, or where it was not kept."""
        sums = [at for at in self._sums.get(node, ()) if at <= position]
        if sums:
            return self._trace.events[sums[-1] - 1].outgoing[0]
        return next((one.gradient for one in self.arrivals(node, position) if one.gradient is not None), None)

    def sums(self, node: int, position: int) -> int:
        """How many additions have been made at a node by then."""
        return sum(at <= position for at in self._sums.get(node, ()))

    def work(self, node: int, position: int) -> Event | None:
        """The event that says what a node did, with what came in and what went out; None before it did something."""
        at = int(self._ran_at[self._index[node]])
        event = self._trace.events[at - 1] if at <= position else None
        return event if event is not None and event.node == node and event.kind in TAKEN else None

    def freed_at(self, node: int) -> int | None:
        """The position from which on a node no longer has what it had saved."""
        return self._freed_at.get(node)

    def had_to_wait(self, node: int) -> bool:
        """True for a node to which several others send: it could not run with the first gradient that came."""
        return len(set(self._source[self._rows(node)].tolist())) > 1

    # ------------------------------------------------------------ inside

    def _read(self) -> int:
        """Take in the events of this backward; returns the position after the last one."""
        end, inner = self._span()
        ready_at, ran_at = [NEVER] * len(self._index), [NEVER] * len(self._index)
        for position, kind, number in self._trace.about_nodes(self.began + 1, end):
            index = self._index.get(number)
            if index is None or (inner and any(position in other for other in inner)):
                continue
            if kind is EventKind.NODE_READY:
                ready_at[index] = position
            elif kind in TAKEN:
                ran_at[index] = position
            elif kind is EventKind.FREED:
                self._freed_at[number] = position
            elif kind is EventKind.SUMMED:
                self._sums.setdefault(number, []).append(position)
        self._ready_at, self._ran_at = np.array(ready_at, np.int64), np.array(ran_at, np.int64)
        return end

    def _span(self) -> tuple[int, list[range]]:
        """The position after the last event of this backward, and where others run inside of it."""
        begun: list[int] = []
        inner: list[range] = []
        for position, kind in enumerate(self._trace.kinds(self.began + 1), self.began + 2):
            if kind is EventKind.BACKWARD_BEGAN:
                begun.append(position)
            elif kind is EventKind.BACKWARD_ENDED:
                if not begun:
                    return position, inner
                inner.append(range(begun.pop(), position + 1))
        return len(self._trace), inner

    def _end_leaves(self) -> None:
        """A leaf that was ready and got no gradient at all is done when the next node is taken."""
        for leaf in np.flatnonzero(self._leaf & (self._ready_at != NEVER) & (self._ran_at == NEVER)).tolist():
            after = int(np.searchsorted(self._taken_at, self._ready_at[leaf], "right"))
            self._ran_at[leaf] = self._taken_at[after] if after < len(self._taken_at) else self.end

    def _edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each gradient on its way: which node sends it, which gets it, and which of what is sent it is."""
        found = [(CALL, self._index[root], slot) for slot, root in enumerate(self.plan.roots) if root in self._index]
        for source, number in enumerate(self.plan.nodes):
            for slot, edge in enumerate(self._trace.edges_of(number)):
                if edge in self._index:
                    found.append((source, self._index[edge], slot))
        columns = np.array(found, np.int64).reshape(-1, 3).T
        return columns[0], columns[1], columns[2]

    def _rows(self, node: int) -> np.ndarray:
        """The gradients that a node gets, sooner or later."""
        index = self._index[node]
        return self._by_target[self._first_of[index] : self._first_of[index + 1]]

    def _arrival(self, row: int) -> Arrival:
        source, slot = int(self._source[row]), int(self._slot[row])
        if source == CALL:
            return Arrival(None, self._trace.events[self.began].incoming[slot])
        sent = self._trace.events[int(self._ran_at[source]) - 1].outgoing
        return Arrival(self.plan.nodes[source], sent[slot] if slot < len(sent) else None)

    def _sorted(self, mask: np.ndarray, turn: np.ndarray) -> tuple[int, ...]:
        chosen = np.flatnonzero(mask)
        return self._numbers(chosen[np.argsort(turn[chosen], kind="stable")])

    def _numbers(self, places: np.ndarray) -> tuple[int, ...]:
        return tuple([self.plan.nodes[place] for place in places.tolist()])
