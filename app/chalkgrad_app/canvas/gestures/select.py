"""Selecting: the rubber band. (A click is no gesture: it selects when the button is released.)"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.things import things_in

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


def clicked(selection: Collection[int], ids: Collection[int], at: Pointer) -> set[int]:
    """What is selected after a click on ``ids``: Ctrl switches them, Shift adds them, else they alone are."""
    if at.ctrl:
        return set(selection) ^ set(ids)
    if at.shift:
        return set(selection) | set(ids)
    return set(ids)


class RubberBand(Gesture):
    """Selects what the band touches, while it is drawn: with Shift in addition, with Ctrl switched."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.before = frozenset(self.document.selection)
        self.corner = QPointF()
        self.rect = QRectF()

    def start(self, at: Pointer) -> None:
        """Begin at the pointer."""
        self.corner = at.scene
        self.rect = QRectF(at.scene, at.scene)

    def move(self, at: Pointer) -> None:
        """Draw the band to the pointer and select what it touches."""
        self.rect = QRectF(self.corner, at.scene).normalized()
        touched = set(things_in(self.canvas.picture, self.rect))
        if at.ctrl:
            touched = set(self.before) ^ touched
        elif at.shift:
            touched |= self.before
        self.document.select(touched)

    def end(self, at: Pointer) -> None:
        """Keep what is selected."""
        self.move(at)

    def cancel(self) -> None:
        """Select what was selected before."""
        self.document.select(self.before)

    def paint(self, painter: QPainter) -> None:
        """Paint the band."""
        colour = self.canvas.palette().highlight().color()
        pen = QPen(colour, 0)
        pen.setStyle(Qt.PenStyle.SolidLine)
        painter.setPen(pen)
        fill = QColor(colour)
        fill.setAlpha(36)
        painter.setBrush(fill)
        painter.drawRect(self.rect)
