"""What a panel points out on the canvas: cards, the wires between them, and the parts that cards play."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


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

    ``parts`` are the parts that some cards play; these are lit up by those.
    """

    cards: tuple[int, ...] = ()
    links: frozenset[tuple[int, int]] = frozenset()
    parts: tuple[PlayedPart, ...] = ()
