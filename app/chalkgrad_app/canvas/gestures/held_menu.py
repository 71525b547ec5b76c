"""The menu of the right button, held back until it is known that no stroke with it cuts wires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QContextMenuEvent

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class HeldMenu:
    """Some systems ask for the menu when the button goes down, some when it goes up: it opens on the way up in both."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self._canvas = canvas
        self._waiting = False
        self._cut = False
        self._asked: QPoint | None = None

    def forget(self) -> None:
        """The right button goes down anew, or what it did was called off."""
        self._waiting, self._cut, self._asked = False, False, None

    def wait(self) -> None:
        """What the press means shows when the button goes up."""
        self._waiting = True

    def released(self, dragged: bool) -> None:
        """The button went up; ``dragged``: it cut wires."""
        asked, self._asked = self._asked, None
        self._waiting, self._cut = False, dragged
        if asked is not None and not dragged:
            self._canvas.open_menu(self._canvas.hit(QPointF(asked)), asked)

    def keeps(self, event: QContextMenuEvent) -> bool:
        """True for an event that opens no menu now."""
        if event.reason() != QContextMenuEvent.Reason.Mouse:
            return False
        if self._waiting:
            self._asked = event.pos()
            return True
        cut, self._cut = self._cut, False
        return cut
