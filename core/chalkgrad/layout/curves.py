"""Curves that ways of wires are made of: from port to port, and from gap to gap."""

from __future__ import annotations

from collections.abc import Sequence

from chalkgrad.layout.detours import rounded
from chalkgrad.layout.graph import Path, Point

SHARPEST = 10.0
"""Radius below which a turn reads as a corner; what would turn more sharply takes straight lines with round corners."""
LARGEST = 24.0
"""Radius of such corners where there is room."""


def curve(start: Point, end: Point) -> Path:
    """One piece from a port to a port: level at both ends; it swings out where the end lies left of the start."""
    across = end[0] - start[0]
    reach = across / 2 if across >= 0 else min(40.0 - 0.6 * across, 240.0)
    reach = max(reach, min(abs(end[1] - start[1]) / 4, 48.0), min(24.0, abs(across) / 2))
    return start, (start[0] + reach, start[1]), (end[0] - reach, end[1]), end


def through(stops: Sequence[Point]) -> Path:
    """A way through these points, from left to right and level at each."""
    path: list[Point] = [stops[0]]
    for stop in stops[1:]:
        if stop != path[-1]:
            path += _bend(path[-1], stop)[1:]
    return tuple(path)


def _bend(start: Point, end: Point) -> Path:
    """A part of a way, which keeps between its ends."""
    half = (start[0] + end[0]) / 2
    across, down = end[0] - start[0], abs(end[1] - start[1])
    if 3 * across * across < 8 * down * SHARPEST:  # the radius of the curve below where it is sharpest, at its ends
        return rounded([start, (half, start[1]), (half, end[1]), end], LARGEST)
    return start, (half, start[1]), (half, end[1]), end
