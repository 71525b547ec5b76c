"""The small lock at the corner of cards that tidying leaves where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from chalkgrad.program.board import Board

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

RADIUS = 9.0
"""Of the disc under the lock, in canvas units."""


class Locks(QObject):
    """Paints the locks of one canvas above its picture."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._board: Board | None = None
        self._kept: list[int] = []
        canvas.overlay_painters.append(self._paint)

    def _paint(self, painter: QPainter) -> None:
        canvas, picture = self._canvas, self._canvas.picture
        if picture.board is not self._board:
            self._board = picture.board
            here, places = picture.board.drawing, picture.board.places.items()
            self._kept = [id_ for (drawing, id_), place in places if place.pinned and drawing == here]
        if not self._kept:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(canvas.to_view(QPointF(0, 0)))
        painter.scale(canvas.viewport.scale, canvas.viewport.scale)
        seen = canvas.scene_rect().adjusted(-RADIUS, -RADIUS, RADIUS, RADIUS)
        rows = picture.rows_of(self._kept)
        rows = rows[~picture.hidden[rows]]
        for x, y in np.stack([picture.x[rows], picture.y[rows]], axis=1).tolist():
            if seen.contains(x, y):
                self._paint_lock(painter, QPointF(x, y))

    def _paint_lock(self, painter: QPainter, at: QPointF) -> None:
        palette = self._canvas.palette()
        painter.setPen(QPen(palette.text().color(), 1.0))
        painter.setBrush(palette.base())
        painter.drawEllipse(at, RADIUS, RADIUS)
        shackle = QPainterPath(at + QPointF(-2.5, 0.0))
        shackle.lineTo(at + QPointF(-2.5, -2.5))
        shackle.arcTo(QRectF(at.x() - 2.5, at.y() - 5.0, 5.0, 5.0), 180, -180)
        shackle.lineTo(at + QPointF(2.5, 0.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(shackle)
        painter.fillRect(QRectF(at.x() - 4.0, at.y() - 0.5, 8.0, 5.0), palette.text())
