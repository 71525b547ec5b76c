"""Code to read: wrapped, as high as its text, to be selected with mouse and keys."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPalette, QResizeEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget


class CodeText(QPlainTextEdit):
    """A label for code. Other than in a QLabel, a name too long for its line is broken where the line ends."""

    def __init__(self, text: str, name: str, font: QFont, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFont(font)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.setBackgroundRole(QPalette.ColorRole.NoRole)
        self.setText(text)

    def text(self) -> str:
        """What it says."""
        return self.toPlainText()

    def setText(self, text: str) -> None:
        """Say ``text``."""
        self.setPlainText(text)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As high as the text at the width there is."""
        lines = max(1, math.ceil(self.document().size().height()))  # counted in lines
        return QSize(0, lines * self.fontMetrics().lineSpacing() + 1)

    def minimumSizeHint(self) -> QSize:
        """No line may be hidden, whereas every width will do."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width needs another height."""
        super().resizeEvent(event)
        self.updateGeometry()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """There is nothing to scroll in here: that is for the page."""
        event.ignore()
