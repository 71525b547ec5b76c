"""Cut, copy and paste of cards: as Chalkgrad's own JSON, and the same cards as PyTorch text."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication

from chalkgrad.errors import ChalkgradError
from chalkgrad.program import building, files
from chalkgrad.program.board import Board
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Operand, Ref, Statement
from chalkgrad.source import emit, read
from chalkgrad.text import render
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language

MIME = "application/x-chalkgrad+json"
SHIFT = 32.0
"""How far a pasted card lies from the one it copies, in canvas units both ways."""


class Clipboard(QObject):
    """The clipboard for one document."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document

    def copy(self) -> None:
        """Put the selected cards on the clipboard."""
        sheet = excerpt(self._document.sheet, self._document.selected_statements)
        if sheet.program.order:
            data = QMimeData()
            data.setData(MIME, files.save(sheet).encode())
            data.setText(emit.program_text(sheet.program))
            QGuiApplication.clipboard().setMimeData(data)

    def cut(self) -> None:
        """Copy the selected cards and delete them."""
        self.copy()
        self._document.delete(self._document.selection)

    def paste(self) -> None:
        """Add the cards on the clipboard, or those of PyTorch text on it, under free names."""
        data = QGuiApplication.clipboard().mimeData()
        try:
            if data.hasFormat(MIME):
                sheet = files.load(bytes(data.data(MIME).data()).decode())
            elif data.hasText():
                sheet = Sheet(read.read_source(data.text(), self.tr("clipboard")))
            else:
                return
        except (ChalkgradError, UnicodeDecodeError) as error:
            words = render(error.text, language()) if isinstance(error, ChalkgradError) else str(error)
            self._document.told.emit(self.tr("Can't paste this: {why}").format(why=words))
            return
        self.add(sheet, self.tr("Paste"))

    def copy_value(self) -> None:
        """Put the selected tensors on the clipboard as PyTorch prints them."""
        state = self._document.state
        tensors = [state.tensor(id_) for id_ in self._document.selected_statements]
        text = "\n".join(tensor.text for tensor in tensors if tensor is not None)
        if text:
            QGuiApplication.clipboard().setText(text)

    def duplicate_selection(self) -> None:
        """Copies of the selected cards beside them, wired as they are."""
        chosen = self._document.selected_statements
        originals = [self._document.program[id_] for id_ in chosen]
        self._build(originals, self._document.board, self.tr("Duplicate cards"), inside=True)

    def add(self, sheet: Sheet, label: str) -> None:
        """Add copies of all statements of ``sheet`` to the document and select them."""
        self._build(list(sheet.program), sheet.board, label, inside=False)

    def _build(self, originals: list[Statement], board: Board, label: str, inside: bool) -> None:
        places = {}
        for original in originals:
            place = board.place(original.id)
            if place is not None:
                places[original.id] = (place.x + SHIFT, place.y + SHIFT)
        ids = self._document.build(lambda sheet, at: building.copies(sheet, originals, at, places, inside), label)
        self._document.select(ids)


def excerpt(sheet: Sheet, ids: tuple[int, ...]) -> Sheet:
    """The statements ``ids`` and the inline ones they use, with their places; wires from elsewhere are open ports."""
    program = sheet.program
    wanted = set(ids)
    for id_ in ids:
        wanted |= {ref.statement for ref in program[id_].refs() if _is_inline(program, ref.statement)}

    def inner(ref: Ref) -> Operand:
        return ref if ref.statement in wanted else EMPTY

    kept = {id_: replace(program[id_].map_refs(inner), block=None) for id_ in program.order if id_ in wanted}
    places = {key: place for key, place in sheet.board.places.items() if key[1] in wanted}
    return Sheet(Program(kept, tuple(kept), {}, program.next_id), Board(places))


def _is_inline(program: Program, id_: int) -> bool:
    return id_ in program and program.is_inline(id_)
