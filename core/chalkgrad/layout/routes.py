"""Ways of the wires: cubic curves from port to port that go round the cards in between.

A way is made from where the cards lie now, so it holds for a drawing moved by hand as well as for a tidy one, in
which lanes were kept free. A wire with nothing in its way is one curve. One that would run through cards crosses each
column that is in its way through a gap, level, and takes curves from gap to gap. Where that doesn't help, or the wire
runs back, it goes round along straight lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from chalkgrad.layout.detours import detour, touched
from chalkgrad.layout.graph import Edge, Node, Path, Point
from chalkgrad.layout.isotonic import fit

CLEAR, EASY = 6.0, 10.0
"""How near to a card a wire may run, and how much further off it runs where there is room."""
TOUCH = 2.0
"""Nearer than this a wire touches a card."""
SPACING = 6.0
"""Between wires that share a gap."""
ROUNDS = 3
"""Times a way is made: each minds also the cards that the last one came near to."""
CELL = 256.0
"""Width of the strips that cards are looked up by."""
LANE, LANES = 5.0, 4
"""Between wires that go round the same cards, and how many find room side by side."""
AROUND = 320.0
"""How far outside of the rectangle between its ends a wire may go round."""


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


Strips = dict[int, list[Box]]
"""Cards by the vertical strips that they touch."""


@dataclass(slots=True)
class Crossing:
    """Where a wire crosses a column: the column's edges, the gap's, and the height it takes."""

    left: float
    right: float
    low: float
    high: float
    at: float
    wire: tuple[int, float]


def routes(nodes: Sequence[Node], edges: Sequence[Edge], places: Mapping[int, Point]) -> list[Path]:
    """The way of each edge, in the order given, with every node's top left corner at its place in ``places``.

    An edge whose ends have no place gets an empty path.
    """
    known = {node.id: node for node in nodes if node.id in places}
    router = Router(_box(node, places[node.id]) for node in known.values())
    joined = [(at, edge) for at, edge in enumerate(edges) if edge.source in known and edge.target in known]
    spans = {at: _span(edge, known, places) for at, edge in joined}
    found: list[Path] = [()] * len(edges)
    for (at, span), path in zip(spans.items(), router.ways(list(spans.values())), strict=True):
        found[at] = path if router.is_clear(span, path) else router.way_round(span, path, at) or path
    return found


class Router:
    """Finds ways between cards. No wire runs along ``rails``, level edges of frames, but any may cross them."""

    def __init__(self, boxes: Iterable[Box], rails: Sequence[Box] = ()) -> None:
        self._strips: Strips = {}
        self._rails = rails
        for box in boxes:
            for strip in range(int(box.left // CELL), int(box.right // CELL) + 1):
                self._strips.setdefault(strip, []).append(box)

    def ways(self, spans: Sequence[Span]) -> list[Path]:
        """Plain curves, and ways through gaps for those that these would not do for; found quickly, not all clear."""
        crossings = [
            [] if self.is_clear(span, curve(span.start, span.end)) else _crossings(span, self._strips, self._rails)
            for span in spans
        ]
        _spread(crossing for found in crossings for crossing in found)
        return [_path(span.start, span.end, crossed) for span, crossed in zip(spans, crossings, strict=True)]

    def is_clear(self, span: Span, path: Path) -> bool:
        """True when a way touches no card but its own, and those not where it would run behind them."""
        xs, ys = zip(*path, strict=True)
        left, right, low, high = min(xs) - TOUCH, max(xs) + TOUCH, min(ys) - TOUCH, max(ys) + TOUCH
        near = [box for box in _between(left, right, self._strips, cut=False) if box.top < high and box.bottom > low]
        if path[0][0] < path[-1][0]:
            near = [box for box in near if box.id not in (span.source, span.target)]
        return not near or not touched(path, _rows(near, span)).any()

    def way_round(self, span: Span, path: Path, number: int) -> Path:
        """A way round all cards for a wire whose ``path`` is not clear; empty when there is none.

        Wires of different ``number`` keep other distances from the cards.
        """
        (left, low), (right, high) = span.start, span.end
        left, right = sorted((left, right))
        low, high = sorted((low, high))
        around = _between(left - AROUND, right + AROUND, self._strips, cut=False)
        near = [box for box in around if box.top < high + AROUND and box.bottom > low - AROUND]
        return detour(path, _rows(near, span), LANE * (number % LANES))


def curve(start: Point, end: Point) -> Path:
    """One piece from a port to a port: level at both ends; it swings out where the end lies left of the start."""
    across = end[0] - start[0]
    reach = across / 2 if across >= 0 else min(40.0 - 0.6 * across, 240.0)
    reach = max(reach, min(abs(end[1] - start[1]) / 4, 48.0), min(24.0, abs(across) / 2))
    return start, (start[0] + reach, start[1]), (end[0] - reach, end[1]), end


def _bend(start: Point, end: Point) -> Path:
    """One piece of a way of several, which keeps between its ends."""
    half = (start[0] + end[0]) / 2
    return start, (half, start[1]), (half, end[1]), end


def _path(start: Point, end: Point, crossings: Sequence[Crossing]) -> Path:
    if not crossings:
        return curve(start, end)
    stops = [start, *(p for c in crossings for p in ((c.left, c.at), (c.right, c.at))), end]
    path: list[Point] = [start]
    for stop in stops[1:]:
        if stop != path[-1]:
            path += _bend(path[-1], stop)[1:]
    return tuple(path)


def _box(node: Node, place: Point) -> Box:
    x, y = place
    return Box(node.id, x, y, x + node.width, y + node.height)


def _span(edge: Edge, nodes: Mapping[int, Node], places: Mapping[int, Point]) -> Span:
    source, target = nodes[edge.source], nodes[edge.target]
    (x0, y0), (x1, y1) = places[edge.source], places[edge.target]
    down = source.output if edge.start is None else edge.start
    return Span(source.id, target.id, (x0 + source.width, y0 + down), (x1, y1 + target.port(edge.port)))


def _crossings(span: Span, strips: Strips, rails: Sequence[Box]) -> list[Crossing]:
    """Where the wire crosses columns that are in its way; nothing for one that doesn't run from left to right."""
    start, end = span.start, span.end
    if end[0] - start[0] < 2 * CLEAR:
        return []
    between = [box for box in _between(start[0], end[0], strips) if box.id not in (span.source, span.target)]
    wire = (span.source, start[1])
    found: list[Crossing] = []
    for _ in range(ROUNDS):
        heights = [start[1], end[1], *(crossing.at for crossing in found)]
        beside = _beside(between, min(heights), max(heights))
        found = []
        here = start
        for column in _columns(beside):
            crossing = _crossing(column, [*between, *rails], here, start, end, wire)
            if crossing is not None:
                found.append(crossing)
                here = (crossing.right, crossing.at)
    return found


def _crossing(
    column: Sequence[Box], boxes: Sequence[Box], here: Point, start: Point, end: Point, wire: tuple[int, float]
) -> Crossing | None:
    """Where a wire that has come to ``here`` crosses a column; beside a card wider than its own it keeps its height."""
    left = max(column[0].left - CLEAR, here[0])
    right = min(max(box.right for box in column) + CLEAR, end[0])
    if left == start[0] and right == end[0]:
        return None
    if left == start[0] or right == end[0]:
        at = start[1] if left == start[0] else end[1]
        return Crossing(left, right, at, at, at, wire)
    share = ((left + right) / 2 - here[0]) / (end[0] - here[0])
    wanted = here[1] + (end[1] - here[1]) * share
    low, high = _gap([box for box in boxes if box.left < right and box.right > left], wanted)
    easy = min(EASY, (high - low) / 2)
    return Crossing(left, right, low, high, min(max(wanted, low + easy), high - easy), wire)


def _beside(boxes: Sequence[Box], low: float, high: float) -> list[Box]:
    """The cards that a wire between two heights may meet."""
    return [box for box in boxes if box.top - CLEAR < high and box.bottom + CLEAR > low]


def _between(left: float, right: float, strips: Strips, cut: bool = True) -> list[Box]:
    """The cards between two verticals, from left to right; with ``cut`` only what of them lies there."""
    found: dict[int, Box] = {}
    for strip in range(int(left // CELL), int(right // CELL) + 1):
        for box in strips.get(strip, ()):
            if box.left < right and box.right > left:
                found[box.id] = box
    boxes: Iterable[Box] = found.values()
    if cut:
        boxes = (Box(box.id, max(box.left, left), box.top, min(box.right, right), box.bottom) for box in boxes)
    return sorted(boxes, key=lambda box: (box.left, box.top))


def _columns(boxes: Sequence[Box]) -> list[list[Box]]:
    """Cards, sorted by their left edges, grouped into columns: those that overlap when seen from above."""
    columns: list[list[Box]] = []
    right = float("-inf")
    for box in boxes:
        if box.left < right:
            columns[-1].append(box)
        else:
            columns.append([box])
        right = max(right, box.right)
    return columns


def _gap(column: Sequence[Box], wanted: float) -> tuple[float, float]:
    """Lowest and highest place for a wire in the gap of a column that is nearest to ``wanted``."""
    best = (float("-inf"), float("inf"))
    distance = float("inf")
    free = float("-inf")
    for box in sorted(column, key=lambda box: box.top):
        low, high = free, box.top - CLEAR
        away = max(low - wanted, wanted - high, 0.0)
        if low <= high and away < distance:
            best, distance = (low, high), away
        free = max(free, box.bottom + CLEAR)
    return (free, float("inf")) if max(free - wanted, 0.0) < distance else best


def _rows(boxes: Iterable[Box], span: Span) -> np.ndarray:
    """Boxes as an array; those that aren't the wire's own are a little larger.

    A port may lie within its card: the card goes no further than to it.
    """
    rows = []
    for id_, left, top, right, bottom in boxes:
        margin = 0.0 if id_ in (span.source, span.target) else TOUCH
        if id_ == span.source:
            right = max(min(right, span.start[0]), left)
        if id_ == span.target:
            left = min(max(left, span.end[0]), right)
        rows.append((left - margin, top - margin, right + margin, bottom + margin))
    return np.array(rows).reshape(-1, 4)


def _spread(crossings: Iterable[Crossing]) -> None:
    """Give wires that cross a column through one gap heights of their own; those of one port stay together."""
    gaps: dict[tuple[float, float, float], list[Crossing]] = {}
    for crossing in crossings:
        gaps.setdefault((crossing.left, crossing.low, crossing.high), []).append(crossing)
    for (_, low, high), found in gaps.items():
        wires: dict[tuple[int, float], float] = {}
        for crossing in sorted(found, key=lambda crossing: crossing.at):
            wires.setdefault(crossing.wire, crossing.at)
        if len(wires) > 1:
            heights = _apart(list(wires.values()), low, high)
            wires = dict(zip(wires, heights, strict=True))
        for crossing in found:
            crossing.at = wires[crossing.wire]


def _apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Growing heights near to those wanted, a spacing apart, nearer together where the gap is too narrow."""
    spacing = min(SPACING, (high - low) / (len(wanted) - 1))
    offsets = [spacing * at for at in range(len(wanted))]
    last = offsets[-1]
    heights = fit(wanted, [1.0] * len(wanted), offsets)
    return [min(max(at, low + offset), high - last + offset) for at, offset in zip(heights, offsets, strict=True)]
