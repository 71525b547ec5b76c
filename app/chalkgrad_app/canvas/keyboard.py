"""Keys on the canvas: Tab and arrows move the focus, Shift+arrows select along, Ctrl+arrows move cards, W wires."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer, QPointF, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QApplication

from chalkgrad_app.canvas import reach, wiring
from chalkgrad_app.canvas.arrange import GRID
from chalkgrad_app.canvas.gestures.move import shifted
from chalkgrad_app.canvas.gestures.refused import why_no_wires
from chalkgrad_app.canvas.hit import Hit, HitKind
from chalkgrad_app.canvas.keyboard_wire import WireByKeys, tensors_of
from chalkgrad_app.canvas.reach import things
from chalkgrad_app.canvas.things import with_contents
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.document import new_gesture
from chalkgrad_app.i18n import translate
from chalkgrad_app.naming import counted
from chalkgrad_app.picture.picture import Picture

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
LARGER, SMALLER = (Qt.Key.Key_Plus, Qt.Key.Key_Equal), (Qt.Key.Key_Minus, Qt.Key.Key_Underscore)
NUDGES_MS = 800
"""Nudges of the same cards that follow one another faster than this are one undo step."""


class Keyboard:
    """Handles keys for a canvas and holds the card that has the focus."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self._card: int | None = None
        self._left: int | None = None  # the card from which Tab went on to the next widget
        self._nudge = 0
        self._nudged: tuple[Collection[int], int] = ((), 0)
        self._since_nudge = QElapsedTimer()

    @property
    def card(self) -> int | None:
        """The card (or note, or frame) with the focus, or None."""
        document, board = self.canvas.document, self.canvas.document.board
        held = any(self._card in table for table in (document.program, board.notes, board.frames, board.folds))
        return self._card if held else None

    def at_work(self) -> QRect:
        """Where on the widget one works: at the card or node with the focus, else at the only card selected."""
        canvas, card = self.canvas, self.card
        selection, node = canvas.document.selection, canvas.nodes.chosen()
        if card is None and node is not None:
            return canvas.nodes.view_rect(node)
        if card is None and len(selection) == 1:
            card = next(iter(selection))
        return canvas.view_rect_of(card) if card is not None else QRect()

    def hit(self) -> Hit:
        """The card or node with the focus, as if the mouse had hit it."""
        card, document, node = self.card, self.canvas.document, self.canvas.nodes.chosen()
        if card is None:
            return Hit() if node is None else Hit(HitKind.NODE, node=node[1])
        if card in document.program:
            return Hit(HitKind.CARD, card)
        if card in document.board.notes:
            return Hit(HitKind.NOTE, card)
        return Hit(HitKind.FOLD if card in document.board.folds else HitKind.FRAME, card)

    def focus(self, id_: int | None, select: bool = True, extend: bool = False) -> None:
        """Give the focus to a card, select it and bring it into view; a ring shows only what the keys brought there."""
        self._card = id_
        self._left = self._left if id_ is None else None
        if id_ is not None and select:
            self.canvas.document.select(self.canvas.order.whole(id_), extend)
            self.canvas.ensure_visible([id_], glide=True)
        self.canvas.focus_moved(self.card, ring=select)

    def tab(self, by: int) -> bool:
        """Go to the next (+1) or previous (-1) card, after the cards to the nodes beside them; False past the last."""
        wire = self.canvas.dispatcher.active
        if isinstance(wire, WireByKeys):
            wire.step(by)
            return True
        nodes, order = self.canvas.nodes, things(self.canvas.picture)
        if nodes.chosen() is not None:
            if nodes.tab(by):
                return True
            self.canvas.document.select_node(None)
            if by > 0:
                return False
        elif by < 0 and self._start() is None and nodes.tab(by):
            return True
        start = self._start()
        if self.card is None and start == self._left:
            start = None  # who went round through the window goes round through the cards anew
        outside = -1 if by > 0 else len(order)
        here = order.index(start) if start in order else outside
        there = here + by
        if not 0 <= there < len(order):
            if by > 0 and nodes.tab(by):
                return True
            self._left = start
            self.focus(None)
            return False
        self.focus(order[there])
        return True

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; False for one that is somebody else's."""
        key = Qt.Key(event.key())
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return False
        if key in ARROWS and ctrl:
            return self.nudge(ARROWS[key], 1 if shift else GRID)
        if key in ARROWS:
            return self.go(ARROWS[key], extend=shift)
        if key == Qt.Key.Key_F10 and shift:
            return self.open_menu()
        if not ctrl and key in (*LARGER, *SMALLER):
            self.canvas.zoom_in() if key in LARGER else self.canvas.zoom_out()
            return True
        return key == Qt.Key.Key_Escape and self._escape()

    def nudge(self, way: tuple[int, int], step: int) -> bool:
        """Move what is selected by ``step``; nudges in quick succession are one undo step."""
        document = self.canvas.document
        if not document.selection:
            return False
        ids = with_contents(self.canvas.picture, document.selection)
        hurried = self._since_nudge.isValid() and self._since_nudge.elapsed() < NUDGES_MS
        if not hurried or self._nudged != (ids, step):
            self._nudge, self._nudged = new_gesture(), (ids, step)
        self._since_nudge.restart()
        self.canvas.bring_up(sorted(ids & self.canvas.picture.index.keys()))
        offset = QPointF(way[0] * step, way[1] * step)
        label = translate("Keyboard", "Move {what}").format(what=counted(document.sheet, document.selection))
        document.do(lambda sheet: shifted(self.canvas, sheet, ids, offset), label, self._nudge)
        return True

    def go(self, way: tuple[int, int], extend: bool = False) -> bool:
        """Move the focus along a wire, or to the nearest card in that direction."""
        onwards, chosen = way[1 if self.canvas.picture.drawing.down else 0], self.canvas.selected_wire
        if chosen is not None and onwards and not extend and self.go_to_end(chosen, onwards < 0):
            return True
        here = self._start()
        if here is None:
            return self.canvas.nodes.go(way) or self.tab(1)
        along = self._wired(here, onwards) if onwards else []
        found = self._nearest(here, along, way) or self._nearest(here, None, way)
        if found is not None:
            self.focus(found, extend=extend)
        return True

    def go_to_end(self, wire: Plug, start: bool) -> bool:
        """Go to the card from which a wire comes (``start``), or to which it leads; False from that card itself."""
        source = wiring.source(self.canvas.document.program, wire)
        end = source.statement if start and source is not None else wire.consumer
        shown = reach.shown_as(self.canvas.picture, end)
        if shown == self.card:
            return False
        self.canvas.select_wire(None)
        self.focus(shown)
        return True

    # ------------------------------------------------------------ actions

    def select_upstream(self) -> None:
        """Select what the selected cards need as well."""
        self._grow(reach.upstream)

    def select_downstream(self) -> None:
        """Select what needs the selected cards as well."""
        self._grow(reach.downstream)

    def grow_selection(self) -> None:
        """Select what is wired to the selected cards as well."""
        self._grow(reach.neighbours)

    def wire(self) -> None:
        """Draw a wire by keys from the card with the focus, or move the end of the wire chosen."""
        canvas, program = self.canvas, self.canvas.document.program
        if not canvas.picture.drawing.is_wired_by_hand:
            canvas.document.told.emit(why_no_wires())
            return
        lifted = canvas.selected_wire
        source = wiring.source(program, lifted) if lifted is not None else None
        start = self._start()
        tensors = [source] if source is not None else tensors_of(canvas, start) if start is not None else []
        if not tensors:
            canvas.document.told.emit(translate("Keyboard", "Select a card first: the wire begins at its value."))
            return
        gesture = WireByKeys(canvas, tensors[0], lifted if source is not None else None)
        canvas.select_wire(None)
        canvas.dispatcher.take_up(gesture, gesture.here())
        gesture.announce()

    def next_wire(self) -> None:
        """Choose the wires that end at the card with the focus, one after the other."""
        canvas, chosen = self.canvas, self.canvas.selected_wire
        card = self.card if self.card is not None else self._start()
        if card is None and chosen is not None:
            card = chosen.consumer
        rows = canvas.picture.wires_of([card]).tolist() if card is not None else []
        plugs = [Plug(wire.target, wire.port) for wire in map(canvas.picture.wires.__getitem__, rows)]
        if plugs:
            at = plugs.index(chosen) + 1 if chosen in plugs else 0
            canvas.select_wire(plugs[at % len(plugs)])

    def open_menu(self) -> bool:
        """Shift+F10 opens the context menu, as the Menu key does."""
        at = self.canvas.rect().center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, self.canvas.mapToGlobal(at))
        QApplication.sendEvent(self.canvas, event)
        return True

    # ------------------------------------------------------------ inside

    def _grow(self, grown: Callable[[Picture, Collection[int]], Collection[int]]) -> None:
        document = self.canvas.document
        document.select(grown(self.canvas.picture, document.selected_statements), extend=True)

    def _start(self) -> int | None:
        """Where moving begins: the card with the focus, else the first selected."""
        if self.card is not None:
            return self.card
        selected = self.canvas.document.selected_statements
        return selected[0] if selected else None

    def _wired(self, here: int, right: int) -> list[int]:
        """Cards that a wire joins to this one, on its right (+1) or left (-1) side."""
        picture = self.canvas.picture
        return reach.readers(picture, here) if right > 0 else reach.read_by(picture, here)

    def _nearest(self, here: int, among: list[int] | None, way: tuple[int, int]) -> int | None:
        """The nearest card of ``among``; of all that lie in the direction when None."""
        picture = self.canvas.picture
        start = picture.rect_of(here)
        if start is None:
            return None
        rows = np.arange(len(picture.ids)) if among is None else picture.rows_of(among)
        across = (picture.x + picture.w / 2)[rows] - start.center().x()
        down = (picture.y + picture.h / 2)[rows] - start.center().y()
        ahead, aside = across * way[0] + down * way[1], np.abs(across * way[1]) + np.abs(down * way[0])
        distance = np.abs(ahead) + 2 * aside
        distance[(across == 0) & (down == 0)] = np.inf  # the card itself, or what its node hides
        if among is None:
            distance[(ahead <= 0) | (aside > 2 * ahead)] = np.inf
        if not len(rows) or np.isinf(distance.min()):
            return None
        return reach.shown_as(picture, picture.ids[int(rows[distance.argmin()])])

    def _escape(self) -> bool:
        """Give up what takes long, else let go of everything: the wire chosen, the focus, the selection."""
        canvas = self.canvas
        going_on = [slices for slices in canvas.slices if slices.is_active]
        for slices in going_on:
            slices.give_up()
        if going_on or canvas.tidying.cancel():
            return True
        nothing = not canvas.document.selection and canvas.document.node is None
        if canvas.selected_wire is None and nothing and self.card is None:
            return False
        canvas.select_wire(None)
        self.focus(None, select=False)
        canvas.document.clear_selection()
        return not canvas.is_lecture  # there, one press leaves the lecture as well
