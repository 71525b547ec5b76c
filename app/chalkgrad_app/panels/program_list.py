"""The list of the program panel: clicks in the gutter are about time, dragged lines change places."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QDropEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from chalkgrad_app.document import Document
from chalkgrad_app.panels.program_paint import ProgramDelegate
from chalkgrad_app.panels.program_rows import Part, ProgramRows, Row
from chalkgrad_app.panels.row_list import ROW, Index

IN_VIEW = 4
"""So many events of a line that is unfolded are brought into view with it."""


class ProgramList(QTableView):
    """Rows of one height: a table of one column, which looks at the rows in view only, however many there are."""

    number_clicked = Signal(int)  # a statement: look at the moment after it
    lines_dropped = Signal(list, int)  # ids, and the row before which they were dropped
    lines_nudged = Signal(int)  # the selected lines shall go one line down (+1) or up (-1)
    event_chosen = Signal(int)  # a position: look at the moment right after that event
    paged = Signal(int)  # a line forward (+1) or back (-1)
    room_changed = Signal()  # it is larger or smaller now, or its rows are

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("program.list")
        self.rows = ProgramRows(document, self)
        self.setModel(self.rows)
        self.delegate = ProgramDelegate(document, self.rows, self)
        self.setItemDelegate(self.delegate)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().hide()
        self.restyle()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def restyle(self) -> None:
        """Let the rows be as high as the text size in use wants them."""
        self.delegate.restyle()
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(self.delegate.row_height())
        self.viewport().update()
        self.updateGeometries()
        self.room_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that other rows fit now."""
        super().resizeEvent(event)
        self.room_changed.emit()

    def unfold(self, statement: int, on: bool) -> None:
        """Show the events of a line, the first of them in view, or hide them."""
        self.rows.unfold(statement, on)
        row = self.rows.row_of(statement)
        if on and row is not None:
            self.updateGeometries()
            self.scrollTo(self.rows.index(min(row + IN_VIEW, len(self.rows.rows) - 1)))
            self.scrollTo(self.rows.index(row))

    def go_to(self, row: int) -> None:
        """Bring a row into view and make it the one that keys start from; nothing else."""
        self.selectionModel().setCurrentIndex(self.rows.index(row), QItemSelectionModel.SelectionFlag.NoUpdate)
        rect, height = self.visualRect(self.rows.index(row)), self.delegate.row_height()
        if rect.top() < height or rect.bottom() > self.viewport().height() - height:
            self.scrollTo(self.rows.index(row), QAbstractItemView.ScrollHint.PositionAtCenter)

    def repaint_between(self, *moments: tuple[int | None, int | None]) -> None:
        """Paint the rows anew from one line and position to another, and those of the lines themselves; None: now."""
        last = len(self.rows.rows) - 1
        found = [last if line is None else self.rows.row_at(line, position) for line, position in moments]
        rows = [row for row in found if row is not None]
        if rows:
            self._repaint_rows(min(rows), max(rows))
        for line, _ in moments:
            row = None if line is None else self.rows.row_of(line)
            if row is not None:
                self._repaint_rows(row, row)

    def _repaint_rows(self, first: int, last: int) -> None:
        top, bottom = (self.visualRect(self.rows.index(row)) for row in (first, last))
        self.viewport().update(top.united(bottom))

    def row_at(self, point: QPoint) -> Row | None:
        """The row under a point."""
        index = self.indexAt(point)
        row: Row | None = index.data(ROW) if index.isValid() else None
        return row

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press in the gutter or on an event is about time, one in the code about selection."""
        number, folding = self._pressed_number(event), self._pressed_arrow(event)
        if folding is not None:
            self.unfold(folding, not self.rows.is_unfolded(folding))
        elif number is not None:
            self.number_clicked.emit(number)
        else:
            super().mousePressEvent(event)
            self._choose(self.indexAt(event.position().toPoint()))
            return
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click in the gutter is two clicks there, one on an arrow folds and unfolds."""
        if self._pressed_arrow(event) is not None:
            self.mousePressEvent(event)
        elif self._pressed_number(event) is None:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page Down and Up walk through time, as everywhere; Alt+Down and Up move lines, Right and Left unfold them."""
        by = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}.get(Qt.Key(event.key()))
        way = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        unfolds = {Qt.Key.Key_Right: True, Qt.Key.Key_Left: False}.get(Qt.Key(event.key()))
        if way is not None and event.modifiers() == Qt.KeyboardModifier.AltModifier:
            self.lines_nudged.emit(way)
        elif unfolds is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._go_in(unfolds)
        elif by is None:
            before = self.currentIndex()
            super().keyPressEvent(event)
            if self.currentIndex() != before:
                self._choose(self.currentIndex())
        else:
            self.paged.emit(by)

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Home and End go to the first and the last row, as in any list."""
        ends = {
            QAbstractItemView.CursorAction.MoveHome: 0,
            QAbstractItemView.CursorAction.MoveEnd: len(self.rows.rows) - 1,
        }
        if action in ends:
            return self.rows.index(ends[action])
        return super().moveCursor(action, modifiers)

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """Going to an event leaves the selection as it is."""
        row: Row | None = index.data(ROW) if index.isValid() else None
        if row is not None and row.part is Part.EVENT:
            return QItemSelectionModel.SelectionFlag.NoUpdate
        return super().selectionCommand(index, event)

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

    def _choose(self, index: QModelIndex) -> None:
        row: Row | None = index.data(ROW) if index.isValid() else None
        if row is not None and row.position is not None:
            self.event_chosen.emit(row.position)

    def _go_in(self, unfolds: bool) -> None:
        """Unfold the line with the focus or go to its first event; fold it, or go from an event to its line."""
        index = self.currentIndex()
        row: Row | None = index.data(ROW) if index.isValid() else None
        if row is None or row.statement is None:
            return
        is_open = self.rows.is_unfolded(row.statement)
        if row.part is Part.EVENT and not unfolds:
            line = self.rows.row_of(row.statement)
            self.setCurrentIndex(self.rows.index(line or 0))
        elif row.part is not Part.EVENT and unfolds and is_open and index.row() + 1 < len(self.rows.rows):
            self.setCurrentIndex(self.rows.index(index.row() + 1))
            self._choose(self.currentIndex())
        elif row.part is not Part.EVENT:
            self.unfold(row.statement, unfolds)

    def _pressed_arrow(self, event: QMouseEvent) -> int | None:
        """The line whose arrow is under the pointer."""
        point = event.position().toPoint()
        row = self.row_at(point)
        if row is None or row.part is not Part.FIRST or event.button() != Qt.MouseButton.LeftButton:
            return None
        is_arrow = self.delegate.arrow_rect(self.visualRect(self.indexAt(point)), row).contains(point)
        return row.statement if is_arrow and self.rows.unfoldable(row.statement) else None

    def _pressed_number(self, event: QMouseEvent) -> int | None:
        row = self.row_at(event.position().toPoint())
        is_gutter = event.position().x() < self.delegate.gutter() and event.button() == Qt.MouseButton.LeftButton
        return row.statement if row is not None and is_gutter and row.part is not Part.EVENT else None
