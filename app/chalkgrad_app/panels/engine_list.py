"""The list of the panel Engine: nodes under the pointer or the focus are pointed out on the canvas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.panels.engine_paint import EngineDelegate
from chalkgrad_app.panels.engine_rows import ROW, EngineRow, EngineRows, Index


class EngineList(QListView):
    """Headings and nodes."""

    looked_at = Signal(object)  # the EngineRow under the pointer, else the one with the focus; None: none
    chosen = Signal(int)  # a node was clicked, or Enter or Space pressed at it

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("engine.list")
        self.rows = EngineRows(document, self)
        self.setModel(self.rows)
        self.delegate = EngineDelegate(self)
        self.setItemDelegate(self.delegate)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QListView.SelectionMode.SingleSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.entered.connect(self._on_entered)
        self.viewportEntered.connect(self._tell)
        self.clicked.connect(self._on_chosen)
        self.activated.connect(self._on_chosen)

    def row(self, index: Index) -> EngineRow | None:
        """What stands at an index; None for headings."""
        row: EngineRow | None = index.data(ROW) if index.isValid() else None
        return row if row is not None and row.node is not None else None

    def go_to(self, node: int | None) -> None:
        """Make a node the one that keys start from, where it is listed."""
        row = self.rows.row_of(node)
        if row is not None:
            self.setCurrentIndex(self.rows.index(row))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space chooses as Enter does."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_chosen(self.currentIndex())
            return
        super().keyPressEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """The keyboard went to another node."""
        super().currentChanged(current, previous)
        self._tell()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The node that keys have gone to is looked at again."""
        super().focusInEvent(event)
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Nothing is looked at any more."""
        super().focusOutEvent(event)
        self._tell()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is gone."""
        super().leaveEvent(event)
        self._tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def _tell(self) -> None:
        self.looked_at.emit(self.row(self.currentIndex()) if self.hasFocus() else None)

    def _on_entered(self, index: QModelIndex) -> None:
        self.looked_at.emit(self.row(index))

    def _on_chosen(self, index: QModelIndex) -> None:
        row = self.row(index)
        if row is not None and row.node is not None:
            self.chosen.emit(row.node)
