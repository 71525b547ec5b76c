"""Notes and frames in a drawing that places its cards itself, when they come into it for the first time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from PySide6.QtCore import QRectF

from chalkgrad.layout import Group
from chalkgrad.program import edits
from chalkgrad.program.board import Board
from chalkgrad.program.change import Change, together
from chalkgrad_app.picture.picture import Picture

GAP = 48.0
BESIDE = 24.0


def moved_in(picture: Picture, before: Board, groups: Collection[Group]) -> Change:
    """Frames around what lies on them, notes in a row above everything, which grows downwards; the others stay.

    ``groups`` tell what lies on the frames in the drawing ``before``.
    """
    drawing, board = picture.board.drawing, picture.board
    new = {id_ for id_ in (*board.notes, *board.frames) if (drawing, id_) not in before.spots}
    changes = []
    for group in groups:
        frame = board.frames.get(group.id)
        around = picture.on_board(group.members & picture.index.keys())
        if frame is not None and frame.id in new and not around.isEmpty():
            rect = around.adjusted(-group.margin, -group.margin - group.title, group.margin, group.margin)
            moved = replace(frame, x=rect.x(), y=rect.y(), width=rect.width(), height=rect.height())
            changes.append(edits.put_frame(board, moved))
    whole = _all_but_notes(picture)
    left = whole.left()
    for note in picture.notes:
        if note.id in new:
            top = whole.top() - GAP - note.height
            changes.append(edits.put_note(board, replace(board.notes[note.id], x=left, y=top)))
            left += note.width + BESIDE
    return together(changes)


def _all_but_notes(picture: Picture) -> QRectF:
    """The rectangle around all that a drawing has but its notes."""
    found = picture.on_board(picture.index.keys())
    for arrays in (*picture.beside, picture.lines):
        found = found.united(arrays.bounds())
    return found
