"""The grid in which a tensor is edited as in a spreadsheet: arrows, Tab, Enter, copy, paste, fill, undo."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QObject, QSize, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from chalkgrad_app.editors import tables
from chalkgrad_app.editors.tensor_model import Index, TensorModel
from chalkgrad_app.editors.transfer import Transfer
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import SMALL, code_font, scaled
from chalkgrad_app.widgets.tab_focus import go_on

CELL, ROW = 76, 24
"""Width of a column and height of a row, in pixels at 100% text size."""
FEW = 20_000
"""Up to so many cells the headers show where the selection is: Qt asks each cell of every row in view for that."""
ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
ENDS = (*ENTERS, *TABS)


class CellDelegate(QStyledItemDelegate):
    """The field in a cell: what can't stand there is said while it is typed, and keeps the field open."""

    def __init__(self, grid: TensorGrid) -> None:
        super().__init__(grid)
        self._grid = grid

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A plain field, as wide as the cell."""
        field = QLineEdit(parent)
        field.setObjectName("valueEditor.cell")
        field.setAccessibleName(self.tr("Row {row}, column {column}").format(row=index.row(), column=index.column()))
        field.setFrame(False)
        field.setFont(self._grid.font())
        field.textEdited.connect(self._on_edited)
        return field

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Tab end only what is a number."""
        if isinstance(watched, QLineEdit) and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            problem = self._grid.tensor.problem(watched.text()) if event.key() in ENDS else ""
            if problem:
                self._say(watched, problem)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self._say(watched, "")
            if event.key() in TABS and event.modifiers() & _CTRL:
                self._close(watched)
                self._grid.leave(forward=event.key() == Qt.Key.Key_Tab)
                return True
            if event.matches(QKeySequence.StandardKey.Paste) and _has_several(QApplication.clipboard().text()):
                self.closeEditor.emit(watched, QAbstractItemDelegate.EndEditHint.RevertModelCache)
                self._grid.paste()
                return True
            if event.key() in ENTERS:
                self._enter(watched, event.modifiers())
                return True
        return super().eventFilter(watched, event)

    def _enter(self, field: QLineEdit, keys: Qt.KeyboardModifier) -> None:
        """Keep what was typed and go on to the cell below, with Shift to that above; Ctrl+Enter closes the window.

        At once: Qt would do it later, and let the grid have the key as well, which would go another row down.
        """
        self._close(field)
        if keys & _CTRL:
            self._grid.window().close()
        else:
            self._grid.step(-1 if keys & Qt.KeyboardModifier.ShiftModifier else 1)

    def _close(self, field: QLineEdit) -> None:
        self.commitData.emit(field)
        self.closeEditor.emit(field, QAbstractItemDelegate.EndEditHint.NoHint)

    def _on_edited(self, text: str) -> None:
        field = self.sender()
        if isinstance(field, QLineEdit):
            self._say(field, "" if tables.is_begun(text) else self._grid.tensor.problem(text))

    def _say(self, field: QLineEdit, problem: str) -> None:
        colour = theme.current().color("error_ink").name() if problem else ""
        field.setStyleSheet(f"QLineEdit {{ color: {colour}; }}" if problem else "")
        field.setAccessibleDescription(problem)
        self._grid.tensor.refused.emit(problem)  # below the numbers; a tool tip would lie over these, or over that


class TensorGrid(QTableView):
    """A table view of a :class:`TensorModel`."""

    def __init__(self, model: TensorModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tensor = model
        self.setObjectName("valueEditor.grid")
        self.setModel(model)
        self._nothing = QItemSelectionModel(model, self)
        self._delegate = CellDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.setTabKeyNavigation(True)
        self.setCornerButtonEnabled(True)
        self._measure()
        model.modelReset.connect(self._on_reset)
        self.transfer = Transfer("transferring", self)
        self.transfer.refused.connect(model.refuse)
        for changed in (model.edited, model.modelReset):
            changed.connect(self.transfer.give_up_editing)

    # ------------------------------------------------------------ what the buttons call

    def area(self) -> tuple[int, int, int, int]:
        """Row, column, rows and columns of what is selected, else of the current cell."""
        chosen = self.selectionModel().selection()
        if not chosen.isEmpty():
            found = chosen.at(0)
            return found.top(), found.left(), found.height(), found.width()
        at = self.currentIndex()
        return max(at.row(), 0), max(at.column(), 0), 1, 1

    def insert_row(self) -> None:
        """A row of zeros below the selection."""
        row, column, height, _ = self.area()
        self.tensor.insert(0, row + height)
        self.go_to(row + height, column)

    def insert_column(self) -> None:
        """A column of zeros to the right of the selection."""
        row, column, _, width = self.area()
        self.tensor.insert(1, column + width)
        self.go_to(row, column + width)

    def remove_rows(self) -> None:
        """Delete the selected rows."""
        row, column, height, _ = self.area()
        self.tensor.remove(0, row, height)
        self.go_to(row, column)

    def remove_columns(self) -> None:
        """Delete the selected columns."""
        row, column, _, width = self.area()
        self.tensor.remove(1, column, width)
        self.go_to(row, column)

    def fill(self) -> None:
        """Fill the cells that are selected with the number of the current one."""
        at = self.currentIndex()
        if not at.isValid():
            return
        row, column, height, width = self.area()
        if height * width == 1:
            self.tensor.refused.emit(self.tr("Select the cells to be filled, too: drag, Shift+arrows, or Ctrl+A"))
            return
        value = self.tensor.shown[at.row(), at.column()]
        self.tensor.write(row, column, np.full((height, width), value), self.tr("Fill"))

    def clear_cells(self) -> None:
        """Put zeros into the selection."""
        self._clear(self.area())

    def copy(self) -> None:
        """Copy the selection as rows of a spreadsheet."""
        steps = tables.writing(self._block().copy())
        self.transfer.transfer(self.tr("Copying"), steps, QApplication.clipboard().setText)

    def cut(self) -> None:
        """Copy the selection, then put zeros into it."""
        steps = tables.writing(self._block().copy())
        self.transfer.transfer(self.tr("Copying"), steps, partial(self._finish_cut, self.area()), edits=True)

    def paste(self) -> None:
        """Paste cells of a table from the current cell on, and select them; the text of a tensor becomes the value."""
        text = QApplication.clipboard().text()
        whole = partial(self._finish_whole, tables.requires_grad(text), tables.dtype(text))
        then = whole if tables.is_tensor(text) else partial(self._finish_paste, self.area())
        self.transfer.transfer(self.tr("Pasting"), tables.reading(text), then, edits=True)

    def go_to(self, row: int, column: int) -> None:
        """Make a cell the current one."""
        row, column = min(row, self.tensor.rowCount() - 1), min(column, self.tensor.columnCount() - 1)
        self.setCurrentIndex(self.tensor.index(row, column))

    def select_area(self, row: int, column: int, rows: int, columns: int) -> None:
        """Select a block of cells."""
        first = self.tensor.index(row, column)
        last = self.tensor.index(
            min(row + rows, self.tensor.rowCount()) - 1, min(column + columns, self.tensor.columnCount()) - 1
        )
        self.selectionModel().select(QItemSelection(first, last), QItemSelectionModel.SelectionFlag.ClearAndSelect)

    # ------------------------------------------------------------ Qt events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of a spreadsheet."""
        editable = self.tensor.is_editable
        if not editable and _edits(event):
            self.tensor.refused.emit(self.tensor.locked)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.Paste) and editable:
            self.paste()
        elif event.matches(QKeySequence.StandardKey.Cut) and editable:
            self.cut()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.tensor.undo_stack.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.tensor.undo_stack.redo()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and editable:
            self.clear_cells()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & _CTRL:
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() in TABS and event.modifiers() & _CTRL:
            self.leave(forward=event.key() == Qt.Key.Key_Tab)
        elif event.key() == Qt.Key.Key_D and event.modifiers() & _CTRL and editable:
            self.fill()
        else:
            super().keyPressEvent(event)

    def leave(self, forward: bool) -> None:
        """Go on to the next field or button of the window, for Tab goes from cell to cell; or to the one before."""
        go_on(self.window(), forward, past=self)

    def step(self, by: int) -> None:
        """Go a row down, or up; beyond the last one to the first row of the next column, so nothing typed is lost."""
        at, rows = self.currentIndex(), self.tensor.rowCount()
        place = at.column() * rows + at.row() + by
        if at.isValid() and 0 <= place < rows * self.tensor.columnCount():
            self.setCurrentIndex(self.tensor.index(place % rows, place // rows))

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Tab in the last cell ends there, and Shift+Tab in the first: Qt would go on at the other end."""
        at = self.currentIndex()
        last = self.tensor.index(self.tensor.rowCount() - 1, self.tensor.columnCount() - 1)
        hints = QAbstractItemDelegate.EndEditHint
        if (hint, at) in ((hints.EditNextItem, last), (hints.EditPreviousItem, self.tensor.index(0, 0))):
            hint = hints.NoHint
        super().closeEditor(editor, hint)

    def sizeHint(self) -> QSize:
        """All the numbers with their headers; a scroll bar lies beside them, and over none."""
        bars = self.verticalScrollBar().sizeHint().width()
        across, down = self.horizontalHeader(), self.verticalHeader()
        width = down.sizeHint().width() + scaled(CELL) * self.tensor.columnCount()
        height = across.sizeHint().height() + scaled(ROW) * self.tensor.rowCount()
        return QSize(width + bars + 2 * self.frameWidth(), height + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        """Two rows: what is said below them makes the window higher rather than hides the numbers."""
        height = self.horizontalHeader().sizeHint().height() + 2 * scaled(ROW) + 2 * self.frameWidth()
        return QSize(scaled(CELL) * 2, height)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the selection."""
        menu = QMenu(self)
        menu.setObjectName("valueEditor.menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self._action(menu, self.tr("Copy"), "Ctrl+C", self.copy))
        if self.tensor.is_editable:
            menu.addAction(self._action(menu, self.tr("Paste"), "Ctrl+V", self.paste))
            menu.addAction(self._action(menu, self.tr("Fill"), "Ctrl+D", self.fill))
            menu.addSeparator()
            menu.addAction(self._action(menu, self.tr("Insert row"), "", self.insert_row))
            menu.addAction(self._action(menu, self.tr("Insert column"), "", self.insert_column))
            menu.addAction(self._action(menu, self.tr("Delete rows"), "", self.remove_rows))
            menu.addAction(self._action(menu, self.tr("Delete columns"), "", self.remove_columns))
        menu.popup(event.globalPos())

    # ------------------------------------------------------------ inside

    def _block(self) -> np.ndarray:
        row, column, height, width = self.area()
        return self.tensor.shown[row : row + height, column : column + width]

    def _clear(self, area: tuple[int, int, int, int]) -> None:
        row, column, height, width = area
        self.tensor.write(row, column, np.zeros((height, width), self.tensor.array.dtype), self.tr("Clear"))

    def _finish_cut(self, area: tuple[int, int, int, int], text: str) -> None:
        QApplication.clipboard().setText(text)
        self._clear(area)

    def _finish_whole(self, requires_grad: bool | None, dtype: np.dtype | None, array: np.ndarray) -> None:
        if self.tensor.paste_whole(array, requires_grad, dtype):
            self.go_to(0, 0)
            self.select_area(0, 0, self.tensor.rowCount(), self.tensor.columnCount())

    def _finish_paste(self, area: tuple[int, int, int, int], cells: np.ndarray) -> None:
        row, column, _, _ = area
        rows, columns = self.tensor.paste(*area, cells)
        if rows:
            self.go_to(row, column)
            self.select_area(row, column, rows, columns)

    def _action(self, menu: QMenu, text: str, keys: str, slot: object) -> QAction:
        action = QAction(text, menu)
        action.setShortcut(keys)
        action.triggered.connect(slot)
        return action

    def _measure(self) -> None:
        font = code_font(ratio=SMALL)
        self.setFont(font)
        for header, size in ((self.horizontalHeader(), scaled(CELL)), (self.verticalHeader(), scaled(ROW))):
            header.setFont(font)
            header.setDefaultSectionSize(size)
            header.setMinimumSectionSize(scaled(20))
            header.setHighlightSections(True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def _on_reset(self) -> None:
        """Another shape or slice: the first cell is the current one."""
        told = self.selectionModel() if self.tensor.shown.size <= FEW else self._nothing
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSelectionModel(told)
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self.tensor.index(0, 0))


def _edits(event: QKeyEvent) -> bool:
    """True for a key that would change numbers."""
    standard = QKeySequence.StandardKey
    if any(event.matches(key) for key in (standard.Paste, standard.Cut, standard.Delete, standard.Backspace)):
        return True
    return bool(re.match(r"[-+.(\w]", event.text())) and not event.modifiers() & _CTRL


def _has_several(text: str) -> bool:
    """True for a text of more than one number, which is nothing for a single cell."""
    return len(re.findall(r"[^\s,;\[\]]+", text)) > 1


_CTRL = Qt.KeyboardModifier.ControlModifier
