"""The list of a version history: a click, Enter or Space at a row goes to its moment."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QWidget

from chalkgrad_app.panels.version_paint import VersionDelegate
from chalkgrad_app.panels.version_rows import ROW, VersionRows


class VersionList(QListView):
    """One history; the row that happened last at the cursor stays in sight."""

    chosen = Signal(object)  # the Entry to go to

    def __init__(self, rows: VersionRows, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("versions.list")
        self.setModel(rows)
        self._delegate = VersionDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QListView.SelectionMode.SingleSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.clicked.connect(self._on_chosen)

    def go_to(self, row: int | None) -> None:
        """Make a row the one that keys start from, and show it."""
        index = QModelIndex() if row is None else self.model().index(row, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def restyle(self) -> None:
        """Rows are as high as their words in the text size in use."""
        self._delegate.restyle()
        self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space go there."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_chosen(self.currentIndex())
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        self.doItemsLayout()
        self.scrollTo(self.currentIndex())

    @Slot(QModelIndex)
    def _on_chosen(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        if row is not None:
            self.chosen.emit(row.entry)
