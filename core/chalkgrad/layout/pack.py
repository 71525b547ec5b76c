"""Parts that no wire joins, packed into rows so that the whole has about the proportions of a view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from chalkgrad.layout.free import Rect, up_to_grid
from chalkgrad.layout.graph import ROW_GAP, Point

RATIO = 1.6
"""Width over height of the view that the whole is to fill."""
ACROSS = 56.0
"""Between the columns of a row."""
KEPT = 1.3
"""Parts stay in the rows in which they lie unless a fresh packing would be seen larger by this."""
HIGH = 160.0
"""Single cards below this height share rows, whatever theirs."""
TRIED = tuple(0.6 * 1.1**step for step in range(13))
"""Widths that are tried, in those of a view that has no more room than the parts need."""

Rows = list[list[list[int]]]
"""Rows from top to bottom, their columns from left to right, the parts in these from top to bottom."""


class Part(NamedTuple):
    """A rectangle to be packed; ``gap`` is kept free below it, ``was`` is where it lay, None for a new one."""

    width: float
    height: float
    gap: float
    was: Rect | None = None


def packed(parts: Sequence[Part]) -> list[Point]:
    """The top left corner of each part, on the grid, the whole from the origin.

    Graphs of about one height share a row; rows come in the order of their first graphs, those of single cards last,
    which stand in their order. In a row, and in its columns, parts keep their order. Where they lie in rows that are
    nearly as good they stay in these, new ones below them.
    """
    if not parts:
        return []
    everything = range(len(parts))
    need = sqrt(RATIO * sum((part.width + ACROSS) * (part.height + part.gap) for part in parts))
    fresh = min((_flowed(parts, everything, need * share) for share in TRIED), key=_measured_in(parts))
    now = _rows_now(parts)
    keep = _extent(parts, now) <= KEPT * _extent(parts, fresh)
    return _corners(parts, now if keep else fresh)


def _measured_in(parts: Sequence[Part]) -> Callable[[Rows], float]:
    def measured(rows: Rows) -> float:
        return _extent(parts, rows)

    return measured


def _extent(parts: Sequence[Part], rows: Rows) -> float:
    """The height of the smallest view in which the whole is seen."""
    corners = _corners(parts, rows)
    right = max(x + part.width for (x, _), part in zip(corners, parts, strict=True))
    bottom = max(y + part.height for (_, y), part in zip(corners, parts, strict=True))
    return max(right / RATIO, bottom)


def _corners(parts: Sequence[Part], rows: Rows) -> list[Point]:
    """Where the parts lie in these rows, each at the top of its row or below the part before it in its column."""
    corners = [(0.0, 0.0)] * len(parts)
    below = 0.0
    for row in rows:
        left, top = 0.0, below
        for column in row:
            at = top
            for part in column:
                corners[part] = (left, at)
                at = up_to_grid(at + parts[part].height + parts[part].gap)
            left = up_to_grid(left + max(parts[part].width for part in column) + ACROSS)
            below = max(below, at)
    return corners


def _flowed(parts: Sequence[Part], chosen: Iterable[int], width: float) -> Rows:
    """Chosen parts in rows no wider than ``width``, but for a part that is; small ones stand below each other.

    High graphs come first, for rows of one height; single cards, which differ less, in their order, but for high ones.
    """
    rows: Rows = []
    tall = left = wide = below = 0.0  # height of the row, left edge, width and height of its last column
    for at in sorted(chosen, key=lambda at: _flows(parts[at])):
        part = parts[at]
        if rows and below + part.height + part.gap <= tall + ROW_GAP and left + max(wide, part.width) <= width:
            rows[-1][-1].append(at)
            wide = max(wide, part.width)
        elif rows and left + wide + ACROSS + part.width <= width:
            rows[-1].append([at])
            left, wide, below = left + wide + ACROSS, part.width, 0.0
            tall = max(tall, part.height)
        else:
            rows.append([[at]])
            tall, left, wide, below = part.height, 0.0, part.width, 0.0
        below = up_to_grid(below + part.height + part.gap)
    return sorted((sorted(sorted(column) for column in row) for row in rows), key=_reading(parts))


def _flows(part: Part) -> tuple[float, float]:
    """By what parts are sorted before they flow into rows."""
    return -part.gap, -part.height if part.gap > ROW_GAP else -(part.height // HIGH)


def _reading(parts: Sequence[Part]) -> Callable[[list[list[int]]], tuple[float, int]]:
    """By what rows are sorted: first those with graphs, below which more is kept free than below single cards."""

    def place(row: list[list[int]]) -> tuple[float, int]:
        gap = max(parts[at].gap for column in row for at in column)
        return -gap, min(at for column in row for at in column if parts[at].gap == gap)

    return place


def _rows_now(parts: Sequence[Part]) -> Rows:
    """The rows in which the parts lie, new ones in rows below them."""
    known = {at: part.was for at, part in enumerate(parts) if part.was is not None}
    rows: Rows = []
    for row in _runs([(at, top, height) for at, (_, top, _, height) in known.items()]):
        columns = _runs([(at, known[at][0], known[at][2]) for at in row])
        rows.append([sorted(column, key=lambda at: known[at][1]) for column in columns])
    left = min((left for left, _, _, _ in known.values()), default=0.0)
    right = max((left + width for left, _, width, _ in known.values()), default=0.0)
    return rows + _flowed(parts, [at for at in range(len(parts)) if at not in known], right - left)


def _runs(spans: Iterable[tuple[int, float, float]]) -> list[list[int]]:
    """Parts, by start and length along an axis, in runs: what lies by half beside those before goes with them."""
    runs: list[list[int]] = []
    begin = end = 0.0
    for at, start, length in sorted(spans, key=lambda span: (span[1], span[0])):
        if runs and start + min(length, end - begin) / 2 < end:
            runs[-1].append(at)
            end = max(end, start + length)
        else:
            runs.append([at])
            begin, end = start, start + length
    return runs
