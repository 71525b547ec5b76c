"""Ways that go round cards along straight lines with rounded corners: for wires that run back, or are shut in.

Every line that a way may take lies beside a card. The way with the fewest corners and the shortest of these is found
by Dijkstra's algorithm on the crossings of those lines.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

import numpy as np

from chalkgrad.layout.boxes import holding, meeting
from chalkgrad.layout.corners import (
    CLEARANCES,
    EDGE,
    NO_RAILS,
    ROUND,
    Distance,
    kept_off,
    larger,
    length,
    radii,
    railed,
    reach,
    rounded,
    straightened,
    too_near,
    without_steps,
)
from chalkgrad.layout.graph import Path, Point
from chalkgrad.stepwise import Steps, finished

CORNER = 60.0
"""A corner counts as much as this way."""
SOON = 1e-6
"""Of two ways of one length that one is better which goes up or down nearer to where it begins."""
INFINITY = float("inf")
SHORTER = 240.0
"""So much shorter has a way to be that comes nearer to cards."""
ROUNDS = 10
"""Times a way is looked for: each minds also the cards that the last one ran into."""
PORTION = 128
"""So many crossings are looked at in one step."""
FEW, MORE = 64, 8
"""Boxes that are looked at first for one that is in the way, and how many times as many next."""
SAMPLES = 24
"""Straight lines that each piece is looked at as."""
_T = np.linspace(0.0, 1.0, SAMPLES + 1)
_BASIS = np.stack([(1 - _T) ** 3, 3 * (1 - _T) ** 2 * _T, 3 * (1 - _T) * _T * _T, _T**3])

RIGHT, LEFT, DOWN = (1, 0), (-1, 0), (0, 1)
"""Ways in which a line leaves where it begins, and comes in where it ends."""

Heading = tuple[int, int]


class Course(NamedTuple):
    """How a way goes, however far it keeps from cards: how it leaves its beginning and comes in at its end.

    It turns ``out`` so much further from its beginning, and runs along none of the ``rails``.
    """

    leaves: Heading = RIGHT
    enters: Heading = RIGHT
    out: float = 0.0
    rails: np.ndarray = NO_RAILS


State = tuple[int, int, bool]
"""Numbers of a vertical and a horizontal line, and whether the way comes along the horizontal one."""


def detour(
    path: Path,
    boxes: np.ndarray,
    apart: float = 0.0,
    leaves: Heading = RIGHT,
    enters: Heading = RIGHT,
    out: float = 0.0,
) -> Path:
    """A way between the ends of ``path``, which runs into some of ``boxes`` (left, top, right, bottom), round all.

    Empty when there is none. ``apart`` is different for wires that might take the same way: so much further from the
    cards each keeps, where there is room. The way ``leaves`` its beginning right, left or down, ``out`` so much further
    than it keeps from cards, and ``enters`` its end right or left.
    """
    return finished(_finding(path, boxes, Course(leaves, enters, out), Distance(apart, nearer=0.0)))[1]


def finding_detour(path: Path, boxes: np.ndarray, apart: float = 0.0, rails: np.ndarray = NO_RAILS) -> Steps[Path]:
    """The same in steps, for a wire: round many cards it takes long. It crosses ``rails``, and runs along none."""
    return (yield from _finding(path, boxes, Course(rails=rails), Distance(apart)))[1]


def corners_round(
    begin: Point, end: Point, boxes: np.ndarray, leaves: Heading = RIGHT, enters: Heading = RIGHT
) -> list[Point]:
    """The beginning, the corners and the end of such a way; nothing when there is none."""
    return finished(_finding((begin, begin, end, end), boxes, Course(leaves, enters), Distance()))[0]


def _finding(path: Path, boxes: np.ndarray, course: Course, distance: Distance) -> Steps[tuple[list[Point], Path]]:
    """Of the ways that keep further off the best, or a much shorter one that comes nearer to cards."""
    best: tuple[list[Point], Path] = [], ()
    direct = length(path[0], path[-1])
    distances = {distance.usual, distance.short, *(each for each in CLEARANCES if each < distance.short)}
    for clearance in sorted(distances, reverse=True):
        found = yield from _keeping_off(path, boxes, clearance, course, distance)
        if found[0] and (not best[0] or reach(found[0]) + SHORTER < reach(best[0])):
            best = found
        if best[0] and reach(best[0]) <= direct + SHORTER:
            break
    return best


def _keeping_off(
    path: Path, boxes: np.ndarray, clearance: float, course: Course, distance: Distance
) -> Steps[tuple[list[Point], Path]]:
    """The corners and the way that keep so far from cards, and further where they can; nothing where there is no room.

    It is ``distance`` that they keep where they can.
    """
    minded = touched(path, boxes)
    if not minded.any():  # its own are gone round
        minded = holding(larger(boxes, EDGE), path[0]) | holding(larger(boxes, EDGE), path[-1])
    for _ in range(ROUNDS):
        ends = path[0], path[-1]
        corners = yield from _finding_corners(*ends, boxes[minded], clearance, course)
        if not corners:
            break
        corners = without_steps(corners, boxes, course.rails)
        way = rounded(corners, [min(ROUND, 2 * clearance)] * len(corners))
        hit = touched(way, boxes)
        near = hit | too_near(corners, larger(boxes, clearance - EDGE))
        if not (near & ~minded).any():
            return ([], ()) if hit.any() else _easier(corners, way, boxes, course.rails, clearance, distance)
        minded |= near
    return [], ()


def _easier(
    corners: list[Point], way: Path, boxes: np.ndarray, rails: np.ndarray, clearance: float, distance: Distance
) -> tuple[list[Point], Path]:
    """The corners and the way further off cards where they have room."""
    further = kept_off(corners, boxes, rails, clearance, distance)
    if further == corners:
        return corners, way
    easier = rounded(further, radii(further, boxes))
    return (corners, way) if touched(easier, boxes).any() else (further, easier)


def walling_in(boxes: np.ndarray, port: Point, heading: Heading) -> np.ndarray:
    """For each box whether it stands right before a port that a way leaves there, so near that none leads past it."""
    near = CLEARANCES[-1]
    return holding(larger(boxes, near), (port[0] + near * heading[0], port[1] + near * heading[1]))


def reach_of(path: Path) -> float:
    """About how long a way is."""
    return reach(path[::3])


def touched(path: Path, boxes: np.ndarray) -> np.ndarray:
    """For each box whether a way runs through it, not only along its edge."""
    points = np.array(path).T
    pieces = np.stack([points[:, 0:-1:3], points[:, 1::3], points[:, 2::3], points[:, 3::3]], axis=2)
    found = np.zeros(len(boxes), bool)
    rows, numbers = _meeting(boxes, pieces.min(axis=2), pieces.max(axis=2))
    if not len(rows):
        return found
    along = pieces @ _BASIS
    ends = along[..., :-1], along[..., 1:]
    low, high = np.minimum(*ends), np.maximum(*ends)
    near = larger(boxes, -EDGE)[rows].T
    pairs, at = ((low[0, numbers] < near[2, :, None]) & (high[0, numbers] > near[0, :, None])).nonzero()
    piece = numbers[pairs]
    level = (low[1, piece, at] < near[3, pairs]) & (high[1, piece, at] > near[1, pairs])
    pairs, at, piece = pairs[level], at[level], piece[level]
    one, other, near = along[:, piece, at], along[:, piece, at + 1], near[:, pairs]
    half, line, off = (near[2:] - near[:2]) / 2, other - one, (other + one - near[2:] - near[:2]) / 2
    aside = np.abs(off[0] * line[1] - off[1] * line[0])
    reach = half[0] * np.abs(line[1]) + half[1] * np.abs(line[0])
    found[rows[pairs[aside <= reach]]] = True
    return found


def touches(path: Path, boxes: np.ndarray) -> bool:
    """True when a way runs through any of the boxes: of many a few are looked at first, then ever more at once."""
    first, count = 0, FEW
    while first < len(boxes):
        if touched(path, boxes[first : first + count]).any():
            return True
        first, count = first + count, count * MORE
    return False


def _meeting(boxes: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of boxes and pieces (their lowest and highest x and y) that overlap: the numbers of each.

    Pieces are looked up by where they lie from left to right: of a long way few are beside a box.
    """
    order = low[0].argsort()
    first = np.maximum.accumulate(high[0, order]).searchsorted(boxes[:, 0], "right")
    counts = np.maximum(low[0, order].searchsorted(boxes[:, 2]) - first, 0)
    rows = np.arange(len(boxes)).repeat(counts)
    numbers = order[np.arange(len(rows)) + (first - counts.cumsum() + counts).repeat(counts)]
    met = boxes[rows]
    meet = (high[0, numbers] > met[:, 0]) & (low[1, numbers] < met[:, 3]) & (high[1, numbers] > met[:, 1])
    return rows[meet], numbers[meet]


def _finding_corners(
    start: Point, end: Point, boxes: np.ndarray, clearance: float, course: Course
) -> Steps[list[Point]]:
    """Start, corners and end of the best way that keeps so far from the cards; nothing when there is none."""
    leaves, enters, out, rails = course
    around = larger(boxes, clearance)
    first = _ahead(start, leaves, around, clearance, out)
    last = _ahead(end, (-enters[0], -enters[1]), around, clearance, 0.0)
    level, upright = railed(rails)
    xs = _distinct(np.concatenate([around[:, 0], around[:, 2], upright[:, 0], upright[:, 2], [first[0], last[0]]]))
    ys = _distinct(np.concatenate([around[:, 1], around[:, 3], level[:, 1], level[:, 3], [first[1], last[1]]]))
    across = _free(ys, xs, np.concatenate([around, level])[:, [1, 3, 0, 2]])
    down = _free(xs, ys, np.concatenate([around, upright])[:, [0, 2, 1, 3]])
    begin = (int(np.searchsorted(xs, first[0])), int(np.searchsorted(ys, first[1])), leaves[1] == 0)
    goal = (int(np.searchsorted(xs, last[0])), int(np.searchsorted(ys, last[1])), True)
    if holding(around, first).any() or holding(around, last).any():
        return []
    came = yield from _searching(begin, goal, leaves, enters, xs.tolist(), ys.tolist(), across.tolist(), down.tolist())
    if goal not in came:
        return []
    points = [end, last]
    at = goal
    while at in came:
        at = came[at]
        points.append((float(xs[at[0]]), float(ys[at[1]])))
    points.append(start)
    return straightened(points[::-1])


def _ahead(port: Point, heading: Heading, around: np.ndarray, clearance: float, out: float) -> Point:
    """Where a way first turns that leaves a port: as far from it as a way with room would, unless cards are nearer."""

    def at(far: float) -> Point:
        return port[0] + far * heading[0], port[1] + far * heading[1]

    (x, y), own = at(clearance + EDGE), holding(around, port)
    for far in CLEARANCES:
        x2, y2 = at(far)
        low, high = (min(x, x2), min(y, y2)), (max(x, x2), max(y, y2))
        if far > clearance and not (meeting(around, low, high) & ~own).any():
            return at(far + out)
    return at(clearance + out)


def _free(lines: np.ndarray, stops: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """For each line, and each piece of it from one stop to the next, whether no box lies on it.

    Boxes have first what they cover across the lines, then along them.
    """
    middles = (stops[1:] + stops[:-1]) / 2
    hit = (boxes[:, 0] < lines[:, None]) & (lines[:, None] < boxes[:, 1])
    along = (boxes[:, 2] < middles[:, None]) & (middles[:, None] < boxes[:, 3])
    return np.asarray(hit.astype(np.intp) @ along.T.astype(np.intp) == 0)


def _searching(
    begin: State,
    goal: State,
    leaves: Heading,
    enters: Heading,
    xs: list[float],
    ys: list[float],
    across: list[list[bool]],
    down: list[list[bool]],
) -> Steps[dict[State, State]]:
    """From where each state that was looked at is reached best; those nearest to the goal are looked at first."""
    right, bottom = len(xs), len(ys)
    begin_x, goal_x, goal_y = xs[begin[0]], xs[goal[0]], ys[goal[1]]
    came: dict[State, State] = {}
    reached = {begin: 0.0}
    queue: list[tuple[float, float, State]] = [(0.0, 0.0, begin)]
    for looked_at in count(1):
        if not queue:
            break
        if looked_at % PORTION == 0:
            yield
        _, cost, state = heappop(queue)
        if state == goal:
            break
        if cost > reached[state]:
            continue
        x, y, level = state
        before = came.get(state, (x - leaves[0], y - leaves[1], True))
        steps = []
        if x and across[y][x - 1]:
            steps.append((x - 1, y, True))
        if x + 1 < right and across[y][x]:
            steps.append((x + 1, y, True))
        if y and down[x][y - 1]:
            steps.append((x, y - 1, False))
        if y + 1 < bottom and down[x][y]:
            steps.append((x, y + 1, False))
        for after in steps:
            x2, y2, level2 = after
            if before[0] == x2 and before[1] == y2:
                continue
            down_by = abs(ys[y2] - ys[y])
            total = cost + abs(xs[x2] - xs[x]) + down_by + (CORNER if level2 != level else 0.0)
            total += SOON * down_by * abs(xs[x] - begin_x)
            if x2 == goal[0] and y2 == goal[1]:
                if level2 and (x2 - x) * enters[0] < 0:
                    continue
                total += 0.0 if level2 else CORNER  # it has to turn there to go in
            if total < reached.get(after, INFINITY):
                reached[after] = total
                came[after] = state
                ahead = abs(goal_x - xs[x2]) + abs(goal_y - ys[y2])
                heappush(queue, (total + ahead, total, after))
        if x == goal[0] and y == goal[1] and cost < reached.get(goal, INFINITY):
            reached[goal], came[goal] = cost, before
            heappush(queue, (cost, cost, goal))
    return came


def _distinct(values: np.ndarray) -> np.ndarray:
    """The values in order, each once: ``np.unique``, which imports masked arrays for it when it is asked first."""
    values = np.sort(values)
    return values[np.concatenate(([True], values[1:] != values[:-1]))]
