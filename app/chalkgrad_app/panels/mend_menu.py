"""Menus that say something and offer what can be done: of an error, of a question about a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QMenu, QVBoxLayout, QWidget, QWidgetAction

from chalkgrad.program.statement import Ref
from chalkgrad.session.state import Problem
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import in_a_row, language, translate
from chalkgrad_app.naming import as_title
from chalkgrad_app.panels import questions
from chalkgrad_app.panels.advice import make, remedies, story
from chalkgrad_app.pointing import PointedOut
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import scaled

if TYPE_CHECKING:
    from chalkgrad.session.mending import Remedy

WIDTH = 420
WAYS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End})
"""Keys by which one goes from entry to entry."""
Paragraph = tuple[str, str, str]
"""The name of its label, its text, the role of its colour or nothing."""


def problem_in_question(document: Document) -> Problem | None:
    """The problem of what is selected, of what it is at fault for, else the last one; errors before warnings."""
    problems = sorted(document.state.problems, key=_rank)
    chosen = set(document.selected_statements)
    for of_it in (_is_of, _is_blamed):
        for problem in reversed(problems):
            if of_it(problem, chosen):
                return problem
    return problems[-1] if problems else None


class AdviceMenu(QMenu):
    """Some paragraphs, then the ways to do something about it: choosing one makes its edit, as one undo step."""

    def __init__(
        self, document: Document, paragraphs: Sequence[Paragraph], ways: Sequence[Remedy], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("mendMenu")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._document = document
        self._ways = ways
        self._add_words(paragraphs)
        for number, remedy in enumerate(ways):
            entry = self.addAction(as_title(render(remedy.text, language())))
            entry.setObjectName(f"mendMenu.{number}")
            entry.setData(number)
            entry.triggered.connect(self._on_triggered)

    def _add_words(self, paragraphs: Sequence[Paragraph]) -> None:
        holder = QWidget(self)
        column = QVBoxLayout(holder)
        column.setContentsMargins(scaled(12), scaled(8), scaled(12), scaled(4))
        column.setSpacing(scaled(6))
        for name, text, role in paragraphs:
            label = QLabel(text, holder)
            label.setObjectName(f"mendMenu.{name}")
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setFixedWidth(scaled(WIDTH))
            if role:
                tint(label, role)
            column.addWidget(label)
        self._words = QWidgetAction(self)
        self._words.setDefaultWidget(holder)
        self.addAction(self._words)
        self.addSeparator()

    def showEvent(self, event: QShowEvent) -> None:
        """The first way stands ready for Return."""
        super().showEvent(event)
        first = next((entry for entry in self.actions() if entry.isEnabled() and entry.data() is not None), None)
        if first is not None:
            self.setActiveAction(first)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """As in any menu, except that the words are no stop on the way."""
        super().keyPressEvent(event)
        if event.key() in WAYS and self.activeAction() is self._words:
            super().keyPressEvent(event)

    @Slot()
    def _on_triggered(self) -> None:
        entry = self.sender()
        if isinstance(entry, QAction):
            make(self._document, self._ways[entry.data()])


class MendMenu(AdviceMenu):
    """The menu of an error: what PyTorch says, the same in plain words, how it came to it, and the ways to mend it."""

    def __init__(self, document: Document, problem: Problem, parent: QWidget) -> None:
        line = document.program.lines.get(problem.statement, 0)
        where = translate("MendMenu", "line {line}").format(line=line)
        plain = "" if problem.plain is None else render(problem.plain, language())
        paragraphs = (
            ("message", f"{where}  {problem.printed}", "ink" if problem.warning else "error_ink"),
            ("plain", plain, ""),
            ("story", story(document, problem), ""),
        )
        ways = remedies(document, problem)
        super().__init__(document, [found for found in paragraphs if found[1]], ways, parent)
        if not ways:
            self.addAction(self.tr("There is no ready-made way to mend this")).setEnabled(False)


class AnswerMenu(AdviceMenu):
    """The menu of a question about a tensor: the question, the answer, and what can be done about it."""

    def __init__(self, document: Document, ref: Ref, fact: str, parent: QWidget) -> None:
        found = questions.answer(document, ref, fact)
        paragraphs = (
            ("question", questions.title(document, ref, fact), "muted"),
            ("answer", in_a_row(found.sentences), ""),
        )
        super().__init__(document, paragraphs, found.remedies, parent)
        document.point_out(PointedOut(found.lines))
        self.aboutToHide.connect(self._point_no_longer)

    @Slot()
    def _point_no_longer(self) -> None:
        self._document.point_out(PointedOut())


def _rank(problem: Problem) -> bool:
    return not problem.warning


def _is_of(problem: Problem, chosen: set[int]) -> bool:
    return problem.statement in chosen


def _is_blamed(problem: Problem, chosen: set[int]) -> bool:
    return not chosen.isdisjoint(problem.at_fault)
