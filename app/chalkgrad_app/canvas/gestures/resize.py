"""Resizing a note or a plain frame by an edge or a corner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.program import edits
from chalkgrad.program.change import NOTHING, Change
from chalkgrad.program.sheet import Sheet
from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.hit import Edge
from chalkgrad_app.canvas.hovering import EDGE_CURSORS
from chalkgrad_app.canvas.snapping import Snap, Snapping, paint_guides
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.notes import LEAST

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class Resize(Gesture):
    """Drags edges of a note or frame; a note keeps the height that its text needs. Ctrl lets nothing attract."""

    def __init__(self, canvas: GraphCanvas, id_: int, edges: Edge) -> None:
        super().__init__(canvas)
        self.id = id_
        self.edges = edges
        self.cursor = EDGE_CURSORS.get(edges, Qt.CursorShape.SizeAllCursor)
        self.before = canvas.picture.rect_of(id_) or QRectF()
        self.pressed = QPointF()
        self.snap = Snap(QRectF(self.before))
        self.snapping = Snapping(canvas.picture, {id_}, canvas.scene_rect(), canvas.viewport.scale, None)

    def start(self, at: Pointer) -> None:
        """Take hold of the edge, wherever near it the pointer is."""
        self.pressed = at.scene

    def move(self, at: Pointer) -> None:
        """The edges follow, in line with neighbours or on the grid."""
        rect = _stretched(self.before, self.edges, at.scene - self.pressed)
        snap = Snap(rect) if at.ctrl else self.snapping.resized(rect, self.edges)
        self.snap = snap._replace(rect=_at_least(snap.rect, self.edges))

    def end(self, at: Pointer) -> None:
        """Keep the new size: one edit."""
        self.move(at)
        if self.snap.rect != self.before:
            self.document.do(self._resized, translate("Resize", "Resize"))

    def paint(self, painter: QPainter) -> None:
        """Paint the outline that it will have, and what it is in line with."""
        pen = QPen(self.canvas.palette().highlight().color(), 1.5, Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.snap.rect)
        paint_guides(painter, self.snap)

    def _resized(self, sheet: Sheet) -> Change:
        board, rect = sheet.board, self.snap.rect
        if self.id in board.notes:
            note = board.notes[self.id]
            # Made wider or narrower alone, it is as high as the text needs then.
            height = rect.height() if self.edges & (Edge.TOP | Edge.BOTTOM) else note.height
            note = replace(note, x=rect.x(), y=rect.y(), width=rect.width(), height=height)
            return edits.put_note(board, note)
        if self.id in board.frames:
            frame = board.frames[self.id]
            frame = replace(frame, x=rect.x(), y=rect.y(), width=rect.width(), height=rect.height())
            return edits.put_frame(board, frame)
        return NOTHING


def _stretched(rect: QRectF, edges: Edge, way: QPointF) -> QRectF:
    return rect.adjusted(
        way.x() if edges & Edge.LEFT else 0.0,
        way.y() if edges & Edge.TOP else 0.0,
        way.x() if edges & Edge.RIGHT else 0.0,
        way.y() if edges & Edge.BOTTOM else 0.0,
    )


def _at_least(rect: QRectF, edges: Edge) -> QRectF:
    """The rectangle, nowhere smaller than a note or frame may be; the edges that are not dragged stay."""
    found = QRectF(rect)
    if rect.width() < LEAST[0]:
        found.setLeft(rect.right() - LEAST[0]) if edges & Edge.LEFT else found.setRight(rect.left() + LEAST[0])
    if rect.height() < LEAST[1]:
        found.setTop(rect.bottom() - LEAST[1]) if edges & Edge.TOP else found.setBottom(rect.top() + LEAST[1])
    return found
