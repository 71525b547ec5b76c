"""The rows of the program panel: what stands in each row of the list, one text line each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from itertools import accumulate
from typing import NamedTuple, overload

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt, QUuid

from chalkgrad.program.inlining import line_of, with_inline
from chalkgrad.program.program import Program
from chalkgrad.program.statement import DIFFERENTIATING, Kind, Ref
from chalkgrad.session.events import EventKind
from chalkgrad.session.state import Status
from chalkgrad.source import emit
from chalkgrad_app.document import Document
from chalkgrad_app.panels.event_words import EventWords
from chalkgrad_app.panels.row_list import Index, RowModel
from chalkgrad_app.training import round_number

MIME = "application/x-chalkgrad-lines"

OF_EVENT, BETWEEN = Qt.ItemFlag.ItemIsEnabled, Qt.ItemFlag.ItemIsDropEnabled
OF_LINE = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)


class Part(Enum):
    """What of a statement a row shows."""

    FIRST = auto()  # its first line, with the number
    MORE = auto()  # a further line of it: a line that runs others again has several
    ERROR = auto()  # the first line of what PyTorch raised
    BLOCK = auto()  # the ``with`` or ``for`` line of a block, which is no statement
    EVENT = auto()  # one of the engine's events inside an unfolded line


class Row(NamedTuple):
    """One row. ``text`` is None where it is written out when the row is looked at; ``position`` is an event's.

    ``block`` is the block that a row opens.
    """

    part: Part
    statement: int | None
    number: int | None = None
    text: str | None = None
    indent: int = 0
    position: int | None = None
    block: int | None = None


class Unfolded(NamedTuple):
    """The events of one line that are shown: after which row of the lines, and which indices they have."""

    statement: int
    after: int
    indent: int
    events: range


class Rows(Sequence[Row]):
    """The rows of all lines with the events of those unfolded between them; an event's row is made when asked for."""

    def __init__(self, lines: list[Row], unfolded: Sequence[Unfolded] = ()) -> None:
        self.lines = lines
        self.unfolded = unfolded
        self._counts = [0, *accumulate(len(part.events) for part in unfolded)]
        self._begins = [part.after + 1 + before for part, before in zip(unfolded, self._counts[:-1], strict=True)]

    def __len__(self) -> int:
        return len(self.lines) + self._counts[-1]

    @overload
    def __getitem__(self, row: int) -> Row: ...
    @overload
    def __getitem__(self, row: slice) -> list[Row]: ...
    def __getitem__(self, row: int | slice) -> Row | list[Row]:
        """What stands in a row."""
        if isinstance(row, slice):
            return [self[index] for index in range(*row.indices(len(self)))]
        at = row + len(self) if row < 0 else row
        if not 0 <= at < len(self):
            raise IndexError(row)
        number = bisect_right(self._begins, at) - 1
        if number < 0:
            return self.lines[at]
        part, offset = self.unfolded[number], at - self._begins[number]
        if offset < len(part.events):
            return Row(Part.EVENT, part.statement, None, None, part.indent, part.events[offset] + 1)
        return self.lines[at - self._counts[number + 1]]

    def row_of(self, line: int) -> int:
        """The row in which a row of the lines stands."""
        return line + self._counts[bisect_right([part.after for part in self.unfolded], line - 1)]

    def row_at(self, statement: int, position: int) -> int | None:
        """The row of the event right before a position, where its line is unfolded."""
        for begin, part in zip(self._begins, self.unfolded, strict=True):
            if part.statement == statement and position - 1 in part.events:
                return begin + part.events.index(position - 1)
        return None

    def lines_from(self, row: int) -> Iterator[Row]:
        """The rows of lines at and after a row."""
        before = sum(
            min(len(part.events), max(0, row - at)) for at, part in zip(self._begins, self.unfolded, strict=True)
        )
        return iter(self.lines[row - before :])


class ProgramRows(RowModel):
    """The program as rows of one height; status is read from the document's state when a row is painted."""

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._program: Program | None = None
        self._lines: list[Row] = []
        self._texts: dict[int, str] = {}
        self._errors: dict[int, str] = {}
        self._of: dict[int, int] = {}
        self._open: set[int] = set()
        self.words = EventWords(document)
        self.rows: Rows = Rows([])
        self._token = QUuid.createUuid().toString(QUuid.StringFormat.Id128)

    # ------------------------------------------------------------ follow

    def refresh(self) -> bool:
        """Follow program and state; True when the rows are other ones than before."""
        program = self._document.program
        errors = self._failed(program)
        is_new = program is not self._program and not self._has_other_numbers(program)
        unfolded = [] if is_new else self._unfolded(self.rows.lines)
        if not is_new and errors == self._errors and unfolded == self.rows.unfolded:
            return False
        self.beginResetModel()
        if is_new:
            self._program = program
            self._texts = {}
            self._lines = _rows(program)
            self._open = {id_ for id_ in self._open if id_ in program}
        self._errors = errors
        lines = _with_errors(self._lines, errors)
        firsts = enumerate(lines)
        self._of = {row.statement: n for n, row in firsts if row.part is Part.FIRST and row.statement is not None}
        self.rows = Rows(lines, self._unfolded(lines))
        self.endResetModel()
        return True

    def unfoldable(self, statement: int | None) -> bool:
        """True for a line with a backward, which has events of the engine to show."""
        program = self._document.program
        if statement is None or statement not in program or program[statement].kind not in DIFFERENTIATING:
            return False
        return len(self._document.session.trace.events_of(statement, self._document.cursor)) > 1

    def is_unfolded(self, statement: int | None) -> bool:
        """True while the events of a line are shown."""
        return statement in self._open

    def unfold(self, statement: int, on: bool) -> None:
        """Show the events of a line, or hide them; what is shown is no part of the document."""
        if on == self.is_unfolded(statement) or (on and not self.unfoldable(statement)):
            return
        (self._open.add if on else self._open.discard)(statement)
        before, after = self.rows, Rows(self.rows.lines, self._unfolded(self.rows.lines))
        longer = after if on else before
        part = next((part for part in longer.unfolded if part.statement == statement), None)
        if part is None or not part.events:
            self.rows = after
            return
        first = longer.row_of(part.after) + 1
        begin, end = (self.beginInsertRows, self.endInsertRows) if on else (self.beginRemoveRows, self.endRemoveRows)
        begin(QModelIndex(), first, first + len(part.events) - 1)
        self.rows = after
        end()

    def row_of(self, statement: int) -> int | None:
        """The row of a statement; that of the line that uses it for one written inline."""
        line = self._of.get(line_of(self._document.program, statement))
        return None if line is None else self.rows.row_of(line)

    def rows_of(self, statements: Iterable[int]) -> list[int]:
        """All rows of some statements, but for their events."""
        found = []
        for statement in statements:
            line = self._of.get(line_of(self._document.program, statement))
            while line is not None:
                found.append(self.rows.row_of(line))
                line = line + 1 if line + 1 < len(self.rows.lines) and self._goes_on(line + 1) else None
        return found

    def row_at(self, line: int | None, position: int | None) -> int | None:
        """The row of what happened last at a position: an event's where its line is unfolded, else the line's."""
        if line is None or position is None:
            return None
        inside = self.rows.row_at(line_of(self._document.program, line), position)
        return self.row_of(line) if inside is None else inside

    def text(self, row: Row, in_brief: bool = False) -> str:
        """The code, the message or the event in a row; of one ``in_brief`` the shapes of what is long."""
        if row.text is not None:
            return row.text
        if row.position is not None:
            events = self._document.session.trace.events
            return self.words.text(events[row.position - 1], in_brief) if row.position <= len(events) else ""
        assert row.statement is not None
        text = self._texts.get(row.statement)
        if text is None and row.statement in self._document.program:
            text = self._texts[row.statement] = emit.shown_line(self._document.program, row.statement)
        return text or ""

    def status(self, row: Row) -> Status:
        """How far a row's statement came at the cursor, or whether its event has happened."""
        if row.statement is None:
            return Status.OK
        if row.position is not None:
            cursor = self._document.cursor
            return Status.OK if cursor is None or row.position <= cursor else Status.TO_COME
        if row.statement in self._errors:
            return Status.FAILED
        return self._document.state.statement(row.statement).status

    def loop(self, row: Row) -> int | None:
        """The loop that a row opens."""
        block = None if row.block is None else self._document.program.blocks.get(row.block)
        return block.id if block is not None and block.is_loop else None

    def counter(self, row: Row) -> str:
        """Beside the heading of a loop: which of its rounds is looked at."""
        loop = self.loop(row)
        if loop is None:
            return ""
        return f"{round_number(self._document, loop)} / {self._document.program.blocks[loop].rounds}"

    def kind(self, row: Row) -> EventKind:
        """What kind of event stands in a row."""
        events = self._document.session.trace.events
        assert row.position is not None
        return events[row.position - 1].kind if row.position <= len(events) else EventKind.ENDED

    # ------------------------------------------------------------ what Qt asks

    def said(self, row: Row, role: int) -> str | None:
        """The text, read out with its number and what came of it."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.text(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.number}  {self.text(row)}  {self.status(row)}" if row.number else self.text(row)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Lines can be selected and dragged, events gone to; a drop goes between lines."""
        if not index.isValid():
            return BETWEEN
        return OF_EVENT if self.rows[index.row()].part is Part.EVENT else OF_LINE

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

    def _has_other_numbers(self, program: Program) -> bool:
        """Take over a program in which only numbers are others: the rows are the same, and what some say is not."""
        before = self._program
        if before is None or program.lines is not before.lines or any(row.part is Part.MORE for row in self._lines):
            return False
        self._program = program
        for id_ in program.differing(before):
            self._texts.pop(line_of(program, id_), None)
        return True

    def _goes_on(self, line: int) -> bool:
        return self.rows.lines[line].part in (Part.MORE, Part.ERROR)

    def _unfolded(self, lines: list[Row]) -> list[Unfolded]:
        """The events to show of lines that are unfolded; the last one of a line is the line's own end."""
        trace = self._document.session.trace
        found = []
        for statement in sorted(self._open & self._of.keys(), key=self._of.__getitem__):
            last = self._of[statement]
            while last + 1 < len(lines) and lines[last + 1].part is Part.MORE:
                last += 1
            ran = trace.events_of(statement, self._document.cursor)
            is_over = len(ran) > 0 and trace.events[ran[-1]].kind is EventKind.ENDED
            found.append(Unfolded(statement, last, lines[last].indent, ran[:-1] if is_over else ran))
        return found

    def _failed(self, program: Program) -> dict[int, str]:
        """The first line of each error at the cursor, by the line that it stands in."""
        return {
            line_of(program, problem.statement): problem.printed.split("\n", 1)[0]
            for problem in self._document.state.problems
            if not problem.warning and problem.statement in program
        }


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
    inline, lines = program.inline, program.lines
    for statement in program:
        if statement.id in inline:
            continue
        chain = program.chain(statement.block) if statement.block is not None else ()
        if chain != open_:
            rows += [
                Row(Part.BLOCK, None, None, program.blocks[block].heading, depth, block=block)
                for depth, block in enumerate(chain)
                if block not in open_
            ]
            open_ = chain
        number = lines[statement.id]
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
