"""Warming up: what the first formula needs is imported bit by bit, while the program has nothing else to do.

All of it at once took a quarter of a second, just when somebody selected the first operator. In these parts no turn of
the event loop is held up for longer than a key press may be.
"""

from __future__ import annotations

from importlib import import_module

from PySide6.QtCore import QObject, QTimer

FIRST_MS = 2000
"""How long after the start the first part is imported."""

PAUSE_MS = 150
"""How long the window has for itself between two parts."""

PARTS = (
    *("email.message", "http.client", "urllib.request", "xml.etree.ElementTree", "xml.sax.saxutils"),
    *("importlib.metadata", "latex2mathml.converter", "ziafont", "ziamath"),
)
"""What setting a formula imports, each part after those that it needs."""


class WarmUp(QTimer):
    """Imports a part whenever it fires, until all are there."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left = list(PARTS)
        self.setInterval(FIRST_MS)
        self.timeout.connect(self._go_on)

    def _go_on(self) -> None:
        self.setInterval(PAUSE_MS)
        if self._left:
            import_module(self._left.pop(0))
        else:
            self.stop()
