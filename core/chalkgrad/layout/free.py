"""A free place for a new card."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, hypot

import numpy as np

from chalkgrad.layout.graph import GRID, ROW_GAP, Point

Rect = tuple[float, float, float, float]
"""Left, top, width, height."""

NEAR = 24
"""Rectangles nearest to the wish beside which a place is looked for; failing those, the place is below everything."""


def free_place(rects: Sequence[Rect], wanted: Point, size: Point, gap: float = ROW_GAP) -> Point:
    """The top left corner nearest to ``wanted``, on the grid, where ``size`` keeps ``gap`` from all ``rects``."""
    home = snapped(*wanted)
    if is_free(rects, home, size, gap):
        return home
    x, y, w, h = taken = np.array(rects, float).T
    far = np.hypot(x + w / 2 - home[0] - size[0] / 2, y + h / 2 - home[1] - size[1] / 2)
    near = taken[:, np.argsort(far, kind="stable")[:NEAR]].T.tolist()
    lefts = {home[0]} | {up_to_grid(x + w + gap) for x, _, w, _ in near}
    lefts |= {down_to_grid(x - size[0] - gap) for x, _, _, _ in near}
    tops = {home[1]} | {up_to_grid(y + h + gap) for _, y, _, h in near}
    tops |= {down_to_grid(y - size[1] - gap) for _, y, _, _ in near}
    places = sorted((hypot(x - home[0], y - home[1]), -y, x) for x in lefts for y in tops)
    for _, negative, left in places:  # in a crowd hundreds are tried, so each is compared with all at once
        top = -negative
        across = (left - gap < x + w) & (x < left + size[0] + gap)
        if not (across & (top - gap < y + h) & (y < top + size[1] + gap)).any():
            return left, top
    return home[0], up_to_grid(float((y + h).max()) + gap)


def is_free(rects: Sequence[Rect], at: Point, size: Point, gap: float = ROW_GAP) -> bool:
    """True when a rectangle of ``size`` at ``at`` keeps ``gap`` from all ``rects``."""
    left, top = at[0] - gap, at[1] - gap
    right, bottom = at[0] + size[0] + gap, at[1] + size[1] + gap
    return not any(left < x + w and x < right and top < y + h and y < bottom for x, y, w, h in rects)


def snapped(x: float, y: float) -> Point:
    """The nearest point of the grid."""
    return down_to_grid(x + GRID / 2), down_to_grid(y + GRID / 2)


def up_to_grid(value: float) -> float:
    """The next multiple of the grid that is not smaller."""
    return ceil(value / GRID) * GRID


def down_to_grid(value: float) -> float:
    """The next multiple of the grid that is not larger."""
    return floor(value / GRID) * GRID
