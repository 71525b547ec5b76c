"""Where an editor of a card opens: where it hides neither the card nor those that read it, and little else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize

from chalkgrad_app.canvas import reach
from chalkgrad_app.canvas.clearance import Written, outside
from chalkgrad_app.picture.paint import visible_cards
from chalkgrad_app.widgets.code_font import scaled

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

GAP = 12
"""Pixels between the card and what opens beside it."""
EDGE = 4
"""Pixels that stay free at the edge of the room."""
NUMBER, MARGIN = 28.0, 6.0
"""So far numbers at ports stand out of a card, and so many pixels round it are better left free."""
STEP = 24.0
"""So far apart are the places that are tried, in pixels; those in one line with the card are tried besides."""
FURTHEST = 240.0
"""No place is tried that is further from the card."""
CARD, READER, LATER, OTHER = 48.0, 8.0, 4.0, 2.0
"""What a hidden pixel costs of the card itself, of one that reads it, of one further down, and of all else."""
PANEL = 0.5
"""What a pixel over a panel costs: more than the empty canvas far off, less than any card."""
AWAY, ASKEW, NOT_RIGHT = 8.0, 2.0, 100.0
"""What it costs to lie a pixel further away, or out of line with the card; and on another side than the right."""


def beside(canvas: Canvas, id_: int, size: QSize, room: QRect) -> QPoint:
    """The corner, on ``canvas``, of what is ``size`` large and opens beside card ``id_`` within ``room``."""
    card = canvas.viewport.rect_to_view(canvas.picture.rect_of(id_) or QRectF())
    boxes = _places(card, size, QRectF(room).adjusted(EDGE, EDGE, -EDGE, -EDGE))
    costs = _about(canvas, id_, card.united(_reach(card, size))).hidden_by(boxes)
    costs += PANEL * outside(boxes, QRectF(canvas.rect())) + _away(card, boxes)
    left, top = boxes[int(costs.argmin()), :2].tolist()
    return QPointF(left, top).toPoint()


def _reach(card: QRectF, size: QSize) -> QRectF:
    """Everything that one of the places near a card covers."""
    width, height = size.width() + FURTHEST, size.height() + FURTHEST
    return card.adjusted(-width, -height, width, height)


def _places(card: QRectF, size: QSize, room: QRectF) -> np.ndarray:
    """The places to choose from, each left, top, right, bottom; those in line with the card come first."""
    width, height = float(size.width()), float(size.height())
    gap = scaled(GAP)
    near = _reach(card, size)
    x = _along(near.left(), near.right() - width, (card.right() + gap, card.left() - gap - width, card.left()))
    y = _along(near.top(), near.bottom() - height, (card.top(), card.bottom() + gap, card.top() - gap - height))
    x = np.clip(x, room.left(), max(room.left(), room.right() - width))
    y = np.clip(y, room.top(), max(room.top(), room.bottom() - height))
    corners = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return np.concatenate([corners, corners + np.array([width, height])], axis=1)


def _along(low: float, high: float, first: tuple[float, ...]) -> np.ndarray:
    return np.array([*first, *np.arange(low, high, STEP).tolist()])


def _about(canvas: Canvas, id_: int, near: QRectF) -> Written:
    """What an editor of a card might hide, in pixels: cards by what they have to do with it, notes, nodes."""
    picture, viewport = canvas.picture, canvas.viewport
    area = QRectF(viewport.to_scene(near.topLeft()), viewport.to_scene(near.bottomRight()))
    rows = visible_cards(picture, area)
    weights = np.full(len(picture.ids), OTHER)
    weights[picture.rows_of(reach.downstream(picture, [id_]))] = LATER
    weights[picture.rows_of(reach.readers(picture, id_))] = READER
    weights[picture.rows_of([id_])] = CARD
    x, y = picture.x[rows], picture.y[rows]
    boxes = [np.stack([x - NUMBER, y, x + picture.w[rows], y + picture.h[rows]], axis=1)]
    for arrays in picture.beside:
        inside = arrays.within(area)
        x, y = arrays.x[inside], arrays.y[inside]
        boxes.append(np.stack([x, y, x + arrays.w[inside], y + arrays.h[inside]], axis=1))
    notes = [(note.x, note.y, note.x + note.width, note.y + note.height) for note in picture.notes]
    boxes.append(np.array(notes, float).reshape(-1, 4))
    all_boxes = np.concatenate(boxes)
    others = np.full(len(all_boxes) - len(rows), OTHER)
    look = canvas.look()
    in_view = (all_boxes - np.tile(np.asarray(look.origin, float), 2)) * look.zoom
    return Written(in_view + np.array([-MARGIN, -MARGIN, MARGIN, MARGIN]), np.append(weights[rows], others))


def _away(card: QRectF, boxes: np.ndarray) -> np.ndarray:
    """What it costs to lie far from the card, out of line with it, or elsewhere than on its right."""
    left, top, right, bottom = boxes.T
    across = np.maximum(np.maximum(left - card.right(), card.left() - right), 0.0)
    down = np.maximum(np.maximum(top - card.bottom(), card.top() - bottom), 0.0)
    askew = np.minimum(np.abs(left - card.left()), np.abs(top - card.top()))
    cost: np.ndarray = AWAY * (across + down) + ASKEW * askew + NOT_RIGHT * (left < card.right())
    return cost
