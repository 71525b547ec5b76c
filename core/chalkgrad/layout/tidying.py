"""Tidying: a layered drawing from left to right in which little moves that needn't."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from chalkgrad.layout import pack
from chalkgrad.layout.free import Rect, down_to_grid, free_place, is_free, up_to_grid
from chalkgrad.layout.graph import COLUMN_GAP, GRID, ROW_GAP, Edge, Layered, Node, Point, layered
from chalkgrad.layout.layers import finding_columns
from chalkgrad.layout.order import Report, arrange, silent
from chalkgrad.layout.place import heights
from chalkgrad.layout.wrapping import left_edges, wrapped
from chalkgrad.stepwise import Stepwise, finished, share

PART_GAP = 56.0
"""Below parts of the graph that no wire joins."""


def tidy(nodes: Sequence[Node], edges: Sequence[Edge], report: Report = silent) -> dict[int, Point]:
    """The top left corner of every node, by id, on the grid; pinned nodes exactly where they are pinned.

    Wires run from left to right, operands in the order of their ports. The order in which nodes lie now is kept where
    it is nearly as good as a fresh one, and as many as can be stay where they are. Nothing overlaps; two pinned nodes
    may. The same input gives the same drawing. ``report`` is told how much is done.
    """
    placed: dict[int, Point] = {}
    parts, done = _parts(nodes, edges), 0
    for members, inside in parts:
        placed.update(_tidy_part(members, inside, _share(report, done / len(nodes), len(members) / len(nodes))))
        done += len(members)
    free = [members for members, _ in parts if not any(node.pinned_at for node in members)]
    placed.update(_packed(free, placed))
    if len(free) == len(parts):
        return moved_to(placed, nodes)
    loose = [node for members in free for node in members]
    placed.update(moved_to({node.id: placed[node.id] for node in loose}, loose))
    pinned = [members for members, _ in parts if any(node.pinned_at for node in members)]
    return _without_overlaps(nodes, _clear_of(free, pinned, placed))


def rough(nodes: Sequence[Node], edges: Sequence[Edge]) -> Stepwise[dict[int, Point]]:
    """Quick places until ``tidy`` is done, in steps: its columns, in each of them the nodes in their order."""
    parts = _parts(nodes, edges)
    yield 0.2
    found: dict[int, Point] = {}
    for members, inside in parts:
        start, end = (0.2 + 0.6 * done / len(nodes) for done in (len(found), len(found) + len(members)))
        column = yield from share(_finding_columns(members, inside), start, end)
        yield end
        below = [0.0] * len(members)
        for node, left, at in zip(members, left_edges(members, column), column, strict=True):
            found[node.id] = (left, below[at])
            below[at] = up_to_grid(below[at] + node.height + ROW_GAP)
    return _packed([members for members, _ in parts], found)


def packed(nodes: Sequence[Node], edges: Sequence[Edge], places: Mapping[int, Point]) -> dict[int, Point]:
    """A drawing whose unconnected parts are packed into rows, moved to where most of its nodes lay."""
    return moved_to(_packed([members for members, _ in _parts(nodes, edges)], places), nodes)


def moved_to(places: Mapping[int, Point], nodes: Iterable[Node]) -> dict[int, Point]:
    """The whole drawing moved, on the grid, so that most nodes stay where they lay."""
    old = [(node.previous, places[node.id]) for node in nodes if node.previous is not None]
    across = down_to_grid(_median(was[0] - now[0] for was, now in old) + GRID / 2) if old else 0.0
    down = down_to_grid(_median(was[1] - now[1] for was, now in old) + GRID / 2) if old else 0.0
    return {id_: (x + across, y + down) for id_, (x, y) in places.items()}


def _share(report: Report, start: float, part: float) -> Report:
    """Reports of a part of the work, told as reports of the whole."""

    def tell(done: float) -> None:
        report(start + part * done)

    return tell


def _tidy_part(nodes: Sequence[Node], edges: Sequence[Edge], report: Report) -> dict[int, Point]:
    """One connected part, its top left corner at the origin, or at its pins."""
    if len(nodes) == 1:
        report(1.0)
        return {nodes[0].id: nodes[0].pinned_at or (0.0, 0.0)}
    column = _columns(nodes, edges)
    graph = layered(nodes, edges, column)
    arrange(graph, [_middle(node) for node in nodes], report)
    tops = heights(graph, {})
    report(1.0)
    lefts = left_edges(nodes, column)
    pins = {at: node.pinned_at for at, node in enumerate(nodes) if node.pinned_at is not None}
    if not pins:
        places = wrapped(nodes, edges, column, _from_top(graph, tops), _settled)
        return {node.id: place for node, place in zip(nodes, places, strict=True)}
    rows = _rows_at_pins(nodes, edges, column, _from_top(graph, tops), pins)
    if rows:
        return rows
    across = down_to_grid(_median(x - lefts[at] for at, (x, _) in pins.items()))
    down = _median(y - tops[at] for at, (_, y) in pins.items())
    lefts = [left + across for left in lefts]
    tops = _on_grid(graph, heights(graph, {at: y for at, (_, y) in pins.items()}, [top + down for top in tops]))
    return {node.id: node.pinned_at or (lefts[at], tops[at]) for at, node in enumerate(nodes)}


def _from_top(graph: Layered, tops: Sequence[float]) -> list[float]:
    """The tops on the grid, the first of the nodes at 0."""
    least = min(tops[: graph.cards], default=0.0)
    return _on_grid(graph, [top - least for top in tops])


def _rows_at_pins(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    column: Sequence[int],
    tops: Sequence[float],
    pins: Mapping[int, Point],
) -> dict[int, Point]:
    """A drawing in several rows that has its pinned nodes, but for little, where they are pinned; else nothing.

    What somebody has in one row stays in one.
    """
    if not _leads_back(nodes, edges):
        return {}
    places = wrapped(nodes, edges, column, tops, _settled)
    if places == list(zip(left_edges(nodes, column), tops, strict=True)):
        return {}
    ways = [(x - places[at][0], y - places[at][1]) for at, (x, y) in pins.items()]
    across, down = (down_to_grid(_median(way[axis] for way in ways) + GRID / 2) for axis in (0, 1))
    if any(abs(x - across) > COLUMN_GAP or abs(y - down) > ROW_GAP for x, y in ways):
        return {}
    moved = ((x + across, y + down) for x, y in places)
    return {node.id: node.pinned_at or place for node, place in zip(nodes, moved, strict=True)}


def _leads_back(nodes: Sequence[Node], edges: Sequence[Edge]) -> bool:
    """True where a wire leads to the left as the nodes lie now: into the next row, or all about."""
    lying = {node.id: (at[0], node.width) for node in nodes if (at := node.pinned_at or node.previous) is not None}
    ends = ((lying[edge.source], lying[edge.target]) for edge in edges if {edge.source, edge.target} <= lying.keys())
    return any(left + width > end for (left, width), (end, _) in ends)


def _settled(nodes: Sequence[Node], edges: Sequence[Edge], column: Sequence[int], tops: Sequence[float]) -> list[float]:
    """The tops of nodes by themselves, in the order in which they lie among others."""
    graph = layered(nodes, edges, column)
    arrange(graph, [top + node.height / 2 for node, top in zip(nodes, tops, strict=True)])
    return _on_grid(graph, heights(graph, {}))


def _columns(nodes: Sequence[Node], edges: Sequence[Edge]) -> list[int]:
    return finished(_finding_columns(nodes, edges))


def _finding_columns(nodes: Sequence[Node], edges: Sequence[Edge]) -> Stepwise[list[int]]:
    index = {node.id: at for at, node in enumerate(nodes)}
    return (yield from finding_columns(len(nodes), [(index[edge.source], index[edge.target]) for edge in edges]))


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
    """The connected parts, in the order of their first nodes, with their wires: those between two known nodes."""
    root = {node.id: node.id for node in nodes}

    def find(id_: int) -> int:
        while root[id_] != id_:
            root[id_] = root[root[id_]]
            id_ = root[id_]
        return id_

    wires = [edge for edge in edges if edge.source in root and edge.target in root and edge.source != edge.target]
    for edge in wires:
        root[find(edge.target)] = find(edge.source)
    parts: dict[int, tuple[list[Node], list[Edge]]] = {}
    for node in nodes:
        parts.setdefault(find(node.id), ([], []))[0].append(node)
    for edge in wires:
        parts[find(edge.source)][1].append(edge)
    return list(parts.values())


def _packed(parts: Sequence[Sequence[Node]], places: Mapping[int, Point]) -> dict[int, Point]:
    """The nodes of unconnected parts with these in rows, see ``pack``."""
    boxes = [bounds(members, places) for members in parts]
    corners = pack.packed([_as_part(members, box) for members, box in zip(parts, boxes, strict=True)])
    found: dict[int, Point] = {}
    for members, box, corner in zip(parts, boxes, corners, strict=True):
        found.update(_shifted(members, places, corner[0] - box[0], corner[1] - box[1]))
    return found


def _as_part(nodes: Sequence[Node], box: Rect) -> pack.Part:
    """A part as it is packed: single nodes may stand nearer to each other than graphs do."""
    lay = {node.id: node.previous for node in nodes if node.previous is not None}
    was = bounds([node for node in nodes if node.id in lay], lay) if lay else None
    return pack.Part(box[2], box[3], PART_GAP if len(nodes) > 1 else ROW_GAP, was)


def _shifted(nodes: Iterable[Node], places: Mapping[int, Point], across: float, down: float) -> dict[int, Point]:
    return {node.id: (places[node.id][0] + across, places[node.id][1] + down) for node in nodes}


def _clear_of(
    parts: Sequence[Sequence[Node]], pinned: Sequence[Sequence[Node]], placed: Mapping[int, Point]
) -> dict[int, Point]:
    """The drawing with each part that would come too near to pinned ones moved to the nearest free place."""
    found = dict(placed)
    stay = [bounds(members, placed) for members in pinned]
    boxes = [bounds(members, placed) for members in parts]
    near = [not is_free(stay, (x, y), (width, height), PART_GAP / 2) for x, y, width, height in boxes]
    taken = stay + [box for box, moves in zip(boxes, near, strict=True) if not moves]
    for members, (x, y, width, height), moves in zip(parts, boxes, near, strict=True):
        if moves:
            left, top = free_place(taken, (x, y), (width, height))
            found.update(_shifted(members, placed, left - x, top - y))
            taken.append((left, top, width, height))
    return found


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


def _median(numbers: Iterable[float]) -> float:
    return float(np.median(list(numbers)))
