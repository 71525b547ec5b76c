"""Tidying: a layered drawing from left to right in which little moves that needn't."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from chalkgrad.layout.free import Rect, down_to_grid, free_place, is_free, up_to_grid
from chalkgrad.layout.graph import COLUMN_GAP, GRID, ROW_GAP, Edge, Layered, Node, Point, layered
from chalkgrad.layout.layers import columns
from chalkgrad.layout.order import Report, arrange, silent
from chalkgrad.layout.place import heights

PART_GAP = 56.0
"""Between parts of the graph that no wire joins, which lie one below the other."""


def tidy(nodes: Sequence[Node], edges: Sequence[Edge], report: Report = silent) -> dict[int, Point]:
    """The top left corner of every node, by id, on the grid; pinned nodes exactly where they are pinned.

    Wires run from left to right, operands in the order of their ports. The order in which nodes lie now is kept where
    it is nearly as good as a fresh one, and as many as can be stay where they are. Nothing overlaps; two pinned nodes
    may. The same input gives the same drawing. ``report`` is told how much is done.
    """
    known = {node.id for node in nodes}
    wires = [edge for edge in edges if edge.source in known and edge.target in known and edge.source != edge.target]
    placed: dict[int, Point] = {}
    taken: list[Rect] = []
    parts = _parts(nodes, wires)
    parts.sort(key=lambda part: not any(node.pinned_at for node in part[0]))
    below, done = 0.0, 0
    for members, inside in parts:
        found = _tidy_part(members, inside, _share(report, done / len(nodes), len(members) / len(nodes)))
        done += len(members)
        if not any(node.pinned_at for node in members):
            found = _moved_below(found, members, taken, below)
            gap = PART_GAP if len(members) > 1 else ROW_GAP
            below = max(found[node.id][1] + node.height for node in members) + gap
        taken.append(bounds(members, found))
        placed.update(found)
    if any(node.pinned_at for node in nodes):
        return _without_overlaps(nodes, placed)
    return moved_to(placed, nodes)


def moved_to(places: Mapping[int, Point], nodes: Iterable[Node]) -> dict[int, Point]:
    """The whole drawing moved, on the grid, so that most nodes stay where they lay."""
    old = [(node.previous, places[node.id]) for node in nodes if node.previous is not None]
    across = down_to_grid(median(was[0] - now[0] for was, now in old) + GRID / 2) if old else 0.0
    down = down_to_grid(median(was[1] - now[1] for was, now in old) + GRID / 2) if old else 0.0
    return {id_: (x + across, y + down) for id_, (x, y) in places.items()}


def _share(report: Report, start: float, part: float) -> Report:
    """Reports of a part of the work, told as reports of the whole."""

    def tell(done: float) -> None:
        report(start + part * done)

    return tell


def _tidy_part(nodes: Sequence[Node], edges: Sequence[Edge], report: Report) -> dict[int, Point]:
    """One connected part, its top left corner at the origin, or at its pins."""
    index = {node.id: at for at, node in enumerate(nodes)}
    column = columns(len(nodes), [(index[edge.source], index[edge.target]) for edge in edges])
    graph = layered(nodes, edges, column)
    arrange(graph, [_middle(node) for node in nodes], report)
    tops = heights(graph, {})
    report(1.0)
    lefts = _lefts(nodes, column)
    pins = {at: node.pinned_at for at, node in enumerate(nodes) if node.pinned_at is not None}
    if pins:
        across = down_to_grid(median(x - lefts[at] for at, (x, _) in pins.items()))
        down = median(y - tops[at] for at, (_, y) in pins.items())
        lefts = [left + across for left in lefts]
        tops = heights(graph, {at: y for at, (_, y) in pins.items()}, [top + down for top in tops])
    else:
        least = min(tops[: len(nodes)], default=0.0)
        tops = [top - least for top in tops]
    tops = _on_grid(graph, tops)
    return {node.id: node.pinned_at or (lefts[at], tops[at]) for at, node in enumerate(nodes)}


def _lefts(nodes: Sequence[Node], column: Sequence[int]) -> list[float]:
    """The left edge of every node: that of its column."""
    widths = [0.0] * (max(column, default=-1) + 1)
    for node, at in zip(nodes, column, strict=True):
        widths[at] = max(widths[at], node.width)
    edge, edges = 0.0, []
    for width in widths:
        edges.append(edge)
        edge = up_to_grid(edge + width + COLUMN_GAP)
    return [edges[at] for at in column]


def _on_grid(graph: Layered, tops: Sequence[float]) -> list[float]:
    """Tops of the nodes as multiples of the grid that keep their gaps."""
    snapped = [0.0] * graph.cards
    for row in graph.rows:
        free = float("-inf")
        for vertex in row:
            if vertex >= graph.cards:
                continue
            top = down_to_grid(tops[vertex] + GRID / 2)
            snapped[vertex] = top if top >= free else up_to_grid(free)
            free = snapped[vertex] + graph.heights[vertex] + ROW_GAP
    return snapped


def _middle(node: Node) -> float | None:
    at = node.pinned_at or node.previous
    return None if at is None else at[1] + node.height / 2


def _parts(nodes: Sequence[Node], edges: Sequence[Edge]) -> list[tuple[list[Node], list[Edge]]]:
    """The connected parts, from top to bottom as they lie now, new ones last in the order of their nodes."""
    root = {node.id: node.id for node in nodes}

    def find(id_: int) -> int:
        while root[id_] != id_:
            root[id_] = root[root[id_]]
            id_ = root[id_]
        return id_

    for edge in edges:
        root[find(edge.target)] = find(edge.source)
    parts: dict[int, tuple[list[Node], list[Edge]]] = {}
    for node in nodes:
        parts.setdefault(find(node.id), ([], []))[0].append(node)
    for edge in edges:
        parts[find(edge.source)][1].append(edge)
    return sorted(parts.values(), key=lambda part: min((n.previous[1] for n in part[0] if n.previous), default=1e18))


def _moved_below(
    found: Mapping[int, Point], nodes: Sequence[Node], taken: list[Rect], below: float
) -> dict[int, Point]:
    """A part moved down to ``below``, and further where a pinned part is in the way."""
    left, top, width, height = bounds(nodes, found)
    at = up_to_grid(below)
    while not is_free(taken, (left, at), (width, height), PART_GAP / 2):
        hit = [rect for rect in taken if not is_free([rect], (left, at), (width, height), PART_GAP / 2)]
        at = up_to_grid(max(y + h for _, y, _, h in hit) + PART_GAP)
    return {id_: (x, y - top + at) for id_, (x, y) in found.items()}


def _without_overlaps(nodes: Sequence[Node], placed: dict[int, Point]) -> dict[int, Point]:
    """Where pins got in the way, the others move to the nearest free place."""
    taken = [(*node.pinned_at, node.width, node.height) for node in nodes if node.pinned_at is not None]
    for node in sorted(nodes, key=lambda node: placed[node.id]):
        if node.pinned_at is None:
            size = (node.width, node.height)
            if not is_free(taken, placed[node.id], size, 0.0):
                placed[node.id] = free_place(taken, placed[node.id], size)
            taken.append((*placed[node.id], *size))
    return placed


def bounds(nodes: Sequence[Node], placed: Mapping[int, Point]) -> Rect:
    """The rectangle around nodes where they are placed."""
    left = min(placed[node.id][0] for node in nodes)
    top = min(placed[node.id][1] for node in nodes)
    right = max(placed[node.id][0] + node.width for node in nodes)
    bottom = max(placed[node.id][1] + node.height for node in nodes)
    return left, top, right - left, bottom - top
