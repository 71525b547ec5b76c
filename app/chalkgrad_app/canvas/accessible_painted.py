"""What all things that the canvas paints have in common for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface, QWindow

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class PaintedInterface(QAccessibleInterface):
    """A thing that is painted: a child of the canvas without children, and no Qt object."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        self.is_gone = False

    def let_go(self) -> None:
        """The canvas is gone: hold nothing of it any more. Somebody may hold this for ever."""
        self.is_gone = True
        del self._canvas

    def object(self) -> QObject | None:  # type: ignore[override]
        """It is no Qt object."""
        return None

    def window(self) -> QWindow | None:  # type: ignore[override]
        """The window that the canvas lies in."""
        return self._canvas.window().windowHandle()

    def parent(self) -> QAccessibleInterface:
        """The canvas."""
        return QAccessible.queryAccessibleInterface(self._canvas)

    def child(self, _index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """It has no children."""
        return None

    def childCount(self) -> int:
        """None."""
        return 0

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """Nothing lies in it."""
        return None

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        """Nothing lies in it."""
        return -1
