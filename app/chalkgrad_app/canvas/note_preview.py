"""The note as it will look, beside the field in which its text is being typed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from chalkgrad_app.canvas.fields import Part
from chalkgrad_app.i18n import language
from chalkgrad_app.picture.board_paint import paint_note
from chalkgrad_app.picture.look import Level
from chalkgrad_app.picture.notes import fitted

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

GAP = 12.0


class NotePreview:
    """Paints the note being edited, as its text is at each keystroke."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        canvas.editor.lines.textChanged.connect(self._on_typed)

    def paint(self, painter: QPainter) -> None:
        """Paint it right of the field, or left of it where there is more room; in the painter's pixels."""
        field = self.canvas.editor.field
        if field is None or field.part is not Part.NOTE:
            return
        note = self.canvas.document.board.notes.get(field.id)
        look = self.canvas.look()
        if note is None or look.level is Level.FAR:
            return
        text = self.canvas.editor.lines.toPlainText()
        shown = fitted(replace(note, texts=(("", text),)), language())
        box = self.canvas.editor.geometry()
        room = GAP / look.zoom
        right, left = self.canvas.width() - box.right(), box.left()
        corner = look.to_scene(QRectF(box)).topRight()
        x = corner.x() + room
        if right < shown.width * look.zoom + GAP and left > right:
            x = corner.x() - box.width() / look.zoom - room - shown.width
        paint_note(painter, text, QRectF(x, corner.y(), shown.width, shown.height), look)

    def _on_typed(self) -> None:
        if self.canvas.editor.field is not None:
            self.canvas.update()
