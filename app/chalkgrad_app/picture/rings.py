"""The double ring around what is selected."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from chalkgrad_app.picture.brush import pen
from chalkgrad_app.picture.look import Look

RINGS = 3.0, 6.5
RING_REACH = RINGS[-1] + 1.0
"""How far the double ring around what is selected reaches, in canvas units, but for a line that is never too thin."""


def paint_ring(painter: QPainter, rect: QRectF, radius: float, look: Look) -> None:
    """Paint it around a rectangle of the canvas with such corners."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for distance in RINGS:
        ring = look.rect(rect.adjusted(-distance, -distance, distance, distance))
        painter.setPen(pen(look.theme.color("selection"), max(1.0, 1.5 * look.zoom)))
        corner = (radius + distance) * look.zoom if radius else 0.0
        painter.drawRoundedRect(ring, corner, corner) if corner else painter.drawRect(ring)
