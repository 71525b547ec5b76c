"""Pushing cards to the right: what comes after a card put into a wire, and whatever stands in the way of that."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad.layout import GRID
from chalkgrad.layout.boxes import meeting, meetings
from chalkgrad_app.canvas.arrange import COLUMN_GAP, Point
from chalkgrad_app.picture.anatomy import WIDTH
from chalkgrad_app.picture.picture import Picture


@dataclass(frozen=True, slots=True, eq=False)
class Push:
    """The cards of a picture that move right by ``way``: True in their rows of ``moving``."""

    picture: Picture
    moving: np.ndarray
    way: float

    def places(self) -> dict[int, Point]:
        """The new places of the cards that move."""
        picture, rows = self.picture, np.flatnonzero(self.moving)
        corners = zip((picture.x[rows] + self.way).tolist(), picture.y[rows].tolist(), strict=True)
        return dict(zip([picture.ids[row] for row in rows.tolist()], corners, strict=True))

    def meeting(self, rect: QRectF) -> np.ndarray:
        """For each card that can be seen whether it shares room with ``rect`` once it was moved."""
        boxes = _boxes(self.picture) + np.outer(self.moving, (self.way, 0.0, self.way, 0.0))
        return meeting(boxes, rect.topLeft().toTuple(), rect.bottomRight().toTuple()) & ~self.picture.hidden


def pushed(picture: Picture, rect: QRectF, readers: Iterable[int], but: Collection[int] = ()) -> Push:
    """What moves for ``readers`` and what comes after them to stand right of ``rect``; ``but`` stay."""
    fronts = {id_: front for id_ in readers if id_ not in but and (front := picture.rect_of(id_)) is not None}
    near = {
        id_: front
        for id_, front in fronts.items()
        if front.left() < rect.right() + COLUMN_GAP and front.right() >= rect.left()
    }
    moving = np.zeros(len(picture.ids), bool)
    if not near:
        return Push(picture, moving, 0.0)
    left = min(front.left() for front in near.values())
    way = float(np.ceil((rect.right() + COLUMN_GAP - left) / GRID) * GRID)
    moving[_rows(picture, {*near, *picture.program.dependents(*near)})] = True
    moving &= picture.x >= left - WIDTH
    stay = np.zeros(len(moving), bool)
    stay[_rows(picture, but)] = True
    moving &= ~stay
    return Push(picture, _with_what_is_in_the_way(picture, moving, way, stay), way)


def _with_what_is_in_the_way(picture: Picture, moving: np.ndarray, way: float, stay: np.ndarray) -> np.ndarray:
    """What moves by ``way``, what would lie under that, and so on; cards that ``stay`` do not."""
    may = np.flatnonzero(~stay & (picture.x >= picture.x[moving].min(initial=np.inf)))
    boxes = _boxes(picture)[may]
    mover, under = meetings(boxes + np.array((way, 0.0, way, 0.0)), boxes)
    beyond = (boxes[under, 0] >= boxes[mover, 0]) & (under != mover)
    mover, under = may[mover[beyond]], may[under[beyond]]
    while True:
        more = under[moving[mover] & ~moving[under]]
        if not len(more):
            return moving
        moving[more] = True


def _rows(picture: Picture, ids: Iterable[int]) -> list[int]:
    return [picture.index[id_] for id_ in ids if id_ in picture.index]


def _boxes(picture: Picture) -> np.ndarray:
    """Where the cards are: left, top, right, bottom."""
    return np.stack([picture.x, picture.y, picture.x + picture.w, picture.y + picture.h], axis=1)
