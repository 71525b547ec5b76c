"""Which statements a stretch of a trace touches: whose state may differ between its two ends.

Views look at these alone when a run went on or the cursor moved. What is needed to tell is collected from the events
as they come, each once, and only when somebody asks.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain
from operator import itemgetter

from chalkgrad.engine.storage import owner
from chalkgrad.session.events import EventKind
from chalkgrad.session.rows import MOST_UNREAD
from chalkgrad.session.tables import Facts, Tables

GIVING = frozenset({EventKind.ACCUMULATED, EventKind.RETAINED, EventKind.FLAGS, EventKind.WRITE, EventKind.MADE})
"""Events after which a tensor may have another gradient."""

FREED, WRITE, FLAGS = EventKind.FREED, EventKind.WRITE, EventKind.FLAGS

LONG = 4096
"""Of a longer stretch it is not asked what each event touched: that would take longer than looking at every line."""

_statement, _tensors = itemgetter(1), itemgetter(3)
"""Of the row of an event."""
_line, _start = itemgetter(0), itemgetter(1)
"""Of the row of a run."""


class Touched:
    """Answers for one trace."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._read = 0
        self._binders: dict[int, set[int]] = {}
        self._owners: dict[int, set[int]] = {}
        self._sharers: dict[int, set[int]] = {}
        self._shared = 0
        self._memories: dict[int, set[int]] = {}
        self._facts_read: dict[tuple[str, int], int] = {}

    def between(self, one: int, other: int) -> set[int]:
        """Ids of the statements whose state may differ at positions ``one`` and ``other``; all of a long stretch."""
        first, last = min(one, other), max(one, other)
        if first == last:
            return set()
        if first == 0:
            return self._lines(first, last)
        if last - first > LONG:
            return set(self._tables.run_of)
        self._read_on()
        rows, results_of = self._tables.events.rows[first:last], self._tables.results_of
        found = self._lines(first, last)
        found.update(map(_statement, rows))
        spoken_of = set(chain.from_iterable(map(_tensors, rows)))
        for kind, _, _, tensors, node, *_ in rows:
            if kind is FREED:
                spoken_of.update(results_of(node))
            elif kind is WRITE or kind is FLAGS:  # they tell of all tensors in the same memory
                spoken_of.update(*[self._sharing(number) for number in tensors if number is not None])
        spoken_of.discard(None)
        for number in self._with_owners(spoken_of):
            found.update(self._binders.get(number, ()))
        return found

    def _lines(self, first: int, last: int) -> set[int]:
        """The lines that ran, wholly or in part."""
        runs = self._tables.runs.rows
        begin = max(0, bisect_left(runs, first + 1, key=_start) - 1)
        end = bisect_left(runs, last, key=_start)
        return set(map(_line, runs[begin:end]))

    def _with_owners(self, objects: set[int]) -> set[int]:
        """``objects``, and those whose gradient one of them is."""
        found, pending = set(objects), list(objects)
        while pending:
            owners = self._owners.get(pending.pop(), set()) - found
            found |= owners
            pending += owners
        return found

    def settle(self) -> None:
        """Take in what has come, if it is much, so that who asks first needn't wait for all of it."""
        if len(self._tables.events) - self._read > MOST_UNREAD:
            self._read_on()

    def _read_on(self) -> None:
        """Take in who binds what, whose gradient is what and who shares memory, from the events that are new."""
        rows = self._tables.events.rows
        for row in rows[self._read :]:
            kind, tensors = row[0], row[3]
            if not tensors:
                continue
            if kind is EventKind.RAN:
                for number in tensors:
                    if number is not None:
                        self._binders.setdefault(number, set()).add(row[1])
            elif kind in GIVING:
                for number in tensors:
                    if number is not None:
                        self._note_gradients(number)
                        if kind is EventKind.WRITE:
                            self._note_memory(number)
        self._read = len(rows)

    def _note_gradients(self, number: int) -> None:
        if self._tables.facts.never_had_grad(number):
            return
        for facts in self._new_facts("gradient", number):
            if facts.grad is not None:
                self._owners.setdefault(facts.grad, set()).add(number)

    def _sharing(self, number: int) -> set[int]:
        """The objects that show the same memory, at any time."""
        table = self._tables.facts
        for other in range(self._shared, len(table)):
            self._note_memory(other)
        self._shared = len(table)
        self._note_memory(number)
        found: set[int] = set()
        for memory in self._memories[number]:
            found |= self._sharers[memory]
        return found

    def _note_memory(self, number: int) -> None:
        table, known = self._tables.facts, self._memories.setdefault(number, set())
        if table.is_plain(number):
            arrays = [table.birth(number)]
        else:
            arrays = [facts.array for facts in self._new_facts("memory", number)]
        for memory in {id(owner(array)) for array in arrays} - known:
            known.add(memory)
            self._sharers.setdefault(memory, set()).add(number)

    def _new_facts(self, what: str, number: int) -> list[Facts]:
        """The facts of an object that were not looked at yet: one that every round of a loop writes has very many."""
        timeline, read = self._tables.facts[number], self._facts_read.get((what, number), 0)
        self._facts_read[what, number] = len(timeline)
        # The last one may have been written down anew since.
        return [facts for _, facts in timeline[max(0, read - 1) :]]
