"""Painting a statement of the autograd drawing from some distance: every row by its name, as large as there is room.

Rows stand where they stand near, since arrows end there. Where they would be too small to be read, the card says its
name, value and gradient alone, larger.
"""

from __future__ import annotations

from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from chalkgrad_app.picture.anatomy import ROW, Box, RowPlace
from chalkgrad_app.picture.autograd_face import Attribute, AutogradFace
from chalkgrad_app.picture.autograd_parts import (
    TINT,
    card_rect,
    operator_hues,
    operator_width,
    paint_arrow,
    radius_of,
    role_of,
    write_centred,
)
from chalkgrad_app.picture.autograd_shape import PAD, operator_box
from chalkgrad_app.picture.brush import (
    DOTS,
    body_path,
    fitting,
    hatch,
    measure,
    mixed,
    pen,
    pin,
    rounded,
    shortened,
    top_path,
    width_of,
    write,
)
from chalkgrad_app.picture.card import CardFace, GradFace, RowFace
from chalkgrad_app.picture.card_parts import (
    ROUND,
    Hues,
    field_rect,
    hues,
    is_dotted,
    paint_edge,
    paint_field,
    status_word,
)
from chalkgrad_app.picture.card_parts import edge_width as card_edge
from chalkgrad_app.picture.look import CLOSE, Look
from chalkgrad_app.picture.middle_paint import brief
from chalkgrad_app.style.fonts import ui_font
from chalkgrad_app.style.theme import Theme

NAME, TEXT = 24, 20
BETWEEN, BESIDE = 7.0, 5.0
"""Between the name of a row and what it is, and between both and the edges of the row."""
FAR_NAME, FAR_TEXT, FAR_OPERATOR = 44, 36, 28
"""Where rows can't be read: the name of a tensor, its value, and the name of an operator."""
FAR_PAD = 14.0
"""Between what is written there and the edge of the card."""
GROWN, LINE = 24.0, 1.2
"""The plate of an operator grows so much at either side at most; the height of its name, in sizes."""
LINE_BELOW = 4.0
"""The name of an operator that writes in place stands so much higher: its line would lie on the edge."""


def paint_middle(painter: QPainter, card: AutogradFace, look: Look) -> None:
    """Paint a statement as it is seen from some distance."""
    theme, are_read, least = look.theme, look.reads_rows, look.least
    colors = hues(theme, card.hue)
    _paint_operator(painter, card, theme, NAME if are_read else FAR_OPERATOR, least)
    for field in card.fields if are_read else ():
        paint_field(painter, field.text, field_rect(card.anatomy, field.port, field.text), theme, least)
    for number, place in enumerate(card.anatomy.places):
        rect = card_rect(card, place)
        _paint_plate(painter, card, rect, radius_of(card), theme, colors, card_edge(card))
        row = card.rows[number] if number < len(card.rows) else None
        if row is None or are_read:
            _paint_head(painter, card, number, rect, theme, colors, least)
        if row is None:
            size, word = max(TEXT, least), status_word(card, look.words)
            write_centred(painter, word, rect, rect.center().y() + 16, theme.color("muted"), size)
        elif are_read:
            _paint_rows(painter, card, number, place, theme, int(least * CLOSE))
        else:
            _paint_far(painter, card, number, rect, theme, colors, least)
        if card.error:
            hatch(painter, rect, theme.color("error_ink"), 8.0)


def _paint_operator(painter: QPainter, card: AutogradFace, theme: Theme, size: int, least: int) -> None:
    box = operator_box(card.anatomy)
    if box is None:
        return
    rect, flowing = _grown(QRectF(*box), card.operator, least), operator_hues(card, theme)
    _paint_plate(painter, card, rect, ROUND, theme, flowing, operator_width(card))
    room = rect.width() - 2 * BESIDE
    font = fitting(card.operator, ui_font, room, max(size, least), least, True)
    shown = shortened(card.operator, font, room)
    middle = rect.center().y() - (LINE_BELOW if card.operator.endswith("_") else 0.0)
    left = rect.center().x() - measure(font).horizontalAdvance(shown) / 2
    write(painter, shown, font, theme.color("ink"), left, middle)
    paint_arrow(painter, card, theme, flowing)


def _grown(plate: QRectF, name: str, least: int) -> QRectF:
    """The plate of an operator as large as its name needs in the least size."""
    aside = (width_of(name, ui_font(least, True)) + 2 * BESIDE - plate.width()) / 2
    above = (LINE * least - plate.height()) / 2
    return plate.marginsAdded(QMarginsF(*(2 * (min(max(0.0, aside), GROWN), max(0.0, above)))))


def _paint_plate(
    painter: QPainter, card: CardFace, rect: QRectF, radius: float, theme: Theme, colors: Hues, width: float
) -> None:
    if is_dotted(card):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.color("ghost"), 3.0, DOTS))
        painter.drawPath(body_path(rect.adjusted(1.5, 1.5, -1.5, -1.5), radius))
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(mixed(theme.color("card"), colors.fill, TINT)))
    painter.drawPath(body_path(rect, radius))
    paint_edge(painter, rect, radius, colors.edge, 1.4 * width)


def _paint_head(
    painter: QPainter,
    card: AutogradFace,
    number: int,
    rect: QRectF,
    theme: Theme,
    colors: Hues,
    least: int,
    high: float = 0.0,
) -> None:
    """The name of a tensor on its hue, in a head that is ``high``, else as high as seen near."""
    head = QRectF(rect.left(), rect.top(), rect.width(), high or card.anatomy.header.height)
    if not card.ghost:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(colors.fill))
        painter.drawPath(top_path(head, radius_of(card)))
    title = (card.titles[number] if number < len(card.titles) else "") or card.expression
    ink = theme.color("muted") if card.ghost else colors.text
    write_centred(painter, title, head, head.center().y(), ink, max(least, FAR_NAME if high else NAME))


# ---------------------------------------------------------------- rows


def _paint_rows(painter: QPainter, card: AutogradFace, number: int, place: RowPlace, theme: Theme, least: int) -> None:
    """``data``, ``grad``, ``grad_fn`` ... in their places, on white, rather cut than smaller than ``least``."""
    last = place.others[-1][1]
    left, top, width, _ = place.value
    painter.setPen(pen(theme.color("row_line"), 1.0))
    painter.setBrush(QBrush(theme.color("card")))
    painter.drawRect(QRectF(left, top, width, last.top + last.height - top))
    row = card.rows[number]
    value = "?" if row.covered else brief(row.value)
    write_row(painter, "data", value, place.value, theme.color("ink"), theme, least)
    if place.grad is not None:
        _paint_grad(painter, row.grad, place.grad, theme, least)
    for attribute, (_, box) in zip(card.attributes[number], place.others, strict=False):
        _paint_attribute(painter, attribute, box, theme, least)


def _paint_attribute(painter: QPainter, attribute: Attribute, box: Box, theme: Theme, least: int) -> None:
    write_row(painter, attribute.name, attribute.text, box, theme.color(role_of(attribute.manner)), theme, least)


def _paint_grad(painter: QPainter, grad: GradFace | None, box: Box, theme: Theme, least: int) -> None:
    """A gradient is said in its colour; how often it was added to, and that it is retained, stand at the right."""
    if grad is None or (grad.value is None and not grad.covered):
        write_row(painter, "grad", "None", box, theme.color("muted"), theme, least)
        return
    ink, middle = theme.color("grad_ink"), box.top + ROW / 2
    right = box.left + box.width - PAD
    if grad.times > 1:
        times = f"Σ{grad.times}"
        right -= measure(ui_font(TEXT, True)).horizontalAdvance(times)
        write(painter, times, ui_font(TEXT, True), ink, right, middle)
    if grad.kept:
        right -= 14
        pin(painter, QPointF(right + 4, middle), TEXT, ink)
    text = "?" if grad.value is None or grad.covered else brief(grad.value)
    write_row(painter, "grad", text, box._replace(width=right - box.left), ink, theme, least)


def write_row(
    painter: QPainter, name: str, text: str, box: Box, ink: QColor, theme: Theme, least: int, size: int = TEXT
) -> None:
    """The name of a row and what it is: as large as both fit, the text cut where it would be smaller than ``least``."""
    room = box.width - 2 * BESIDE - BETWEEN
    font = fitting(name + text, ui_font, room, max(size, least), least, False)
    left, middle = box.left + BESIDE, box.top + ROW / 2
    left += write(painter, name, font, theme.color("ink"), left, middle) + BETWEEN
    write(painter, rounded(text, font, box.left + box.width - BESIDE - left), font, ink, left, middle)


# ---------------------------------------------------------------- where rows are too small


def _paint_far(
    painter: QPainter, card: AutogradFace, number: int, rect: QRectF, theme: Theme, colors: Hues, least: int
) -> None:
    """The name of a tensor, its value and its gradient, each a third of the card, or its value in the middle of two."""
    third = rect.height() / 3
    _paint_head(painter, card, number, rect, theme, colors, least, third)
    row: RowFace = card.rows[number]
    grad = row.grad
    alone = grad is None or (grad.value is None and not grad.covered)
    value = "?" if row.covered else brief(row.value)
    _write_far(painter, value, rect, (2.0 if alone else 1.5) * third, theme.color("ink"), least)
    if grad is None or alone:
        return
    text = "?" if grad.value is None or grad.covered else brief(grad.value)
    _write_far(painter, text, rect, 2.5 * third, theme.color("grad_ink"), least, dot=FAR_TEXT / 2)


def _write_far(
    painter: QPainter, text: str, rect: QRectF, down: float, ink: QColor, least: int, dot: float = 0.0
) -> None:
    """A value in the middle of a card, behind a ``dot`` so wide where it is a gradient."""
    before = dot + BESIDE if dot else 0.0
    room = rect.width() - 2 * FAR_PAD - before
    font = fitting(text, ui_font, room, max(FAR_TEXT, least), least, False)
    shown = rounded(text, font, room)
    left = rect.center().x() - (before + width_of(shown, font)) / 2
    write(painter, shown, font, ink, left + before, rect.top() + down)
    if dot:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(ink))
        painter.drawEllipse(QPointF(left + dot / 2, rect.top() + down), dot / 2, dot / 2)
