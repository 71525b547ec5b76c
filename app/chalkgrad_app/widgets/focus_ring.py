"""A ring within a part of the window that has the focus and shows none itself: the canvas, a list, a page of text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QWidget

from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled

THICK = 2
"""In pixels at 100% text size."""


class FocusRing(QWidget):
    """Lies upon one widget at a time; the mouse goes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("focusRing")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._around: QWidget | None = None
        self.hide()

    def show_around(self, widget: QWidget | None) -> None:
        """Lie upon ``widget`` from now on; None: nowhere."""
        if self._around is not None:
            self._around.removeEventFilter(self)
            self._around.destroyed.disconnect(self._forget)
        self._around = widget
        self.setVisible(widget is not None)
        if widget is not None:
            widget.installEventFilter(self)
            widget.destroyed.connect(self._forget)
            self._place(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go along with the widget; who uses the mouse in it needs none."""
        gone = (QEvent.Type.Hide, QEvent.Type.MouseButtonPress)
        kinds = (QEvent.Type.Resize, QEvent.Type.Move, *gone)
        if self._around is not None and watched is self._around and event.type() in kinds:
            if event.type() in gone:
                self.show_around(None)
            else:
                self._place(self._around)
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        """All of what its mask leaves of it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.current().color("focus"))
        painter.end()

    def _place(self, widget: QWidget) -> None:
        thick = scaled(THICK)
        self.setGeometry(widget.rect().translated(widget.mapTo(self.window(), widget.rect().topLeft())))
        self.setMask(QRegion(self.rect()).subtracted(self.rect().adjusted(thick, thick, -thick, -thick)))
        self.raise_()

    def _forget(self) -> None:
        self._around = None
        self.hide()
