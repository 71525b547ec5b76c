"""Painting one card at middle distance (25 to 60%): shape, edge, name and value, large enough to be read there.

The name comes first. A value is cut, and then left out, before it would be too small to be read; what room there is, is
used.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter

from chalkgrad.session.state import Saved, Status
from chalkgrad_app.picture.brush import (
    DASHES,
    DOTS,
    body_path,
    elided,
    fitting,
    foot_path,
    hatch,
    measure,
    octagon,
    pen,
    pin,
    rounded,
    shortened,
    top_path,
    width_of,
    write,
    write_right,
)
from chalkgrad_app.picture.card import CardFace, GradFace, RowFace
from chalkgrad_app.picture.card_parts import corner, edge_width, hues, is_dotted
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.values import Form, Shown
from chalkgrad_app.style.fonts import mono_font, ui_font
from chalkgrad_app.style.theme import Theme

NAME, VALUE, BAND, FOOT, PAD = 24, 20, 34.0, 13.0, 12.0
LARGEST = 1.35
"""A value that has room is so much larger than usual."""
LINE, LEAST_LINE = 1.2, 1.0
"""The room that a line of text takes, in its size, and the least of it that shows all of its digits."""
BELOW, BARE = 2.0, 8.0
"""Below what is written; and the least height of a band that has no name."""
DEEPER = 0.08
"""How much deeper brackets reach than capitals, in sizes."""
ROUNDING = 1e-6
OCTAGON = 26.0
SIGN, VALUE_SHARE = 0.6, 0.64
"""How large the sign of a gradient is, in the least size of text, and what the value has of the room above one."""
LEAST_BAND = 28.0
EQUALS, BESIDE, AFTER = 0.28, 0.3, 0.35
"""Between the equals sign and what is beside it, a name and a value beside it, a value and its version, in sizes."""
LEFT, CUT = 4, "…"
"""Of an expression that is cut more characters than these are left; the last is this."""


class Head(NamedTuple):
    """Where the name stands on a card, what it is, and in what colour it is written."""

    room: QRectF
    name: str
    ink: QColor


class Type(NamedTuple):
    """The sizes of what is written on a card seen from some distance: none is below ``least``."""

    name: int
    value: int
    least: int


def type_of(look: Look, name: int = NAME, value: int = VALUE) -> Type:
    """The sizes at a look."""
    return Type(max(name, look.least), max(value, look.least), look.least)


def paint_middle(painter: QPainter, card: CardFace, look: Look) -> None:
    """Paint a card as it is seen from some distance."""
    theme, sizes = look.theme, type_of(look)
    rect = QRectF(0, 0, card.anatomy.width, card.anatomy.height)
    radius = corner(card)
    colors = hues(theme, card.hue)
    foot = FOOT if card.foot is not None else 0.0
    band = band_height(rect.height() - foot, max(LEAST_BAND, min(BAND, rect.height() * 0.36)), sizes)
    if not card.ghost:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(theme.color("card")))
        painter.drawPath(body_path(rect, radius))
        painter.setBrush(QBrush(colors.fill))
        painter.drawPath(top_path(QRectF(0, 0, rect.width(), band), radius))
    ink = theme.color("muted") if card.ghost else colors.text
    head = Head(QRectF(PAD, 0, rect.width() - 2 * PAD, band), card.title, ink)
    body = QRectF(PAD, band, rect.width() - 2 * PAD, rect.height() - band - BELOW - foot)
    if card.foot is not None:
        _paint_foot(painter, card.foot.saved is Saved.FREED, rect, radius, theme)
    if card.rows:
        head.room.setRight(paint_rows(painter, card.rows[0], body, head, theme, sizes))
    elif card.status is Status.WAITING and body.height() >= sizes.least:
        font = fitting(look.words.waiting, ui_font, body.width(), sizes.value, sizes.least, False)
        write(
            painter, shortened(look.words.waiting, font, body.width()), font, theme.color("muted"), PAD, _middle(body)
        )
    _write_name(painter, head, card.expression if card.name else "", sizes)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if is_dotted(card):
        painter.setPen(pen(theme.color("ghost"), 3.0, DOTS))
        painter.drawPath(body_path(rect.adjusted(1.5, 1.5, -1.5, -1.5), radius))
    else:
        # Below 60% the thin edge would vanish at its true width.
        half = edge_width(card) * 0.7
        painter.setPen(pen(colors.edge, 2 * half))
        painter.drawPath(body_path(rect.adjusted(half, half, -half, -half), max(0.0, radius - half)))
    if card.error:
        hatch(painter, rect, theme.color("error_ink"), 8.0)
        spot = QPointF(rect.right() - 6, 6)
        octagon(painter, spot, OCTAGON, theme.color("error"), theme.color("error_text"))


def band_height(height: float, usual: float, sizes: Type, is_named: bool = True) -> float:
    """How high the band with the name is: as usual, higher for a name that is, and all where no value has room."""
    most = height - BELOW - LEAST_LINE * sizes.least
    if not is_named:
        return max(BARE, min(usual, most))
    band = max(usual, LINE * sizes.name)
    if band <= most:
        return band
    band = max(usual, float(sizes.least))
    return band if band <= most else height


def name_font(name: str, room: QRectF, sizes: Type) -> QFont:
    """In what a name is written in its band."""
    most = max(sizes.least, min(sizes.name, int(room.height() / LINE)))
    return fitting(name, ui_font, room.width(), most, sizes.least, True)


def _write_name(painter: QPainter, head: Head, expression: str, sizes: Type) -> None:
    """The name, and behind it as much of what it is as there is room for."""
    room, middle = head.room, _middle(head.room)
    font = name_font(head.name, room, sizes)
    plain = ui_font(font.pixelSize())
    gap = EQUALS * font.pixelSize()
    left = (
        room.left() + gap + write(painter, elided(head.name, font, room.width()), font, head.ink, room.left(), middle)
    )
    begin = left + width_of("=", plain) + gap
    text = elided(expression, plain, room.right() - begin) if begin < room.right() else ""
    if text and (text == expression or len(text) > LEFT):
        write(painter, "=", plain, head.ink, left, middle, font)
        write(painter, text, plain, head.ink, begin, middle, font)


def _middle(room: QRectF) -> float:
    return room.center().y() + 1


def paint_rows(painter: QPainter, row: RowFace, body: QRectF, head: Head, theme: Theme, sizes: Type) -> float:
    """The value of one output, and its gradient below: both, or what there is room for; else the gradient's sign alone.

    Where the value takes all room, the sign stands at the right of the name; where none is left below that, the value
    does, too. Returns how far the name may reach.
    """
    band, line, side = head.room, LEAST_LINE * sizes.least, SIGN * sizes.least
    lines = min(int(body.height() / line + ROUNDING), 2 if row.grad is not None else 1)
    if row.grad is not None and lines < 2 and band.height() < side:  # a node without a name
        band = body
        body = body.adjusted(0, 0, -side - 6, 0)
    if lines:
        share = body.height() / lines
        if lines == 2 and row.grad is not None and row.grad.value is None and not row.grad.covered:
            share = max(share, min(body.height() - sizes.least * SIGN, body.height() * VALUE_SHARE))
        _paint_value(painter, row, QRectF(body.left(), body.top(), body.width(), share), theme, sizes)
        if row.grad is not None and lines == 2:
            below = QRectF(body.left(), body.top() + share, body.width(), body.height() - share)
            _paint_grad(painter, row.grad, below, theme, sizes)
    right = band.right()
    if row.grad is not None and lines < 2:
        _paint_sign(painter, row.grad, QPointF(right - side / 2, _middle(band)), side, theme, plate=True)
        right -= side + 4
    return right if lines or row.covered else _write_beside(painter, row.value, head, right, sizes)


def _write_beside(painter: QPainter, value: Shown, head: Head, right: float, sizes: Type) -> float:
    """A value at the right of the name, in its colour, if there is room for one; where it begins."""
    font, room = mono_font(sizes.least), head.room
    left = room.left() + width_of(head.name, name_font(head.name, room, sizes)) + BESIDE * sizes.least
    text = _briefly(value, font, right - left) if left < right else ""
    if not text or text.endswith(CUT):
        return right
    return right - write_right(painter, text, font, head.ink, right, _middle(room)) - BESIDE * sizes.least


def _paint_value(painter: QPainter, row: RowFace, room: QRectF, theme: Theme, sizes: Type) -> None:
    ink, right = theme.color("ink"), room.right()
    if row.covered:
        _paint_cover(painter, room.left(), _middle(room), theme, sizes)
        return
    font, version = mono_font(max(18, sizes.least)), f"v{row.version}"
    left = right - width_of(version, font) - AFTER * sizes.least
    if row.version and _is_left(row.value, mono_font(sizes.least), left - room.left()):
        write(painter, version, font, ink, right - width_of(version, font), _middle(room))
        right = left
    most = max(sizes.value, min(int(0.6 * room.height()), int(LARGEST * sizes.value)))
    _paint_shape(painter, row.value, room, right, most, theme, sizes)
    _write_brief(
        painter, row.value, QRectF(room.left(), room.top(), right - room.left(), room.height()), ink, most, sizes
    )


def _paint_shape(
    painter: QPainter, value: Shown, room: QRectF, right: float, most: int, theme: Theme, sizes: Type
) -> None:
    """The shape at the right of a value that is written without it as large as can be, where there is room."""
    font = mono_font(max(18, sizes.least))
    taken = width_of(brief(value), mono_font(most)) + width_of(value.shape, font) + AFTER * sizes.least
    if brief(value) != value.shape and taken <= right - room.left():
        beside = mono_font(most)
        middle = room.center().y() - DEEPER * most
        write_right(painter, value.shape, font, theme.color("muted"), right, middle, beside)


def _write_brief(painter: QPainter, value: Shown, room: QRectF, ink: QColor, most: int, sizes: Type) -> None:
    """A value in one line as large as there is room for."""
    font = fitting(brief(value), mono_font, room.width(), most, sizes.least, False)
    shown = _briefly(value, font, room.width())
    write(painter, shown, font, ink, room.left(), room.center().y() - DEEPER * font.pixelSize())


def _is_left(value: Shown, font: QFont, room: float) -> bool:
    """True where at least the first number of a value, or its shape, has room."""
    shown = _briefly(value, font, room) if room > 0 else ""
    return len(shown) > 1 and (shown[-1] != CUT or value.form is not Form.NUMBER)


def _briefly(value: Shown, font: QFont, room: float) -> str:
    """As much of a value as there is room for; its shape where not even its first number would be left."""
    text = brief(value)
    shown = rounded(text, font, room)
    if value.form is Form.VECTOR and shown != text and "," not in shown:
        shown = value.shape
    return shortened(shown, font, room)


def _paint_grad(painter: QPainter, grad: GradFace, room: QRectF, theme: Theme, sizes: Type) -> None:
    """A filled dot and the number; a ring where there is none; a bar where it is covered."""
    middle, side = room.center().y() - 1, max(12.0, SIGN * sizes.least)
    ink, right = theme.color("grad_ink"), room.right()
    if grad.covered:
        _paint_cover(painter, room.left(), middle, theme, sizes)
        return
    if grad.times > 1:
        font = ui_font(max(18, sizes.least), True)
        right -= write_right(painter, f"Σ{grad.times}", font, ink, right, middle) + 6
    if grad.kept:
        size = max(22.0, sizes.least)
        pin(painter, QPointF(right - size / 2, middle), size, ink)
        right -= size + 4
    _paint_sign(painter, grad, QPointF(room.left() + side / 2 + 1, middle), side, theme)
    if grad.value is not None:
        left = room.left() + side + 8
        up = min(2.0, max(0.0, room.height() - LINE * sizes.least))  # nearer to its value where there is room
        _write_brief(
            painter, grad.value, QRectF(left, room.top() - up, right - left, room.height()), ink, sizes.value, sizes
        )


def _paint_sign(
    painter: QPainter, grad: GradFace, middle: QPointF, side: float, theme: Theme, plate: bool = False
) -> None:
    """A dot for a gradient, a ring where there is none, a square where it is covered; on a ``plate`` of its own."""
    around = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
    if plate:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(theme.color("card")))
        painter.drawEllipse(around.adjusted(-3, -3, 3, 3))
    if grad.covered:
        painter.fillRect(around.adjusted(2, 2, -2, -2), theme.color("cover"))
        return
    present = grad.value is not None
    ink = theme.color("grad_ink")
    painter.setPen(pen(ink if present else theme.color("grad_empty"), 2.0))
    painter.setBrush(QBrush(ink) if present else QBrush())
    painter.drawEllipse(around)


def _paint_cover(painter: QPainter, left: float, middle: float, theme: Theme, sizes: Type) -> None:
    font = mono_font(max(18, sizes.least), True)
    high = 1.0 * font.pixelSize()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("cover")))
    painter.drawRect(QRectF(left, middle - high / 2, 2.2 * high, high))
    sign = measure(font).horizontalAdvance("?")
    write(painter, "?", font, theme.color("cover_text"), left + 1.1 * high - sign / 2, middle)


def _paint_foot(painter: QPainter, freed: bool, rect: QRectF, radius: float, theme: Theme) -> None:
    room = QRectF(10, rect.bottom() - FOOT - 2, rect.width() - 12, FOOT)
    if freed:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.color("function_ink"), 2.0, DASHES))
        painter.drawPath(foot_path(room.adjusted(0, 1, -5, -5), 4.0))
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("function")))
    painter.drawPath(foot_path(room, radius))


def brief(value: Shown) -> str:
    """A value in one line: the numbers where they are few, else the shape."""
    if value.form in (Form.GRID, Form.LARGE):
        return value.shape
    return " ".join(line.strip() for line in value.lines)
