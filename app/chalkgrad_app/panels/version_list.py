"""The list of a version history: a row is chosen to go to its moment."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from chalkgrad_app.panels.row_list import RowList
from chalkgrad_app.panels.version_paint import VersionDelegate
from chalkgrad_app.panels.version_rows import VersionRows


class VersionList(RowList):
    """One history; the row that happened last at the cursor stays in sight."""

    def __init__(self, rows: VersionRows, parent: QWidget) -> None:
        super().__init__("versions.list", VersionDelegate, parent)
        self.setModel(rows)

    def go_to(self, row: int | None) -> None:
        """Make a row the one that keys start from, and show it."""
        index = QModelIndex() if row is None else self.model().index(row, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew, around the same row."""
        super().resizeEvent(event)
        self.executeDelayedItemsLayout()
        self.scrollTo(self.currentIndex())
