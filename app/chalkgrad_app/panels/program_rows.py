"""The rows of the program panel: what stands in each row of the list, one text line each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from uuid import uuid4

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Ref
from chalkgrad.session.state import Status
from chalkgrad.source import emit
from chalkgrad_app.document import Document

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
MIME = "application/x-chalkgrad-lines"


class Part(Enum):
    """What of a statement a row shows."""

    FIRST = auto()  # its first line, with the number
    MORE = auto()  # a further line of it: a line that runs others again has several
    ERROR = auto()  # the first line of what PyTorch raised
    BLOCK = auto()  # the ``with`` line of a block, which is no statement


@dataclass(frozen=True, slots=True)
class Row:
    """One row. ``text`` is None for a first line that is written out when it is looked at."""

    part: Part
    statement: int | None
    number: int | None = None
    text: str | None = None
    indent: int = 0


class ProgramRows(QAbstractListModel):
    """The program as rows of one height; status is read from the document's state when a row is painted."""

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._program: Program | None = None
        self._lines: list[Row] = []
        self._texts: dict[int, str] = {}
        self._errors: dict[int, str] = {}
        self._of: dict[int, int] = {}
        self.rows: list[Row] = []
        self._token = uuid4().hex

    # ------------------------------------------------------------ follow

    def refresh(self) -> bool:
        """Follow program and state; True when the rows are other ones than before."""
        program = self._document.program
        errors = self._failed(program)
        if program is self._program and errors == self._errors:
            if self.rows:
                self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))
            return False
        self.beginResetModel()
        if program is not self._program:
            self._program = program
            self._texts = {}
            self._lines = _rows(program)
        self._errors = errors
        self.rows = _with_errors(self._lines, errors)
        firsts = enumerate(self.rows)
        self._of = {row.statement: n for n, row in firsts if row.part is Part.FIRST and row.statement is not None}
        self.endResetModel()
        return True

    def row_of(self, statement: int) -> int | None:
        """The row of a statement; that of the line that uses it for one written inline."""
        return self._of.get(line_of(self._document.program, statement))

    def rows_of(self, statements: Iterable[int]) -> list[int]:
        """All rows of some statements."""
        found = []
        for statement in statements:
            row = self.row_of(statement)
            while row is not None and row < len(self.rows):
                found.append(row)
                row = row + 1 if row + 1 < len(self.rows) and self._goes_on(row + 1) else None
        return found

    def text(self, row: Row) -> str:
        """The code or the message in a row."""
        if row.text is not None:
            return row.text
        assert row.statement is not None
        text = self._texts.get(row.statement)
        if text is None and row.statement in self._document.program:
            text = self._texts[row.statement] = emit.line(self._document.program, row.statement)
        return text or ""

    def status(self, row: Row) -> Status:
        """How far a row's statement came at the cursor."""
        if row.statement is None:
            return Status.OK
        if row.statement in self._errors:
            return Status.FAILED
        return self._document.state.statement(row.statement).status

    # ------------------------------------------------------------ what Qt asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """One for each text line."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The text, and the row itself for the delegate."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.text(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.number}  {self.text(row)}  {self.status(row)}" if row.number else self.text(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Lines can be selected and dragged; a drop goes between lines."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags | Qt.ItemFlag.ItemIsDropEnabled

    def supportedDropActions(self) -> Qt.DropAction:
        """Lines are moved."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        """Lines of this program."""
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The ids of the dragged lines, and their code for other programs."""
        ids = {self.rows[index.row()].statement: None for index in indexes}
        program = self._document.program
        chosen = [id_ for id_ in program.order if id_ in ids]
        data = QMimeData()
        data.setData(MIME, f"{self._token}:{','.join(map(str, chosen))}".encode())
        data.setText("\n".join(emit.line(program, id_) for id_ in chosen))
        return data

    def dragged(self, data: QMimeData) -> list[int]:
        """The ids of the lines that a drag of this program carries; none for anything else."""
        token, _, ids = bytes(data.data(MIME).data()).decode().partition(":")
        return [int(id_) for id_ in ids.split(",") if id_] if token == self._token else []

    # ------------------------------------------------------------ inside

    def _goes_on(self, row: int) -> bool:
        return self.rows[row].part in (Part.MORE, Part.ERROR)

    def _failed(self, program: Program) -> dict[int, str]:
        """The first line of each error at the cursor, by the line that it stands in."""
        return {
            line_of(program, problem.statement): f"{problem.type}: {problem.message}".split("\n", 1)[0]
            for problem in self._document.state.problems
            if not problem.warning and problem.statement in program
        }


def line_of(program: Program, id_: int) -> int:
    """The statement whose line a statement stands in: its own, or that of the one that uses it inline."""
    while id_ in program and program.is_inline(id_):
        id_ = program.users[id_][0]
    return id_


def with_inline(program: Program, ids: Collection[int]) -> list[int]:
    """Statements together with all that is written inside their lines, in order."""
    chosen = {id_ for id_ in ids if id_ in program}
    stack = list(chosen)
    while stack:
        for ref in program[stack.pop()].refs():
            if program.is_inline(ref.statement) and ref.statement not in chosen:
                chosen.add(ref.statement)
                stack.append(ref.statement)
    return [id_ for id_ in program.order if id_ in chosen]


def place_before(program: Program, id_: int) -> int:
    """The place in the order before a statement and all that is written inside its line."""
    return min(program.positions[member] for member in with_inline(program, [id_]))


def acts_on(program: Program, id_: int) -> int:
    """The statement whose card a line is about: the first that it refers to where it makes none itself."""
    statement = program[id_]
    if statement.kind in (Kind.BACKWARD, Kind.ATTRIBUTE, Kind.ASSIGN, Kind.AGAIN, Kind.PRINT) or not statement.targets:
        refs = [ref for ref in statement.refs() if ref.statement in program]
        return program.maker(Ref(refs[0].statement)).statement if refs else id_
    return id_


def _rows(program: Program) -> list[Row]:
    rows: list[Row] = []
    open_: tuple[int, ...] = ()
    for statement in program:
        if program.is_inline(statement.id):
            continue
        chain = program.chain(statement.block) if statement.block is not None else ()
        if chain != open_:
            rows += [
                Row(Part.BLOCK, None, None, f"with torch.{program.blocks[block].mode}():", depth)
                for depth, block in enumerate(chain)
                if block not in open_
            ]
            open_ = chain
        number = program.lines[statement.id]
        if statement.kind in (Kind.AGAIN, Kind.COMMENT):
            texts = emit.line(program, statement.id).split("\n")
            rows.append(Row(Part.FIRST, statement.id, number, texts[0], len(chain)))
            rows += [Row(Part.MORE, statement.id, None, text, len(chain)) for text in texts[1:]]
        else:
            rows.append(Row(Part.FIRST, statement.id, number, None, len(chain)))
    return rows


def _with_errors(lines: list[Row], errors: dict[int, str]) -> list[Row]:
    """The rows with each error under the last row of its line."""
    if not errors:
        return lines
    rows: list[Row] = []
    for index, row in enumerate(lines):
        rows.append(row)
        is_last = index + 1 == len(lines) or lines[index + 1].part is not Part.MORE
        if row.statement in errors and is_last:
            rows.append(Row(Part.ERROR, row.statement, None, errors[row.statement], row.indent))
    return rows
