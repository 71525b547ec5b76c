"""What the memory panel's tables show: the values saved for a backward, and the storages in use."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from chalkgrad.engine.printing import values_text
from chalkgrad.session.events import NodeRecord
from chalkgrad.session.retained import Fate, SavedEntry, StorageUse
from chalkgrad.session.trace import Trace
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate
from chalkgrad_app.panels.object_names import line_number, line_text, object_name
from chalkgrad_app.style import theme

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row", SavedEntry, StorageUse)
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

FATES = {
    Fate.KEPT: QT_TRANSLATE_NOOP("Memory", "● kept"),
    Fate.FREED: QT_TRANSLATE_NOOP("Memory", "○ freed"),
    Fate.DROPPED: QT_TRANSLATE_NOOP("Memory", "◌ dropped"),
}
FATE_TIPS = {
    Fate.KEPT: QT_TRANSLATE_NOOP("Memory", "Kept: no backward has freed it, and something still refers to its node"),
    Fate.FREED: QT_TRANSLATE_NOOP("Memory", "A backward has used and freed it"),
    Fate.DROPPED: QT_TRANSLATE_NOOP(
        "Memory", "Nothing refers to its node any more; what that had saved has gone with it"
    ),
}


def letters(number: int) -> str:
    """A storage's sign: A to Z, then AA and so on."""
    text = ""
    while number >= 0:
        number, rest = divmod(number, 26)
        text, number = chr(ord("A") + rest) + text, number - 1
    return text


class MemoryModel(QAbstractTableModel, Generic[Row]):
    """Rows that are read when a cell is asked for; they stay sorted as the heading says that was clicked last."""

    TITLES: tuple[str, ...] = ()
    NUMBERS: frozenset[str] = frozenset()
    """The columns of numbers, which stand at the right."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self.document = document
        self.rows: Sequence[Row] = ()
        self.trace, self.position = document.session.trace, 0
        self._as_happened: Sequence[Row] = ()
        self._sorted_by = -1
        self._order = Qt.SortOrder.AscendingOrder

    def show_rows(self, rows: Sequence[Row], trace: Trace, position: int) -> bool:
        """Show these; True when they are other ones than before: then no row is selected any more.

        The trace is kept with them: cells may be asked for when the document has a new one already.
        """
        self.trace, self.position = trace, position
        self._as_happened = rows
        rows = self._in_order(rows)
        if rows == self.rows:
            self.rows = rows  # their memory may be another
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.TITLES) - 1))
            return False
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()
        return True

    @abstractmethod
    def text(self, row: int, column: int) -> str:
        """What a cell says."""

    @abstractmethod
    def statements(self, row: int) -> tuple[int, ...]:
        """The statements whose cards a row is about: the node's, then the tensor's."""

    def is_chosen(self, row: int, statements: Collection[int], node: int | None) -> bool:
        """True for a row about what is selected: statements, or a node of the graph."""
        del node
        return self.statements(row)[0] in statements

    def derived_node(self, row: int) -> int | None:
        """The node of a row that is part of a gradient's own graph."""
        del row
        return None

    @abstractmethod
    def key(self, row: Row, column: int) -> int | str:
        """What a column is sorted by."""

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Put the rows into the order of a column; -1: as things happened."""
        self._sorted_by, self._order = column, order
        self.show_rows(self._as_happened, self.trace, self.position)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """How many columns there are."""
        return 0 if parent.isValid() else len(self.TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The headings."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and self.TITLES[section] in self.NUMBERS:
            return RIGHT
        return translate("Memory", self.TITLES[section]) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell; what is gone is written faintly."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tip(index.row(), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole and self.TITLES[index.column()] in self.NUMBERS:
            return RIGHT
        if role == Qt.ItemDataRole.ForegroundRole and self.is_gone(index.row()):
            return theme.current().color("muted")
        return None

    def tip(self, row: int, column: int) -> str:
        """What a cell's tooltip says."""
        return self.text(row, column)

    def is_gone(self, row: int) -> bool:
        """True for a row that tells of something past."""
        del row
        return False

    def _in_order(self, rows: Sequence[Row]) -> Sequence[Row]:
        if self._sorted_by < 0:
            return rows
        column, back = self._sorted_by, self._order == Qt.SortOrder.DescendingOrder
        return sorted(rows, key=lambda row: self.key(row, column), reverse=back)


class SavedModel(MemoryModel[SavedEntry]):
    """A row for each value that a node saved."""

    TITLES = (
        QT_TRANSLATE_NOOP("Memory", "tensor"),
        QT_TRANSLATE_NOOP("Memory", "state"),
        "grad_fn",
        QT_TRANSLATE_NOOP("Memory", "bytes"),
        QT_TRANSLATE_NOOP("Memory", "storage"),
        QT_TRANSLATE_NOOP("Memory", "until"),
        QT_TRANSLATE_NOOP("Memory", "saved as"),
        QT_TRANSLATE_NOOP("Memory", "line"),
        "shape",
        "dtype",
        "_version",
    )
    NUMBERS = frozenset({"line", "bytes", "_version"})
    IN_VIEW = 5
    """So many columns are seen in a dock as it is at first; the name of the ``grad_fn`` gives way."""

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        return self._cell(self.rows[row], self.TITLES[column])

    def _cell(self, entry: SavedEntry, title: str) -> str:
        if title == "grad_fn":
            return self._node(entry).name
        if title == "tensor":
            return self._tensor(entry)
        if title == "line":
            return line_number(self.document, *self._made_by(entry))
        if title == "state":
            return translate("Memory", FATES[entry.fate(self.position)])
        if title == "until":
            return self._until(entry)
        texts: dict[str, str] = {
            "saved as": entry.name,
            "bytes": f"{entry.nbytes:,}",
            "storage": letters(entry.storage),
            "shape": f"{list(entry.array.shape)}",
            "dtype": entry.array.dtype.name,
            "_version": str(entry.version),
        }
        return texts[title]

    def key(self, row: SavedEntry, column: int) -> int | str:
        """What a column is sorted by."""
        title = self.TITLES[column]
        numbers = {"line": row.made, "bytes": row.nbytes, "storage": row.storage, "_version": row.version}
        return numbers[title] if title in numbers else self._cell(row, title)

    def tip(self, row: int, column: int) -> str:
        """The cell's text, and what that means."""
        entry, title = self.rows[row], self.TITLES[column]
        if title == "state":
            words, until = translate("Memory", FATE_TIPS[entry.fate(self.position)]), self._until(entry)
            return f"{words} ({until})" if until else words
        if title in ("storage", "bytes"):
            return translate("Memory", "{storage}, {bytes} bytes in all; saved of it: {names}").format(
                storage=letters(entry.storage),
                bytes=f"{self.trace.retained.storage_bytes(entry.storage):,}",
                names=", ".join(self._saved(other) for other in self.rows if other.storage == entry.storage),
            )
        return self.text(row, column)

    def statements(self, row: int) -> tuple[int, ...]:
        """The statement that made the node, then the one that made the tensor."""
        entry = self.rows[row]
        trace = self.trace
        made = () if entry.number is None else (trace.made_by(entry.number),)
        return self._made_by(entry)[0], *made

    def is_chosen(self, row: int, statements: Collection[int], node: int | None) -> bool:
        """True for what the selected node saved, or the node of a selected statement."""
        return self.rows[row].node == node if node is not None else super().is_chosen(row, statements, None)

    def derived_node(self, row: int) -> int | None:
        """The node of a row that is part of a gradient's own graph."""
        node = self.rows[row].node
        return None if self.trace.graph_of(node) is None else node

    def is_gone(self, row: int) -> bool:
        """True for what is freed or dropped."""
        return self.rows[row].fate(self.position) is not Fate.KEPT

    def _saved(self, entry: SavedEntry) -> str:
        line = line_text(self.document, *self._made_by(entry))
        return f"{self._node(entry).name}.{entry.name} ({line})"

    def _node(self, entry: SavedEntry) -> NodeRecord:
        return self.trace.nodes[entry.node]

    def _made_by(self, entry: SavedEntry) -> tuple[int, int]:
        node = self._node(entry)
        return node.statement, node.pass_

    def _tensor(self, entry: SavedEntry) -> str:
        """The name of the tensor; of a Python number its value."""
        if entry.number is None:
            return values_text(entry.array) if entry.array.size == 1 else ""
        return object_name(self.document, entry.number, self.position, self.trace)

    def _until(self, entry: SavedEntry) -> str:
        """The line that freed or dropped it; empty for what is kept."""
        retained, fate = self.trace.retained, entry.fate(self.position)
        by = {Fate.FREED: retained.freed_by, Fate.DROPPED: retained.dropped_by}
        at = by[fate](entry) if fate in by else None
        return "" if at is None else line_text(self.document, at)


class StoragesModel(MemoryModel[StorageUse]):
    """A row for each storage that a name leads to, or that is kept for a backward."""

    TITLES = (
        QT_TRANSLATE_NOOP("Memory", "storage"),
        QT_TRANSLATE_NOOP("Memory", "bytes"),
        QT_TRANSLATE_NOOP("Memory", "tensors"),
        QT_TRANSLATE_NOOP("Memory", "saved by"),
    )
    NUMBERS = frozenset({"bytes"})

    def text(self, row: int, column: int) -> str:
        """What a cell says."""
        return self._cell(self.rows[row], self.TITLES[column])

    def _cell(self, use: StorageUse, title: str) -> str:
        if title == "storage":
            return letters(use.storage)
        if title == "bytes":
            return f"{use.nbytes:,}"
        if title == "tensors":
            names = (object_name(self.document, number, self.position, self.trace) for number in use.holders)
            return ", ".join(names) or "—"
        trace = self.trace
        nodes = [trace.nodes[node] for node in dict.fromkeys(entry.node for entry in use.entries)]
        return ", ".join(f"{node.name} ({line_text(self.document, node.statement, node.pass_)})" for node in nodes)

    def key(self, row: StorageUse, column: int) -> int | str:
        """What a column is sorted by."""
        title = self.TITLES[column]
        return {"storage": row.storage, "bytes": row.nbytes}.get(title, self._cell(row, title))

    def statements(self, row: int) -> tuple[int, ...]:
        """The statements that made the tensors which show it, and those whose nodes saved of it."""
        trace, use = self.trace, self.rows[row]
        made = [trace.made_by(number) for number in use.holders]
        return tuple(dict.fromkeys([*made, *(trace.nodes[entry.node].statement for entry in use.entries)]))
