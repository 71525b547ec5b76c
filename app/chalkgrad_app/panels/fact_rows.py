"""The facts of one tensor in the inspector: a row each, with the questions that can be asked of them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QToolButton, QWidget

from chalkgrad.program.statement import Kind
from chalkgrad_app.covering import Cover, Question
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate
from chalkgrad_app.panels import facts, questions
from chalkgrad_app.panels.described import DIFFERENCES, DescribedTensor, is_one_line
from chalkgrad_app.panels.fact_labels import (
    BESIDE,
    FactLabel,
    FactLines,
    FactLink,
    FactWithLink,
    fact_label,
    line_height,
    name_label,
)
from chalkgrad_app.predicting import reveal
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.code_text import CodeText

PANELS = {
    "_version": (
        "versions",
        QT_TRANSLATE_NOOP("FactRows", "history"),
        QT_TRANSLATE_NOOP("FactRows", "Who wrote it, who saved which version, and who read it"),
    ),
    "saved": (
        "memory",
        QT_TRANSLATE_NOOP("FactRows", "memory"),
        QT_TRANSLATE_NOOP("FactRows", "All that is saved for a backward, and how much memory that takes"),
    ),
}
"""The panel that tells all of a fact: its name, what the way there says, and in a sentence."""


def answer_name(fact: str) -> str:
    """The object name of what opens under a fact when one asks about it."""
    return f"inspector.{DIFFERENCES}" if fact == DIFFERENCES else f"inspector.{_asked_as(fact)}Answer"


def _asked_as(fact: str) -> str:
    return "why" if fact == "grad" else f"why.{fact}"


class FactRows(QWidget):
    """Name and text of each fact; ``labels`` are those whose texts :meth:`DescribedTensor.told` has, in its order."""

    asked = Signal(str)
    """Somebody wants to know why a fact is so, or knows it now."""
    why_asked = Signal()
    """Somebody wants to know how a gradient came about."""
    grown = Signal()
    """Finite differences were found, and shown."""
    panel_asked = Signal(str)
    """Somebody wants to see a panel."""

    def __init__(self, document: Document, tensor: DescribedTensor, parent: QWidget, room: int) -> None:
        super().__init__(parent)
        self.labels: list[QLabel | CodeText] = []
        self._room = room  # pixels across: a word that is wider has to be broken
        self._document = document
        self._tensor = tensor
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(scaled(BESIDE))
        self._form.setVerticalSpacing(scaled(1))
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        asked = document.covers.asked
        self._asks = {
            "grad": Cover.GRADIENTS if tensor.is_covered and Cover.GRADIENTS in asked else None,
            "is_leaf": Cover.FLAGS if not tensor.has_flags and Cover.FLAGS in asked else None,
        }
        for name, text in tensor.facts:
            shown = self.tr("saved") if name == "saved" else name
            cover = self._asks.get(name)
            if cover is not None:
                self._form.addRow(self._question(cover))
            elif self._is_broken(name, text):
                self._form.addRow(self._name(shown))
                self._form.addRow(self._code(text, f"inspector.{name}"))
            else:
                self._form.addRow(self._name(shown), self._field(name, text))
            self._add_notes(name)

    def _name(self, shown: str) -> QLabel:
        label = name_label(self, shown)
        label.setMinimumHeight(line_height())  # rows without a link are as high as those with one
        return label

    def _is_broken(self, name: str, text: str) -> bool:
        """True for a fact on one line with a word that is wider than the page: broken, it hides no link of others."""
        is_plain = name not in PANELS and name not in self._tensor.questions
        if not is_plain or not is_one_line(text) or (name == "grad" and self._tensor.is_covered):
            return False
        metrics = QFontMetrics(code_font(ratio=SMALL))
        return max((metrics.horizontalAdvance(word) for word in text.split()), default=0) > self._room - scaled(BESIDE)

    def _code(self, text: str, name: str) -> CodeText:
        code = CodeText(text, name, code_font(ratio=SMALL), self)
        self.labels.append(code)
        return code

    def _field(self, name: str, text: str) -> QWidget:
        if name == "grad" and self._tensor.is_covered:
            return self._covered()
        label = self._told(text, f"inspector.{name}")
        if name in PANELS:
            return self._with_panel(label, name)
        shown = label if is_one_line(text) else FactLines(label, self)
        return self._with_question(shown, name) if name in self._tensor.questions else shown

    def _question(self, cover: Cover) -> QWidget:
        from chalkgrad_app.editors.guess import GuessForm

        return GuessForm(self._document, Question(cover, self._tensor.ref), self)

    def _covered(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("inspector.reveal")
        button.setText(facts.COVERED)
        button.setToolTip(self.tr("Click to reveal"))
        button.setAccessibleName(self.tr("covered gradient of {name}").format(name=self._tensor.name))
        button.clicked.connect(self._reveal)
        return button

    def _told(self, text: str, name: str) -> QLabel:
        label = fact_label(self, text, name, FactLabel if is_one_line(text) else QLabel)
        label.setMinimumHeight(line_height())
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.labels.append(label)
        return label

    def _with_panel(self, label: QLabel, fact: str) -> QWidget:
        """A fact, and beside it the way to the panel that tells all of it."""
        panel, words, tip = PANELS[fact]
        button = self._link(self, f"inspector.show.{panel}", translate("FactRows", tip))
        button.setText(translate("FactRows", words))
        button.setProperty("panel", panel)
        button.clicked.connect(self._ask_panel)
        return FactWithLink(label, button, self)

    def _links(self, *links: QToolButton) -> QWidget:
        """Links beside one another, from the left."""
        holder = QWidget(self)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(scaled(8))
        for link in links:
            row.addWidget(link)
        row.addStretch(1)
        return holder

    def _with_question(self, label: QWidget, fact: str) -> QWidget:
        """A fact, and beside it the question that opens the answer under it."""
        name = "inspector.askWhy" if fact == "grad" else f"inspector.askWhy.{fact}"
        button = self._link(self, name, questions.title(self._document, self._tensor.ref, fact))
        button.setCheckable(True)
        button.setChecked(fact in dict(self._tensor.answers))
        button.setProperty("fact", fact)
        button.clicked.connect(self._ask)
        return FactWithLink(label, button, self)

    def _link(self, parent: QWidget, name: str, tip: str) -> QToolButton:
        button = FactLink(name, parent)
        button.setText(self.tr("why?"))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        return button

    def _differences_link(self) -> QToolButton:
        """Opens the finite differences under a gradient, or closes them."""
        words = self.tr("Is the gradient right? Finite differences beside it")
        link = self._link(self, "inspector.showDifferences", words)
        link.setText(self.tr("finite differences"))
        link.setCheckable(True)
        link.setChecked(bool(self._tensor.differences))
        link.setProperty("fact", DIFFERENCES)
        link.clicked.connect(self._ask)
        return link

    def _add_notes(self, name: str) -> None:
        """What there is to say about a fact under it."""
        tensor = self._tensor
        if name == "grad" and tensor.sum:
            self._form.addRow(self._told(tensor.sum, "inspector.sum"))
        if name == "grad" and tensor.has_grad:
            link = self._link(self, "inspector.explain", self.tr("The chain rule, with the numbers of this program"))
            link.setAccessibleName(self.tr("why is the gradient of {name} what it is?").format(name=tensor.name))
            link.clicked.connect(self.why_asked)
            self._form.addRow("", self._links(link, self._differences_link()))
        is_result = name == "value" and self._document.program[tensor.ref.statement].kind is Kind.GRAD
        if is_result and not tensor.is_covered and dict(tensor.facts)[name] != facts.COVERED:
            self._form.addRow("", self._differences_link())
        if tensor.differences and (is_result or (name == "grad" and tensor.has_grad)):
            from chalkgrad_app.panels.difference_table import DifferenceTable

            table = DifferenceTable(self._document, tensor.ref, self)
            table.found_out.connect(self.grown)
            self._form.addRow(table)
        if name in dict(tensor.answers):
            self._form.addRow(questions.Answer(self._document, tensor.ref, name, _asked_as(name), self))

    # ------------------------------------------------------------ slots

    @Slot()
    def _reveal(self) -> None:
        reveal(self._document, Question(Cover.GRADIENTS, self._tensor.ref))

    @Slot()
    def _ask_panel(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.panel_asked.emit(sender.property("panel"))

    @Slot()
    def _ask(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.asked.emit(sender.property("fact"))
