"""Finite differences beside a gradient: worked out while one looks, a row for each element."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from chalkgrad.check.differences import Differences, Quotient, differences
from chalkgrad.check.finite import STEP
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.session.scope import source
from chalkgrad.source import emit
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import in_a_row
from chalkgrad_app.panels.fact_labels import fact_label
from chalkgrad_app.panels.sliced import SlicedWork
from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.number_table import NumberTable

FORMULA = "({f}({x} + {step}) - {f}({x} - {step})) / 2{step}"
FUNCTIONS, STEPS = "fFφ", "εδη"
"""Letters for what the gradient is of and for the step: the first that is no name of the program."""
DIGITS = 6


class DifferenceTable(QWidget):
    """The gradient of one tensor at the cursor beside central differences; the program runs again and again for it."""

    found_out = Signal()
    """The table is there, and needs room."""

    def __init__(self, document: Document, ref: Ref, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector.differences")
        self._document = document
        self._ref = ref
        self.found: Differences | None = None
        self._working = SlicedWork(self)
        self._working.found.connect(self._on_found)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, scaled(4))
        self._column.setSpacing(scaled(4))
        formula = fact_label(self, self._formula(), "inspector.differenceFormula")
        tint(formula, "muted")
        self._column.addWidget(formula)
        self._waiting = QWidget(self)
        row = QHBoxLayout(self._waiting)
        row.setContentsMargins(0, 0, 0, 0)
        self._words = QLabel(self.tr("Running the program again..."), self._waiting)
        self._words.setObjectName("inspector.differenceWords")
        self._cancel = QPushButton(self.tr("Cancel"), self._waiting)
        self._cancel.setObjectName("inspector.cancelDifferences")
        self._cancel.clicked.connect(self.cancel)
        row.addWidget(self._words)
        row.addStretch(1)
        row.addWidget(self._cancel)
        self._column.addWidget(self._waiting)
        self._begin()

    @Slot()
    def cancel(self) -> None:
        """Stop; what was found so far is not shown."""
        self._working.stop()
        self._words.setText(self.tr("Cancelled"))
        self._cancel.hide()

    def text(self) -> str:
        """All that is shown, a line each."""
        found = self.found
        if found is None:
            return self._words.text()
        rows = [" ".join((self._place(row), *self._texts(row))) for row in found.rows]
        return "\n".join([*rows, self._summary(found)])

    # ------------------------------------------------------------ inside

    def _formula(self) -> str:
        """The central difference, with the name of the tensor that is moved."""
        taken, x = self._document.program.names(), self._moved()
        f, step = (next((sign for sign in signs if sign not in taken), signs[0]) for signs in (FUNCTIONS, STEPS))
        return f"{FORMULA.format(f=f, x=x, step=step)},  {step} = {STEP:.0e} · max(1, |{x}|)"

    def _moved(self) -> str:
        """What the tensor is called whose elements are moved: of a result of autograd.grad the input."""
        program, made = self._document.program, self._document.program.maker(self._ref)
        statement = program[made.statement]
        if statement.kind is Kind.GRAD:
            inputs = statement.operands[1]
            wanted = inputs[made.output] if isinstance(inputs, tuple) else inputs
            made = source(program, wanted) if isinstance(wanted, Ref) else made
            statement = program[made.statement]
        name = statement.targets[made.output] if made.output < len(statement.targets) else ""
        return name or emit.expression(program, made.statement)

    def _begin(self) -> None:
        document = self._document
        if document.is_past and document.state.inside:
            self._words.setText(self.tr("Go to the end of the line first: its backward is under way."))
            self._words.setWordWrap(True)
            self._cancel.hide()
            return
        program, trace, position = document.program, document.session.trace, document.position
        line = trace.line_at(position)
        around = () if line is None else program.loops(program[line].block)
        rounds = {loop: found.number for loop in around if (found := trace.round_at(loop, position)) is not None}
        self._working.begin(differences(program, line, rounds, self._ref))

    @Slot(object)
    def _on_found(self, found: Differences) -> None:
        self.found = found
        self._waiting.hide()
        self._show(found)
        self.found_out.emit()

    def _show(self, found: Differences) -> None:
        if found.rows:
            columns = [self.tr("gradient"), self.tr("quotient"), ""]
            texts = [self._texts(row) for row in found.rows]
            table = NumberTable([self._place(row) for row in found.rows], columns, texts, self)
            table.setAccessibleName(self.tr("Finite differences"))
            self._column.addWidget(table)
        label = QLabel(self._summary(found), self)
        label.setObjectName("inspector.differenceSummary")
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        self._column.addWidget(label)

    def _place(self, row: Quotient) -> str:
        name = self._moved()
        return f"{name}{list(row.index)}" if row.index else name

    def _texts(self, row: Quotient) -> Sequence[str]:
        mark = self.tr("kink") if row.is_kink else "✓" if row.agrees else "✗"
        return f"{row.gradient + 0.0:.{DIGITS}g}", f"{row.difference + 0.0:.{DIGITS}g}", mark

    def _summary(self, found: Differences) -> str:
        parts = []
        if found.rows:
            smooth = [row for row in found.rows if not row.is_kink]
            if all(row.agrees for row in smooth) and smooth:
                parts.append(self.tr("They agree to four digits."))
            elif smooth:
                parts.append(self.tr("They differ: see the rows marked ✗."))
            if found.count > len(found.rows):
                words = self.tr("Looked at {shown} of {count} elements, evenly spread.")
                parts.append(words.format(shown=len(found.rows), count=found.count))
        return " ".join([*parts, in_a_row(found.notes)]).strip()
