"""What is said about an error or a question, with the names of this program, and a button for each thing to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from chalkgrad.program.program import ProgramError
from chalkgrad.session.state import Problem
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import in_a_row, language, sentence
from chalkgrad_app.naming import as_title
from chalkgrad_app.widgets.code_font import scaled

if TYPE_CHECKING:
    from chalkgrad.session.mending import Remedy


def story(document: Document, problem: Problem) -> str:
    """What led to a problem, in a few sentences; nothing where its error says it all."""
    from chalkgrad.session import mending  # imported when something fails: the first window needn't wait for it

    return in_a_row(mending.story(problem, document.sheet, document.state))


def remedies(document: Document, problem: Problem) -> Sequence[Remedy]:
    """What mends a problem, as the program is now."""
    from chalkgrad.session import mending

    return mending.remedies(problem, document.sheet, document.state)


def offered(document: Document, id_: int) -> Sequence[Remedy]:
    """What mends the problem of a line, as the program is now."""
    problem = document.state.statement(id_).problem if id_ in document.program else None
    return () if problem is None else remedies(document, problem)


def texts(found: Sequence[Remedy]) -> tuple[str, ...]:
    """What the buttons of remedies say."""
    return tuple(render(remedy.text, language()) for remedy in found)


def make(document: Document, remedy: Remedy) -> None:
    """Make the edit of a remedy, as one undo step, and show what it did; say so when it can't be made any more."""
    try:
        document.show_changed(document.do(remedy.edit, render(remedy.text, language())))
    except ProgramError as error:
        document.told.emit(sentence(error))


class Advice(QWidget):
    """Some sentences, and under them the remedies that are asked for. Pressing one makes the edit, as one undo step.

    They are asked for again then: a remedy is an edit of the program that it was made for, and there may be another
    by now, which the page that this stands on shows a moment later.
    """

    def __init__(
        self,
        document: Document,
        words: str,
        ask: Callable[[], Sequence[Remedy]],
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._ask = ask
        self._texts = texts(ask())
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
        for number, text in enumerate(self._texts):
            column.addWidget(self._button(number, text))

    def first_end(self) -> int:
        """How far down the sentences and the first remedy reach, in pixels."""
        first = self.findChild(QPushButton, "inspector.remedy.0")
        return self.height() if first is None else first.geometry().bottom() + 1

    def _button(self, number: int, words: str) -> QPushButton:
        button = QPushButton(as_title(words), self)
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
        number, found = button.property("number"), self._ask()
        if texts(found)[number : number + 1] == self._texts[number : number + 1]:
            make(self._document, found[number])
        else:
            self._document.told.emit(self.tr("The program has changed: this no longer applies"))
