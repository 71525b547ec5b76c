"""The zoom as a field that can be typed into: ``87``, ``87 %``, ``fit``."""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from chalkgrad_app.i18n import translate
from chalkgrad_app.widgets.hanging_message import HangingMessage

PERCENTS = (25, 50, 75, 100, 150, 200)


class _WholeField(QLineEdit):
    """A field whose text is selected when it is clicked into: what is typed takes its place; Escape takes it back."""

    escaped = Signal()
    left = Signal()

    _is_entered = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Remember that a click brought the focus."""
        super().focusInEvent(event)
        self._is_entered = event.reason() == Qt.FocusReason.MouseFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select all, where nothing was selected by dragging."""
        super().mouseReleaseEvent(event)
        if self._is_entered and not self.hasSelectedText():
            self.selectAll()
        self._is_entered = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape says so, and leads on as everywhere."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say so, unless its list or menu opened."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()


class ZoomBox(QComboBox):
    """Offers some zooms, takes any; ``chosen`` tells the per cent, ``fit_chosen`` that everything shall be seen.

    Up and Down step through what is offered (``stepped``), and the focus stays where it is.

    What is no zoom, or lies out of the ``least`` and ``most`` per cent, is not taken: the field says what is, and the
    text stays there to be corrected, until Escape or who goes elsewhere brings back what the zoom is.
    """

    chosen = Signal(float)
    stepped = Signal(float)
    fit_chosen = Signal()

    def __init__(self, least: float, most: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._percent = 100.0
        self._least, self._most = least, most
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.addItems([*(f"{percent}%" for percent in PERCENTS), ""])
        self.textActivated.connect(self._choose)
        self._field = field = _WholeField(self)
        self.message = HangingMessage(self, "toolbar.zoom.message")
        field.returnPressed.connect(self._enter)
        field.textEdited.connect(self._judge)
        field.escaped.connect(self._show)
        field.left.connect(self._show)
        self.setLineEdit(field)
        self.setCompleter(None)  # type: ignore[arg-type]  # 15 is not the beginning of 150%
        self.retranslate()

    def show_percent(self, percent: float) -> None:
        """Show what the zoom is now; what somebody is typing stays there."""
        self._percent = percent
        if not (self._field.hasFocus() and self._field.isModified()):
            self._show()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.setItemText(len(PERCENTS), translate("ZoomBox", "Fit"))
        self.setToolTip(translate("ZoomBox", "Zoom: type a percentage, or fit"))
        self.setAccessibleName(translate("ZoomBox", "Zoom"))
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down go from what the zoom is, not from what was chosen last; with Alt they open the list."""
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if by is None or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            super().keyPressEvent(event)
            return
        beyond = [percent for percent in PERCENTS[::by] if (percent - self._percent) * by >= 1]
        if beyond:
            self._show()
            self.stepped.emit(beyond[0])

    def _enter(self) -> None:
        self._choose(self.currentText())

    def _choose(self, text: str) -> None:
        """Qt hands on Enter twice, and names a row of the list also where that is merely shown: neither does harm."""
        if text == self._words():
            return
        percent = percent_of(text)
        if percent is not None and self._least <= percent <= self._most:
            self._field.setModified(False)
            self.chosen.emit(percent)
        elif text.strip().casefold() in ("fit", translate("ZoomBox", "Fit").casefold()):
            self._field.setModified(False)
            self.fit_chosen.emit()
        elif text.strip():
            self.message.say(self._allowed())
            self._field.selectAll()
            return
        self._show()

    def _judge(self, text: str) -> None:
        """Say what a zoom can be where a number is too large; what begins small may go on, so may what is no number."""
        number = _number(text)
        is_wrong = number is not None and not 0 <= number <= self._most
        self.message.say(self._allowed() if is_wrong else "")

    def _allowed(self) -> str:
        words = translate("ZoomBox", "{least}% to {most}%, or fit")
        return words.format(least=round(self._least), most=round(self._most))

    def _show(self) -> None:
        self.message.say("")
        self.setEditText(self._words())

    def _words(self) -> str:
        return f"{round(self._percent)}%" if self._percent >= 1 else f"{self._percent:.1g}%"


def percent_of(text: str) -> float | None:
    """The percentage typed; None for what is none. Full-width digits, a decimal comma and a per cent sign are read."""
    percent = _number(text)
    return percent if percent is not None and 0 < percent < float("inf") else None


def _number(text: str) -> float | None:
    digits = unicodedata.normalize("NFKC", text).strip().removesuffix("%").strip().replace(",", ".")
    try:
        return float(digits)
    except ValueError:
        return None
