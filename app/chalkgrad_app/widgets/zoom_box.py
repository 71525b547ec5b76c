"""The zoom as a field that can be typed into: ``87``, ``87 %``, ``fit``."""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from chalkgrad_app.i18n import translate

PERCENTS = (25, 50, 75, 100, 150, 200)


class _WholeField(QLineEdit):
    """A field whose text is selected when it is clicked into: what is typed takes its place."""

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


class ZoomBox(QComboBox):
    """Offers some zooms, takes any; ``chosen`` tells the per cent, ``fit_chosen`` that everything shall be seen."""

    chosen = Signal(float)
    fit_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._percent = 100.0
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.addItems([*(f"{percent}%" for percent in PERCENTS), ""])
        self.textActivated.connect(self._choose)
        field = _WholeField(self)
        field.returnPressed.connect(self._enter)
        field.editingFinished.connect(self._show)
        self.setLineEdit(field)
        self.setCompleter(None)  # type: ignore[arg-type]  # 15 is not the beginning of 150%
        self.retranslate()

    def show_percent(self, percent: float) -> None:
        """Show what the zoom is now."""
        self._percent = percent
        self._show()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.setItemText(len(PERCENTS), translate("ZoomBox", "Fit"))
        self.setToolTip(translate("ZoomBox", "Zoom: type a percentage, or fit"))
        self.setAccessibleName(translate("ZoomBox", "Zoom"))
        self._show()

    def _enter(self) -> None:
        self._choose(self.currentText())

    def _choose(self, text: str) -> None:
        """Qt hands on Enter twice, and names a row of the list also where that is merely shown: neither does harm."""
        if text == self._words():
            return
        percent = percent_of(text)
        if percent is not None:
            self.chosen.emit(percent)
        elif text.strip().casefold() in ("fit", translate("ZoomBox", "Fit").casefold()):
            self.fit_chosen.emit()
        self._show()

    def _show(self) -> None:
        self.setEditText(self._words())

    def _words(self) -> str:
        return f"{round(self._percent)}%"


def percent_of(text: str) -> float | None:
    """The percentage typed; None for what is none. Full-width digits and a per cent sign are read, too."""
    digits = unicodedata.normalize("NFKC", text).strip().removesuffix("%").strip()
    try:
        percent = float(digits)
    except ValueError:
        return None
    return percent if 0 < percent < float("inf") else None
