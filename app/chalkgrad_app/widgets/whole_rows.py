"""The place of a list of rows of one height: it is as high as so many whole rows, and no line is cut at its foot."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QTableView, QWidget


class WholeRows(QWidget):
    """Holds a list; less than a row of room is left empty below it, in the colour of its ground."""

    def __init__(self, rows: QTableView, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = rows
        rows.setParent(self)
        rows.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerItem)  # and none is cut at its head
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setSizePolicy(rows.sizePolicy())

    def sizeHint(self) -> QSize:
        """What the list wants."""
        return self._rows.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """What the list needs."""
        return self._rows.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other rows fit now."""
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Give the list the height of its whole rows; where not even one fits, all that there is."""
        row = self._rows.verticalHeader().defaultSectionSize()
        whole = self.height() - self.height() % row
        self._rows.setGeometry(0, 0, self.width(), whole or self.height())
