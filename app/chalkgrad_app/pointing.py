"""What a panel points out on the canvas: cards and backward nodes, what joins them, and the parts that cards play."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from chalkgrad.explain import Stop, Trail

CARD, GRAD_ROW, NODE = "card", "grad", "node"
"""What an edge beside the cards joins."""
End = tuple[str, int]
"""One end of such an edge: a card or its grad row, by the id of its line; a node by its number in the trace."""


class Part(StrEnum):
    """The part that a card plays in a conflict of versions."""

    WRITER = "writer"
    SAVER = "saver"
    READER = "reader"


class PlayedPart(NamedTuple):
    """A card, the part it plays, and that in words."""

    card: int
    part: Part
    words: str


class PointedOut(NamedTuple):
    """Cards to be seen at once, and between which of them the wires: pairs of a card and one that it is made from.

    ``parts`` are the parts that some cards play; these are lit up by those. ``nodes`` are those beside the cards, by
    number in the trace; ``edges`` are pairs of what reads and what is read, where one of them is a node or a grad row.
    Of several wires between two cards ``turns`` says which is meant, from 1 on; without it all are.
    """

    cards: tuple[int, ...] = ()
    links: frozenset[tuple[int, int]] = frozenset()
    parts: tuple[PlayedPart, ...] = ()
    nodes: tuple[int, ...] = ()
    edges: frozenset[tuple[End, End]] = frozenset()
    turns: frozenset[tuple[int, int, int]] = frozenset()


def along(trail: Trail) -> PointedOut:
    """What an explanation speaks of."""
    links = ((of.card, by.card) for of, by in trail.steps if not by.of_grad)
    turns = ((of.card, by.card, turn) for of, by, turn in trail.turns if not by.of_grad)
    joined = {pair for of, by in trail.steps for pair in product(_ends(of), _ends(by))}
    shown = {(end, (NODE, stop.node)) for stop in trail.stops if stop.node is not None for end in _ends(stop)}
    return PointedOut(
        trail.cards,
        frozenset((of, by) for of, by in links if of is not None and by is not None),
        nodes=tuple(stop.node for stop in trail.stops if stop.node is not None),
        edges=frozenset(joined | shown),
        turns=frozenset((of, by, turn) for of, by, turn in turns if of is not None and by is not None),
    )


def _ends(stop: Stop) -> Iterator[End]:
    """The ends that edges to and from a quantity may have."""
    if stop.card is not None:
        yield GRAD_ROW if stop.of_grad else CARD, stop.card
    if stop.node is not None:
        yield NODE, stop.node
