"""The labels of a page of facts: what a fact is called, its text, and their colours."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from chalkgrad_app.style.tint import tint
from chalkgrad_app.widgets.code_font import SMALL, code_font


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
    label = QLabel(text, page)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(code_font(ratio=SMALL))
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label
