"""Cards that nobody placed stay where they were first seen, whatever becomes of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from chalkgrad.program import edits
from chalkgrad_app.canvas import arrange
from chalkgrad_app.document import Document

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class Staying(QObject):
    """Gives the cards of a canvas the places at which its drawing shows them, where the board has none."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self._document: Document | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self._on_settled)

    def watch(self, document: Document) -> None:
        """Follow the runs of ``document``, and of no other."""
        if self._document is not None:
            self._document.finished.disconnect(self._on_finished)
        self._document = document
        document.finished.connect(self._on_finished)
        self._settle.start()

    @Slot()
    def _on_finished(self) -> None:
        self._settle.start()  # once the picture shows what the run made

    @Slot()
    def _on_settled(self) -> None:
        canvas, document = self.canvas, self.canvas.document
        if document.is_running or document.is_scrubbed or canvas.dispatcher.active:
            return  # the end of the run comes, or of the next
        picture = canvas.picture
        if canvas.is_behind:
            self._settle.start()
        elif picture.places_some and not picture.drawing.lays_out:
            places = picture.lying(arrange.unplaced(document.sheet))
            document.amend(edits.place(document.board, places))
