"""Ways of wires that reach far: along free lanes between rows of cards, and across each row through a gap in it.

Many cards mostly stand in rows, one below the other, between which lanes are free from end to end. A way leaves its
row beside the card where it begins, runs along a lane, crosses the rows in between, and comes to its end from the lane
next to that. What it costs hangs on how many rows there are, not on how many cards.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import product

import numpy as np

from chalkgrad.layout.boxes import meeting
from chalkgrad.layout.corners import RAIL, larger, reach, rounded, straightened
from chalkgrad.layout.crossings import CLEAR, Gaps, gaps_between, nearest_gap
from chalkgrad.layout.graph import Path, Point

OFF = 8.0
"""So much further off cards than it has to be a way runs where there is room."""
RADIUS = 2 * CLEAR
"""Of corners: so that they come to no card."""
CORNER = 60.0
"""A corner counts as much as this way."""
MIRROR = np.array((-1.0, 1.0, -1.0, 1.0))

Exit = tuple[int, float]
"""The lane to which a way goes from a port, and where it goes up or down to it."""


class Lanes:
    """The free lanes between all these boxes (rows left, top, right, bottom); no way runs along ``rails``."""

    def __init__(self, boxes: np.ndarray, rails: np.ndarray) -> None:
        is_level, beside = rails[:, 1] == rails[:, 3], larger(rails, RAIL - CLEAR)
        self._uprights: np.ndarray = beside[~is_level]
        self._lows, self._highs = gaps_between(np.concatenate([boxes[:, 1::2], beside[is_level, 1::2]]))
        rows = np.searchsorted(self._lows, boxes[:, 1], "right") - 1
        order = np.argsort(rows, kind="stable")
        self._boxes: np.ndarray = boxes[order]
        self._firsts: list[int] = np.searchsorted(rows[order], np.arange(len(self._lows) + 1)).tolist()
        self._gaps: dict[int, Gaps] = {}

    def way(self, start: Point, end: Point, apart: float) -> Path:
        """The best way along lanes from a port to another; empty when there is none.

        It leaves its beginning right, and comes in at its end from the left. ``apart`` is how much further off cards it
        runs than others.
        """
        exits, entries = self._exits(start, 1.0, apart), self._exits(end, -1.0, apart)
        ways = [self._corners(start, one, other, end, apart) for one, other in product(exits, entries)]
        if not ways:
            return ()
        best = min(ways, key=lambda corners: reach(corners) + CORNER * len(corners))
        return rounded(best, [RADIUS] * len(best))

    def _exits(self, port: Point, heading: float, apart: float) -> list[Exit]:
        """How a way gets from a port that it leaves right (1) or left (-1) to the lanes above and below."""
        x, y = port[0] * heading, port[1]
        row = bisect_right(self._lows, y) - 1
        if y <= self._highs[row]:
            return []
        boxes, rails = self._in_row(row), self._uprights_across(row)
        if heading < 0:  # what runs left runs right in a mirror
            boxes, rails = (boxes * MIRROR)[:, [2, 1, 0, 3]], (rails * MIRROR)[:, [2, 1, 0, 3]]
        ahead = boxes[(boxes[:, 1] - CLEAR < y) & (boxes[:, 3] + CLEAR > y) & (boxes[:, 0] >= x)]
        limit = ahead[:, 0].min(initial=np.inf) - CLEAR
        found = []
        for lane, beside in ((row, boxes[:, 1] - CLEAR < y), (row + 1, boxes[:, 3] + CLEAR > y)):
            lows, highs = gaps_between(np.concatenate([boxes[beside, 0::2], rails[:, 0::2]]))
            at = next(number for number, high in enumerate(highs) if high >= x + CLEAR)
            low, high = max(lows[at], x + CLEAR), min(highs[at], limit)
            if low <= high:
                found.append((lane, heading * _inside(low, high, apart)))
        return found

    def _corners(self, start: Point, one: Exit, other: Exit, end: Point, apart: float) -> list[Point]:
        """The corners of the way between two ports that goes to the lanes, and comes from them, in these places."""
        (lane, x), (last, x2) = one, other
        y = self._height(lane, apart)
        points = [start, (x, start[1]), (x, y)]
        for row in range(lane, last) if lane < last else range(lane - 1, last - 1, -1):
            x = _crossing(self._gaps_of(row), x, x2, apart)
            after = self._height(row + 1 if lane < last else row, apart)
            points += [(x, y), (x, after)]
            y = after
        return straightened([*points, (x2, y), (x2, end[1]), end])

    def _height(self, lane: int, apart: float) -> float:
        return _inside(self._lows[lane], self._highs[lane], apart)

    def _gaps_of(self, row: int) -> Gaps:
        """Where a way may cross a row."""
        if row not in self._gaps:
            sides = np.concatenate([self._in_row(row)[:, 0::2], self._uprights_across(row)[:, 0::2]])
            self._gaps[row] = gaps_between(sides)
        return self._gaps[row]

    def _in_row(self, row: int) -> np.ndarray:
        return np.asarray(self._boxes[self._firsts[row] : self._firsts[row + 1]])

    def _uprights_across(self, row: int) -> np.ndarray:
        """The rails along which a way might run that crosses a row."""
        top, bottom = self._highs[row], self._lows[row + 1]
        return np.asarray(self._uprights[meeting(self._uprights, (-np.inf, top), (np.inf, bottom))])


def _inside(low: float, high: float, apart: float) -> float:
    """Where a way runs in a gap: beside its lower edge, or its upper one where it has no other."""
    if low == -np.inf:
        return high - OFF - apart if high < np.inf else 0.0
    return min(low + OFF + apart, (low + high) / 2 + min(apart, (high - low) / 4))


def _crossing(gaps: Gaps, x: float, last: float, apart: float) -> float:
    """Where a way crosses a row that comes from one x and leads to the ``last``: straight on where it can."""
    low, high = nearest_gap(gaps, x, last)
    if low <= x <= high:
        return x
    return _inside(low, high, apart) if x < low else -_inside(-high, -low, apart)
