"""Dragging what lies on the canvas: cards, notes and frames.

Alt held at the press drags copies; pressed during the drag it pulls cards out of their wires.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from chalkgrad.program import arranging, building
from chalkgrad.program.change import Change
from chalkgrad.program.inlining import with_inline
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad_app.canvas import arrange
from chalkgrad_app.canvas.blocks import Dropping
from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.joining import Joining
from chalkgrad_app.canvas.snapping import Snap, Snapping, paint_guides
from chalkgrad_app.i18n import translate
from chalkgrad_app.naming import counted

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

COPY = 0.6
"""How much is seen of copies before they are there."""


class Move(Gesture):
    """Drags what is selected; the card under the pointer snaps to the grid and takes the others along."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def __init__(self, canvas: GraphCanvas, grabbed: int, ids: frozenset[int]) -> None:
        super().__init__(canvas)
        self.ids = ids
        self.rects = {id_: rect for id_ in ids if (rect := canvas.picture.rect_of(id_)) is not None}
        self.grabbed_id = grabbed
        self.grabbed = self.rects.get(grabbed, QRectF())
        self.pressed = QPointF()
        self.offset = QPointF()
        self.copies = False
        self.snap = Snap(self.grabbed)
        self.snapping = Snapping(canvas.picture, ids, canvas.scene_rect(), canvas.viewport.scale, grabbed)
        self.dropping = Dropping(canvas, self.rects)
        self.joining = Joining(canvas, self.rects)

    def start(self, at: Pointer) -> None:
        """Lift the cards."""
        self.pressed = at.scene
        self.copies = at.alt
        if not self.copies:
            self.canvas.bring_up(self._from_below())
            self.canvas.lift(self.ids)
        self.move(at)

    def move(self, at: Pointer) -> None:
        """Move in line with neighbours or on the grid; Shift keeps to one direction, with Ctrl nothing attracts."""
        way = at.scene - self.pressed
        if at.shift:
            way = QPointF(way.x(), 0) if abs(way.x()) >= abs(way.y()) else QPointF(0, way.y())
        axes = "xy" if not at.shift else "x" if way.y() == 0 else "y"
        self.snap = Snap(self.grabbed.translated(way)) if at.ctrl else self.snapping.moved(self.grabbed, way, axes)
        self.offset = self.snap.rect.topLeft() - self.grabbed.topLeft() if way != QPointF() else QPointF()
        self.dropping.over(self.offset)
        self.joining.over(self.offset, freed=at.alt and not self.copies, joins=not (at.ctrl or self.copies))

    def end(self, at: Pointer) -> None:
        """Put the cards down: one edit."""
        self.move(at)
        self.canvas.lift(())
        if self.offset == QPointF():
            return
        if self.copies:
            self._copy()
            return
        label = self.dropping.label(self._what()) or translate("Move", "Move {what}").format(what=self._what())
        self.document.do(self._moved, self.joining.label(label))
        self.canvas.order.clear_blocks(self.dropping.taken_in)

    def cancel(self) -> None:
        """Everything stays where it was."""
        self.canvas.lift(())

    def paint(self, painter: QPainter) -> None:
        """Paint what is dragged where it will come to lie: the cards, or their copies, half seen."""
        self.dropping.paint(painter)
        paint_guides(painter, self.snap)
        if not self.copies:
            self.canvas.paint_lifted(painter, self.ids, self.offset, self.joining.freed, self.dropping.leaving)
            self.joining.paint(painter)
            self.dropping.paint_reason(painter)
            return
        painter.setOpacity(COPY)
        self.canvas.paint_lifted(painter, self.ids, self.offset, loose=True)
        self.canvas.picture.shift((), 0.0, 0.0)  # the originals are where they were
        painter.setOpacity(1.0)

    # ------------------------------------------------------------ edits

    def _moved(self, sheet: Sheet) -> Change:
        """The edit: places, and for each card dropped in or out of a frame the block of its line."""
        draft = Draft(sheet)
        draft.apply(shifted(self.canvas, sheet, self.ids, self.offset))
        self.joining.follow(draft, self.offset)
        self.dropping.follow(draft, self.offset)
        if not self.joining.joint:
            self.dropping.find_room(draft)
        return draft.change

    def _from_below(self) -> list[int]:
        """The cards in the order in which they lie now, that which is held topmost."""
        picture = self.canvas.picture
        rows = picture.from_below(picture.rows_of(self.ids)).tolist()
        return sorted((picture.ids[row] for row in rows), key=lambda id_: id_ == self.grabbed_id)

    def _what(self) -> str:
        return counted(self.document.sheet, self.document.selection)

    def _copy(self) -> None:
        program = self.document.program
        originals = [program[id_] for id_ in program.order if id_ in self.ids]
        by = (self.offset.x(), self.offset.y())
        board = self.document.board
        inner = [id_ for id_ in with_inline(program, self.ids) if id_ not in self.ids]  # of the same lines
        found = self.canvas.picture.lying([*inner, *(statement.id for statement in originals)])
        places = {id_: (x + by[0], y + by[1]) for id_, (x, y) in found.items()}
        wanted = {id_: places.pop(id_) for id_ in inner if id_ in places}
        places |= arrange.free_of_others(self.document.sheet, self.document.state, wanted)
        copied: list[int] = []

        def make(sheet: Sheet, at: int) -> building.Built:
            built = building.copies(sheet, originals, at, places, True)
            draft = Draft(sheet)
            draft.apply(built.change)
            copied.extend(arranging.copy_things(draft, board, built.copied, self.ids, by))
            return building.Built(draft.change, built.ids)

        made = self.document.build(make, translate("Move", "Duplicate {what}").format(what=self._what()))
        self.document.select([*made, *copied])


def shifted(canvas: GraphCanvas, sheet: Sheet, ids: frozenset[int], offset: QPointF) -> Change:
    """The edit that moves cards, notes and plain frames by ``offset``, with what lies on the frames."""
    ways = dict.fromkeys(ids, (offset.x(), offset.y()))
    return arranging.shift(sheet.board, ways, canvas.picture.lying(ids))
