"""What goes on in the background, in the status bar: how far it is, and a button that gives it up."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

BAR_WIDTH = 120


class Working(QWidget):
    """Hidden while nothing goes on."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("working")
        self.words = QLabel(self)
        self.bar = QProgressBar(self)
        self.bar.setObjectName("working.bar")
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(BAR_WIDTH)
        self.cancel = QToolButton(self)
        self.cancel.setObjectName("working.cancel")
        self.cancel.setAutoRaise(True)
        self.cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.words, self.bar, self.cancel):
            row.addWidget(widget)
        self.retranslate()
        self.hide()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.words.setText(self.tr("Tidying"))
        self.bar.setAccessibleName(self.tr("Progress of tidying"))
        self.cancel.setText(self.tr("Cancel"))
        self.cancel.setToolTip(self.tr("Give up tidying (Esc)"))

    def show_progress(self, percent: int) -> None:
        """Show how much is done, in per cent."""
        self.bar.setValue(percent)
        self.show()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()


class Running(Working):
    """The same for the rounds of a loop, which can wait."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("running")
        self.bar.setObjectName("running.bar")
        self.cancel.setObjectName("running.pause")

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.words.setText(self.tr("Rounds run"))
        self.bar.setAccessibleName(self.tr("Progress of the loop"))
        self.cancel.setText(self.tr("Pause"))
        self.cancel.setToolTip(self.tr("Let the loop wait after this round; Train > Run all rounds goes on"))


class Transferring(Working):
    """The same for numbers that are copied or pasted, in the window that shows them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("transferring")
        self.bar.setObjectName("transferring.bar")
        self.cancel.setObjectName("transferring.cancel")

    def say(self, words: str, percent: int) -> None:
        """Show what is done, and how much of it in per cent."""
        self.words.setText(words)
        self.show_progress(percent)

    def retranslate(self) -> None:
        """Set every text in the language in use, but for what is done, which is told while it is."""
        self.bar.setAccessibleName(self.tr("Progress of copying and pasting"))
        self.cancel.setText(self.tr("Cancel"))
        self.cancel.setToolTip(self.tr("Leave everything as it was (Esc)"))
