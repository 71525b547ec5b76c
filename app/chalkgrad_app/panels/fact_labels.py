"""The labels of a page of facts: what a fact is called, its text, and their colours."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget

from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled

WHOLE = 240
"""So wide the lines of a matrix may be to stay whole, in pixels at 100% text size: all that a narrow page has."""
BESIDE = 12
"""Between a name and its fact; a form forgets that when it looks whether the fact fits there."""


class FactLabel(QLabel):
    """A fact. It asks for the width of its words, or of its lines: a form then puts it under its name."""

    def minimumSizeHint(self) -> QSize:
        """As narrow as its longest word, which nothing would break, or as wide as several lines need."""
        hint, lines = super().minimumSizeHint(), self.text().split("\n")
        whole = lines if len(lines) > 1 else self.text().split()
        widest = max((self.fontMetrics().horizontalAdvance(text) for text in whole), default=0)
        hint.setWidth(max(hint.width(), min(widest + scaled(BESIDE), scaled(WHOLE))))
        return hint


def name_label(page: QWidget, name: str) -> QLabel:
    """What a fact is called."""
    label = QLabel(name, page)
    label.setObjectName("inspector.label")
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    label.setFont(code_font(ratio=SMALL))
    tint(label, "muted")
    return label


def fact_label(page: QWidget, text: str, name: str) -> QLabel:
    """One fact, which can be selected with mouse and keys."""
    label = FactLabel(text, page)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(code_font(ratio=SMALL))
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label
