"""Curves of wires and edges as paths that a painter draws."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from chalkgrad_app.picture.look import Look


def wire_path(cubics: np.ndarray, look: Look | None = None) -> QPainterPath:
    """One wire as a path of its pieces: in the painter's pixels for a look, else in canvas units."""
    x, y, zoom = (*look.origin, look.zoom) if look is not None else (0.0, 0.0, 1.0)
    path = QPainterPath()
    for piece in ((cubics - np.array([x, y] * 4)) * zoom).tolist():
        start, one, two, end = (QPointF(*piece[at : at + 2]) for at in (0, 2, 4, 6))
        if path.elementCount() == 0:
            path.moveTo(start)
        path.cubicTo(one, two, end)
    return path
