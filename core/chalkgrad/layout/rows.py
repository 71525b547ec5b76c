"""Rows: a quick layout from top to bottom, read like the figure of a lecture, in the order of the lines.

What an operator reads stands in rows above it, and nothing stands above what comes before it. It hangs below what it
reads itself of results, or below the first leaf that it reads, so that a chain is a column; the other leaves stand
beside, as near to their first reader as their lines are. A wire that passes rows has a lane through them. It takes one
pass over cards and wires, so it can be worked out anew with every edit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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
LANE_GAP = 12.0
"""Between two lanes; a lane between two cards takes no room of its own."""
LIGHT = 1e-6
"""How strongly a leaf or a lane keeps to its place: operators are not moved by it."""
MOST = 4
"""So many lanes are kept free for each brick at most, the shortest first."""


class Brick(NamedTuple):
    """A rectangle to be placed. ``base`` is how far below its top the line is by which its row is aligned.

    What comes before one that stands ``apart`` stands in rows above it, what comes after in rows below.
    """

    id: int
    width: float
    height: float
    base: float = 0.0
    apart: bool = False


LANE = Brick(-1, 0.0, 0.0)
"""A lane takes no room."""


@dataclass(slots=True)
class _Rows:
    """Bricks in the order of their lines, what each reads and who reads each, and the row of each.

    Those from ``cards`` on are lanes: pieces of wires that pass a row. ``carries`` is the brick that a wire began at,
    of each; ``sides`` on which side of a card that wants to stand there, too, a lane goes: 0 is left, 1 right.
    """

    bricks: list[Brick]
    reads: list[list[int]]
    readers: list[list[int]]
    cards: int
    carries: list[int]
    row: list[int] = field(default_factory=list)
    sides: dict[int, int] = field(default_factory=dict)

    def is_leaf(self, number: int) -> bool:
        """True for what reads nothing, and for its lanes."""
        return not self.reads[self.carries[number]]


class Whole(NamedTuple):
    """What is laid out when each group is a brick: ``inside`` has the places of its members, ``holds`` all of them."""

    bricks: list[Brick]
    edges: Sequence[Edge]
    inside: dict[int, dict[int, Point]]
    holds: dict[int, frozenset[int]]


def in_rows(bricks: Sequence[Brick], edges: Sequence[Edge], groups: Sequence[Group] = ()) -> Stepwise[dict[int, Point]]:
    """The top left corners of bricks, given in the order of their lines.

    Members of a group stand together; a group inside another comes before it.
    """
    whole = yield from without_groups(bricks, edges, groups)
    places = yield from laid(whole.bricks, whole.edges)
    return opened(places, whole.inside)


def without_groups(bricks: Sequence[Brick], edges: Sequence[Edge], groups: Sequence[Group]) -> Stepwise[Whole]:
    """The same bricks with one for each group, the members of which are laid out within it."""
    inside: dict[int, dict[int, Point]] = {}
    rest = {brick.id: brick for brick in bricks}
    holds = {brick.id: frozenset({brick.id}) for brick in bricks}
    for group in groups:
        members = [brick for id_, brick in rest.items() if holds[id_] <= group.members]
        if not members:
            continue
        chosen = {brick.id for brick in members}
        places = yield from laid(members, edges)
        left, top, width, height = _around(members, places)
        margin = group.margin
        inside[group.id] = {id_: (x - left + margin, y - top + margin + group.title) for id_, (x, y) in places.items()}
        card = Brick(group.id, width + 2 * margin, height + 2 * margin + group.title, apart=True)
        rest = {brick.id: brick for brick in (card if id_ in chosen else brick for id_, brick in rest.items())}
        edges = [_redirected(edge, chosen, group.id) for edge in edges if not {edge.source, edge.target} <= chosen]
        holds[group.id] = frozenset().union(*(holds[id_] for id_ in chosen))
    return Whole(list(rest.values()), edges, inside, holds)


def _redirected(edge: Edge, members: set[int], group: int) -> Edge:
    source = group if edge.source in members else edge.source
    target = group if edge.target in members else edge.target
    return Edge(source, target, edge.port)


def opened(places: Mapping[int, Point], inside: Mapping[int, Mapping[int, Point]]) -> dict[int, Point]:
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


def laid(bricks: Sequence[Brick], edges: Sequence[Edge], sinking: bool = False) -> Stepwise[dict[int, Point]]:
    """The top left corners of bricks without groups; with ``sinking`` leaves as in :func:`in_order`."""
    graph = _graph(bricks, edges)
    yield 0.0
    graph.row = _in_order(graph, sinking)
    yield 0.0
    _keep_lanes_free(graph)
    yield 0.0
    rows = _by_row(graph)
    centres = [0.0] * len(graph.bricks)
    for done, row in enumerate(rows):
        _place_row(graph, row, centres)
        yield 0.5 * done / len(rows)
    if len(rows) > 1 and _sort_first(graph, rows[0], centres):
        for done, row in enumerate(rows):
            _place_row(graph, row, centres)
            yield 0.5 + 0.5 * done / len(rows)
    return (yield from _corners(graph, rows, centres))


def in_order(bricks: Sequence[Brick], edges: Sequence[Edge], sinking: bool = False) -> list[int]:
    """The row in which each of these stands; leaves that are ``sinking`` stand right above their first reader."""
    return _in_order(_graph(bricks, edges), sinking)


def _graph(bricks: Sequence[Brick], edges: Sequence[Edge]) -> _Rows:
    index = {brick.id: number for number, brick in enumerate(bricks)}
    reads: list[list[int]] = [[] for _ in bricks]
    readers: list[list[int]] = [[] for _ in bricks]
    for edge in sorted(edges, key=lambda edge: edge.port):
        if edge.source in index and edge.target in index and edge.source != edge.target:
            source, target = index[edge.source], index[edge.target]
            if source not in reads[target]:
                reads[target].append(source)
                readers[source].append(target)
    return _Rows(list(bricks), reads, readers, len(bricks), list(range(len(bricks))))


def _in_order(graph: _Rows, sinking: bool) -> list[int]:
    """How many rows down each brick is: below what it reads, and not above what comes before it.

    What reads nothing goes down to the row above its first reader, as far as what comes after it lets it; while
    ``sinking`` only what stands apart stops it.
    """
    row: list[int] = []
    for number, reads in enumerate(graph.reads):
        least = row[-1] + _is_apart(graph, number) if row else 0
        row.append(max(least, 1 + max((row[source] for source in reads if source < number), default=-1)))
    most = inf
    for number in reversed(range(len(row))):
        if not graph.reads[number] and graph.readers[number]:
            above = min(row[reader] for reader in graph.readers[number]) - 1
            row[number] = int(max(row[number], min(most, above)))
        if not sinking or _is_apart(graph, number):
            most = row[number] - _is_apart(graph, number)
    return _without_empty(row) if sinking else row


def _without_empty(row: list[int]) -> list[int]:
    """The same rows, numbered without those in which nothing stands any more."""
    number = {each: at for at, each in enumerate(sorted(set(row)))}
    return [number[each] for each in row]


def _is_apart(graph: _Rows, number: int) -> bool:
    """True where a brick and the one before it share no row."""
    return number > 0 and (graph.bricks[number].apart or graph.bricks[number - 1].apart)


def _keep_lanes_free(graph: _Rows) -> None:
    """Have wires that pass rows go from lane to lane, each row's below that of the row before."""
    last = {
        number: max(graph.readers[number], key=graph.row.__getitem__, default=number) for number in range(graph.cards)
    }
    spans = sorted((graph.row[reader] - graph.row[number] - 1, number) for number, reader in last.items())
    left = MOST * graph.cards
    for span, number in spans:
        left -= max(span, 0)
        if span > 0 and left >= 0:
            _add_lanes(graph, number, span, int(graph.reads[last[number]][0] != number))


def _add_lanes(graph: _Rows, number: int, count: int, side: int) -> None:
    """Lanes for the wires from a brick through so many rows below it; its readers read them instead."""
    first, lane = graph.row[number] + 1, len(graph.bricks)
    lanes = range(lane, lane + count)
    way = [number, *lanes]
    graph.bricks += [LANE] * count
    graph.reads += [[above] for above in way[:-1]]
    graph.readers += [[below] for below in lanes[1:]]
    graph.readers.append([])
    graph.carries += [number] * count
    graph.row += range(first, first + count)
    graph.sides |= dict.fromkeys(lanes, side)
    readers, graph.readers[number] = graph.readers[number], [lane]
    for reader in readers:
        above = way[graph.row[reader] - first]
        graph.readers[above].append(reader)
        graph.reads[reader][graph.reads[reader].index(number)] = above


def _by_row(graph: _Rows) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(max(graph.row, default=-1) + 1)]
    for number, row in enumerate(graph.row):
        rows[row].append(number)
    return rows


def _place_row(graph: _Rows, row: list[int], centres: list[float]) -> None:
    """The middles of the bricks of a row: operators and lanes below what they read, then leaves beside them."""
    wanted = {number: _below(graph, number, centres) for number in row if graph.reads[number]}
    order = sorted((number for number in wanted if number < graph.cards), key=wanted.__getitem__)
    for lane in (number for number in wanted if number >= graph.cards):
        first, behind = (side(order, wanted[lane], key=wanted.__getitem__) for side in (bisect_left, bisect_right))
        order.insert((first + behind + graph.sides[lane]) // 2, lane)
    is_sorted = graph.row[row[0]] == 0 and not order  # leaves that come first stand as what reads them does
    for number in (number for number in row if not graph.reads[number]):
        beside, after = (len(order) - 1, True) if is_sorted else _beside(graph, number, order)
        wanted[number] = wanted[order[beside]] if order else 0.0
        order.insert(beside + after, number)
    steps, step = [0.0], 0.0
    for one, other in pairwise(order):
        step += _pitch(graph, one, other)
        steps.append(step)
    weights = [1.0 if number < graph.cards and graph.reads[number] else LIGHT for number in order]
    for number, centre in zip(order, fit([wanted[number] for number in order], weights, steps), strict=True):
        centres[number] = centre


def _pitch(graph: _Rows, one: int, other: int) -> float:
    """From the middle of a brick to that of the next in its row."""
    lanes = (one >= graph.cards) + (other >= graph.cards)
    if lanes == 2:
        return LANE_GAP
    gap = COLUMN_GAP / 2 if lanes else COLUMN_GAP
    return (graph.bricks[one].width + graph.bricks[other].width) / 2 + gap


def _below(graph: _Rows, number: int, centres: list[float]) -> float:
    """Where an operator wants to stand: below the middle of the results that it reads, else below its first leaf.

    What it reads of the row above counts before what comes down a lane.
    """
    reads = graph.reads[number]
    if len(reads) == 1:
        return centres[reads[0]]
    results = [source for source in reads if not graph.is_leaf(source)]
    results = [source for source in results if source < graph.cards] or results  # a wire comes over from its lane
    return sum(centres[source] for source in results) / len(results) if results else centres[reads[0]]


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


def _corners(graph: _Rows, rows: Sequence[Sequence[int]], centres: list[float]) -> Stepwise[dict[int, Point]]:
    found: dict[int, Point] = {}
    top = 0.0
    for row in rows:
        cards = [(graph.bricks[number], centres[number]) for number in row if number < graph.cards]
        base = top + max(brick.base for brick, _ in cards)
        for brick, centre in cards:
            found[brick.id] = (centre - brick.width / 2, base - brick.base)
        top = max(base - brick.base + brick.height for brick, _ in cards) + ROW_GAP
        yield 1.0
    left = min((x for x, _ in found.values()), default=0.0)
    return {id_: (round((x - left) / 8) * 8.0, y) for id_, (x, y) in found.items()}
