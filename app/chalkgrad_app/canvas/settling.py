"""Lays a large drawing out anew once an edit or a run has made it another: in slices, beside the one that is seen."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt, Slot

from chalkgrad.stepwise import Stepwise
from chalkgrad_app.i18n import language
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.widgets.slices import Slices

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas


class Settling(QObject):
    """Gives the cards of one canvas the places that their sizes ask for.

    What is in the middle, or was just placed, stays in view.
    """

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self.slices = Slices("settling", self)
        canvas.unsettled.connect(self.look, Qt.ConnectionType.QueuedConnection)

    @Slot()
    def look(self) -> None:
        """Begin, if there is something to do and nothing more to wait for."""
        canvas = self.canvas
        busy = self.slices.is_active or canvas.is_behind or canvas.document.is_running or canvas.document.is_scrubbed
        if not busy and not canvas.picture.is_settled:
            self.slices.start("", self._made(), self._show)

    def _made(self) -> Stepwise[Picture | None]:
        """A picture of the document as it is now; None as soon as it has another program, run or places."""
        document, picture = self.canvas.document, Picture(language())
        program, board, state = document.program, document.board, document.state
        for part in picture.updating(program, board, state):
            yield part
            is_its = program is document.program and board is document.board and not document.is_running
            if not is_its or state.nodes is not document.session.trace.nodes:
                return None
        return picture

    def _show(self, made: Picture | None) -> None:
        """Show it, unless the document has become another: then it is begun anew."""
        canvas, document = self.canvas, self.canvas.document
        is_its = made is not None and made.program is document.program and made.board is document.board
        if made is None or not is_its or made.state.nodes is not document.session.trace.nodes:
            self.look()
            return
        if made.drawing != canvas.picture.drawing:
            self.look()
            return
        made.remember_gone(canvas.picture)
        placed = canvas.growing.brought
        anchor = None if canvas.shows_all else self._anchor(placed)
        canvas.following.expect(made)
        canvas.show_made()
        if anchor is None:
            canvas.fit_again()
            return
        id_, before = anchor
        away = canvas.viewport.rect_to_view(canvas.picture.rect(id_)).center() - before.center()
        target = canvas.viewport.copied()
        target.pan(-away.x(), -away.y())
        canvas.go_to(target, glide=False)
        if placed:
            canvas.growing.show(placed)

    def _anchor(self, among: Collection[int]) -> tuple[int, QRectF] | None:
        """The card nearest to the middle of the widget, one ``among`` these if there are any, and where it is there."""
        canvas, picture = self.canvas, self.canvas.picture
        if not picture.ids:
            return None
        middle = canvas.to_scene(QRectF(canvas.rect()).center())
        far = abs(picture.x + picture.w / 2 - middle.x()) + abs(picture.y + picture.h / 2 - middle.y())
        far[picture.hidden | (~picture.among(among) if among else False)] = float("inf")
        id_ = picture.ids[int(far.argmin())]
        return id_, canvas.viewport.rect_to_view(picture.rect(id_))
