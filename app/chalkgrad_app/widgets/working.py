"""What goes on in the background, in the status bar: how far it is, and a button that gives it up."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from chalkgrad_app.widgets.slices import Slices

BAR_WIDTH = 120


class Working(QWidget):
    """Hidden while nothing goes on; what is in it is made when something does for the first time."""

    cancelled = Signal()
    button = "cancel"

    words: QLabel
    bar: QProgressBar
    cancel: QToolButton
    _is_made = False

    def __init__(self, parent: QWidget | None = None, name: str = "working") -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.hide()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.words.setText(self.tr("Tidying"))
        self.bar.setAccessibleName(self.tr("Progress of tidying"))
        self.cancel.setText(self.tr("Cancel"))
        self.cancel.setToolTip(self.tr("Give up tidying (Esc)"))

    def show_progress(self, percent: int) -> None:
        """Show how much is done, in per cent."""
        self.make()
        self.bar.setUpdatesEnabled(False)  # else Qt paints at once, and all else of the window that waits for it
        self.bar.setValue(percent)
        self.bar.setUpdatesEnabled(True)
        self.show()

    def make(self) -> None:
        """Make what is in it, once."""
        if self._is_made:
            return
        self._is_made = True
        name = self.objectName()
        self.words, self.bar, self.cancel = QLabel(self), QProgressBar(self), QToolButton(self)
        self.bar.setObjectName(f"{name}.bar")
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(BAR_WIDTH)
        self.cancel.setObjectName(f"{name}.{self.button}")
        self.cancel.setAutoRaise(True)
        self.cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.words, self.bar, self.cancel):
            row.addWidget(widget)
        self.retranslate()

    def sizeHint(self) -> QSize:
        """No higher than a line of text: a status bar that grew would move all of the window, twice."""
        return self._low(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self._low(super().minimumSizeHint())

    def _low(self, size: QSize) -> QSize:
        return size.boundedTo(QSize(size.width(), self.fontMetrics().height()))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and self._is_made:
            self.retranslate()


class Running(Working):
    """The same for the rounds of a loop, which can wait."""

    button = "pause"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, "running")

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.words.setText(self.tr("Rounds run"))
        self.bar.setAccessibleName(self.tr("Progress of the loop"))
        self.cancel.setText(self.tr("Pause"))
        self.cancel.setToolTip(self.tr("Let the loop wait after this round; Train > Run all rounds goes on"))


class Slicing(Working):
    """The same for what is worked off in slices, which says itself what is done."""

    def __init__(self, slices: Slices, parent: QWidget | None = None) -> None:
        super().__init__(parent, slices.objectName())
        slices.progressed.connect(self.say)
        slices.ended.connect(self.hide)
        self.cancelled.connect(slices.give_up)

    @Slot(str, int)
    def say(self, words: str, percent: int) -> None:
        """Show what is done, and how much of it in per cent."""
        self.make()
        self.words.setText(words)
        self.bar.setAccessibleName(words)
        self.show_progress(percent)

    def retranslate(self) -> None:
        """Set every text in the language in use, but for what is done, which is told while it is."""
        self.cancel.setText(self.tr("Cancel"))
        self.cancel.setToolTip(self.tr("Leave everything as it was (Esc)"))
