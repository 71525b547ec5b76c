"""Ways of the wires: cubic curves from port to port that go round the cards in between.

A way is made from where the cards lie now, so it holds for a drawing moved by hand as well as for a tidy one, in
which lanes were kept free. A short wire is one curve. A long one that would run through cards crosses each column
that is in its way through a gap, level, and takes curves from gap to gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chalkgrad.layout.graph import Edge, Node, Point
from chalkgrad.layout.isotonic import fit

Path = tuple[Point, ...]
"""Points of a cubic spline: the start, then two control points and an end for each piece."""

CLEAR = 6.0
"""How near to a card a wire may run."""
REACH = 48.0
"""Least length of the handles of a wire that runs backwards."""
SPACING = 6.0
"""Between wires that share a gap."""
ROUNDS = 3
"""Times a way is made: each minds also the cards that the last one came near to."""
CELL = 256.0
"""Width of the strips that cards are looked up by."""


@dataclass(frozen=True, slots=True)
class Box:
    """A card on the canvas."""

    id: int
    left: float
    top: float
    right: float
    bottom: float


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
    strips = _strips(known, places)
    ends: list[tuple[Point, Point] | None] = []
    crossings: list[list[Crossing]] = []
    for edge in edges:
        if edge.source not in known or edge.target not in known:
            ends.append(None)
            crossings.append([])
            continue
        start, end = _ends(edge, known, places)
        ends.append((start, end))
        crossings.append(_crossings(edge, start, end, strips))
    _spread(crossing for found in crossings for crossing in found)
    return [_path(*pair, found) if pair else () for pair, found in zip(ends, crossings, strict=True)]


def curve(start: Point, end: Point) -> Path:
    """One piece from a port to a port: level at both ends; it swings out where the end lies left of the start."""
    across = end[0] - start[0]
    reach = across / 2 if across >= 2 * CLEAR else max(REACH, abs(end[1] - start[1]) / 4)
    return start, (start[0] + reach, start[1]), (end[0] - reach, end[1]), end


def _path(start: Point, end: Point, crossings: Sequence[Crossing]) -> Path:
    stops = [start, *(p for c in crossings for p in ((c.left, c.at), (c.right, c.at))), end]
    path: list[Point] = [start]
    for stop in stops[1:-1]:
        if stop != path[-1]:
            path += curve(path[-1], stop)[1:]
    return (*path, *curve(path[-1], end)[1:]) if path[-1] != end else tuple(path)


def _ends(edge: Edge, nodes: Mapping[int, Node], places: Mapping[int, Point]) -> tuple[Point, Point]:
    source, target = nodes[edge.source], nodes[edge.target]
    (x0, y0), (x1, y1) = places[edge.source], places[edge.target]
    down = source.output if edge.start is None else edge.start
    return (x0 + source.width, y0 + down), (x1, y1 + target.port(edge.port))


def _strips(nodes: Mapping[int, Node], places: Mapping[int, Point]) -> dict[int, list[Box]]:
    """All cards by the vertical strips that they touch."""
    strips: dict[int, list[Box]] = {}
    for node in nodes.values():
        x, y = places[node.id]
        box = Box(node.id, x, y, x + node.width, y + node.height)
        for strip in range(int(box.left // CELL), int(box.right // CELL) + 1):
            strips.setdefault(strip, []).append(box)
    return strips


def _crossings(edge: Edge, start: Point, end: Point, strips: Mapping[int, list[Box]]) -> list[Crossing]:
    """Where the wire crosses columns that are in its way; nothing when the plain curve is clear."""
    if end[0] - start[0] < 2 * CLEAR:
        return []
    between = [box for box in _between(start[0], end[0], strips) if box.id not in (edge.source, edge.target)]
    if not _runs_through(start, end, between):
        return []
    wire = (edge.source, start[1])
    found: list[Crossing] = []
    for _ in range(ROUNDS):
        heights = [start[1], end[1], *(crossing.at for crossing in found)]
        beside = _beside(between, min(heights), max(heights))
        found = []
        here = start
        for column in _columns(beside):
            crossing = _crossing(column, between, here, start, end, wire)
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
    return Crossing(left, right, low, high, min(max(wanted, low), high), wire)


def _beside(boxes: Sequence[Box], low: float, high: float) -> list[Box]:
    """The cards that a wire between two heights may meet."""
    return [box for box in boxes if box.top - CLEAR < high and box.bottom + CLEAR > low]


def _between(left: float, right: float, strips: Mapping[int, list[Box]]) -> list[Box]:
    """What stands between two verticals of cards that overlap it when seen from above, from left to right."""
    found: dict[int, Box] = {}
    for strip in range(int(left // CELL), int(right // CELL) + 1):
        for box in strips.get(strip, ()):
            if box.left < right and box.right > left:
                found[box.id] = box
    cut = (Box(box.id, max(box.left, left), box.top, min(box.right, right), box.bottom) for box in found.values())
    return sorted(cut, key=lambda box: (box.left, box.top))


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


def _runs_through(start: Point, end: Point, boxes: Sequence[Box]) -> bool:
    """True when the plain curve touches a card."""
    near = _beside(boxes, *sorted((start[1], end[1])))
    if not near:
        return False
    across, down = end[0] - start[0], end[1] - start[1]
    steps = int(min(max((across + abs(down)) / 16, 8), 160))
    for step in range(1, steps):
        t = step / steps
        rest = 1 - t
        # Both handles are half as long as the wire is wide: (0, 0) (1/2, 0) (1/2, 1) (1, 1).
        x = start[0] + across * (1.5 * rest * t + t**3)
        y = start[1] + down * (3 * rest + t) * t * t
        if any(box.left <= x <= box.right and box.top - CLEAR < y < box.bottom + CLEAR for box in near):
            return True
    return False


def _spread(crossings: Iterator[Crossing]) -> None:
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
