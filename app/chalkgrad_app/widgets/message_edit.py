"""A field that says what is wrong with what was typed, right under it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from chalkgrad.program.names import narrow
from chalkgrad_app.style import icons
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import RESTYLED, code_font

PAUSE_MS = 400
"""So long nobody has typed before what stands in a field that is no attribute's is looked at."""
REACH = 4
"""So many numbers that are not allowed are tried at most, one after the other, for the next that is."""


class FieldMessage(QLabel):
    """What is wrong with a field, in the colour of errors; hidden while nothing is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fieldMessage")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        tint(self, "error_ink")
        self.hide()

    def say(self, words: str) -> None:
        """Show ``words``, or nothing where they are empty."""
        self.setText(words)
        self.setVisible(bool(words))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of theme."""
        if event.type() in RESTYLED:
            tint(self, "error_ink")
        super().changeEvent(event)


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


class StepField(CodeField):
    """A field for a whole number that may stay empty: Up, Down, the wheel and two buttons in it step the number."""

    stepped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.allows: Callable[[str], bool] = bool
        """Tells whether a step may come to a text."""
        for icon, text, slot in (
            ("chevron-down", self.tr("One less"), self.step_down),
            ("chevron-up", self.tr("One more"), self.step_up),
        ):
            action = self.addAction(icons.icon(icon), QLineEdit.ActionPosition.TrailingPosition)
            action.setText(text)
            action.setToolTip(text)
            action.triggered.connect(slot)

    def step_up(self) -> None:
        """One more."""
        self.step(1)

    def step_down(self) -> None:
        """One less."""
        self.step(-1)

    def step(self, by: int) -> None:
        """Step the number, past what is not allowed; an empty field begins at 0, and what is no whole number stays."""
        text = narrow(self.text()).strip()
        try:
            number = int(text) if text not in ("", "None") else -by
        except ValueError:
            return
        far = range(1, 2 if abs(by) > 1 else REACH + 1)
        there = next((str(number + by * times) for times in far if self.allows(str(number + by * times))), None)
        if there is not None:
            self.setText(there)
            self.stepped.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down step; Shift makes it ten."""
        ten = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.step(ten if event.key() == Qt.Key.Key_Up else -ten)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel steps only where the field has the focus, so that a page can be scrolled past it."""
        if not self.hasFocus() or not event.angleDelta().y():
            event.ignore()
            return
        self.step(1 if event.angleDelta().y() > 0 else -1)


def mark_wrong(field: QWidget, words: str) -> None:
    """Show, and tell screen readers, that a field is wrong; that it is right where ``words`` are empty."""
    field.setAccessibleDescription(words)
    if bool(words) != bool(field.property("wrong")):
        field.setProperty("wrong", bool(words))
        field.style().polish(field)  # the sheet looks at a property only then


class MessageEdit(QWidget):
    """A line of code to type, and under it the message about it."""

    def __init__(self, name: str, parent: QWidget | None = None, field: CodeField | None = None) -> None:
        super().__init__(parent)
        self.field = field or CodeField(self)
        self.field.setObjectName(name)
        self.message = FieldMessage(self)
        self.message.setObjectName(f"{name}.message")
        self._kept = ""
        self.setFocusProxy(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.field)
        column.addWidget(self.message)

    def text(self) -> str:
        """What stands in the field, without the space around it."""
        return self.field.text().strip()

    def write(self, text: str) -> None:
        """Show the text that is in force."""
        self.say("")
        self.field.setText(text)
        self.field.setCursorPosition(0)
        self._kept = text

    def keep(self) -> None:
        """What was typed is in force now."""
        self.say("")
        self.field.setModified(False)
        self._kept = self.field.text()

    def give_up(self) -> None:
        """Forget what was typed and not kept."""
        if self.field.isModified():
            self.write(self._kept)

    def say(self, words: str) -> None:
        """Say what is wrong with the text; nothing where ``words`` are empty."""
        self.message.say(words)
        mark_wrong(self.field, words)
