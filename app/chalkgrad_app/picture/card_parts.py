"""Parts that cards have in every drawing: hues and edges, ports and fields, gradients, covers, versions.

``least`` is the size below which no letter is painted where there is room for larger ones.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter

from chalkgrad.session.state import Status
from chalkgrad_app.picture.anatomy import GRAD_LABEL, PAD, ROW, Anatomy
from chalkgrad_app.picture.brush import (
    DOTS,
    body_path,
    elided,
    fitting,
    measure,
    octagon,
    pen,
    pin,
    rounded,
    width_of,
    write,
    write_right,
)
from chalkgrad_app.picture.card import CardFace, GradFace, Hue, RowFace
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
FIELD_SIZE = 12
FIELD_CHARACTER = 7.3
"""Width of a character in a field, a little more than the font needs: wires go round fields, on each machine alike."""
COVER = 56.0
AROUND_VERSION = 13.0
"""So much wider than its text is the tab with a version."""
LABEL, BESIDE_LABEL = 11, 6.0
"""How large shape, dtype and labels are, and what is free right of the label of a row."""
IN_PILL = 9.0
"""From the end of a gradient's pill to what is in it."""
FLAGS = 34.0
"""How wide the cover over leaf and requires_grad is in a header, with the room beside it."""
ERROR_DOWN = 20.5
"""How far below a card the middle of the line with its error is: clear of the rings of what is selected."""
CORNER = 24
"""So many degrees of a dotted corner are left free beside the lines, so that their dots don't run together."""


class Hues(NamedTuple):
    """The three colours of a header: fill, edge, text."""

    fill: QColor
    edge: QColor
    text: QColor


def hue_role(hue: Hue) -> str:
    """What the role of a header's fill is called; those of its edge and text begin so."""
    return ("plain", "leaf", "leaf_grad", "intermediate")[hue]


def hues(theme: Theme, hue: Hue) -> Hues:
    """The colours of a header in ``theme``."""
    role = hue_role(hue)
    return Hues(theme.color(role), theme.color(f"{role}_edge"), theme.color(f"{role}_text"))


def is_dotted(card: CardFace) -> bool:
    """True for a card that has not run."""
    return card.ghost or card.status is Status.WAITING


def status_word(card: CardFace, words: Words) -> str:
    """The word that stands in the place of a value: waiting, not reached, to come."""
    return {
        Status.WAITING: words.waiting,
        Status.NOT_REACHED: words.not_reached,
        Status.TO_COME: words.to_come,
        Status.FAILED: words.failed,
    }.get(card.status, "")


def error_words(card: CardFace, words: Words) -> str:
    """What is said of an error at a card: what was done there in a conflict of versions, else what the error says."""
    if card.deed is None:
        return card.error
    return (words.writer if card.deed.writes else words.saver).format(n=card.deed.version)


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
    return min(FIELD_LONGEST, max(FIELD_EMPTY, FIELD_CHARACTER * len(text) + 12.0))


@lru_cache(1024)
def field_text(text: str, room: float) -> str:
    """The number in a field: where it is too long, as many of its first digits as there is room for, as about that."""
    return rounded(text, mono_font(FIELD_SIZE), room)


def field_rect(shape: Anatomy, port: int, text: str) -> QRectF:
    """Where the number field of a port lies, in the card's own coordinates: left of the port, above or under it."""
    x, y = shape.input(port)
    width = field_width(text)
    if port in shape.under:
        return QRectF(x - width / 2, y, width, FIELD_HEIGHT)
    if shape.down:
        return QRectF(x - width / 2, y - PORT - 1 - FIELD_HEIGHT, width, FIELD_HEIGHT)
    return QRectF(x - PORT - 1 - width, y - FIELD_HEIGHT / 2, width, FIELD_HEIGHT)


def paint_version(painter: QPainter, version: int, right: float, middle: float, theme: Theme, least: int = 0) -> float:
    """A notched tab with the version; returns where it begins."""
    text, font = f"v{version}", mono_font(max(11, least), True)
    width = measure(font).horizontalAdvance(text) + AROUND_VERSION
    height = max(16.0, min(ROW - 3, 1.1 * font.pixelSize()))
    rect = QRectF(right - width, middle - height / 2, width, height)
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
    write(painter, text, font, theme.color("ink"), rect.left() + notch + 3.5, middle)
    return rect.left()


def paint_beside_shape(painter: QPainter, row: RowFace, rect: QRectF, theme: Theme, least: int = 0) -> None:
    """Dtype and version of a large tensor, between its shape and its thumbnail."""
    left = rect.left() + measure(mono_font(max(16, least), True)).horizontalAdvance(row.value.shape) + 8
    middle = rect.top() + 20
    if row.dtype:
        left += write(painter, row.dtype, mono_font(max(11, least)), theme.color("muted"), left, middle) + 8
    if row.version:
        width = measure(mono_font(max(11, least), True)).horizontalAdvance(f"v{row.version}") + AROUND_VERSION
        paint_version(painter, row.version, left + width, middle, theme, least)


def paint_pill(painter: QPainter, grad: GradFace, room: QRectF, theme: Theme, least: int = 0) -> None:
    """A gradient that there is: a filled pill, no wider than what is in it or than ``room``."""
    assert grad.value is not None
    wanted = room.width() if grad.value.stats else shown_width(grad.value, least) + 2 * IN_PILL
    pill = QRectF(room.left(), room.top(), min(room.width(), wanted), room.height())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("grad")))
    painter.drawRoundedRect(pill, 9, 9)
    inner = pill.adjusted(IN_PILL, -3, -IN_PILL, 3)
    paint_shown(painter, grad.value, inner, theme.color("grad_text"), theme, on_pill=True, least=least)


def paint_no_grad(painter: QPainter, left: float, middle: float, theme: Theme, least: int = 0) -> None:
    """A gradient that there isn't: an empty pill with the word."""
    font = mono_font(max(12, least))
    width = measure(font).horizontalAdvance("None") + 18
    painter.setPen(pen(theme.color("grad_empty"), 1.1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = max(8.5, 0.62 * font.pixelSize())
    painter.drawRoundedRect(QRectF(left, middle - half, width, 2 * half), half, half)
    write(painter, "None", font, theme.color("muted"), left + 9, middle, mono_font(max(NUMBER, least)))


def paint_cover(painter: QPainter, bar: QRectF, theme: Theme) -> None:
    """A bar over what is to be guessed first."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(theme.color("cover")))
    painter.drawRoundedRect(bar, 2, 2)
    middle = bar.center().x() - measure(mono_font(13, True)).horizontalAdvance("?") / 2
    write(painter, "?", mono_font(13, True), theme.color("cover_text"), middle, bar.center().y())


def paint_grad(painter: QPainter, grad: GradFace, room: QRectF, theme: Theme, least: int = 0) -> None:
    """A gradient in ``room``: pill, empty pill or cover; how often it was added to, the pin, and hooks."""
    middle, right, ink = room.top() + ROW / 2, room.right(), theme.color("grad_ink")
    if grad.times > 1:
        right -= write_right(painter, f"Σ{grad.times}", ui_font(max(12, least), True), ink, right, middle) + 6
    if grad.kept:
        pin(painter, QPointF(right - 5, middle), 14, ink)
        right -= 18
    if grad.hooks:
        mark = "λ" if grad.hooks == 1 else f"λ{grad.hooks}"
        right -= write_right(painter, mark, ui_font(max(13, least), True), ink, right, middle) + 6
    left = room.left()
    if grad.covered:
        paint_cover(painter, QRectF(left, middle - 9, min(COVER, right - left), 18), theme)
    elif grad.value is None:
        paint_no_grad(painter, left, middle, theme, least)
    else:
        paint_pill(painter, grad, QRectF(left, room.top() + 3, right - left, room.height() - 6), theme, least)


def grad_label(grad: GradFace, least: int, room: float) -> float:
    """The width of the label in a grad row so wide; 0 where letters are so large that the gradient needs its room."""
    label = max(GRAD_LABEL, width_of("grad", mono_font(max(LABEL, least))) + BESIDE_LABEL)
    if least <= NUMBER or grad.value is None or grad.covered:
        return label
    needed = shown_width(grad.value, least) + 2 * IN_PILL + _marks_width(grad, least)
    return label if label + needed <= room and not grad.value.stats else 0.0


def _marks_width(grad: GradFace, least: int) -> float:
    """How wide that is what stands right of a gradient."""
    times = width_of(f"Σ{grad.times}", ui_font(max(12, least), True)) + 6 if grad.times > 1 else 0.0
    hooks = width_of(f"λ{grad.hooks}", ui_font(max(13, least), True)) + 6 if grad.hooks else 0.0
    return times + hooks + (18.0 if grad.kept else 0.0)


def paint_edge(painter: QPainter, rect: QRectF, radius: float, color: QColor, width: float) -> None:
    """An edge, all of it within ``rect``."""
    half = width / 2
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(color, width))
    painter.drawPath(body_path(rect.adjusted(half, half, -half, -half), max(0.0, radius - half)))


def paint_dotted_edge(painter: QPainter, rect: QRectF, radius: float, theme: Theme) -> None:
    """The edge of what has not run: straight lines, which Qt dots far faster than a path, and round corners."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(theme.color("ghost"), 1.6, DOTS))
    edge = rect.adjusted(0.8, 0.8, -0.8, -0.8)
    left, top, right, bottom = edge.left(), edge.top(), edge.right(), edge.bottom()
    painter.drawLines(
        [
            QLineF(left + radius, top, right - radius, top),
            QLineF(right, top + radius, right, bottom - radius),
            QLineF(right - radius, bottom, left + radius, bottom),
            QLineF(left, bottom - radius, left, top + radius),
        ]
    )
    if radius > 0:
        side = 2 * radius
        for x, y, start in (
            (right - side, top, 0),
            (left, top, 90),
            (left, bottom - side, 180),
            (right - side, bottom - side, 270),
        ):
            painter.drawArc(QRectF(x, y, side, side), 16 * (start + CORNER), 16 * (90 - 2 * CORNER))


def port_dot(painter: QPainter, center: QPointF, fill: QColor, edge: QColor) -> None:
    """The dot at a port."""
    painter.setPen(pen(edge, 1.5))
    painter.setBrush(QBrush(fill))
    painter.drawEllipse(center, PORT - 0.5, PORT - 0.5)


def paint_field(painter: QPainter, text: str, rect: QRectF, theme: Theme, least: int = 0) -> None:
    """The number in a port without a wire; a dotted box, hollow, where the port is open."""
    if not text:
        painter.setPen(pen(theme.color("ghost"), 1.2, DOTS))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, 3, 3)
        return
    painter.setPen(pen(theme.color("field_edge"), 1.0))
    painter.setBrush(QBrush(theme.color("field")))
    painter.drawRoundedRect(rect, 3, 3)
    shown = field_text(text, rect.width() - 4)
    font = fitting(shown, mono_font, rect.width() - 4, max(FIELD_SIZE, least), FIELD_SIZE, False)
    left = rect.center().x() - measure(font).horizontalAdvance(shown) / 2
    write(painter, shown, font, theme.color("field_text"), left, rect.center().y())


def paint_error_below(painter: QPainter, error: str, rect: QRectF, theme: Theme, least: int = 0) -> None:
    """Octagon and first line of an error on a strip below a card that has a value."""
    middle, left = rect.bottom() + ERROR_DOWN, rect.left() + 22
    octagon(painter, QPointF(rect.left() + 9, middle), 16, theme.color("error"), theme.color("error_text"))
    font = ui_font(max(12, least))
    write(painter, elided(error, font, rect.right() - left), font, theme.color("error_ink"), left, middle)


def paint_error_within(painter: QPainter, error: str, body: QRectF, theme: Theme, least: int = 0) -> None:
    """Octagon and first lines of an error in the empty body of a card."""
    left, top = body.left() + PAD + 22, body.top() + 14
    octagon(painter, QPointF(body.left() + PAD + 9, top), 16, theme.color("error"), theme.color("error_text"))
    font = ui_font(max(12, least))
    for index, line in enumerate(wrapped(error, font, body.right() - PAD - left, int((body.height() - 10) // 17))):
        write(painter, line, font, theme.color("error_ink"), left, top + 17 * index)


def wrapped(text: str, font: QFont, width: float, most: int) -> list[str]:
    """``text`` on at most ``most`` lines, the last one elided."""
    lines: list[str] = []
    words = text.split()
    fm = measure(font)
    while words and len(lines) < most:
        count = 1
        while count < len(words) and fm.horizontalAdvance(" ".join(words[: count + 1])) <= width:
            count += 1
        last = len(lines) == most - 1
        lines.append(elided(" ".join(words if last else words[:count]), font, width))
        words = words[count:]
    return lines


def rule(painter: QPainter, y: float, width: float, theme: Theme) -> None:
    """The line between two rows."""
    painter.setPen(pen(theme.color("row_line"), 1.0))
    painter.drawLine(QPointF(THICK, y), QPointF(width - THICK, y))
