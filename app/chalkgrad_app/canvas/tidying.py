"""Tidying seen on the canvas: one edit, after which the cards glide to their new places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QPointF, QVariantAnimation

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
        self._to: dict[int, QPointF] = {}
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
        change = document.do(lambda sheet: arrange.tidied(sheet, document.state, ids), translate("Tidying", "Tidy"))
        if change and not ids:
            canvas.ensure_visible(canvas.picture.ids)
        if change and settings.MOTION.get() and len(before) <= MOST and canvas.isVisible():
            self._start(before)

    # ------------------------------------------------------------ inside

    def stop(self) -> None:
        """Have the cards there at once."""
        self._glide.stop()
        if self._from:
            self._on_finished()

    def _start(self, before: dict[int, QPointF]) -> None:
        picture = self.canvas.picture
        self._to = {id_: picture.rect(id_).topLeft() for id_ in picture.ids}
        self._from = {
            id_: start for id_, start in before.items() if id_ in picture.index and picture.rect(id_).topLeft() != start
        }
        if self._from:
            self._glide.start()

    def _on_step(self, value: float) -> None:
        """Show the cards ``value`` (0 to 1) of their way along."""
        picture = self.canvas.picture
        places = {}
        for id_, start in self._from.items():
            end = self._to.get(id_)
            if end is not None:
                at = start + (end - start) * value
                places[id_] = (at.x(), at.y())
        picture.show_at(places)
        self.canvas.repaint_still()

    def _on_finished(self) -> None:
        self._from = {}
        self.canvas.picture.show_at({})
        self.canvas.repaint_still()
