"""Scrolling while something is dragged near the edge of the canvas."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QTimer

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

MARGIN = 24.0
"""How near to the edge, in pixels, a drag scrolls."""
STEP_MS = 16
FASTEST = 18.0
"""Pixels a step, at the edge and beyond."""


class EdgeScrolling:
    """Pans a canvas as long as the pointer stays near its edge; ``moved`` is called after each step."""

    def __init__(self, canvas: GraphCanvas, moved: Callable[[QPointF], None]) -> None:
        self._canvas = canvas
        self._moved = moved
        self._at = QPointF()
        self._timer = QTimer(canvas)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._step)

    def follow(self, at: QPointF) -> None:
        """The pointer of a drag is at a point of the widget."""
        self._at = at
        if self.speed(at) == QPointF():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """The drag is over."""
        self._timer.stop()

    def speed(self, at: QPointF) -> QPointF:
        """Pixels a step to pan by, faster the nearer to the edge."""
        size = self._canvas.size()
        return QPointF(_speed(at.x(), size.width()), _speed(at.y(), size.height()))

    def _step(self) -> None:
        by = self.speed(self._at)
        self._canvas.pan_by(by.x(), by.y())
        self._moved(self._at)


def _speed(at: float, length: float) -> float:
    if at < MARGIN:
        return min(1.0, (MARGIN - at) / MARGIN) * FASTEST
    if at > length - MARGIN:
        return -min(1.0, (at - length + MARGIN) / MARGIN) * FASTEST
    return 0.0
