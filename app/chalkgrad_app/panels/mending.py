"""What an error came of, with the names of this program, and a button for each way to mend it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from chalkgrad.program.program import ProgramError
from chalkgrad.session import mending
from chalkgrad.session.state import Problem
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.widgets.code_font import scaled


def story(document: Document, problem: Problem) -> str:
    """What led to a problem, in a few sentences; nothing where its error says it all."""
    told = mending.story(problem, document.sheet, document.state)
    gap = "" if language().startswith("zh") else " "  # Chinese full stops have their room in them
    return gap.join(render(sentence, language()) for sentence in told)


def make(document: Document, remedy: mending.Remedy) -> None:
    """Make the edit of a remedy, as one undo step; say so when it can't be made any more."""
    try:
        document.do(remedy.edit, render(remedy.text, language()))
    except ProgramError as error:
        document.told.emit(str(error))


class Mending(QWidget):
    """The story of the error of one statement, and its remedies. Pressing one makes the edit, as one undo step."""

    def __init__(self, document: Document, id_: int, story: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector.mending")
        self._document = document
        problem = document.state.statement(id_).problem
        self._remedies: tuple[mending.Remedy, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(scaled(4))
        if problem is None:
            return
        if story:
            label = QLabel(story, self)
            label.setObjectName("inspector.story")
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setWordWrap(True)
            column.addWidget(label)
        self._remedies = mending.remedies(problem, document.sheet, document.state)
        for number, remedy in enumerate(self._remedies):
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
