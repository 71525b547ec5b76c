"""Notes as they are shown: at least as high as their text needs in the language shown."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from chalkgrad.program.board import Note

LEAST = (96.0, 48.0)
"""Nobody makes a note or a frame smaller than this."""
GRID = 8


def fitted(note: Note, language: str) -> Note:
    """The note, made higher where its text needs more room."""
    from chalkgrad_app.picture.note_text import BOTTOM, TOP, text_height  # with the first note, see board_paint

    needed = text_height(note.text(language), note.width) + TOP + BOTTOM
    height = max(note.height, ceil(needed / GRID) * float(GRID))
    return note if height == note.height else replace(note, height=height)
