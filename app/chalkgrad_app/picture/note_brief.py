"""A note seen from some distance: its first words as plain text, so large that they can be read."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from chalkgrad_app.picture import note_text
from chalkgrad_app.picture.brush import elided, width_of, write
from chalkgrad_app.picture.look import LEAST, Look
from chalkgrad_app.style.fonts import ui_font

INSET, LINE = 4.0, 1.3
"""Room around the words, in pixels, and the height of a line, in sizes of its text."""
FORMULA, STANDS_FOR_IT = "\ufffc", "…"


def paint(painter: QPainter, text: str, rect: QRectF, look: Look) -> None:
    """Paint what has room of a note's text on the note at ``rect``, in canvas units."""
    size = LEAST * look.text_scale
    room, font = look.rect(rect).adjusted(INSET, INSET, -INSET, -INSET), ui_font(size)
    most = int(room.height() / (LINE * size))
    plain = note_text.laid_out(text, rect.width(), look.theme).toPlainText().replace(FORMULA, STANDS_FOR_IT)
    for place, line in enumerate(_lines(plain, font, room.width(), most)):
        middle = room.top() + (place + 0.5) * LINE * size
        write(painter, line, font, look.theme.color("note_text"), room.left(), middle)


def _lines(text: str, font: QFont, room: float, most: int) -> Iterator[str]:
    """The first lines of a text; the last of them is cut where more follows."""
    paragraphs = [words for paragraph in text.splitlines() if (words := paragraph.split())]
    for number, words in enumerate(paragraphs):
        while words and most:
            most -= 1
            line = words.pop(0)
            while words and (not most or width_of(f"{line} {words[0]}", font) <= room):
                line += f" {words.pop(0)}"
            more = not most and number + 1 < len(paragraphs)
            yield elided(f"{line} {STANDS_FOR_IT}" if more else line, font, room)
