"""Boxes as rows of an array: left, top, right, bottom. What lies edge to edge shares no room."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

CELL = np.array((400.0, 200.0))
"""Width and height of the cells in which boxes are looked for that may meet: a card lies in few of them."""
COLUMN = 1 << 32
"""More cells than a column of them has: the number of a cell is that of its column times so many, and its line."""

Corner = Sequence[float] | np.ndarray
"""x and y; arrays of them are compared as NumPy compares arrays with the boxes' sides."""


def meeting(boxes: np.ndarray, low: Corner, high: Corner) -> np.ndarray:
    """For each box whether it shares room with the rectangle between two corners, the upper left one first."""
    across = (boxes[..., 0] < high[0]) & (boxes[..., 2] > low[0])
    return np.asarray(across & (boxes[..., 1] < high[1]) & (boxes[..., 3] > low[1]))


def holding(boxes: np.ndarray, point: Corner) -> np.ndarray:
    """For each box whether a point lies in it, not on its edge."""
    return meeting(boxes, point, point)


def meetings(boxes: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of ``boxes`` and rows of ``others``, pair by pair, that share room; a pair may come more than once.

    Only boxes in the same cell of a grid are compared, so it takes time for what lies near, not for all pairs.
    """
    mine, here = _cells(boxes)
    theirs, there = _cells(others)
    order = np.argsort(there, kind="stable")
    first = np.searchsorted(there[order], here, "left")
    count = np.searchsorted(there[order], here, "right") - first
    rows = np.repeat(mine, count)
    near = theirs[order[_runs(first, count)]]
    side = boxes[rows].T
    meet = meeting(others[near], side[:2], side[2:])
    return rows[meet], near[meet]


def _cells(boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The boxes' rows, each as often as it lies in a cell, and the cells' numbers."""
    low, high = np.floor(boxes[:, :2] / CELL).astype(np.int64), np.floor(boxes[:, 2:] / CELL).astype(np.int64)
    across, down = (high - low + 1).T
    rows = np.repeat(np.arange(len(boxes)), across * down)
    step = _runs(np.zeros(len(boxes), np.int64), across * down)
    column, line = low[rows, 0] + step % across[rows], low[rows, 1] + step // across[rows]
    return rows, column * COLUMN + line


def _runs(first: np.ndarray, count: np.ndarray) -> np.ndarray:
    """``count`` whole numbers from each of ``first`` on, one run after the other."""
    ends = np.cumsum(count)
    return np.repeat(first - ends + count, count) + np.arange(ends[-1] if len(ends) else 0)
