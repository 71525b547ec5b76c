"""What was done, step by step: a click goes back to, or on to, the moment after a step."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QUndoView, QWidget

from chalkgrad_app.document import Document


class HistoryPanel(QUndoView):
    """The undo stack as a list."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document.undo_stack, parent)
        self.setObjectName("panel.history")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.retranslate()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.setAccessibleName(self.tr("What was done"))
        self.setEmptyLabel(self.tr("As it was opened"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
