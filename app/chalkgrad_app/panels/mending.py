"""What an error came of, with the names of this program, and a button for each way to mend it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from chalkgrad.program.program import ProgramError
from chalkgrad.session import mending
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.widgets.code_font import scaled


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
        self._remedies = mending.lesson(problem, document.sheet, document.state).remedies
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
        if not isinstance(button, QPushButton):
            return
        remedy = self._remedies[button.property("number")]
        try:
            self._document.do(remedy.edit, button.text())
        except ProgramError as error:
            self._document.told.emit(str(error))
