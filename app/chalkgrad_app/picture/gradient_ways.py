"""Ways of the edges of a gradient's graph: plain curves, or straight lines round what a curve would run through."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from chalkgrad.layout.detours import Heading, detour, touched
from chalkgrad_app.picture.anatomy import Point

AROUND = 320.0
"""How far outside of the rectangle round an edge's curve things may make it go round."""
GAP = 24.0
"""Between an operator's label and its node."""
LANE, LANES = 9.0, 4
"""Between edges that go round the same things, of up to three lines each, and how many find room side by side."""


Curve = tuple[float, ...]
Headings = tuple[Heading, Heading]


class GradientWays:
    """Finds them, and remembers what it found as long as everything lies as it did."""

    __slots__ = ("_around", "_bands", "_curves", "_headings", "_known", "_round")

    def __init__(self) -> None:
        self._curves, self._headings = np.zeros((0, 8)), list[Headings]()
        self._around, self._bands = np.zeros((0, 4)), np.zeros((0, 4))
        self._known: dict[Curve, np.ndarray | None] = {}
        self._round = 0

    def lie(self, around: np.ndarray, bands: np.ndarray) -> None:
        """Mind what lies on the canvas, rows left, top, right, bottom: all ``around`` is gone round.

        An edge may run in the ``bands`` that it begins or ends in, and goes round the others.
        """
        if not (np.array_equal(around, self._around) and np.array_equal(bands, self._bands)):
            self._around, self._bands, self._known, self._round = around, bands, {}, 0

    def aim(self, curves: np.ndarray, headings: Sequence[Headings]) -> None:
        """Take these edges: the curve of each, how it leaves its beginning and comes in at its end."""
        self._curves, self._headings = curves, list(headings)

    def pieces(self) -> list[np.ndarray]:
        """What each edge consists of as far as is known: rows of four points."""
        known = [self._known.get(tuple(curve)) for curve in self._curves.tolist()]
        return [self._curves[at : at + 1] if way is None else way for at, way in enumerate(known)]

    def find(self, seconds: float) -> bool:
        """Look for ways for so long; True when some were found."""
        end, before = perf_counter() + seconds, self._round
        for curve, headings in zip(map(tuple, self._curves.tolist()), self._headings, strict=True):
            if curve not in self._known:
                if perf_counter() >= end:
                    break
                self._known[curve] = self._way(_points(curve), *headings)
        return self._round > before

    @property
    def are_found(self) -> bool:
        """True when all edges were looked at."""
        return all(tuple(curve) in self._known for curve in self._curves.tolist())

    def _way(self, path: tuple[Point, ...], leaves: Heading, enters: Heading) -> np.ndarray | None:
        """A way round; None where the curve is clear, or there is none."""
        begin, end = path[0], path[-1]
        bands = self._bands[~_holding(self._bands, begin) & ~_holding(self._bands, end)]
        around = _opened(_near(np.concatenate([self._around, bands]), path), end)
        if not touched(path, around).any():
            return None
        points = np.array(detour(path, around, LANE * (self._round % LANES), leaves, enters))
        if not len(points):
            return None
        self._round += 1
        return np.hstack([points[0:-1:3], points[1::3], points[2::3], points[3::3]])


def curves(ends: np.ndarray, headings: Sequence[Headings]) -> np.ndarray:
    """The plain curves of edges from end to end (rows ax, ay, bx, by)."""
    reach = np.clip(np.abs(ends[:, 2:3] - ends[:, 0:1]) / 2, 24.0, 160.0)
    leaves, enters = np.array(headings, float).reshape(-1, 2, 2).transpose(1, 0, 2)
    begin, end = ends[:, 0:2], ends[:, 2:4]
    return np.hstack([begin, begin + reach * leaves, end - reach * enters, end])


def _near(around: np.ndarray, path: tuple[Point, ...]) -> np.ndarray:
    """What lies where a way round may lead."""
    (left, top), (right, bottom) = np.min(path, axis=0) - AROUND, np.max(path, axis=0) + AROUND
    near = (around[:, 0] < right) & (around[:, 2] > left) & (around[:, 1] < bottom) & (around[:, 3] > top)
    return np.asarray(around[near])


def _opened(around: np.ndarray, end: Point) -> np.ndarray:
    """Where an edge ends within something, a node beside its operator's label, the way in between them is free."""
    holds = _holding(around, end)
    left, right = around[holds], around[holds]
    left[:, 2], right[:, 0] = end[0] - GAP, end[0]
    return np.concatenate([around[~holds], left, right])


def _holding(around: np.ndarray, point: Point) -> np.ndarray:
    x, y = point
    return np.asarray((around[:, 0] < x) & (x < around[:, 2]) & (around[:, 1] < y) & (y < around[:, 3]))


def _points(curve: Curve) -> tuple[Point, ...]:
    return tuple(zip(curve[0::2], curve[1::2], strict=True))
