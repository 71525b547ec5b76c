"""The strips in which the autograd drawing goes on beside itself where it is long: what lies between them.

Right of the cards of a strip stand its nodes, then arrows and wires that lead from strip to strip, then the lines of
the next. Where somebody placed a card there, nodes and lines stand beside all cards instead, as for a short program.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from chalkgrad.layout import Strip

if TYPE_CHECKING:
    from chalkgrad_app.picture.card_arrays import CardArrays

LINES, LINES_MARGIN = 340.0, 40.0
"""Room for the lines of a strip that is not the first, and between them and its cards."""
ARROWS, WIRES = 64.0, 56.0
"""Room for arrows and wires that lead from a strip up to the next."""
AFTER = ARROWS + WIRES + LINES + LINES_MARGIN
"""Room between what stands beside the cards of a strip and the cards of the next."""
CLEAR = 40.0
"""From the cards of a strip to where wires find no way for its nodes."""
ABOVE, BELOW = 8.0, 40.0
"""So far above the first cards that reaches, and below where the nodes are expected to end."""


def clear(strips: tuple[Strip, ...], placed: np.ndarray) -> tuple[Strip, ...]:
    """These strips; none where it is one, or a card that was ``placed``, rows left and right, stands between two."""
    if len(strips) < 2:
        return ()
    free = np.array([(strip.right, later.left) for strip, later in pairwise(strips)])
    return () if ((placed[:, :1] < free[:, 1]) & (placed[:, 1:] > free[:, 0])).any() else strips


def ends_of_cards(picture: CardArrays) -> list[tuple[float, int | None]]:
    """Where the cards of each strip end, and how many columns of nodes have room there: of the last, of all cards."""
    ends, strip = picture.x + picture.w, picture.strips_of(range(len(picture.ids)))
    found: list[tuple[float, int | None]] = []
    for number, each in enumerate(picture.strips[:-1]):
        here = ends[(strip == number) & (ends < each.end)]
        found.append((float(here.max(initial=each.right)), max(each.columns, 1)))
    return [*found, (float(ends.max()), None)]


def taken(picture: CardArrays) -> np.ndarray:
    """Where wires find no way between strips, for nodes or lines stand there: rows left, top, right, bottom."""
    strips = picture.strips
    if not strips:
        return np.zeros((0, 4))
    nodes = [(strip.right + CLEAR, -ABOVE, strip.end + ARROWS, strip.foot + BELOW) for strip in strips[:-1]]
    lefts = [(strip.left - LINES_MARGIN, strip.bottom) for strip in strips[1:]]
    lines = [(left - LINES, -ABOVE, left, bottom) for left, bottom in lefts]
    return np.array([*nodes, *lines])
