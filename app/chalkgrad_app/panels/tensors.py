"""The table of all tensors: every name, with every fact as PyTorch prints it."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from chalkgrad.program.cards import CARDS
from chalkgrad.program.names import narrow
from chalkgrad.session.state import TensorState
from chalkgrad_app.document import Document
from chalkgrad_app.naming import cut_short
from chalkgrad_app.panels import facts
from chalkgrad_app.panels.fact_table import FactTable
from chalkgrad_app.panels.mirror import Mirror
from chalkgrad_app.panels.selected_rows import select_rows, selected_rows
from chalkgrad_app.widgets.code_font import scaled

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("name", *(name for name, _ in facts.FACTS))
CELL = 60
"""Characters of a value that a cell shows; its tooltip has the whole."""

SOME, MANY = 300, 1_000
"""The filter looks at values among so few tensors, and at anything but names only among so few."""

Row = tuple[int, int, str]


class TensorsModel(QAbstractTableModel):
    """A row for each output of each card, in the order of the lines; cells are read from the state when asked for."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self._rows: list[Row] = []
        self.wanted = ""

    def refresh(self) -> bool:
        """Follow program and state; True when the rows are other ones than before."""
        rows = self._found()
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
            return True
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1))
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(rows) - 1)
        return False

    def statement(self, row: int) -> int:
        """Id of the statement in a row."""
        return self._rows[row][0]

    def text(self, row: int, column: int) -> str:
        """One fact, whole."""
        id_, output, name = self._rows[row]
        if column == 0:
            return name
        tensor = self._document.state.tensor(id_, output)
        if tensor is None:
            return ""
        return facts.text(COLUMNS[column], self._document.program[id_], self._document.state, tensor)

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
        return str(self._document.program.lines.get(self._rows[section][0], 0)) if section < len(self._rows) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One fact: shortened to one line in the cell, whole in the tooltip."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            line = " ".join(self.text(index.row(), index.column()).split())
            return cut_short(line, CELL)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.text(index.row(), index.column())
        return None

    def _found(self) -> list[Row]:
        program = self._document.program
        rows = [
            (statement.id, output, name)
            for statement in program
            if statement.kind in CARDS
            for output, name in enumerate(statement.targets)
            if name
        ]
        if not self.wanted:
            return rows
        facts_too, values_too = len(rows) < MANY, len(rows) < SOME
        return [row for row in rows if self._matches(row, facts_too, values_too)]

    def _matches(self, row: Row, facts_too: bool, values_too: bool) -> bool:
        id_, output, name = row
        if self.wanted in name.casefold() or not facts_too:
            return self.wanted in name.casefold()
        tensor = self._document.state.tensor(id_, output)
        return tensor is not None and self.wanted in self._searched(id_, tensor, values_too)

    def _searched(self, id_: int, tensor: TensorState, values_too: bool) -> str:
        statement, state = self._document.program[id_], self._document.state
        names = {"shape", "dtype", "grad_fn"} | ({"value", "grad", "saved"} if values_too else set())
        texts = [facts.text(name, statement, state, tensor) for name, _ in facts.FACTS if name in names]
        return " ".join([*texts, facts.kind_words(tensor)]).casefold()


class TensorsPanel(Mirror):
    """The table with a field that filters it; its selection is the document's."""

    STANDARD_KEYS = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "tensors", parent)
        self._selecting = False
        self.filter = QLineEdit(self)
        self.filter.setObjectName("tensors.filter")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter)
        self.model = TensorsModel(document, self)
        self.table = FactTable("tensors.table", self)
        self.table.setModel(self.model)
        self.table.selectionModel().selectionChanged.connect(self._on_table_selected)
        self.take_keys_of(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(scaled(8), scaled(8), scaled(8), 0)
        column.setSpacing(scaled(4))
        column.addWidget(self.filter)
        column.addWidget(self.table)
        self.restyle()
        self.begin(document.traced, document.moved, document.changed, document.covering, document.selected)

    def follow(self) -> None:
        """Read everything anew."""
        self._selecting = True
        self.model.refresh()
        self._selecting = False
        self._follow_selection()
        self.table.widen()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.filter.setPlaceholderText(self.tr("Filter"))
        self.filter.setToolTip(self.tr("By name, value, shape, dtype, grad_fn, leaf or intermediate"))
        self.filter.setAccessibleName(self.tr("Filter"))
        self.table.setAccessibleName(self.tr("Tensors"))

    def restyle(self) -> None:
        """Font and sizes of the text size in use."""
        self.table.restyle()

    def select_all(self) -> None:
        """Select every row."""
        self.table.selectAll()

    def text(self) -> str:
        """The selected rows, all of them when none is selected, as tab-separated text with the names above."""
        self.catch_up()
        rows = self.table.chosen_rows()
        cells = [[" ".join(self.model.text(row, n).split()) for n in range(len(COLUMNS))] for row in rows]
        return "\n".join("\t".join(row) for row in [list(COLUMNS), *cells])

    # ------------------------------------------------------------ inside

    def _on_filter(self, text: str) -> None:
        self.model.wanted = narrow(text).strip().casefold()
        self.schedule()

    def _on_table_selected(self, *_: object) -> None:
        if self._selecting:
            return
        rows = selected_rows(self.table.selectionModel())
        self._selecting = True
        self.document.select({self.model.statement(row) for row in rows})
        self._selecting = False

    def _follow_selection(self) -> None:
        chosen, model = self.document.selection, self.model
        wanted = [row for row in range(model.rowCount()) if model.statement(row) in chosen] if chosen else []
        if selected_rows(self.table.selectionModel()) == set(wanted):
            return
        self._selecting = True
        select_rows(self.table.selectionModel(), model, wanted)
        self._selecting = False
        if wanted:
            self.table.scrollTo(model.index(wanted[-1], 0))
