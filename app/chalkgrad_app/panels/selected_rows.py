"""Rows that are selected in a list or table, as ranges: thousands of them cost no more than a few."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QAbstractItemModel, QItemSelection, QItemSelectionModel


def selected_rows(model: QItemSelectionModel) -> set[int]:
    """The rows in which something is selected."""
    selection = model.selection()
    parts = (selection.at(index) for index in range(selection.count()))
    return {row for part in parts for row in range(part.top(), part.bottom() + 1)}


def select_rows(selection: QItemSelectionModel, model: QAbstractItemModel, rows: Iterable[int]) -> None:
    """Select these rows, whole, and no others."""
    wanted = QItemSelection()
    for first, end in _runs(sorted(rows)):
        wanted.select(model.index(first, 0), model.index(end, 0))
    flags = QItemSelectionModel.SelectionFlag
    selection.select(wanted, flags.ClearAndSelect | flags.Rows)


def _runs(rows: list[int]) -> list[tuple[int, int]]:
    """First and last of each run of consecutive numbers."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and row == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs
