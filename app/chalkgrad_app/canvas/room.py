"""Room for a card put into a wire: what comes after it moves to the right, with what stands in its way there."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from chalkgrad.layout import GRID, free_place
from chalkgrad_app.canvas.arrange import COLUMN_GAP, Point, snapped
from chalkgrad_app.canvas.hit import cards_in, notes_in
from chalkgrad_app.picture.anatomy import HEIGHT, WIDTH
from chalkgrad_app.picture.folding import TITLE
from chalkgrad_app.picture.picture import Picture

GAP = COLUMN_GAP
"""Room between two cards with a wire between them."""
SEARCH = 1000.0
"""How far off a free place is looked for."""
SHOVES = 50
"""How often cards that were moved may push others on."""


def free_corner(picture: Picture, corner: QPointF, size: Point = (WIDTH, HEIGHT)) -> QPointF:
    """The top left corner nearest to ``corner`` at which a new card, or note, covers nothing that is there."""
    here = QRectF(corner.x(), corner.y(), *size)
    if not _taken(picture, here):
        return corner
    near = here.adjusted(-SEARCH, -SEARCH, SEARCH, SEARCH)
    taken = [(rect.x(), rect.y(), rect.width(), rect.height()) for rect in _taken(picture, near)]
    return QPointF(*free_place(taken, (corner.x(), corner.y()), size))


def _taken(picture: Picture, rect: QRectF) -> list[QRectF]:
    """What lies within a rectangle: cards, notes, folded nodes and the titles of frames."""
    things = [picture.rect_of(id_) or QRectF() for id_ in (*cards_in(picture, rect), *notes_in(picture, rect))]
    titles = [QRectF(frame.rect.topLeft(), QSizeF(frame.rect.width(), TITLE)) for frame in picture.frames]
    return things + [other for other in (*titles, *(fold.rect for fold in picture.folds)) if other.intersects(rect)]


def corner_in_wire(picture: Picture, start: int, corner: QPointF) -> Point:
    """Where a card goes that is put into a wire at ``corner``: not over the card at which the wire begins."""
    x, y = snapped(corner.x(), corner.y())
    source = picture.rect_of(start)
    if source is not None and QRectF(x, y, WIDTH, HEIGHT).adjusted(-GAP / 2, 0, 0, 0).intersects(source):
        x = snapped(source.right() + GAP, 0)[0]
    return x, y


def pushed(picture: Picture, rect: QRectF, reader: int, but: Collection[int] = ()) -> dict[int, Point]:
    """New places of ``reader`` and what comes after it, where ``rect`` leaves them no room; ``but`` stay."""
    program = picture.program
    front = picture.rect_of(reader)
    if front is None or reader in but:
        return {}
    way = float(np.ceil((rect.right() + GAP - front.left()) / GRID) * GRID)
    if way <= 0 or front.right() < rect.left():
        return {}
    after = {reader, *program.dependents(reader)} - set(but)
    moving = np.zeros(len(picture.ids), bool)
    moving[[picture.index[id_] for id_ in after if id_ in picture.index]] = True
    moving &= picture.x >= front.left() - WIDTH
    fixed = np.isin(picture.ids, list(but))
    for _ in range(SHOVES):
        more = _in_the_way(picture, moving, way) & ~fixed
        if not more.any():
            break
        moving |= more
    return {picture.ids[row]: (float(picture.x[row]) + way, float(picture.y[row])) for row in np.flatnonzero(moving)}


def _in_the_way(picture: Picture, moving: np.ndarray, way: float) -> np.ndarray:
    """Cards that stay and would lie under one that moves by ``way``."""
    hit = np.zeros(len(moving), bool)
    still = np.flatnonzero(~moving)
    left, top = picture.x[still], picture.y[still]
    right, bottom = left + picture.w[still], top + picture.h[still]
    for row in np.flatnonzero(moving).tolist():
        x, y = picture.x[row], picture.y[row]
        beyond = left >= x
        under = (left < x + way + picture.w[row]) & (right > x + way) & (top < y + picture.h[row]) & (bottom > y)
        hit[still[beyond & under]] = True
    return hit
