"""Order on the canvas: aligning, distributing, framing, folding, labelling; each one undo step, none runs anything."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRectF

from chalkgrad.program import arranging, edits
from chalkgrad.program.change import Change, together
from chalkgrad.program.inlining import with_inline
from chalkgrad.program.program import ProgramError
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad_app import settings
from chalkgrad_app.canvas import aligning, room
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.canvas.hit import Hit, HitKind
from chalkgrad_app.canvas.leading_in import before_node
from chalkgrad_app.canvas.things import things_at, with_contents
from chalkgrad_app.document import new_gesture
from chalkgrad_app.i18n import QT_TRANSLATE_NOOP, sentence, translate
from chalkgrad_app.naming import LONGEST, block_title, cut_short
from chalkgrad_app.picture.folding import Fold
from chalkgrad_app.picture.frames import HUES

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

ALIGN_LABELS = {
    "left": QT_TRANSLATE_NOOP("Order", "Align left"),
    "right": QT_TRANSLATE_NOOP("Order", "Align right"),
    "top": QT_TRANSLATE_NOOP("Order", "Align top"),
    "bottom": QT_TRANSLATE_NOOP("Order", "Align bottom"),
    "across": QT_TRANSLATE_NOOP("Order", "Align centres in a column"),
    "down": QT_TRANSLATE_NOOP("Order", "Align centres in a row"),
}
HUE_LABELS = {
    "": QT_TRANSLATE_NOOP("Order", "No colour"),
    "red": QT_TRANSLATE_NOOP("Order", "Red"),
    "amber": QT_TRANSLATE_NOOP("Order", "Amber"),
    "green": QT_TRANSLATE_NOOP("Order", "Green"),
    "teal": QT_TRANSLATE_NOOP("Order", "Teal"),
    "blue": QT_TRANSLATE_NOOP("Order", "Blue"),
    "violet": QT_TRANSLATE_NOOP("Order", "Violet"),
}


class Unit(NamedTuple):
    """What moves as one: a card, a note, or a frame or folded node with all that is in it."""

    rect: QRectF
    ids: frozenset[int]


class Order:
    """Puts what is selected on a canvas in order."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas

    # ------------------------------------------------------------ align and distribute

    def align(self, how: str) -> None:
        """Put the selected cards, notes and frames in one line, by an edge or by their centres."""
        units = self.units()
        offsets = aligning.align([unit.rect for unit in units], how, self._kept(units))
        self._shift(units, offsets, translate("Order", ALIGN_LABELS[how]))

    def distribute(self, horizontally: bool) -> None:
        """Make the gaps between the selected cards, notes and frames equal."""
        units = self.units()
        across, down = translate("Order", "Distribute horizontally"), translate("Order", "Distribute vertically")
        offsets = aligning.distribute([unit.rect for unit in units], horizontally)
        self._shift(units, offsets, across if horizontally else down)

    def units(self) -> list[Unit]:
        """What is selected, each frame and folded node as one with what is in it, and a block that is not alone."""
        canvas, picture = self.canvas, self.canvas.picture
        selection = canvas.document.selection
        found = [
            Unit(fold.rect, fold.hides | {fold.id})
            for fold in picture.folds
            if not fold.hides.isdisjoint(selection) or fold.id in selection
        ]
        taken: set[int] = set()
        for frame in picture.frames:
            if frame.id in selection and not any(frame.id in unit.ids for unit in found):
                found.append(Unit(frame.rect, with_contents(canvas.picture, {frame.id})))
        for unit in found:
            taken |= unit.ids
        for block in sorted(picture.frames, key=lambda frame: -len(frame.cards)):
            if block.cards and block.cards < selection and taken.isdisjoint(block.cards):
                found.append(Unit(block.rect, block.cards))
                taken |= block.cards
        for id_ in sorted(selection - taken):
            rect = picture.rect_of(id_)
            if rect is not None:
                found.append(Unit(rect, frozenset({id_})))
        return found

    # ------------------------------------------------------------ frames

    def frame(self) -> None:
        """Put a plain frame around what is selected, its title ready to be typed."""
        gesture = new_gesture()
        made = self.canvas.placing.place_frame(gesture)
        if made is not None:
            self.canvas.edit_field(Field(Part.TITLE, made), gesture)

    def wrap(self, mode: str) -> None:
        """Put the selected lines into a ``with`` block; say so when they can't stand together."""
        before = self.canvas.document.program.blocks.keys()
        try:
            self.canvas.placing.wrap(mode)
        except ProgramError as error:
            self.canvas.document.told.emit(sentence(error))
        for block in self.canvas.document.program.blocks.keys() - before:
            self.canvas.tidying.bring_together(self.canvas.picture.folding.blocks.get(block, ()))

    def edit_rounds(self) -> None:
        """Type how many rounds the innermost loop around the selection has, else the last loop."""
        program = self.canvas.document.program
        chosen = [program.loops(program[id_].block)[-1:] for id_ in self.canvas.document.selected_statements]
        loops = [loop for found in chosen for loop in found] or list(program.bodies)[-1:]
        if loops:
            self.canvas.edit_field(Field(Part.ROUNDS, loops[0]))

    def paint_frames(self, hue: str) -> None:
        """Give the selected frames a colour of the theme; "" takes it away."""
        document = self.canvas.document
        frames = [frame for id_, frame in document.board.frames.items() if id_ in document.selection]
        document.do(
            lambda sheet: together(edits.put_frame(sheet.board, replace(frame, hue=hue)) for frame in frames),
            translate("Order", "Colour of the frame"),
        )

    def next_hue(self) -> None:
        """Give the selected frames the next colour of the theme."""
        document = self.canvas.document
        hues = ["", *HUES]
        chosen = [frame.hue for id_, frame in document.board.frames.items() if id_ in document.selection]
        if chosen:
            here = hues.index(chosen[0]) if chosen[0] in hues else 0
            self.paint_frames(hues[(here + 1) % len(hues)])

    # ------------------------------------------------------------ folding

    def toggle_fold(self) -> None:
        """Open the folded nodes that are selected; else fold the frames or blocks that are, or a new frame."""
        document = self.canvas.document
        if self.open_selected():
            return
        chosen = [id_ for id_ in document.board.frames if id_ in document.selection] or self._whole_frames()
        if chosen:
            self.fold(self._outer(chosen))
        elif document.selection:
            self._fold_in_new_frame()

    def fold(self, ids: Collection[int]) -> None:
        """Show frames and blocks as one node each."""
        canvas, document = self.canvas, self.canvas.document
        rects = {id_: canvas.picture.rect_of(id_) or QRectF() for id_ in ids}
        change = document.do(
            lambda sheet: self._folded(sheet, ids),
            self._called(ids, translate("Order", "Fold"), translate("Order", "Fold {name}")),
        )
        if change:
            self._clear_under(rects)
            self._select_folds(ids)
            canvas.folding.show(rects)

    def open(self, ids: Collection[int]) -> None:
        """Show what folded nodes hide again."""
        canvas, document = self.canvas, self.canvas.document
        rects = {id_: canvas.picture.rect_of(id_) or QRectF() for id_ in ids}
        folds = [fold for fold in canvas.picture.folds if fold.id in ids]
        inside = {id_ for fold in folds for id_ in fold.hides}
        saw_all = canvas.scene_rect().contains(canvas.picture.bounds())
        label = self._called(ids, translate("Order", "Unfold"), translate("Order", "Unfold {name}"))
        if document.do(lambda sheet: arranging.unfold(sheet.board, ids), label):
            canvas.tidying.glide(lambda: self._make_room(folds))
            frames = [id_ for id_ in ids if id_ in document.board.frames]
            document.select(frames or [id_ for id_ in inside if id_ in canvas.picture.index])
            canvas.folding.show(rects)
            if saw_all:
                canvas.ensure_rect_visible(canvas.picture.bounds())
            else:
                canvas.ensure_visible([*ids, *inside])

    def _called(self, ids: Collection[int], step: str, named: str) -> str:
        """What an undo step with frames and blocks is called: by their name where it is one that has one."""
        program, board = self.canvas.document.program, self.canvas.document.board
        titles = [block_title(program.blocks[id_]) if id_ in program.blocks else board.frames[id_].title for id_ in ids]
        return named.format(name=cut_short(titles[0], LONGEST)) if len(titles) == 1 and titles[0] else step

    def open_selected(self) -> bool:
        """Open the folded nodes in which something is selected; False where there are none."""
        folded = self._selected_folds()
        if folded:
            self.open(folded)
        return bool(folded)

    def whole(self, id_: int) -> frozenset[int]:
        """What is selected along with something: with a folded node all that it stands for."""
        return things_at(self.canvas.picture, Hit(HitKind.FOLD, id_)) or frozenset({id_})

    # ------------------------------------------------------------ labels

    def label(self) -> None:
        """Write a label under the one card selected, the title of a frame; what has neither is told why."""
        document, picture = self.canvas.document, self.canvas.picture
        only = next(iter(document.selection)) if len(document.selection) == 1 else -1
        if only in document.board.frames:
            self.canvas.edit_field(Field(Part.TITLE, only))
        elif only in document.board.notes:
            document.told.emit(translate("Order", "A note says itself what it has to say: Enter writes in it"))
        elif only in picture.index and not picture.hidden[picture.index[only]]:
            self.canvas.edit_field(Field(Part.LABEL, only))
        else:
            words = translate("Order", "A label stands under one card; the frame of a block is called as its line")
            document.told.emit(words)

    # ------------------------------------------------------------ snapping

    def snap_to_grid(self, on: bool) -> None:
        """Have what is dragged lie on the grid, or not."""
        settings.SNAP_GRID.set(on)

    def snap_to_guides(self, on: bool) -> None:
        """Have neighbours attract what is dragged, or not."""
        settings.SNAP_GUIDES.set(on)

    # ------------------------------------------------------------ inside

    def _shift(self, units: list[Unit], offsets: Iterable[aligning.Offset], label: str) -> None:
        """Move units, each by its own offset; what they come to lie on moves off, where people say where that lies."""
        picture, before = self.canvas.picture, [unit.rect for unit in units]
        inside = frozenset[int]().union(*(unit.ids for unit in units))
        ways = {id_: offset for unit, offset in zip(units, offsets, strict=True) for id_ in unit.ids}
        after = [unit.rect.translated(*ways[min(unit.ids)]) for unit in units]
        if not picture.drawing.lays_out and before != after:
            ways |= room.out_from_under(picture, before, after, inside)
        self.canvas.document.do(lambda sheet: arranging.shift(sheet.board, ways, picture.lying(ways)), label)
        self.clear_blocks(inside)

    def clear_blocks(self, shifted: frozenset[int]) -> None:
        """Have strangers move off the frames of blocks that reach farther since cards of theirs were ``shifted``."""
        canvas = self.canvas
        for block in [frame for frame in canvas.picture.frames if not frame.cards.isdisjoint(shifted)]:
            picture, inside = canvas.picture, {block.id, *block.cards}
            if not picture.drawing.lays_out:
                foreign = [unit for unit in room.foreign(picture, block.rect, inside) if unit.isdisjoint(shifted)]
                self._move_off(room.off_frame(picture, block.rect, inside, foreign))

    def _move_off(self, ways: Mapping[int, aligning.Offset]) -> None:
        """Have things move aside, as part of the edit that calls for it."""
        document = self.canvas.document
        document.extend(arranging.shift(document.board, ways, self.canvas.picture.lying(ways)))

    def _kept(self, units: Iterable[Unit]) -> list[QRectF]:
        """Where the cards are that are kept in place, and are in none of these."""
        picture, inside = self.canvas.picture, {id_ for unit in units for id_ in unit.ids}
        return [picture.rect(id_) for id_ in room.pinned(picture) - inside]

    def _folded(self, sheet: Sheet, ids: Collection[int]) -> Change:
        plain = sheet.board.frames
        return together(
            arranging.fold(sheet.board, id_, with_contents(self.canvas.picture, {id_}) - {id_} if id_ in plain else ())
            for id_ in ids
        )

    def _fold_in_new_frame(self) -> None:
        """Frame the selection and fold the frame, its title ready to be typed: one undo step."""
        canvas, document = self.canvas, self.canvas.document
        inside = [
            id_ for id_ in with_contents(canvas.picture, document.selection) if canvas.picture.rect_of(id_) is not None
        ]
        frame = canvas.placing.frame_around(inside)
        if frame is None:
            return

        def make(sheet: Sheet) -> Change:
            draft = Draft(sheet)
            draft.apply(edits.put_frame(draft.board, frame))
            draft.apply(arranging.fold(draft.board, frame.id, inside))
            return draft.change

        gesture = new_gesture()
        document.do(make, translate("Order", "Fold"), gesture)
        rects = {frame.id: QRectF(frame.x, frame.y, frame.width, frame.height)}
        self._clear_under(rects)
        self._select_folds([frame.id])
        canvas.folding.show(rects)
        canvas.edit_field(Field(Part.TITLE, frame.id), gesture)

    def _clear_under(self, grounds: Mapping[int, QRectF]) -> None:
        """Have what the new nodes would cover move off, and leaves go before them, where people say where they lie.

        ``grounds`` are where the frames were that are folded.
        """
        picture = self.canvas.picture
        for fold in [fold for fold in picture.folds if fold.id in grounds]:
            if not picture.drawing.lays_out:
                self._move_off(room.out_from_under(picture, [QRectF()], [fold.rect], {fold.id, *fold.hides}))
                self._move_off(before_node(picture, fold, grounds[fold.id]))

    def _make_room(self, opened: Iterable[Fold]) -> None:
        """Have strangers move off the frames that were ``opened``, where a drawing leaves their places to people.

        A plain frame in which strangers far outnumber its own cards goes: all stays where it lies, but for what these
        cards would cover.
        """
        canvas, document = self.canvas, self.canvas.document
        for fold in opened:
            picture, inside = canvas.picture, {fold.id, *fold.hides}
            rect = next((frame.rect for frame in picture.frames if frame.id == fold.id), None)
            if rect is None or picture.drawing.lays_out:
                continue
            foreign = room.strangers(picture, rect, inside)
            if not room.are_many(foreign, fold.cards):
                self._move_off(room.off_frame(picture, rect, inside, foreign))
                continue
            if not fold.block:
                document.extend(edits.remove_frames(document.board, [fold.id]))
            rects = [picture.rect(id_) for id_ in fold.cards]
            self._move_off(room.out_from_under(picture, [QRectF()] * len(rects), rects, inside))

    def _selected_folds(self) -> list[int]:
        selection = self.canvas.document.selection
        return [
            fold.id
            for fold in self.canvas.picture.folds
            if fold.id in selection or not fold.hides.isdisjoint(selection)
        ]

    def _select_folds(self, ids: Collection[int]) -> None:
        document = self.canvas.document
        chosen = {id_ for id_ in ids if id_ in document.board.frames}
        for fold in self.canvas.picture.folds:
            if fold.id in ids:
                chosen |= fold.hides
        document.select(chosen)

    def _whole_frames(self) -> list[int]:
        """The blocks of which every line is selected; failing those, the frames that hold just what is.

        What is written inside a selected line needs no selecting.
        """
        picture, selection = self.canvas.picture, self.canvas.document.selection
        lines = frozenset(with_inline(self.canvas.document.program, selection))
        blocks = [block for block, cards in picture.folding.blocks.items() if lines.issuperset(cards)]
        frames = [
            id_ for id_ in self.canvas.document.board.frames if with_contents(picture, [id_]) - {id_} == selection
        ]
        return blocks or frames[:1]

    def _outer(self, ids: Collection[int]) -> list[int]:
        """Those that don't lie in another one."""
        program = self.canvas.document.program
        inner = {
            id_
            for id_ in ids
            for other in ids
            if other != id_ and (id_ in program.blocks and other in program.chain(id_))
        }
        return [id_ for id_ in ids if id_ not in inner]
