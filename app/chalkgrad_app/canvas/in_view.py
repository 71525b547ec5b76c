"""Cards that an edit makes larger, or carries elsewhere, stay in view where they were wholly in view before."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QSizeF, QTimer, Slot

from chalkgrad.program.change import Change
from chalkgrad_app.canvas.aligning import around
from chalkgrad_app.canvas.viewport import Viewport
from chalkgrad_app.document import Document

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

REST_MS = 90
"""While a button is held, or what was edited runs, it is looked again so soon."""


class InView(QObject):
    """Pans one canvas as little as it takes, once cards are as large as they will be and no button is held.

    Where all cards were in view and have no room there any more, it zooms out.

    What somebody carries lies where it is put down, and nothing zooms out for what moves aside there. Who moves the
    view meanwhile looks at what is seen then.
    """

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self._document: Document | None = None
        self._seen: set[int] = set()
        self._seen_at: Viewport | None = None
        self._saw_all = False
        self._awaits_run = False
        self._was_carried = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._on_settled)
        canvas.redrawing.shown.connect(self._forget)

    def watch(self, document: Document) -> None:
        """Follow the edits of ``document``, and of no other."""
        if self._document is not None:
            self._document.changed.disconnect(self._on_changed)
        self._document = document
        self._forget()
        document.changed.connect(self._on_changed)

    @Slot()
    def _forget(self) -> None:
        self._seen.clear()

    def _on_changed(self, change: Change) -> None:
        """Remember what of that which is edited or moved is wholly in view."""
        canvas, seen = self.canvas, self._scene()
        carried = canvas.dispatcher.is_dropping and not change.tables <= {"statements"}
        is_pushing = canvas.growing.is_pushing
        self._was_carried = carried or (self._was_carried and is_pushing)
        if carried or not canvas.isVisible():
            return
        if not self._seen:
            saw_all = seen.contains(canvas.painted.bounds()) and not self._was_carried
            if is_pushing and not saw_all:  # nobody asked for it where somebody looks now
                return
            self._seen_at, self._saw_all, self._awaits_run = canvas.glide.target.copied(), saw_all, False
        self._seen |= canvas.painted.whole_in(seen, _touched(change))
        self._awaits_run |= change.touches_program
        if self._seen:
            self._soon.start(0)

    @Slot()
    def _on_settled(self) -> None:
        if not self._seen:
            return
        if self._is_busy():
            self._soon.start(REST_MS)
            return
        seen, self._seen = self._seen, set()
        if self.canvas.glide.target.shows_as(self._seen_at):
            self._bring(seen)

    def _is_busy(self) -> bool:
        canvas, document = self.canvas, self.canvas.document
        is_held = canvas.is_panning or canvas.dispatcher.is_held or document.is_scrubbed
        return is_held or (self._awaits_run and (document.is_running or canvas.is_behind))

    def _bring(self, ids: Collection[int]) -> None:
        """All of it where it has room together, or all was seen; else what is selected or has the focus."""
        canvas = self.canvas
        rects = {id_: rect for id_ in ids if not (rect := self._rect(id_)).isEmpty()}
        if all(self._scene().contains(rect) for rect in rects.values()):
            return
        rect = around(rects.values())
        if self._saw_all:
            canvas.ensure_rect_visible(rect.united(canvas.picture.bounds()), glide=True)
            return
        if not canvas.has_room_for_rect(rect):
            chosen = {*canvas.document.selection, canvas.focus_id}
            rect = around(rect for id_, rect in rects.items() if id_ in chosen)
        canvas.pan_to(rect, glide=True)

    def _rect(self, id_: int) -> QRectF:
        """Where it lies when nothing moves any more."""
        canvas = self.canvas
        rect, corner = canvas.picture.rect_of(id_) or QRectF(), canvas.tidying.bound_for(id_)
        return rect if corner is None else QRectF(corner, rect.size())

    def _scene(self) -> QRectF:
        return self.canvas.glide.target.scene_rect(QSizeF(self.canvas.size()))


def _touched(change: Change) -> set[Hashable]:
    """The cards, notes and frames that a change edits or moves."""
    placed: set[Hashable] = {key[1] for key in change.keys("places") if isinstance(key, tuple)}
    return placed.union(*(change.keys(table) for table in ("statements", "notes", "frames")))
