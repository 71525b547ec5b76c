"""What can be dropped on the canvas: operators and tensors from the palette, files, text."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QPainter, QPen

from chalkgrad.engine.record import OPS
from chalkgrad.program import building
from chalkgrad.program.program import ProgramError
from chalkgrad.program.sheet import Draft, Sheet
from chalkgrad.program.statement import EMPTY, Operand
from chalkgrad.session import Session
from chalkgrad.source.problem import SourceError
from chalkgrad_app.canvas.arrange import Point, snapped
from chalkgrad_app.canvas.joining import NEW, NOWHERE, Joint, corner_joined, joint_of_new, paint_joint
from chalkgrad_app.canvas.placing import corner_under, typed_program
from chalkgrad_app.canvas.room import free_corner
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.catalogue import MIME, TENSOR, TENSOR_GRAD, label
from chalkgrad_app.i18n import sentence
from chalkgrad_app.offering_rest import offer_rest
from chalkgrad_app.picture.anatomy import HEADER, Anatomy
from chalkgrad_app.picture.drawings import Drawing
from chalkgrad_app.picture.look import Level

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

SUFFIXES = frozenset({".chalk", ".py", ".ipynb"})


def dragged_name(data: QMimeData) -> str:
    """The name that a drag from the palette carries, or the empty string."""
    name = bytes(data.data(MIME).data()).decode("utf-8", "replace") if data.hasFormat(MIME) else ""
    return name if name in (TENSOR, TENSOR_GRAD) or name in OPS else ""


def dragged_files(data: QMimeData) -> list[Path]:
    """The files of a drag that can be opened."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()] if data.hasUrls() else []
    return [path for path in paths if path.suffix.lower() in SUFFIXES]


def _shape_of_new(drawing: Drawing, name: str) -> Anatomy:
    """Size and parts that a card from the palette will have: of an operator as long as it has no value."""
    record = OPS.get(name)
    return drawing.blank(len(record.inputs)) if record is not None else _shape_of_tensor(drawing, name == TENSOR_GRAD)


@lru_cache(16)
def _shape_of_tensor(drawing: Drawing, requires_grad: bool) -> Anatomy:
    draft = Draft(Sheet())
    made = building.tensor(draft.sheet, requires_grad, 0, (0.0, 0.0))
    draft.apply(made.change)
    (tensor,) = draft.program
    session = Session(draft.program)
    session.finish()
    return drawing.anatomy(tensor, session.trace.state().statement(tensor.id))


class Drops:
    """The drops of one canvas; while a card is dragged over it, its outline shows where it would lie."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self.name = ""
        self.at = QPointF()
        self.joint = NOWHERE
        self._landing: tuple[Plug, Point, QPointF] | None = None
        """The wire, the corner that was wanted, and that which a card gets there: looked for only when these change."""

    def enter(self, event: QDragEnterEvent | QDragMoveEvent) -> None:
        """Accept what can be dropped."""
        data = event.mimeData()
        self.name = dragged_name(data)
        self.at = self.canvas.to_scene(QPointF(event.position()))
        self.joint = self._joint(event.modifiers())
        if self.name or dragged_files(data) or (data.hasText() and not data.hasUrls()):
            event.acceptProposedAction()
        else:
            event.ignore()
        self.canvas.update()

    def leave(self) -> None:
        """The drag went elsewhere."""
        self.name = ""
        self.joint = NOWHERE
        self._landing = None
        self.canvas.update()

    def drop(self, event: QDropEvent) -> None:
        """Place what was dropped."""
        data = event.mimeData()
        name, files = dragged_name(data), dragged_files(data)
        view = QPointF(event.position())
        self.name, self.at = name, self.canvas.to_scene(view)
        joint = self._joint(event.modifiers())
        corner = self._corner(joint, event.modifiers())
        self.leave()
        if name:
            self._place(name, corner, joint)
        elif files:
            for path in files:
                self.canvas.file_dropped.emit(path)
        elif data.hasText() and not data.hasUrls():
            self.canvas.add_text(data.text(), view)
        else:
            event.ignore()
            return
        event.acceptProposedAction()
        self.canvas.activateWindow()

    def take_text(self, text: str, view: QPointF | None) -> None:
        """Read PyTorch text that was dropped at a point of the widget, or pasted; what can't be read is said."""
        canvas = self.canvas
        read = partial(typed_program, program=canvas.document.program)
        try:
            near = canvas.view_centre() if view is None else canvas.to_scene(view)
            canvas.placing.place_expression(text, near, pointed=view is not None)
        except SourceError as error:
            offer_rest(canvas, canvas.document, text, error, read, partial(self.take_text, view=view))
        except ValueError as error:
            canvas.document.told.emit(sentence(error))

    def paint(self, painter: QPainter) -> None:
        """Paint the outline of the card that is dragged, in scene coordinates."""
        if not self.name:
            return
        corner = self._shown_corner()
        self._paint_joint(painter, corner)
        shape = _shape_of_new(self.canvas.picture.drawing, self.name)
        rect = QRectF(corner, QSizeF(shape.width, shape.height))
        colour = self.canvas.palette().highlight().color()
        painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(self.canvas.palette().base())
        painter.setOpacity(0.8)
        radius = 0.0 if self.name in (TENSOR, TENSOR_GRAD) else 10.0
        painter.drawRoundedRect(rect, radius, radius)
        painter.setPen(self.canvas.palette().text().color())
        head = QRectF(rect.left() + 12, rect.top(), rect.width() - 24, HEADER)
        painter.drawText(head, Qt.AlignmentFlag.AlignVCenter, label(self.name))
        painter.setOpacity(1.0)

    def _joint(self, keys: Qt.KeyboardModifier) -> Joint:
        """What the card dragged would be joined to; with Ctrl it is put down as it is."""
        far = self.canvas.viewport.level is Level.FAR
        if not self.name or far or keys & Qt.KeyboardModifier.ControlModifier:
            return NOWHERE
        return joint_of_new(self.canvas.picture, self.name, corner_under(self.at), self.at)

    def _corner(self, joint: Joint, keys: Qt.KeyboardModifier) -> QPointF:
        """Under the pointer; what is joined to nothing goes beside what lies there, but not with Ctrl."""
        corner = corner_under(self.at)
        if joint.plug is not None:
            return self._joined_corner(joint, corner)
        is_placed = joint != NOWHERE or keys & Qt.KeyboardModifier.ControlModifier
        return corner if is_placed else free_corner(self.canvas.picture, corner)

    def _joined_corner(self, joint: Joint, corner: QPointF) -> QPointF:
        """Under the pointer, unless there is no room for the wire there."""
        shape = _shape_of_new(self.canvas.picture.drawing, self.name)
        rect = QRectF(corner, QSizeF(shape.width, shape.height))
        return corner_joined(self.canvas.picture, NEW, joint, rect)

    def _shown_corner(self) -> QPointF:
        """Where the outline stands: where the card will, if it is joined to something."""
        corner, wire = corner_under(self.at), self.joint.wire
        if wire is None:
            return self._joined_corner(self.joint, corner) if self.joint else corner
        wanted = snapped(corner.x(), corner.y())
        if self._landing is None or self._landing[:2] != (wire, wanted):
            point, _ = self.canvas.placing.landing(wire, corner)
            self._landing = wire, wanted, corner if point is None else QPointF(*point)
        return self._landing[2]

    def _paint_joint(self, painter: QPainter, corner: QPointF) -> None:
        """Light up what the card would be joined to, up to where its outline stands."""
        joint, way = self.joint, corner - corner_under(self.at)
        if joint.plug is not None:
            start, end = joint.line
            joint = replace(joint, line=(start, end + way) if joint.reads else (start + way, end))
        paint_joint(painter, self.canvas.picture, joint, self.canvas.palette())

    def _place(self, name: str, corner: QPointF, joint: Joint) -> None:
        canvas = self.canvas
        plug = None if joint.reads else joint.plug
        if name in (TENSOR, TENSOR_GRAD):
            canvas.placing.place_tensor(name == TENSOR_GRAD, corner, typing=True, plug=plug)
            return
        canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        if joint.wire is not None:
            try:
                canvas.placing.insert_operator(name, joint.wire, corner)
                return
            except ProgramError as error:
                canvas.document.told.emit(sentence(error))
        inputs: tuple[Operand, ...] = ()
        if joint.start is not None and joint.plug is not None and plug is None:
            inputs = (*[EMPTY] * joint.plug.port, joint.start)
        canvas.placing.place_operator(name, corner, inputs, plug)
