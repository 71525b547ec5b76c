"""What both distances at which a statement of the autograd drawing is painted share: its parts, its arrow, its inks."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPolygonF

from chalkgrad_app.picture.anatomy import RowPlace
from chalkgrad_app.picture.autograd_face import AutogradFace, Manner
from chalkgrad_app.picture.autograd_shape import INSET, operator_box
from chalkgrad_app.picture.brush import DOTS, elided, measure, pen, write
from chalkgrad_app.picture.card import CardFace, Hue
from chalkgrad_app.picture.card_parts import ROUND, THICK, THIN, Hues, hues, is_dotted
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.style.theme import Theme

TINT = 0.32
"""How much of its hue the ground of a card has."""
HEAD = 7.0
"""Length of an arrow's head."""
INKS = {
    Manner.TRUE: "frame_green",
    Manner.FALSE: "frame_red",
    Manner.NONE: "muted",
    Manner.FUNCTION: "function_ink",
    Manner.COVERED: "muted",
}


def role_of(manner: Manner) -> str:
    """The colour in which the value of an attribute is written."""
    return INKS.get(manner, "ink")


def card_rect(card: CardFace, place: RowPlace) -> QRectF:
    """The card of one tensor, in the statement's own coordinates."""
    left, top = place.value.left - INSET, card.anatomy.header.top
    return QRectF(left, top, place.value.width + 2 * INSET, card.anatomy.height - top)


def radius_of(card: CardFace) -> float:
    """Leaves are square, all else is round."""
    return 0.0 if card.leaf or not card.expression else ROUND


def operator_hues(card: AutogradFace, theme: Theme) -> Hues:
    """The colours of an operator: those of its result, but plain where no grad_fn was recorded, whatever came later."""
    return hues(theme, Hue.LEAF if card.hue is Hue.LEAF_GRAD else card.hue)


def operator_width(card: AutogradFace) -> float:
    """How thick the edge of an operator is: thick where gradient flows through it."""
    return THICK if card.hue is Hue.INTERMEDIATE and card.requires_grad else THIN


def arrow_head(painter: QPainter, tip: QPointF, color: QColor, size: float = HEAD) -> None:
    """The head of an arrow that points down."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(color))
    painter.drawPolygon(QPolygonF([tip, tip + QPointF(-size * 0.6, -size), tip + QPointF(size * 0.6, -size)]))


def write_centred(painter: QPainter, text: str, rect: QRectF, middle: float, ink: QColor, size: int = 14) -> None:
    """Write ``text`` in the middle of ``rect``, as much of it as there is room for."""
    font = ui_font(size, True)
    shown = elided(text, font, rect.width() - 16)
    left = rect.center().x() - measure(font).horizontalAdvance(shown) / 2
    write(painter, shown, font, ink, left, middle)


def paint_arrow(painter: QPainter, card: AutogradFace, theme: Theme, colors: Hues) -> None:
    """From the operator down to each of its results."""
    box = operator_box(card.anatomy)
    if box is None:
        return
    color = theme.color("ghost") if is_dotted(card) else colors.edge
    width = operator_width(card)
    start = QPointF(box.left + box.width / 2, box.top + box.height)
    for place in card.anatomy.places:
        tip = QPointF(place.value_port[0], card.anatomy.header.top)
        painter.setPen(pen(color, width, DOTS if is_dotted(card) else None))
        middle = (start.y() + tip.y()) / 2
        corners = [start, QPointF(start.x(), middle), QPointF(tip.x(), middle), tip - QPointF(0, HEAD)]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline([start, tip - QPointF(0, HEAD)] if start.x() == tip.x() else corners)
        arrow_head(painter, tip, color, HEAD + width)
