"""A history of versions in words: a row for each thing that happened to the memory of a tensor."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from chalkgrad.session.versions import Deed, Entry, History
from chalkgrad.source import emit
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, translate
from chalkgrad_app.panels.object_names import line_number, object_name
from chalkgrad_app.panels.row_list import RowModel

WORDS = {
    Deed.MADE: QT_TRANSLATE_NOOP("Versions", "{tensor} is made"),
    Deed.SHARED: QT_TRANSLATE_NOOP("Versions", "{tensor} shares its memory and its counter"),
    Deed.BYPASSED: QT_TRANSLATE_NOOP("Versions", "{tensor} shows its memory, but has a counter of its own"),
    Deed.WROTE: QT_TRANSLATE_NOOP("Versions", "{tensor} is written: v{before} → v{version}"),
    Deed.WROTE_UNSEEN: QT_TRANSLATE_NOOP("Versions", "written past the counter: still v{version}"),
    Deed.MOVED: QT_TRANSLATE_NOOP("Versions", "{tensor} shows other memory from here on"),
    Deed.SAVED: QT_TRANSLATE_NOOP("Versions", "{node} saves {names} at v{saved}"),
    Deed.READ: QT_TRANSLATE_NOOP("Versions", "{node} reads {names} and finds v{version}, as saved"),
    Deed.READ_OTHER_VALUES: QT_TRANSLATE_NOOP(
        "Versions", "{node} reads {names} and finds v{version}, as saved, but other values: nobody notices"
    ),
    Deed.REFUSED: QT_TRANSLATE_NOOP("Versions", "{node} finds v{version} where it had saved v{saved}: error"),
    Deed.FREED: QT_TRANSLATE_NOOP("Versions", "{node} frees {names}"),
}
DATA_OF = ".data"
"""What a tensor without a name is called that shows memory past its counter: nothing else makes one."""


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One entry as it is shown: in words, the line and its code, and whether it is still to come at the cursor."""

    entry: Entry
    words: str
    line: str
    code: str
    is_to_come: bool

    def text(self) -> str:
        """All of it in one line."""
        return f"v{self.entry.version}  {self.words}  ({self.line}  {self.code})"


class VersionRows(RowModel):
    """The rows of one history."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self.rows: list[VersionRow] = []

    def show(self, history: History | None) -> None:
        """Show a history, or nothing."""
        rows = [] if history is None else self._told(history)
        if [row.entry for row in rows] == [row.entry for row in self.rows] and rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def row_at(self, position: int) -> int | None:
        """The last row that had happened by ``position``."""
        found = [number for number, row in enumerate(self.rows) if row.entry.position <= position]
        return found[-1] if found else None

    def said(self, row: VersionRow, role: int) -> str | None:
        """All of it in one line, for who reads it out or copies it."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return row.text()
        return None

    # ------------------------------------------------------------ inside

    def _told(self, history: History) -> list[VersionRow]:
        position, before = self._document.state.position, 0
        rows = []
        codes: dict[int, str] = {}
        for entry in history.entries:
            if entry.statement not in codes:
                codes[entry.statement] = self._code(entry.statement)
            words = self._words(entry, before)
            line = line_number(self._document, entry.statement, entry.pass_)
            rows.append(VersionRow(entry, words, line, codes[entry.statement], entry.position > position))
            before = entry.version
        return rows

    def _words(self, entry: Entry, before: int) -> str:
        return translate("Versions", WORDS[entry.deed]).format(
            tensor=self._tensor(entry),
            node="" if entry.node is None else self._document.session.trace.nodes[entry.node].name,
            names=", ".join(entry.names),
            before=before,
            version=entry.version,
            saved=entry.saved,
        )

    def _tensor(self, entry: Entry) -> str:
        if entry.number is None:
            return ""
        if entry.deed is Deed.BYPASSED and not self._document.session.trace.calling.name(entry.number, 0)[0]:
            return DATA_OF
        trace = self._document.session.trace
        line = trace.line_at(entry.position)
        end = entry.position if line is None else trace.end_of(line, entry.position)
        return object_name(self._document, entry.number, end)

    def _code(self, statement: int) -> str:
        program = self._document.program
        return emit.shown_line(program, statement) if statement in program else ""
