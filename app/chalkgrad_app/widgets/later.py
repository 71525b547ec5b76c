"""Doing something once for all that happens in one turn of the event loop."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Later(QTimer):
    """Calls a method of its parent when what happens now is over, however often it was asked to.

    With a number of ``milliseconds`` it does so when nobody has asked for so long.

    ``QTimer.singleShot`` with a context serves no better: where that is deleted before the call, PySide never lets go
    of the method, nor of all that hangs on it.
    """

    def __init__(self, parent: QObject, method: Callable[[], None], milliseconds: int = 0) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(milliseconds)
        self.timeout.connect(method)

    def schedule(self, *_: object) -> None:
        """Call it soon; signals of any kind may be connected to this."""
        if self.interval() or not self.isActive():
            self.start()

    def catch_up(self) -> None:
        """Call it now, if it was asked for."""
        if self.isActive():
            self.stop()
            self.timeout.emit()
