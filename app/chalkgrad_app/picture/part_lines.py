"""The lines around cards that play a part in a conflict of versions: each part has a line of its own shape."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from chalkgrad_app.pointing import Part

WAVE, CORNER, BETWEEN = 4.0, 0.28, 4.0
"""Depth of the writer's teeth, length of the saver's corners (of the shorter side), room between the reader's lines."""


def part_line(part: Part, rect: QRectF) -> QPainterPath:
    """A toothed line for who writes, the four corners for who saved, a double line for who reads."""
    if part is Part.WRITER:
        return _toothed(rect)
    if part is Part.SAVER:
        return _corners(rect)
    path = QPainterPath()
    path.addRect(rect)
    path.addRect(rect.adjusted(-BETWEEN, -BETWEEN, BETWEEN, BETWEEN))
    return path


def _toothed(rect: QRectF) -> QPainterPath:
    corners = [rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft(), rect.topLeft()]
    path = QPainterPath(corners[0])
    for start, end in pairwise(corners):
        along = end - start
        length = abs(along.x()) + abs(along.y())
        out = QPointF(along.y(), -along.x()) / length * WAVE
        teeth = max(round(length / (2.5 * WAVE)), 1)
        for tooth in range(teeth):
            path.lineTo(start + along * (tooth + 0.5) / teeth + out)
            path.lineTo(start + along * (tooth + 1) / teeth)
    return path


def _corners(rect: QRectF) -> QPainterPath:
    path = QPainterPath()
    arm = min(rect.width(), rect.height()) * CORNER
    for corner, right, down in (
        (rect.topLeft(), arm, arm),
        (rect.topRight(), -arm, arm),
        (rect.bottomRight(), -arm, -arm),
        (rect.bottomLeft(), arm, -arm),
    ):
        path.moveTo(corner + QPointF(right, 0))
        path.lineTo(corner)
        path.lineTo(corner + QPointF(0, down))
    return path
