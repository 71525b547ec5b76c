"""What the overlay shows of wires and ports: the wire chosen, the wire or port under the pointer; words at a point."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPalette, QPen

from chalkgrad_app.canvas import targets
from chalkgrad_app.canvas.hit import GRIP_INSET, GRIP_LINES, Hit, HitKind
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.picture.card_parts import ROUND
from chalkgrad_app.picture.curves import wire_path
from chalkgrad_app.picture.look import Level
from chalkgrad_app.picture.marks import Fact
from chalkgrad_app.picture.middle_paint import brief
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import cubics
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import ui_font

RING = 8.0
WORDS_WIDTH = 360.0
GRIPPED = (HitKind.NOTE, HitKind.CORNER, HitKind.FRAME)


def curve(start: QPointF, end: QPointF, down: bool = False) -> QPainterPath:
    """The cubic from an output to a port, as the picture draws wires; ``down`` where they run so."""
    ends = np.array([[start.x(), start.y(), end.x(), end.y()]])
    return wire_path(cubics(ends, down))


def wire_paths(picture: Picture, plug: Plug) -> list[QPainterPath]:
    """The curves of the wires that end in a port."""
    paths = []
    for row in picture.wires_of([plug.consumer]).tolist():
        wire = picture.wires[row]
        if (wire.target, wire.port) == (plug.consumer, plug.port):
            paths.append(wire_path(picture.cubics[picture.pieces_of(np.array([row]))]))
    return paths


def paint_wire_marks(painter: QPainter, picture: Picture, chosen: Plug | None, hovered: Hit, palette: QPalette) -> None:
    """Paint the wire chosen, the wire hovered and the port hovered, in scene coordinates."""
    colour = theme.current().color("selection")
    under = targets.wire_at(hovered)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for plug, width in ((chosen, 4.0), (under if under != chosen else None, 2.0)):
        painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        for path in wire_paths(picture, plug) if plug is not None and plug.consumer in picture.index else ():
            painter.drawPath(path)
    point = _port_point(picture, hovered)
    if point is not None:
        painter.setPen(QPen(palette.highlight().color(), 2.0))
        painter.drawEllipse(point, RING, RING)


def paint_hovered(painter: QPainter, picture: Picture, hovered: Hit, selection: Collection[int], level: Level) -> None:
    """Paint a quiet line around the card under the pointer, and the grip of a note or frame, in scene coordinates."""
    if hovered.id is None:
        return
    colour = QColor(theme.current().color("selection"))
    colour.setAlphaF(0.45)
    pen = QPen(colour, 1.5)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if hovered.id in picture.index and hovered.kind in targets.ON_CARD and hovered.id not in selection:
        rect = picture.rect(hovered.id).adjusted(-3, -3, 3, 3)
        round_ = bool(picture.facts[picture.index[hovered.id]] & Fact.ROUND)
        painter.drawRoundedRect(rect, ROUND + 3, ROUND + 3) if round_ else painter.drawRect(rect)
        if level is Level.FAR:
            paint_words(painter, rect.center(), words_from_afar(picture, hovered.id), colour)
    rect_of = picture.rect_of(hovered.id) if hovered.kind in GRIPPED else None
    if rect_of is not None:
        corner = rect_of.bottomRight()
        for size in GRIP_LINES:
            long, short = size + GRIP_INSET, GRIP_INSET
            painter.drawLine(corner - QPointF(long, short), corner - QPointF(short, long))


def words_from_afar(picture: Picture, id_: int) -> str:
    """What a card too small to be read is: its line, name, expression and value."""
    face = picture.face(id_)
    said = [str(picture.program.lines[id_]), " = ".join(filter(None, (face.name, face.expression)))]
    if face.rows and not face.rows[0].covered:
        said.append(brief(face.rows[0].value))
    return "   ".join(filter(None, [*said, face.error]))


def paint_words(painter: QPainter, at: QPointF, text: str, colour: QColor) -> None:
    """Paint a sentence below the pointer, at the size of the window's text whatever the zoom."""
    painter.save()
    try:
        view = painter.transform().map(at) + QPointF(14, 18)
        painter.resetTransform()
        painter.setFont(ui_font(12))
        flags = Qt.TextFlag.TextWordWrap
        bounds = painter.fontMetrics().boundingRect(QRectF(0, 0, WORDS_WIDTH, 400).toRect(), flags, text)
        box = QRectF(bounds).adjusted(-8, -5, 8, 5).translated(view)
        area = painter.viewport()
        box.moveLeft(max(4.0, min(box.left(), area.width() - box.width() - 4)))
        box.moveTop(max(4.0, min(box.top(), area.height() - box.height() - 4)))
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(theme.current().color("card"))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(theme.current().color("ink"))
        painter.drawText(box.adjusted(8, 5, -8, -5), flags, text)
    finally:
        painter.restore()


def _port_point(picture: Picture, hit: Hit) -> QPointF | None:
    if hit.id not in picture.index:
        return None
    plug, start = targets.port_at(hit), targets.output_port_at(hit)
    if plug is not None and hit.kind is HitKind.PORT:
        return targets.input_point(picture, plug)
    return targets.output_point(picture, start) if start is not None else None
