"""Ways of the wires: cubic curves from port to port that go round the cards in between.

A way is made from where the cards lie now, so it holds for a drawing moved by hand as well as for a tidy one, in
which lanes were kept free. A wire with nothing in its way is one curve. One that would run through cards crosses each
column that is in its way through a gap, level, and takes curves from gap to gap; or all of them in one lane, where it
begins if that is free, and turns once. Where that doesn't help, or the wire runs back, it goes round along straight
lines.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from chalkgrad.layout.blocks import Blocks
from chalkgrad.layout.boxes import holding, meeting
from chalkgrad.layout.crossings import (
    CLEAR,
    INFINITY,
    NOWHERE,
    Column,
    Crossing,
    Gaps,
    columns_of,
    eased,
    gaps_between,
    levelled,
    nearest_gap,
    spreading,
    spreading_lanes,
)
from chalkgrad.layout.curves import SHORT, curve, through
from chalkgrad.layout.detours import LEFT, RIGHT, finding_detour, reach_of, touched, touches, walling_in
from chalkgrad.layout.graph import Edge, Node, Path, Point
from chalkgrad.layout.lanes import Lanes
from chalkgrad.layout.rooms import LONGER, NO_ROOMS, Room, strange
from chalkgrad.stepwise import Steps, finished

TURN = 16.0
"""Room that a wire needs to come to another height: columns that have less between them are crossed as one."""
TOUCH = 2.0
"""Nearer than this a wire touches a card."""
ROUNDS = 3
"""Times a way is made: each minds also the cards that the last one came near to."""
LANE, LANES = 5.0, 4
"""Between wires that go round the same cards, and how many find room side by side."""
AROUND = 320.0
"""How far outside of the rectangle between its ends a wire may go round."""
FAR = 640.0
"""A lane through all columns may lie so much further off than a way from gap to gap."""
BACK, PLAIN = SHORT, 4
"""A wire that runs further back than this is no plain curve, which has so many points."""
MANY, NOBODY = 1000, -1
"""Among more cards those that a wire in a lane only passes are taken together, under the id of none."""
LONG, LONG_BY = 2.5, 200.0
"""A way round cards that lie near one another may be so many times as long as the direct one, and by so much more."""


class Box(NamedTuple):
    """A card on the canvas."""

    id: int
    left: float
    top: float
    right: float
    bottom: float


class Span(NamedTuple):
    """A wire to be led: the cards it joins, and where it begins and ends."""

    source: int
    target: int
    start: Point
    end: Point


def routes(nodes: Sequence[Node], edges: Sequence[Edge], places: Mapping[int, Point]) -> list[Path]:
    """The way of each edge, in the order given, with every node's top left corner at its place in ``places``.

    An edge whose ends have no place gets an empty path.
    """
    known = {node.id: node for node in nodes if node.id in places}
    router = Router(_box(node, places[node.id]) for node in known.values())
    joined = [(at, edge) for at, edge in enumerate(edges) if edge.source in known and edge.target in known]
    spans = {at: _span(edge, known, places) for at, edge in joined}
    found: list[Path] = [()] * len(edges)
    numbers = {start: number for number, start in enumerate(dict.fromkeys(span.start for span in spans.values()))}
    for (at, span), path in zip(spans.items(), router.ways(list(spans.values())), strict=True):
        found[at] = path if router.is_clear(span, path) else router.way_round(span, path, numbers[span.start]) or path
    return found


class Router:
    """Finds ways between cards. No wire runs along ``rails``, edges of frames, but any may cross them.

    With ``lanes``, a wire crosses all columns that are in its way at one height, where there is such. It passes
    ``rooms`` with which it has nothing to do beside them.
    """

    def __init__(
        self, boxes: Iterable[Box], rails: Sequence[Box] = (), lanes: bool = False, rooms: Sequence[Room] = ()
    ) -> None:
        self._lanes, self._rooms = lanes, rooms
        known = sorted({box.id: box for box in boxes}.values(), key=lambda box: (box.left, box.top))
        self._rails = np.array([rail[1:] for rail in rails]).reshape(-1, 4)
        self._level_rails = self._rails[self._rails[:, 1] == self._rails[:, 3]]
        self._free: Lanes | None = None
        self._blocks: Blocks | None = None
        self._mind(np.array([box.id for box in known], np.intp), np.array([box[1:] for box in known]).reshape(-1, 4))

    def _mind(self, ids: np.ndarray, rects: np.ndarray) -> None:
        """Have these be all the cards, from left to right."""
        self._ids, self._rects = ids, rects
        self._larger: np.ndarray = rects + np.array([-TOUCH, -TOUCH, TOUCH, TOUCH])
        self._reach = np.maximum.accumulate(rects[:, 2])
        self._gaps: dict[Column, Gaps] = {}

    def ways(self, spans: Sequence[Span]) -> list[Path]:
        """Plain curves, and ways through gaps for those that these would not do for; found quickly, not all clear."""
        return finished(self.finding_ways(spans))

    def finding_ways(self, spans: Sequence[Span]) -> Steps[list[Path]]:
        """The same in steps."""
        plain = [curve(span.start, span.end) for span in spans]
        crossings: list[list[Crossing]] = []
        for span, path in zip(spans, plain, strict=True):
            passing = self._passing_many(span)
            crossings.append([] if passing.is_clear(span, path) else passing._crossings(span))
            yield
        yield from spreading(crossings)
        yield from spreading_lanes(crossings)
        led = [(path[0], path[-1], crossed) for path, crossed in zip(plain, crossings, strict=True) if crossed]
        ways = iter(through([_stops(*each) for each in led]))
        yield
        return [next(ways) if crossed else path for path, crossed in zip(plain, crossings, strict=True)]

    def is_clear(self, span: Span, path: Path) -> bool:
        """True when a way touches no card but its own, and those not where it would run behind them.

        A curve that runs far back crosses whatever there is, and is read the wrong way round: it goes round, too.
        """
        if len(path) <= PLAIN and path[-1][0] < path[0][0] - BACK:
            return False
        return self._passing_many(span)._is_clear(span, path)

    def _is_clear(self, span: Span, path: Path) -> bool:
        """The same among these cards, one by one."""
        xs, ys = zip(*path, strict=True)
        near = self._within(min(xs) - TOUCH, max(xs) + TOUCH, min(ys) - TOUCH, max(ys) + TOUCH)
        if path[0][0] <= path[-1][0]:
            near = near[self._others(near, span)]
        return not len(near) or not touches(path, self._obstacles(near, span, self._larger))

    def way_round(self, span: Span, path: Path, number: int) -> Path:
        """A way round all cards for a wire whose ``path`` is not clear; empty when there is none.

        Wires of different ``number`` keep other distances from the cards: those of one port have one.
        """
        return finished(self.finding_way_round(span, path, number))

    def way_along_lanes(self, span: Span, number: int) -> Path:
        """A way round all cards for a wire that reaches far, found quickly: along lanes between rows of cards.

        Empty where there is none that is clear; wires of different ``number`` keep apart.
        """
        if self._free is None:
            self._free = Lanes(self._rects, self._rails)
        path = self._free.way(span.start, span.end, LANE * (number % LANES))
        return path if path and self.is_clear(span, path) else ()

    def finding_way_round(self, span: Span, path: Path, number: int) -> Steps[Path]:
        """The same in steps.

        A card right before a port is no obstacle: what it shuts in runs under it. Between cards that lie on one
        another, or so near that all other ways are long, a wire is as short as can be.
        """
        (left, low), (right, high) = span.start, span.end
        left, right = sorted((left, right))
        low, high = sorted((low, high))
        near = self._within(left - AROUND, right + AROUND, low - AROUND, high + AROUND)
        boxes, others = self._obstacles(near, span, self._rects), self._others(near, span)
        walls = walling_in(boxes, span.start, RIGHT) | walling_in(boxes, span.end, LEFT)
        plain, length = curve(span.start, span.end), right - left + high - low
        is_short = length < BACK and not touched(plain, boxes[others & ~walls]).any()
        if is_short and ((walls & ~others).any() or _lie_on_one_another(boxes[~others])):
            return plain
        found = yield from self._finding_detour(span, path, boxes[~walls], LANE * (number % LANES))
        is_long = not found or reach_of(found) > LONG * length + LONG_BY
        return plain if is_short and is_long else found

    def _finding_detour(self, span: Span, path: Path, boxes: np.ndarray, apart: float) -> Steps[Path]:
        """A way round boxes, and frames with which the wire has nothing to do where that is not much longer.

        Only where there is no room beside the edges of frames, or it is much shorter, it runs along them.
        """
        found = yield from finding_detour(path, boxes, apart, self._rails)
        direct = reach_of((span.start, span.start, span.start, span.end))
        if len(self._rails) and (not found or reach_of(found) > direct + LONGER):
            along = yield from finding_detour(path, boxes, apart)
            found = along if along and (not found or reach_of(along) + LONGER < reach_of(found)) else found
        rooms = strange(self._rooms, (span.source, span.target), (NOWHERE, INFINITY)) if found else NO_ROOMS
        rooms = rooms[~(holding(rooms, span.start) | holding(rooms, span.end))]
        if not len(rooms) or not touched(found, rooms).any():
            return found
        beside = yield from finding_detour(path, np.concatenate([boxes, rooms]), apart, self._rails)
        return beside if beside and reach_of(beside) <= reach_of(found) + LONGER else found

    def _passing_many(self, span: Span) -> Router:
        """What finds the way of a wire in lanes that passes very many cards: most of them are taken together."""
        (left, _), (right, _) = span.start, span.end
        if not self._lanes or right <= left or len(self._rects) < MANY:
            return self
        if self._blocks is None:
            self._blocks = Blocks(self._rects)
        first, behind = int(self._rects[:, 0].searchsorted(left)), int(self._rects[:, 0].searchsorted(right))
        passed = self._blocks.passed(first, behind)
        if passed is None:
            return self
        rows, others = passed
        rects, ids = (
            np.concatenate([self._rects[rows], others]),
            np.concatenate([self._ids[rows], [NOBODY] * len(others)]),
        )
        order = np.argsort(rects[:, 0], kind="stable")
        router = Router((), lanes=True, rooms=self._rooms)
        router._rails, router._level_rails = self._rails, self._level_rails
        router._mind(ids[order], rects[order])
        return router

    def _within(self, left: float, right: float, low: float, high: float) -> np.ndarray:
        """The rows of the cards that lie there, from left to right."""
        first = int(self._reach.searchsorted(left, "right"))
        behind = int(self._rects[:, 0].searchsorted(right))
        rects = self._rects[first:behind]
        found = (rects[:, 2] > left) & (rects[:, 1] < high) & (rects[:, 3] > low)
        return np.asarray(found.nonzero()[0] + first)

    def _others(self, rows: np.ndarray, span: Span) -> np.ndarray:
        """For each of these cards whether it is none of the wire's own."""
        ids = self._ids[rows]
        return np.asarray((ids != span.source) & (ids != span.target))

    def _obstacles(self, rows: np.ndarray, span: Span, rects: np.ndarray) -> np.ndarray:
        """The boxes of cards; those that aren't the wire's own as ``rects`` have them.

        A port may lie within its card: the card goes no further than to it.
        """
        boxes: np.ndarray = rects[rows]
        for at in np.flatnonzero(~self._others(rows, span)).tolist():
            left, top, right, bottom = self._rects[rows[at]].tolist()
            if self._ids[rows[at]] == span.source:
                right = max(min(right, span.start[0]), left)
            if self._ids[rows[at]] == span.target:
                left = min(max(left, span.end[0]), right)
            boxes[at] = left, top, right, bottom
        return boxes

    def _crossings(self, span: Span) -> list[Crossing]:
        """Where the wire crosses columns that are in its way; nothing for one that doesn't run from left to right."""
        (left, _), (right, _) = span.start, span.end
        if right - left < 2 * CLEAR:
            return []
        rows = self._within(left, right, NOWHERE, INFINITY)
        own = ~self._others(rows, span)
        boxes, mine = self._rects[rows[~own]], self._rects[rows[own]].tolist()
        found = self._crossed(span, boxes, mine, NO_ROOMS)
        rooms = strange(self._rooms, (span.source, span.target), (left, right)) if found else NO_ROOMS
        if not len(rooms):
            return found
        beside = self._crossed(span, np.concatenate([boxes, rooms]), mine, rooms)
        return beside if _climb(span, beside) <= _climb(span, found) + LONGER else found

    def _crossed(
        self, span: Span, boxes: np.ndarray, mine: Sequence[Sequence[float]], rooms: np.ndarray
    ) -> list[Crossing]:
        """Where the wire crosses columns of these boxes, ``rooms`` among them; it has room to turn between them.

        Only where that would make it much longer it turns sharply.
        """
        found = self._passing(span, boxes, mine, rooms, TURN)
        if _climb(span, found) <= _climb(span, ()) + LONGER:
            return found
        sharp = self._passing(span, boxes, mine, rooms, 0.0)
        return sharp if _climb(span, sharp) + LONGER < _climb(span, found) else found

    def _passing(
        self, span: Span, boxes: np.ndarray, mine: Sequence[Sequence[float]], rooms: np.ndarray, turn: float
    ) -> list[Crossing]:
        """The same with so much room to turn."""
        (_, y), (_, y2) = span.start, span.end
        minded = np.zeros(0, bool)
        found: list[Crossing] = []
        for _ in range(ROUNDS):
            heights = [y, y2, *(crossing.at for crossing in found)]
            beside = (boxes[:, 1] - CLEAR < max(heights)) & (boxes[:, 3] + CLEAR > min(heights))
            if np.array_equal(beside, minded):
                break
            minded = beside
            found = levelled(self._through(columns_of(boxes[beside, 0::2], turn), span, mine, rooms, turn), y, y2)
        return found

    def _through(
        self, columns: Iterable[Column], span: Span, own: Sequence[Sequence[float]], rooms: np.ndarray, turn: float
    ) -> list[Crossing]:
        """Where a wire crosses these columns; at those so near to an end that it can't ``turn`` it keeps its height."""
        (begin, y), (end, last) = span.start, span.end
        wire = (span.source, y)
        found: list[Crossing] = []
        x, at = begin, y
        for edge, other in self._in_one_lane(list(columns), span, own, rooms) if self._lanes else columns:
            left, right = max(edge - CLEAR, x), min(other + CLEAR, end)
            left, right = begin if left < begin + turn else left, end if right > end - turn else right
            if left == begin and right == end:
                continue
            if left == begin or right == end:
                low = high = at = y if left == begin else last
            else:
                part = 0.0 if self._lanes else ((left + right) / 2 - x) / (end - x)
                wanted = at + (last - at) * part
                gaps = self._gaps_of((left, right), span, own, rooms)
                low, high = nearest_gap(gaps, wanted, last) if self._lanes else nearest_gap(gaps, wanted)
                at = eased(wanted, low, high)
                if at != wanted and (low <= last <= high if self._lanes else eased(last, low, high) == last):
                    at = last  # it turns once, not twice more to come to its end
            found.append(Crossing(left, right, low, high, at, wire))
            x = right
        return found

    def _in_one_lane(
        self, columns: list[Column], span: Span, own: Sequence[Sequence[float]], rooms: np.ndarray
    ) -> list[Column]:
        """These columns, those between the ends taken for one where a lane through it is not too far away."""
        (begin, y), (end, last) = span.start, span.end
        first = bisect_right(columns, begin + CLEAR, key=itemgetter(0))
        behind = bisect_left(columns, end - CLEAR, key=itemgetter(1))
        if behind - first < 2:
            return columns
        whole = (columns[first][0], columns[behind - 1][1])
        low, high = nearest_gap(self._gaps_of((whole[0] - CLEAR, whole[1] + CLEAR), span, own, rooms), y, last)
        lane = min(max(y, low), high)
        if abs(lane - y) + abs(lane - last) > abs(last - y) + FAR:
            return columns
        return [*columns[:first], whole, *columns[behind:]]

    def _gaps_of(self, column: Column, span: Span, own: Sequence[Sequence[float]], rooms: np.ndarray) -> Gaps:
        """The gaps of a column, in which a wire's ``own`` cards are none."""
        if len(rooms):
            return self._found_gaps(column, span, rooms)
        if own and any(left < column[1] and right > column[0] for left, _, right, _ in own):
            return self._found_gaps(column, span)
        known = self._gaps.get(column)
        if known is None:
            known = self._gaps[column] = self._found_gaps(column)
        return known

    def _found_gaps(self, column: Column, without: Span | None = None, rooms: np.ndarray = NO_ROOMS) -> Gaps:
        left, right = column
        rows = self._within(left, right, NOWHERE, INFINITY)
        if without is not None:
            rows = rows[self._others(rows, without)]
        rails = self._level_rails
        rails = rails[(rails[:, 0] < right) & (rails[:, 2] > left)]
        rooms = rooms[(rooms[:, 0] < right) & (rooms[:, 2] > left)]
        return gaps_between(np.concatenate([self._rects[rows, 1::2], rails[:, 1::2], rooms[:, 1::2]]))


def _stops(start: Point, end: Point, crossings: Sequence[Crossing]) -> list[Point]:
    return [start, *(stop for c in crossings for stop in ((c.left, c.at), (c.right, c.at))), end]


def _box(node: Node, place: Point) -> Box:
    x, y = place
    return Box(node.id, x, y, x + node.width, y + node.height)


def _span(edge: Edge, nodes: Mapping[int, Node], places: Mapping[int, Point]) -> Span:
    source, target = nodes[edge.source], nodes[edge.target]
    (x0, y0), (x1, y1) = places[edge.source], places[edge.target]
    down = source.output if edge.start is None else edge.start
    return Span(source.id, target.id, (x0 + source.width, y0 + down), (x1, y1 + target.port(edge.port)))


def _climb(span: Span, crossings: Sequence[Crossing]) -> float:
    """How far up and down a wire goes that crosses columns at these heights."""
    heights = [span.start[1], *(crossing.at for crossing in crossings), span.end[1]]
    return sum(abs(after - before) for before, after in pairwise(heights))


def _lie_on_one_another(boxes: np.ndarray) -> bool:
    """True for two boxes that share room."""
    return len(boxes) == 2 and bool(meeting(boxes[:1], boxes[1, :2], boxes[1, 2:]).any())
