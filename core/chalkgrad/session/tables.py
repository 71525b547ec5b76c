"""What a trace knows, as tables that the recorder fills and the trace reads."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from chalkgrad.session.events import Event, NodeRecord, Run, SavedName
from chalkgrad.session.memory import BUDGET, Memory
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


class Verdict(NamedTuple):
    """How a statement came out: its status, its problem, and which statement is to blame where it never ran."""

    status: Status
    problem: Problem | None = None
    blocked_by: int | None = None


class Sum(NamedTuple):
    """Which of an object's recorded contributions its grad consists of: from ``start`` up to ``stop``."""

    start: int
    stop: int


Outputs = tuple[int | None, ...]


class Tables:
    """All that was recorded of one run."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.memory = Memory(budget)
        self.events: list[Event] = []
        self.runs: list[Run] = []
        self.run_of: dict[int, int] = {}
        self.facts: list[Timeline[Facts]] = []
        self.made_by: list[int] = []
        self.nodes: list[NodeRecord] = []
        self.saved: dict[int, tuple[SavedName, ...]] = {}
        self.freed: dict[int, int] = {}
        self.bound: defaultdict[int, Timeline[Outputs]] = defaultdict(Timeline)
        self.names: defaultdict[str, Timeline[int | None]] = defaultdict(Timeline)
        self.verdicts: defaultdict[int, Timeline[Verdict]] = defaultdict(Timeline)
        self.contributions: defaultdict[int, list[Contribution]] = defaultdict(list)
        self.sums: defaultdict[int, Timeline[Sum]] = defaultdict(Timeline)
        self.output: Timeline[OutputLine] = Timeline()
        self.problems: Timeline[Problem] = Timeline()
        self.writers: dict[int, int] = {}
        """Statement that last wrote an object's memory."""
        self.cutters: dict[int, int] = {}
        """Statement that cut an object off from its history, in place."""
        self.liberators: dict[int, int] = {}
        """Statement that freed what a node saved."""
