"""The menu of an error: PyTorch's message, what happened here, and the ways to mend it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QVBoxLayout, QWidget, QWidgetAction

from chalkgrad.session import mending
from chalkgrad.session.state import Problem
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.panels.mending import make, story
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled

WIDTH = 420


def problem_in_question(document: Document) -> Problem | None:
    """The problem of what is selected, of what it is at fault for, else the last one; errors before warnings."""
    problems = sorted(document.state.problems, key=_rank)
    chosen = set(document.selected_statements)
    for of_it in (_is_of, _is_blamed):
        for problem in reversed(problems):
            if of_it(problem, chosen):
                return problem
    return problems[-1] if problems else None


class MendMenu(QMenu):
    """Choosing an entry makes its edit, as one undo step."""

    def __init__(self, document: Document, problem: Problem, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("mendMenu")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._document = document
        self._remedies = mending.remedies(problem, document.sheet, document.state)
        self._add_words(problem)
        self.addSeparator()
        for number, remedy in enumerate(self._remedies):
            entry = self.addAction(render(remedy.text, language()).replace("&", "&&"))
            entry.setObjectName(f"mendMenu.{number}")
            entry.setData(number)
            entry.triggered.connect(self._on_triggered)
        if not self._remedies:
            self.addAction(self.tr("There is no ready-made way to mend this")).setEnabled(False)

    def _add_words(self, problem: Problem) -> None:
        """What PyTorch says, the same in plain words, and how it came to it."""
        holder = QWidget(self)
        column = QVBoxLayout(holder)
        column.setContentsMargins(scaled(12), scaled(8), scaled(12), scaled(4))
        column.setSpacing(scaled(6))
        line = self._document.program.lines.get(problem.statement, 0)
        where = self.tr("line {line}").format(line=line)
        plain = "" if problem.plain is None else render(problem.plain, language())
        ink = theme.current().color("ink" if problem.warning else "error_ink")
        for name, text, color in (
            ("message", f"{where}  {problem.type}: {problem.message}", ink),
            ("plain", plain, None),
            ("story", story(self._document, problem), None),
        ):
            if text:
                label = QLabel(text, holder)
                label.setObjectName(f"mendMenu.{name}")
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setWordWrap(True)
                label.setFixedWidth(scaled(WIDTH))
                if color is not None:
                    palette = label.palette()
                    palette.setColor(label.foregroundRole(), color)
                    label.setPalette(palette)
                column.addWidget(label)
        words = QWidgetAction(self)
        words.setDefaultWidget(holder)
        self.addAction(words)

    @Slot()
    def _on_triggered(self) -> None:
        entry = self.sender()
        if isinstance(entry, QAction):
            make(self._document, self._remedies[entry.data()])


def _rank(problem: Problem) -> bool:
    return not problem.warning


def _is_of(problem: Problem, chosen: set[int]) -> bool:
    return problem.statement in chosen


def _is_blamed(problem: Problem, chosen: set[int]) -> bool:
    return not chosen.isdisjoint(problem.at_fault)
