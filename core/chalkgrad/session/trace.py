"""The trace of a run: what happened, event by event, and the state at any position of it."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Collection, Sequence

import numpy as np

from chalkgrad.session.events import Event, EventKind, NodeRecord, Run, SavedName
from chalkgrad.session.snapshot import Names, Snapshot, Statements
from chalkgrad.session.state import State
from chalkgrad.session.tables import Tables
from chalkgrad.session.touched import Touched

REMEMBERED = 8
"""How many states are kept for the next who asks for the same position."""


class Trace:
    """Events and what follows from them. A position is a number of events that have happened."""

    def __init__(self, tables: Tables, order: tuple[int, ...] = ()) -> None:
        self._tables = tables
        self._order = dict.fromkeys(order)
        self._states: OrderedDict[int, State] = OrderedDict()
        self._touched = Touched(tables)

    def __len__(self) -> int:
        return len(self._tables.events)

    @property
    def events(self) -> Sequence[Event]:
        """All events so far."""
        return self._tables.events

    @property
    def nodes(self) -> Sequence[NodeRecord]:
        """All backward nodes so far, by number."""
        return self._tables.nodes

    @property
    def runs(self) -> Sequence[Run]:
        """The lines that began to run so far, in order, and where their events begin."""
        return self._tables.runs

    def saved_by(self, node: int) -> tuple[SavedName, ...]:
        """What a node saved for its backward."""
        return self._tables.saved.get(node, ())

    def find(self, kinds: Collection[EventKind], position: int, by: int) -> int | None:
        """The position after the next (+1) or previous (-1) event of one of ``kinds``; None where there is none."""
        events = self._tables.events
        indices = range(position, len(events)) if by > 0 else range(min(position, len(events)) - 2, -1, -1)
        return next((index + 1 for index in indices if events[index].kind in kinds), None)

    def events_of(self, statement: int) -> range:
        """Indices of the events of one line; empty when it has not run."""
        run = self._tables.run_of.get(statement)
        if run is None:
            return range(len(self), len(self))
        return range(self._tables.runs[run].start, self._stop(run))

    def end_of(self, statement: int) -> int:
        """The position after a line; the end when it has not run."""
        return self.events_of(statement).stop

    def line_at(self, position: int) -> int | None:
        """The line that a position stands in or at the end of; None before the first event."""
        run = self._run_at(position)
        return None if run is None else self._tables.runs[run].statement

    def made_by(self, number: int) -> int:
        """The statement during which object ``number`` was born."""
        return self._tables.made_by[number]

    def value(self, number: int, position: int | None = None) -> np.ndarray | None:
        """What object ``number`` held at a position; None where that wasn't kept or it wasn't born."""
        position = len(self) if position is None else position
        facts = self._tables.facts[number].at(position)
        return None if facts is None else self._tables.memory.value(facts.array, position)

    def state(self, position: int | None = None) -> State:
        """Everything at a position; None: the end."""
        at = len(self) if position is None else min(max(position, 0), len(self))
        state = self._states.get(at)
        if state is None:
            state = self._states[at] = self._state_at(at)
            if len(self._states) > REMEMBERED:
                self._states.popitem(last=False)
        else:
            self._states.move_to_end(at)
        return state

    def touched(self, one: int, other: int) -> set[int]:
        """Ids of the statements whose state may differ at two positions: all others are the same there."""
        return self._touched.between(one, other)

    def set_order(self, order: tuple[int, ...]) -> None:
        """The statements of the program, in order, after some were added."""
        self._order = dict.fromkeys(order)
        self._states.clear()

    def _state_at(self, position: int) -> State:
        snapshot = Snapshot(self._tables, position)
        run = self._run_at(position)
        return State(
            position=position,
            statements=Statements(snapshot, self._order),
            output=tuple(self._tables.output.until(position)),
            problems=tuple(self._tables.problems.until(position)),
            line=None if run is None else self._tables.runs[run].statement,
            inside=position > 0 and self.events[position - 1].kind is not EventKind.ENDED,
            names=Names(snapshot),
        )

    def _run_at(self, position: int) -> int | None:
        run = bisect_left(self._tables.runs, position, key=lambda found: found.start) - 1
        return run if run >= 0 else None

    def _stop(self, run: int) -> int:
        runs = self._tables.runs
        return runs[run + 1].start if run + 1 < len(runs) else len(self)
