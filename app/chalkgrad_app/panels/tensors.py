"""The table of all tensors: every name, with every fact as PyTorch prints it."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QTableView, QVBoxLayout, QWidget

from chalkgrad.program.building import CARDS
from chalkgrad.session.state import TensorState
from chalkgrad_app.document import Document
from chalkgrad_app.panels import facts

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("name", *(name for name, _ in facts.FACTS))
CELL = 60
"""Characters of a value that a cell shows; its tooltip has the whole."""


class TensorsModel(QAbstractTableModel):
    """A row for each output of each card, read from the document's state when it is asked for."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self._rows: list[tuple[int, int, str]] = []
        self.refresh()

    def refresh(self) -> None:
        """Follow the program and the state."""
        program = self._document.program
        self.beginResetModel()
        self._rows = [
            (statement.id, output, name)
            for statement in program
            if statement.kind in CARDS
            for output, name in enumerate(statement.targets)
            if name
        ]
        self.endResetModel()

    def statement(self, row: int) -> int:
        """Id of the statement in a row."""
        return self._rows[row][0]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """A row for each named output."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """The name and every fact."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """PyTorch's names above, line numbers at the side."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return COLUMNS[section]
        return self._document.program.lines.get(self._rows[section][0], 0)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One fact: shortened to one line in the cell, whole in the tooltip."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole) or not index.isValid():
            return None
        text = self._text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return text
        line = " ".join(text.split())
        return line if len(line) <= CELL else line[: CELL - 1] + "…"

    def _text(self, row: int, column: int) -> str:
        id_, output, name = self._rows[row]
        if column == 0:
            return name
        tensor = self._tensor(id_, output)
        return "" if tensor is None else facts.FACTS[column - 1][1](self._document.state, tensor)

    def _tensor(self, id_: int, output: int) -> TensorState | None:
        return self._document.state.tensor(id_, output)


class TensorsPanel(QWidget):
    """The table with a field that filters it; its selection is the document's."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel.tensors")
        self._document = document
        self._stale = True
        self._selecting = False
        self.filter = QLineEdit(self)
        self.filter.setObjectName("tensors.filter")
        self.filter.setClearButtonEnabled(True)
        self.model = TensorsModel(document)
        self.sorted = QSortFilterProxyModel(self)
        self.sorted.setSourceModel(self.model)
        self.sorted.setFilterKeyColumn(-1)
        self.sorted.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter.textChanged.connect(self.sorted.setFilterFixedString)
        self.table = QTableView(self)
        self.table.setObjectName("tensors.table")
        self.table.setModel(self.sorted)
        self.table.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setWordWrap(False)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.selectionModel().selectionChanged.connect(self._on_table_selected)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filter)
        column.addWidget(self.table)
        for signal in (document.traced, document.moved, document.changed, document.covering):
            signal.connect(self._on_changed)
        document.selected.connect(self._follow_selection)
        self.retranslate()

    def refresh(self) -> None:
        """Read everything anew, where the table can be seen."""
        if not self.isVisible():
            self._stale = True
            return
        self._stale = False
        self._selecting = True
        self.model.refresh()
        self._selecting = False
        self._follow_selection()
        if self.model.rowCount() <= 200:
            self.table.resizeColumnsToContents()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.filter.setPlaceholderText(self.tr("Filter"))
        self.filter.setAccessibleName(self.tr("Filter"))
        self.table.setAccessibleName(self.tr("Tensors"))
        self.refresh()

    def showEvent(self, event: object) -> None:
        """Catch up with what happened while the table was hidden."""
        super().showEvent(event)  # type: ignore[arg-type]
        if self._stale:
            self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the selected rows as tab-separated text."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.text())
            return
        super().keyPressEvent(event)

    def text(self) -> str:
        """The selected rows, all of them when none is selected, as tab-separated text with the names above."""
        rows = sorted({index.row() for index in self.table.selectionModel().selectedIndexes()})
        rows = rows or list(range(self.sorted.rowCount()))
        cells = [[self._cell(row, column) for column in range(len(COLUMNS))] for row in rows]
        return "\n".join("\t".join(row) for row in [list(COLUMNS), *cells])

    def _cell(self, row: int, column: int) -> str:
        text = self.sorted.index(row, column).data(Qt.ItemDataRole.ToolTipRole)
        return " ".join(str(text).split())

    def _on_changed(self, *_: object) -> None:
        self.refresh()

    def _on_table_selected(self, *_: object) -> None:
        if self._selecting:
            return
        rows = {self.sorted.mapToSource(index).row() for index in self.table.selectionModel().selectedIndexes()}
        self._selecting = True
        self._document.select(self.model.statement(row) for row in rows)
        self._selecting = False

    def _follow_selection(self) -> None:
        if self._selecting or not self.isVisible():
            return
        wanted = QItemSelection()
        for row in range(self.sorted.rowCount()):
            if self.model.statement(self.sorted.mapToSource(self.sorted.index(row, 0)).row()) in self._document.selection:
                wanted.select(self.sorted.index(row, 0), self.sorted.index(row, len(COLUMNS) - 1))
        self._selecting = True
        self.table.selectionModel().select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._selecting = False
