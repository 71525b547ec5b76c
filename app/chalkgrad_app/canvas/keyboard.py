"""The keys of the canvas that are no actions: Tab and arrows move the focus, Ctrl+arrows the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from chalkgrad.program.building import has_card
from chalkgrad.program.program import Program
from chalkgrad_app.canvas.arrange import GRID
from chalkgrad_app.canvas.gestures.move import shifted
from chalkgrad_app.document import new_gesture
from chalkgrad_app.i18n import translate

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def reading_order(program: Program) -> list[int]:
    """Cards in the order of their lines."""
    return [statement.id for statement in program if has_card(program, statement)]


class Keyboard:
    """Handles keys for a canvas and holds the card that has the focus."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self._card: int | None = None
        self._nudge = 0

    @property
    def card(self) -> int | None:
        """The card with the focus, or None."""
        return self._card if self._card in self.canvas.document.program else None

    def focus(self, id_: int | None, select: bool = True) -> None:
        """Give the focus to a card, select it and bring it into view; a ring shows only what the keys brought there."""
        self._card = id_
        if id_ is not None and select:
            self.canvas.document.select([id_])
            self.canvas.ensure_visible([id_])
        self.canvas.focus_moved(self.card, ring=select)

    def tab(self, by: int) -> bool:
        """Go to the next (+1) or previous (-1) card; False past the last, when the focus leaves the canvas."""
        order = reading_order(self.canvas.document.program)
        if not order:
            return False
        start = self._start()
        outside = -1 if by > 0 else len(order)
        here = order.index(start) if start is not None and start in order else outside
        there = here + by
        if not 0 <= there < len(order):
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
            return self.nudge(ARROWS[key], 1 if shift else GRID, event.isAutoRepeat())
        if key in ARROWS and not shift:
            return self.go(ARROWS[key])
        if key == Qt.Key.Key_Space and not event.isAutoRepeat():
            return False
        return key == Qt.Key.Key_Escape and self._escape()

    def nudge(self, way: tuple[int, int], step: int, repeated: bool = False) -> bool:
        """Move what is selected by ``step``; a key held down is one undo step."""
        document = self.canvas.document
        if not document.selection:
            return False
        if not repeated or not self._nudge:
            self._nudge = new_gesture()
        offset = QPointF(way[0] * step, way[1] * step)
        ids = self.canvas.with_contents(document.selection)
        document.do(lambda sheet: shifted(sheet, ids, offset), translate("Keyboard", "Move"), self._nudge)
        return True

    def go(self, way: tuple[int, int]) -> bool:
        """Move the focus along a wire (left, right), or to the nearest card in that direction."""
        here = self._start()
        if here is None:
            return self.tab(1)
        along = self._wired(here, way[0]) if way[0] else []
        found = self._nearest(here, along, way) or self._nearest(here, None, way)
        if found is not None:
            self.focus(found)
        return True

    # ------------------------------------------------------------ inside

    def _start(self) -> int | None:
        """Where moving begins: the card with the focus, else the first selected."""
        if self.card is not None:
            return self.card
        selected = self.canvas.document.selected_statements
        return selected[0] if selected else None

    def _wired(self, here: int, right: int) -> list[int]:
        """Cards that a wire joins to this one, on its right (+1) or left (-1) side."""
        found = []
        for wire in self.canvas.picture.wires:
            if right > 0 and wire.source == here:
                found.append(wire.target)
            elif right < 0 and wire.target == here:
                found.append(wire.source)
        return found

    def _nearest(self, here: int, among: list[int] | None, way: tuple[int, int]) -> int | None:
        """The nearest card of ``among``; of all that lie in the direction when None."""
        start = self.canvas.picture.rect_of(here)
        if start is None:
            return None
        best: tuple[float, int] | None = None
        for id_ in reading_order(self.canvas.document.program) if among is None else among:
            rect = self.canvas.picture.rect_of(id_)
            if rect is None or id_ == here:
                continue
            step = rect.center() - start.center()
            ahead = step.x() * way[0] + step.y() * way[1]
            aside = abs(step.x() * way[1]) + abs(step.y() * way[0])
            if among is None and (ahead <= 0 or aside > 2 * ahead):
                continue
            distance = abs(ahead) + 2 * aside
            if best is None or distance < best[0]:
                best = (distance, id_)
        return best[1] if best else None

    def _escape(self) -> bool:
        """Let go of everything: the wire chosen, the focus, the selection."""
        canvas = self.canvas
        if canvas.selected_wire is None and not canvas.document.selection and self.card is None:
            return False
        canvas.select_wire(None)
        self.focus(None, select=False)
        canvas.document.clear_selection()
        return not canvas.is_lecture  # there, one press leaves the lecture as well
