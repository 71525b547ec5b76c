"""Notes as they are shown: at least as high as their text needs in the language shown."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import ceil

from PySide6.QtCore import QRectF, Qt

from chalkgrad.program.board import Note
from chalkgrad_app.picture.brush import measure
from chalkgrad_app.style.fonts import ui_font

SIZE = 13
SIDE, TOP, BOTTOM = 14.0, 12.0, 14.0
"""Room around the text, in canvas units."""
LEAST = (96.0, 48.0)
"""Nobody makes a note or a frame smaller than this."""
GRID = 8
FLAGS = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


def fitted(note: Note, language: str) -> Note:
    """The note, made higher where its text needs more room."""
    needed = text_height(note.text(language), note.width) + TOP + BOTTOM
    height = max(note.height, ceil(needed / GRID) * float(GRID))
    return note if height == note.height else replace(note, height=height)


def text_rect(width: float, height: float) -> QRectF:
    """Where the text stands on a note of this size."""
    return QRectF(SIDE, TOP, width - 2 * SIDE, height - TOP)


@lru_cache(256)
def text_height(text: str, width: float) -> float:
    """How high ``text`` is on a note ``width`` wide."""
    room = QRectF(0, 0, width - 2 * SIDE, 1e6)
    return measure(ui_font(SIZE)).boundingRect(room, FLAGS.value, text).height()
