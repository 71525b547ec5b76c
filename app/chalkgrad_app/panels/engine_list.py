"""The list of the panel Engine: nodes under the pointer or the focus are pointed out on the canvas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.panels.engine_paint import EngineDelegate
from chalkgrad_app.panels.engine_rows import EngineRow, EngineRows
from chalkgrad_app.panels.row_list import ROW, Index, RowList


class EngineList(RowList):
    """Headings and nodes, of which only nodes can be chosen."""

    looked_at = Signal(object)  # the EngineRow under the pointer, else the one with the focus; None: none

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__("engine.list", EngineDelegate, parent)
        self.rows = EngineRows(document, self)
        self.setModel(self.rows)
        self.entered.connect(self._on_entered)
        self.viewportEntered.connect(self._tell)

    def row(self, index: Index) -> EngineRow | None:
        """What stands at an index; None for headings."""
        row: EngineRow | None = index.data(ROW) if index.isValid() else None
        return row if row is not None and row.node is not None else None

    def go_to(self, node: int | None) -> None:
        """Make a node the one that keys start from, where it is listed."""
        row = self.rows.row_of(node)
        if row is not None:
            self.setCurrentIndex(self.rows.index(row))

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

    def _tell(self) -> None:
        self.looked_at.emit(self.row(self.currentIndex()) if self.hasFocus() else None)

    def _on_entered(self, index: QModelIndex) -> None:
        self.looked_at.emit(self.row(index))
