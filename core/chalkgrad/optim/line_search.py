"""The line search of LBFGS: a step that goes down enough and to where it is flat enough, after Wolfe."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

DECREASE, FLATNESS = 1e-4, 0.9

Evaluate = Callable[[float], tuple[float, np.ndarray]]


class Point(NamedTuple):
    """A place along the line: how far, the loss there, its gradient, and the slope along the line."""

    place: float
    loss: float
    gradient: np.ndarray
    slope: float


def cubic_minimum(a: Point, b: Point, bounds: tuple[float, float] | None = None) -> float:
    """Where the cubic through two points with their slopes is lowest, kept within bounds."""
    low, high = bounds or (min(a.place, b.place), max(a.place, b.place))
    first = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.place - b.place)
    square = first**2 - a.slope * b.slope
    if square < 0:
        return (low + high) / 2.0
    root = np.sqrt(square)
    left, right = (a, b) if a.place <= b.place else (b, a)
    share = (right.slope + root - first) / (right.slope - left.slope + 2 * root)
    return float(min(max(right.place - (right.place - left.place) * share, low), high))


class LineSearch:
    """One search along ``direction`` from a point at 0, with at most ``most`` steps."""

    def __init__(self, evaluate: Evaluate, direction: np.ndarray, start: Point, change: float, most: int) -> None:
        self.evaluate, self.direction, self.start = evaluate, direction, start
        self.change, self.most = change, most
        self.evaluations = self.steps = 0

    def at(self, place: float) -> Point:
        """The point at ``place``."""
        loss, gradient = self.evaluate(place)
        self.evaluations += 1
        return Point(place, loss, gradient.copy(), float(gradient.dot(self.direction)))

    def _too_high(self, point: Point) -> bool:
        return point.loss > self.start.loss + DECREASE * point.place * self.start.slope

    def _flat(self, point: Point) -> bool:
        return abs(point.slope) <= -FLATNESS * self.start.slope

    def run(self, place: float) -> Point:
        """The point that was found, beginning with a step to ``place``."""
        found, bracket = self._bracketed(place)
        if found is not None:
            return found
        return self._narrowed(bracket)

    def _bracketed(self, place: float) -> tuple[Point | None, list[Point]]:
        """A point that is good, or two between which one lies."""
        before, point = self.start, self.at(place)
        while self.steps < self.most:
            if self._too_high(point) or (self.steps > 1 and point.loss >= before.loss):
                return None, [before, point]
            if self._flat(point):
                return point, []
            if point.slope >= 0:
                return None, [before, point]
            bounds = (point.place + 0.01 * (point.place - before.place), point.place * 10)
            following = cubic_minimum(before, point, bounds)
            before, point = point, self.at(following)
            self.steps += 1
        return None, [self.start, point]

    def _narrowed(self, bracket: list[Point]) -> Point:
        """The better end of the bracket, after it was made smaller until one is good."""
        stuck = False
        size = np.abs(self.direction).max()
        low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
        while self.steps < self.most and abs(bracket[1].place - bracket[0].place) * size >= self.change:
            place, stuck = self._next(bracket, stuck)
            point = self.at(place)
            self.steps += 1
            if self._too_high(point) or point.loss >= bracket[low].loss:
                bracket[high] = point
                low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
                continue
            done = self._flat(point)
            if not done and point.slope * (bracket[high].place - bracket[low].place) >= 0:
                bracket[high] = bracket[low]
            bracket[low] = point
            if done:
                break
        return bracket[low]

    def _next(self, bracket: list[Point], stuck: bool) -> tuple[float, bool]:
        """Where to look next, and whether the search came too near an end of the bracket."""
        place = cubic_minimum(bracket[0], bracket[1])
        least, most = sorted(point.place for point in bracket)
        margin = 0.1 * (most - least)
        if min(most - place, place - least) >= margin:
            return place, False
        if not stuck and least < place < most:
            return place, True
        return (most - margin if abs(place - most) < abs(place - least) else least + margin), False
