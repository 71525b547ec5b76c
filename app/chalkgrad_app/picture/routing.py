"""Ways of wires round cards: what the layout finds for a picture, as cubics; found anew when cards or wires move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chalkgrad.layout import Edge, Node, routes
from chalkgrad_app.picture.anatomy import ERROR_STRIP

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

MOST = 300
"""With more cards than this all wires are plain curves."""

Ways = dict[int, np.ndarray]
"""Cubics, shape (pieces, 8), of each wire that is no plain curve, by its number."""


class Routing:
    """The ways of one picture's wires."""

    def __init__(self) -> None:
        self._known: tuple[bytes, ...] = ()
        self._ways: Ways = {}

    def ways(self, picture: Picture) -> Ways:
        """The ways as things lie now; those found before when nothing has moved since."""
        if len(picture.ids) > MOST:
            self._known, self._ways = (), {}
            return self._ways
        known = (*(a.tobytes() for a in (picture.x, picture.y, picture.w, picture.h, picture.ends)), _strips(picture))
        if known != self._known:
            self._known = known
            self._ways = _found(picture)
        return self._ways

    def still(self, picture: Picture, moving: np.ndarray) -> Ways:
        """The ways found before of the wires whose cards don't move; ``moving`` says of each card whether it does."""
        touched = moving[picture.wire_source] | moving[picture.wire_target]
        return {row: way for row, way in self._ways.items() if row < len(touched) and not touched[row]}


def _found(picture: Picture) -> Ways:
    strips = np.frombuffer(_strips(picture), bool) * ERROR_STRIP
    places = dict(zip(picture.ids, zip(picture.x.tolist(), picture.y.tolist(), strict=True), strict=True))
    nodes = [
        Node(id_, width, height, picture.anatomy(id_).inputs)
        for id_, width, height in zip(picture.ids, picture.w.tolist(), (picture.h + strips).tolist(), strict=True)
    ]
    starts = (picture.ends[:, 1] - picture.y[picture.wire_source]).tolist()
    edges = [
        Edge(wire.source, wire.target, min(wire.port, len(picture.anatomy(wire.target).inputs) - 1), start)
        for wire, start in zip(picture.wires, starts, strict=True)
    ]
    paths = routes(nodes, edges, places)
    return {row: _cubics(path) for row, path in enumerate(paths) if len(path) > 4}


def _cubics(path: tuple[tuple[float, float], ...]) -> np.ndarray:
    """The pieces of a spline, each with its own first point."""
    points = np.array(path)
    return np.hstack([points[0:-1:3], points[1::3], points[2::3], points[3::3]])


def _strips(picture: Picture) -> bytes:
    """For each card whether a line with its error stands below it."""
    return picture.below.tobytes()
