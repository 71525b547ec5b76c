"""What forms that float over the canvas have in common: a column that scrolls where room is scarce, and their keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from chalkgrad_app.canvas.edit_fields import is_plain, selects_all
from chalkgrad_app.widgets.column_area import column_area


class Floating(QFrame):
    """A frame with one form in it, which Esc closes."""

    def __init__(self, canvas: QWidget, name: str) -> None:
        super().__init__(canvas)
        self.setObjectName(name)
        self.setAutoFillBackground(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # a click between the fields does not go on to the canvas
        self._area = column_area(self)  # much to say, or large text, on a small canvas
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._area)
        self.hide()

    def dismiss(self) -> None:
        """Close."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        """Plain keys are no shortcuts of the canvas while one edits here; Ctrl+A selects no cards."""
        if is_plain(event) or selects_all(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes; other keys end here."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        event.accept()
