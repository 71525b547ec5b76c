"""What painting keeps from one frame to the next: sprites and far marks, and for how long it makes new sprites."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import thread_time

from chalkgrad_app.picture.far_names import FarNames
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.marks import Marks
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.sprites import Sprites

PAINT_MS = 16.0
"""For how long sprites are made in one turn of the event loop, in milliseconds; the cards left are blank until then."""
LEAST_MS = 8.0
"""For so long at least, however long others have worked in this turn."""
MORE_MS = 12.0
"""For so long in addition after a frame that left as many cards blank as the one before; twice that after the next."""


class Brushes:
    """Each canvas has its own. ``blanks`` tells how many cards were left blank in the last frame painted in time.

    ``names`` are those beside what is seen from afar; None where there are none.
    """

    def __init__(self, named: bool = True) -> None:
        self.sprites = Sprites()
        self.names = FarNames() if named else None
        self.blanks = 0
        self._until = inf
        self._more_ms = 0.0
        self._view: object = None
        self._marks: Marks | None = None

    def marks(self, look: Look) -> Marks:
        """The far marks for a look."""
        marks = self._marks
        if marks is None or (marks.theme, marks.zoom, marks.dpr) != (look.theme, look.zoom, look.dpr):
            marks = self._marks = Marks(look.theme, look.zoom, look.dpr)
        return marks

    @contextmanager
    def in_time(self, spent_ms: float, view: object) -> Iterator[None]:
        """While it lasts, cards for which there is no time are left blank.

        ``spent_ms`` is what was spent in this turn of the event loop before. Where as many as before are left blank in
        one view, the next frame of it has more time, and in the end enough for all.
        """
        if view != self._view:
            self._view, self.blanks, self._more_ms = view, 0, 0.0
        before, self.blanks = self.blanks, 0
        left = max(LEAST_MS, PAINT_MS - spent_ms)
        self._until = thread_time() + (left + self._more_ms) / 1000
        yield
        self._until = inf
        if not self.blanks:
            self._more_ms = 0.0
        elif 0 < before <= self.blanks:
            self._more_ms = max(MORE_MS, 2 * self._more_ms)

    def leaves_blank(self, picture: Picture, id_: int, look: Look) -> bool:
        """True for a card that has no sprite yet, and no time is left to make one."""
        if look.vector or thread_time() < self._until:
            return False
        known = picture.known_face(id_)
        if known is not None and self.sprites.has(picture.drawing, known.serial, look):
            return False
        self.blanks += 1
        return True
