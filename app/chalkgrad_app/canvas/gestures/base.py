"""What a gesture is: one conversation with the mouse, with a start, moves, an end, and a way to call it off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QPainter

from chalkgrad.program.change import Change

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where the mouse is, on the widget and on the scene, and which keys are held."""

    view: QPointF
    scene: QPointF
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier

    @property
    def shift(self) -> bool:
        """Shift is held."""
        return bool(self.keys & Qt.KeyboardModifier.ShiftModifier)

    @property
    def ctrl(self) -> bool:
        """Ctrl (Command on a Mac) is held."""
        return bool(self.keys & Qt.KeyboardModifier.ControlModifier)

    @property
    def alt(self) -> bool:
        """Alt (Option on a Mac) is held."""
        return bool(self.keys & Qt.KeyboardModifier.AltModifier)


class Gesture:
    """One mouse conversation. It previews in the overlay and makes at most one edit, when it ends."""

    cursor: Qt.CursorShape | None = None
    """The pointer's shape while it goes on, where that differs."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self.document = canvas.document

    def start(self, at: Pointer) -> None:
        """The mouse was pressed, or moved far enough for a drag."""

    def move(self, at: Pointer) -> None:
        """The mouse moved."""

    def end(self, at: Pointer) -> None:
        """The mouse was released: make the edit."""

    def cancel(self) -> None:
        """Call it off: nothing has happened."""

    def outlives(self, change: Change) -> bool:
        """True where it goes on after an edit that was made meanwhile: all that it speaks of is still there."""
        return change.tables <= {"places"}

    def key(self, event: QKeyEvent) -> bool:
        """A key was pressed meanwhile (Escape is never handed on); False for one it has no use for."""
        return False

    def paint(self, painter: QPainter) -> None:
        """Paint the preview, in scene coordinates."""
