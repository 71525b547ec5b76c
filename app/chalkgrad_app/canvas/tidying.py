"""Tidying seen on the canvas: one edit, after which the cards glide to their new places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractAnimation, QEasingCurve, QPointF, QRectF, QVariantAnimation
from PySide6.QtGui import QPainter

from chalkgrad_app import settings
from chalkgrad_app.canvas import arrange
from chalkgrad_app.i18n import translate

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

GLIDE_MS = 200
MOST = 300
"""With more cards than this nothing glides."""


class Tidying:
    """Lays out a canvas."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas
        self._from: dict[int, QPointF] = {}
        self._glide = QVariantAnimation(canvas)
        self._glide.setDuration(GLIDE_MS)
        self._glide.setStartValue(0.0)
        self._glide.setEndValue(1.0)
        self._glide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._glide.valueChanged.connect(self._on_step)
        self._glide.finished.connect(self._on_finished)

    def tidy(self) -> None:
        """Lay out the selected cards, or all when less than two are selected; one undo step."""
        canvas, document = self.canvas, self.canvas.document
        self._glide.stop()
        before = {id_: canvas.picture.rect(id_).topLeft() for id_ in canvas.picture.ids}
        chosen = [id_ for id_ in document.selected_statements if id_ in canvas.picture.index]
        ids = chosen if len(chosen) > 1 else []
        change = document.do(
            lambda sheet: arrange.tidied(sheet, document.state, ids), translate("Tidying", "Tidy")
        )
        if change and not ids:
            canvas.ensure_visible(canvas.picture.ids)
        if change and settings.MOTION.get() and len(before) <= MOST and canvas.isVisible():
            self._start(before)

    def paint(self, painter: QPainter) -> None:
        """Paint the cards on their way, in scene coordinates."""
        if self._glide.state() != QAbstractAnimation.State.Running:
            return
        left = 1.0 - float(self._glide.currentValue())
        for id_, start in self._from.items():
            if id_ in self.canvas.picture.index:
                end = self.canvas.picture.rect(id_).topLeft()
                self.canvas.paint_lifted(painter, [id_], (start - end) * left)

    # ------------------------------------------------------------ inside

    def _start(self, before: dict[int, QPointF]) -> None:
        picture = self.canvas.picture
        self._from = {
            id_: start for id_, start in before.items() if id_ in picture.index and picture.rect(id_).topLeft() != start
        }
        if self._from:
            self.canvas.lift(list(self._from))
            self._glide.start()

    def _on_step(self, _value: object) -> None:
        self.canvas.update()

    def _on_finished(self) -> None:
        self._from = {}
        self.canvas.lift(())


__all__ = ["QRectF", "Tidying"]
