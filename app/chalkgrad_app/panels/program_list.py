"""The list of the program panel: clicks in the gutter are about time, dragged lines change places."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.panels.program_paint import ProgramDelegate
from chalkgrad_app.panels.program_rows import ROW, ProgramRows, Row


class ProgramList(QListView):
    """Rows of one height, whatever their number, so that thousands scroll smoothly."""

    number_clicked = Signal(int)  # a statement: look at the moment after it
    lines_dropped = Signal(list, int)  # ids, and the row before which they were dropped
    lines_nudged = Signal(int)  # the selected lines shall go one line down (+1) or up (-1)
    paged = Signal(int)  # a line forward (+1) or back (-1)

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("program.list")
        self.rows = ProgramRows(document, self)
        self.setModel(self.rows)
        self.delegate = ProgramDelegate(document, self.rows, self)
        self.setItemDelegate(self.delegate)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def row_at(self, point: QPoint) -> Row | None:
        """The row under a point."""
        index = self.indexAt(point)
        row: Row | None = index.data(ROW) if index.isValid() else None
        return row

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press in the gutter is about time, one in the code about selection."""
        row = self._pressed_number(event)
        if row is not None:
            self.number_clicked.emit(row)
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click in the gutter is two clicks there."""
        if self._pressed_number(event) is None:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page Down and Up walk through time, as everywhere in the window; Alt+Down and Up move lines."""
        by = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}.get(Qt.Key(event.key()))
        way = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if way is not None and event.modifiers() == Qt.KeyboardModifier.AltModifier:
            self.lines_nudged.emit(way)
        elif by is None:
            super().keyPressEvent(event)
        else:
            self.paged.emit(by)

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell which lines were dropped where; the program decides whether they may stand there."""
        ids = self.rows.dragged(event.mimeData())
        if not ids:
            event.ignore()
            return
        event.accept()
        self.stopAutoScroll()
        self.setState(QAbstractItemView.State.NoState)
        self.viewport().update()
        self.lines_dropped.emit(ids, self.row_below(event.position().toPoint()))

    def row_below(self, point: QPoint) -> int:
        """The row before which something dropped at a point goes."""
        index = self.indexAt(point)
        if not index.isValid():
            return len(self.rows.rows)
        return index.row() + (point.y() > self.visualRect(index).center().y())

    def _pressed_number(self, event: QMouseEvent) -> int | None:
        row = self.row_at(event.position().toPoint())
        is_gutter = event.position().x() < self.delegate.gutter() and event.button() == Qt.MouseButton.LeftButton
        return row.statement if row is not None and is_gutter else None
