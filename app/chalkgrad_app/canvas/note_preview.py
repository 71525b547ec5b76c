"""A note while it is written: the field lies over it, and how it will look is beside the field, all of it in view."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from chalkgrad_app.canvas.at_pointer import within
from chalkgrad_app.canvas.fields import Part
from chalkgrad_app.i18n import language
from chalkgrad_app.picture.board_paint import paint_note
from chalkgrad_app.picture.look import Look
from chalkgrad_app.picture.notes import fitted

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

GAP, EDGE = 12, 4
"""Pixels between the field and the preview, and between the preview and the edge of the canvas."""
LEAST, MOST = 0.85, 1.5
"""Zooms, at 100 % text size, at which a preview can be read and is no larger than it has to be."""
SMALLEST = 0.6
"""A preview too high for the canvas is drawn this much smaller at most; then it follows the cursor."""


class NotePreview:
    """Paints the note being edited, as its text is at each keystroke; the note itself is left out meanwhile."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self._hidden = False
        canvas.editor.lines.textChanged.connect(self._on_typed)
        canvas.editor.lines.cursorPositionChanged.connect(self._on_typed)
        canvas.editor.opened.connect(self._on_opened)
        canvas.editor.closed.connect(self._on_closed)

    def paint(self, painter: QPainter) -> None:
        """Paint it beside the field, in the painter's pixels."""
        shown = self._shown()
        if shown is None:
            return
        text, size, look = shown
        place = self.place(size, look)
        overflow = max(0.0, size.height() * look.zoom - place.height())
        cursor = self.canvas.editor.lines.textCursor().position() / max(1, len(text))
        painter.save()
        try:
            painter.setClipRect(QRectF(place).adjusted(-1, -1, 1, 1), Qt.ClipOperation.IntersectClip)
            corner = QPointF(place.topLeft()) - QPointF(0, overflow * cursor)
            at = look.at(look.zoom, (-corner.x() / look.zoom, -corner.y() / look.zoom))
            paint_note(painter, text, QRectF(QPointF(0, 0), size), at)
        finally:
            painter.restore()

    def place(self, size: QSizeF, look: Look) -> QRect:
        """Where a note of ``size`` canvas units has room: right of the field, left of it, below or above."""
        box, room = self.canvas.editor.geometry(), self.canvas.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        wanted = QRect(0, 0, round(size.width() * look.zoom), min(round(size.height() * look.zoom), room.height()))
        right, left = room.right() - box.right() - GAP, box.left() - GAP - room.left()
        below, above = room.bottom() - box.bottom() - GAP, box.top() - GAP - room.top()
        if max(right, left) >= wanted.width() or max(below, above) < wanted.height():
            wanted.moveTop(box.top())
            wanted.moveLeft(
                box.right() + GAP if right >= min(wanted.width(), left) else box.left() - GAP - wanted.width()
            )
        else:
            wanted.moveLeft(box.left())
            wanted.moveTop(box.bottom() + GAP if below >= wanted.height() else box.top() - GAP - wanted.height())
        return within(wanted, room)

    def rect(self) -> QRect:
        """Where the preview is seen now; empty while there is none."""
        shown = self._shown()
        return QRect() if shown is None else self.place(*shown[1:])

    # ------------------------------------------------------------ inside

    def _shown(self) -> tuple[str, QSizeF, Look] | None:
        """The text typed, the size of its note, and a look at a zoom at which it can be read."""
        field = self.canvas.editor.field
        if field is None or field.part is not Part.NOTE:
            return None
        note = self.canvas.document.board.notes.get(field.id)
        text = self.canvas.editor.lines.toPlainText()
        if note is None or not text.strip():
            return None
        fit, look = fitted(replace(note, texts=(("", text),)), language()), self.canvas.look()
        zoom = min(max(look.zoom, LEAST * look.text_scale), MOST * look.text_scale)
        high = (self.canvas.height() - 2 * EDGE) / fit.height
        box = self.canvas.editor.geometry()
        beside = max(box.left(), self.canvas.width() - box.right()) - GAP - EDGE
        wide = max(beside, self.canvas.width() // 3) / fit.width
        zoom = min(zoom, max(high, SMALLEST * zoom), wide)
        # NEAR at any zoom: it is there to be read
        return text, QSizeF(fit.width, fit.height), replace(look, zoom=zoom, text_scale=min(look.text_scale, zoom))

    def _on_opened(self) -> None:
        field = self.canvas.editor.field
        if field is not None and field.part is Part.NOTE:
            self._hidden = True
            self.canvas.lift([field.id])

    def _on_closed(self) -> None:
        if self._hidden:
            self._hidden = False
            self.canvas.lift(())

    def _on_typed(self) -> None:
        field = self.canvas.editor.field
        if field is not None and field.part is Part.NOTE:
            self.canvas.editor.follow()
            self.canvas.editor.lines.ensureCursorVisible()
            self.canvas.update()
