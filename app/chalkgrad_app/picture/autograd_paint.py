"""Painting a statement of the autograd drawing: the operator's box, the arrow to its result, the card with its rows.

The card is framed in its hue, as the figures of the course notes have it; what is written stands on white.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPolygonF

from chalkgrad.session.state import Saved
from chalkgrad_app.picture.anatomy import ROW, Box, RowPlace
from chalkgrad_app.picture.autograd_face import Attribute, AutogradFace, Manner
from chalkgrad_app.picture.autograd_shape import INSET, PAD, SAVED_HEIGHT, SAVED_TOP, operator_box
from chalkgrad_app.picture.brush import (
    DASHES,
    DOTS,
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
from chalkgrad_app.picture.card import CardFace, GradFace, Hue, RowFace
from chalkgrad_app.picture.card_parts import (
    COVER,
    ROUND,
    THICK,
    THIN,
    Hues,
    edge_width,
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
from chalkgrad_app.picture.middle_paint import brief
from chalkgrad_app.picture.shown_paint import NUMBER, paint_shown
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

TINT = 0.32
"""How much of its hue the ground of a card has."""
TITLE, LOWER = 16, 0.5
"""How large the name of a tensor is, and how far below the middle of its head."""
BESIDE = 10.0
"""How far the number of the line and the version are from the edges of a head."""
HEAD = 7.0
"""Length of an arrow's head."""
YES, NO = "frame_green", "frame_red"


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
        _paint_arrow(painter, card, theme, flowing)
    for number, place in enumerate(card.anatomy.places):
        _paint_card(painter, card, number, place, theme, colors, words)
    _paint_ports(painter, card, theme, colors)
    if card.error:
        _paint_error(painter, card, theme)


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
    _write_centred(painter, card.operator, rect, rect.top() + (SAVED_TOP / 2 + 2 if saves else rect.height() / 2), ink)
    if saves:
        _paint_saves(painter, card, QRectF(rect.left() + 8, SAVED_TOP, rect.width() - 16, SAVED_HEIGHT), theme)


def _write_centred(painter: QPainter, text: str, rect: QRectF, middle: float, ink: QColor, size: int = 14) -> None:
    font = ui_font(size, True)
    shown = elided(text, font, rect.width() - 16)
    left = rect.center().x() - measure(font).horizontalAdvance(shown) / 2
    write(painter, shown, font, ink, left, middle)


def _paint_saves(painter: QPainter, card: AutogradFace, rect: QRectF, theme: Theme) -> None:
    """The row with what the operator saved for its backward; hollow and dashed when that was freed."""
    if is_dotted(card):
        return
    freed = card.saved is Saved.FREED
    painter.setPen(pen(theme.color("function_ink" if freed else "row_line"), 1.2, DASHES if freed else None))
    painter.setBrush(QBrush() if freed else QBrush(theme.color("card")))
    painter.drawRoundedRect(rect, 4, 4)
    text = elided(f"ctx.save_for_backward({', '.join(card.saves)})", mono_font(12), rect.width() - 10)
    ink = theme.color("muted" if freed else "ink")
    write(painter, text, mono_font(12), ink, rect.left() + 6, rect.center().y())


def _paint_arrow(painter: QPainter, card: AutogradFace, theme: Theme, colors: Hues) -> None:
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
        hatch(painter, rect, theme.color("error"))


def _paint_head(painter: QPainter, card: AutogradFace, number: int, head: QRectF, theme: Theme, colors: Hues) -> None:
    """The name in the middle, the version at the right; the line's number, at the left of the first, is apart."""
    ink = theme.color("muted") if card.ghost else colors.text
    middle = head.center().y() + LOWER
    title = card.titles[number] if number < len(card.titles) else ""
    _write_centred(painter, title or card.expression, head.adjusted(28, 0, -28, 0), middle, ink, TITLE)
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
        on = attribute.manner is Manner.TRUE
        ink = theme.color(YES if on else NO)
        left += write(painter, "✓" if on else "✗", ui_font(13, True), ink, left, middle, beside) + 4
        write(painter, attribute.text, ui_font(13, on), ink, left, middle, beside)
    else:
        role = {Manner.NONE: "muted", Manner.FUNCTION: "function_ink"}.get(attribute.manner, "ink")
        font = mono_font(12, attribute.manner is Manner.FUNCTION)
        write(painter, elided(attribute.text, font, room), font, theme.color(role), left, middle, beside)


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


def _paint_error(painter: QPainter, card: AutogradFace, theme: Theme) -> None:
    rect = QRectF(0, card.anatomy.header.top, card.anatomy.width, card.anatomy.height - card.anatomy.header.top)
    if card.rows:
        paint_error_below(painter, card.error, rect, theme)
    else:
        paint_error_within(painter, card.error, rect.adjusted(0, card.anatomy.header.height, 0, 0), theme)


# ---------------------------------------------------------------- at middle distance

NAME, SMALL_NAME, TEXT = 24, 18, 20
LINE_BELOW = 4.0
"""The name of an operator that writes in place stands so much higher: its line would lie on the edge."""


def paint_middle(painter: QPainter, card: AutogradFace, theme: Theme, words: Words) -> None:
    """Paint a statement as it is seen from some distance: its name, and the rows in short."""
    colors = hues(theme, card.hue)
    box = operator_box(card.anatomy)
    if box is not None:
        rect, flowing = QRectF(*box), operator_hues(card, theme)
        _paint_plate(painter, card, rect, ROUND, theme, flowing, operator_width(card))
        fits = measure(ui_font(NAME, True)).horizontalAdvance(card.operator) <= rect.width() - 16
        size = NAME if fits else SMALL_NAME
        middle = rect.center().y() - (LINE_BELOW if card.operator.endswith("_") else 0.0)
        _write_centred(painter, card.operator, rect, middle, theme.color("ink"), size)
        _paint_arrow(painter, card, theme, flowing)
    for number, place in enumerate(card.anatomy.places):
        rect = card_rect(card, place)
        head = QRectF(rect.left(), rect.top(), rect.width(), card.anatomy.header.height)
        _paint_plate(painter, card, rect, radius_of(card), theme, colors, edge_width(card))
        if not card.ghost:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(colors.fill))
            painter.drawPath(top_path(head, radius_of(card)))
        ink = theme.color("muted") if card.ghost else colors.text
        title = card.titles[number] if number < len(card.titles) else ""
        _write_centred(painter, title or card.expression, head, head.center().y(), ink, NAME)
        if number < len(card.rows):
            _paint_brief(painter, card, number, place, theme, words)
        else:
            _write_centred(painter, status_word(card, words), rect, rect.center().y() + 16, theme.color("muted"), 20)
        if card.error:
            hatch(painter, rect, theme.color("error"), 8.0)


def _paint_plate(
    painter: QPainter, card: AutogradFace, rect: QRectF, radius: float, theme: Theme, colors: Hues, width: float
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


def _paint_brief(
    painter: QPainter, card: AutogradFace, number: int, place: RowPlace, theme: Theme, words: Words
) -> None:
    """Value, gradient, grad_fn, leaf and requires_grad, each in its row: arrows end there."""
    row, grad = card.rows[number], card.rows[number].grad
    _write_brief(painter, "?" if row.covered else brief(row.value), place.value, theme.color("ink"))
    if grad is not None and place.grad is not None:
        ink, box = theme.color("grad_ink"), place.grad
        present = grad.value is not None and not grad.covered
        painter.setPen(pen(ink, 2.0))
        painter.setBrush(QBrush(ink) if present else QBrush())
        painter.drawEllipse(QPointF(box.left + 14, box.top + box.height / 2), 7.0, 7.0)
        text = "?" if grad.covered else "None" if grad.value is None else brief(grad.value)
        _write_brief(painter, text, Box(box.left + 22, box.top, box.width - 22, box.height), ink)
    for attribute, (_, box) in zip(card.attributes[number], place.others, strict=False):
        text, role = _brief_attribute(attribute, words)
        _write_brief(painter, text, box, theme.color(role))


def _brief_attribute(attribute: Attribute, words: Words) -> tuple[str, str]:
    """What of an attribute is seen from some distance, and its colour: only what is there."""
    if attribute.manner is Manner.FUNCTION:
        return attribute.text, "function_ink"
    if attribute.manner is Manner.COVERED:
        return "?", "muted"
    signs = {"is_leaf": words.leaf, "requires_grad": "∇"}
    return (signs.get(attribute.name, "") if attribute.manner is Manner.TRUE else ""), YES


def _write_brief(painter: QPainter, text: str, box: Box, ink: QColor) -> None:
    if text:
        shown = elided(text, mono_font(TEXT), box.width - 12)
        write(painter, shown, mono_font(TEXT), ink, box.left + 7, box.top + box.height / 2)
