"""A tensor as a table to edit: one slice of it at a time, every edit one step of an undo stack of its own."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QColor, QUndoCommand, QUndoStack

from chalkgrad_app.editors import tables
from chalkgrad_app.editors.shapes import MOST, resized, too_many
from chalkgrad_app.i18n import translate

Index = QModelIndex | QPersistentModelIndex
REMEMBERED = 60
"""So many steps can be undone; each may hold a whole tensor twice."""

LOOKED_AT = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
EDITABLE = LOOKED_AT | Qt.ItemFlag.ItemIsEditable


class ArrayStep(QUndoCommand):
    """One edit of the array: the part at ``place`` before and after; with no place, all of it.

    ``flag``: whether the tensor requires a gradient after it. ``keeps``: whether it has a dtype of its own then.
    """

    def __init__(
        self,
        model: TensorModel,
        place: tuple[slice, slice] | None,
        before: np.ndarray,
        after: np.ndarray,
        text: str,
        flag: bool | None = None,
        keeps: bool = False,
    ) -> None:
        super().__init__(text)
        self._flags = model.requires_grad if flag is None else flag, model.keeps_dtype or keeps
        self._flags_before = model.requires_grad, model.keeps_dtype
        self._model = model
        self._slice = model.chosen
        self._place = place
        self._before = before
        self._after = after

    def redo(self) -> None:
        """Make the edit."""
        self._model.requires_grad, self._model.keeps_dtype = self._flags
        self._model.put(self._slice, self._place, self._after)

    def undo(self) -> None:
        """Take it back."""
        self._model.requires_grad, self._model.keeps_dtype = self._flags_before
        self._model.put(self._slice, self._place, self._before)


class TensorModel(QAbstractTableModel):
    """The array that is edited. ``chosen`` are the indices of the dimensions before the last two."""

    edited = Signal()  # the array holds something else, or has another shape
    refused = Signal(str)  # why what was typed or pasted can't stand there

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.array = np.zeros((1, 1), np.float32)
        self.chosen: tuple[int, ...] = ()
        self.locked = ""
        self.keeps_dtype = False
        self.requires_grad = False
        self.shows_map = False
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(REMEMBERED)
        self._range: tuple[float, float] | None = None
        self._decimals: dict[int, int | None] = {}

    # ------------------------------------------------------------ read

    @property
    def is_editable(self) -> bool:
        """False where something is ``locked``: it says why the numbers can only be looked at."""
        return not self.locked

    @property
    def shown(self) -> np.ndarray:
        """The slice shown, a view with two dimensions."""
        array = self.array
        if array.ndim < 2:
            return array.reshape(1, -1)
        return np.asarray(array[self.chosen])

    def rowCount(self, parent: Index | None = None) -> int:
        """Rows of the slice."""
        return 0 if parent is not None and parent.isValid() else self.shown.shape[0]

    def columnCount(self, parent: Index | None = None) -> int:
        """Columns of the slice."""
        return 0 if parent is not None and parent.isValid() else self.shown.shape[1]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A number as text; its grey where the map is shown."""
        if not index.isValid():
            return None
        value = self.shown[index.row(), index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return tables.shown_text(value, self._decimals_of(index.column()))
        if role in (Qt.ItemDataRole.EditRole, Qt.ItemDataRole.ToolTipRole):
            return tables.cell_text(value)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role in (Qt.ItemDataRole.BackgroundRole, Qt.ItemDataRole.ForegroundRole) and self.shows_map:
            return self._grey(float(value), role == Qt.ItemDataRole.ForegroundRole)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Indices, from 0 as in PyTorch."""
        return str(section) if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Cells can be edited, unless it is only looked at."""
        return EDITABLE if self.is_editable else LOOKED_AT

    def problem(self, text: str) -> str:
        """Why ``text`` can't stand in a cell; nothing where it can."""
        try:
            self._cell(text)
        except ValueError as error:
            return str(error)
        return ""

    # ------------------------------------------------------------ edit

    def load(self, array: np.ndarray, keeps_dtype: bool = False, requires_grad: bool = False) -> None:
        """Begin with an array; nothing can be undone then. With ``keeps_dtype`` no typed number changes the dtype."""
        self.undo_stack.clear()
        self.keeps_dtype, self.requires_grad = keeps_dtype, requires_grad
        self._reset(np.array(array))

    def choose(self, indices: tuple[int, ...]) -> None:
        """Show another slice."""
        self.beginResetModel()
        self.chosen, self._decimals = indices, {}
        self.endResetModel()

    def show_map(self, on: bool) -> None:
        """Lay a grey map under the numbers, dark for the least."""
        self.shows_map = on
        self._announce()

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Put the number that was typed into a cell; False, with the reason told, where it is none."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        text = str(value)
        if text == tables.cell_text(self.shown[index.row(), index.column()]):
            return True
        try:
            cell = self._cell(text)
        except ValueError as error:
            self.refused.emit(str(error))
            return False
        self.write(index.row(), index.column(), np.array([[cell]]), self.tr("Edit number"))
        return True

    @Slot(object)
    def refuse(self, error: Exception) -> None:
        """Say why what was pasted can't stand there."""
        self.refused.emit(str(error))

    def write(self, row: int, column: int, block: np.ndarray, label: str) -> None:
        """Write a block of numbers over the cells from (row, column) on; the tensor grows where it must."""
        rows, columns = row + block.shape[0], column + block.shape[1]
        height, width = self.shown.shape
        if rows > height or columns > width:
            leading, shape = self.array.shape[:-2], (max(rows, height), max(columns, width))
            grown: np.ndarray = np.zeros((*leading, *shape), self._wider(block))
            grown[..., :height, :width] = self.array
            shown = grown[self.chosen] if self.array.ndim > 2 else grown
            shown[row:rows, column:columns] = block
            self._replace(grown if self.array.ndim >= 2 or rows > 1 else grown.reshape(-1), label)
            return
        if self._wider(block) != self.array.dtype:
            array = self.array.astype(self._wider(block))
            shown = array[self.chosen] if array.ndim > 1 else array.reshape(1, -1)
            shown[row:rows, column:columns] = block
            self._replace(array, label)
            return
        place = (slice(row, rows), slice(column, columns))
        after = block.astype(self.array.dtype, copy=False)
        if not np.array_equal(self.shown[place], after, equal_nan=after.dtype.kind == "f"):
            self.undo_stack.push(ArrayStep(self, place, self.shown[place].copy(), after, label))

    def paste(self, row: int, column: int, rows: int, columns: int, cells: np.ndarray) -> tuple[int, int]:
        """Write pasted cells over the block of ``rows`` and ``columns`` from (row, column) on.

        As in a spreadsheet they fill a block that they fit into several times, and go beyond one that they don't. The
        rows and columns written are returned; (0, 0) where the numbers can't stand there.
        """
        block = self._pasted(cells)
        if block is None:
            return 0, 0
        block = np.atleast_2d(block)
        height, width = block.shape
        if not (rows % height or columns % width):
            block = np.tile(block, (rows // height, columns // width))
        if not self._has_room(row, column, block):
            return 0, 0
        self.write(row, column, block, self.tr("Paste"))
        return block.shape[0], block.shape[1]

    def paste_whole(self, array: np.ndarray, requires_grad: bool | None = None, dtype: np.dtype | None = None) -> bool:
        """Put a pasted array in the place of this one, shape and all; False where its numbers can't stand here.

        ``requires_grad`` and ``dtype``: what was pasted with it; None leaves these as they are.
        """
        made = array.astype(dtype) if dtype is not None else self._pasted(array)
        if made is None:
            return False
        made = made.astype(dtype or self._wider(made), copy=False)
        is_same = made.shape == self.array.shape and np.array_equal(made, self.array, equal_nan=made.dtype.kind == "f")
        is_same = is_same and made.dtype == self.array.dtype
        if not is_same or requires_grad not in (None, self.requires_grad):
            step = ArrayStep(self, None, self.array, made, self.tr("Paste"), requires_grad, keeps=dtype is not None)
            self.undo_stack.push(step)
        return True

    def insert(self, axis: int, at: int) -> None:
        """Insert a row (axis 0) or a column (axis 1) of zeros before place ``at``."""
        array = self.array if self.array.ndim >= 2 else self.array.reshape(1, -1)
        made: np.ndarray = np.insert(array, at, 0, axis=array.ndim - 2 + axis)
        if self.array.ndim < 2 and axis == 1:
            made = made.reshape(-1)
        self._replace(made, self.tr("Insert row") if axis == 0 else self.tr("Insert column"))

    def remove(self, axis: int, first: int, count: int) -> None:
        """Delete ``count`` rows (axis 0) or columns (axis 1); one has to stay."""
        height, width = self.shown.shape
        if count >= (height if axis == 0 else width):
            self.refused.emit(self.tr("One row and one column have to stay"))
            return
        array = self.array if self.array.ndim >= 2 else self.array.reshape(1, -1)
        made: np.ndarray = np.delete(array, slice(first, first + count), axis=array.ndim - 2 + axis)
        if self.array.ndim < 2:
            made = made.reshape(-1)
        self._replace(made, self.tr("Delete rows") if axis == 0 else self.tr("Delete columns"))

    def reshape(self, shape: tuple[int, ...]) -> None:
        """Give it another shape; ValueError for one that the numbers can't have."""
        made = resized(self.array, shape)
        if made.shape != self.array.shape:
            self._replace(made, self.tr("Change shape"))

    def put(self, chosen: tuple[int, ...], place: tuple[slice, slice] | None, part: np.ndarray) -> None:
        """Put a part of the array, or the whole; for the steps of the undo stack."""
        if place is None:
            self._reset(part.copy())
        else:
            if chosen != self.chosen:
                self.choose(chosen)
            self.shown[place] = part
            self._range, self._decimals = None, {}
            self._announce()
        self.edited.emit()

    # ------------------------------------------------------------ inside

    def _cell(self, text: str) -> np.generic:
        """The number typed; one with a fraction makes floats of whole numbers that nobody gave a dtype."""
        dtype = self.array.dtype
        if self.keeps_dtype or dtype.kind == "f":
            return tables.read_cell(text, dtype)
        try:
            return tables.read_cell(text, dtype)
        except ValueError:
            return tables.read_cell(text, np.dtype(np.float32))

    def _has_room(self, row: int, column: int, block: np.ndarray) -> bool:
        """False, with the reason told, where so many zeros would have to be added that nobody has brought."""
        height, width = self.shown.shape
        rows, columns = max(row + block.shape[0], height), max(column + block.shape[1], width)
        count = prod(self.array.shape[:-2]) * rows * columns
        if count > max(MOST, self.array.size + block.size):
            self.refused.emit(str(too_many(count)))
            return False
        return True

    def _pasted(self, block: np.ndarray) -> np.ndarray | None:
        """Pasted numbers as they can stand in the array; None, with the reason told, where they can't."""
        try:
            return self._fitting(block) if self.keeps_dtype or block.dtype.kind == "f" else block
        except ValueError as error:
            self.refused.emit(str(error))
            return None

    def _fitting(self, block: np.ndarray) -> np.ndarray:
        """A pasted block in the array's dtype; ValueError where that would cut something off."""
        dtype: np.dtype[Any] = self.array.dtype
        if dtype.kind in "iu" and not self.keeps_dtype:
            return block
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            if not (np.isfinite(block).all() and (block == np.floor(block)).all()):
                raise ValueError(translate("Tables", "{dtype} holds whole numbers").format(dtype=dtype.name))
            if block.min() < limits.min or block.max() > limits.max:
                words = translate("Tables", "{dtype} holds {least} to {most}")
                raise ValueError(words.format(dtype=dtype.name, least=limits.min, most=limits.max))
        return block.astype(dtype, copy=False)

    def _wider(self, block: np.ndarray) -> np.dtype:
        """The dtype that the array has with ``block`` in it."""
        own = self.array.dtype
        if self.keeps_dtype or own.kind == "f" or block.dtype.kind == "b":
            return own
        if block.dtype.kind == "f":
            return np.dtype(np.float32)
        return np.dtype(np.int64) if own.kind == "b" else own

    def _replace(self, array: np.ndarray, label: str) -> None:
        self.undo_stack.push(ArrayStep(self, None, self.array, array, label))

    def _reset(self, array: np.ndarray) -> None:
        self.beginResetModel()
        self.array = array
        self._range, self._decimals = None, {}
        leading = array.shape[:-2]
        kept = zip(self.chosen, leading, strict=False) if len(self.chosen) == len(leading) else ()
        self.chosen = tuple(min(at, size - 1) for at, size in kept) or (0,) * len(leading)
        self.endResetModel()

    def _announce(self) -> None:
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last)

    def _decimals_of(self, column: int) -> int | None:
        """With how many decimals a column of the slice is shown."""
        if column not in self._decimals:
            self._decimals[column] = tables.decimals(self.shown[:, column])
        return self._decimals[column]

    def _grey(self, value: float, ink: bool) -> QColor | None:
        """The grey of a number between the least and the greatest; numbers that aren't finite have none."""
        if self._range is None:
            numbers = self.array[np.isfinite(self.array)] if self.array.size else self.array
            self._range = (float(numbers.min()), float(numbers.max())) if numbers.size else (0.0, 0.0)
        low, high = self._range
        if not np.isfinite(value):
            return None
        share = (value - low) / (high - low) if high > low else 0.5
        if ink:
            return QColor("white" if share < 0.5 else "black")
        return QColor.fromHslF(0.0, 0.0, 0.12 + 0.84 * share)
