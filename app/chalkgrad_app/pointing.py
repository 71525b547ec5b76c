"""What a panel points out on the canvas: cards, the wires between them, and the parts that cards play."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """The part that a card plays in a conflict of versions."""

    WRITER = "writer"
    SAVER = "saver"
    READER = "reader"


@dataclass(frozen=True, slots=True)
class PlayedPart:
    """A card, the part it plays, and that in words."""

    card: int
    part: Part
    words: str


@dataclass(frozen=True, slots=True)
class PointedOut:
    """Cards to be seen at once, and between which of them the wires: pairs of a card and one that it is made from.

    ``parts`` are the parts that some cards play; these are lit up by those.
    """

    cards: tuple[int, ...] = ()
    links: frozenset[tuple[int, int]] = frozenset()
    parts: tuple[PlayedPart, ...] = ()
