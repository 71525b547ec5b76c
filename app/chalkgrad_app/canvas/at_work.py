"""As somebody steps through time, what is at work comes into view, and is in view in another drawing, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QRectF, QSizeF, QTimer, Slot

from chalkgrad.program.change import Change

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

REST_MS = 90
"""Steps that come faster than this are a ride through time: what is at work is brought into view when it rests."""
BANDS_MS = 500
"""So soon after a step the bands above the canvas come and go, which takes room or gives it."""


class AtWork(QObject):
    """Pans one canvas just as far as needed: to the node at work in a backward, else to the card of the line.

    An edit may move the cursor, too; the view stays then, where somebody works.
    """

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._since = QElapsedTimer()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.show)
        self._edited = QTimer(self)
        self._edited.setSingleShot(True)
        canvas.document.changed.connect(self._on_changed)
        canvas.document.moved.connect(self._on_moved)
        canvas.resized.connect(self._on_resized)
        canvas.redrawing.shown.connect(self._on_drawn)
        canvas.tidying.settled.connect(self._on_settled)

    @Slot()
    def show(self) -> None:
        """Bring it into view as soon as nothing is dragged."""
        canvas = self._canvas
        if canvas.is_panning or canvas.dispatcher.active is not None or canvas.document.is_scrubbed:
            self._soon.start(REST_MS)
            return
        self._bring_all(glide=True)

    def rects(self) -> list[QRectF]:
        """Where it lies, in canvas units; a Function node comes after its card."""
        lit, card = list(self._canvas.gradient_pills.lit_rects()), self._card()
        return lit if lit or card is None else [self._canvas.picture.rect(card)]

    def _on_resized(self) -> None:
        """What is at work is still in view when a band takes room of the canvas."""
        if self._has_stepped(BANDS_MS):
            self._soon.start(0)

    def _card(self) -> int | None:
        """The card of the line looked at, or the one that a line without a card is about."""
        document, picture = self._canvas.document, self._canvas.picture
        program = document.program
        line = document.cursor_line if document.is_past else document.waits_at
        if line is None:
            line = program.order[-1] if program.order else None
        if line is None or line not in program:
            return None
        about = (line, *(program.maker(ref).statement for ref in program[line].refs() if ref.statement in program))
        seen = (id_ for id_ in about if id_ in picture.index and not picture.hidden[picture.index[id_]])
        return next(seen, None)

    @Slot()
    def _on_drawn(self) -> None:
        if self._canvas.document.is_past:
            self._bring_all(glide=False)

    @Slot()
    def _on_settled(self) -> None:
        if self._canvas.document.is_past:
            self._soon.start(0)

    def _bring_all(self, glide: bool) -> None:
        for rect in self.rects():
            self._bring(rect, glide)

    def _bring(self, rect: QRectF, glide: bool) -> None:
        """Go to a rectangle that is not in view; of one that is larger than the view, to where it begins."""
        canvas = self._canvas
        seen = canvas.glide.target.scene_rect(QSizeF(canvas.size()))
        if not seen.contains(rect) and not rect.contains(seen):
            canvas.pan_to(rect, glide)

    def _has_stepped(self, within: int) -> bool:
        """True when the last step is not longer ago than so many milliseconds."""
        return self._since.isValid() and not self._since.hasExpired(within)

    @Slot(object)
    def _on_changed(self, change: object) -> None:
        if not isinstance(change, Change) or change.touches_program:
            self._soon.stop()
            self._since.invalidate()
            self._edited.start(0)

    @Slot(object)
    def _on_moved(self, *_: object) -> None:
        if self._edited.isActive():
            return
        rides = self._has_stepped(REST_MS)
        self._since.start()
        self._soon.start(REST_MS if rides else 0)
