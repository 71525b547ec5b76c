"""Room for a card put into a wire, and for one that grew: what stands in its way moves on, and what stands there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from chalkgrad.layout import GRID, free_place
from chalkgrad_app.canvas.arrange import COLUMN_GAP, Point, snapped
from chalkgrad_app.canvas.hit import cards_in, notes_in
from chalkgrad_app.picture.anatomy import HEIGHT, WIDTH
from chalkgrad_app.picture.folding import TITLE, block_members
from chalkgrad_app.picture.picture import Picture

GAP = COLUMN_GAP
"""Room between two cards with a wire between them."""
SEARCH = 1000.0
"""How far off a free place is looked for."""
CLEAR = 2.0 * GRID
"""What moves out of the way of a card keeps so far off."""
Sizes = Mapping[int, Point]
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


def out_of_the_way(picture: Picture, before: Sizes, new_blocks: Collection[int]) -> dict[int, Point]:
    """New places of the cards on which lies what is larger than ``before``, or the frame of a new block.

    Cards that lay on one another before stay so: somebody put them there. Those kept in place stay, too. What stood
    right of a card keeps the room that wires and fields have there.
    """
    rects = {id_: picture.rect(id_) for row, id_ in enumerate(picture.ids) if not picture.hidden[row]}
    fixed = {id_ for id_ in rects if (place := picture.board.place(id_)) is not None and place.pinned}
    grown = {id_ for id_, rect in rects.items() if _grew(rect, before.get(id_, (WIDTH, HEIGHT)))}
    old = {id_: QRectF(rects[id_].topLeft(), QSizeF(*before.get(id_, (WIDTH, HEIGHT)))) for id_ in grown}
    pending = [(rects[id_], frozenset({id_}), old[id_]) for id_ in grown]
    pending += [(rect, inside, QRectF()) for rect, inside in _frames(picture, new_blocks)]
    moved: dict[int, Point] = {}
    for _ in range(SHOVES):
        if not pending:
            break
        rect, own, was = pending.pop(0)
        for id_, other in rects.items():
            room = _wire_room(was, other)
            if (
                id_ in own
                or id_ in fixed
                or other.intersects(was)
                or not other.intersects(rect.adjusted(0, 0, room, 0))
            ):
                continue
            rects[id_] = shoved = _shoved(other, rect, room)
            moved[id_] = (shoved.x(), shoved.y())
            pending.append((shoved, frozenset({id_, *own}), other))
    return moved


def _wire_room(was: QRectF, other: QRectF) -> float:
    """How far right of a card another has to stay: as far as it stood, and no farther than a wire needs."""
    return min(max(other.left() - was.right(), 0.0), GAP) if was.isValid() else 0.0


def _grew(rect: QRectF, size: Point) -> bool:
    return rect.width() > size[0] or rect.height() > size[1]


def _frames(picture: Picture, blocks: Collection[int]) -> Iterator[tuple[QRectF, frozenset[int]]]:
    """The rectangles of blocks, each with the cards in it."""
    members = block_members(picture.program, picture.ids)
    for frame in picture.frames:
        if frame.id in blocks:
            yield QRectF(frame.rect), frozenset(members.get(frame.id, ()))


def _shoved(rect: QRectF, by: QRectF, room: float) -> QRectF:
    """``rect`` ``room`` beside ``by``; without room to keep there, clear of it beside or below, whichever is nearer."""
    across, down = by.right() + max(room, CLEAR) - rect.left(), by.bottom() + CLEAR - rect.top()
    way = QPointF(across, 0) if room or across < down else QPointF(0, down)
    at = rect.topLeft() + way
    return QRectF(QPointF(np.ceil(at.x() / GRID) * GRID, np.ceil(at.y() / GRID) * GRID), rect.size())
