"""Resizing a note or a plain frame by its lower right corner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.program import edits
from chalkgrad.program.change import NOTHING, Change
from chalkgrad.program.sheet import Sheet
from chalkgrad_app.canvas import arrange
from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.notes import LEAST

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class Resize(Gesture):
    """Drags the corner of a note or frame; a note keeps the height that its text needs."""

    cursor = Qt.CursorShape.SizeFDiagCursor

    def __init__(self, canvas: GraphCanvas, id_: int) -> None:
        super().__init__(canvas)
        self.id = id_
        self.before = canvas.picture.rect_of(id_) or QRectF()
        self.rect = QRectF(self.before)
        self.grip = QPointF()

    def start(self, at: Pointer) -> None:
        """Take hold of the corner, wherever within it the pointer is."""
        self.grip = at.scene - self.before.bottomRight()

    def move(self, at: Pointer) -> None:
        """The corner follows on the grid."""
        corner = at.scene - self.grip
        x, y = arrange.snapped(corner.x(), corner.y())
        left, top = self.before.left(), self.before.top()
        self.rect = QRectF(left, top, max(x - left, LEAST[0]), max(y - top, LEAST[1]))

    def end(self, at: Pointer) -> None:
        """Keep the new size: one edit."""
        self.move(at)
        if self.rect != self.before:
            self.document.do(self._resized, translate("Resize", "Resize"))

    def paint(self, painter: QPainter) -> None:
        """Paint the outline that it will have."""
        pen = QPen(self.canvas.palette().highlight().color(), 1.5, Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.rect)

    def _resized(self, sheet: Sheet) -> Change:
        board, width, height = sheet.board, self.rect.width(), self.rect.height()
        if self.id in board.notes:
            return edits.put_note(board, replace(board.notes[self.id], width=width, height=height))
        if self.id in board.frames:
            return edits.put_frame(board, replace(board.frames[self.id], width=width, height=height))
        return NOTHING
