"""A drag at a wire where wires can't be drawn: it says why, and changes nothing."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.overlay import paint_words
from chalkgrad_app.i18n import translate
from chalkgrad_app.style import theme


def why_no_wires() -> str:
    """Why wires can't be drawn in this drawing."""
    return translate(
        "Wire", "Here an edge is an operator, not a wire. Wires are drawn in Cards (Ctrl+1) and Autograd (Ctrl+3)."
    )


class RefusedWire(Gesture):
    """The words go with the pointer as long as somebody pulls."""

    cursor = Qt.CursorShape.ForbiddenCursor
    _at = QPointF()

    def start(self, at: Pointer) -> None:
        """Say it in the status line, too: there it stays."""
        self._at = at.scene
        self.document.told.emit(why_no_wires())

    def move(self, at: Pointer) -> None:
        """Keep the words at the pointer."""
        self._at = at.scene

    def paint(self, painter: QPainter) -> None:
        """Paint the words, in scene coordinates."""
        paint_words(painter, self._at, why_no_wires(), theme.current().color("ink"))
