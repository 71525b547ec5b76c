"""Painting one card near (60% and more), in its own coordinates: functions of (painter, face, theme, words)."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from chalkgrad.session.state import Saved, Status
from chalkgrad_app.picture.anatomy import GRAD_LABEL, HEADER, PAD, ROW, RowPlace
from chalkgrad_app.picture.brush import (
    DASHES,
    DOTS,
    body_path,
    elided,
    foot_path,
    hatch,
    measure,
    octagon,
    pen,
    pin,
    top_path,
    write,
    write_right,
)
from chalkgrad_app.picture.card import CardFace, FootFace, GradFace, Hue, RowFace
from chalkgrad_app.picture.look import Words
from chalkgrad_app.picture.shown_paint import NUMBER, paint_shown, shown_width
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

ROUND = 10.0
THIN, THICK = 1.5, 3.0
PORT = 4.5
FIELD_HEIGHT = 16.0
FIELD_EMPTY = 22.0
FIELD_LONGEST = 56.0
COVER = 56.0


@dataclass(frozen=True, slots=True)
class Hues:
    """The three colours of a header: fill, edge, text."""

    fill: QColor
    edge: QColor
    text: QColor


def hues(theme: Theme, hue: Hue) -> Hues:
    """The colours of a header in ``theme``."""
    role = ("plain", "leaf", "leaf_grad", "intermediate")[hue]
    return Hues(theme.color(role), theme.color(f"{role}_edge"), theme.color(f"{role}_text"))


def is_dotted(card: CardFace) -> bool:
    """True for a card that has not run."""
    return card.ghost or card.status is Status.WAITING


def corner(card: CardFace) -> float:
    """The radius of a card's corners: leaves are square, all else is round."""
    return 0.0 if card.leaf or not card.expression else ROUND


def edge_width(card: CardFace) -> float:
    """Thick where gradient will flow."""
    return THICK if card.requires_grad else THIN


def field_width(text: str) -> float:
    """Width of the number field at a port; an open port has an empty one."""
    if not text:
        return FIELD_EMPTY
    return min(FIELD_LONGEST, max(FIELD_EMPTY, measure(mono_font(12)).horizontalAdvance(text) + 12.0))


def paint_near(painter: QPainter, card: CardFace, theme: Theme, words: Words) -> None:
    """Paint a card with everything that it says."""
    rect = QRectF(0, 0, card.anatomy.width, card.anatomy.height)
    colors = hues(theme, card.hue)
    radius = corner(card)
    if not card.ghost:
        _paint_body(painter, card, rect, radius, theme, colors)
    _paint_header(painter, card, rect, theme, words, colors)
    for row, place in zip(card.rows, card.anatomy.rows, strict=False):
        _paint_value_row(painter, row, place, rect.width(), theme)
        if row.grad is not None and place.grad_top:
            _paint_grad_row(painter, row.grad, place, rect.width(), theme)
    if card.foot is not None and card.anatomy.foot:
        _paint_foot(painter, card.foot, _foot_rect(card, rect), radius, theme, words)
    if not card.rows and not card.error:
        _paint_status(painter, card, rect, theme, words)
    _paint_edge(painter, card, rect, radius, theme, colors)
    _paint_ports(painter, card, rect.width(), theme, colors)
    if card.error:
        _paint_error(painter, card, rect, theme)


def _paint_body(painter: QPainter, card: CardFace, rect: QRectF, radius: float, theme: Theme, colors: Hues) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("card")))
    painter.drawPath(body_path(rect, radius))
    painter.setBrush(QBrush(colors.fill))
    painter.drawPath(top_path(QRectF(0, 0, rect.width(), HEADER), radius))


def _paint_header(painter: QPainter, card: CardFace, rect: QRectF, theme: Theme, words: Words, colors: Hues) -> None:
    ink = theme.color("muted") if card.ghost else colors.text
    middle = HEADER / 2 + 0.5
    right = rect.width() - PAD
    bold = ui_font(14, True)
    if card.requires_grad:
        right -= write_right(painter, "∇", ui_font(13, True), ink, right, middle, bold) + 6
    if card.leaf:
        right -= write_right(painter, words.leaf, ui_font(12), ink, right, middle, bold) + 8
    left = PAD + write(painter, str(card.line), mono_font(11), ink, PAD, middle, bold) + 8
    name = elided(card.name, bold, max(0.0, right - left))
    if name:
        left += write(painter, name, bold, ink, left, middle) + 6
    if card.expression and right - left > 18:
        text = card.expression if card.in_place else f"= {card.expression}"
        write(painter, elided(text, ui_font(13), right - left), ui_font(13), ink, left, middle, bold)


def _paint_value_row(painter: QPainter, row: RowFace, place: RowPlace, width: float, theme: Theme) -> None:
    if place.top > HEADER + 1:
        _rule(painter, place.top, width, theme)
    left = PAD
    if row.label:
        left += write(painter, row.label, ui_font(12, True), theme.color("ink"), PAD, place.top + ROW / 2) + 8
    right = width - PAD
    if row.covered:
        right = _paint_meta(painter, row, right, place.top + ROW / 2, theme) - 8
        _paint_cover(painter, QRectF(left, place.top + ROW / 2 - 9, min(COVER, right - left), 18), theme)
        return
    if row.value.stats:
        paint_shown(painter, row.value, QRectF(left, place.top, right - left, place.height), theme.color("ink"), theme)
        _paint_dtype(painter, row, QRectF(left, place.top, right - left, place.height), theme)
        return
    right = _paint_meta(painter, row, right, place.top + ROW / 2, theme) - 8
    paint_shown(painter, row.value, QRectF(left, place.top, right - left, place.height), theme.color("ink"), theme)


def _paint_meta(painter: QPainter, row: RowFace, right: float, middle: float, theme: Theme) -> float:
    """Version, dtype and shape, right-aligned; returns where they begin."""
    muted = theme.color("muted")
    if row.version:
        right = _paint_version(painter, row.version, right, middle, theme) - 6
    if row.dtype:
        right -= write_right(painter, row.dtype, mono_font(11), muted, right, middle, mono_font(NUMBER)) + 6
    return right - write_right(painter, row.value.shape, mono_font(11), muted, right, middle, mono_font(NUMBER))


def _paint_version(painter: QPainter, version: int, right: float, middle: float, theme: Theme) -> float:
    """A notched tab with the version; returns where it begins."""
    text = f"v{version}"
    width = measure(mono_font(11, True)).horizontalAdvance(text) + 12
    rect = QRectF(right - width, middle - 8, width, 16)
    notch = 4.0
    outline = [
        rect.topLeft(),
        rect.topRight(),
        rect.bottomRight(),
        rect.bottomLeft(),
        QPointF(rect.left() + notch, rect.center().y()),
    ]
    painter.setPen(pen(theme.color("ink"), 1.1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(outline)
    write(painter, text, mono_font(11, True), theme.color("ink"), rect.left() + notch + 3.5, middle)
    return rect.left()


def _paint_dtype(painter: QPainter, row: RowFace, rect: QRectF, theme: Theme) -> None:
    """Dtype and version of a large tensor, between its shape and its thumbnail."""
    left = rect.left() + measure(mono_font(16, True)).horizontalAdvance(row.value.shape) + 8
    middle = rect.top() + 20
    if row.dtype:
        left += write(painter, row.dtype, mono_font(11), theme.color("muted"), left, middle) + 8
    if row.version:
        width = measure(mono_font(11, True)).horizontalAdvance(f"v{row.version}") + 12
        _paint_version(painter, row.version, left + width, middle, theme)


def _paint_grad_row(painter: QPainter, grad: GradFace, place: RowPlace, width: float, theme: Theme) -> None:
    _rule(painter, place.grad_top, width, theme)
    middle = place.grad_top + ROW / 2
    write(painter, "grad", mono_font(11), theme.color("muted"), PAD, middle, mono_font(NUMBER))
    right = width - PAD
    if grad.times > 1:
        right -= write_right(painter, f"Σ{grad.times}", ui_font(12, True), theme.color("grad_ink"), right, middle) + 6
    if grad.kept:
        pin(painter, QPointF(right - 5, middle), 14, theme.color("grad_ink"))
        right -= 18
    left = PAD + GRAD_LABEL
    if grad.covered:
        _paint_cover(painter, QRectF(left, middle - 9, min(COVER, right - left), 18), theme)
    elif grad.value is None:
        _paint_no_grad(painter, left, middle, theme)
    else:
        _paint_pill(painter, grad, QRectF(left, place.grad_top + 3, right - left, place.grad_height - 6), theme)


def _paint_pill(painter: QPainter, grad: GradFace, room: QRectF, theme: Theme) -> None:
    assert grad.value is not None
    wanted = room.width() if grad.value.stats else shown_width(grad.value) + 18
    pill = QRectF(room.left(), room.top(), min(room.width(), wanted), room.height())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("grad")))
    painter.drawRoundedRect(pill, 9, 9)
    inner = pill.adjusted(9, -3, -9, 3)
    paint_shown(painter, grad.value, inner, theme.color("grad_text"), theme, on_pill=True)


def _paint_no_grad(painter: QPainter, left: float, middle: float, theme: Theme) -> None:
    width = measure(mono_font(12)).horizontalAdvance("None") + 18
    painter.setPen(pen(theme.color("grad_empty"), 1.1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(left, middle - 8.5, width, 17), 8.5, 8.5)
    write(painter, "None", mono_font(12), theme.color("muted"), left + 9, middle, mono_font(NUMBER))


def _paint_cover(painter: QPainter, bar: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("cover")))
    painter.drawRoundedRect(bar, 2, 2)
    middle = bar.center().x() - measure(mono_font(13, True)).horizontalAdvance("?") / 2
    write(painter, "?", mono_font(13, True), theme.color("cover_text"), middle, bar.center().y())


def _foot_rect(card: CardFace, rect: QRectF) -> QRectF:
    edge = edge_width(card)
    top = card.anatomy.foot
    return QRectF(8, top, rect.width() - 8 - edge, rect.height() - top - edge)


def _paint_foot(painter: QPainter, foot: FootFace, rect: QRectF, radius: float, theme: Theme, words: Words) -> None:
    freed = foot.saved is Saved.FREED
    if freed:
        outline = rect.adjusted(0.7, 1.2, -3, -1.4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.color("function_ink"), 1.4, DASHES))
        painter.drawPath(foot_path(outline, max(0.0, radius - 5)))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(theme.color("function")))
        painter.drawPath(foot_path(rect, max(0.0, radius - THICK)))
    ink = theme.color("function_ink" if freed else "function_text")
    middle = rect.center().y()
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
    word = {
        Status.WAITING: words.waiting,
        Status.NOT_REACHED: words.not_reached,
        Status.TO_COME: words.to_come,
        Status.FAILED: words.failed,
    }.get(card.status, "")
    ink = theme.color("error_ink" if card.status is Status.FAILED else "muted")
    left = PAD + (10 if card.anatomy.inputs else 0)
    write(painter, elided(word, ui_font(12), rect.width() - left - PAD), ui_font(12), ink, left, HEADER + ROW / 2)


def _paint_edge(painter: QPainter, card: CardFace, rect: QRectF, radius: float, theme: Theme, colors: Hues) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if is_dotted(card):
        painter.setPen(pen(theme.color("ghost"), 1.6, DOTS))
        painter.drawPath(body_path(rect.adjusted(0.8, 0.8, -0.8, -0.8), radius))
    else:
        width = edge_width(card)
        half = width / 2
        painter.setPen(pen(colors.edge, width))
        painter.drawPath(body_path(rect.adjusted(half, half, -half, -half), max(0.0, radius - half)))
    if card.error:
        hatch(painter, rect, theme.color("error"))


def _paint_ports(painter: QPainter, card: CardFace, width: float, theme: Theme, colors: Hues) -> None:
    fields = {field.port: field.text for field in card.fields}
    edge = theme.color("ghost") if is_dotted(card) else colors.edge
    for port, y in enumerate(card.anatomy.inputs):
        text = fields.get(port)
        if text is not None:
            _paint_field(painter, text, y, theme)
        _dot(painter, QPointF(0, y), theme.color("card") if text == "" else edge, edge)
    for row, place in zip(card.rows, card.anatomy.rows, strict=False):
        _dot(painter, QPointF(width, place.value_port), edge, edge)
        if row.grad is not None and place.grad_top:
            ink = theme.color("grad_ink")
            present = row.grad.value is not None and not row.grad.covered
            _dot(painter, QPointF(width, place.grad_port), ink if present else theme.color("card"), ink)
    if not card.rows:
        _dot(painter, QPointF(width, HEADER + ROW / 2), theme.color("card"), edge)


def _dot(painter: QPainter, center: QPointF, fill: QColor, edge: QColor) -> None:
    painter.setPen(pen(edge, 1.5))
    painter.setBrush(QBrush(fill))
    painter.drawEllipse(center, PORT - 0.5, PORT - 0.5)


def _paint_field(painter: QPainter, text: str, y: float, theme: Theme) -> None:
    """The number in a port without a wire, left of the port; a dotted box, hollow, where the port is open."""
    width = field_width(text)
    rect = QRectF(-width - PORT - 1, y - FIELD_HEIGHT / 2, width, FIELD_HEIGHT)
    if not text:
        painter.setPen(pen(theme.color("ghost"), 1.2, DOTS))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, 3, 3)
        return
    painter.setPen(pen(theme.color("field_edge"), 1.0))
    painter.setBrush(QBrush(theme.color("field")))
    painter.drawRoundedRect(rect, 3, 3)
    shown = elided(text, mono_font(12), width - 8)
    left = rect.center().x() - measure(mono_font(12)).horizontalAdvance(shown) / 2
    write(painter, shown, mono_font(12), theme.color("field_text"), left, y)


def _paint_error(painter: QPainter, card: CardFace, rect: QRectF, theme: Theme) -> None:
    """Octagon and first line: in the empty body of a card without a value, else on a strip below the card."""
    if card.rows:
        top = rect.bottom() + 9
        ink, left, right = theme.color("error_ink"), 22.0, rect.width()
        octagon(painter, QPointF(9, top + 9), 16, theme.color("error"), theme.color("error_text"))
        write(painter, elided(card.error, ui_font(12), right - left), ui_font(12), ink, left, top + 9)
        return
    left = PAD + 22
    room = QRectF(left, HEADER + 6, rect.width() - left - PAD, rect.height() - HEADER - 10)
    octagon(painter, QPointF(PAD + 9, room.top() + 8), 16, theme.color("error"), theme.color("error_text"))
    for index, line in enumerate(_wrapped(card.error, room.width(), int(room.height() // 17))):
        write(painter, line, ui_font(12), theme.color("error_ink"), left, room.top() + 8 + 17 * index)


def _wrapped(text: str, width: float, most: int) -> list[str]:
    """``text`` on at most ``most`` lines, the last one elided."""
    lines: list[str] = []
    words = text.split()
    fm = measure(ui_font(12))
    while words and len(lines) < most:
        count = 1
        while count < len(words) and fm.horizontalAdvance(" ".join(words[: count + 1])) <= width:
            count += 1
        last = len(lines) == most - 1
        lines.append(elided(" ".join(words if last else words[:count]), ui_font(12), width))
        words = words[count:]
    return lines


def _rule(painter: QPainter, y: float, width: float, theme: Theme) -> None:
    painter.setPen(pen(theme.color("row_line"), 1.0))
    painter.drawLine(QPointF(THICK, y), QPointF(width - THICK, y))
