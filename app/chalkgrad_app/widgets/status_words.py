"""The sentence in the status bar: what has just been done, as long as it is so."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Slot
from PySide6.QtWidgets import QLabel, QWidget

from chalkgrad.program.change import Change


class StatusWords(QLabel):
    """Says a sentence until the program is another one; a finished sentence can't be said in another language."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("status")

    @Slot(object)
    def follow(self, change: Change) -> None:
        """Say nothing more about the program as it was before a change."""
        if change.touches_program:
            self.clear()

    @Slot(str)
    def withdraw(self, words: str) -> None:
        """Say a sentence no longer."""
        if self.text() == words:
            self.clear()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.clear()
        super().changeEvent(event)
