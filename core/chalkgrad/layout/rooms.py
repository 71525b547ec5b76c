"""Frames that wires pass beside: those with which they have nothing to do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

LONGER = 320.0
"""So much longer a way may be that passes frames beside them."""
NO_ROOMS = np.zeros((0, 4))


class Room(NamedTuple):
    """A frame, and the cards in it: a wire that joins none of them passes beside it where that is not too far."""

    left: float
    top: float
    right: float
    bottom: float
    cards: frozenset[int]


def strange(rooms: Sequence[Room], ends: Collection[int], across: tuple[float, float]) -> np.ndarray:
    """The rectangles of those between two x in which neither of the cards lies that a wire joins."""
    left, right = across
    found = [room[:4] for room in rooms if room.left < right and room.right > left and room.cards.isdisjoint(ends)]
    return np.array(found).reshape(-1, 4)
