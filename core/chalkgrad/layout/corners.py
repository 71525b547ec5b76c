"""The corners of ways that go round cards: without needless steps, as far from cards as there is room, and rounded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from chalkgrad.layout.boxes import holding, meeting
from chalkgrad.layout.graph import Path, Point

CLEARANCES = (14.0, 9.0, 5.0, 2.0)
"""How far from cards a way is looked for, one after the other."""
ARC = 0.5523
"""Length of the handles of a quarter of a circle, in radii."""
ROUND = 24.0
"""Largest radius of a corner; twice the clearance never comes near to the card inside it."""
EDGE = 0.5
STEP = 16.0
"""Less than this a way doesn't go aside only to keep further from a card."""
STEP_CLEARANCES = (5.0, 2.0, 1.0)
"""How near it may come to cards to go straight on instead."""
RAIL = 9.0
"""No way runs nearer along a rail."""
NO_RAILS = np.zeros((0, 4))
NEARER = 0.5
"""So much nearer to cards than others a wire runs that has no room to keep further off, for each unit of that."""
MIDST = 7.5
"""A wire keeps so much further off that runs in the middle of a narrow gap; others run beside it there."""
NARROWEST = 12.0
"""In a gap that is no wider, all run in the middle."""


class Distance(NamedTuple):
    """How far from cards a way keeps: ``apart`` further than others, or ``nearer`` where it has no room for that.

    ``nearer`` is a part of ``apart``; those that come no nearer have none.
    """

    apart: float = 0.0
    nearer: float = NEARER

    @property
    def usual(self) -> float:
        """How far off it keeps where there is room."""
        return CLEARANCES[0] + self.apart

    @property
    def short(self) -> float:
        """How far off it keeps where there is room for others alone."""
        return max(CLEARANCES[0] - self.nearer * self.apart, CLEARANCES[2])

    def between(self, line: float, low: float, high: float) -> float:
        """Where a line runs best that runs between two cards: as near as can be to where it is now."""
        gap, is_low = high - low, line - low < high - line
        if gap < 2 * CLEARANCES[0]:
            step = min(1.0, max(0.0, gap - NARROWEST) / (2 * MIDST)) * self.nearer
            return (low + high) / 2 + (self.apart - MIDST) * step
        off = self.usual if gap >= self.usual + CLEARANCES[0] else self.short
        return max(line, low + off) if is_low else min(line, high - off)


def straightened(points: Sequence[Point]) -> list[Point]:
    """Without points at which nothing turns."""
    kept = [points[0]]
    for point, after in pairwise(points[1:]):
        same_x = kept[-1][0] == point[0] == after[0]
        same_y = kept[-1][1] == point[1] == after[1]
        if point not in (kept[-1], after) and not same_x and not same_y:
            kept.append(point)
    return [*kept, points[-1]]


def without_steps(corners: list[Point], boxes: np.ndarray, rails: np.ndarray) -> list[Point]:
    """The same way straight on where it would step aside a little, as far as there is room for that."""
    for at in range(1, len(corners) - 2):
        if length(corners[at], corners[at + 1]) < STEP:
            straight = _without_step(corners, at, boxes, rails)
            if straight:
                return without_steps(straight, boxes, rails)
    return corners


def _without_step(corners: Sequence[Point], at: int, boxes: np.ndarray, rails: np.ndarray) -> list[Point]:
    """The corners without that step, and the next; nothing where cards are in the way, or the way turns back there."""
    before, one, other, after = corners[at - 1 : at + 3]
    axis = 1 if one[0] == other[0] else 0
    if (one[1 - axis] - before[1 - axis]) * (after[1 - axis] - other[1 - axis]) <= 0:
        return []
    first_stays, last_stays = at == 1, at + 3 == len(corners)
    lines = [] if first_stays else [other[axis]]
    lines += [] if last_stays else [one[axis]]
    lines += [] if first_stays or last_stays else [(one[axis] + other[axis]) / 2]
    moved = [(_moved(before, axis, line), _moved(after, axis, line)) for line in lines]
    ways = [straightened([*corners[: at - 1], *ends, *corners[at + 3 :]]) for ends in moved]
    out = CLEARANCES[-1]
    ways = [way for way in ways if length(*way[:2]) >= out and length(*way[-2:]) >= out]
    ways = [way for way in ways if not runs_along(way, rails) and not too_near(way, larger(boxes, -EDGE)).any()]
    for near in STEP_CLEARANCES:
        around = larger(boxes, near - EDGE)
        for way in ways:
            if not too_near(way, around).any():
                return way
    return []


def _moved(point: Point, axis: int, to: float) -> Point:
    return (to, point[1]) if axis == 0 else (point[0], to)


def kept_off(
    corners: list[Point], boxes: np.ndarray, rails: np.ndarray, clearance: float, distance: Distance
) -> list[Point]:
    """The same way with each line as far from cards beside it as there is room, which it may come nearer to elsewhere.

    So near it comes to cards at most that it keeps ``clearance`` from all. Where it begins and ends it stays.
    """
    for _ in range(2):  # a line that gave way may have been what kept the one before
        for at in range(1, len(corners) - 2):
            moved = _line_kept_off(corners, at, boxes, rails, clearance, distance)
            corners = corners if runs_along(moved[at : at + 2], rails) else moved
    return corners


def _line_kept_off(
    corners: list[Point], at: int, boxes: np.ndarray, rails: np.ndarray, clearance: float, distance: Distance
) -> list[Point]:
    """The corners with the line from one to the next moved to where it runs best."""
    (one, other), axis = corners[at : at + 2], 0 if corners[at][0] == corners[at + 1][0] else 1
    line, along = one[axis], 1 - axis
    begin, end = sorted((one[along], other[along]))
    boxes = np.concatenate([boxes, rails[rails[:, axis] == rails[:, axis + 2]]])
    near = clearance - EDGE
    beside = boxes[(boxes[:, along] - near < end) & (boxes[:, along + 2] + near > begin)]
    lows, highs = beside[:, axis], beside[:, axis + 2]
    if ((lows < line) & (highs > line)).any():
        return corners
    low, high = highs[highs <= line].max(initial=-np.inf), lows[lows >= line].min(initial=np.inf)
    to = distance.between(line, low, high)
    for end, stays in ((at - 1, at == 1), (at + 2, at + 3 == len(corners))):
        to = _beside(to, line, corners[end][axis], CLEARANCES[2] if stays else STEP)
    return [*corners[:at], _moved(one, axis, to), _moved(other, axis, to), *corners[at + 2 :]]


def _beside(to: float, line: float, other: float, least: float) -> float:
    """Where a line that is to move may come that has to stay at the same side of another, and so far from it."""
    least = min(abs(line - other), least)
    return max(to, other + least) if line > other else min(to, other - least)


def radii(corners: Sequence[Point], boxes: np.ndarray) -> list[float]:
    """The largest radius of each corner of a way: where it keeps off cards, it is round."""
    at = np.array(corners[1:-1])[:, None]
    off = np.maximum(boxes[:, :2] - at, at - boxes[:, 2:]).max(axis=2)
    found: list[float] = np.clip(2 * off.min(axis=1, initial=ROUND), 0.0, ROUND).tolist()
    return found


def rounded(points: Sequence[Point], radii: Iterable[float]) -> Path:
    """Straight lines with round corners, each of its largest radius, as a cubic spline."""
    path: list[Point] = [points[0]]
    for before, corner, after, radius in zip(points, points[1:], points[2:], radii, strict=False):
        room = min(
            radius,
            length(before, corner) * (0.8 if before == points[0] else 0.5),
            length(corner, after) * (0.8 if after == points[-1] else 0.5),
        )
        enter, leave = _towards(corner, before, room), _towards(corner, after, room)
        path += _line(path[-1], enter)
        path += [_towards(enter, corner, room * ARC), _towards(leave, corner, room * ARC), leave]
    return (*path, *_line(path[-1], points[-1]))


def _line(start: Point, end: Point) -> list[Point]:
    third = ((end[0] - start[0]) / 3, (end[1] - start[1]) / 3)
    return [(start[0] + third[0], start[1] + third[1]), (end[0] - third[0], end[1] - third[1]), end]


def _towards(start: Point, end: Point, way: float) -> Point:
    part = way / (length(start, end) or 1.0)
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def reach(points: Sequence[Point]) -> float:
    """How long a way of straight lines is."""
    return sum(length(before, after) for before, after in pairwise(points))


def length(start: Point, end: Point) -> float:
    """How far it is from one point to the other, level and then upright."""
    return abs(end[0] - start[0]) + abs(end[1] - start[1])


def larger(boxes: np.ndarray, by: float | np.ndarray) -> np.ndarray:
    """The boxes with so much more room at each side; two numbers are for the sides and for above and below."""
    across, down = (by, by) if isinstance(by, float) else by.tolist()
    return np.asarray(boxes + np.array([-across, -down, across, down]))


def railed(rails: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The boxes round rails in which no way runs level, and those in which none runs upright."""
    level = rails[:, 1] == rails[:, 3]
    beside = np.array([0.0, RAIL])
    return larger(rails[level], beside), larger(rails[~level], beside[::-1])


def runs_along(corners: Sequence[Point], rails: np.ndarray) -> bool:
    """True where a way runs along one of the rails."""
    level, upright = railed(rails)
    return any(
        meeting(level if one[1] == other[1] else upright, np.minimum(one, other), np.maximum(one, other)).any()
        for one, other in pairwise(corners)
    )


def too_near(corners: Sequence[Point], around: np.ndarray) -> np.ndarray:
    """For each box whether a way comes ``around`` it where it needn't: it may where it begins, and where it ends."""
    ends = np.array(corners)
    low, high = np.minimum(ends[:-1], ends[1:])[:, None], np.maximum(ends[:-1], ends[1:])[:, None]
    passed = meeting(around, np.moveaxis(low, -1, 0), np.moveaxis(high, -1, 0))
    passed[0] &= ~holding(around, corners[0])
    passed[-1] &= ~holding(around, corners[-1])
    return np.asarray(passed.any(axis=0))
