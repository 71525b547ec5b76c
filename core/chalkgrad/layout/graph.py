"""What a layout works on: rectangles with ports, wires between them, and the layered graph made of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Point = tuple[float, float]
Path = tuple[Point, ...]
"""Points of a cubic spline: the start, then two control points and an end for each piece."""

GRID = 8.0
COLUMN_GAP = 64.0
ROW_GAP = 40.0
"""Between the cards of a column: room for the line with an error that stands below a card."""
LANE = 8.0
"""Height kept free, in every column it crosses, for a wire that spans several; half a row gap lies on either side."""

WEIGHTS = (1.0, 2.0, 8.0)
"""How strongly a wire wants to be level, by how many of its ends are lanes: long wires run straight."""


@dataclass(frozen=True, slots=True)
class Node:
    """A rectangle to be placed; lengths are canvas units (1 px at 100%).

    ``inputs`` are the heights of its left ports below its top, ``output`` that of the right one. ``previous`` is
    where its top left corner lies now, None for one that is new; ``pinned_at`` where a person wants it to stay.
    """

    id: int
    width: float
    height: float
    inputs: tuple[float, ...] = ()
    output: float = 0.0
    pinned_at: Point | None = None
    previous: Point | None = None

    def port(self, index: int) -> float:
        """Height of a left port below the top; the middle for a port the node doesn't list."""
        return self.inputs[index] if 0 <= index < len(self.inputs) else self.height / 2


class Edge(NamedTuple):
    """A wire from a node's right side to port number ``port`` of another.

    ``start`` is the height it leaves at below the source's top, where that is not the node's ``output``.
    """

    source: int
    target: int
    port: int = 0
    start: float | None = None


class Link(NamedTuple):
    """The far end of a wire between neighbouring columns.

    ``here`` and ``there`` are the heights of its ports below the tops of this vertex and of ``vertex``; ``weight`` is
    how strongly the wire wants to be level.
    """

    vertex: int
    here: float
    there: float
    weight: float


@dataclass(slots=True)
class Layered:
    """A graph whose every wire joins neighbouring columns: long wires go through lanes, vertices of their own.

    Vertices below ``cards`` are the nodes in the order given, the others are lanes. ``rows`` lists the vertices of
    each column from top to bottom; ``left`` and ``right`` the wires to the columns on either side.
    """

    cards: int
    heights: list[float]
    column: list[int]
    rows: list[list[int]]
    left: list[list[Link]] = field(default_factory=list)
    right: list[list[Link]] = field(default_factory=list)

    def pitch(self, row: Sequence[int]) -> list[float]:
        """How far below the first vertex's top each of the row begins when all are packed."""
        offsets: list[float] = []
        top, cards, heights = 0.0, self.cards, self.heights
        beside_lane = True
        for vertex in row:
            lane = vertex >= cards
            if offsets:
                top += ROW_GAP / 2 if lane or beside_lane else ROW_GAP
            offsets.append(top)
            top += heights[vertex]
            beside_lane = lane
        return offsets


def layered(nodes: Sequence[Node], edges: Sequence[Edge], column: Sequence[int]) -> Layered:
    """The layered graph of ``nodes`` in the given columns; wires that don't run from left to right are left out."""
    index = {node.id: at for at, node in enumerate(nodes)}
    rows: list[list[int]] = [[] for _ in range(max(column, default=-1) + 1)]
    for vertex, at in enumerate(column):
        rows[at].append(vertex)
    graph = Layered(len(nodes), [node.height for node in nodes], list(column), rows)
    graph.left = [[] for _ in nodes]
    graph.right = [[] for _ in nodes]
    lanes: dict[tuple[int, float, int], int] = {}
    for edge in edges:
        source, target = index[edge.source], index[edge.target]
        start = nodes[source].output if edge.start is None else edge.start
        at, height = source, start
        for here in range(column[source] + 1, column[target]):
            key = (source, start, here)
            if key not in lanes:
                lanes[key] = _add_lane(graph, here)
                _join(graph, at, height, lanes[key], LANE / 2)
            at, height = lanes[key], LANE / 2
        if column[source] < column[target]:
            _join(graph, at, height, target, nodes[target].port(edge.port))
    return graph


def _add_lane(graph: Layered, column: int) -> int:
    vertex = len(graph.heights)
    graph.heights.append(LANE)
    graph.column.append(column)
    graph.rows[column].append(vertex)
    graph.left.append([])
    graph.right.append([])
    return vertex


def _join(graph: Layered, source: int, start: float, target: int, end: float) -> None:
    lanes = (source >= graph.cards) + (target >= graph.cards)
    graph.right[source].append(Link(target, start, end, WEIGHTS[lanes]))
    graph.left[target].append(Link(source, end, start, WEIGHTS[lanes]))
