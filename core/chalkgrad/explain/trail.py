"""Where an explanation is to be seen on the canvas: cards, grad rows and backward nodes, and the steps between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Stop(NamedTuple):
    """Where a quantity is to be seen: on a card, or in its grad row (``of_grad``); at a backward node; at both."""

    card: int | None = None
    node: int | None = None
    of_grad: bool = False


class Trail(NamedTuple):
    """Stops, from the root of a backward on, and the steps: pairs of one and another that it was made from.

    Where an operator has the same input several times, ``turns`` says by which of these a step goes, from 1 on; without
    it a step is all of them.
    """

    stops: tuple[Stop, ...] = ()
    steps: frozenset[tuple[Stop, Stop]] = frozenset()
    turns: frozenset[tuple[Stop, Stop, int]] = frozenset()

    @property
    def cards(self) -> tuple[int, ...]:
        """The ids of the lines on it."""
        return tuple(dict.fromkeys(stop.card for stop in self.stops if stop.card is not None))


NOWHERE = Trail()


def joined(trails: Iterable[Trail]) -> Trail:
    """Several trails as one."""
    trails = list(trails)
    stops = dict.fromkeys(stop for trail in trails for stop in trail.stops)
    steps = frozenset().union(*(trail.steps for trail in trails))
    return Trail(tuple(stops), steps, frozenset().union(*(trail.turns for trail in trails)))
