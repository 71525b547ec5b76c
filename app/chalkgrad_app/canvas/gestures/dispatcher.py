"""Which gesture a press begins, what a click does, and who gets a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from chalkgrad.program.statement import Ref
from chalkgrad_app.canvas import targets, wiring
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.gestures.move import Move
from chalkgrad_app.canvas.gestures.resize import Resize
from chalkgrad_app.canvas.gestures.scrolling import EdgeScrolling
from chalkgrad_app.canvas.gestures.select import RubberBand, clicked
from chalkgrad_app.canvas.gestures.wire import DrawWire
from chalkgrad_app.canvas.hit import Hit, HitKind

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

THRESHOLD = 5
"""Pixels that the mouse has to move with its button down before a press becomes a drag."""


@dataclass(frozen=True, slots=True)
class Press:
    """A press of the left button: where, on what, and whether that alone was selected before."""

    at: Pointer
    hit: Hit
    was_alone: bool


class Gestures:
    """The conversations of one canvas: at most one gesture goes on at a time."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self.active: Gesture | None = None
        self._press: Press | None = None
        self._keys = Qt.KeyboardModifier.NoModifier
        self.scrolling = EdgeScrolling(canvas, self._scrolled)

    # ------------------------------------------------------------ mouse

    def mouse_press(self, event: QMouseEvent) -> bool:
        """Remember a press of the left button; what it means shows when the mouse moves or the button goes up."""
        self.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        at = self._pointer(event)
        hit = self.canvas.hit(at.view)
        document = self.canvas.document
        ids = self.canvas.things_at(hit)
        self._press = Press(at, hit, bool(ids) and document.selection == ids)
        if ids and not (at.ctrl or at.shift) and not ids <= document.selection:
            self.canvas.select_wire(None)
            document.select(ids)
        return True

    def mouse_move(self, event: QMouseEvent) -> bool:
        """Go on with the gesture, or begin it."""
        at = self._pointer(event)
        if self.active is None and self._press is not None:
            way = at.view - self._press.at.view
            if way.manhattanLength() >= THRESHOLD:
                self._begin(self._press)
        if self.active is None:
            return self._press is not None
        self.active.move(at)
        self._keys = event.modifiers()
        self.scrolling.follow(at.view)
        self.canvas.update()
        return True

    def mouse_release(self, event: QMouseEvent) -> bool:
        """End the gesture; without one it was a click."""
        if event.button() != Qt.MouseButton.LeftButton or (self.active is None and self._press is None):
            return False
        at = self._pointer(event)
        active, press = self.active, self._press
        self.active = self._press = None
        self.scrolling.stop()
        if active is not None:
            active.end(at)
        elif press is not None:
            self._click(press, at)
        self.canvas.hover_at(at.view)
        self.canvas.update()
        return True

    def double_click(self, event: QMouseEvent) -> bool:
        """Edit what is under the pointer; on empty canvas open quick-add."""
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        at = self._pointer(event)
        hit = self.canvas.hit(at.view)
        self._press = None
        field = self._field_at(hit) or self._main_field(hit)
        if field is not None:
            self.canvas.edit_field(field)
        elif not hit:
            self.canvas.quick_add_at(at.view)
        return True

    def hover(self, event: QMouseEvent) -> None:
        """The mouse moves with no button down."""
        self.canvas.hover_at(QPointF(event.position()))

    # ------------------------------------------------------------ keys

    def key_press(self, event: QKeyEvent) -> bool:
        """Escape calls a gesture off; other keys are the keyboard's."""
        if event.key() == Qt.Key.Key_Escape and (self.active is not None or self._press is not None):
            self.cancel()
            return True
        if self.active is not None:
            return False
        return self.canvas.keyboard.press(event)

    def cancel(self) -> None:
        """Call off whatever goes on."""
        active, self.active, self._press = self.active, None, None
        self.scrolling.stop()
        if active is not None:
            active.cancel()
        self.canvas.unsetCursor()
        self.canvas.update()

    def paint(self, painter: QPainter) -> None:
        """Paint the preview of the gesture that goes on, in scene coordinates."""
        if self.active is not None:
            self.active.paint(painter)

    # ------------------------------------------------------------ inside

    def _pointer(self, event: QMouseEvent) -> Pointer:
        view = QPointF(event.position())
        return Pointer(view, self.canvas.to_scene(view), event.modifiers())

    def _scrolled(self, view: QPointF) -> None:
        """The canvas moved on under the pointer of a drag."""
        if self.active is None:
            self.scrolling.stop()
            return
        self.active.move(Pointer(view, self.canvas.to_scene(view), self._keys))
        self.canvas.update()

    def _begin(self, press: Press) -> None:
        gesture = self._gesture(press)
        self.active = gesture
        if gesture.cursor is not None:
            self.canvas.setCursor(gesture.cursor)
        gesture.start(press.at)

    def _gesture(self, press: Press) -> Gesture:
        """The gesture that a drag from here is."""
        canvas, hit = self.canvas, press.hit
        start = targets.output_port_at(hit)
        if start is not None:
            return DrawWire(canvas, start=start)
        plug = targets.port_at(hit) or targets.wire_at(hit)
        if plug is not None:
            source = wiring.source(canvas.document.program, plug)
            return DrawWire(canvas, start=source, lifted=plug) if source else DrawWire(canvas, plug=plug)
        if hit.kind is HitKind.CORNER and hit.id is not None:
            return Resize(canvas, hit.id)
        ids = canvas.things_at(hit)
        if ids:
            document = canvas.document
            if not ids <= document.selection:
                document.select(ids, extend=press.at.ctrl or press.at.shift)
            grabbed = hit.id if hit.id in ids else min(ids)
            return Move(canvas, grabbed, canvas.with_contents(document.selection))
        return RubberBand(canvas)

    def _click(self, press: Press, at: Pointer) -> None:
        canvas, hit, document = self.canvas, press.hit, self.canvas.document
        number = targets.covered_at(canvas.picture, hit)
        if number is not None:
            document.reveal(number)
            return
        field = self._field_at(hit)
        if field is not None and field.part is Part.PORT:
            canvas.edit_field(field)
            return
        wire = targets.wire_at(hit) or targets.port_at(hit)
        canvas.select_wire(wire)
        if wire is None:
            self._click_thing(press, at, field)

    def _click_thing(self, press: Press, at: Pointer, field: Field | None) -> None:
        """Select what was clicked; a field of the one card that was selected before opens."""
        canvas, document = self.canvas, self.canvas.document
        ids = canvas.things_at(press.hit)
        plain = not (at.ctrl or at.shift)
        if ids or plain:
            document.select(clicked(document.selection, ids, at))
            canvas.keyboard.focus(press.hit.id if canvas.is_card(press.hit) else None, select=False)
        if field is not None and plain and press.was_alone:
            canvas.edit_field(field)

    def _field_at(self, hit: Hit) -> Field | None:
        """The field that lies under the pointer itself."""
        plug = targets.port_at(hit)
        if plug is None:
            return targets.text_field_at(self.canvas.picture, hit)
        if isinstance(wiring.plugged(self.canvas.document.program, plug), Ref):
            return None
        return Field(Part.PORT, plug.consumer, plug.port)

    def _main_field(self, hit: Hit) -> Field | None:
        """The field that a double click anywhere on a card, note or frame opens."""
        if hit.id is None:
            return None
        if hit.kind is HitKind.CORNER:
            return Field(Part.NOTE if hit.id in self.canvas.document.board.notes else Part.TITLE, hit.id)
        if hit.kind is HitKind.NOTE:
            return Field(Part.NOTE, hit.id)
        if hit.kind is HitKind.FRAME:
            return Field(Part.TITLE, hit.id)
        return self.canvas.main_field(hit.id) if self.canvas.is_card(hit) else None
