"""How high each vertex of a column lies: as near to its neighbours' ports as the others of the column let it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chalkgrad.layout.graph import Layered, Link
from chalkgrad.layout.isotonic import fit

ROUNDS = 10
PIN = 1e9
"""Weight of a pinned node: nothing moves it."""
UNTIED = 0.1
"""Weight of a vertex without neighbours on the side looked at: it gives way to all others."""


def pack(graph: Layered) -> list[float]:
    """Heights of all vertices with every row packed around 0."""
    tops = [0.0] * len(graph.heights)
    for row in graph.rows:
        pitch = graph.pitch(row)
        middle = (pitch[-1] + graph.heights[row[-1]]) / 2 if row else 0.0
        for vertex, offset in zip(row, pitch, strict=True):
            tops[vertex] = offset - middle
    return tops


def links(graph: Layered, vertex: int, side: int) -> list[Link]:
    """The wires on the side looked at: -1 left, 1 right, 0 both; the other side's where that one has none."""
    if side < 0:
        return graph.left[vertex] or graph.right[vertex]
    if side > 0:
        return graph.right[vertex] or graph.left[vertex]
    return graph.left[vertex] + graph.right[vertex]


def settle(
    graph: Layered,
    tops: list[float],
    row: Sequence[int],
    side: int,
    pins: Mapping[int, float],
    pitch: Sequence[float] | None = None,
) -> None:
    """Put the vertices of ``row``, in this order, as near as they can come to level with their neighbours.

    ``pitch`` is the row's, where it is known.
    """
    wanted, weights = [], []
    for vertex in row:
        total = weight = 0.0
        for there, down, up, strength in links(graph, vertex, side):
            total += strength * (tops[there] + up - down)
            weight += strength
        wanted.append(total / weight if weight else tops[vertex])
        weights.append(weight or UNTIED)
    for at, vertex in enumerate(row if pins else ()):
        if vertex in pins:
            wanted[at], weights[at] = pins[vertex], PIN
    for vertex, top in zip(row, fit(wanted, weights, graph.pitch(row) if pitch is None else pitch), strict=True):
        tops[vertex] = top


def heights(graph: Layered, pins: Mapping[int, float], tops: Sequence[float] | None = None) -> list[float]:
    """The top of every vertex in the order that ``graph.rows`` has now; ``pins`` are tops that stay.

    Without ``tops`` to begin with, rows begin packed around 0.
    """
    found = pack(graph) if tops is None else list(tops)
    rows = [(row, graph.pitch(row)) for row in graph.rows]
    for turn in range(ROUNDS):
        side = (-1, 1, 0)[turn % 3]
        for row, pitch in rows if side <= 0 else reversed(rows):
            settle(graph, found, row, side, pins, pitch)
    return found
