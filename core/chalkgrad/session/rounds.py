"""Where the loops of a run stand: which round each is in, what comes after a line, and whether a round may begin."""

from __future__ import annotations

import math
from collections.abc import Callable, MutableMapping

from chalkgrad.program.program import Program
from chalkgrad.session.tables import Round, Tables

MOST_EVENTS = 200_000
"""Of a loop that would lead to more events than this most rounds are recorded in brief."""

FIRST_IN_FULL = 10
"""So many of its first rounds are recorded in full."""


class Rounds:
    """The loops of one run. ``counters`` says which round each is in, for whoever reads its variable.

    After so many events as ``rest_after`` says no round begins until somebody lets them go on.
    """

    def __init__(self, tables: Tables, counters: MutableMapping[int, int], rest_after: float = math.inf) -> None:
        self._allowed: int | None = None
        self._rest_after = self._rest_at = rest_after
        self._tables = tables
        self._counters = counters
        self._begun: set[int] = set()
        self._next: dict[int, int] = {}
        self._stride: dict[int, int] = {}

    def let_go(self, rounds: int | None) -> None:
        """Let so many further rounds of an outermost loop begin; None: as many as there are."""
        self._allowed = rounds
        self._rest_at = len(self._tables.events) + self._rest_after

    def may_begin(self, program: Program, place: int) -> bool:
        """Whether the line at ``place`` may run now: where a round begins with it, it is counted."""
        loops = program.loops(program[program.order[place]].block)
        new = [loop for loop in loops if program.bodies[loop].start == place and loop not in self._begun]
        if new and len(self._tables.events) >= self._rest_at:
            return False
        if loops[:1] == tuple(new[:1]) and new:
            if self._allowed == 0:
                return False
            if self._allowed is not None:
                self._allowed -= 1
        for loop in new:
            number = self._counters[loop] = self._next.get(loop, 0)
            self._tables.rounds[loop].append(Round(number, len(self._tables.events)))
            self._begun.add(loop)
        return True

    def is_brief(self, program: Program, place: int) -> bool:
        """Whether the round around the line at ``place`` is recorded in brief: one of very many."""
        outermost = program.loops(program[program.order[place]].block)[:1]
        for loop in outermost:
            number, total = self._counters[loop], program.blocks[loop].rounds
            stride = self._stride.get(loop) or self._find_stride(loop, total)
            return number >= FIRST_IN_FULL and number % stride != 0 and number + 1 < total
        return False

    def _find_stride(self, loop: int, total: int) -> int:
        """Every how many rounds one is recorded in full, as far as the first rounds tell."""
        rounds = self._tables.rounds[loop]
        if len(rounds) <= FIRST_IN_FULL // 2:
            return 1
        for_each = (rounds[-1].start - rounds[0].start) / (len(rounds) - 1)
        self._stride[loop] = max(1, math.ceil(for_each * total / MOST_EVENTS))
        return self._stride[loop]

    def after(self, program: Program, place: int, ended: Callable[[int], None]) -> int:
        """The place of the line that comes after the one at ``place``; ``ended`` is told of loops that end a round."""
        for loop in reversed(program.loops(program[program.order[place]].block)):
            body = program.bodies[loop]
            if body.stop != place + 1:
                break
            self._begun.discard(loop)
            ended(loop)
            number = self._next[loop] = self._counters[loop] + 1
            if number < program.blocks[loop].rounds:
                return body.start
            del self._next[loop]
        return place + 1
