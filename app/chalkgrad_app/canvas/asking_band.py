"""The band that leads to a question of the past: whether a line fails is asked before it, and one stands behind it."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.predicting import first_outcome, go_back_and_ask


class AskingBand(QFrame):
    """``Line 6 has run already. Would you have said that it fails? [Go back and ask]``: while there is such a line."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("askingBand")
        self._document = document
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.ask = QPushButton(self)
        self.ask.setObjectName("askingBand.ask")
        self.ask.clicked.connect(self._go)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.addWidget(self.words, 1)
        row.addWidget(self.ask)
        self.refresh()

    def refresh(self) -> None:
        """Show which line is asked about first, or hide."""
        document = self._document
        line = None if document.is_past else first_outcome(document)
        self.setVisible(line is not None)
        if line is not None:
            words = self.tr("Line {line} has run already. Whether it fails is asked at the moment before it.")
            self.words.setText(words.format(line=document.program.lines[line]))
            self.ask.setText(self.tr("Go back and ask"))

    @Slot()
    def _go(self) -> None:
        go_back_and_ask(self._document)
