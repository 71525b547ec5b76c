"""Small drawings that cards, marks and overlays share: text at a place, hatched edges, octagon, pin, foot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

HATCH = 5.0
DOTS = (1.0, 2.0)
DASHES = (3.2, 2.4)
LEFT_OVER = 2
"""Of a text that is cut, more characters have to be left than these."""


_METRICS: dict[int, QFontMetricsF] = {}
_FONTS: dict[int, QFont] = {}


def measure(font: QFont) -> QFontMetricsF:
    """Metrics of one of the shared fonts of :mod:`chalkgrad_app.style.fonts`."""
    found = _METRICS.get(id(font))
    if found is None:
        found = _METRICS[id(font)] = QFontMetricsF(font)
        _FONTS[id(font)] = font
    return found


def width_of(text: str, font: QFont) -> float:
    """How wide a text is in one of the shared fonts: remembered, as painting asks again and again."""
    measure(font)
    return _width_of(text, id(font))


@lru_cache(4096)
def _width_of(text: str, font: int) -> float:
    return _METRICS[font].horizontalAdvance(text)


def ink_of(text: str, font: QFont) -> tuple[float, float]:
    """How far a text in one of the shared fonts reaches above its baseline (below 0) and below it."""
    measure(font)
    return _ink_of(text, id(font))


@lru_cache(512)
def _ink_of(text: str, font: int) -> tuple[float, float]:
    path = QPainterPath()  # metrics know it in whole units only
    path.addText(0, 0, _FONTS[font], text)
    ink = path.boundingRect()
    return ink.top(), ink.bottom()


def pen(color: QColor, width: float, style: tuple[float, float] | None = None) -> QPen:
    """A pen with square corners; ``style`` is dash and gap in pen widths."""
    made = QPen(color, width)
    made.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style is not None:
        made.setDashPattern(list(style))
    return made


def mixed(ground: QColor, hue: QColor, part: float) -> QColor:
    """A colour between two: ``part`` (0 to 1) of the way from ``ground`` to ``hue``."""
    red = ground.red() + (hue.red() - ground.red()) * part
    green = ground.green() + (hue.green() - ground.green()) * part
    blue = ground.blue() + (hue.blue() - ground.blue()) * part
    return QColor(round(red), round(green), round(blue))


def elided(text: str, font: QFont, width: float) -> str:
    """``text``, its end replaced by an ellipsis where it is wider than ``width``."""
    if width_of(text, font) <= width:
        return text
    return measure(font).elidedText(text, Qt.TextElideMode.ElideRight, width)


def fitting(text: str, font: Callable[[float, bool], QFont], room: float, most: int, least: int, bold: bool) -> QFont:
    """A font of ``text`` that is as large as ``room`` lets it be: from ``most`` down to ``least``."""
    width = width_of(text, font(most, bold))
    return font(max(least, min(most, int(most * room / width))) if width > room else most, bold)


def shortened(text: str, font: QFont, room: float) -> str:
    """``text`` with its end elided where it is too long; nothing where hardly a letter would be left."""
    shown = elided(text, font, room)
    return shown if shown == text or len(shown) > LEFT_OVER else ""


def rounded(text: str, font: QFont, room: float) -> str:
    """Numbers that are too long, said to be about what their first digits are, as many as have room.

    Of a vector that is too long even so its first numbers are left; of other text, its beginning. What is cut within
    its digits, or before its exponent, would be another number.
    """
    if width_of(text, font) <= room:
        return text
    parts = [part.strip() for part in text.strip("[]").split(",")]
    frame, are_numbers = "[{}]" if text.startswith("[") else "{}", all(map(_is_number, parts))
    shorter = [*_with_fewer_digits(parts, frame)] if are_numbers else []
    if len(parts) > 1:
        shorter += _first_of(parts, frame, are_numbers)
    fits = (short for short in shorter if width_of(short, font) <= room)
    return next(fits, elided(text, font, room))


def _with_fewer_digits(parts: Sequence[str], frame: str) -> Iterator[str]:
    """Numbers as they are about; those of a vector without their zeros first."""
    if len(parts) > 1:
        yield frame.format(", ".join(map(_without_zeros, parts)))
    for digits in range(6, 1 if len(parts) > 1 else 0, -1):
        yield f"≈{frame.format(', '.join([_short(part, digits, len(parts) > 1) for part in parts]))}"


def _first_of(parts: Sequence[str], frame: str, are_numbers: bool) -> list[str]:
    """The beginnings of a vector, longest first; of numbers at last nothing."""
    plain = [_without_zeros(part) if are_numbers else part for part in parts]
    found = [frame.format(", ".join([*plain[:count], "…"])) for count in range(len(parts) - 1, 0, -1)]
    return [*found, "…"] if are_numbers else found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _without_zeros(number: str) -> str:
    """``14.5`` for ``14.5000``, ``1.`` for ``1.0000``."""
    return number.rstrip("0") if "." in number and "e" not in number else number


def _short(number: str, digits: int, keeps_point: bool) -> str:
    """A number with so many digits."""
    text = f"{float(number):.{digits}g}".replace("e+0", "e").replace("e-0", "e-")
    return text + "." if keeps_point and "." in number and text.lstrip("-").isdigit() else text


def write(
    painter: QPainter, text: str, font: QFont, color: QColor, x: float, middle: float, beside: QFont | None = None
) -> float:
    """Write ``text`` from ``x`` on, its capitals centred on ``middle``; returns its width.

    With ``beside``, it stands on the baseline that text in that font has there.
    """
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(QPointF(x, middle + measure(beside or font).capHeight() / 2), text)
    return width_of(text, font)


def write_right(
    painter: QPainter, text: str, font: QFont, color: QColor, right: float, middle: float, beside: QFont | None = None
) -> float:
    """Write ``text`` so that it ends at ``right``; returns its width."""
    width = width_of(text, font)
    write(painter, text, font, color, right - width, middle, beside)
    return width


def body_path(rect: QRectF, radius: float) -> QPainterPath:
    """The outline of a card: a rectangle, its corners round when ``radius`` is above 0."""
    path = QPainterPath()
    if radius > 0:
        path.addRoundedRect(rect, radius, radius)
    else:
        path.addRect(rect)
    return path


def top_path(rect: QRectF, radius: float) -> QPainterPath:
    """A band whose upper corners alone are round: a header."""
    path = QPainterPath(QPointF(rect.left(), rect.bottom()))
    path.lineTo(rect.left(), rect.top() + radius)
    if radius > 0:
        path.arcTo(QRectF(rect.left(), rect.top(), 2 * radius, 2 * radius), 180, -90)
        path.arcTo(QRectF(rect.right() - 2 * radius, rect.top(), 2 * radius, 2 * radius), 90, -90)
    else:
        path.lineTo(rect.right(), rect.top())
    path.lineTo(rect.right(), rect.bottom())
    path.closeSubpath()
    return path


def foot_path(rect: QRectF, radius: float) -> QPainterPath:
    """A foot: its left end pointed, its lower right corner round like the card's."""
    tip = min(10.0, rect.height() * 0.55)
    path = QPainterPath(QPointF(rect.left(), rect.center().y()))
    path.lineTo(rect.left() + tip, rect.top())
    path.lineTo(rect.right(), rect.top())
    path.lineTo(rect.right(), rect.bottom() - radius)
    if radius > 0:
        path.arcTo(QRectF(rect.right() - 2 * radius, rect.bottom() - 2 * radius, 2 * radius, 2 * radius), 0, -90)
    else:
        path.lineTo(rect.right(), rect.bottom())
    path.lineTo(rect.left() + tip, rect.bottom())
    path.closeSubpath()
    return path


def freed_outline(rect: QRectF) -> QPainterPath:
    """The pointed end of a foot and the line above it: right and below is the card's own edge."""
    path = QPainterPath(QPointF(rect.right(), rect.top()))
    tip = min(10.0, rect.height() * 0.55)
    path.lineTo(rect.left() + tip, rect.top())
    path.lineTo(rect.left(), rect.center().y())
    path.lineTo(rect.left() + tip, rect.bottom())
    return path


def hatch(painter: QPainter, rect: QRectF, color: QColor, depth: float = HATCH) -> None:
    """A hatched edge around ``rect``: short slanted strokes, ``depth`` outwards."""
    painter.setPen(pen(color, max(1.2, depth * 0.3)))
    lines: list[QLineF] = []
    step = depth * 1.1
    for index in range(int(rect.width() / step) + 1):
        x = rect.left() + index * step
        lines.append(QLineF(x, rect.top(), x + depth * 0.7, rect.top() - depth))
        lines.append(QLineF(x, rect.bottom() + depth, x + depth * 0.7, rect.bottom()))
    for index in range(int(rect.height() / step) + 1):
        y = rect.top() + index * step
        lines.append(QLineF(rect.left() - depth, y + depth * 0.7, rect.left(), y))
        lines.append(QLineF(rect.right(), y + depth * 0.7, rect.right() + depth, y))
    painter.drawLines(lines)


def octagon(painter: QPainter, center: QPointF, size: float, fill: QColor, ink: QColor) -> None:
    """The mark of an error: a filled octagon with a cross."""
    half, cut = size / 2, size * 0.2071
    corners = [
        (-cut, -half),
        (cut, -half),
        (half, -cut),
        (half, cut),
        (cut, half),
        (-cut, half),
        (-half, cut),
        (-half, -cut),
    ]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(fill))
    painter.drawPolygon(QPolygonF([center + QPointF(x, y) for x, y in corners]))
    arm = size * 0.2
    stroke = QPen(ink, size * 0.11)
    stroke.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(stroke)
    painter.drawLine(center + QPointF(-arm, -arm), center + QPointF(arm, arm))
    painter.drawLine(center + QPointF(-arm, arm), center + QPointF(arm, -arm))


def pin(painter: QPainter, center: QPointF, size: float, color: QColor) -> None:
    """The mark of ``retain_grad()``: a pin, its needle down to the left."""
    painter.save()
    try:
        painter.translate(center)
        painter.rotate(35)
        painter.scale(size / 14, size / 14)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(color))
        painter.drawRoundedRect(QRectF(-3.6, -7, 7.2, 2.6), 1, 1)
        painter.drawRect(QRectF(-2.2, -4.6, 4.4, 4.2))
        painter.drawRoundedRect(QRectF(-4.8, -0.9, 9.6, 2.4), 1, 1)
        painter.drawPolygon(QPolygonF([QPointF(-0.8, 1.4), QPointF(0.8, 1.4), QPointF(0, 7.4)]))
    finally:
        painter.restore()
