"""Boxes seen from afar: those one after the other taken together, for wires that pass many of them."""

from __future__ import annotations

import numpy as np

from chalkgrad.layout.crossings import CLEAR, gaps_between

TOGETHER = 64
"""So many boxes in a row are taken together."""
BESIDE = 2
"""So many times that many boxes before and behind an end are looked at one by one."""
WIDE = 2000.0
"""Boxes that are wider are none of those taken together."""


class Blocks:
    """Boxes (rows left, top, right, bottom, from left to right), and what lies where many of them do.

    For each number of boxes one after the other these are the rectangles that hold them, between which no gaps are.
    """

    def __init__(self, boxes: np.ndarray) -> None:
        self._count = len(boxes)
        self._is_wide: np.ndarray = boxes[:, 2] - boxes[:, 0] > WIDE
        parts = [self._together(boxes, first) for first in range(0, len(boxes), TOGETHER)]
        self._rects = np.concatenate([np.zeros((0, 4)), *parts])
        self._firsts: np.ndarray = np.cumsum([0, *map(len, parts)])

    def passed(self, first: int, behind: int) -> tuple[np.ndarray, np.ndarray] | None:
        """What a wire passes that runs past the boxes of these rows: those near its ends, and what holds the others.

        The first are told by their rows, the others are rectangles; None where that is not far less than all.
        """
        begin, end = first // TOGETHER + BESIDE, behind // TOGETHER - BESIDE + 1
        if end - begin < 4 * BESIDE:
            return None
        low, high = max(begin - 2 * BESIDE, 0) * TOGETHER, min((end + 2 * BESIDE) * TOGETHER, self._count)
        inner = np.arange(begin * TOGETHER, end * TOGETHER)
        wide = np.flatnonzero(self._is_wide[:low])
        rows = [wide, np.arange(low, inner[0]), inner[self._is_wide[inner]], np.arange(inner[-1] + 1, high)]
        return np.concatenate(rows), self._rects[self._firsts[begin] : self._firsts[end]]

    def _together(self, boxes: np.ndarray, first: int) -> np.ndarray:
        """The rectangles that hold some boxes one after the other."""
        some = boxes[first : first + TOGETHER][~self._is_wide[first : first + TOGETHER]]
        if not len(some):
            return np.zeros((0, 4))
        lows, highs = gaps_between(some[:, 1::2])
        found = np.searchsorted(lows, some[:, 1], "right") - 1
        rects = np.empty((len(lows) - 1, 4))
        for part in range(len(rects)):
            mine = some[found == part]
            rects[part] = mine[:, 0].min(), highs[part] + CLEAR, mine[:, 2].max(), lows[part + 1] - CLEAR
        return rects
