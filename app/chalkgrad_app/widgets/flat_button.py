"""A button that is an icon, and has a frame only under the pointer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QToolButton, QWidget

from chalkgrad_app.style import icons
from chalkgrad_app.widgets.code_font import RESTYLED, scaled

ICON = 14
"""In pixels at 100% text size."""


class FlatButton(QToolButton):
    """Calls ``slot``; its icon grows with the text size, from ``pixels`` at 100%."""

    def __init__(self, name: str, icon: str, slot: Callable[[], None], parent: QWidget, pixels: int = ICON) -> None:
        super().__init__(parent)
        self._pixels = pixels
        self.setObjectName(name)
        self.setAutoRaise(True)
        self.setIcon(icons.icon(icon))
        self.clicked.connect(slot)
        self._measure()

    def say(self, words: str) -> None:
        """Say in words what it does: to the mouse and to screen readers."""
        self.setToolTip(words)
        self.setAccessibleName(words)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the text size."""
        super().changeEvent(event)
        if event.type() in RESTYLED:
            self._measure()

    def _measure(self) -> None:
        self.setIconSize(QSize(scaled(self._pixels), scaled(self._pixels)))
