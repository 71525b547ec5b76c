"""What went wrong: PyTorch's message as it is, and under it one sentence in the reader's words."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from chalkgrad.session.state import Problem
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.style import icons

STATEMENT = Qt.ItemDataRole.UserRole


class ProblemsPanel(QWidget):
    """Errors and warnings up to the cursor; clicking one goes to its line and card."""

    counted = Signal(int)  # how many errors there are
    chosen = Signal(int)  # id of the statement to show

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel.problems")
        self._document = document
        self._shown: tuple[object, ...] | None = None
        self.list = QListWidget(self)
        self.list.setObjectName("problems.list")
        self.list.setWordWrap(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.list.itemClicked.connect(self._on_clicked)
        self.list.itemActivated.connect(self._on_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        for signal in (document.traced, document.moved, document.changed):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Show what went wrong up to the cursor."""
        problems = self._document.state.problems
        shown = (language(), *((problem, self._line(problem)) for problem in problems))
        if shown == self._shown:
            return
        self._shown = shown
        self.list.clear()
        for problem in problems:
            item = QListWidgetItem(icons.icon("warning" if problem.warning else "problem"), self._words(problem))
            item.setData(STATEMENT, problem.statement)
            self.list.addItem(item)
        self.list.setAccessibleName(self.tr("Problems"))
        self.counted.emit(sum(not problem.warning for problem in problems))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)

    def _words(self, problem: Problem) -> str:
        where = self.tr("line {line}").format(line=self._line(problem))
        words = f"{where}   {problem.type}: {problem.message}"
        return words if problem.plain is None else f"{words}\n{render(problem.plain, language())}"

    def _line(self, problem: Problem) -> int:
        return self._document.program.lines.get(problem.statement, 0)

    def _on_clicked(self, item: QListWidgetItem) -> None:
        id_ = item.data(STATEMENT)
        self._document.select([id_])
        self.chosen.emit(id_)
