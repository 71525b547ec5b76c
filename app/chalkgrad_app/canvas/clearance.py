"""Where on the canvas a word may stand, beside a card or on a wire, so that it hides as little as can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad_app.picture.anatomy import FOOT, Box
from chalkgrad_app.picture.autograd_shape import operator_box
from chalkgrad_app.picture.card_parts import field_rect
from chalkgrad_app.picture.folding import TITLE
from chalkgrad_app.picture.look import Level
from chalkgrad_app.picture.paint import visible_cards

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas
    from chalkgrad_app.picture.picture import Picture

Corners = tuple[float, float, float, float]
"""Left, top, right, bottom."""

ERROR_LINE = 27.0
"""How far below a card the line with its error reaches."""
BODY = 0.25
"""How much worse than beside a card it is to stand on one; on its name and value it is four times worse."""
NEAR = 160.0
"""Cards so far outside of what is seen can't be hidden, in pixels."""


class Written(NamedTuple):
    """What can be hidden, in pixels of the canvas: rows left, top, right, bottom, and how much each one matters."""

    boxes: np.ndarray
    weights: np.ndarray

    def hidden_by(self, boxes: np.ndarray) -> np.ndarray:
        """How much of it each of these boxes, which lie near each other, would hide."""
        if not (len(self.boxes) and len(boxes)):
            return np.zeros(len(boxes))
        begin, end = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        near = ((self.boxes[:, :2] < end) & (self.boxes[:, 2:] > begin)).all(axis=1)  # of hundreds it is a few
        others = self.boxes[near].T[:, :, None]
        hidden: np.ndarray = self.weights[near] @ (_shared(boxes, others, 0) * _shared(boxes, others, 1))
        return hidden

    def best(self, boxes: np.ndarray, costs: np.ndarray, taken: Sequence[QRectF]) -> QRectF | None:
        """The box that hides the least, ``costs`` added; None where all of them would hide what is ``taken``."""
        all_costs = self.hidden_by(boxes) + costs
        for row in np.argsort(all_costs, kind="stable").tolist():
            left, top, right, bottom = boxes[row].tolist()
            rect = QRectF(left, top, right - left, bottom - top)
            if not any(rect.intersects(other) for other in taken):
                return rect
        return None


def written(canvas: Canvas) -> Written:
    """Names, values and operators of the cards in view, the cards themselves, notes, titles, and what lies beside."""
    picture, look = canvas.picture, canvas.look()
    seen = canvas.scene_rect().adjusted(-NEAR, -NEAR, NEAR, NEAR)
    cards, weights = _cards(picture, seen, look.level is Level.NEAR)
    others = _others(picture, seen)
    origin = np.tile(np.asarray(look.origin, float), 2)
    boxes = (np.array([*cards, *others]).reshape(-1, 4) - origin) * look.zoom
    return Written(boxes, np.array([*weights, *[1.0] * len(others)]))


def said_beside(picture: Picture, row: int) -> list[Box]:
    """Where the card in a row has its error below it, and the numbers at its ports, from its corner."""
    card = picture.face(picture.ids[row])
    fields = [field_rect(card.anatomy, field.port, field.text) for field in card.fields]
    found = [Box(rect.left(), rect.top(), rect.width(), rect.height()) for rect in fields]
    if picture.below[row]:
        found.append(Box(0.0, card.anatomy.height, card.anatomy.width, ERROR_LINE))
    return found


def _cards(picture: Picture, seen: QRectF, is_near: bool) -> tuple[list[Corners], list[float]]:
    boxes: list[Corners] = []
    weights: list[float] = []
    for row in visible_cards(picture, seen).tolist():
        shape, x, y = picture.anatomy(picture.ids[row]), picture.x[row], picture.y[row]
        values = (place.value for place in shape.places)
        rows = (box for place in shape.rows for _, box in place.others)
        operator = operator_box(shape) if shape.down else None
        texts = [shape.header, *values, *rows, *([] if operator is None else [operator])]
        if is_near:
            texts += said_beside(picture, row)
            texts += [Box(0.0, shape.foot, shape.width, FOOT)] if shape.foot else []
        boxes += [(x + box.left, y + box.top, x + box.left + box.width, y + box.top + box.height) for box in texts]
        weights += [1.0] * len(texts)
        body = shape.body
        boxes.append((x, y + body.top, x + body.width, y + body.top + body.height))
        weights.append(BODY)
    return boxes, weights


def _others(picture: Picture, seen: QRectF) -> list[Corners]:
    frames = (frame.rect for frame in picture.frames)
    rects = [QRectF(rect.left(), rect.top(), rect.width(), TITLE) for rect in frames]  # titles, and counters of rounds
    rects += [QRectF(note.x, note.y, note.width, note.height) for note in picture.notes]
    boxes = [(r.left(), r.top(), r.right(), r.bottom()) for r in rects if seen.intersects(r)]
    for arrays in picture.beside:
        rows = arrays.within(seen)
        x, y = arrays.x[rows], arrays.y[rows]
        boxes += zip(x.tolist(), y.tolist(), (x + arrays.w[rows]).tolist(), (y + arrays.h[rows]).tolist(), strict=True)
    return boxes


def _shared(boxes: np.ndarray, others: np.ndarray, axis: int) -> np.ndarray:
    """How long the stretch along one axis is that boxes (in columns) share with others (in rows)."""
    low, high = np.ascontiguousarray(boxes[:, axis]), np.ascontiguousarray(boxes[:, axis + 2])
    sides: np.ndarray = np.minimum(high, others[axis + 2])
    sides -= np.maximum(low, others[axis])
    np.maximum(sides, 0.0, out=sides)
    return sides


def around(centres: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Boxes with these middles, each with its width and height."""
    return np.concatenate([centres - sizes / 2, centres + sizes / 2], axis=-1)


def outside(boxes: np.ndarray, area: QRectF) -> np.ndarray:
    """How much of each of these boxes lies outside of an area."""
    low, high = np.array([area.left(), area.top()]), np.array([area.right(), area.bottom()])
    inside = np.maximum(np.minimum(boxes[..., 2:], high) - np.maximum(boxes[..., :2], low), 0.0)
    left: np.ndarray = np.prod(boxes[..., 2:] - boxes[..., :2], axis=-1) - np.prod(inside, axis=-1)
    return left
