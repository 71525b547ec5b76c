"""Painting one card near (60% and more), in its own coordinates: functions of (painter, face, theme, words)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from chalkgrad.session.state import Saved, Status
from chalkgrad_app.picture.anatomy import GRAD_LABEL, HEADER, PAD, ROW, Box
from chalkgrad_app.picture.brush import (
    DASHES,
    body_path,
    elided,
    foot_path,
    hatch,
    measure,
    pen,
    top_path,
    write,
    write_right,
)
from chalkgrad_app.picture.card import CardFace, FootFace, RowFace
from chalkgrad_app.picture.card_parts import (
    COVER,
    FLAGS,
    THICK,
    Hues,
    corner,
    edge_width,
    error_words,
    field_rect,
    hues,
    is_dotted,
    paint_beside_shape,
    paint_cover,
    paint_dotted_edge,
    paint_edge,
    paint_error_below,
    paint_error_within,
    paint_field,
    paint_grad,
    paint_version,
    port_dot,
    rule,
    status_word,
)
from chalkgrad_app.picture.line_numbers import NumberPlace, number_ink, number_width
from chalkgrad_app.picture.look import Words
from chalkgrad_app.picture.shown_paint import NUMBER, paint_shown
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

TITLE, TITLE_MIDDLE = 14, HEADER / 2 + 0.5
"""How large the name of a card is, and on what height it stands."""

Rooms = tuple[QRectF | None, ...]
"""Where the values of a card are painted, one for each output; None for one that is covered."""


def number_place(card: CardFace) -> NumberPlace:
    """Where the number of its line stands on a card."""
    return NumberPlace(PAD, TITLE_MIDDLE, TITLE, number_ink(card, card.hue))


def paint_near(painter: QPainter, card: CardFace, theme: Theme, words: Words) -> None:
    """Paint a card with everything that it says, but for the number of its line."""
    paint_values(painter, card, paint_still(painter, card, theme, words), theme)


def paint_values(painter: QPainter, card: CardFace, rooms: Rooms, theme: Theme) -> None:
    """Paint the values of a card and its gradients, on the rest of it, which :func:`paint_still` painted."""
    for row, place, room in zip(card.rows, card.anatomy.rows, rooms, strict=False):
        if room is not None:
            paint_shown(painter, row.value, room, theme.color("ink"), theme)
        if row.grad is not None and place.grad is not None:
            left, width = PAD + GRAD_LABEL, place.grad.width
            paint_grad(painter, row.grad, QRectF(left, place.grad.top, width - PAD - left, place.grad.height), theme)


def still(card: CardFace) -> Hashable:
    """All that :func:`paint_still` paints of a card: as long as this stays the same, what it painted does."""
    rows = tuple([(*_said(row), row.grad and (row.grad.value is None or row.grad.covered)) for row in card.rows])
    return replace(card, rows=()), rows


def _said(row: RowFace) -> tuple[Hashable, ...]:
    return row.label, row.dtype, row.version, row.covered, row.value.shape, row.value.stats and not row.covered


def paint_still(painter: QPainter, card: CardFace, theme: Theme, words: Words) -> Rooms:
    """Paint a card without its values; where these go."""
    rect = QRectF(0, 0, card.anatomy.width, card.anatomy.height)
    colors = hues(theme, card.hue)
    radius = corner(card)
    if not card.ghost:
        _paint_body(painter, card, rect, radius, theme, colors)
    _paint_header(painter, card, rect, theme, words, colors)
    rooms = []
    for row, place in zip(card.rows, card.anatomy.rows, strict=False):
        rooms.append(_paint_value_row(painter, row, place.value, theme))
        if row.grad is not None and place.grad is not None:
            _paint_grad_row(painter, place.grad, theme)
    if card.foot is not None and card.anatomy.foot:
        _paint_foot(painter, card.foot, _foot_rect(card, rect), radius, theme, words)
    if not card.rows and not card.error:
        _paint_status(painter, card, rect, theme, words)
    if is_dotted(card):
        paint_dotted_edge(painter, rect, radius, theme)
    else:
        paint_edge(painter, rect, radius, colors.edge, edge_width(card))
    if card.error:
        hatch(painter, rect, theme.color("error"))
    _paint_ports(painter, card, theme, colors)
    if card.error and card.rows:
        paint_error_below(painter, error_words(card, words), rect, theme)
    elif card.error:
        paint_error_within(painter, error_words(card, words), rect.adjusted(0, HEADER, 0, 0), theme)
    return tuple(rooms)


def _paint_body(painter: QPainter, card: CardFace, rect: QRectF, radius: float, theme: Theme, colors: Hues) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("card")))
    painter.drawPath(body_path(rect, radius))
    painter.setBrush(QBrush(colors.fill))
    painter.drawPath(top_path(QRectF(0, 0, rect.width(), HEADER), radius))


def _paint_header(painter: QPainter, card: CardFace, rect: QRectF, theme: Theme, words: Words, colors: Hues) -> None:
    ink = theme.color("muted") if card.ghost else colors.text
    middle = TITLE_MIDDLE
    right = rect.width() - PAD
    bold = ui_font(TITLE, True)
    if card.asks:
        right -= FLAGS - PAD
        paint_cover(painter, QRectF(right, middle - 9, FLAGS - PAD, 18), theme)
        right -= 6
    if card.requires_grad:
        right -= write_right(painter, "∇", ui_font(13, True), ink, right, middle, bold) + 6
    if card.leaf:
        right -= write_right(painter, words.leaf, ui_font(12), ink, right, middle, bold) + 8
    left = PAD + number_width(card.digits) + 8
    name = elided(card.name, bold, max(0.0, right - left))
    if name:
        left += write(painter, name, bold, ink, left, middle) + 6
    if card.expression and right - left > 18:
        text = card.expression if card.in_place else f"= {card.expression}"
        write(painter, elided(text, ui_font(13), right - left), ui_font(13), ink, left, middle, bold)


def _paint_value_row(painter: QPainter, row: RowFace, place: Box, theme: Theme) -> QRectF | None:
    """All of a row but the value; where that goes, if it is shown."""
    width = place.width
    if place.top > HEADER + 1:
        rule(painter, place.top, width, theme)
    left = PAD
    if row.label:
        left += write(painter, row.label, ui_font(12, True), theme.color("ink"), PAD, place.top + ROW / 2) + 8
    right = width - PAD
    if row.covered:
        right = _paint_meta(painter, row, right, place.top + ROW / 2, theme) - 8
        paint_cover(painter, QRectF(left, place.top + ROW / 2 - 9, min(COVER, right - left), 18), theme)
        return None
    if row.value.stats:
        room = QRectF(left, place.top, right - left, place.height)
        paint_beside_shape(painter, row, room, theme)
        return room
    right = _paint_meta(painter, row, right, place.top + ROW / 2, theme) - 8
    return QRectF(left, place.top, right - left, place.height)


def _paint_meta(painter: QPainter, row: RowFace, right: float, middle: float, theme: Theme) -> float:
    """Version, dtype and shape, right-aligned; returns where they begin."""
    muted = theme.color("muted")
    if row.version:
        right = paint_version(painter, row.version, right, middle, theme) - 6
    if row.dtype:
        right -= write_right(painter, row.dtype, mono_font(11), muted, right, middle, mono_font(NUMBER)) + 6
    return right - write_right(painter, row.value.shape, mono_font(11), muted, right, middle, mono_font(NUMBER))


def _paint_grad_row(painter: QPainter, place: Box, theme: Theme) -> None:
    rule(painter, place.top, place.width, theme)
    middle = place.top + ROW / 2
    write(painter, "grad", mono_font(11), theme.color("muted"), PAD, middle, mono_font(NUMBER))


def _foot_rect(card: CardFace, rect: QRectF) -> QRectF:
    edge = edge_width(card)
    top = card.anatomy.foot
    return QRectF(8, top, rect.width() - 8 - edge, rect.height() - top - edge)


def _paint_foot(painter: QPainter, foot: FootFace, rect: QRectF, radius: float, theme: Theme, words: Words) -> None:
    freed = foot.saved is Saved.FREED
    if freed:
        outline = rect.adjusted(0.7, 0.6, -3, -1.2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.color("function_ink"), 1.2, DASHES))
        painter.drawPath(foot_path(outline, max(0.0, radius - 5)))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(theme.color("function")))
        painter.drawPath(foot_path(rect, max(0.0, radius - THICK)))
    ink = theme.color("function_ink" if freed else "function_text")
    middle = rect.center().y() - (1 if freed else 0)  # no letter touches the dashes below it
    right = _paint_saved(painter, foot, rect.right() - (8 if freed else 12), middle, ink, words)
    left = rect.left() + 16
    name = elided(f"ƒ {foot.name}", ui_font(12, True), right - left - 8)
    write(painter, name, ui_font(12, True), ink, left, middle)


def _paint_saved(painter: QPainter, foot: FootFace, right: float, middle: float, ink: QColor, words: Words) -> float:
    """What was saved and what became of it, right-aligned, in a box where it is kept; returns where it begins."""
    font = ui_font(11)
    if foot.saved is Saved.KEPT:
        text = words.saved.format(n=foot.count)
        width = measure(font).horizontalAdvance(text) + 10
        painter.setPen(pen(ink, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(right - width, middle - 7, width, 14), 2, 2)
        write(painter, text, font, ink, right - width + 5, middle)
        return right - width
    text = words.freed.format(n=foot.count) if foot.saved is Saved.FREED else words.saves_nothing
    return right - write_right(painter, text, font, ink, right, middle)


def _paint_status(painter: QPainter, card: CardFace, rect: QRectF, theme: Theme, words: Words) -> None:
    """The word that stands in the place of a value: waiting, not reached, to come."""
    ink = theme.color("error_ink" if card.status is Status.FAILED else "muted")
    left = PAD + (10 if card.anatomy.inputs else 0)
    write(
        painter,
        elided(status_word(card, words), ui_font(12), rect.width() - left - PAD),
        ui_font(12),
        ink,
        left,
        HEADER + ROW / 2,
    )


def _paint_ports(painter: QPainter, card: CardFace, theme: Theme, colors: Hues) -> None:
    fields = {field.port: field.text for field in card.fields}
    edge = theme.color("ghost") if is_dotted(card) else colors.edge
    for port, at in enumerate(card.anatomy.inputs):
        text = fields.get(port)
        if text is not None:
            paint_field(painter, text, field_rect(card.anatomy, port, text), theme)
        port_dot(painter, QPointF(*at), theme.color("card") if text == "" else edge, edge)
    for row, place in zip(card.rows, card.anatomy.rows, strict=False):
        port_dot(painter, QPointF(*place.value_port), edge, edge)
        if row.grad is not None and place.grad is not None:
            ink = theme.color("grad_ink")
            present = row.grad.value is not None and not row.grad.covered
            port_dot(painter, QPointF(*place.grad_port), ink if present else theme.color("card"), ink)
    if not card.rows:
        port_dot(painter, QPointF(*card.anatomy.spare.value_port), theme.color("card"), edge)
