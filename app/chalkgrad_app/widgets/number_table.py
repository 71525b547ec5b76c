"""A small matrix of numbers as a table that shows all of itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled

MOST_HIGH = 220
"""In pixels at 100% text size; what is higher scrolls."""


class NumberTable(QTableWidget):
    """Texts in rows and columns with headings, to look at."""

    def __init__(
        self, rows: Sequence[str], columns: Sequence[str], texts: Sequence[Sequence[str]], parent: QWidget
    ) -> None:
        super().__init__(len(rows), len(columns), parent)
        self.setObjectName("numberTable")
        self.setFont(code_font(ratio=SMALL))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalHeaderLabels(list(rows))
        self.setHorizontalHeaderLabels(list(columns))
        for row, line in enumerate(texts):
            for column, text in enumerate(line):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, item)
        self.resizeColumnsToContents()
        self.resizeRowsToContents()
        self.setSizeAdjustPolicy(QAbstractScrollArea.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMaximumHeight(scaled(MOST_HIGH))
