"""Painting one card near (60% and more), in its own coordinates: functions of (painter, face, theme, words).

``least`` is the size below which no letter is painted: at 60% all are larger on their card than at 100%, and what has
no room then is left out: the shape of numbers that need all of it, the label of the grad row, what was saved in words.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter

from chalkgrad.session.state import Saved, Status
from chalkgrad_app.picture.anatomy import HEADER, PAD, ROW, Box
from chalkgrad_app.picture.brush import (
    DASHES,
    body_path,
    elided,
    foot_path,
    freed_outline,
    hatch,
    ink_of,
    measure,
    pen,
    top_path,
    width_of,
    write,
    write_right,
)
from chalkgrad_app.picture.card import CardFace, FootFace, GradFace, RowFace
from chalkgrad_app.picture.card_parts import (
    COVER,
    FLAGS,
    LABEL,
    THICK,
    Hues,
    corner,
    edge_width,
    error_words,
    field_rect,
    grad_label,
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
from chalkgrad_app.picture.line_numbers import SIZE as NUMBER_OF_LINE
from chalkgrad_app.picture.line_numbers import NumberPlace, number_ink, number_width
from chalkgrad_app.picture.look import Words
from chalkgrad_app.picture.shown_paint import NUMBER, has_room, paint_shown
from chalkgrad_app.picture.values import Form
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

TITLE, TITLE_MIDDLE = 14, HEADER / 2 + 0.5
"""How large the name of a card is, and on what height it stands."""
AROUND_SAVED = 2.0
"""Around the box with what is saved."""
ABOVE = 0.5
"""What is free above a letter, in canvas units."""

Rooms = tuple[QRectF | None, ...]
"""Where the values of a card are painted, one for each output; None for one that is covered."""


def number_place(card: CardFace, least: int = 0) -> NumberPlace:
    """Where the number of its line stands on a card."""
    return NumberPlace(PAD, TITLE_MIDDLE, max(TITLE, least), number_ink(card, card.hue), max(NUMBER_OF_LINE, least))


def paint_near(painter: QPainter, card: CardFace, theme: Theme, words: Words, least: int = 0) -> None:
    """Paint a card with everything that it says, but for the number of its line."""
    paint_values(painter, card, paint_still(painter, card, theme, words, least), theme, least)


def paint_values(painter: QPainter, card: CardFace, rooms: Rooms, theme: Theme, least: int = 0) -> None:
    """Paint the values of a card and its gradients, on the rest of it, which :func:`paint_still` painted."""
    for row, place, room in zip(card.rows, card.anatomy.rows, rooms, strict=False):
        if room is not None:
            room = _beside_its_shape(painter, row, room, place.value.top + ROW / 2, theme, least)
            paint_shown(painter, row.value, room, theme.color("ink"), theme, least=least)
        if row.grad is not None and place.grad is not None:
            _paint_grad_row(painter, row.grad, place.grad, theme, least)


def still(card: CardFace) -> Hashable:
    """All that :func:`paint_still` paints of a card: as long as this stays the same, what it painted does."""
    rows = tuple([(*_said(row), row.grad is None) for row in card.rows])
    return replace(card, rows=()), rows


def _said(row: RowFace) -> tuple[Hashable, ...]:
    return row.label, row.dtype, row.version, row.covered, row.value.shape, row.value.stats and not row.covered


def paint_still(painter: QPainter, card: CardFace, theme: Theme, words: Words, least: int = 0) -> Rooms:
    """Paint a card without its values; where these go."""
    rect = QRectF(0, 0, card.anatomy.width, card.anatomy.height)
    colors = hues(theme, card.hue)
    radius = corner(card)
    if not card.ghost:
        _paint_body(painter, card, rect, radius, theme, colors)
    _paint_header(painter, card, rect, theme, words, colors, least)
    rooms = []
    for row, place in zip(card.rows, card.anatomy.rows, strict=False):
        rooms.append(_paint_value_row(painter, row, place.value, theme, least))
        if row.grad is not None and place.grad is not None:
            rule(painter, place.grad.top, place.grad.width, theme)
    if card.foot is not None and card.anatomy.foot:
        _paint_foot(painter, card.foot, _foot_rect(card, rect), radius, theme, words, least)
    if not card.rows and not card.error:
        _paint_status(painter, card, rect, theme, words, least)
    if is_dotted(card):
        paint_dotted_edge(painter, rect, radius, theme)
    else:
        paint_edge(painter, rect, radius, colors.edge, edge_width(card))
    if card.error:
        hatch(painter, rect, theme.color("error_ink"))
    _paint_ports(painter, card, theme, colors, least)
    if card.error and card.rows:
        paint_error_below(painter, error_words(card, words), rect, theme, least)
    elif card.error:
        paint_error_within(painter, error_words(card, words), rect.adjusted(0, HEADER, 0, 0), theme, least)
    return tuple(rooms)


def _paint_body(painter: QPainter, card: CardFace, rect: QRectF, radius: float, theme: Theme, colors: Hues) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("card")))
    painter.drawPath(body_path(rect, radius))
    painter.setBrush(QBrush(colors.fill))
    painter.drawPath(top_path(QRectF(0, 0, rect.width(), HEADER), radius))


def _paint_header(
    painter: QPainter, card: CardFace, rect: QRectF, theme: Theme, words: Words, colors: Hues, least: int
) -> None:
    ink = theme.color("muted") if card.ghost else colors.text
    middle = TITLE_MIDDLE
    right = rect.width() - PAD
    bold, plain = ui_font(max(TITLE, least), True), ui_font(max(13, least))
    if card.asks:
        right -= FLAGS - PAD
        paint_cover(painter, QRectF(right, middle - 9, FLAGS - PAD, 18), theme)
        right -= 6
    if card.requires_grad:
        right -= write_right(painter, "∇", ui_font(max(13, least), True), ink, right, middle, bold) + 6
    if card.leaf:
        right -= write_right(painter, words.leaf, ui_font(max(12, least)), ink, right, middle, bold) + 8
    left = PAD + number_width(card.digits, max(NUMBER_OF_LINE, least)) + 8
    name = elided(card.name, bold, max(0.0, right - left))
    if name:
        left += write(painter, name, bold, ink, left, middle) + 4  # little more than a space of the font
    if card.expression and right - left > 18:
        text = card.expression if card.in_place else f"= {card.expression}"
        write(painter, elided(text, plain, right - left), plain, ink, left, middle, bold)


def _paint_value_row(painter: QPainter, row: RowFace, place: Box, theme: Theme, least: int) -> QRectF | None:
    """All of a row but the value; where that goes, if it is shown."""
    width = place.width
    if place.top > HEADER + 1:
        rule(painter, place.top, width, theme)
    left = PAD
    if row.label:
        font = ui_font(max(12, least), True)
        left += write(painter, row.label, font, theme.color("ink"), PAD, place.top + ROW / 2) + 8
    right = width - PAD
    if row.covered:
        right = _paint_meta(painter, row, right, place.top + ROW / 2, theme, least) - 8
        paint_cover(painter, QRectF(left, place.top + ROW / 2 - 9, min(COVER, right - left), 18), theme)
        return None
    if row.value.stats:
        room = QRectF(left, place.top, right - left, place.height)
        paint_beside_shape(painter, row, room, theme, least)
        return room
    right = _paint_meta(painter, row, right, place.top + ROW / 2, theme, least) - 8
    return QRectF(left, place.top, right - left, place.height)


def _paint_meta(painter: QPainter, row: RowFace, right: float, middle: float, theme: Theme, least: int) -> float:
    """Version, dtype and shape, right-aligned; returns where they begin."""
    muted, font, beside = theme.color("muted"), mono_font(max(LABEL, least)), mono_font(max(NUMBER, least))
    if row.version:
        right = paint_version(painter, row.version, right, middle, theme, least) - 6
    if row.dtype:
        right -= write_right(painter, row.dtype, font, muted, right, middle, beside) + 6
    if _needs_room(row, least):
        return right
    return right - write_right(painter, row.value.shape, font, muted, right, middle, beside)


def _needs_room(row: RowFace, least: int) -> bool:
    """True for numbers that may be so large on their card that their shape has no room beside them."""
    return least > NUMBER and row.value.form in (Form.VECTOR, Form.GRID) and not row.covered


def _beside_its_shape(painter: QPainter, row: RowFace, room: QRectF, middle: float, theme: Theme, least: int) -> QRectF:
    """The room that numbers have left of their shape, which is written where they are not cut for it."""
    if not _needs_room(row, least):
        return room
    right, font = room.right() + 8, mono_font(max(LABEL, least))
    left = room.adjusted(0, 0, -width_of(row.value.shape, font), 0)
    if not has_room(row.value, left.width(), room.width(), least):
        return room
    write_right(painter, row.value.shape, font, theme.color("muted"), right, middle, mono_font(max(NUMBER, least)))
    return left


def _paint_grad_row(painter: QPainter, grad: GradFace, place: Box, theme: Theme, least: int) -> None:
    middle, room, beside = place.top + ROW / 2, place.width - 2 * PAD, mono_font(max(NUMBER, least))
    label = grad_label(grad, least, room)
    if label:
        write(painter, "grad", mono_font(max(LABEL, least)), theme.color("muted"), PAD, middle, beside)
    paint_grad(painter, grad, QRectF(PAD + label, place.top, room - label, place.height), theme, least)


def _foot_rect(card: CardFace, rect: QRectF) -> QRectF:
    edge = edge_width(card)
    top = card.anatomy.foot
    return QRectF(8, top, rect.width() - 8 - edge, rect.height() - top - edge)


def _paint_foot(
    painter: QPainter, foot: FootFace, rect: QRectF, radius: float, theme: Theme, words: Words, least: int
) -> None:
    freed = foot.saved is Saved.FREED
    if freed:
        outline = freed_outline(rect.adjusted(0.7, -0.6, 0, 0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.color("function_ink"), 1.2, DASHES))
        painter.drawPath(outline)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(theme.color("function")))
        painter.drawPath(foot_path(rect, max(0.0, radius - THICK)))
    ink = theme.color("function_ink" if freed else "function_text")
    left, right = rect.left() + 16, rect.right() - (8 if freed else 12)
    name, font = f"ƒ {foot.name}", ui_font(max(12, least), True)
    middle = _foot_middle(rect, font)
    room = right - left - 8 - width_of(name, font)
    right = _paint_saved(painter, foot, rect, right, middle, ink, words, room, least)
    write(painter, elided(name, font, right - left - 8), font, ink, left, middle)


def _foot_middle(rect: QRectF, font: QFont) -> float:
    """Where capitals stand so that ƒ, which reaches below them, is in the middle: no letter is on the edge."""
    return rect.center().y() - sum(ink_of("ƒ", font)) / 2 - measure(font).capHeight() / 2


def _paint_saved(
    painter: QPainter,
    foot: FootFace,
    rect: QRectF,
    right: float,
    middle: float,
    ink: QColor,
    words: Words,
    room: float,
    least: int,
) -> float:
    """What was saved and what became of it, right-aligned; returns where it begins.

    It has a box where it is kept, if that has room around letters, clear of the edges of the foot.

    Letters that are larger than usual have to leave ``room`` for the name: else only how many were saved is said.
    """
    font = ui_font(max(LABEL, least))
    kept, texts = foot.saved is Saved.KEPT, _saved_texts(foot, words)
    have_room = (text for text in texts if least <= LABEL or width_of(text, font) + 10 * kept <= room)
    text, middle = next(have_room, ""), max(middle, _highest(rect, texts[0], font))
    if not kept:
        return right - write_right(painter, text, font, ink, right, middle)
    down = rect.adjusted(0, AROUND_SAVED, 0, -AROUND_SAVED) if least > LABEL else QRectF(0, middle - 7, 0, 14)
    top, bottom = ink_of(text, font)
    if down.height() < bottom - top + AROUND_SAVED:
        return right - write_right(painter, text, font, ink, right, middle)
    width = width_of(text, font) + 10
    painter.setPen(pen(ink, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(right - width, down.top(), width, down.height()), 2, 2)
    write(painter, text, font, ink, right - width + 5, middle)
    return right - width


def _highest(rect: QRectF, text: str, font: QFont) -> float:
    """The highest that capitals may stand for no letter to be above ``rect``: Chinese ones are higher."""
    return rect.top() + ABOVE - ink_of(text, font)[0] - measure(font).capHeight() / 2


def _saved_texts(foot: FootFace, words: Words) -> tuple[str, ...]:
    """What is said of what was saved, the shortest last: that something was is always said."""
    count = str(foot.count)
    if foot.saved is Saved.KEPT:
        return words.saved.format(n=count), count
    if foot.saved is Saved.FREED:
        return words.freed.format(n=count), words.freed_briefly.format(n=count), count
    return (words.saves_nothing,)


def _paint_status(painter: QPainter, card: CardFace, rect: QRectF, theme: Theme, words: Words, least: int) -> None:
    """The word that stands in the place of a value: waiting, not reached, to come."""
    ink = theme.color("error_ink" if card.status is Status.FAILED else "muted")
    left, font = PAD + (10 if card.anatomy.inputs else 0), ui_font(max(12, least))
    text = elided(status_word(card, words), font, rect.width() - left - PAD)
    write(painter, text, font, ink, left, HEADER + ROW / 2)


def _paint_ports(painter: QPainter, card: CardFace, theme: Theme, colors: Hues, least: int) -> None:
    fields = {field.port: field.text for field in card.fields}
    edge = theme.color("ghost") if is_dotted(card) else colors.edge
    for port, at in enumerate(card.anatomy.inputs):
        text = fields.get(port)
        if text is not None:
            paint_field(painter, text, field_rect(card.anatomy, port, text), theme, least)
        port_dot(painter, QPointF(*at), theme.color("card") if text == "" else edge, edge)
    for row, place in zip(card.rows, card.anatomy.rows, strict=False):
        port_dot(painter, QPointF(*place.value_port), edge, edge)
        if row.grad is not None and place.grad is not None:
            ink = theme.color("grad_ink")
            present = row.grad.value is not None and not row.grad.covered
            port_dot(painter, QPointF(*place.grad_port), ink if present else theme.color("card"), ink)
    if not card.rows:
        port_dot(painter, QPointF(*card.anatomy.spare.value_port), theme.color("card"), edge)
