"""A field that says what is wrong with what was typed, right under it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import RESTYLED, code_font


class FieldMessage(QLabel):
    """What is wrong with a field, in the colour of errors; hidden while nothing is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fieldMessage")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._paint_red()
        self.hide()

    def say(self, words: str) -> None:
        """Show ``words``, or nothing where they are empty."""
        self.setText(words)
        self.setVisible(bool(words))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of theme."""
        if event.type() in RESTYLED:
            self._paint_red()
        super().changeEvent(event)

    def _paint_red(self) -> None:
        colors = self.palette()
        colors.setColor(QPalette.ColorRole.WindowText, theme.current().color("error_ink"))
        self.setPalette(colors)


class CodeField(QLineEdit):
    """A field for code: monospace, in the text size in use."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(code_font())

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the text size."""
        super().changeEvent(event)
        if event.type() in RESTYLED:
            self.setFont(code_font())


class MessageEdit(QWidget):
    """A line of code to type, and under it the message about it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = CodeField(self)
        self.field.setObjectName(name)
        self.message = FieldMessage(self)
        self.message.setObjectName(f"{name}.message")
        self.setFocusProxy(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.field)
        column.addWidget(self.message)

    def text(self) -> str:
        """What stands in the field, without the space around it."""
        return self.field.text().strip()

    def say(self, words: str) -> None:
        """Say what is wrong with the text; nothing where ``words`` are empty."""
        self.message.say(words)
        self.field.setAccessibleDescription(words)
