"""The course example with its backward, as cards that go over into data and edges."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from support.sheets import COURSE

from chalkgrad.program.board import CARDS, Board, Place
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.read import read_source

PLACES = {1: (0.0, 0.0), 2: (0.0, 160.0), 3: (256.0, 0.0), 4: (256.0, 160.0), 5: (512.0, 80.0)}


def sheet(source=COURSE, places=PLACES, notes=(), frames=(), drawing=CARDS) -> Sheet:
    """A program whose cards lie at ``places``; shown in ``drawing``."""
    lying = {(CARDS, id_): Place(*at) for id_, at in places.items()}
    board = Board(lying, {note.id: note for note in notes}, {frame.id: frame for frame in frames})
    return Sheet(read_source(source), board.drawn_as(drawing))


def label(hands, name):
    """The middle of an operator's label on the widget."""
    canvas, id_ = hands.canvas, hands.id(name)
    left, top, width, height = canvas.picture.anatomy(id_).label
    return canvas.to_view(canvas.picture.rect(id_).topLeft() + QPointF(left + width / 2, top + height / 2)).toPoint()
