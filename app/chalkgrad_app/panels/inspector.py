"""The inspector: every fact of what is selected, as PyTorch prints it, and the editors of its line."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from chalkgrad.program.building import CARDS
from chalkgrad.session.state import Problem, StatementState, Status, TensorState
from chalkgrad.source import emit
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.panels import facts
from chalkgrad_app.panels.options import OptionsEditor

SHOWN = 12
"""So many selected tensors are shown in full; of more, only their number is said."""


class FactLabel(QLabel):
    """One fact, selectable; a covered gradient is revealed by a click."""

    def __init__(self, text: str, parent: QWidget, name: str = "") -> None:
        super().__init__(text, parent)
        self.setObjectName(name)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )


class InspectorPanel(QWidget):
    """Facts and editors of the selection."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel.inspector")
        self._document = document
        self._stale = True
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._area)
        for signal in (document.selected, document.traced, document.moved, document.changed, document.covering):
            signal.connect(self._on_changed)
        self.refresh()

    def refresh(self) -> None:
        """Show the selection as it is at the cursor."""
        if not self.isVisible():
            self._stale = True
            return
        self._stale = False
        position = self._area.verticalScrollBar().value()
        self._area.setWidget(self._page())
        self._area.verticalScrollBar().setValue(position)

    def text(self) -> str:
        """All facts shown, a line each: for tests, copying and screen readers."""
        return "\n".join(label.text() for label in self.findChildren(QLabel) if label.text())

    def showEvent(self, event: object) -> None:
        """Catch up with what happened while it was hidden."""
        super().showEvent(event)  # type: ignore[arg-type]
        if self._stale:
            self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)

    # ------------------------------------------------------------ build

    def _page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(6)
        chosen = self._document.selected_statements
        if not chosen:
            column.addWidget(self._hint(page))
        for id_ in chosen[:SHOWN]:
            self._add_statement(page, column, id_, len(chosen) == 1)
        if len(chosen) > SHOWN:
            more = self.tr("... and {n} more").format(n=len(chosen) - SHOWN)
            column.addWidget(QLabel(more, page))
        column.addStretch(1)
        return page

    def _hint(self, page: QWidget) -> QLabel:
        label = QLabel(self.tr("Select a card or a line to see everything about it."), page)
        label.setObjectName("inspector.hint")
        label.setWordWrap(True)
        return label

    def _add_statement(self, page: QWidget, column: QVBoxLayout, id_: int, alone: bool) -> None:
        statement = self._document.program[id_]
        state = self._document.state.statement(id_)
        code = FactLabel(emit.line(self._document.program, id_), page, "inspector.code")
        code.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        code.setProperty("code", True)
        column.addWidget(code)
        self._add_status(page, column, state)
        if statement.kind in CARDS:
            for output, tensor in enumerate(state.outputs):
                if tensor is not None:
                    name = statement.targets[output] if output < len(statement.targets) else statement.name
                    column.addWidget(self._title(page, name, tensor))
                    column.addLayout(self._facts(page, id_, tensor))
        if alone and statement.kind in CARDS:
            editor = OptionsEditor(self._document, id_, page)
            if not editor.is_empty():
                column.addWidget(editor)

    def _add_status(self, page: QWidget, column: QVBoxLayout, state: StatementState) -> None:
        words = {
            Status.WAITING: self.tr("Waiting: a port is open."),
            Status.NOT_REACHED: self.tr("Not reached: it needs a result that was not produced."),
            Status.TO_COME: self.tr("To come."),
        }
        if state.status in words:
            label = QLabel(words[state.status], page)
            label.setWordWrap(True)
            column.addWidget(label)
        if state.problem is not None:
            column.addWidget(self._problem(page, state.problem))

    def _problem(self, page: QWidget, problem: Problem) -> QWidget:
        words = f"{problem.type}: {problem.message}"
        if problem.plain is not None:
            words += f"\n\n{render(problem.plain, language())}"
        label = FactLabel(words, page, "inspector.problem")
        label.setProperty("problem", True)
        return label

    def _title(self, page: QWidget, name: str, tensor: TensorState) -> QLabel:
        label = QLabel(f"<b>{name}</b>&nbsp;&nbsp;{facts.kind_words(tensor)}", page)
        label.setObjectName("inspector.title")
        return label

    def _facts(self, page: QWidget, id_: int, tensor: TensorState) -> QFormLayout:
        form = QFormLayout()
        form.setHorizontalSpacing(10)
        form.setVerticalSpacing(3)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        state = self._document.state
        for name, fact in facts.FACTS:
            label = QLabel(name if name != "saved" else self.tr("saved"), page)
            label.setObjectName("codeLabel")
            form.addRow(label, self._fact(page, name, fact(state, tensor), tensor))
            if name == "grad":
                self._add_grad_notes(page, form, id_, tensor)
        return form

    def _fact(self, page: QWidget, name: str, text: str, tensor: TensorState) -> QWidget:
        if name == "grad" and text == facts.COVERED:
            button = QPushButton(facts.COVERED, page)
            button.setObjectName("inspector.reveal")
            button.setToolTip(self.tr("Click to reveal"))
            button.setProperty("number", tensor.number)
            button.clicked.connect(self._reveal)
            return button
        label = FactLabel(text, page, f"inspector.{name}")
        label.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        return label

    def _add_grad_notes(self, page: QWidget, form: QFormLayout, id_: int, tensor: TensorState) -> None:
        if self._document.state.is_covered(tensor):
            return
        notes = (("inspector.sum", facts.sum_text(self._document, tensor)),)
        notes += (("inspector.why", facts.why_no_grad(self._document, id_, tensor)),)
        for name, words in notes:
            if words:
                label = FactLabel(words, page, name)
                label.setProperty("note", True)
                form.addRow("", label)

    # ------------------------------------------------------------ slots

    def _reveal(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._document.reveal(sender.property("number"))

    def _on_changed(self, *_: object) -> None:
        self.refresh()
