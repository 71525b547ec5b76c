"""Rows: a quick layout from top to bottom, read like the figure of a lecture.

What an operator reads stands in rows above it. It hangs below what it reads itself of results, or below the first leaf
that it reads, so that a chain is a column; the other leaves stand beside, in the row above their first reader. It takes
one pass over cards and wires, so it can be worked out anew with every edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import NamedTuple

from chalkgrad.layout.graph import Edge, Point
from chalkgrad.layout.isotonic import fit
from chalkgrad.layout.task import Group
from chalkgrad.stepwise import Stepwise

ROW_GAP, COLUMN_GAP = 56.0, 48.0
LIGHT = 1e-6
"""How strongly a leaf keeps to its place: operators are not moved by it."""


class Brick(NamedTuple):
    """A rectangle to be placed. ``base`` is how far below its top the line is by which its row is aligned."""

    id: int
    width: float
    height: float
    base: float = 0.0


@dataclass(slots=True)
class _Rows:
    """Bricks by their place in the list, what each reads and who reads each, and the row of each."""

    bricks: Sequence[Brick]
    reads: list[list[int]]
    readers: list[list[int]]
    row: list[int] = field(default_factory=list)


def in_rows(bricks: Sequence[Brick], edges: Sequence[Edge], groups: Sequence[Group] = ()) -> Stepwise[dict[int, Point]]:
    """The top left corners of bricks. Members of a group stand together; a group inside another comes before it."""
    inside: dict[int, dict[int, Point]] = {}
    rest = {brick.id: brick for brick in bricks}
    holds = {brick.id: frozenset({brick.id}) for brick in bricks}
    for group in groups:
        members = [brick for id_, brick in rest.items() if holds[id_] <= group.members]
        if not members:
            continue
        chosen = {brick.id for brick in members}
        places = yield from _laid(members, edges)
        left, top, width, height = _around(members, places)
        margin = group.margin
        inside[group.id] = {id_: (x - left + margin, y - top + margin + group.title) for id_, (x, y) in places.items()}
        card = Brick(group.id, width + 2 * margin, height + 2 * margin + group.title)
        rest = {id_: brick for id_, brick in rest.items() if id_ not in chosen} | {group.id: card}
        edges = [_redirected(edge, chosen, group.id) for edge in edges if not {edge.source, edge.target} <= chosen]
        holds[group.id] = frozenset().union(*(holds[id_] for id_ in chosen))
    places = yield from _laid(list(rest.values()), edges)
    return _opened(places, inside)


def _redirected(edge: Edge, members: set[int], group: int) -> Edge:
    source = group if edge.source in members else edge.source
    target = group if edge.target in members else edge.target
    return Edge(source, target, edge.port)


def _opened(places: Mapping[int, Point], inside: Mapping[int, Mapping[int, Point]]) -> dict[int, Point]:
    """The members of groups where their groups are, inner groups last."""
    found = dict(places)
    for group in reversed(list(inside)):
        left, top = found.pop(group)
        found |= {id_: (left + x, top + y) for id_, (x, y) in inside[group].items()}
    return found


def _around(bricks: Sequence[Brick], places: Mapping[int, Point]) -> tuple[float, float, float, float]:
    boxes = [(*places[brick.id], brick.width, brick.height) for brick in bricks]
    left, top = min(x for x, _, _, _ in boxes), min(y for _, y, _, _ in boxes)
    right, bottom = max(x + w for x, _, w, _ in boxes), max(y + h for _, y, _, h in boxes)
    return left, top, right - left, bottom - top


def _laid(bricks: Sequence[Brick], edges: Sequence[Edge]) -> Stepwise[dict[int, Point]]:
    index = {brick.id: number for number, brick in enumerate(bricks)}
    reads: list[list[int]] = [[] for _ in bricks]
    readers: list[list[int]] = [[] for _ in bricks]
    for edge in sorted(edges, key=lambda edge: edge.port):
        if edge.source in index and edge.target in index and edge.source != edge.target:
            source, target = index[edge.source], index[edge.target]
            if source not in reads[target]:
                reads[target].append(source)
                readers[source].append(target)
    graph = _Rows(bricks, reads, readers)
    graph.row = _depths(graph)
    rows = _by_row(graph)
    centres = [0.0] * len(bricks)
    for done, row in enumerate(rows):
        _place_row(graph, row, centres)
        yield 0.5 * done / len(rows)
    if len(rows) > 1 and _sort_first(graph, rows[0], centres):
        for done, row in enumerate(rows):
            _place_row(graph, row, centres)
            yield 0.5 + 0.5 * done / len(rows)
    return _corners(graph, rows, centres)


def _depths(graph: _Rows) -> list[int]:
    """How many rows down each brick is; what reads nothing stands in the row above its first reader."""
    depth = [0] * len(graph.bricks)
    waits = [len(reads) for reads in graph.reads]
    ready = [number for number, count in enumerate(waits) if not count]
    for number in ready:
        for reader in graph.readers[number]:
            depth[reader] = max(depth[reader], depth[number] + 1)
            waits[reader] -= 1
            if not waits[reader]:
                ready.append(reader)
    for number, readers in enumerate(graph.readers):
        if not graph.reads[number] and readers:
            depth[number] = min(depth[reader] for reader in readers) - 1
    return depth


def _by_row(graph: _Rows) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(max(graph.row, default=-1) + 1)]
    for number, row in enumerate(graph.row):
        rows[row].append(number)
    return rows


def _place_row(graph: _Rows, row: list[int], centres: list[float]) -> None:
    """The middles of the bricks of a row: operators below what they read, then leaves beside them."""
    wanted = {number: _below(graph, number, centres) for number in row if graph.reads[number]}
    order = sorted(wanted, key=wanted.__getitem__)
    leaves = [number for number in row if not graph.reads[number]]
    for number in leaves:
        beside, after = _beside(graph, number, order)
        wanted[number] = wanted[order[beside]] if order else 0.0
        order.insert(beside + after, number)
    steps = [0.0]
    for one, other in pairwise(order):
        steps.append(steps[-1] + (graph.bricks[one].width + graph.bricks[other].width) / 2 + COLUMN_GAP)
    weights = [1.0 if graph.reads[number] else LIGHT for number in order]
    for number, centre in zip(order, fit([wanted[number] for number in order], weights, steps), strict=True):
        centres[number] = centre


def _below(graph: _Rows, number: int, centres: list[float]) -> float:
    """Where an operator wants to stand: below the middle of the results that it reads, else below its first leaf."""
    results = [centres[source] for source in graph.reads[number] if graph.reads[source]]
    return sum(results) / len(results) if results else centres[graph.reads[number][0]]


def _beside(graph: _Rows, number: int, order: Sequence[int]) -> tuple[int, bool]:
    """Beside which of a row's bricks a leaf goes, and whether after it: beside what its first reader reads, too."""
    reader = min(graph.readers[number], key=lambda reader: (graph.row[reader], reader), default=None)
    if reader is not None:
        reads = graph.reads[reader]
        mine = reads.index(number)
        near = [(abs(reads.index(other) - mine), place) for place, other in enumerate(order) if other in reads]
        if near:
            place = min(near)[1]
            return place, reads.index(order[place]) < mine
    return max(len(order) - 1, 0), True


def _sort_first(graph: _Rows, row: list[int], centres: list[float]) -> bool:
    """Put the leaves of the first row into the order of their readers; False when they are in it."""
    wanted = {}
    for number in row:
        places = [(centres[reader], graph.reads[reader].index(number)) for reader in graph.readers[number]]
        wanted[number] = min(places, default=(inf, 0))
    before = list(row)
    row.sort(key=wanted.__getitem__)
    return row != before


def _corners(graph: _Rows, rows: Sequence[Sequence[int]], centres: list[float]) -> dict[int, Point]:
    found: dict[int, Point] = {}
    top = 0.0
    for row in rows:
        bricks = [graph.bricks[number] for number in row]
        base = top + max(brick.base for brick in bricks)
        for number, brick in zip(row, bricks, strict=True):
            found[brick.id] = (centres[number] - brick.width / 2, base - brick.base)
        top = max(base - brick.base + brick.height for brick in bricks) + ROW_GAP
    left = min((x for x, _ in found.values()), default=0.0)
    return {id_: (round((x - left) / 8) * 8.0, y) for id_, (x, y) in found.items()}
