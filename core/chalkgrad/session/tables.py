"""What a trace knows, as tables that the recorder fills and the trace reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np

from chalkgrad.engine.storage import Counter
from chalkgrad.session.derived import Derivations
from chalkgrad.session.events import NodeRecord, Plan, Run, SavedName
from chalkgrad.session.history import History
from chalkgrad.session.memory import BUDGET, Memory
from chalkgrad.session.results import Freed, Result
from chalkgrad.session.rows import EventLog, Rows
from chalkgrad.session.state import Contribution, OutputLine, Problem, Status
from chalkgrad.session.timeline import Timeline


class Facts(NamedTuple):
    """One tensor: its memory (which array, not what is in it), flags, and the numbers of its node and its grad.

    ``grad_fn`` is the name of its node; ``node`` is None also for a view whose node is not made anew yet.
    """

    array: np.ndarray
    is_leaf: bool
    requires_grad: bool
    retains_grad: bool
    version: int
    grad_fn: str | None
    node: int | None
    grad: int | None


class FactLines(Sequence[Timeline[Facts]]):
    """What was true of each object, by number.

    A plain result, which most are, is written down in one piece, and has its timeline when somebody asks for it:
    whoever notes that something about it changes does.
    """

    __slots__ = ("lines",)

    def __init__(self) -> None:
        self.lines: list[Timeline[Facts] | Result] = []

    def append(self, line: Timeline[Facts] | Result) -> None:
        """Begin the facts of the next object."""
        self.lines.append(line)

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, index: int) -> Timeline[Facts]: ...
    @overload
    def __getitem__(self, index: slice) -> list[Timeline[Facts]]: ...
    def __getitem__(self, index: int | slice) -> Timeline[Facts] | list[Timeline[Facts]]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        line = self.lines[index]
        if isinstance(line, Result):
            line = self.lines[index] = _timeline(line)
        return line

    def is_plain(self, number: int) -> bool:
        """True for a plain result of which nobody asked, and nothing changed, since it was made."""
        return type(self.lines[number]) is Result

    def plain(self, number: int, position: int) -> Result | None:
        """The same result, where all of it was there at a position."""
        line = self.lines[number]
        return line if isinstance(line, Result) and line.position + 2 <= position else None

    def never_had_grad(self, number: int) -> bool:
        """True for most results; False also where one has to look closer."""
        line = self.lines[number]
        return isinstance(line, Result) or (len(line) <= 2 and all(facts.grad is None for _, facts in line))

    def birth(self, number: int) -> np.ndarray:
        """The memory that an object had when it was made."""
        line = self.lines[number]
        return line.array if isinstance(line, Result) else line[0][1].array


def _timeline(result: Result) -> Timeline[Facts]:
    """A plain result: made, and told of its node right after."""
    array, version, made = result.array, result.version, result.position + 1
    born = Facts(array, True, False, False, version, None, None, None)
    whole = Facts(array, False, True, False, version, result.node_class.__name__, result.node, None)
    return Timeline(((made, born), (made + 1, whole)))


K = TypeVar("K")
V = TypeVar("V")


class Bound(Mapping[K, Timeline[V]]):
    """What was bound to each line, or each name.

    A plain line binds one object once, as most do: that stands here as it was written down, and has its timeline when
    somebody asks for it. ``value`` tells what is bound.
    """

    __slots__ = ("_value", "lines")

    def __init__(self, value: Callable[[Result], V]) -> None:
        self._value = value
        self.lines: dict[K, Timeline[V] | Result] = {}

    def __getitem__(self, key: K) -> Timeline[V]:
        line = self.lines[key]
        if isinstance(line, Result):
            line = self.lines[key] = Timeline(((line.bound_at, self._value(line)),))
        return line

    def __iter__(self) -> Iterator[K]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def begun(self, key: K) -> Timeline[V]:
        """What was bound so far, to be gone on with."""
        if key not in self.lines:
            self.lines[key] = Timeline()
        return self[key]

    def at(self, key: K, position: int) -> V | None:
        """What is bound at a position; None before the first."""
        line = self.lines.get(key)
        if isinstance(line, Result):
            return self._value(line) if line.bound_at <= position else None
        return None if line is None else line.at(position)

    def count_until(self, key: K, position: int) -> int:
        """How often something was bound up to and at a position."""
        line = self.lines.get(key)
        if isinstance(line, Result):
            return int(line.bound_at <= position)
        return 0 if line is None else line.count_until(position)


class SavedValues:
    """What nodes saved, by their numbers."""

    __slots__ = ("_known", "_nodes")

    def __init__(self, nodes: Rows[NodeRecord]) -> None:
        self._nodes = nodes
        self._known: dict[int, tuple[SavedName, ...]] = {}

    def __setitem__(self, node: int, saved: tuple[SavedName, ...]) -> None:
        self._known[node] = saved

    def __getitem__(self, node: int) -> tuple[SavedName, ...]:
        """What a node saved, nothing for most; a plain result is written down in one piece with that."""
        found = self._known.get(node)
        if found is None:
            row = self._nodes.rows[node]
            found = self._known[node] = row.saved() if isinstance(row, Result) else ()
        return found


def _node_record(row: Iterable[Any]) -> NodeRecord:
    return row.record() if isinstance(row, Result) else NodeRecord._make(row)


class Verdict(NamedTuple):
    """How a statement came out: its status, its problem, and which statement is to blame where it never ran."""

    status: Status
    problem: Problem | None = None
    blocked_by: int | None = None


class Remembered(NamedTuple):
    """What an optimiser remembers of one parameter, by name: numbers, or the objects in which they are."""

    parameter: int
    numbers: tuple[tuple[str, float], ...]
    objects: tuple[tuple[str, int], ...]


OptimizerState = tuple[Remembered, ...]


class Round(NamedTuple):
    """One round of a loop: its number, from 0, and the position at which it began."""

    number: int
    start: int


class Sum(NamedTuple):
    """Which of an object's recorded contributions its grad consists of: from ``start`` up to ``stop``."""

    start: int
    stop: int


Outputs = tuple[int | None, ...]


def _outputs(result: Result) -> Outputs:
    return (result.number,)


def _object(result: Result) -> int | None:
    return result.number


_start = itemgetter(1)

MOST_EVENTS = 1_000_000
"""A backward that would lead beyond so many events is recorded in brief: what its nodes do is left out."""


class Tables:
    """All that was recorded of one run."""

    def __init__(self, budget: int = BUDGET, most_events: int = MOST_EVENTS) -> None:
        self.memory = Memory(budget)
        self.most_events = most_events
        self.events = EventLog(self.memory)
        self.runs: Rows[Run] = Rows(Run._make)
        self.run_of: dict[int, int] = {}
        """The first run of each line."""
        self.later_runs: defaultdict[int, list[int]] = defaultdict(list)
        """The further runs of a line in a loop."""
        self.rounds: defaultdict[int, list[Round]] = defaultdict(list)
        """The rounds of each loop that have begun, in order."""
        self.history: defaultdict[int, History] = defaultdict(History)
        """What the rounds of each loop that are over came to."""
        self.optimizers: defaultdict[int, Timeline[OptimizerState]] = defaultdict(Timeline)
        """What each optimiser remembers of its parameters, by the line that made it."""
        self.facts = FactLines()
        self.made_by: list[int] = []
        self.nodes: Rows[NodeRecord] = Rows(_node_record)
        self.plans: dict[int, Plan] = {}
        """What each backward set out to do, by the index of the event with which it began."""
        self.in_brief: set[int] = set()
        """Backwards of which only what they came to was recorded, by the same index."""
        self.saved = SavedValues(self.nodes)
        self.freed = Freed()
        """The position from which on a node no longer has what it saved."""
        self.bound: Bound[int, Outputs] = Bound(_outputs)
        self.names: Bound[str, int | None] = Bound(_object)
        self.verdicts: defaultdict[int, Timeline[Verdict]] = defaultdict(Timeline)
        self.contributions: defaultdict[int, list[Contribution]] = defaultdict(list)
        self.sums: defaultdict[int, Timeline[Sum]] = defaultdict(Timeline)
        self.output: Timeline[OutputLine] = Timeline()
        self.problems: Timeline[Problem] = Timeline()
        self.counters: dict[int, Counter] = {}
        """The write counter of an object, where it shares one."""
        self.writers: dict[int, int] = {}
        """Statement that last wrote an object's memory so that its version grew."""
        self.cutters: dict[int, int] = {}
        """Statement that cut an object off from its history, in place."""
        self.derivations = Derivations()
        self.grad_owners: dict[int, int] = {}
        """Whose ``.grad`` an object is, or was last."""

    def has_begun(self, statement: int, position: int) -> bool | None:
        """Whether a line had begun to run before a position; None where it never has."""
        run = self.run_of.get(statement)
        return None if run is None else _start(self.runs.rows[run]) < position

    def is_freed(self, node: int, position: int) -> bool:
        """Whether a node has let go, at a position, of what it saved."""
        at = self.freed.get(node)
        return at is not None and at <= position

    def run_at(self, position: int) -> int | None:
        """Which of the runs a position stands in or at the end of; None before the first event."""
        run = bisect_left(self.runs.rows, position, key=_start) - 1
        return run if run >= 0 else None

    def recorded_by(self, node: int) -> int:
        """The statement that recorded a node; its record is not made for that."""
        row = self.nodes.rows[node]
        return row.statement if isinstance(row, Result) else NodeRecord._make(row).statement

    def results_of(self, node: int) -> tuple[int | None, ...]:
        """The results that a node was recorded for; its record is not made for that."""
        row = self.nodes.rows[node]
        return (row.number,) if isinstance(row, Result) else NodeRecord._make(row).outputs

    def edges_of(self, node: int) -> tuple[int | None, ...]:
        """The nodes that a node sends gradients to; its record is not made for that."""
        row = self.nodes.rows[node]
        return row.edges if isinstance(row, Result) else NodeRecord._make(row).edges

    def name_of(self, node: int) -> str:
        """What a node is called; its record is not made for that."""
        row = self.nodes.rows[node]
        return row.node_class.__name__ if isinstance(row, Result) else NodeRecord._make(row).name

    def outlet(self, number: int) -> tuple[int, int] | None:
        """The statement that made an object, and which of its outputs that is; None where it is none."""
        statement = self.made_by[number]
        bound = self.bound.get(statement, ())
        return next(((statement, numbers.index(number)) for _, numbers in bound if number in numbers), None)
