"""A row of a panel that points at something on the canvas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from chalkgrad_app.pointing import PointedOut
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled


class Pointer(QFrame):
    """A row that points at something on the canvas while the mouse or the focus is on it."""

    looked_at = Signal(object)

    def __init__(self, what: PointedOut, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.what = what
        self.setObjectName("why.path")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(words)
        column = QVBoxLayout(self)
        column.setContentsMargins(scaled(8), scaled(4), scaled(4), scaled(4))
        column.setSpacing(scaled(2))

    def add(self, widget: QWidget) -> None:
        """Put a widget into the row."""
        layout = self.layout()
        if layout is not None:
            layout.addWidget(widget)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Point."""
        super().enterEvent(event)
        self._tell()

    def leaveEvent(self, event: QEvent) -> None:
        """Point no longer, unless the focus is here."""
        super().leaveEvent(event)
        self._tell()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Point."""
        super().focusInEvent(event)
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Point no longer."""
        super().focusOutEvent(event)
        self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A ground under the mouse, a line around the focus."""
        super().paintEvent(event)
        painter = QPainter(self)
        try:
            if self.underMouse():
                painter.fillRect(self.rect(), theme.current().color("hover"))
            if self.hasFocus():
                painter.setPen(QPen(theme.current().color("focus"), scaled(2)))
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        finally:
            painter.end()

    def _tell(self) -> None:
        self.update()
        self.looked_at.emit(self.what if self.underMouse() or self.hasFocus() else PointedOut())
