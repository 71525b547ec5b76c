"""Where the nodes of one gradient's graph stand: in columns from right to left, as the gradient goes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chalkgrad_app.picture.anatomy import CHARACTER, FOOT, GRID, HEADER, ROW

WIDTH, WIDEST, HEIGHT = 176.0, 304.0, HEADER + ROW + FOOT
"""A node is as wide as its formula, between these; what is longer has two lines."""
BESIDE = 72.0
"""Room in a node beside its formula: its tip and its bars, and which derivative it is."""
ACROSS, DOWN = 48.0, 20.0
"""Room between two columns of a band, and between two nodes of a column."""


def readers(sources: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    """By row the rows that read what it made."""
    found: dict[int, list[int]] = {}
    for row, read in enumerate(sources):
        for source in read:
            found.setdefault(source, []).append(row)
    return found


def wide(title: str) -> float:
    """How wide a node is that says this formula."""
    return min(max(-(-(len(title) * CHARACTER + BESIDE) // GRID) * GRID, WIDTH), WIDEST)


def columns(sources: Sequence[Sequence[int]], first: int, widths: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Where the right upper corners of nodes stand, as distances from the right and the top, and how wide each is.

    Each node reads rows before its own. In a column it strives to stand beside what it reads, and all are as wide as
    the widest is.
    """
    places = np.zeros((len(sources), 2))
    within = [[source - first for source in read if source >= first] for read in sources]
    depths = _depths(within)
    columns: list[list[int]] = [[] for _ in range(max(depths, default=-1) + 1)]
    for row, depth in enumerate(depths):
        columns[depth].append(row)
    found, right = np.zeros(len(sources)), 0.0
    for column in columns:
        beside = {row: [places[source, 1] for source in within[row]] for row in column}
        wanted = {row: sum(tops) / len(tops) if tops else 0.0 for row, tops in beside.items()}
        column.sort(key=wanted.__getitem__)
        tops, least = [], -np.inf
        for row in column:
            tops.append(max(wanted[row], least))
            least = tops[-1] + HEIGHT + DOWN
        shift = (sum(wanted.values()) - sum(tops)) / max(len(column), 1)
        for row, top in zip(column, tops, strict=True):
            places[row] = right, top + shift
        found[column] = max(widths[row] for row in column)
        right += float(found[column[0]]) + ACROSS
    if len(places):
        places[:, 1] -= places[:, 1].min()
    return places, found


def _depths(sources: Sequence[Sequence[int]]) -> list[int]:
    """The column of each row: what nothing reads stands right after what it reads, all else right before its reader."""
    soonest: list[int] = []
    for read in sources:
        soonest.append(1 + max((soonest[source] for source in read), default=-1))
    latest: dict[int, int] = {}
    for row in reversed(range(len(sources))):
        depth = latest.setdefault(row, soonest[row])
        for source in sources[row]:
            latest[source] = min(latest.get(source, depth - 1), depth - 1)
    return [latest[row] for row in range(len(sources))]
