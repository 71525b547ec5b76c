"""Moving a line into a ``with`` block or out of it, as dropping its card into a frame does."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.program import edits
from chalkgrad.program.change import Change, together
from chalkgrad.program.inlining import with_inline
from chalkgrad.program.program import Program, ProgramError
from chalkgrad.program.sheet import Draft
from chalkgrad.text import Text
from chalkgrad_app.canvas import overlay, room
from chalkgrad_app.i18n import sentence, translate
from chalkgrad_app.naming import block_title
from chalkgrad_app.picture.frames import Leaving, frame_shapes
from chalkgrad_app.style import theme

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


@dataclass(frozen=True, slots=True)
class Outcome:
    """What letting go of cards would change: in which block each of them comes to stand that leaves its own."""

    blocks: Mapping[int, int | None]
    refused: str = ""


NO_CHANGE = Outcome({})


class Dropping:
    """Cards that are dragged, over the frames of blocks: what letting go would do is shown, and done by the edit."""

    def __init__(self, canvas: GraphCanvas, rects: Mapping[int, QRectF]) -> None:
        self.document = canvas.document
        self.picture = canvas.picture
        program = self.document.program
        self.rects = {id_: rects[id_] for id_ in program.order if id_ in rects}
        self.frames = self._still_frames(canvas)
        self.target: int | None = None
        self.offset = QPointF()
        self.outcome = NO_CHANGE
        self._outcomes: dict[tuple[int | None, ...], Outcome] = {self._over(QPointF()): NO_CHANGE}

    def over(self, offset: QPointF) -> None:
        """The cards were dragged by ``offset``."""
        self.offset = offset
        if self.frames:
            self.target = next((into for id_ in self.rects if (into := self._into(id_, offset)) is not None), None)
            over = self._over(offset)
            if over not in self._outcomes:
                self._outcomes[over] = self._tried()
            self.outcome = self._outcomes[over]

    @property
    def leaving(self) -> Leaving:
        """The blocks that each card would leave."""
        program = self.document.program
        chains = {id_: set(program.chain(block)) for id_, block in self.outcome.blocks.items()}
        return {id_: set(program.chain(program[id_].block)) - chain for id_, chain in chains.items()}

    @property
    def taken_in(self) -> frozenset[int]:
        """The cards that another block takes in."""
        return frozenset(id_ for id_, block in self.outcome.blocks.items() if not self._goes_out(id_, block))

    def label(self, what: str) -> str:
        """What the undo step is called, where letting go changes in which block ``what`` stands; else nothing."""
        program = self.document.program
        into = next((self.outcome.blocks[id_] for id_ in self.taken_in), None)
        if into is not None:
            return translate("Blocks", "Move {what} into {block}").format(
                what=what, block=block_title(program.blocks[into])
            )
        for id_ in self.outcome.blocks:
            left = program.blocks[program[id_].block or 0]
            return translate("Blocks", "Move {what} out of {block}").format(what=what, block=block_title(left))
        return ""

    def follow(self, draft: Draft, offset: QPointF) -> None:
        """Add to ``draft`` what dropping the cards changes in the program; what can't be is said."""
        for id_ in self.rects:
            try:
                self._change_block(draft, id_, offset)
            except ProgramError as error:
                self.document.told.emit(sentence(error))

    def find_room(self, draft: Draft) -> None:
        """Put cards that another block takes in, or that left theirs, where they cover nothing."""
        if self.picture.drawing.lays_out:
            return
        shapes = {frame.id: frame.rect for frame in frame_shapes(self.picture, leaving=self.leaving)}
        put: list[QRectF] = []
        for id_, block in self.outcome.blocks.items():
            rect, into = self.rects[id_].translated(self.offset), id_ in self.taken_in
            fenced = [shapes[other] for other in self.frames if other in shapes and other not in self._around(block)]
            corner = room.corner_among(
                self.picture, rect, self.rects.keys(), [*fenced, *put], shapes.get(block or 0) if into else None
            )
            put.append(QRectF(corner, rect.size()))
            draft.apply(edits.place(draft.board, {id_: (corner.x(), corner.y())}))

    def reason(self) -> str:
        """Why the cards can't stand in the block they are over, or out of theirs, else nothing."""
        return self.outcome.refused

    def paint(self, painter: QPainter) -> None:
        """Light up the frame that the cards would go into."""
        if self.target is None or self.target not in self.frames:
            return
        role = "error" if self.reason() else "focus"
        pen = QPen(theme.current().color(role), 2.0)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(self.frames[self.target], 8, 8)

    def paint_reason(self, painter: QPainter) -> None:
        """Say at the card why it can't go there."""
        if self.reason() and self.rects:
            rect = next(iter(self.rects.values())).translated(self.offset)
            overlay.paint_words(painter, rect.bottomLeft(), self.reason(), theme.current().color("error"))

    # ------------------------------------------------------------ inside

    def _over(self, offset: QPointF) -> tuple[int | None, ...]:
        """The frame that each card is over."""
        program = self.document.program
        return tuple(self._frame_at(program, rect.center() + offset) for rect in self.rects.values())

    def _tried(self) -> Outcome:
        """What letting go here would come to."""
        draft, refused = Draft(self.document.sheet), ""
        for id_ in self.rects:
            try:
                self._change_block(draft, id_, self.offset)
            except ProgramError as error:
                refused = refused or sentence(error)
        program, after = self.document.program, draft.program
        blocks = {id_: after[id_].block for id_ in self.rects if after[id_].block != program[id_].block}
        return Outcome(blocks, refused)

    def _goes_out(self, id_: int, block: int | None) -> bool:
        """True where a card comes to stand in ``block``, around its own, or in none."""
        program = self.document.program
        return block is None or block in program.chain(program[id_].block)

    def _around(self, block: int | None) -> Collection[int]:
        return self.document.program.chain(block)

    def _into(self, id_: int, offset: QPointF) -> int | None:
        """The block that a card would go into, when that is not its own."""
        program = self.document.program
        after = self._frame_at(program, self.rects[id_].center() + offset)
        return after if after not in program.chain(program[id_].block) else None

    def _change_block(self, draft: Draft, id_: int, offset: QPointF) -> None:
        """Follow a card into the frame that it is dropped on, or out of its own. ProgramError says why not."""
        centre = self.rects[id_].center()
        before = self._frame_at(draft.program, centre)
        after = self._frame_at(draft.program, centre + offset)
        own = draft.program[id_].block
        if after is not None and after not in draft.program.chain(own):
            draft.apply(join(draft.program, id_, after))
        elif own is not None and own in self.frames and after is None and before == own:
            draft.apply(leave(draft.program, id_))

    def _still_frames(self, canvas: GraphCanvas) -> dict[int, QRectF]:
        """Frames of blocks that stay: those of which some card is not dragged."""
        picture = canvas.picture
        found = {}
        for frame in picture.frames:
            cards = (
                {id_ for id_ in members(picture.program, frame.id) if id_ in picture.index} if frame.block else set()
            )
            if not cards <= self.rects.keys():
                found[frame.id] = frame.rect
        return found

    def _frame_at(self, program: Program, point: QPointF) -> int | None:
        """The innermost frame of a block at a point."""
        around = [block for block, rect in self.frames.items() if block in program.blocks and rect.contains(point)]
        return max(around, key=lambda block: len(program.chain(block)), default=None)


def members(program: Program, block: int) -> list[int]:
    """Ids of the statements in a block and in the blocks inside it, in order."""
    return [statement.id for statement in program if block in program.chain(statement.block)]


def join(program: Program, id_: int, block: int) -> Change:
    """Move a line to where a block ends, or begins, and into it. ProgramError says why that can't be."""
    if block in program.chain(program[id_].block):
        return Change({})
    inside = members(program, block)
    moving = with_inline(program, [id_])
    rest = [other for other in program.order if other not in moving]
    places = [rest.index(inside[-1]) + 1, rest.index(inside[0])]
    return _moved(program, moving, rest, places, block)


def leave(program: Program, id_: int) -> Change:
    """Move a line out of its innermost block: behind it, or before it. ProgramError says why that can't be."""
    block = program[id_].block
    if block is None:
        return Change({})
    moving = with_inline(program, [id_])
    inside = [other for other in members(program, block) if other not in moving]
    parent = program.blocks[block].parent
    if not inside:
        return edits.unwrap(program, block)
    rest = [other for other in program.order if other not in moving]
    places = [rest.index(inside[-1]) + 1, rest.index(inside[0])]
    return _moved(program, moving, rest, places, parent)


def _moved(
    program: Program, moving: Sequence[int], rest: Sequence[int], places: Sequence[int], block: int | None
) -> Change:
    """The first of ``places`` at which the lines stand after what they need and before what needs them."""
    puts = together(edits.put(program, replace(program[id_], block=block)) for id_ in moving)
    for at in sorted(places, key=lambda place: abs(place - program.positions[moving[0]])):
        order = (*rest[:at], *moving, *rest[at:])
        if not _fits(program, order):
            continue
        moved = None if order == program.order else (program.order, order)
        change = puts.then(Change({}, moved))
        change = change.then(edits.drop_empty_blocks(program.apply(change)))
        try:
            program.apply(change)
        except ProgramError:
            continue
        return change
    needs = program.needs(moving[-1])
    first = next((n for n in program.dependents(moving[-1]) if n in program), None)
    name = program[moving[-1]].name or program[moving[-1]].call
    if first is not None and not needs:
        raise ProgramError(Text("edit.line_needs", name=name, line=program.lines[first]))
    raise ProgramError(Text("edit.between_needs", name=name))


def _fits(program: Program, order: Sequence[int]) -> bool:
    place = {id_: index for index, id_ in enumerate(order)}
    return all(
        place[ref.statement] < place[statement.id]
        for statement in program
        for ref in statement.refs()
        if ref.statement in place
    )
