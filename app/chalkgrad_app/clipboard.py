"""Cut, copy and paste of cards: as Chalkgrad's own JSON, and the same cards as PyTorch text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QMimeData, QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from chalkgrad.errors import ChalkgradError
from chalkgrad.program import arranging, building, files
from chalkgrad.program.board import Board
from chalkgrad.program.change import Change
from chalkgrad.program.inlining import with_inline
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import EMPTY, Counter, Operand, Ref, Statement
from chalkgrad.source import emit, read
from chalkgrad.source.problem import SourceError
from chalkgrad.stepwise import Stepwise, finished, share
from chalkgrad_app.canvas import arrange
from chalkgrad_app.canvas.placing import numbers_program, typed_program
from chalkgrad_app.document import Document
from chalkgrad_app.editors import pasted, tables
from chalkgrad_app.i18n import language, sentence
from chalkgrad_app.naming import counted
from chalkgrad_app.offering_rest import offer_rest
from chalkgrad_app.picture.anatomy import HEIGHT, WIDTH
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.widgets.slices import Slices

MIME = "application/x-chalkgrad+json"
_IMPORT = re.compile(r"^\s*(import|from)\s", re.MULTILINE)
AT_ONCE = 600
"""So many steps of pasting are done at once, about two for each card."""
PORTION = 16
"""So many cards are copied in one step."""
MANY = 200
"""Of more cards than this the picture is made before they are there."""
SHIFT = 32.0
"""How far a pasted card lies from the one it copies, in canvas units both ways, or further where there is no room."""


class Clipboard(QObject):
    """The clipboard for one document."""

    added = Signal(list)  # the ids of what was pasted or duplicated
    drawn = Signal(object)  # the picture of the document with what will be in it now
    homeless = Signal()  # cards have no places: they come of text
    typed = Signal(str)  # text that goes on from the document: it uses names that are bound there

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._document = document
        self._text = ""
        self.pasting = Slices("pasting", self, (ChalkgradError, ValueError))
        self.pasting.refused.connect(self._on_refused)
        self.pasting.left.connect(self._on_left)
        self.copying = Slices("copying", self)
        self.copying.left.connect(self._on_copying_left)
        self._pastes_then = False
        self._again: Callable[[int], None] | None = None
        document.changed.connect(self._on_changed)
        document.drawn.connect(self.pasting.give_up)  # what is made was made for the drawing before

    def copy(self) -> None:
        """Put the selected cards, notes and frames on the clipboard, as they are now."""
        self._pastes_then = False
        steps = _copied(self._document.sheet, self._document.selection)
        self.copying.start(self.tr("Copying"), steps, self._put, AT_ONCE)

    def finish_copying(self) -> None:
        """Have on the clipboard what is on its way there, for other windows; nothing is pasted into this one."""
        self._pastes_then = False
        self.copying.finish()

    def _put(self, copied: tuple[str, str] | None) -> None:
        """Put what was copied on the clipboard; paste it where that was asked for meanwhile."""
        if copied is not None:
            data = QMimeData()
            data.setData(MIME, copied[0].encode())
            data.setText(copied[1])
            QGuiApplication.clipboard().setMimeData(data)
        if self._pastes_then:
            self.paste()

    @Slot()
    def _on_copying_left(self) -> None:
        self._pastes_then = False
        self._document.told.emit(self.tr("Nothing was copied."))

    def cut(self) -> None:
        """Copy the selected cards and delete them."""
        self.copy()
        chosen = self._document.selection
        self._document.delete(chosen, self.tr("Cut {what}").format(what=counted(self._document.sheet, chosen)))

    def paste(self) -> None:
        """Add the cards on the clipboard, those of PyTorch text on it, or a leaf of its numbers, under free names."""
        self._pastes_then = self.copying.is_active  # it is still on its way to the clipboard
        if self._pastes_then:
            return
        data: QMimeData | None = QGuiApplication.clipboard().mimeData()
        if data is None:  # what PySide's types don't say: an empty clipboard
            return
        if data.hasFormat(MIME):
            self._start(_reading(bytes(data.data(MIME).data())), is_own=True)
        elif data.hasText():
            self._paste_text(data.text())

    def _paste_text(self, text: str) -> None:
        self._text = text
        self._start(self._reading_text(text), is_own=False)

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        """What is made was made for the document before; where only things lie elsewhere, it is made for that anew."""
        if change.touches_program:
            self.pasting.give_up()
        elif self.pasting.is_active and self._again is not None:
            self.pasting.drop()
            self._again(1)

    def _start(self, steps: Stepwise[Sheet], is_own: bool) -> None:
        self._again = None  # what is read is the same wherever things lie
        self.pasting.start(self.tr("Reading the clipboard"), steps, partial(self._paste, is_own), AT_ONCE)

    def _paste(self, is_own: bool, sheet: Sheet) -> None:
        """Add what was read from the clipboard: text of PyTorch, or cards that were copied here."""
        all_of_it = {*sheet.program.order, *sheet.board.notes, *sheet.board.frames}
        label = self._pasting(counted(sheet, all_of_it))
        if not all_of_it and not is_own:  # an expression, which nothing is bound to
            self.typed.emit(self._text)
            return
        if self._document.is_empty and not is_own:
            self._document.replace_sheet(replace(sheet, program=replace(sheet.program, stops=False)), label)
            self._find_places()
            self._document.select_all()  # the text as it is, names bound twice included
            self.added.emit(list(self._document.selection))
            return
        things = {*sheet.board.notes, *sheet.board.frames}
        self._build(sheet.program, list(sheet.program), sheet.board, things, label)

    def _pasting(self, what: str) -> str:
        return self.tr("Paste {what}").format(what=what)

    def copy_value(self) -> None:
        """Put the selected tensors on the clipboard as PyTorch prints them; of a node what it made."""
        state, node = self._document.state, self._document.node
        tensors = [state.tensor(id_) for id_ in self._document.selected_statements]
        if node is not None:
            tensors = [state.object(number) for number in state.nodes[node].outputs if number is not None]
        text = "\n".join(tensor.text for tensor in tensors if tensor is not None)
        if text:
            QGuiApplication.clipboard().setText(text)

    def duplicate_selection(self) -> None:
        """Copies of what is selected beside it, cards wired as they are."""
        chosen = self._document.selected_statements
        originals = [self._document.program[id_] for id_ in chosen]
        selection = self._document.selection
        label = self.tr("Duplicate {what}").format(what=counted(self._document.sheet, selection))
        self._build(None, originals, None, selection, label)

    @Slot(object)
    def _on_refused(self, error: Exception) -> None:
        if isinstance(error, SourceError) and _missing(error) in self._document.program.bindings:
            self.typed.emit(self._text)
        elif isinstance(error, SourceError) and self._text:
            offer_rest(self._window, self._document, self._text, error, self._read_lines, self._paste_text)
        else:
            self._document.told.emit(self.tr("Can't paste this: {why}").format(why=sentence(error)))

    @Slot()
    def _on_left(self) -> None:
        self._document.told.emit(self.tr("Nothing was pasted."))

    def _reading_text(self, text: str) -> Stepwise[Sheet]:
        """What a text says; its ids were never those of anything else here."""
        if not pasted.are_numbers(text):
            return Sheet((yield from self._reading_lines(text)))
        program = Program(next_id=self._document.program.next_id)
        if pasted.is_typed(text):
            return Sheet(typed_program(text, program))
        return Sheet(numbers_program(text, (yield from tables.reading(text)), program))

    def _reading_lines(self, text: str) -> Stepwise[Program]:
        """The lines of a text; a few of a lesson may do without imports."""
        next_id, is_excerpt = self._document.program.next_id, not _IMPORT.search(text)
        return read.reading_source(text, self.tr("clipboard"), next_id=next_id, is_excerpt=is_excerpt)

    def _read_lines(self, text: str) -> Program:
        return finished(self._reading_lines(text))

    def _find_places(self) -> None:
        """What comes of text lies nowhere yet."""
        if arrange.unplaced(self._document.sheet):
            self.homeless.emit()

    def _build(
        self,
        source: Program | None,
        originals: list[Statement],
        board: Board | None,
        things: Collection[int],
        label: str,
    ) -> None:
        """Make copies, with the blocks around them where they come from ``source`` and not from this document.

        They lie beside where ``board`` has what they copy, or else the document. What comes from elsewhere gets free
        names, under which the undo step has it.
        """

        def begin(at_once: int) -> None:
            steps = self._copying(source, originals, board, things)
            self.pasting.start(label, steps, partial(self._add_copies, "" if source else label), at_once)

        self._again = begin
        begin(AT_ONCE)

    def _copying(
        self, source: Program | None, originals: list[Statement], board: Board | None, things: Collection[int]
    ) -> Stepwise[_Copies]:
        sheet, state = self._document.sheet, self._document.state
        board = sheet.board if board is None else board
        lying = {id_: place for id_ in _with_inner(source, sheet, originals) if (place := board.place(id_)) is not None}
        boxes = [(place.x, place.y, WIDTH, HEIGHT) for place in lying.values()]
        boxes += [(n.x, n.y, n.width, n.height) for n in board.notes.values() if n.id in things]
        boxes += [(f.x, f.y, f.width, f.height) for f in board.frames.values() if f.id in things]
        way = arrange.way_clear(sheet, state, boxes, (SHIFT, SHIFT))
        places = {id_: (place.x + way[0], place.y + way[1]) for id_, place in lying.items()}
        at = self._document.insert_index()
        built = yield from share(building.copying(sheet, originals, at, places, source is None), 0.0, 0.3)
        draft = Draft(sheet)
        draft.apply(built.change)
        if source is not None:
            building.copy_blocks(draft, source, built.copied)
        copied = arranging.copy_things(draft, board, built.copied, things, way)
        picture = None
        if len(built.ids) > MANY:
            picture = Picture(language())
            yield from share(picture.updating(draft.program, draft.board, state), 0.3, 1.0)
        what = counted(draft.sheet, {*built.ids, *copied})
        return _Copies(building.Built(draft.change, built.ids), tuple(copied), what, picture)

    def _add_copies(self, label: str, copies: _Copies) -> None:
        """Add copies that were made, and select them."""
        document = self._document
        if copies.picture is not None:
            self.drawn.emit(copies.picture)
        ids = document.build(copies.as_built, label or self._pasting(copies.what))
        self._find_places()
        document.select([*ids, *copies.things])
        self.added.emit([*ids, *copies.things])


class _Copies(NamedTuple):
    """Copies to be added, ids of the notes and frames among them, what they are called in the step that adds them.

    Of many also the picture that the canvas will show.
    """

    built: building.Built
    things: tuple[int, ...]
    what: str
    picture: Picture | None

    def as_built(self, _sheet: Sheet, _at: int) -> building.Built:
        """What was built, of the sheet that the document still has."""
        return self.built


def _with_inner(source: Program | None, sheet: Sheet, originals: Sequence[Statement]) -> list[int]:
    """The lines that are copied, with what is written inside them: that is copied, too."""
    program = source or sheet.program
    return with_inline(program, [original.id for original in originals])


def _missing(error: SourceError) -> object:
    """The name that a text uses and nothing in it binds; None for an error of another kind."""
    return error.text.values["name"] if error.text.key == "source.unknown_name" else None


def _reading(text: bytes) -> Stepwise[Sheet]:
    """Cards that were copied here, or in another window."""
    return (yield from files.loading(text.decode()))


def _copied(sheet: Sheet, ids: Collection[int]) -> Stepwise[tuple[str, str] | None]:
    """What of ``ids`` there is as Chalkgrad's JSON and as text for all others; None where there is nothing."""
    part = yield from share(excerpt(sheet, ids), 0.0, 0.2)
    notes = [note.text(language()) for note in part.board.notes.values()]
    if not (part.program.order or notes or part.board.frames):
        return None
    pieces = []
    for piece in files.pieces(part):
        pieces.append(piece)
        if len(pieces) % PORTION == 0:
            yield 0.4
    if not part.program.order:
        return "".join(pieces), "\n\n".join(notes)
    return "".join(pieces), (yield from share(emit.writing(part.program), 0.5, 1.0))


def excerpt(sheet: Sheet, ids: Collection[int]) -> Stepwise[Sheet]:
    """What of ``ids`` there is: statements with the inline ones they use, their places, notes and frames.

    Wires from elsewhere are open ports.
    """
    program, board = sheet.program, sheet.board
    wanted = dict.fromkeys(with_inline(program, ids))

    def inner(ref: Ref) -> Operand:
        return ref if ref.statement in wanted else EMPTY

    kept: dict[int, Statement] = {}
    for id_ in wanted:
        if len(kept) % PORTION == 0:
            yield len(kept) / len(wanted)
        kept[id_] = replace(program[id_].map_refs(inner).map_counters(_zero), block=None)
    kept_board = Board(
        {key: place for key, place in board.places.items() if key[1] in wanted},
        {id_: note for id_, note in board.notes.items() if id_ in ids},
        {id_: frame for id_, frame in board.frames.items() if id_ in ids},
        {id_: members for id_, members in board.folds.items() if id_ in ids},
        {id_: text for id_, text in board.labels.items() if id_ in wanted},
        drawing=board.drawing,
    )
    return Sheet(Program(kept, tuple(kept), {}, program.next_id), kept_board)


def _zero(_counter: Counter) -> int:
    """What the variable of a loop is in its first round: the loop is not copied."""
    return 0
