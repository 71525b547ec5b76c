"""Which backward nodes there are at a position: those that edges lead to from a ``grad_fn`` of a card.

How many hold each one is counted, so that one more ``grad_fn``, or one less, does not have the whole graph walked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from chalkgrad.session.events import NodeRecord


class Present:
    """The nodes ``there``, by number, of the ``records``; edges to those ``left_out`` are none."""

    def __init__(self, records: Sequence[NodeRecord] = (), left_out: Collection[int] = ()) -> None:
        self._records, self._left_out = records, left_out
        self._holders = [0] * len(records)
        self.there = np.zeros(len(records), bool)

    def hold(self, number: int) -> None:
        """One more holds this node."""
        pending = [number]
        while pending:
            at = pending.pop()
            self._holders[at] += 1
            if self._holders[at] == 1:
                self.there[at] = True
                pending += self._next(at)

    def release(self, number: int) -> None:
        """One less holds this node: with the last one it lets go of those that its edges lead to."""
        pending = [number]
        while pending:
            at = pending.pop()
            self._holders[at] -= 1
            if not self._holders[at]:
                self.there[at] = False
                pending += self._next(at)

    def _next(self, number: int) -> list[int]:
        left_out = self._left_out
        return [edge for edge in self._records[number].edges if edge is not None and edge not in left_out]
