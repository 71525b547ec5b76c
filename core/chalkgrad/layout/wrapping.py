"""Wrapping: a drawing far wider than a view goes on in rows below each other, as text does.

It is cut where few wires pass, so that the way from the end of a row to the beginning of the next can be followed, and
into no more rows than it takes to be read as a whole. What is so long and thin that nothing of it would be seen is
folded at any rate, into rows that are full but for the last.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import accumulate
from math import log, sqrt

from chalkgrad.layout.free import up_to_grid
from chalkgrad.layout.graph import COLUMN_GAP, Edge, Node, Point

WIDEST = 1700.0
"""What is no wider is read as a whole in a usual window."""
RATIO = 1.6
"""Width over height of the view that a drawing is to fill."""
GAIN, LARGEST = 1.3, 2700.0
"""A drawing is wrapped where it is seen so much larger then, and fits a view of which so much is seen with names."""
A_RESULT, A_LEAF = 3, 1
"""What it weighs that wires of a result lead to the next row, and those of a leaf, which nothing leads up to."""
WIRES = 2 * A_RESULT
"""So much weighs at most what leads from one row to the next."""
A_WIRE = 0.08 / A_RESULT
"""So much less is worth a row that is longer by this part of it."""
A_ROW, MOST_ROWS = 1.15, 6
"""One row more has to be worth so much, and there are no more than so many."""
MOST_SETTLED, MOST_FOLDED = 200, 1000
"""Of more nodes the rows keep the heights that they had in one row; and of so many where they are folded."""
BETWEEN = 88.0
"""Between rows: room for wires that lead back, and for the line with an error below a card."""
LONG, THIN = 4.0 * WIDEST, 5.0
"""What is so wide, and so much wider than high, is seen from so far that nothing is: it is folded at any rate."""
LONGER, SHORTEST = 1.25, 0.8
"""Its rows are as long as the widest view, or longer by this factor again and again; and may be so much shorter."""
TRIES = 3
"""So often it is reckoned how long rows are, each time with the height that one of them had the time before."""
A_LANE, MOST_LANES = 12.0, 16
"""Between rows of what was folded there is more room for each wire that leads on, up to so many."""


Settle = Callable[[Sequence[Node], Sequence[Edge], Sequence[int], Sequence[float]], Sequence[float]]
"""The tops of some nodes with the wires among them, in these columns, that have these tops among all others."""


def left_edges(nodes: Sequence[Node], column: Sequence[int]) -> list[float]:
    """The left edge of every node: that of its column."""
    widths = [0.0] * (max(column, default=-1) + 1)
    for node, at in zip(nodes, column, strict=True):
        widths[at] = max(widths[at], node.width)
    edge, edges = 0.0, []
    for width in widths:
        edges.append(edge)
        edge = up_to_grid(edge + width + COLUMN_GAP)
    return [edges[at] for at in column]


def wrapped(
    nodes: Sequence[Node], edges: Sequence[Edge], column: Sequence[int], tops: Sequence[float], settle: Settle
) -> list[Point]:
    """The top left corners of nodes that lie in these columns, in one row or in several.

    In a row of its own nothing is held apart by wires from other rows: its nodes get the tops that ``settle`` finds.
    """
    lefts = left_edges(nodes, column)
    places = list(zip(lefts, tops, strict=True))
    if _width(nodes, places) <= WIDEST:
        return places
    home = _homes(nodes, edges, column)
    passing = _passing(edges, dict(zip((node.id for node in nodes), home, strict=True)), max(column) + 1)
    thin = [at for at, wires in enumerate(passing) if at and wires <= WIRES]
    begins = dict(zip(column, lefts, strict=True))
    found, extent = places, min(_extent(nodes, places) / GAIN, LARGEST)
    for rows in range(2, min(MOST_ROWS, len(thin) + 1) + 1):
        length = _width(nodes, places) / rows
        cuts = {_cut(thin, begins, passing, row * length, length) for row in range(1, rows)}
        row_of = [sum(at >= cut for cut in cuts) for at in home]
        settled = _settled(nodes, edges, column, tops, row_of, settle) if len(nodes) <= MOST_SETTLED else tops
        tried = _stacked(nodes, column, settled, row_of)
        if _extent(nodes, tried) < extent:
            found, extent = tried, _extent(nodes, tried) / A_ROW
        if A_ROW * extent <= WIDEST / RATIO:
            break
    is_long = _width(nodes, places) > max(LONG, THIN * _height(nodes, places))
    return _folded(nodes, edges, column, tops, settle) if found is places and is_long else found


def _folded(
    nodes: Sequence[Node], edges: Sequence[Edge], column: Sequence[int], tops: Sequence[float], settle: Settle
) -> list[Point]:
    """The corners of nodes in as many rows as have all seen large, however many wires lead on.

    Rows are full but for the last, so that what is added at the end leaves those before as they are.
    """
    lefts = left_edges(nodes, column)
    found = list(zip(lefts, tops, strict=True))
    home, begins = _homes(nodes, edges, column), sorted(set(lefts))
    passing = _passing(edges, dict(zip((node.id for node in nodes), home, strict=True)), len(begins))
    width, height, length = _width(nodes, found), _height(nodes, found) + BETWEEN, 0.0
    settles = len(nodes) <= MOST_FOLDED
    for _ in range(TRIES):
        before, length = length, _length(width, height)
        if length == before:
            break
        cuts = _full(begins, passing, length)
        row_of = [bisect_right(cuts, at) for at in home]
        lanes = [min(passing[cut], MOST_LANES) * A_LANE for cut in cuts]
        middle = len(cuts) // 2
        alike = _settled(nodes, edges, column, tops, row_of, settle, {middle}) if settles else tops
        height = _height_of(middle, nodes, alike, row_of) + BETWEEN + sum(lanes) / (len(lanes) + 1)
    settled = _settled(nodes, edges, column, tops, row_of, settle) if settles else tops
    tried = _stacked(nodes, column, settled, row_of, lanes)
    return tried if _extent(nodes, tried) < _extent(nodes, found) else found


def _length(width: float, height: float) -> float:
    """How long rows of this height are in which something so wide fills a view, about."""
    longer = round(log(sqrt(width * height * RATIO) / WIDEST, LONGER))
    return WIDEST * LONGER ** max(0, longer)


def _height_of(number: int, nodes: Sequence[Node], tops: Sequence[float], row: Sequence[int]) -> float:
    members = [at for at, other in enumerate(row) if other == number]
    return max(tops[at] + nodes[at].height for at in members) - min(tops[at] for at in members)


def _full(begins: Sequence[float], passing: Sequence[int], length: float) -> list[int]:
    """The columns with which rows begin, but for the first, that are nearly so long: each where few wires pass."""
    cuts, begin = list[int](), 0
    while begins[-1] - begins[begin] > length:
        first = bisect_left(begins, begins[begin] + SHORTEST * length)
        last = bisect_right(begins, begins[begin] + length) - 1
        ends = range(max(first, begin + 1), last + 1) or range(begin + 1, begin + 2)
        begin = min(ends, key=lambda at: A_WIRE * passing[at] - begins[at] / length)
        cuts.append(begin)
    return cuts


def _homes(nodes: Sequence[Node], edges: Sequence[Edge], column: Sequence[int]) -> list[int]:
    """The column with which each node goes into a row: its own, or that of its first reader for a leaf."""
    at = {node.id: here for here, node in enumerate(nodes)}
    reads = {edge.target for edge in edges}
    first: dict[int, int] = {}
    for edge in edges:
        if edge.source not in reads:
            first[edge.source] = min(first.get(edge.source, len(nodes)), column[at[edge.target]])
    return [first.get(node.id, here) for node, here in zip(nodes, column, strict=True)]


def _passing(edges: Sequence[Edge], home: Mapping[int, int], columns: int) -> list[int]:
    """What leads to the next row if that begins with a column, weighed; all wires of one node run together."""
    reads = {edge.target for edge in edges}
    last: dict[int, int] = {}
    for edge in edges:
        last[edge.source] = max(last.get(edge.source, 0), home[edge.target])
    changes = [0] * (columns + 1)
    for source, reader in last.items():
        weight = A_RESULT if source in reads else A_LEAF
        changes[home[source] + 1] += weight
        changes[reader + 1] -= weight
    return list(accumulate(changes))[:-1]


def _cut(thin: Sequence[int], begins: Mapping[int, float], passing: Sequence[int], wanted: float, length: float) -> int:
    """The column with which a row begins: near to where it is wanted, in rows of this length, and with few wires."""

    def cost(cut: int) -> float:
        return abs(begins[cut] - wanted) / length + A_WIRE * passing[cut]

    return min(thin, key=cost)


def _settled(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    column: Sequence[int],
    tops: Sequence[float],
    row: Sequence[int],
    settle: Settle,
    chosen: Collection[int] | None = None,
) -> list[float]:
    """The tops of all nodes, those of each row, or of the ``chosen`` ones, found for itself."""
    found = list(tops)
    for number in set(row) if chosen is None else chosen:
        members = [at for at in range(len(nodes)) if row[at] == number]
        known = {here: place for place, here in enumerate(sorted({column[at] for at in members}))}
        ids = {nodes[at].id for at in members}
        inside = [edge for edge in edges if edge.source in ids and edge.target in ids]
        columns = [known[column[at]] for at in members]
        for at, top in zip(
            members, settle([nodes[at] for at in members], inside, columns, [tops[at] for at in members]), strict=True
        ):
            found[at] = top
    return found


def _stacked(
    nodes: Sequence[Node], column: Sequence[int], tops: Sequence[float], row: Sequence[int], lanes: Sequence[float] = ()
) -> list[Point]:
    """The drawing in rows below each other, in each of them the columns that it has; each node is in a ``row``.

    ``lanes`` is more room below each row but the last.
    """
    found, below = [(0.0, 0.0)] * len(nodes), 0.0
    for number in sorted(set(row)):
        members = [at for at in range(len(nodes)) if row[at] == number]
        known = {here: place for place, here in enumerate(sorted({column[at] for at in members}))}
        lefts = left_edges([nodes[at] for at in members], [known[column[at]] for at in members])
        top = min(tops[at] for at in members)
        for at, left in zip(members, lefts, strict=True):
            found[at] = left, tops[at] - top + below
        more = lanes[number] if number < len(lanes) else 0.0
        below = up_to_grid(max(found[at][1] + nodes[at].height for at in members) + BETWEEN + more)
    return found


def _width(nodes: Sequence[Node], places: Sequence[Point]) -> float:
    return max(left + node.width for (left, _), node in zip(places, nodes, strict=True))


def _extent(nodes: Sequence[Node], places: Sequence[Point]) -> float:
    """The height of the smallest view in which all is seen."""
    return max(_width(nodes, places) / RATIO, _height(nodes, places))


def _height(nodes: Sequence[Node], places: Sequence[Point]) -> float:
    ends = [top + node.height for (_, top), node in zip(places, nodes, strict=True)]
    return max(ends) - min(top for _, top in places)
