"""Ways of the edges of a gradient's graph: plain curves, or straight lines round what a curve would run through."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from chalkgrad.layout.boxes import holding, meeting
from chalkgrad.layout.detours import Heading, detour, touched
from chalkgrad_app.picture.anatomy import Point

AROUND = 320.0
"""How far outside of the rectangle round an edge's curve things may make it go round."""
GAP = 24.0
"""Between an operator's label and its node."""
LANE, LANES = 9.0, 4
"""Between edges that go round the same things, of up to three lines each, and how many find room side by side."""

OUT = 18.0
"""So much further from where they begin those turn that are bent in any case: outside of the band."""

LEFT_SIDE, RIGHT_SIDE = 0, 2
"""Columns of rectangles."""

Curve = tuple[float, ...]
Headings = tuple[Heading, Heading]


class GradientWays:
    """Finds them, and remembers what it found as long as everything lies as it did."""

    __slots__ = ("_around", "_bands", "_bent", "_curves", "_headings", "_known", "_round")

    def __init__(self) -> None:
        self._curves, self._headings, self._bent = np.zeros((0, 8)), list[Headings](), list[bool]()
        self._around, self._bands = np.zeros((0, 4)), np.zeros((0, 4))
        self._known: dict[Curve, np.ndarray | None] = {}
        self._round = 0

    def lie(self, around: np.ndarray, bands: np.ndarray) -> None:
        """Mind what lies on the canvas, rows left, top, right, bottom: all ``around`` is gone round.

        An edge may run in the ``bands`` that it begins or ends in, and goes round the others.
        """
        if not (np.array_equal(around, self._around) and np.array_equal(bands, self._bands)):
            self._around, self._bands, self._known, self._round = around, bands, {}, 0

    def aim(self, curves: np.ndarray, headings: Sequence[Headings], bent: Sequence[bool]) -> None:
        """Take these edges: the curve of each, how it leaves its beginning and comes in at its end.

        Those that are ``bent`` run along straight lines, even where a curve would do.
        """
        self._curves, self._headings, self._bent = curves, list(headings), list(bent)

    def pieces(self) -> list[np.ndarray]:
        """What each edge consists of as far as is known: rows of four points."""
        known = [self._known.get(tuple(curve)) for curve in self._curves.tolist()]
        return [self._curves[at : at + 1] if way is None else way for at, way in enumerate(known)]

    def find(self, seconds: float) -> bool:
        """Look for ways for so long; True when some were found."""
        end, before = perf_counter() + seconds, self._round
        for curve, headings, bent in zip(map(tuple, self._curves.tolist()), self._headings, self._bent, strict=True):
            if curve not in self._known:
                if perf_counter() >= end:
                    break
                self._known[curve] = self._way(_points(curve), *headings, bent)
        return self._round > before

    @property
    def are_found(self) -> bool:
        """True when all edges were looked at."""
        return all(tuple(curve) in self._known for curve in self._curves.tolist())

    def _way(self, path: tuple[Point, ...], leaves: Heading, enters: Heading, bent: bool) -> np.ndarray | None:
        """A way round; None where the curve is clear, or there is none."""
        begins, ends = holding(self._bands, path[0]), holding(self._bands, path[-1])
        around = np.concatenate([self._around, self._bands[~begins & ~ends]])
        around = _opened(_near(around, path), path[-1])
        if not bent and not touched(path, around).any():
            return None
        beside = LANE * (self._round % LANES)
        apart, out = (0.0, OUT + beside) if bent else (beside, 0.0)
        edges = _edges(self._bands[begins], RIGHT_SIDE), _edges(self._bands[ends], LEFT_SIDE)
        for minded in (np.concatenate([around, *edges]), around):
            points = np.array(detour(path, minded, apart, leaves, enters, out))
            if len(points):
                break
        else:
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
    return np.asarray(around[meeting(around, np.min(path, axis=0) - AROUND, np.max(path, axis=0) + AROUND)])


def _opened(around: np.ndarray, end: Point) -> np.ndarray:
    """Where an edge ends within something, a node beside its operator's label, the way in between them is free."""
    holds = holding(around, end)
    left, right = around[holds], around[holds]
    left[:, 2], right[:, 0] = end[0] - GAP, end[0]
    return np.concatenate([around[~holds], left, right])


def _edges(bands: np.ndarray, side: int) -> np.ndarray:
    """The upper and the lower edge of bands, and that on one side: an edge of the graph goes through the other."""
    left, top, right, bottom = bands.T
    x = bands[:, side]
    sides = ((left, top, right, top), (left, bottom, right, bottom), (x, top, x, bottom))
    return np.concatenate([np.stack(each, axis=1) for each in sides])


def _points(curve: Curve) -> tuple[Point, ...]:
    return tuple(zip(curve[0::2], curve[1::2], strict=True))
