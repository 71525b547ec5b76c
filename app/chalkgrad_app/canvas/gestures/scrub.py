"""Dragging a number sideways: a leaf's by its handle (or with Ctrl), the one in a port by its field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.program.change import Change
from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.hit import Hit, HitKind, value_rect
from chalkgrad_app.editors.scrubbing import Scrub, number_in, rounded, scale_of, step_of
from chalkgrad_app.naming import changing_input, changing_value
from chalkgrad_app.picture.anatomy import ROW
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style import theme

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

PIXELS = 10.0
"""How far the mouse moves for one step of the number, in pixels of the screen."""

HANDLE = 26.0


def handle_rect(picture: Picture, id_: int) -> QRectF:
    """Where the handle of a leaf's number lies, in canvas units; empty where there is no number to drag."""
    if id_ not in picture.index or id_ not in picture.program or number_in(picture.program[id_]) is None:
        return QRectF()
    row = value_rect(picture, id_)
    left = row.left() + (row.width() - HANDLE) * picture.drawing.handle_at
    return QRectF(left, row.top() + 3, HANDLE, ROW - 6)


def paint_handle(painter: QPainter, picture: Picture, hit: Hit) -> None:
    """Paint the handle of the number under the pointer: two arrow heads, in scene coordinates."""
    rect = handle_rect(picture, hit.id) if hit.kind is HitKind.VALUE and hit.id is not None else QRectF()
    if rect.isEmpty():
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().color("card"))
    painter.drawRoundedRect(rect, 4, 4)
    painter.setPen(QPen(theme.current().color("muted"), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    middle = rect.center()
    for side in (-1, 1):
        tip = middle + QPointF(side * 9, 0)
        painter.drawPolyline([tip + QPointF(-side * 4, -4), tip, tip + QPointF(-side * 4, 4)])
    painter.drawLine(middle - QPointF(0, 4), middle + QPointF(0, 4))


def scrubs_at(picture: Picture, hit: Hit, at: Pointer) -> bool:
    """True where a drag changes a number."""
    if hit.id is None or hit.id not in picture.program:
        return False
    if hit.kind is HitKind.FIELD:
        return number_in(picture.program[hit.id], hit.port) is not None
    if hit.kind is not HitKind.VALUE:
        return False
    rect = handle_rect(picture, hit.id)
    return not rect.isEmpty() and (at.ctrl or rect.contains(at.scene))


class ScrubNumber(Gesture):
    """Right is more, left is less; with Shift ten times as fast, with Alt a tenth."""

    cursor = Qt.CursorShape.SizeHorCursor

    def __init__(self, canvas: GraphCanvas, hit: Hit) -> None:
        super().__init__(canvas)
        port = hit.port if hit.kind is HitKind.FIELD else None
        self.scrub = Scrub(self.document, hit.id or 0, port, self._label(hit.id, port))
        self._value = float(self.scrub.start)
        self._last = 0.0

    def start(self, at: Pointer) -> None:
        """Remember where it began."""
        self._last = at.view.x()

    def move(self, at: Pointer) -> None:
        """Follow the mouse."""
        steps = (at.view.x() - self._last) / PIXELS
        self._last = at.view.x()
        self._value += steps * step_of(self.scrub.start) * scale_of(at.keys)
        self.scrub.to(rounded(self._value, self.scrub.start))

    def _label(self, id_: int | None, port: int | None) -> str:
        if id_ is None:
            return ""
        sheet = self.document.sheet
        return changing_value(sheet, id_) if port is None else changing_input(sheet, id_, port)

    def outlives(self, change: Change) -> bool:
        """It edits while it goes on, and does nothing where its line is gone."""
        return True

    def end(self, at: Pointer) -> None:
        """Keep the number."""
        self.scrub.end()

    def cancel(self) -> None:
        """The number is what it was."""
        self.scrub.cancel()
