"""Cards: an operator with its result is one compact card; inputs left, results right."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from chalkgrad.program.statement import Statement
from chalkgrad.session.state import StatementState
from chalkgrad_app.picture.anatomy import ERROR_STRIP, Anatomy, anatomy
from chalkgrad_app.picture.card import CardFace, card_anatomy
from chalkgrad_app.picture.card_paint import Rooms, number_place, paint_near, paint_still, paint_values, still
from chalkgrad_app.picture.card_parts import PORT, field_rect
from chalkgrad_app.picture.drawings.base import Drawing
from chalkgrad_app.picture.line_numbers import NumberPlace
from chalkgrad_app.picture.look import Level, Look
from chalkgrad_app.picture.middle_paint import paint_middle

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

GAP = 32.0


class CardDrawing(Drawing):
    """The drawing that one builds in."""

    name = "cards"
    handle_at = 0.5

    def anatomy(self, statement: Statement, state: StatementState, inputs: int | None = None) -> Anatomy:
        """Size and parts of a card."""
        return card_anatomy(statement, state, inputs)

    def blank(self, inputs: int) -> Anatomy:
        """Size and parts of a card without a value."""
        return anatomy((), inputs, False)

    def paint(self, painter: QPainter, card: CardFace, look: Look) -> None:
        """Paint a card in its own coordinates."""
        if look.level is Level.NEAR:
            paint_near(painter, card, look.theme, look.words, look.least)
        else:
            paint_middle(painter, card, look)

    def numbers(self, card: CardFace, look: Look) -> tuple[NumberPlace, ...]:
        """Before the name, on a card seen near."""
        return (number_place(card, look.least),) if look.level is Level.NEAR else ()

    def still(self, card: CardFace, look: Look) -> Hashable | None:
        """A card seen near without its values."""
        return still(card) if look.level is Level.NEAR else None

    def paint_still(self, painter: QPainter, card: CardFace, look: Look) -> Rooms:
        """Paint it; where the values go."""
        return paint_still(painter, card, look.theme, look.words, look.least)

    def paint_values(self, painter: QPainter, card: CardFace, rooms: Rooms, look: Look) -> None:
        """Paint the values of a card seen near."""
        paint_values(painter, card, rooms, look.theme, look.least)

    def extent(self, card: CardFace) -> QRectF:
        """The card with its ports, fields, hatching and the error strip."""
        left = max((-field_rect(card.anatomy, field.port, field.text).left() for field in card.fields), default=PORT)
        below = ERROR_STRIP if card.error and card.rows else 4.0
        around = 10.0 if card.error else 0.0
        card_rect = QRectF(0, 0, card.anatomy.width, card.anatomy.height)
        return card_rect.adjusted(-max(left + 2, around), -12.0, PORT + 10 + around, below + around)

    def place(self, picture: Picture, homeless: list[int]) -> None:
        """Cards without a place stand in columns by depth, below the others."""
        # A card in a folded frame has the frame's size for now, which is not what it takes here.
        shapes = [picture.anatomy(id_) for id_ in picture.ids]
        widths, heights = np.array([(shape.width, shape.height) for shape in shapes]).T
        is_homeless = np.zeros(len(picture.ids), bool)
        is_homeless[homeless] = True
        placed = ~is_homeless
        top = float((picture.y + heights)[placed].max()) + 2 * GAP if placed.any() else 0.0
        depth = depths(picture, is_homeless)[homeless]
        order = np.argsort(depth, kind="stable")
        rows, column = np.array(homeless)[order], depth[order]
        first = np.flatnonzero(np.diff(column, prepend=-1))  # of each column: none is empty
        across, down = np.maximum.reduceat(widths[rows], first) + 2 * GAP, heights[rows] + GAP
        lefts, tops = np.cumsum(across) - across, np.cumsum(down) - down
        picture.x[rows] = lefts[column]
        picture.y[rows] = top + tops - tops[first][column]


def depths(picture: Picture, among: np.ndarray) -> np.ndarray:
    """The depth of each row ``among`` all: it reads only what has a smaller one, of these and of rows before it."""
    source, target = picture.wire_source, picture.wire_target
    edges = np.flatnonzero(among[source] & among[target] & (source < target))
    edges = edges[np.argsort(target[edges], kind="stable")]
    depth = [0] * len(among)
    for here, there in zip(source[edges].tolist(), target[edges].tolist(), strict=True):
        depth[there] = max(depth[there], depth[here] + 1)
    return np.array(depth)
