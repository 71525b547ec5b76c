"""Text that is a tensor's numbers, told from all other text, and what becomes of it: a list to type, or a leaf.

Wherever numbers are pasted or dropped, on the canvas, into a field or into the grid, the same tables are read, see
:mod:`chalkgrad_app.editors.tables`.
"""

from __future__ import annotations

import re
from typing import cast

import numpy as np
from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit

from chalkgrad.program.names import narrow
from chalkgrad.program.statement import Statement
from chalkgrad.stepwise import finished
from chalkgrad_app.editors import leaves, tables

_END = re.compile(r",\s*(?:[a-z_]+\s*=[^\[\]]*)?\)$|\)$")
_BETWEEN = re.compile(r'[\s,;"\[\]]+')
_WORD = re.compile(r"nan|inf|∞", re.IGNORECASE)
_ARRAY = re.compile(r"(?:np\.|numpy\.)?array\((\[.*\])(?:,\s*dtype=[\w.]+)?\)", re.DOTALL)


def are_numbers(text: str) -> bool:
    """True for a text of numbers alone: a table, below a row of titles or not, lists, or an array as it is printed."""
    plain = narrow(text[: tables.LOOKED_AT]).strip()
    called = tables.CALL.match(plain)
    if len(text) > tables.LOOKED_AT:
        plain = plain[: max(map(plain.rfind, " ,\t\n"))]
    elif called is not None and not plain.endswith(")"):
        return False
    if called is not None:
        plain = plain[called.end() :]
        while (end := _END.search(plain)) is not None:
            plain = plain[: end.start()]
    return _has_numbers(plain) or (called is None and tables.has_titles(plain.splitlines()))


def is_typed(text: str) -> bool:
    """True for numbers on one line, as a person types them into a field: ``3.14``, ``1 2; 3 4``, ``[1, 2]``."""
    if len(text) > tables.LONG:
        return False
    plain = narrow(text).strip()
    is_spelt = ";" not in plain and _WORD.search(plain) is not None and are_numbers(plain)  # where nan is a name
    return not (is_spelt or re.search(r"[\t\n\r]", plain) or tables.CALL.match(plain))


def is_table(text: str) -> bool:
    """True for rows of numbers without brackets, as a spreadsheet has them."""
    plain = narrow(text).strip()
    return "[" not in plain and not is_typed(plain) and tables.CALL.match(plain) is None and are_numbers(plain)


def as_list(text: str) -> str:
    """The text of a value with a table written as a nested list, and NumPy's ``array( )`` taken off.

    Other text is left as it is. ValueError where it is a table with something wrong in it.
    """
    printed = _ARRAY.fullmatch(narrow(text).strip())
    if printed is not None:
        return printed.group(1)
    if not is_table(text):
        return text
    return str(in_shape(finished(tables.reading(text)), text).tolist())


def in_shape(array: np.ndarray, text: str) -> np.ndarray:
    """The numbers of a text in the shape that it says; a row without brackets is a vector, one number a scalar."""
    if "[" in narrow(text[: tables.LOOKED_AT]):
        return array
    if array.size == 1:
        return array.reshape(())
    return array.reshape(-1) if len(array) == 1 else array


def with_numbers(leaf: Statement, text: str, array: np.ndarray) -> Statement:
    """A new leaf with the numbers of a text: floats, but for truth values, where the text says no dtype.

    A tensor as PyTorch prints it says that it has whole numbers by how they are written.
    """
    dtype = tables.dtype(text)
    called = tables.CALL.match(narrow(text[: tables.LOOKED_AT]).strip())
    is_tensor = called is not None and called.group(1) != "array"
    if dtype is not None:
        array = array.astype(dtype)
    elif array.dtype.kind == "f" or (array.dtype.kind != "b" and not is_tensor):
        array = array.astype(np.float32)
    made = leaves.with_values(leaf, in_shape(array, text), dtype is not None)
    return leaves.with_flag(made, tables.requires_grad(text) is True)


class TablePaste(QObject):
    """Pastes a table into a field of one line, which would run its rows together, as the list that it is."""

    refused = Signal(str)  # why it is none

    def __init__(self, field: QLineEdit) -> None:
        super().__init__(field)
        self._field = field
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take Ctrl+V where a table is on the clipboard."""
        if not _pastes(event) or not is_table(text := QApplication.clipboard().text()):
            return super().eventFilter(watched, event)
        try:
            self._field.insert(as_list(text))
        except ValueError as error:
            self.refused.emit(str(error))
        else:
            self._field.textEdited.emit(self._field.text())
        return True


def _pastes(event: QEvent) -> bool:
    is_key = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
    return is_key and cast("QKeyEvent", event).matches(QKeySequence.StandardKey.Paste)


def _has_numbers(plain: str) -> bool:
    cells = [cell for cell in _BETWEEN.split(plain) if cell]
    return bool(cells) and all(cell == "..." or tables.is_number(cell) for cell in cells)
