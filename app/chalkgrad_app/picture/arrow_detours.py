"""Arrows of the backward graph that would run through something are led round it: found where somebody looks."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from chalkgrad.layout.boxes import meeting
from chalkgrad.layout.detours import LEFT, RIGHT, corners_round
from chalkgrad_app.picture.anatomy import Point
from chalkgrad_app.picture.autograd_shape import ARROW

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

AROUND = 320.0
"""How far outside of an arrow things may make it go round."""
EDGE = 1.0
"""So far within a thing an arrow may run."""
MOST = 400
"""So many arrows are looked at together."""


class ArrowDetours:
    """``found`` has the corners of the arrows that go round something, by their number."""

    def __init__(self) -> None:
        self.found: dict[int, np.ndarray] = {}
        self._ways = np.zeros((0, 6, 2))
        self._things: np.ndarray | None = None
        self._is_seen = np.zeros(0, bool)
        self._blocked: set[int] = set()

    def take(self, ways: np.ndarray, is_still: bool = True) -> None:
        """Begin with these arrows, shape (n, 6, 2); those on their way go straight until they are there."""
        self.found, self._ways, self._blocked, self._things = {}, ways, set(), None
        self._is_seen = np.full(len(ways), not is_still)

    def is_done(self, places: np.ndarray) -> bool:
        """True when nothing is left to be looked for for these arrows."""
        return bool(self._is_seen[places].all()) and self._blocked.isdisjoint(places.tolist())

    def things(self, picture: Picture) -> np.ndarray:
        """What arrows go round, rows left, top, right, bottom."""
        self._things = in_the_way(picture) if self._things is None else self._things
        return self._things

    def find(self, picture: Picture, places: np.ndarray, seconds: float) -> bool:
        """Lead these arrows round what a picture has, for so long; True when some were."""
        end, known = perf_counter() + seconds, len(self.found)
        things = self.things(picture)
        fresh = places[~self._is_seen[places]]
        while len(fresh) and perf_counter() < end:
            batch, fresh = fresh[:MOST], fresh[MOST:]
            self._is_seen[batch] = True
            self._blocked.update(batch[_run_through(self._ways[batch], things)].tolist())
        for place in sorted(self._blocked.intersection(places.tolist())):
            if perf_counter() >= end:
                break
            self._blocked.discard(place)
            led = _led(self._ways[place], things)
            if led is not None:
                self.found[place] = led
        return len(self.found) > known


def _run_through(ways: np.ndarray, things: np.ndarray) -> np.ndarray:
    """For each of these arrows whether it runs through something."""
    things = things[meeting(things, ways.min(axis=(0, 1)), ways.max(axis=(0, 1)))]
    one, other = ways[:, :-1, None], ways[:, 1:, None]
    low, high = np.minimum(one, other), np.maximum(one, other)
    passed = (low[..., 0] < things[:, 2] - EDGE) & (high[..., 0] > things[:, 0] + EDGE)
    passed &= (low[..., 1] < things[:, 3] - EDGE) & (high[..., 1] > things[:, 1] + EDGE)
    passed[:, 0] &= ~_holding(things, ways[:, 0])
    passed[:, 3:] &= ~_holding(things, ways[:, -1])[:, None]
    return np.asarray(passed.any(axis=(1, 2)))


def _led(way: np.ndarray, things: np.ndarray) -> np.ndarray | None:
    """The corners of an arrow that goes round; None where there is no such way. It may come in from below."""
    things = things[meeting(things, way.min(axis=0) - AROUND, way.max(axis=0) + AROUND)]
    is_upright = way[3, 0] == way[5, 0] and way[3, 1] != way[5, 1]
    before, stop = way[2:4] if is_upright else way[4:6]
    leaves = RIGHT if way[1, 0] >= way[0, 0] else LEFT
    enters = RIGHT if stop[0] >= before[0] else LEFT
    start = way[0].copy()
    own = things[_holding(things, start)]
    if len(own):
        start[0] = own[:, 2].max() if leaves == RIGHT else own[:, 0].min()
    found = corners_round(_point(start), _point(stop), things, leaves, enters)
    if not found:
        return None
    corners = [_point(way[0]), *found[1:]]
    return np.array([*corners, _point(way[5])] if is_upright else corners)


def _point(at: np.ndarray) -> Point:
    return float(at[0]), float(at[1])


def in_the_way(picture: Picture) -> np.ndarray:
    """What arrows go round, rows left, top, right, bottom: cards, boxes of operators, nodes and discs."""
    layer, shown = picture.functions, ~picture.hidden
    x, y, right, bottom = (side[shown] for side in (picture.x, picture.y, picture.x + picture.w, picture.y + picture.h))
    heads = picture.heads[shown]
    cards = np.stack([x, y + heads, right, bottom], axis=1)
    operators = np.stack([x, y, right, y + heads - ARROW], axis=1)[heads > 0]
    nodes = np.stack([layer.x, layer.y, layer.x + layer.w, layer.y + layer.h], axis=1)
    folds = np.array([fold.pile.getCoords() for fold in picture.folds]).reshape(-1, 4)
    return np.concatenate([cards, operators, nodes, folds, layer.discs()])


def _holding(things: np.ndarray, points: np.ndarray) -> np.ndarray:
    """For each point, and each thing, whether it lies in it or on its edge."""
    x, y = points[..., :1], points[..., 1:]
    within = (things[:, 0] - EDGE <= x) & (x <= things[:, 2] + EDGE)
    return np.asarray(within & (things[:, 1] - EDGE <= y) & (y <= things[:, 3] + EDGE))
