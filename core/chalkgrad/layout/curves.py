"""Curves that ways of wires are made of: from port to port, and from gap to gap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from chalkgrad.layout.corners import rounded
from chalkgrad.layout.graph import Path, Point

SHARPEST = 10.0
"""Radius below which a turn reads as a corner; what would turn more sharply takes straight lines with round corners."""
LARGEST = 24.0
"""Radius of such corners where there is room."""
SHORT = 200.0
"""So far back at most a curve runs that is seen for longer than it takes to find a way round."""
STEEP = 1.5
"""It swings out where it goes up or down so many times as far as it goes back."""
CLOSE, TINY = 7.0, 32.0
"""One that runs less far right, and up or down, has no room for curves."""
BESIDE = 8.0
"""Between wires that turn beside each other."""

Bend = tuple[Point, Point]
"""The ends of a part of a way that goes up or down."""


def curve(start: Point, end: Point) -> Path:
    """One piece from a port to a port: level at both ends; it swings out where the end lies left of the start.

    A short one that has no room to swing out, which would turn sharply, is a straight line.
    """
    across, down = end[0] - start[0], abs(end[1] - start[1])
    if -SHORT <= across < CLOSE and (across * STEEP < -down or down < TINY):
        return start, _between(start, end, 1 / 3), _between(start, end, 2 / 3), end
    reach = across / 2 if across >= 0 else min(40.0 - 0.6 * across, 240.0)
    reach = min(reach, down / 2) if -SHORT <= across < 0 else reach
    reach = max(reach, min(down / 4, 48.0))
    return start, (start[0] + reach, start[1]), (end[0] - reach, end[1]), end


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def through(stops: Sequence[Sequence[Point]]) -> list[Path]:
    """Ways each through its points, from left to right and level at each; they turn sharply beside each other."""
    turns = _turns({bend for points in stops for bend in pairwise(points) if _is_sharp(*bend)})
    return [_joined(points, turns) for points in stops]


def _joined(stops: Sequence[Point], turns: Mapping[Bend, float]) -> Path:
    path: list[Point] = [stops[0]]
    for start, end in pairwise(stops):
        half = (start[0] + end[0]) / 2
        if (start, end) in turns:
            at = turns[start, end]
            path += rounded([start, (at, start[1]), (at, end[1]), end], (LARGEST, LARGEST))[1:]
        elif start != end:
            path += [(half, start[1]), (half, end[1]), end]
    return tuple(path)


def _is_sharp(start: Point, end: Point) -> bool:
    """True where the radius of a curve between them is too small at its ends, where it is sharpest."""
    across, down = end[0] - start[0], abs(end[1] - start[1])
    return 3 * across * across < 8 * down * SHARPEST


def _turns(bends: Iterable[Bend]) -> dict[Bend, float]:
    """Where each of these goes up or down; those of one beginning together."""
    found: dict[Bend, float] = {}
    for channel in _channels(bends):
        left, right = max(start[0] for start, _ in channel), min(end[0] for _, end in channel)
        beside = dict.fromkeys(_line(bend) for bend in sorted(channel, key=_crossing_least))
        step = min(BESIDE, (right - left) / (len(beside) + 1))
        first = (left + right - step * (len(beside) - 1)) / 2
        at = {line: first + step * number for number, line in enumerate(beside)}
        found |= {bend: at[_line(bend)] for bend in channel}
    return found


def _line(bend: Bend) -> tuple[Point, bool]:
    """Its beginning, and whether it goes up."""
    start, end = bend
    return start, end[1] < start[1]


def _crossing_least(bend: Bend) -> tuple[bool, float, Bend]:
    """By what those that turn beside each other are sorted: of two that go up the upper one turns first."""
    (_, y), goes_up = _line(bend)
    return not goes_up, y if goes_up else -y, bend


def _channels(bends: Iterable[Bend]) -> list[list[Bend]]:
    """Those that would turn at the same place: between the same columns, and at the same heights."""
    channels: list[list[Bend]] = []
    for bend in sorted(bends, key=lambda bend: (bend[0][0], min(bend[0][1], bend[1][1]), bend)):
        channel = next((known for known in channels if _meets(bend, known)), None)
        if channel is None:
            channels.append([bend])
        else:
            channel.append(bend)
    return channels


def _meets(bend: Bend, channel: Sequence[Bend]) -> bool:
    left, right = max(start[0] for start, _ in channel), min(end[0] for _, end in channel)
    (x, y), (x2, y2) = bend
    if min(right, x2) - max(left, x) < (right - left) / 2:
        return False
    return any(min(y, y2) < max(s[1], e[1]) and max(y, y2) > min(s[1], e[1]) for s, e in channel)
