"""Cutting: a stroke with Ctrl and Alt held, or with the right button, takes off the wires that it crosses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from chalkgrad.program import rewiring
from chalkgrad_app.canvas.gestures.base import Gesture, Pointer
from chalkgrad_app.canvas.overlay import wire_paths
from chalkgrad_app.canvas.wiring import Plug
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.picture.wires import SEGMENTS, flatten
from chalkgrad_app.style import theme

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

LIT, STROKE = 4.0, 2.0
STEP = 4.0
"""Pixels that the pointer goes at least between two points of the stroke."""


class Cut(Gesture):
    """Draws the stroke; the wires crossed light up, and go when it ends."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.stroke = QPolygonF()
        self.crossed: dict[Plug, None] = {}

    def start(self, at: Pointer) -> None:
        """The stroke begins."""
        self.stroke = QPolygonF([at.scene])

    def move(self, at: Pointer) -> None:
        """The stroke goes on; what its last piece crosses is added."""
        last = self.stroke.at(self.stroke.size() - 1)
        way = (at.scene - last) * self.canvas.viewport.scale
        if way.manhattanLength() < STEP:
            return
        for row in crossed(self.canvas.picture, last, at.scene):
            wire = self.canvas.picture.wires[row]
            self.crossed[Plug(wire.target, wire.port)] = None
        self.stroke.append(at.scene)

    def end(self, at: Pointer) -> None:
        """Take the wires off: one edit."""
        self.move(at)
        program = self.document.program  # the picture may still show what is gone from it
        plugs = [(plug.consumer, plug.port) for plug in self.crossed if plug.consumer in program]
        if not plugs:
            return
        one, more = translate("Cut", "Cut a wire"), translate("Cut", "Cut {n} wires")
        label = one if len(plugs) == 1 else more.format(n=len(plugs))
        self.document.do(lambda sheet: rewiring.cut(sheet, plugs), label)

    def paint(self, painter: QPainter) -> None:
        """Paint the wires that will go, and the stroke."""
        colour = theme.current().color("error_ink")
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, LIT, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        for plug in self.crossed:
            for path in wire_paths(self.canvas.picture, plug):
                painter.drawPath(path)
        pen = QPen(colour, STROKE, Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawPolyline(self.stroke)


def crossed(picture: Picture, start: QPointF, end: QPointF) -> list[int]:
    """Numbers of the wires that the line between two points crosses."""
    left, right = sorted((start.x(), end.x()))
    top, bottom = sorted((start.y(), end.y()))
    boxes = picture.boxes
    near = np.flatnonzero(
        ~picture.wire_hidden
        & (boxes[:, 0] <= right)
        & (boxes[:, 2] >= left)
        & (boxes[:, 1] <= bottom)
        & (boxes[:, 3] >= top)
    )
    if not len(near):
        return []
    pieces = picture.pieces_of(near)
    points = flatten(picture.cubics[pieces], SEGMENTS)
    a, b = np.array([start.x(), start.y()]), np.array([end.x(), end.y()])
    apart = _side(a, b, points[:, :-1]) * _side(a, b, points[:, 1:]) <= 0
    other = _side(points[:, :-1], points[:, 1:], a) * _side(points[:, :-1], points[:, 1:], b) <= 0
    hit = (apart & other).any(axis=1)
    return sorted({int(row) for row in picture.piece_wire[pieces[hit]]})


def _side(start: np.ndarray, end: np.ndarray, point: np.ndarray) -> np.ndarray:
    """On which side of a line a point lies: the sign of the area between them."""
    along, away = end - start, point - start
    return np.asarray(along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0])
