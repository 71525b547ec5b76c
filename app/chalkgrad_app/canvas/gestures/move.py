"""Dragging what lies on the canvas: cards, notes and frames; with Alt, copies of the cards and notes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from chalkgrad.program import building, edits
from chalkgrad.program.change import Change, together
from chalkgrad.program.program import Program, ProgramError
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad_app.canvas import arrange, blocks
from chalkgrad_app.canvas.fields import sentence
from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.i18n import translate

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class Move(Gesture):
    """Drags what is selected; the card under the pointer snaps to the grid and takes the others along."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def __init__(self, canvas: GraphCanvas, grabbed: int, ids: frozenset[int]) -> None:
        super().__init__(canvas)
        self.ids = ids
        self.rects = {id_: rect for id_ in ids if (rect := canvas.picture.rect_of(id_)) is not None}
        self.grabbed = self.rects.get(grabbed, QRectF())
        self.pressed = QPointF()
        self.offset = QPointF()
        self.copies = False
        self.frames: dict[int, QRectF] = {}

    def start(self, at: Pointer) -> None:
        """Lift the cards."""
        self.pressed = at.scene
        self.copies = at.alt
        self.frames = self._still_frames()
        if not self.copies:
            self.canvas.lift(self.ids)
        self.move(at)

    def move(self, at: Pointer) -> None:
        """Move by whole steps of the grid; Shift keeps to one direction."""
        way = at.scene - self.pressed
        if at.shift:
            way = QPointF(way.x(), 0) if abs(way.x()) >= abs(way.y()) else QPointF(0, way.y())
        corner = self.grabbed.topLeft()
        x, y = arrange.snapped(corner.x() + way.x(), corner.y() + way.y())
        self.offset = QPointF(x, y) - corner if way != QPointF() else QPointF()

    def end(self, at: Pointer) -> None:
        """Put the cards down: one edit."""
        self.move(at)
        self.canvas.lift(())
        if self.offset == QPointF():
            return
        if self.copies:
            self._copy()
            return
        self.document.do(self._moved, translate("Move", "Move"))

    def cancel(self) -> None:
        """Everything stays where it was."""
        self.canvas.lift(())

    def paint(self, painter: QPainter) -> None:
        """Paint what is dragged where it will come to lie: the cards, or outlines of their copies."""
        if not self.copies:
            self.canvas.paint_lifted(painter, self.ids, self.offset)
            return
        painter.setPen(QPen(self.canvas.palette().highlight().color(), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for rect in self.rects.values():
            painter.drawRect(rect.translated(self.offset))

    # ------------------------------------------------------------ edits

    def _moved(self, sheet: Sheet) -> Change:
        """The edit: places, and for each card dropped in or out of a frame the block of its line."""
        draft = Draft(sheet)
        draft.apply(shifted(sheet, self.ids, self.offset))
        for id_ in sheet.program.order:
            if id_ in self.rects:
                self._change_block(draft, id_)
        return draft.change

    def _change_block(self, draft: Draft, id_: int) -> None:
        """Follow the card into the frame that it was dropped on, or out of its own; say why not."""
        centre = self.rects[id_].center()
        before = self._frame_at(draft.program, centre)
        after = self._frame_at(draft.program, centre + self.offset)
        own = draft.program[id_].block
        try:
            if after is not None and after not in draft.program.chain(own):
                draft.apply(blocks.join(draft.program, id_, after))
            elif own is not None and own in self.frames and after is None and before == own:
                draft.apply(blocks.leave(draft.program, id_))
        except ProgramError as error:
            self.document.told.emit(sentence(error))

    def _still_frames(self) -> dict[int, QRectF]:
        """Frames of blocks that stay: those of which some card is not dragged."""
        picture = self.canvas.picture
        cards = {
            frame.id: [id_ for id_ in blocks.members(picture.program, frame.id) if id_ in picture.index]
            for frame in picture.frames
            if frame.block
        }
        return {
            frame.id: frame.rect
            for frame in self.canvas.picture.frames
            if frame.id in cards and not self.ids.issuperset(cards[frame.id])
        }

    def _frame_at(self, program: Program, point: QPointF) -> int | None:
        """The innermost frame of a block at a point."""
        around = [block for block, rect in self.frames.items() if block in program.blocks and rect.contains(point)]
        return max(around, key=lambda block: len(program.chain(block)), default=None)

    def _copy(self) -> None:
        program = self.document.program
        originals = [program[id_] for id_ in program.order if id_ in self.ids]
        places = {
            id_: (rect.x() + self.offset.x(), rect.y() + self.offset.y())
            for id_, rect in self.rects.items()
            if id_ in program
        }
        notes = [note for id_, note in self.document.board.notes.items() if id_ in self.ids]
        copied: list[int] = []

        def make(sheet: Sheet, at: int) -> building.Built:
            built = building.copies(sheet, originals, at, places, True)
            draft = Draft(sheet)
            draft.apply(built.change)
            for note in notes:
                copy = replace(note, id=draft.new_id(), x=note.x + self.offset.x(), y=note.y + self.offset.y())
                draft.apply(edits.put_note(draft.board, copy))
                copied.append(copy.id)
            return building.Built(draft.change, built.ids)

        made = self.document.build(make, translate("Move", "Duplicate"))
        self.document.select([*made, *copied])


def shifted(sheet: Sheet, ids: frozenset[int], offset: QPointF) -> Change:
    """The edit that moves cards, notes and plain frames by ``offset``, with what lies on the frames."""
    x, y = offset.x(), offset.y()
    board = sheet.board
    places = {
        id_: (place.x + x, place.y + y)
        for (drawing, id_), place in board.places.items()
        if drawing == "cards" and id_ in ids
    }
    notes = [board.notes[id_] for id_ in ids if id_ in board.notes]
    frames = [board.frames[id_] for id_ in ids if id_ in board.frames]
    changes = [edits.place(board, places)]
    changes += [edits.put_note(board, replace(note, x=note.x + x, y=note.y + y)) for note in notes]
    changes += [edits.put_frame(board, replace(frame, x=frame.x + x, y=frame.y + y)) for frame in frames]
    return together(changes)
