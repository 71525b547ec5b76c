"""A note seen from some distance: its words as plain text, so large that they can be read, or a mark that it is one.

All of it where that has room, else its first words, each of them whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QFont, QPainter, QTextLayout, QTextOption

from chalkgrad_app.picture import note_text
from chalkgrad_app.picture.brush import pen, width_of, write
from chalkgrad_app.picture.look import CLOSE, LEAST, Look
from chalkgrad_app.style.fonts import ui_font

INSET, LINE, TIGHT = 4.0, 1.3, 1.15
"""Room around the words, in pixels, and the height of a line, in sizes of its text, and where that has all fit."""
FORMULA, STANDS_FOR_IT = "\ufffc", "…"
MORE = " …"
"""After words that more follow."""
BARS = (0.6, 1.0, 0.8)
"""What stands for words of which none has room: lines of a text, so long, as parts of the mark's width."""
BAR = 3.0
"""Room between them, in pixels."""


def paint(painter: QPainter, text: str, rect: QRectF, look: Look) -> None:
    """Paint what has room of a note's text on the note at ``rect``, in canvas units."""
    room = look.rect(rect).adjusted(INSET, INSET, -INSET, -INSET)
    plain = note_text.laid_out(text, rect.width(), look.theme).toPlainText().replace(FORMULA, STANDS_FOR_IT)
    paragraphs = [" ".join(words) for paragraph in plain.splitlines() if (words := paragraph.split())]
    least = LEAST * look.text_scale
    for size, line in ((least, LINE), (least, TIGHT), (ceil(CLOSE * least), TIGHT)):
        found, is_whole = _lines(paragraphs, ui_font(size), room.width(), int(room.height() / (line * size)))
        if is_whole:
            _write(painter, found, size, line, room, look)
            return
    found, _ = _lines(paragraphs, ui_font(least), room.width(), int(room.height() / (LINE * least)))
    found = _with_more(found, ui_font(least), room.width())
    if found:
        _write(painter, found, least, LINE, room, look)
    elif paragraphs:
        _paint_mark(painter, room, look)


def _write(painter: QPainter, lines: Sequence[str], size: float, high: float, room: QRectF, look: Look) -> None:
    font, ink = ui_font(size), look.theme.color("note_text")
    for place, line in enumerate(lines):
        write(painter, line, font, ink, room.left(), room.top() + (place + 0.5) * high * size)


def _lines(paragraphs: Sequence[str], font: QFont, room: float, most: int) -> tuple[list[str], bool]:
    """The first lines of a text, so many at most and without a word that is too long, and whether that is all."""
    found: list[str] = []
    for line in _wrapped(paragraphs, font, room):
        if len(found) == most or width_of(line, font) > room:
            return found, False
        found.append(line)
    return found, True


def _wrapped(paragraphs: Sequence[str], font: QFont, room: float) -> Iterator[str]:
    """The lines of a text, broken where its language lets them be."""
    for paragraph in paragraphs:
        layout, option, units = QTextLayout(paragraph, font), QTextOption(), paragraph.encode("utf-16-le")
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        layout.setTextOption(option)
        layout.beginLayout()
        line = layout.createLine()
        while line.isValid():
            line.setLineWidth(room)
            first = 2 * line.textStart()
            yield units[first : first + 2 * line.textLength()].decode("utf-16-le").strip()
            line = layout.createLine()
        layout.endLayout()


def _with_more(lines: Sequence[str], font: QFont, room: float) -> list[str]:
    """The same lines with the sign that more follows, for which words at their end go; none where no word has room."""
    if not lines:
        return []
    *before, last = lines
    while last and width_of(last + MORE, font) > room:
        words, _, _ = last.rpartition(" ")
        last = words if words or last.isascii() else last[:-1]
    return [*before, last + MORE] if last else list(before) and _with_more(before, font, room)


def _paint_mark(painter: QPainter, room: QRectF, look: Look) -> None:
    """Bars in the middle of a note, as text is drawn that is too small to be read."""
    width = min(room.width(), 8 * BAR)
    if width <= 0 or room.height() <= 0:
        return
    painter.setPen(pen(look.theme.color("note_edge"), 1.0))
    left, middle = room.center().x() - width / 2, room.center().y()
    for place, part in enumerate(BARS):
        y = middle + (place - 1) * BAR
        painter.drawLine(QLineF(left, y, left + part * width, y))
