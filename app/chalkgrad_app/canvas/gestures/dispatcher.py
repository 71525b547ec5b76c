"""Which gesture a press begins, what a click does, and who gets a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter

from chalkgrad.program.change import Change
from chalkgrad.program.statement import Ref
from chalkgrad_app.canvas import attributes, targets, wiring
from chalkgrad_app.canvas.fields import Field, Part
from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.gestures.cut import Cut
from chalkgrad_app.canvas.gestures.held_menu import HeldMenu
from chalkgrad_app.canvas.gestures.move import Move
from chalkgrad_app.canvas.gestures.refused import RefusedWire
from chalkgrad_app.canvas.gestures.resize import Resize
from chalkgrad_app.canvas.gestures.scrolling import EdgeScrolling
from chalkgrad_app.canvas.gestures.scrub import ScrubNumber, scrubs_at
from chalkgrad_app.canvas.gestures.select import RubberBand, clicked
from chalkgrad_app.canvas.gestures.wire import DrawWire
from chalkgrad_app.canvas.hit import Edge, Hit, HitKind, is_at_wire
from chalkgrad_app.canvas.things import things_at, with_contents
from chalkgrad_app.predicting import uncover

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

NO_KEYS = Qt.KeyboardModifier.NoModifier
MODIFIERS = {
    Qt.Key.Key_Alt: Qt.KeyboardModifier.AltModifier,
    Qt.Key.Key_Control: Qt.KeyboardModifier.ControlModifier,
    Qt.Key.Key_Shift: Qt.KeyboardModifier.ShiftModifier,
}
THRESHOLD = 5
"""Pixels that the mouse has to move with its button down before a press becomes a drag."""


class Press(NamedTuple):
    """A press of the left button: where, on what, whether that alone was selected before.

    ``right`` is one of the right button on empty canvas or at a wire: a drag cuts, without one it asks for the menu.
    """

    at: Pointer
    hit: Hit
    was_alone: bool
    right: bool = False


class Gestures:
    """The conversations of one canvas: at most one gesture goes on at a time."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self.active: Gesture | None = None
        self.is_dropping = False
        """True while what was dragged is put down."""
        self._press: Press | None = None
        self._keys = NO_KEYS
        self._at = QPointF()
        self.menu = HeldMenu(canvas)
        self.scrolling = EdgeScrolling(canvas, self._scrolled)

    @property
    def is_held(self) -> bool:
        """True while a button is held on the canvas, or a gesture goes on by keys."""
        return self.active is not None or self._press is not None

    # ------------------------------------------------------------ mouse

    def mouse_press(self, event: QMouseEvent) -> bool:
        """Remember a press of the left button; what it means shows when the mouse moves or the button goes up."""
        self.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() == Qt.MouseButton.RightButton:
            return self._right_press(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        self.cancel()  # of what went on by keys
        at = self._pointer(event)
        hit = self.canvas.hit(at.view)
        document = self.canvas.document
        ids = things_at(self.canvas.picture, hit)
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
        self._keys, self._at = event.modifiers(), at.view
        self.scrolling.follow(at.view)
        self.canvas.update()
        return True

    def mouse_release(self, event: QMouseEvent) -> bool:
        """End the gesture; without one it was a click."""
        right = self._press is not None and self._press.right
        button = Qt.MouseButton.RightButton if right else Qt.MouseButton.LeftButton
        if event.button() != button or (self.active is None and self._press is None):
            return False
        at = self._pointer(event)
        if right:
            self.menu.released(dragged=self.active is not None)
        active, press = self.active, self._press
        self.active = self._press = None
        self.scrolling.stop()
        if active is not None:
            self.is_dropping = True
            try:
                active.end(at)
            finally:
                self.is_dropping = False
        elif press is not None and not right:
            self._click(press, at)
        self.canvas.hover_at(at.view)
        self.canvas.update()
        return True

    def double_click(self, event: QMouseEvent) -> bool:
        """Edit what is under the pointer; go to the far end of a wire; on empty canvas open quick-add."""
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        at = self._pointer(event)
        hit = self.canvas.hit(at.view)
        self._press = None
        field = self._field_at(hit) or self._thing_field(hit)
        if field is not None:
            self.canvas.edit_field(field)
        elif self.canvas.is_card(hit):
            if not attributes.double_click(self.canvas, hit):
                self.canvas.editing.double_clicked(hit)
        elif hit.kind is HitKind.FOLD and hit.id is not None:
            self.canvas.order.open([hit.id])
        elif hit.kind is HitKind.NODE:
            self.canvas.nodes.look_at_moment()
        elif (wire := targets.wire_at(hit)) is not None:
            self.canvas.keyboard.go_to_end(wire, self._far_end_is_its_start(wire, at))
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
            return self._follow_keys(event, event.modifiers() | MODIFIERS.get(Qt.Key(event.key()), NO_KEYS)) or (
                self.active.key(event)
            )
        return self.canvas.keyboard.press(event)

    def key_release(self, event: QKeyEvent) -> bool:
        """A modifier let go during a drag takes effect at once."""
        return self._follow_keys(event, event.modifiers() & ~MODIFIERS.get(Qt.Key(event.key()), NO_KEYS))

    def takes_keys(self) -> bool:
        """While a gesture goes on, keys are not the actions' that they stand for elsewhere."""
        return self.active is not None

    def take_up(self, gesture: Gesture, at: Pointer) -> None:
        """Begin a gesture that no button holds: it goes on by keys, until one ends it."""
        self.cancel()
        self.active = gesture
        gesture.start(at)
        self.canvas.update()

    def finish(self, at: Pointer) -> None:
        """End the gesture that goes on by keys."""
        active, self.active = self.active, None
        if active is not None:
            active.end(at)
        self.canvas.update()

    def on_edit(self, change: Change) -> None:
        """The sheet is another one: what goes on is called off where what it speaks of may be gone."""
        if self.active is not None:
            goes_on = self._press is not None and self.active.outlives(change)
        else:
            goes_on = self._press is None or change.tables <= {"places"}
        if not goes_on:
            self.cancel()

    def cancel(self) -> None:
        """Call off whatever goes on."""
        active, self.active, self._press = self.active, None, None
        self.menu.forget()
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

    def _far_end_is_its_start(self, wire: wiring.Plug, at: Pointer) -> bool:
        source = wiring.source(self.canvas.document.program, wire)
        return source is not None and not targets.is_nearer_start(self.canvas.picture, source, wire, at.scene)

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

    def _right_press(self, event: QMouseEvent) -> bool:
        """On empty canvas, or at a wire, a stroke may begin; elsewhere the button asks for the menu alone."""
        at = self._pointer(event)
        hit = self.canvas.hit(at.view)
        self.menu.forget()
        if self.active is not None or self._press is not None or (hit and targets.wire_at(hit) is None):
            return False
        self._press = Press(at, hit, False, right=True)
        self.menu.wait()
        return True

    def _follow_keys(self, event: QKeyEvent, keys: Qt.KeyboardModifier) -> bool:
        """Go on with a drag where it is, with other modifiers held."""
        if self.active is None or self._press is None or event.key() not in MODIFIERS:
            return False
        self._keys = keys
        self.active.move(Pointer(self._at, self.canvas.to_scene(self._at), keys))
        self.canvas.update()
        return True

    def _begin(self, press: Press) -> None:
        gesture = self._gesture(press)
        self.active = gesture
        if gesture.cursor is not None:
            self.canvas.setCursor(gesture.cursor)
        gesture.start(press.at)

    def _gesture(self, press: Press) -> Gesture:
        """The gesture that a drag from here is."""
        canvas, hit = self.canvas, press.hit
        if press.right or (press.at.ctrl and press.at.alt):
            return Cut(canvas)
        if scrubs_at(canvas.picture, hit, press.at):
            return ScrubNumber(canvas, hit)
        start = targets.output_port_at(hit)
        if not canvas.picture.drawing.is_wired_by_hand and is_at_wire(canvas.picture, hit, press.at.scene):
            return RefusedWire(canvas)
        if start is not None:
            return DrawWire(canvas, start=start)
        plug = targets.port_at(hit) or targets.wire_at(hit)
        if plug is not None:
            source = wiring.source(canvas.document.program, plug)
            if source is None:
                return DrawWire(canvas, plug=plug)
            if targets.wire_at(hit) and targets.is_nearer_start(canvas.picture, source, plug, press.at.scene):
                return DrawWire(canvas, plug=plug, lifted=plug)
            return DrawWire(canvas, start=source, lifted=plug)
        if hit.kind is HitKind.CORNER and hit.id is not None:
            return Resize(canvas, hit.id, Edge(hit.port))
        ids = things_at(canvas.picture, hit)
        if ids:
            document = canvas.document
            if not ids <= document.selection:
                document.select(ids, extend=press.at.ctrl or press.at.shift)
            grabbed = hit.id if hit.id in ids else min(ids)
            return Move(canvas, grabbed, with_contents(canvas.picture, document.selection))
        return RubberBand(canvas)

    def _click(self, press: Press, at: Pointer) -> None:
        canvas, hit, document = self.canvas, press.hit, self.canvas.document
        if canvas.nodes.click(hit) or attributes.click(canvas, hit, at.ctrl or at.shift):
            return
        question = targets.question_at(canvas.picture, hit)
        if question is not None:
            uncover(document, question)
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
        ids = things_at(canvas.picture, press.hit)
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

    def _thing_field(self, hit: Hit) -> Field | None:
        """The field that a double click anywhere on a note or a frame opens."""
        if hit.id is None:
            return None
        if hit.kind is HitKind.CORNER:
            return Field(Part.NOTE if hit.id in self.canvas.document.board.notes else Part.TITLE, hit.id)
        if hit.kind is HitKind.NOTE:
            return Field(Part.NOTE, hit.id)
        if hit.kind is HitKind.FRAME:
            return Field(Part.TITLE, hit.id)
        if hit.id in self.canvas.document.program.bodies:
            return Field(Part.ROUNDS, hit.id)
        return None
