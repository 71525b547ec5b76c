"""The trace of a run: what happened, event by event, and the state at any position of it."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from operator import attrgetter

import numpy as np

from chalkgrad.session.calling import Calling
from chalkgrad.session.derived import GradientGraph
from chalkgrad.session.events import Event, EventKind, NodeRecord, Plan, Run, SavedName
from chalkgrad.session.history import History
from chalkgrad.session.retained import Retained
from chalkgrad.session.snapshot import Names, Snapshot, Statements
from chalkgrad.session.state import State
from chalkgrad.session.tables import Facts, OptimizerState, Round, Tables
from chalkgrad.session.touched import Touched
from chalkgrad.session.versions import Versions

REMEMBERED = 8
"""How many states are kept for the next who asks for the same position."""


class Trace:
    """Events and what follows from them. A position is a number of events that have happened."""

    def __init__(self, tables: Tables, order: tuple[int, ...] = ()) -> None:
        self._tables = tables
        self._order = dict.fromkeys(order)
        self._states: OrderedDict[int, State] = OrderedDict()
        self._touched = Touched(tables)
        self.calling = Calling(tables)
        self.retained = Retained(tables, self.calling)
        self.versions = Versions(tables)

    def __len__(self) -> int:
        return len(self._tables.events)

    @property
    def events(self) -> Sequence[Event]:
        """All events so far."""
        return self._tables.events

    def kinds(self, start: int = 0, stop: int | None = None) -> list[EventKind]:
        """The kinds of the events from index ``start`` to ``stop``: for who looks at many, and at nothing else."""
        return self._tables.events.kinds(start, stop)

    def kinds_and_nodes(self, start: int, stop: int) -> list[tuple[EventKind, int | None]]:
        """The kind of each event from index ``start`` to ``stop``, and the node that it speaks of."""
        return [(row[0], row[4]) for row in self._tables.events.rows[start:stop]]

    def about_nodes(self, start: int, stop: int | None = None) -> list[tuple[int, EventKind, int]]:
        """Position, kind and node of the events that speak of a node, from index ``start`` to ``stop``."""
        rows = enumerate(self._tables.events.rows[start:stop], start + 1)
        return [(position, row[0], row[4]) for position, row in rows if row[4] is not None]

    @property
    def nodes(self) -> Sequence[NodeRecord]:
        """All backward nodes so far, by number."""
        return self._tables.nodes

    def recorded_by(self, node: int) -> int:
        """The statement that recorded a node: for who looks at many, and at nothing else."""
        return self._tables.recorded_by(node)

    def edges_of(self, node: int) -> tuple[int | None, ...]:
        """The nodes that a node sends gradients to: for who looks at many, and at nothing else."""
        return self._tables.edges_of(node)

    def name_of(self, node: int) -> str:
        """What a node is called: for who looks at many, and at nothing else."""
        return self._tables.name_of(node)

    @property
    def gradient_graphs(self) -> Sequence[GradientGraph]:
        """What backwards with ``create_graph=True`` recorded of themselves so far, in order."""
        return self._tables.derivations.graphs

    def graph_of(self, node: int) -> GradientGraph | None:
        """The gradient graph that a node is in; None for one that an operator of the program left behind."""
        derivations = self._tables.derivations
        found = derivations.graph_of.get(node)
        return None if found is None else derivations.graphs[found]

    @property
    def runs(self) -> Sequence[Run]:
        """The lines that began to run so far, in order, and where their events begin."""
        return self._tables.runs

    @property
    def starts(self) -> list[int]:
        """Where the events of these lines begin: for who looks at nothing else."""
        return [start for _, start in self._tables.runs.rows]

    @property
    def plans(self) -> Mapping[int, Plan]:
        """What each backward so far set out to do, by the index of the event with which it began."""
        return self._tables.plans

    @property
    def in_brief(self) -> Collection[int]:
        """The backwards of which only what they came to was recorded, by the index of their first event."""
        return self._tables.in_brief

    def saved_by(self, node: int) -> tuple[SavedName, ...]:
        """What a node saved for its backward."""
        return self._tables.saved[node]

    def find(self, kinds: Collection[EventKind], position: int, by: int) -> int | None:
        """The position after the next (+1) or previous (-1) event of one of ``kinds``; None where there is none."""
        rows = self._tables.events.rows
        indices = range(position, len(rows)) if by > 0 else range(min(position, len(rows)) - 2, -1, -1)
        return next((index + 1 for index in indices if rows[index][0] in kinds), None)

    def events_of(self, statement: int, position: int | None = None) -> range:
        """Indices of the events of one line; empty when it has not run.

        Of a line that a loop ran several times, those of the last pass that had begun before ``position``, or the end.
        """
        run = self._tables.run_of.get(statement)
        if run is None:
            return range(len(self), len(self))
        later = self._tables.later_runs.get(statement)
        if later:
            before = len(later) if position is None else bisect_left(later, position, key=self._start)
            run = later[before - 1] if before else run
        return range(self._tables.runs[run].start, self._stop(run))

    def passes_of(self, statement: int, position: int | None = None) -> int:
        """How often a line of the program had begun to run before a position, or has so far."""
        if statement not in self._tables.run_of:
            return 0
        later = self._tables.later_runs.get(statement, [])
        return 1 + (len(later) if position is None else bisect_left(later, position, key=self._start))

    def events_of_pass(self, statement: int, pass_: int) -> range:
        """Indices of the events of one pass of a line; empty when it has not run."""
        if pass_ >= self.passes_of(statement):
            return range(len(self), len(self))
        run = self._tables.later_runs[statement][pass_ - 1] if pass_ else self._tables.run_of[statement]
        return range(self._tables.runs[run].start, self._stop(run))

    def end_of(self, statement: int, position: int | None = None) -> int:
        """The position after a line, in the pass that :meth:`events_of` finds; the end when it has not run."""
        return self.events_of(statement, position).stop

    def end_of_next(self, position: int, by: int, skipped: Collection[int] = ()) -> int | None:
        """The position after the next (+1) or previous (-1) line that ran; None where there is none.

        Inside a line the next one is its own end. Lines ``skipped`` are passed over.
        """
        runs, here = self._tables.runs, self._tables.run_at(position)
        run = -1 if here is None else here
        run += by if here is None or by < 0 or position >= self._stop(run) else 0
        while 0 <= run < len(runs):
            if runs[run].statement not in skipped:
                return self._stop(run)
            run += by
        return None

    @property
    def rounds(self) -> Mapping[int, Sequence[Round]]:
        """The rounds that have begun so far, by the loop's id."""
        return self._tables.rounds

    @property
    def curves(self) -> Mapping[int, History]:
        """What the rounds that are over came to, by the loop's id."""
        return self._tables.history

    def optimizer(self, statement: int, position: int) -> OptimizerState:
        """What the optimiser that a line made remembers of its parameters at a position."""
        found = self._tables.optimizers.get(statement)
        return () if found is None else found.at(position) or ()

    def round_at(self, loop: int, position: int) -> Round | None:
        """The round of a loop that had begun last before a position; None where none had."""
        rounds = self._tables.rounds.get(loop, [])
        before = bisect_left(rounds, position, key=attrgetter("start"))
        return rounds[before - 1] if before else None

    def line_at(self, position: int) -> int | None:
        """The line that a position stands in or at the end of; None before the first event."""
        run = self._tables.run_at(position)
        return None if run is None else self._tables.runs[run].statement

    def made_by(self, number: int) -> int:
        """The statement during which object ``number`` was born."""
        return self._tables.made_by[number]

    def owner_of(self, number: int) -> int | None:
        """The object whose ``.grad`` object ``number`` is, or was last."""
        return self._tables.grad_owners.get(number)

    def outlet(self, number: int) -> tuple[int, int] | None:
        """The statement that made an object, and which of its outputs that is; None where it is none."""
        return self._tables.outlet(number)

    def value(self, number: int, position: int | None = None) -> np.ndarray | None:
        """What object ``number`` held at a position; None where that wasn't kept or it wasn't born."""
        position = len(self) if position is None else position
        facts = self._tables.facts[number].at(position)
        return None if facts is None else self._tables.memory.value(facts.array, position)

    def history(self, number: int, position: int) -> tuple[tuple[int | None, Facts], ...]:
        """What was true of object ``number`` up to a position, each change with the line during which it came."""
        timeline = self._tables.facts[number]
        positions = timeline.positions[: timeline.count_until(position)]
        return tuple((self.line_at(at), facts) for at, facts in zip(positions, timeline.values, strict=False))

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

    def settle(self) -> None:
        """Take in what has come since the last time, if it is much; a run that comes in slices asks for it."""
        self._tables.events.settle()
        self._touched.settle()

    def set_order(self, order: tuple[int, ...]) -> None:
        """The statements of the program, in order, after some were added."""
        self._order = dict.fromkeys(order)
        self._states.clear()

    def _state_at(self, position: int) -> State:
        snapshot = Snapshot(self._tables, position)
        names, statements = Names(snapshot), Statements(snapshot, self._order)
        run = self._tables.run_at(position)
        return State(
            position=position,
            statements=statements,
            output=tuple(self._tables.output.until(position)),
            problems=tuple(self._tables.problems.until(position)),
            line=None if run is None else self._tables.runs[run].statement,
            inside=position > 0 and self._kind(position - 1) is not EventKind.ENDED,
            names=names,
            owners=names.with_gradient,
            objects=snapshot.born,
            saved_by=snapshot.saved_by,
            nodes=self._tables.nodes,
            graphs=self._tables.derivations.graphs,
            outlet=self._tables.outlet,
            fingerprint=statements.fingerprint,
            memory=snapshot.memory,
            calling=partial(self.calling.name, position=position),
        )

    def _kind(self, index: int) -> EventKind | None:
        events = self._tables.events
        return events.last_kind if index == len(events) - 1 else events[index].kind

    def _start(self, run: int) -> int:
        return self._tables.runs[run].start

    def _stop(self, run: int) -> int:
        runs = self._tables.runs
        return runs[run + 1].start if run + 1 < len(runs) else len(self)
