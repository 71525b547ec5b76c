"""Warming up: what the window can do without at first is imported bit by bit, while nothing else is to be done.

These are the panels and windows that nobody has asked for yet, what the first formula needs, and the list of operators:
a quarter of a second, were it all at once. In these parts no turn of the event loop is held up for longer than a key
press may be.
"""

from __future__ import annotations

from importlib import import_module
from threading import Thread

from PySide6.QtCore import QObject, QTimer

from chalkgrad_app import catalogue
from chalkgrad_app.i18n import language
from chalkgrad_app.widgets import highlight

FIRST_MS = 2000
"""How long after the start the first part is imported."""

PAUSE_MS = 150
"""How long the window has for itself between two parts."""

PANELS = ("difference_table", "memory", "versions", "engine", "training", "why", "compare", "history")

PARTS = (
    *("chalkgrad.session.mending", "chalkgrad.session.reasons"),
    *("numpy.ma", "chalkgrad_app.picture.note_text"),
    *(f"chalkgrad.torch.{name}" for name in ("autograd", "nn", "optim")),
    *(f"chalkgrad.{name}" for name in ("explain", "explain.comparing", "check")),
    *(f"chalkgrad_app.editors.{name}" for name in ("tensor_grid", "value_window", "guess")),
    *(f"chalkgrad_app.panels.{name}" for name in PANELS),
    *("email.message", "http.client", "urllib.request", "xml.etree.ElementTree", "xml.sax.saxutils"),
    *("importlib.metadata", "latex2mathml.converter", "ziafont", "ziamath"),
)
"""What is imported later, each part after those that it needs; the second half sets formulas."""


class WarmUp(QTimer):
    """Imports a part whenever it fires, until all are there; what colours code is made in a thread: it is one call."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left = list(PARTS)
        self._coloured: Thread | None = None
        self.setInterval(FIRST_MS)
        self.timeout.connect(self._go_on)

    def _go_on(self) -> None:
        self.setInterval(PAUSE_MS)
        if self._coloured is None:
            self._coloured = Thread(target=highlight.make_ready, daemon=True)
            self._coloured.start()
        elif self._left:
            import_module(self._left.pop(0))
        else:
            self.stop()
            list_operators()


def list_operators() -> None:
    """Have all that quick-add looks through, in the language in use."""
    catalogue.entries(language())
    catalogue.rare_entries(language())
