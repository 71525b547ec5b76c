"""Placing new cards: what palette, quick-add, drops and keys share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from chalkgrad.engine.record import OPS
from chalkgrad.program import building, edits
from chalkgrad.program.board import Frame, Note
from chalkgrad.program.change import Change
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import Ref
from chalkgrad.source import read
from chalkgrad_app.canvas import arrange, wiring
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.document import new_gesture
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.anatomy import HEADER, WIDTH

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

FRAME_MARGIN, FRAME_TITLE = 24.0, 32.0
NOTE_SIZE = (240.0, 96.0)


class Placing:
    """Puts new cards, notes and frames on a canvas; what is selected is wired to a new operator."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas

    # ------------------------------------------------------------ cards

    def place_operator(self, name: str, at: QPointF | None = None, inputs: tuple[Ref, ...] | None = None) -> int:
        """A new operator, wired to ``inputs`` (None: the selected cards in program order); returns its id.

        ``at`` is its top left corner; without one it gets a free place right of its inputs.
        """
        document = self.canvas.document
        record = OPS[name]
        sources = self.selected() if inputs is None else inputs
        if record.inputs != ("tensors",):
            sources = sources[: len(record.inputs)]
        point = self._free(sources) if at is None else arrange.snapped(at.x(), at.y())
        made = document.build(lambda sheet, line: building.operator(sheet, record, sources, line, point), record.name)
        return self._shown(made[0])

    def place_tensor(self, requires_grad: bool, at: QPointF | None = None, typing: bool = False) -> int:
        """A new leaf; with ``typing`` its name can be typed at once, in the same undo step. Returns its id."""
        document = self.canvas.document
        gesture = new_gesture()
        point = self._free(()) if at is None else arrange.snapped(at.x(), at.y())
        label = translate("Placing", "Add tensor")
        made = document.build(lambda sheet, line: building.tensor(sheet, requires_grad, line, point), label, gesture)
        self._shown(made[0])
        if typing:
            self.canvas.edit_field(Field(Part.NAME, made[0]), gesture)
        return made[0]

    def insert_operator(self, name: str, plug: wiring.Plug, at: QPointF) -> int:
        """A new operator put into the wire that ends in ``plug``; returns its id."""
        point = arrange.snapped(at.x(), at.y())
        made = self.canvas.document.build(
            lambda sheet, _line: wiring.insert_operator(sheet, OPS[name], plug, point), OPS[name].name
        )
        return self._shown(made[0])

    def place_expression(self, typed: str, near: QPointF) -> tuple[int, ...]:
        """The graph of an expression, laid out where there is room near ``near``; returns its ids.

        Raises SourceError for a text that can't be read.
        """
        document = self.canvas.document
        program = document.program
        statements = read.read_expression(typed, program, program.next_id)
        state = document.state

        def make(sheet: Sheet, line: int) -> building.Built:
            built = building.append_all(sheet, statements, line)
            draft = Draft(sheet)
            draft.apply(built.change)
            draft.apply(arrange.with_places(draft.sheet, state, built.ids, (near.x(), near.y())))
            return building.Built(draft.change, built.ids)

        made = document.build(make, typed.strip())
        document.select([id_ for id_ in made[-1:] if id_ in document.program])
        self.canvas.ensure_visible(made)
        return made

    # ------------------------------------------------------------ notes and frames

    def place_note(self, at: QPointF, gesture: int = 0) -> int:
        """A new empty note; returns its id."""
        sheet = self.canvas.document.sheet
        id_ = Draft(sheet).new_id()
        x, y = arrange.snapped(at.x(), at.y())
        note = Note(id_, (("", translate("Placing", "Note")),), x, y, *NOTE_SIZE)
        self.canvas.document.do(
            lambda sheet: edits.put_note(sheet.board, note), translate("Placing", "Add note"), gesture
        )
        self.canvas.document.select([id_])
        return id_

    def place_frame(self) -> int | None:
        """A plain frame around what is selected; returns its id, None when nothing is."""
        document = self.canvas.document
        rects = [rect for id_ in document.selection if (rect := self.canvas.picture.rect_of(id_)) is not None]
        if not rects:
            return None
        around = rects[0]
        for rect in rects[1:]:
            around = around.united(rect)
        around = around.adjusted(-FRAME_MARGIN, -FRAME_MARGIN - FRAME_TITLE, FRAME_MARGIN, FRAME_MARGIN)
        id_ = Draft(document.sheet).new_id()
        frame = Frame(id_, translate("Placing", "Frame"), around.x(), around.y(), around.width(), around.height())
        document.do(lambda sheet: edits.put_frame(sheet.board, frame), translate("Placing", "Add frame"))
        document.select([id_])
        return id_

    def wrap(self, mode: str = "no_grad") -> Change:
        """Put the selected lines into a ``with`` block. Raises ProgramError when they can't stand together."""
        document = self.canvas.document
        ids = document.selected_statements
        return document.do(
            lambda sheet: edits.wrap(sheet.program, ids, mode, Draft(sheet).new_id()), f"with torch.{mode}():"
        )

    # ------------------------------------------------------------ inside

    def selected(self) -> tuple[Ref, ...]:
        """The tensors of the selected cards, in program order."""
        document = self.canvas.document
        chosen = [
            id_ for id_ in document.selected_statements if building.has_card(document.program, document.program[id_])
        ]
        return tuple(dict.fromkeys(document.program.maker(Ref(id_)) for id_ in chosen))

    def _free(self, inputs: tuple[Ref, ...]) -> arrange.Point:
        centre = self.canvas.view_centre()
        document = self.canvas.document
        return arrange.place_for(document.sheet, document.state, inputs, (centre.x(), centre.y()))

    def _shown(self, id_: int) -> int:
        self.canvas.document.select([id_])
        self.canvas.keyboard.focus(id_, select=False)
        self.canvas.ensure_visible([id_])
        return id_


def corner_under(pointer: QPointF) -> QPointF:
    """The top left corner of a new card whose header lies under the pointer."""
    return pointer - QPointF(WIDTH / 2, HEADER / 2)
