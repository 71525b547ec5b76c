"""A list to choose from that tells of a choice once somebody made it, and not of all that was stepped over."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QWidget

STAYING = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""The focus comes back from these: the list is not left."""


class ChoiceList(QComboBox):
    """Arrows, typed letters and the wheel only show an entry; it is chosen by Enter or when the list is left.

    An entry of the list that drops down is chosen at once; Escape goes back to what was chosen last. While an entry is
    only shown, it says beside it that Enter takes it.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_stepping = False
        self._before: int | None = None
        self.activated.connect(self._choose)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses, Escape goes back; what other keys come to is only shown."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._before is not None:
            self._choose()
        elif event.key() == Qt.Key.Key_Escape and self._before is not None:
            self.setCurrentIndex(self._before)
            self._wait(None)
        else:
            shown = self._begin_step()
            super().keyPressEvent(event)
            self._end_step(shown)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """What the wheel comes to is only shown."""
        shown = self._begin_step()
        super().wheelEvent(event)
        self._end_step(shown)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Whoever leaves the list has chosen what it shows."""
        super().focusOutEvent(event)
        if self._before is not None and event.reason() not in STAYING:
            self._choose()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The list, and what takes the entry that is only shown, as far as there is room beside it."""
        super().paintEvent(event)
        if self._before in (None, self.currentIndex()):
            return
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        style, gap = self.style(), self.fontMetrics().averageCharWidth()
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = style.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).adjusted(0, 0, -gap, 0)
        free = room.width() - self.fontMetrics().horizontalAdvance(self.currentText()) - 2 * gap
        words = next((said for said in self._ways() if self.fontMetrics().horizontalAdvance(said) <= free), "")
        painter = QPainter(self)
        try:
            where = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            style.drawItemText(painter, room, where, self.palette(), False, words, QPalette.ColorRole.Text)
        finally:
            painter.end()

    # ------------------------------------------------------------ inside

    def _ways(self) -> tuple[str, str, str]:
        """How the entry that is shown is taken, or not; the longest first."""
        return self.tr("Enter takes it, Esc goes back"), self.tr("Enter takes it"), "↵"

    def _wait(self, before: int | None) -> None:
        """Go back to the entry ``before`` where nothing more is done; None: there is nothing to go back from."""
        self._before = before
        said = "" if before is None else self._ways()[0]
        self.setAccessibleDescription(said)
        self.setToolTip(said)
        self.update()

    def _begin_step(self) -> int:
        self._is_stepping = True
        return self.currentIndex()

    def _end_step(self, shown: int) -> None:
        self._is_stepping = False
        if self._before is None and self.currentIndex() != shown:
            self._wait(shown)

    def _choose(self, *_: object) -> None:
        if self._is_stepping:
            return
        self._wait(None)
        self.chosen.emit(self.currentIndex())
