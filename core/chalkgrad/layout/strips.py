"""Strips: rows that are far higher than a view go on in strips beside each other, as a newspaper does in columns.

Each strip is read from top to bottom, with what stands beside its bricks at its right. A strip is as high as those
before it, and ends where few wires pass; so what is added at the end leaves the strips before as they are, until all
is read better with higher ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from chalkgrad.layout.graph import Edge, Point
from chalkgrad.layout.rows import COLUMN_GAP, ROW_GAP, Brick, in_order, laid, opened, without_groups
from chalkgrad.layout.task import Group
from chalkgrad.stepwise import Stepwise

RATIO = 1.4
"""Width over height of the view that all strips are to fill."""
LEAST, HIGHER = 1400.0, 1.25
"""A strip is so high, or higher by this factor again and again."""
GAIN, A_STRIP = 1.25, 1.06
"""There are several where all is seen so much larger then; and higher ones unless it is so much smaller."""
MOST_STRIPS, MOST_BRICKS = 16, 600
"""There are no more, and more bricks than so many stand in one strip, so that all follows edits quickly."""
MEASURED = 64
"""Of more bricks it is reckoned, not tried, how large they would be seen."""
SHORTEST = 0.7
"""A strip may be shorter by so much than it could be, where fewer wires lead to the next."""
A_RESULT, A_LEAF = 3, 1
"""What it weighs that a wire of a result leads to the next strip, and one of a leaf."""
A_WIRE = 0.05
"""So much shorter, as a part of its height, a strip may be for a wire less."""


class Beside(NamedTuple):
    """What stands right of the bricks of a strip.

    ``heights`` are those of what belongs to each brick. It stands in columns, ``first`` right of the bricks, one each
    ``pitch``; ``after`` them is room up to the next strip.
    """

    heights: Mapping[int, float]
    first: float
    pitch: float
    after: float


class Strip(NamedTuple):
    """A strip: its ``members``, where they are, and the ``columns`` of what stands beside them.

    That stands up to its ``end``, and down to its ``foot``, about.
    """

    members: frozenset[int]
    left: float
    right: float
    bottom: float
    columns: int
    end: float
    foot: float


@dataclass(slots=True)
class _Levels:
    """The rows of a layout: where each begins, which bricks are at home in it, what leads from above into each.

    ``widths`` are those of what stands in each, ``beside`` has how high that is what stands beside it.
    """

    tops: list[float]
    bricks: list[list[int]]
    passing: list[int]
    widths: list[float]
    beside: list[float]


@dataclass(slots=True)
class _Sheet:
    """What is laid out: bricks by their ids, edges between them, the members of each, and what stands beside them."""

    known: Mapping[int, Brick]
    edges: Sequence[Edge]
    holds: Mapping[int, frozenset[int]]
    beside: Beside

    def members(self, ids: Iterable[int]) -> frozenset[int]:
        """All that is in these bricks."""
        return frozenset().union(*(self.holds[id_] for id_ in ids))


Laid = tuple[dict[int, Point], tuple[Strip, ...]]
"""The places of bricks, and the strips that they stand in."""


def in_strips(
    bricks: Sequence[Brick], edges: Sequence[Edge], groups: Sequence[Group], beside: Beside
) -> Stepwise[Laid]:
    """The top left corners of bricks, given in the order of their lines, and the strips that they stand in.

    Leaves stand in that order, too, unless all is seen far larger where each is near its first reader.
    """
    whole = yield from without_groups(bricks, edges, groups)
    sheet = _Sheet({brick.id: brick for brick in whole.bricks}, whole.edges, whole.holds, beside)
    places, strips = yield from _laid_apart(sheet, [list(sheet.known)], False)
    if len(sheet.known) <= MOST_BRICKS:
        others, apart = yield from _sunk(sheet)
        if _height_of_view(apart) * GAIN <= _height_of_view(strips):
            places, strips = others, apart
    return opened(places, whole.inside), strips


def _sunk(sheet: _Sheet) -> Stepwise[Laid]:
    """The same with each leaf near its first reader, in as many strips as have all seen large."""
    levels = _levels(sheet)
    ways = [[], *_ways_to_cut(levels)]
    if len(sheet.known) > MEASURED:
        ways = [ways[_best([_extent(levels, cuts, sheet.beside) for cuts in ways], ways)]]
    every = list[Laid]()
    for cuts in ways:
        parts = [[id_ for row in levels.bricks[begin:end] for id_ in row] for begin, end in _spans(levels, cuts)]
        every.append((yield from _laid_apart(sheet, parts, True)))
    return every[_best([_height_of_view(strips) for _, strips in every], ways)]


def _best(heights: Sequence[float], ways: Sequence[Sequence[int]]) -> int:
    """The number of the way in which all is seen in the smallest view; fewer strips where that is hardly larger."""
    one, *several = heights
    if not several or min(several) * GAIN > one:
        return 0
    good = [number for number, height in enumerate(heights) if number and height <= min(several) * A_STRIP]
    return min(good, key=lambda number: len(ways[number]))


def _height_of_view(strips: Sequence[Strip]) -> float:
    """The height of the smallest view in which all is seen."""
    return max(strips[-1].end / RATIO, max(strip.bottom for strip in strips)) if strips else 0.0


def _extent(levels: _Levels, cuts: Sequence[int], beside: Beside) -> float:
    """The same before anything is laid out, about."""
    right = highest = 0.0
    for begin, end in _spans(levels, cuts):
        height = levels.tops[end] - levels.tops[begin] - ROW_GAP
        columns = ceil(sum(levels.beside[begin:end]) / height)
        right += max(levels.widths[begin:end]) + (beside.first + columns * beside.pitch if columns else 0.0)
        highest = max(highest, height)
    return max((right + len(cuts) * beside.after) / RATIO, highest)


def _spans(levels: _Levels, cuts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first row of each strip, and the one after its last, where all but the first begin with ``cuts``."""
    return zip([0, *cuts], [*cuts, len(levels.bricks)], strict=True)


def _ways_to_cut(levels: _Levels) -> Iterator[list[int]]:
    """Where strips begin, but for the first, for each height that they may have."""
    height, before = LEAST, list[int]()
    while height < levels.tops[-1]:
        cuts = _cuts(levels, height) if levels.tops[-1] < MOST_STRIPS * height else before
        if cuts != before:
            yield cuts
        height, before = HIGHER * height, cuts


def _levels(sheet: _Sheet) -> _Levels:
    """The rows in which all stands; a leaf is at home in that of its first reader."""
    bricks, edges = list(sheet.known.values()), sheet.edges
    row = in_order(bricks, edges, True)
    at = {brick.id: number for number, brick in enumerate(bricks)}
    reads = {edge.target for edge in edges}
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for edge in edges:
        reader = row[at[edge.target]]
        first[edge.source] = min(first.get(edge.source, reader), reader)
        last[edge.source] = max(last.get(edge.source, reader), reader)
    count = max(row, default=-1) + 1
    found = _Levels([], [[] for _ in range(count)], [], [0.0] * count, [0.0] * count)
    heights, changes = [0.0] * count, [0] * (count + 1)
    for brick, here in zip(bricks, row, strict=True):
        home = here if brick.id in reads else first.get(brick.id, here)
        found.bricks[home].append(brick.id)
        found.widths[here] += brick.width + (COLUMN_GAP if found.widths[here] else 0.0)
        found.beside[home] += sum(sheet.beside.heights.get(id_, 0.0) for id_ in sheet.holds[brick.id])
        heights[here] = max(heights[here], brick.height)
        if brick.id in last:
            weight = A_RESULT if brick.id in reads else A_LEAF
            changes[home + 1] += weight
            changes[min(last[brick.id] + 1, count)] -= weight
    found.tops += accumulate((height + ROW_GAP for height in heights), initial=0.0)
    found.passing += accumulate(changes)
    return found


def _cuts(levels: _Levels, height: float) -> list[int]:
    """The rows with which strips of at most this height begin, but for the first strip."""
    tops, passing = levels.tops, levels.passing
    cuts, begin = list[int](), 0
    while tops[-1] - tops[begin] > height:
        ends = [row for row in range(begin + 1, len(tops) - 1) if tops[row] - tops[begin] <= height]
        enough = [row for row in ends if tops[row] - tops[begin] >= SHORTEST * height] or ends[-1:] or [begin + 1]
        begin = min(enough, key=lambda row: A_WIRE * passing[row] - (tops[row] - tops[begin]) / height)
        if begin >= len(tops) - 1:
            break
        cuts.append(begin)
    return cuts


def _laid_apart(sheet: _Sheet, parts: Iterable[Collection[int]], sinking: bool) -> Stepwise[Laid]:
    """Places of all in strips, each of which has one of these parts and is laid out for itself."""
    places, strips, left = dict[int, Point](), list[Strip](), 0.0
    for ids in map(set, filter(None, parts)):
        inside = [edge for edge in sheet.edges if edge.source in ids and edge.target in ids]
        each = yield from laid([brick for id_, brick in sheet.known.items() if id_ in ids], inside, sinking)
        each = {id_: (left + x, y) for id_, (x, y) in each.items()}
        strips.append(_strip(sheet, each))
        left = strips[-1].end + sheet.beside.after
        places |= each
    return places, tuple(strips)


def _strip(sheet: _Sheet, places: Mapping[int, Point]) -> Strip:
    """The strip of bricks with these places: with as many columns beside it as there is something for."""
    left = min(x for x, _ in places.values())
    right = max(x + sheet.known[id_].width for id_, (x, _) in places.items())
    bottom = max(y + sheet.known[id_].height for id_, (_, y) in places.items())
    members, beside = sheet.members(places), sheet.beside
    columns = ceil(sum(beside.heights.get(id_, 0.0) for id_ in members) / bottom) if bottom else 0
    end = right + (beside.first + columns * beside.pitch if columns else 0.0)
    return Strip(members, left, right, bottom, columns, end, max(bottom, _foot(sheet, places, columns)))


def _foot(sheet: _Sheet, places: Mapping[int, Point], columns: int) -> float:
    """How far down what stands beside bricks in so many columns reaches, each as high as its brick where it can be."""
    feet = [0.0] * max(columns, 1)
    for id_ in sorted(places, key=lambda id_: places[id_][1]):
        for inner in sheet.holds[id_]:
            column = feet.index(min(feet))
            feet[column] = max(places[id_][1], feet[column]) + sheet.beside.heights.get(inner, 0.0)
    return max(feet)
