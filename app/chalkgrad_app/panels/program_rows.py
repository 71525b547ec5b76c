"""The rows of the program panel: each line of the program, its status, and what stands between lines."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt

from chalkgrad.errors import ChalkgradError
from chalkgrad.program import edits
from chalkgrad.session.state import Status
from chalkgrad.source import emit
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
MIME = "application/x-chalkgrad-lines"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a statement's line, or the ``with`` line that opens a block (``statement`` None)."""

    statement: int | None
    number: int | None
    text: str
    indent: int = 0
    block: int | None = None


class ProgramRows(QAbstractListModel):
    """The program as rows; status and errors are read from the document's state when they are painted."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self.rows: list[Row] = []
        self._of: dict[int, int] = {}
        self.refresh()

    def refresh(self) -> None:
        """Follow the program."""
        self.beginResetModel()
        self.rows = _rows(self._document)
        self._of = {row.statement: index for index, row in enumerate(self.rows) if row.statement is not None}
        self.endResetModel()

    def repaint(self) -> None:
        """Only the state differs: the same rows look another way."""
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))

    def row_of(self, statement: int) -> int | None:
        """The row of a statement; that of the line that uses it for one written inline."""
        program = self._document.program
        while statement in program and program.is_inline(statement):
            statement = program.users[statement][0]
        return self._of.get(statement)

    def status(self, row: Row) -> Status:
        """How far a row's statement came at the cursor."""
        return Status.OK if row.statement is None else self._document.state.statement(row.statement).status

    def error(self, row: Row) -> str:
        """The first line of the row's error, or the empty string."""
        problem = None if row.statement is None else self._document.state.statement(row.statement).problem
        return f"{problem.type}: {problem.message.splitlines()[0]}" if problem and problem.message else ""

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """One for each line."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The text, and the row itself for the delegate."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.text
        return self.error(row) or None if role == Qt.ItemDataRole.ToolTipRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Lines can be selected and dragged; a drop goes between lines."""
        flags = super().flags(index)
        if not index.isValid():
            return flags | Qt.ItemFlag.ItemIsDropEnabled
        return flags | Qt.ItemFlag.ItemIsDragEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        """Lines are moved."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        """Lines of this program."""
        return [MIME]

    def mimeData(self, indexes: list[QModelIndex]) -> QMimeData:
        """The ids of the dragged lines."""
        ids = [self.rows[index.row()].statement for index in indexes]
        data = QMimeData()
        data.setData(MIME, ",".join(str(id_) for id_ in ids if id_ is not None).encode())
        return data

    def dropMimeData(
        self, data: QMimeData, _action: Qt.DropAction, row: int, _column: int, parent: Index
    ) -> bool:
        """Move the dragged lines to before row ``row``, or say why that can't be."""
        ids = [int(part) for part in bytes(data.data(MIME).data()).decode().split(",") if part]
        at = row if row >= 0 else (parent.row() if parent.isValid() else len(self.rows))
        self.move(ids, at)
        return False

    def move(self, ids: list[int], row: int) -> None:
        """Move statements to before a row, or say why that can't be."""
        document = self._document
        following = [r.statement for r in self.rows[row:] if r.statement is not None and r.statement not in ids]
        at = document.program.positions[following[0]] if following else len(document.program.order)
        try:
            document.do(lambda sheet: edits.move(sheet.program, ids, at), self.tr("Move lines"))
        except ChalkgradError as error:
            document.told.emit(render(error.text, language()))


def _rows(document: Document) -> list[Row]:
    program = document.program
    rows: list[Row] = []
    open_: tuple[int, ...] = ()
    for statement in program:
        if program.is_inline(statement.id):
            continue
        chain = program.chain(statement.block)
        for depth, block in enumerate(chain):
            if block not in open_:
                text = f"with torch.{program.blocks[block].mode}():"
                rows.append(Row(None, None, text, depth, block))
        open_ = chain
        number = program.lines[statement.id]
        rows.append(Row(statement.id, number, emit.line(program, statement.id), len(chain), statement.block))
    return rows
