"""What is said about an error or a question, with the names of this program, and a button for each thing to do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from chalkgrad.program.program import ProgramError
from chalkgrad.session import mending
from chalkgrad.session.mending import Remedy
from chalkgrad.session.state import Problem
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import in_a_row, language, sentence
from chalkgrad_app.widgets.code_font import scaled


def story(document: Document, problem: Problem) -> str:
    """What led to a problem, in a few sentences; nothing where its error says it all."""
    return in_a_row(mending.story(problem, document.sheet, document.state))


def make(document: Document, remedy: Remedy) -> None:
    """Make the edit of a remedy, as one undo step, and show what it did; say so when it can't be made any more."""
    try:
        document.show_changed(document.do(remedy.edit, render(remedy.text, language())))
    except ProgramError as error:
        document.told.emit(sentence(error))


class Advice(QWidget):
    """Some sentences, and under them the remedies. Pressing one makes the edit, as one undo step."""

    def __init__(
        self, document: Document, words: str, remedies: Sequence[Remedy], name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._remedies = remedies
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(4))
        if words:
            label = QLabel(words, self)
            label.setObjectName(f"inspector.{name}")
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            label.setWordWrap(True)
            column.addWidget(label)
        for number, remedy in enumerate(remedies):
            column.addWidget(self._button(number, render(remedy.text, language())))

    def _button(self, number: int, words: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(f"inspector.remedy.{number}")
        button.setProperty("number", number)
        button.setToolTip(self.tr("Mend it so: {words}").format(words=words))
        button.setAccessibleName(button.toolTip())
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.clicked.connect(self._on_clicked)
        return button

    @Slot()
    def _on_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, QPushButton):
            make(self._document, self._remedies[button.property("number")])
