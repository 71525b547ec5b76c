"""What a drawing that lays itself out has laid out, and where all lies until it comes to that again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from chalkgrad.layout import Strip
from chalkgrad_app.picture.anatomy import Point

APART = 40.0
"""How far below the card before it a new one lies until all is laid out."""
ROUGHLY = -1
"""No sizes are those by which something was laid out roughly."""
MOST_GONE = 4000
"""Of more cards that are gone nobody remembers where they were: the oldest are forgotten."""

NO_STRIPS = np.zeros(0, np.intp)

Of = tuple[list[int], object, object]
"""What all hangs on besides sizes: the ids of the cards by row, their wires, and the members of blocks."""


class LaidOut(NamedTuple):
    """Of what, by which sizes (their serial number), and where each row is; where cards were that are gone, by id.

    ``strips`` are those that all stands in, ``strip`` has the number of the one of each row.
    """

    of: Of
    sizes: int
    places: np.ndarray
    gone: Mapping[int, Point]
    strips: tuple[Strip, ...] = ()
    strip: np.ndarray = NO_STRIPS

    def with_others(self, of: Of, heights: Iterable[float]) -> LaidOut:
        """The same with other cards: all where they were, what comes back, too; new ones below the card before them."""
        was = dict(self.gone)
        was.update(zip(self.of[0], map(tuple, self.places.tolist()), strict=True))
        strip_of = dict(zip(self.of[0], self.strip.tolist(), strict=True))
        places: list[Point] = []
        strip: list[int] = []
        left, below = 0.0, 0.0
        for id_, height in zip(of[0], heights, strict=True):
            left, top = was.pop(id_, (left, below))
            places.append((left, top))
            strip.append(strip_of.get(id_, strip[-1] if strip else 0))
            below = top + height + APART
        gone = dict(list(was.items())[-MOST_GONE:])
        return LaidOut(of, ROUGHLY, np.array(places).reshape(-1, 2), gone, self.strips, np.array(strip, np.intp))
