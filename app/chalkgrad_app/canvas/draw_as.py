"""The switch above the canvas that chooses the drawing, and the sentence that says what is what in it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from chalkgrad.program.board import AUTOGRAD, CARDS, DATA, DRAWINGS
from chalkgrad_app.actions import BY_ID
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate
from chalkgrad_app.widgets.code_font import scaled

ACTIONS = {CARDS: "drawAsCards", DATA: "drawAsData", AUTOGRAD: "drawAsAutograd"}

NAMES = {
    CARDS: QT_TRANSLATE_NOOP("DrawAs", "Cards"),
    DATA: QT_TRANSLATE_NOOP("DrawAs", "Data-and-edges"),
    AUTOGRAD: QT_TRANSLATE_NOOP("DrawAs", "Autograd"),
}

CAPTIONS = {
    CARDS: QT_TRANSLATE_NOOP(
        "DrawAs", "Node: an operator with its result. Edge: a tensor. PyTorch keeps only the tensors."
    ),
    DATA: QT_TRANSLATE_NOOP(
        "DrawAs", "Node: a tensor. Edge: an operator. A PyTorch tensor knows its grad_fn, not its inputs."
    ),
    AUTOGRAD: QT_TRANSLATE_NOOP(
        "DrawAs", "Node: a tensor or a Function. Edge: grad_fn, next_functions. This is what PyTorch has."
    ),
}
"""What is a node and an edge in each drawing, and what PyTorch really has."""

SHORT = {DATA: QT_TRANSLATE_NOOP("DrawAs", "Data")}
"""Shorter names, for where there is little room."""

NARROW, NARROWEST = 560, 360
"""Widths of the strip in pixels at 100% text size: below the first the words before the buttons go, below the second
the buttons have short names."""
LEAST = 28
"""No button gets narrower than so many pixels at 100% text size."""


def drawing_name(drawing: str) -> str:
    """What a drawing is called, in the language in use."""
    return translate("DrawAs", NAMES[drawing])


def caption(drawing: str) -> str:
    """What is seen in a drawing, in the language in use."""
    return translate("DrawAs", CAPTIONS[drawing])


class DrawAs(QWidget):
    """``Draw as: (Cards) Data-and-edges  Autograd``."""

    chosen = Signal(str)  # a drawing

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("drawAs")
        self._document = document
        self._is_short = False
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.words = QLabel(self)
        self.words.setObjectName("drawAs.words")
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.words)
        row.addSpacing(8)
        for number, drawing in enumerate(DRAWINGS):
            row.addWidget(self._button(drawing, number))
        self._group.idClicked.connect(self._on_clicked)
        document.drawn.connect(self.refresh)
        self.retranslate()

    def button(self, drawing: str) -> QToolButton:
        """The button of a drawing."""
        found = self._group.button(DRAWINGS.index(drawing))
        assert isinstance(found, QToolButton)
        return found

    def refresh(self) -> None:
        """Show which drawing there is."""
        self.button(self._document.drawing).setChecked(True)

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.words.setText(self.tr("Draw as:"))
        for drawing in DRAWINGS:
            button, record = self.button(drawing), BY_ID[ACTIONS[drawing]]
            names = SHORT if self._is_short and drawing in SHORT else NAMES
            button.setText(translate("DrawAs", names[drawing]))
            button.setMinimumWidth(scaled(LEAST))
            button.setAccessibleName(record.title())
            button.setAccessibleDescription(caption(drawing))
            key = QKeySequence(record.keys[0]).toString(QKeySequence.SequenceFormat.NativeText)
            button.setToolTip(f"{caption(drawing)} ({key})")
        self.refresh()

    def fit(self, width: int) -> None:
        """Say less where the strip is no wider than this."""
        self.words.setVisible(width >= scaled(NARROW))
        if self._is_short != (width < scaled(NARROWEST)):
            self._is_short = not self._is_short
            self.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _button(self, drawing: str, number: int) -> QToolButton:
        made = QToolButton(self)
        made.setObjectName(f"drawAs.{drawing}")
        made.setCheckable(True)
        made.setProperty("segment", ("first", "middle", "last")[number])
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._group.addButton(made, number)
        return made

    def _on_clicked(self, number: int) -> None:
        self.chosen.emit(DRAWINGS[number])
