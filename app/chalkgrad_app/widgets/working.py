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
