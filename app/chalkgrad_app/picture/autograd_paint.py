"""Painting a statement of the autograd drawing: the operator's box, the arrow to its result, the card with its rows.

The card is framed in its hue, as the figures of the course notes have it; what is written stands on white.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QPainter

from chalkgrad.session.state import Saved
from chalkgrad_app.picture.anatomy import ROW, Box, RowPlace
from chalkgrad_app.picture.autograd_face import Attribute, AutogradFace, Manner
from chalkgrad_app.picture.autograd_parts import (
    HEAD,
    TINT,
    arrow_head,
    card_rect,
    operator_hues,
    operator_width,
    paint_arrow,
    radius_of,
    role_of,
    write_centred,
)
from chalkgrad_app.picture.autograd_shape import INSET, PAD, SAVED_HEIGHT, SAVED_TOP, operator_box
from chalkgrad_app.picture.brush import (
    DASHES,
    body_path,
    elided,
    hatch,
    measure,
    mixed,
    pen,
    top_path,
    write,
    write_right,
)
from chalkgrad_app.picture.card import GradFace, RowFace
from chalkgrad_app.picture.card_parts import (
    COVER,
    ROUND,
    Hues,
    edge_width,
    error_words,
    field_rect,
    hues,
    is_dotted,
    paint_cover,
    paint_dotted_edge,
    paint_edge,
    paint_error_below,
    paint_error_within,
    paint_field,
    paint_grad,
    port_dot,
    status_word,
)
from chalkgrad_app.picture.line_numbers import NumberPlace, number_ink
from chalkgrad_app.picture.look import Words
from chalkgrad_app.picture.shown_paint import NUMBER, paint_shown
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

TITLE, LOWER = 16, 0.5
"""How large the name of a tensor is, and how far below the middle of its head."""
SAVED_SIZES = (12, 11, 10)
"""How large what an operator saves is written: smaller before it is cut."""
BESIDE = 10.0
"""How far the number of the line and the version are from the edges of a head."""


def number_place(card: AutogradFace) -> NumberPlace:
    """Where the number of its line stands: on the first of its cards."""
    left, header = card_rect(card, card.anatomy.places[0]).left(), card.anatomy.header
    return NumberPlace(left + BESIDE, header.top + header.height / 2 + LOWER, TITLE, number_ink(card, card.hue))


def paint_near(painter: QPainter, card: AutogradFace, theme: Theme, words: Words) -> None:
    """Paint a statement with everything that it says, but for the number of its line."""
    colors = hues(theme, card.hue)
    if card.operator:
        flowing = operator_hues(card, theme)
        _paint_operator(painter, card, theme, flowing)
        paint_arrow(painter, card, theme, flowing)
    for number, place in enumerate(card.anatomy.places):
        _paint_card(painter, card, number, place, theme, colors, words)
    _paint_ports(painter, card, theme, colors)
    if card.error:
        _paint_error(painter, card, error_words(card, words), theme)


# ---------------------------------------------------------------- the operator


def _paint_operator(painter: QPainter, card: AutogradFace, theme: Theme, colors: Hues) -> None:
    box = operator_box(card.anatomy)
    if box is None:
        return
    rect = QRectF(*box)
    if is_dotted(card):
        paint_dotted_edge(painter, rect, ROUND, theme)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(mixed(theme.color("card"), colors.fill, TINT)))
        painter.drawPath(body_path(rect, ROUND))
        paint_edge(painter, rect, ROUND, colors.edge, operator_width(card))
    saves = rect.height() > SAVED_TOP + SAVED_HEIGHT
    ink = theme.color("muted" if is_dotted(card) else "ink")
    write_centred(painter, card.operator, rect, rect.top() + (SAVED_TOP / 2 + 2 if saves else rect.height() / 2), ink)
    if saves:
        _paint_saves(painter, card, QRectF(rect.left() + 8, SAVED_TOP, rect.width() - 16, SAVED_HEIGHT), theme)


def _paint_saves(painter: QPainter, card: AutogradFace, rect: QRectF, theme: Theme) -> None:
    """The row with what the operator saved for its backward; hollow and dashed when that was freed."""
    if is_dotted(card):
        return
    freed = card.saved is Saved.FREED
    painter.setPen(pen(theme.color("function_ink" if freed else "row_line"), 1.2, DASHES if freed else None))
    painter.setBrush(QBrush() if freed else QBrush(theme.color("card")))
    painter.drawRoundedRect(rect, 4, 4)
    text, font = saved_line(card, rect.width() - 10)
    ink = theme.color("muted" if freed else "ink")
    write(painter, text, font, ink, rect.left() + 6, rect.center().y())


def saving(card: AutogradFace) -> str:
    """The call that keeps what an operator's backward needs."""
    return f"ctx.save_for_backward({', '.join(card.saves)})"


def saved_line(card: AutogradFace, room: float) -> tuple[str, QFont]:
    """That call as it is written where it has so much room: smaller, then without ``ctx.``, before it is cut."""
    text, fonts = saving(card), [mono_font(size) for size in SAVED_SIZES]
    tried = [(text, font) for font in fonts]
    tried.append((text.removeprefix("ctx."), fonts[-1]))
    found = next((one for one in tried if measure(one[1]).horizontalAdvance(one[0]) <= room), None)
    return found or (elided(f"({', '.join(card.saves)})", fonts[-1], room), fonts[-1])


# ---------------------------------------------------------------- the tensor


def _paint_card(
    painter: QPainter, card: AutogradFace, number: int, place: RowPlace, theme: Theme, colors: Hues, words: Words
) -> None:
    rect, radius = card_rect(card, place), radius_of(card)
    head = QRectF(rect.left(), rect.top(), rect.width(), card.anatomy.header.height)
    if not card.ghost:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(mixed(theme.color("card"), colors.fill, TINT)))
        painter.drawPath(body_path(rect, radius))
        painter.setBrush(QBrush(colors.fill))
        painter.drawPath(top_path(head, radius))
    _paint_head(painter, card, number, head, theme, colors)
    if number < len(card.rows):
        _paint_rows(painter, card, number, place, theme)
    elif not card.error:
        word = elided(status_word(card, words), ui_font(13), rect.width() - 2 * PAD)
        write(painter, word, ui_font(13), theme.color("muted"), rect.left() + INSET + PAD, place.value.top + ROW / 2)
    if is_dotted(card):
        paint_dotted_edge(painter, rect, radius, theme)
    else:
        paint_edge(painter, rect, radius, colors.edge, edge_width(card))
    if card.error:
        hatch(painter, rect, theme.color("error_ink"))


def _paint_head(painter: QPainter, card: AutogradFace, number: int, head: QRectF, theme: Theme, colors: Hues) -> None:
    """The name in the middle, the version at the right; the line's number, at the left of the first, is apart."""
    ink = theme.color("muted") if card.ghost else colors.text
    middle = head.center().y() + LOWER
    title = card.titles[number] if number < len(card.titles) else ""
    write_centred(painter, title or card.expression, head.adjusted(28, 0, -28, 0), middle, ink, TITLE)
    if number < len(card.rows) and card.rows[number].version:
        text = f"v{card.rows[number].version}"
        write_right(painter, text, mono_font(12, True), ink, head.right() - BESIDE, middle, ui_font(TITLE, True))


def _paint_rows(painter: QPainter, card: AutogradFace, number: int, place: RowPlace, theme: Theme) -> None:
    row = card.rows[number]
    last = place.others[-1][1]
    table = QRectF(place.value.left, place.value.top, place.value.width, last.top + last.height - place.value.top)
    painter.setPen(pen(theme.color("row_line"), 1.0))
    painter.setBrush(QBrush(theme.color("card")))
    painter.drawRect(table)
    _paint_value(painter, row, place.value, theme)
    if place.grad is not None:
        _rule(painter, place.grad, theme)
        _paint_gradient(painter, row.grad, place.grad, theme)
    for attribute, (_, box) in zip(card.attributes[number], place.others, strict=False):
        _rule(painter, box, theme)
        _paint_attribute(painter, attribute, box, theme)


def _rule(painter: QPainter, box: Box, theme: Theme) -> None:
    painter.setPen(pen(theme.color("row_line"), 1.0))
    painter.drawLine(QPointF(box.left, box.top), QPointF(box.left + box.width, box.top))


def _paint_label(painter: QPainter, name: str, box: Box, theme: Theme) -> float:
    """The name of a row with its equals sign; returns where its value begins."""
    left, middle = box.left + PAD, box.top + ROW / 2
    left += write(painter, name, ui_font(13), theme.color("ink"), left, middle, mono_font(NUMBER))
    return left + write(painter, " = ", ui_font(13), theme.color("muted"), left, middle, mono_font(NUMBER)) + 3


def _paint_value(painter: QPainter, row: RowFace, box: Box, theme: Theme) -> None:
    left = _paint_label(painter, "data", box, theme)
    right, middle = box.left + box.width - PAD, box.top + ROW / 2
    if row.dtype:
        right -= (
            write_right(painter, row.dtype, mono_font(11), theme.color("muted"), right, middle, mono_font(NUMBER)) + 6
        )
    if row.covered:
        paint_cover(painter, QRectF(left, middle - 9, min(COVER, right - left), 18), theme)
        return
    paint_shown(painter, row.value, QRectF(left, box.top, right - left, box.height), theme.color("ink"), theme)


def _paint_gradient(painter: QPainter, grad: GradFace | None, box: Box, theme: Theme) -> None:
    left = _paint_label(painter, "grad", box, theme)
    if grad is None:
        write(painter, "None", mono_font(12), theme.color("muted"), left, box.top + ROW / 2, mono_font(NUMBER))
    else:
        paint_grad(painter, grad, QRectF(left, box.top, box.left + box.width - PAD - left, box.height), theme)


def _paint_attribute(painter: QPainter, attribute: Attribute, box: Box, theme: Theme) -> None:
    left, middle = _paint_label(painter, attribute.name, box, theme), box.top + ROW / 2
    beside = mono_font(NUMBER)
    room = box.left + box.width - PAD - left
    if attribute.manner is Manner.COVERED:
        paint_cover(painter, QRectF(left, middle - 9, min(COVER, room), 18), theme)
    elif attribute.manner in (Manner.TRUE, Manner.FALSE):
        on, ink = attribute.manner is Manner.TRUE, theme.color(role_of(attribute.manner))
        left += write(painter, "✓" if on else "✗", ui_font(13, True), ink, left, middle, beside) + 4
        write(painter, attribute.text, ui_font(13, on), ink, left, middle, beside)
    else:
        font = mono_font(12, attribute.manner is Manner.FUNCTION)
        ink = theme.color(role_of(attribute.manner))
        write(painter, elided(attribute.text, font, room), font, ink, left, middle, beside)


# ---------------------------------------------------------------- ports and errors


def _paint_ports(painter: QPainter, card: AutogradFace, theme: Theme, colors: Hues) -> None:
    texts = {field.port: field.text for field in card.fields}
    edge, into = (
        theme.color("ghost") if is_dotted(card) else each.edge for each in (colors, operator_hues(card, theme))
    )
    for port, at in enumerate(card.anatomy.inputs):
        text = texts.get(port)
        if text is not None:
            paint_field(painter, text, field_rect(card.anatomy, port, text), theme)
            port_dot(painter, QPointF(*at), theme.color("card") if text == "" else into, into)
        else:
            arrow_head(painter, QPointF(*at), into, HEAD + 1)
    for number, place in enumerate(card.anatomy.places):
        there = number < len(card.rows)
        port_dot(painter, QPointF(*place.value_port), edge if there else theme.color("card"), edge)
        grad = card.rows[number].grad if there else None
        if grad is not None:
            ink = theme.color("grad_ink")
            present = grad.value is not None and not grad.covered
            port_dot(painter, QPointF(*place.grad_port), ink if present else theme.color("card"), ink)


def _paint_error(painter: QPainter, card: AutogradFace, said: str, theme: Theme) -> None:
    rect = QRectF(0, card.anatomy.header.top, card.anatomy.width, card.anatomy.height - card.anatomy.header.top)
    if card.rows:
        paint_error_below(painter, said, rect, theme)
    else:
        paint_error_within(painter, said, rect.adjusted(0, card.anatomy.header.height, 0, 0), theme)
