"""Placing new cards: what palette, quick-add, drops and keys share."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from chalkgrad.engine.record import OPS
from chalkgrad.program import arranging, building, edits, rewiring
from chalkgrad.program.board import Frame, Note
from chalkgrad.program.cards import has_card
from chalkgrad.program.change import Change
from chalkgrad.program.names import narrow
from chalkgrad.program.program import Block, Program
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import EMPTY, Kind, Operand, Ref
from chalkgrad.program.vocabulary import LOOP
from chalkgrad.source import read
from chalkgrad.source.problem import SourceError
from chalkgrad.stepwise import finished
from chalkgrad.text import Text
from chalkgrad_app.canvas import aligning, arrange, room, things, wiring
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.catalogue import are_numbers
from chalkgrad_app.document import new_gesture
from chalkgrad_app.editors import leaves, pasted, tables
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.anatomy import HEADER, WIDTH
from chalkgrad_app.picture.frames import FrameShape

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

NAMED_NUMBERS = re.compile(r"(?:(?P<name>\w+)\s*=\s*)?(?P<numbers>\[[^\]\[a-df-zA-DF-Z]*\])", re.ASCII)
"""Numbers in brackets, which need not be written as Python has them."""
TRUTH_VALUES = re.compile(r"[\[\](),;\s]*(?:(?:True|False)[\[\](),;\s]*)+")
ONE = "tensor(1.)"
"""What a leaf is read as before it gets its numbers."""
FRAME_MARGIN, FRAME_TITLE = 24.0, 32.0
AROUND = -FRAME_MARGIN, -FRAME_MARGIN - FRAME_TITLE, FRAME_MARGIN, FRAME_MARGIN
"""How far out the edges of a frame lie: left, top, right, bottom."""

ROUNDS = 10
"""Of a new loop."""
NOTE_SIZE = (240.0, 96.0)
NOTE_ROOM = (240.0, 192.0)
"""Room looked for when a note is to find its own place: it grows with its text."""
NEW_SHAPE = (3,)
"""What is made by a function of its size begins so large."""
LABEL = 40
"""How much of an expression the name of its undo step has."""


class Placing:
    """Puts new cards, notes and frames on a canvas; what is selected is wired to a new operator."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas

    # ------------------------------------------------------------ cards

    def place_operator(
        self,
        name: str,
        at: QPointF | None = None,
        inputs: tuple[Operand, ...] | None = None,
        plug: Plug | None = None,
    ) -> int:
        """A new operator, wired to ``inputs`` (None: the selected cards in program order); returns its id.

        ``at`` is its top left corner; without one it gets a free place right of its inputs. ``plug`` reads its result.
        """
        document = self.canvas.document
        record = OPS[name]
        sources: tuple[Operand, ...] = self.selected() if inputs is None else inputs
        if record.inputs != ("tensors",):
            sources = sources[: len(record.inputs)]
        refs = [ref for ref in sources if isinstance(ref, Ref)]
        point = self._point(at, refs, wired=bool(refs or plug))

        def make(sheet: Sheet, line: int) -> building.Built:
            return _plugged(sheet, building.operator(sheet, record, sources, line, point), plug)

        return self._shown(document.build(make, _add_label(name))[0])

    def place_tensor(
        self, requires_grad: bool, at: QPointF | None = None, typing: bool = False, plug: Plug | None = None
    ) -> int:
        """A new leaf, wired to ``plug``; with ``typing`` its name can be typed at once, in the same undo step.

        Returns its id.
        """
        document = self.canvas.document
        gesture = new_gesture()
        point = self._point(at, (), wired=plug is not None)
        label = translate("Placing", "Add tensor")

        def make(sheet: Sheet, line: int) -> building.Built:
            return _plugged(sheet, building.tensor(sheet, requires_grad, line, point), plug)

        made = document.build(make, label, gesture)
        self._shown(made[0])
        if typing:
            self.canvas.edit_field(Field(Part.NAME, made[0]), gesture)
        return made[0]

    def place_constructed(self, call: str, at: QPointF | None = None, plug: Plug | None = None) -> int:
        """A new leaf made by ``torch.call``, wired to ``plug``, its fields open at how large it is; returns its id."""
        document = self.canvas.document
        point = self._point(at, (), wired=plug is not None)

        def make(sheet: Sheet, line: int) -> building.Built:
            built = building.tensor(sheet, requires_grad=False, at=line, place=point)
            after = sheet.apply(built.change)
            made = leaves.made_by(after.program[built.ids[0]], call, None, NEW_SHAPE)
            changed = built.change.then(edits.put(after.program, made))
            return _plugged(sheet, building.Built(changed, built.ids), plug)

        id_ = self._shown(document.build(make, _add_label(call))[0])
        names = leaves.arguments(document.program[id_])
        size = next((name for name in leaves.LARGENESS if name in names), names[0])
        self.canvas.editing.open_options(id_, size)
        return id_

    def place_like(
        self, call: str, at: QPointF | None = None, source: Ref | None = None, plug: Plug | None = None
    ) -> int:
        """A new leaf in the shape of ``source``, or with an open port, wired to ``plug``; returns its id."""
        refs = [source] if source is not None else []
        point = self._point(at, refs, wired=bool(refs or plug))

        def make(sheet: Sheet, line: int) -> building.Built:
            return _plugged(sheet, building.like(sheet, call, source or EMPTY, line, point), plug)

        return self._shown(self.canvas.document.build(make, _add_label(call))[0])

    def insert_operator(self, name: str, plug: Plug, at: QPointF | None = None) -> int:
        """A new operator put into the wire that ends in ``plug``; returns its id.

        ``at`` is its top left corner, by default between the two cards; what comes after moves where there is no room.
        """
        point, moved = self.landing(plug, at)
        pushed = self._seen(moved)

        def make(sheet: Sheet, _line: int) -> building.Built:
            built = wiring.insert_operator(sheet, OPS[name], plug, point)
            return building.Built(built.change.then(edits.place(sheet.board, moved)), built.ids)

        return self._shown(self.canvas.document.build(make, _add_label(name))[0], pushed)

    def landing(self, plug: Plug, at: QPointF | None) -> tuple[arrange.Point | None, dict[int, arrange.Point]]:
        """Where a new card goes that is put into the wire that ends in ``plug``, and what makes room for it.

        ``at`` is where its top left corner is wanted, None for between the two cards.
        """
        start = wiring.source(self.canvas.document.program, plug)
        begin = start.statement if start is not None else plug.consumer
        return self._in_wire(begin, at if at is not None else self._behind(begin), [plug.consumer])

    def insert_after(self, name: str, id_: int) -> int:
        """A new operator behind a card, put into all its wires; returns its id."""
        document = self.canvas.document
        point, moved = self._in_wire(id_, self._behind(id_), document.program.users.get(id_, ()))
        pushed = self._seen(moved)

        def make(sheet: Sheet, _line: int) -> building.Built:
            built = rewiring.insert_after(sheet, OPS[name], id_, point)
            return building.Built(built.change.then(edits.place(sheet.board, moved)), built.ids)

        return self._shown(document.build(make, _add_label(name))[0], pushed)

    def place_expression(
        self, typed: str, near: QPointF, plug: Plug | None = None, pointed: bool = False
    ) -> tuple[int, ...]:
        """The graph of an expression, laid out where there is room, its result wired to ``plug``.

        That is beside what it reads, or near ``near``: always there where somebody ``pointed``.
        Returns its ids. Raises SourceError for a text that can't be read.
        """
        document = self.canvas.document
        program = document.program
        source = typed_program(typed, program)
        state = document.state

        def make(sheet: Sheet, line: int) -> building.Built:
            built = building.append_all(sheet, source, line)
            draft = Draft(sheet)
            draft.apply(built.change)
            building.copy_blocks(draft, source, dict(zip(source.order, built.ids, strict=True)))
            draft.apply(arrange.with_places(draft.sheet, state, built.ids, (near.x(), near.y()), pointed))
            return _plugged(sheet, building.Built(draft.change, built.ids), plug)

        label = translate("Placing", "Build {text}").format(text=" ".join(typed.split())[:LABEL])
        made = document.build(make, label)
        document.select([id_ for id_ in made[-1:] if id_ in document.program])
        self.canvas.growing.show(made)
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

    def place_frame(self, gesture: int = 0) -> int | None:
        """A plain frame around what is selected; returns its id, None when nothing is."""
        document = self.canvas.document
        frame = self.frame_around(document.selection)
        if frame is None:
            return None
        canvas = self.canvas
        saw_all = canvas.scene_rect().contains(canvas.picture.bounds())
        document.do(lambda sheet: self._framed(sheet, frame), translate("Placing", "Add frame"), gesture)
        document.select([frame.id])
        if saw_all:
            canvas.ensure_rect_visible(canvas.picture.bounds())
            return frame.id
        around = [outer.id for outer in self._frames_around([frame.id])]
        wanted = (ids for ids in ([frame.id, *around], [frame.id]) if canvas.has_room_for(ids))
        canvas.ensure_visible(next(wanted, []))
        return frame.id

    def _framed(self, sheet: Sheet, frame: Frame) -> Change:
        """The frame, with room for it on those in which it lies; what their edges would run through moves out."""
        picture, put = self.canvas.picture, edits.put_frame(sheet.board, frame)
        if picture.drawing.lays_out:
            return put
        inside, inner = things.with_contents(picture, self.canvas.document.selection), frame
        ways = room.out_of_frame(picture, _rect(frame), inside)
        for outer in self._frames_around(inside):
            grown = _rect(outer).united(_rect(inner).adjusted(*AROUND))
            if grown != _rect(outer):
                held = things.with_contents(picture, {outer.id})
                inner = _with_rect(outer, grown)
                put = put.then(edits.put_frame(sheet.board, inner))
                ways |= room.out_of_frame(picture, grown, held)
        return put.then(arranging.shift(sheet.board, ways, picture.lying(picture.ids)))

    def _frames_around(self, ids: Collection[int]) -> list[Frame]:
        """The plain frames that hold all of ``ids``, smaller ones first."""
        picture, frames = self.canvas.picture, self.canvas.document.board.frames.values()
        around = [frame for frame in frames if things.with_contents(picture, {frame.id}) - {frame.id} >= set(ids)]
        return sorted(around, key=lambda frame: frame.width * frame.height)

    def frame_around(self, ids: Collection[int]) -> Frame | None:
        """A plain frame around ``ids``, not yet on the board; None when there is nothing to frame."""
        picture = self.canvas.picture
        framed = [frame.id for frame in picture.frames if self._holds_only(frame, ids)]
        rects = [rect for id_ in (*ids, *framed) if (rect := picture.rect_of(id_)) is not None]
        if not rects:
            return None
        id_ = Draft(self.canvas.document.sheet).new_id()
        return _with_rect(
            Frame(id_, translate("Placing", "Frame"), 0.0, 0.0, 0.0, 0.0), aligning.around(rects).adjusted(*AROUND)
        )

    def _holds_only(self, frame: FrameShape, ids: Collection[int]) -> bool:
        """True for a frame that holds some of ``ids``, and nothing else."""
        held = frame.cards or things.with_contents(self.canvas.picture, {frame.id}) - {frame.id}
        return bool(held) and held <= set(ids)

    def wrap(self, mode: str = "no_grad") -> Change:
        """Put the selected lines into a block. Raises ProgramError when they can't stand together."""
        document = self.canvas.document
        ids = document.selected_statements
        block = Block(Draft(document.sheet).new_id(), mode, rounds=ROUNDS if mode == LOOP else 0, name=edits.VARIABLE)
        return document.do(lambda sheet: edits.wrap(sheet.program, ids, mode, block.id, block.rounds), block.heading)

    # ------------------------------------------------------------ inside

    def selected(self) -> tuple[Ref, ...]:
        """The tensors of the selected cards, in program order."""
        document = self.canvas.document
        chosen = [id_ for id_ in document.selected_statements if has_card(document.program, document.program[id_])]
        return tuple(dict.fromkeys(document.program.maker(Ref(id_)) for id_ in chosen))

    def _point(self, at: QPointF | None, inputs: Iterable[Ref], wired: bool) -> arrange.Point | None:
        """Where a new card goes: where somebody pointed, else a free place; None where the drawing finds it one."""
        if self.canvas.picture.drawing.lays_out and (wired or at is None):
            return None
        return self._free(inputs) if at is None else arrange.snapped(at.x(), at.y())

    def _in_wire(
        self, begin: int, wanted: QPointF, readers: Iterable[int]
    ) -> tuple[arrange.Point | None, dict[int, arrange.Point]]:
        """The place of a card behind card ``begin``, and those of what makes room for it."""
        picture = self.canvas.picture
        if picture.drawing.lays_out:
            return None, {}
        point, push = room.room_in_wire(picture, begin, wanted, readers)
        return point, push.places()

    def _free(self, inputs: Iterable[Ref]) -> arrange.Point:
        centre = self.canvas.view_centre()
        document = self.canvas.document
        return arrange.place_for(document.sheet, document.state, inputs, (centre.x(), centre.y()))

    def _behind(self, id_: int) -> QPointF:
        """The corner of a card that is put behind another, in a row with it."""
        rect = self.canvas.picture.rect_of(id_) or QRectF()
        return QPointF(rect.right() + arrange.COLUMN_GAP, rect.top())

    def _seen(self, ids: Iterable[int]) -> list[int]:
        """Those of these cards that are in view."""
        view = self.canvas.scene_rect()
        return [id_ for id_ in ids if view.intersects(self.canvas.picture.rect_of(id_) or QRectF())]

    def _shown(self, id_: int, pushed: Collection[int] = ()) -> int:
        self.canvas.document.select([id_])
        self.canvas.keyboard.focus(id_, select=False)
        self.canvas.growing.show([id_], pushed)
        if self.canvas.document.program[id_].kind is Kind.OP:
            self.canvas.editing.ask_missing(id_)
        return id_


def _add_label(name: str) -> str:
    return translate("Placing", "Add {name}").format(name=name)


def _plugged(sheet: Sheet, built: building.Built, plug: Plug | None) -> building.Built:
    """What was built, its last result wired to a port. Raises CycleError when no order would do."""
    if plug is None:
        return built
    after = sheet.apply(built.change)
    return building.Built(built.change.then(wiring.connect(after, plug, Ref(built.ids[-1]))), built.ids)


def _rect(frame: Frame) -> QRectF:
    return QRectF(frame.x, frame.y, frame.width, frame.height)


def _with_rect(frame: Frame, rect: QRectF) -> Frame:
    return replace(frame, x=rect.x(), y=rect.y(), width=rect.width(), height=rect.height())


def corner_under(pointer: QPointF) -> QPointF:
    """The top left corner of a new card whose header lies under the pointer."""
    return pointer - QPointF(WIDTH / 2, HEADER / 2)


def typed_program(typed: str, program: Program) -> Program:
    """The new lines for an expression, or for several; numbers alone, a name before them or not, are a leaf.

    Raises SourceError, and ValueError for a table with something wrong in it.
    """
    if pasted.are_numbers(typed) and not pasted.is_typed(typed):
        return numbers_program(typed, finished(tables.reading(typed)), program)
    named, text = NAMED_NUMBERS.fullmatch(typed.strip()), narrow(typed).strip()
    is_read = False
    try:
        made = read.read_beside(typed, program, program.next_id)
        is_read = True
    except SourceError:
        if named is None and not are_numbers(text):  # written as in the field of a card: [1 2; 3 4], or 1 2 3
            raise
        made = Program()
    if made.order:
        return made
    numbers = named["numbers"] if named else text
    try:
        value = read.read_value(numbers, None if TRUTH_VALUES.fullmatch(numbers) else "float32")
    except SourceError:
        if is_read:  # w.grad
            raise SourceError(Text("source.nothing_new", text=text), 1, 1) from None
        raise
    leaf = f"{named['name']} = 1." if named and named["name"] else ONE
    made = read.read_beside(leaf, program, program.next_id)
    return replace(made, statements={leaf.id: replace(leaf, operands=(value,)) for leaf in made})


def numbers_program(text: str, array: np.ndarray, program: Program) -> Program:
    """A new leaf for the numbers in a text, that were read as an ``array``."""
    made = read.read_beside(ONE, program, program.next_id)
    return replace(made, statements={leaf.id: pasted.with_numbers(leaf, text, array) for leaf in made})
