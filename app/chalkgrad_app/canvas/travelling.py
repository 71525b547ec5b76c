"""Gradients on their way: when a backward is stepped through, dots run along the wires against their direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QVariantAnimation
from PySide6.QtGui import QPainter

from chalkgrad.session.events import EventKind
from chalkgrad_app import settings
from chalkgrad_app.document import Document
from chalkgrad_app.picture.batch import draw_fragments
from chalkgrad_app.picture.sprites import dot

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

TRAVEL_MS = 450
DOT = 6.0
"""Radius of a dot on the screen, in pixels."""
MOST_EVENTS = 400
"""A longer jump through time shows no gradients on their way."""


class Travelling(QObject):
    """The gradients on their way on one canvas; an overlay painter."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._wires = np.zeros(0, np.intp)
        self._position: int | None = None
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(TRAVEL_MS)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._on_value)
        self._animation.finished.connect(self.stop)
        canvas.overlay_painters.append(self.paint)

    @property
    def wires(self) -> np.ndarray:
        """Numbers of the wires on which gradients are on their way."""
        return self._wires

    def follow(self, document: Document) -> None:
        """The cursor moved: show what the backward nodes between here and there sent back."""
        before, here = self._position, document.cursor
        self._position = here
        if before is None or here is None or not before < here <= before + MOST_EVENTS or not settings.MOTION.get():
            self.stop()
            return
        trace = document.session.trace
        ran = {node for _, kind, node in trace.about_nodes(before, here) if kind is EventKind.NODE_RAN}
        self.go({trace.nodes[node].statement for node in ran})

    def go(self, ids: set[int]) -> None:
        """Let dots run from these cards to those that they were made from."""
        picture = self._canvas.picture
        into = np.flatnonzero(picture.among(ids)[picture.wire_target] & picture.thick)
        if len(into):
            self._wires = into
            self._animation.stop()
            self._animation.start()

    def stop(self) -> None:
        """Nothing is on its way any more."""
        if len(self._wires):
            self._wires = np.zeros(0, np.intp)
            self._animation.stop()
            self._canvas.update()

    def paint(self, painter: QPainter) -> None:
        """Paint the dots where they are now, all in one call."""
        picture = self._canvas.picture
        if not len(self._wires) or self._wires[-1] >= len(picture.wires):
            return
        look = self._canvas.look()
        part = 1.0 - float(self._animation.currentValue())
        points = (picture.points_at(self._wires, part) - look.origin) * look.zoom
        sprite = dot(DOT, look.dpr, look.theme)
        rows = np.zeros((len(points), 10))
        rows[:, 0:2] = points
        rows[:, 4:6] = sprite.width(), sprite.height()
        rows[:, 6:8] = 1.0 / look.dpr
        rows[:, 9] = 1.0
        draw_fragments(painter, rows, sprite)

    def _on_value(self, _value: object) -> None:
        self._canvas.update()
