"""Cards: an operator with its result is one compact card; inputs left, results right."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import accumulate, chain
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

    def anatomy(self, statement: Statement, state: StatementState, inputs: int | None = None) -> Anatomy:
        """Size and parts of a card."""
        return card_anatomy(statement, state, inputs)

    def blank(self, inputs: int) -> Anatomy:
        """Size and parts of a card without a value."""
        return anatomy((), inputs, False)

    def paint(self, painter: QPainter, card: CardFace, look: Look) -> None:
        """Paint a card in its own coordinates."""
        if look.level is Level.NEAR:
            paint_near(painter, card, look.theme, look.words)
        else:
            paint_middle(painter, card, look)

    def numbers(self, card: CardFace, look: Look) -> tuple[NumberPlace, ...]:
        """Before the name, on a card seen near."""
        return (number_place(card),) if look.level is Level.NEAR else ()

    def still(self, card: CardFace, look: Look) -> Hashable | None:
        """A card seen near without its values."""
        return still(card) if look.level is Level.NEAR else None

    def paint_still(self, painter: QPainter, card: CardFace, look: Look) -> Rooms:
        """Paint it; where the values go."""
        return paint_still(painter, card, look.theme, look.words)

    def paint_values(self, painter: QPainter, card: CardFace, rooms: Rooms, look: Look) -> None:
        """Paint the values of a card seen near."""
        paint_values(painter, card, rooms, look.theme)

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
        below = picture.y + [shape.height for shape in shapes]
        placed = np.ones(len(picture.ids), bool)
        placed[homeless] = False
        top = float(below[placed].max()) + 2 * GAP if placed.any() else 0.0
        left = 0.0
        columns = depths(picture, homeless)
        corners: list[tuple[float, float]] = []
        for column in columns:
            pitches = accumulate((shapes[row].height + GAP for row in column), initial=top)
            corners += [(left, y) for _, y in zip(column, pitches, strict=False)]
            left += max(shapes[row].width for row in column) + 2 * GAP
        rows = list(chain.from_iterable(columns))
        picture.x[rows], picture.y[rows] = np.array(corners).T


def depths(picture: Picture, rows: list[int]) -> list[list[int]]:
    """These rows by depth: each reads only what is in lists before its own."""
    sources = picture.sources()
    depth: dict[int, int] = {}
    found: list[list[int]] = []
    for row in rows:
        depth[row] = max((depth.get(source, -1) for source in sources.get(row, ())), default=-1) + 1
        if depth[row] == len(found):
            found.append([])
        found[depth[row]].append(row)
    return found
