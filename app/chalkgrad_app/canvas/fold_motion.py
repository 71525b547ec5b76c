"""Folding seen: an outline that shrinks from the frame to its node, or grows back; nothing waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QPainter, QPen

from chalkgrad_app import settings
from chalkgrad_app.style import theme

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

MOTION_MS = 160


class FoldMotion:
    """The outlines of frames on their way, for the overlay of a canvas."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self._from: dict[int, QRectF] = {}
        self._motion = QVariantAnimation(canvas)
        self._motion.setDuration(MOTION_MS)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._on_step)
        self._motion.finished.connect(self._on_finished)

    def show(self, before: Mapping[int, QRectF]) -> None:
        """Lead the eye from where frames or nodes were to where they are; not where motion is switched off."""
        self._motion.stop()
        self._from = dict(before) if settings.MOTION.get() and self.canvas.isVisible() else {}
        if self._from:
            self._motion.start()

    def paint(self, painter: QPainter) -> None:
        """Paint the outlines, in scene coordinates."""
        if not self._from:
            return
        pen = QPen(theme.current().color("selection"), 1.5)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        share = float(self._motion.currentValue())
        for id_, start in self._from.items():
            end = self.canvas.picture.rect_of(id_)
            if end is not None:
                painter.drawRoundedRect(between(start, end, share), 8, 8)

    def _on_step(self, _share: object) -> None:
        self.canvas.update()

    def _on_finished(self) -> None:
        self._from = {}
        self.canvas.update()


def between(start: QRectF, end: QRectF, share: float) -> QRectF:
    """The rectangle that has come ``share`` (0 to 1) of the way from one to the other."""
    return QRectF(
        start.topLeft() + (end.topLeft() - start.topLeft()) * share,
        start.bottomRight() + (end.bottomRight() - start.bottomRight()) * share,
    )
