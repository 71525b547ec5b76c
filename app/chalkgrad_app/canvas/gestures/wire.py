"""Drawing wires: from an output to a port or the other way round, and moving the end of one that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from chalkgrad.program import rewiring
from chalkgrad.program.change import Change
from chalkgrad.program.program import CycleError, ProgramError
from chalkgrad.program.shapes import wire_problem
from chalkgrad.program.sheet import Sheet
from chalkgrad.program.statement import EMPTY, Ref
from chalkgrad_app import naming
from chalkgrad_app.canvas import targets, wiring
from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.overlay import curve, paint_words
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.i18n import sentence, translate
from chalkgrad_app.picture.brush import octagon
from chalkgrad_app.picture.look import Level
from chalkgrad_app.style import theme

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

RING = 9.0
"""Radius of the ring around a port that can take the wire, in scene units at 100%."""


class Target(NamedTuple):
    """What the free end of a wire is over: a port or an output, and what PyTorch or the program says to that.

    ``refused`` means that it can't be dropped here; a ``message`` alone is PyTorch's, and it may be. ``on_card`` means
    that a card is there, which has no port to give.
    """

    plug: Plug | None = None
    start: Ref | None = None
    message: str = ""
    refused: bool = False
    on_card: bool = False


class DrawWire(Gesture):
    """A wire being drawn; ``start`` is its fixed output, or ``plug`` its fixed port.

    ``lifted`` is the port of the wire that was there: left by its end, or kept while its beginning moves.
    """

    cursor = Qt.CursorShape.CrossCursor

    def __init__(
        self, canvas: GraphCanvas, start: Ref | None = None, plug: Plug | None = None, lifted: Plug | None = None
    ) -> None:
        super().__init__(canvas)
        self.fixed_start = start
        self.fixed_plug = plug
        self.lifted = lifted
        self.target = Target()
        self.at = QPointF()
        program = self.document.program
        if start is not None:
            self.forbidden = wiring.forbidden_consumers(program, start)
        else:
            self.forbidden = wiring.forbidden_sources(program, plug.consumer) if plug is not None else set()

    # ------------------------------------------------------------ the conversation

    def start(self, at: Pointer) -> None:
        """The wire leaves its port."""
        self.canvas.lift((), [(self.lifted.consumer, self.lifted.port)] if self.lifted else ())
        self.move(at)

    def move(self, at: Pointer) -> None:
        """The free end follows the pointer, and what is under it is looked at."""
        self.at = at.scene
        found = self._under(at)
        same = (found.plug, found.start, found.on_card) == (self.target.plug, self.target.start, self.target.on_card)
        if not same:
            self.target = self._judged(found)

    def end(self, at: Pointer) -> None:
        """Plug it in, take it off, or ask what shall follow."""
        self.move(at)
        self.canvas.lift(())
        if self.target.refused:
            self.document.told.emit(self.target.message)
        elif self.target.plug is not None or self.target.start is not None:
            self._plug_in(self.target)
        elif self.target.on_card:
            return
        elif self.lifted is not None:
            self._unplug(self.lifted)
        elif self.fixed_start is not None:
            self.canvas.adding.follow(self.fixed_start, at.view)
        elif self.fixed_plug is not None:
            self.canvas.adding.feed(self.fixed_plug, at.view)

    def cancel(self) -> None:
        """The wire springs back."""
        self.canvas.lift(())

    # ------------------------------------------------------------ what is under the pointer

    def _under(self, at: Pointer) -> Target:
        """The port or the output at the pointer; over a card, its first open port or its value."""
        hit = self.canvas.hit(at.view)
        if self.fixed_start is None:
            return Target(start=targets.output_at(hit))
        plug = targets.port_at(hit)
        if plug is None and hit.id is not None and self.canvas.is_card(hit) and hit.id not in self.forbidden:
            port = rewiring.free_port(self.document.program, hit.id)
            if port is None and self.lifted is not None and self.lifted.consumer == hit.id:
                port = self.lifted.port
            plug = Plug(hit.id, port) if port is not None else None
        return Target(plug=plug, on_card=plug is None and self.canvas.is_card(hit))

    def _judged(self, found: Target) -> Target:
        """The target with what speaks against it."""
        plug, start = found.plug or self.fixed_plug, found.start or self.fixed_start
        if plug is None or start is None or (found.plug is None and found.start is None):
            return found
        try:
            self.document.sheet.apply(self._change(self.document.sheet, plug, start))
        except CycleError as error:
            return found._replace(message=self._circle_words(error), refused=True)
        except ProgramError as error:
            return found._replace(message=sentence(error), refused=True)
        ran = self.document.state.known
        message = wire_problem(self.document.program, plug.consumer, plug.port, start, ran)
        return found._replace(message=message or "")

    def _circle_words(self, error: CycleError) -> str:
        program = self.document.program
        names = [program[id_].name or program[id_].call for id_ in error.path if id_ in program]
        text = translate("Wire", "A tensor can't need itself: {circle}")
        return text.format(circle=" → ".join([*names, *names[:1]]))

    # ------------------------------------------------------------ edits

    def _change(self, sheet: Sheet, plug: Plug, start: Ref) -> Change:
        if self.fixed_start is None and self.lifted is not None:
            return wiring.reroute(sheet, plug, start)
        if self.lifted is not None:
            return wiring.replug(sheet, self.lifted, plug)
        return wiring.connect(sheet, plug, start)

    def _plug_in(self, target: Target) -> None:
        plug, start = target.plug or self.fixed_plug, target.start or self.fixed_start
        if plug is None or start is None or (self.fixed_start is not None and self.lifted == plug):
            return
        label = naming.wiring(self.document.sheet, start.statement, plug.consumer)
        self.document.do(lambda sheet: self._change(sheet, plug, start), label)
        if target.message:
            self.document.told.emit(target.message)

    def _unplug(self, plug: Plug) -> None:
        label = naming.unwiring(self.document.sheet, plug.consumer)
        self.document.do(lambda sheet: wiring.set_value(sheet, plug, EMPTY), label)

    # ------------------------------------------------------------ paint

    def paint(self, painter: QPainter) -> None:
        """Paint the wire, rings around the ports that can take it, and what speaks against the one under it."""
        palette = self.canvas.palette()
        self._paint_rings(painter, palette.highlight().color())
        here = self._fixed_point()
        end = self._target_point() or self.at
        bad = QColor(theme.current().color("error_ink"))
        pen = QPen(bad if self.target.message else palette.highlight().color(), 2.0)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        forward = self.fixed_start is not None
        down = self.canvas.picture.drawing.down
        painter.drawPath(curve(here, end, down) if forward else curve(end, here, down))
        if self.target.refused:
            octagon(painter, end, 16.0, bad, theme.current().color("card"))
        if self.target.message:
            paint_words(painter, self.at, self.target.message, bad)

    def _fixed_point(self) -> QPointF:
        if self.fixed_start is not None:
            return targets.output_point(self.canvas.picture, self.fixed_start)
        plug = self.fixed_plug
        return targets.input_point(self.canvas.picture, plug) if plug is not None else self.at

    def _target_point(self) -> QPointF | None:
        if self.target.plug is not None:
            return targets.input_point(self.canvas.picture, self.target.plug)
        return targets.output_point(self.canvas.picture, self.target.start) if self.target.start is not None else None

    def _paint_rings(self, painter: QPainter, colour: QColor) -> None:
        if self.canvas.viewport.level is Level.FAR:
            return
        painter.setPen(QPen(colour, 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        seen = self.canvas.scene_rect()
        for point in targets.ports_in(self.canvas.picture, seen, self.fixed_start is not None, self.forbidden):
            painter.drawEllipse(QRectF(point.x() - RING, point.y() - RING, 2 * RING, 2 * RING))
