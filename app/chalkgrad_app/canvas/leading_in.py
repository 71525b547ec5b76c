"""Leaves that lead into a folded node alone stand before it, so that their wires need not turn back to its ports."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF

from chalkgrad_app.canvas.arrange import COLUMN_GAP, Point
from chalkgrad_app.canvas.room import FAR, corner_among, pinned
from chalkgrad_app.picture.anatomy import HEIGHT
from chalkgrad_app.picture.folding import Fold
from chalkgrad_app.picture.picture import Picture


def before_node(picture: Picture, fold: Fold, ground: QRectF) -> dict[int, Point]:
    """How far leaves move that lead into the node alone and stand above or below the ``ground`` that was folded."""
    found: dict[int, Point] = {}
    behind = QRectF(fold.rect.left() - COLUMN_GAP, fold.rect.top() - FAR, FAR, 2 * FAR)
    put: list[QRectF] = [behind]
    for id_ in _turning_back(picture, fold, ground):
        rect = picture.rect(id_)
        wanted = QRectF(QPointF(behind.left() - rect.width(), rect.top()), rect.size())
        corner = corner_among(picture, wanted, {id_}, put)
        put.append(QRectF(corner, rect.size()))
        found[id_] = (corner.x() - rect.x(), corner.y() - rect.y())
    return found


def _turning_back(picture: Picture, fold: Fold, ground: QRectF) -> Iterator[int]:
    """The leaves whose wires would turn back: what stands in a block or on a frame, or is kept in place, stays."""
    near, inside = ground.adjusted(0, -2 * HEIGHT, 0, 2 * HEIGHT), frozenset(fold.cards)
    readers: dict[int, set[int]] = {}
    for wire in picture.wires:
        readers.setdefault(wire.source, set()).add(wire.target)
    kept = pinned(picture) | {wire.target for wire in picture.wires} | inside
    for id_ in readers.keys() - kept:
        rect = picture.rect(id_)
        framed = any(frame.rect.intersects(rect) for frame in picture.frames)
        if readers[id_] <= inside and not framed and near.intersects(rect) and rect.right() > fold.rect.left():
            yield id_
