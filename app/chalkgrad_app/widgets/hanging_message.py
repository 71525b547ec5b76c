"""What is wrong with a field that lies in a bar: the message hangs below it, over what is there."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget

from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.message_edit import FieldMessage, mark_wrong

WIDEST = 260
GAP = 3
EDGE = 4
"""Pixels that stay free at the edge of the window."""


class HangingMessage(FieldMessage):
    """The message about one field; it lies in the window, above all else."""

    def __init__(self, field: QWidget, name: str) -> None:
        super().__init__(field)
        self._field = field
        self.setObjectName(name)
        self.setAutoFillBackground(True)

    def say(self, words: str) -> None:
        """Hang ``words`` below the field, or nothing where they are empty."""
        window = self._field.window()
        if words and self.parentWidget() is not window:
            self.setParent(window)
        super().say(words)
        mark_wrong(self._field, words)
        if words:
            self._hang(window.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE))

    def _hang(self, room: QRect) -> None:
        """In one line, where that has room."""
        most = min(scaled(WIDEST), room.width())
        self.setWordWrap(False)
        size = self.sizeHint()
        if size.width() > most:
            self.setWordWrap(True)
            size = QSize(most, self.heightForWidth(most))
        corner = self._field.mapTo(self._field.window(), QPoint(0, self._field.height() + GAP))
        left = max(room.left(), min(corner.x(), room.right() - size.width()))
        self.setGeometry(QRect(QPoint(left, corner.y()), size))
        self.raise_()
