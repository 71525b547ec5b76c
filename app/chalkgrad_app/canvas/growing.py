"""Cards that grew: what they would lie on moves out of their way, as part of the edit that made them grow.

A note that grew goes where there is room for it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Slot

from chalkgrad.program import arranging, edits
from chalkgrad.program.board import Note
from chalkgrad.program.change import Change
from chalkgrad_app.canvas.room import Rects, corner_of_grown, out_of_the_way
from chalkgrad_app.canvas.viewport import Viewport
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.picture.notes import fitted

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

MOST = 300
"""With more cards than this nothing moves by itself."""


class Growing(QObject):
    """Watches the sizes of the cards of a canvas, and where they lie, from one run to the next."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self._document: Document | None = None
        self._lying: Rects | None = None
        self._blocks: frozenset[int] = frozenset()
        self._shown: tuple[int, ...] = ()
        self._placed: tuple[int, ...] = ()
        self._pushed: tuple[int, ...] = ()
        self._shown_at: Viewport | None = None
        self._is_all = False
        self.is_pushing = False
        """True while what grew moves others away."""
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self._on_settled)
        self._written: dict[int, Note] = {}
        """Notes with another text, each as it was before."""
        self._fit = QTimer(self)
        self._fit.setSingleShot(True)
        self._fit.timeout.connect(self._on_written)
        canvas.tidying.ended.connect(self._settle.start)

    def watch(self, document: Document) -> None:
        """Follow the runs of ``document``, and of no other."""
        if self._document is not None:
            self._document.finished.disconnect(self._on_finished)
            self._document.drawn.disconnect(self._forget)
            self._document.changed.disconnect(self._on_changed)
        self._document = document
        self._lying = None
        self._written.clear()
        document.changed.connect(self._on_changed)
        document.finished.connect(self._on_finished)
        document.drawn.connect(self._forget)
        self._settle.start()

    def show(self, ids: Collection[int], pushed: Collection[int] = ()) -> None:
        """Bring what was just placed into view, now and when the run has given all cards their sizes.

        With it what it ``pushed``, where both have room as large as all is seen.
        """
        self._pushed = tuple(pushed)
        self._bring(ids)
        self._shown = self._placed = tuple(ids)

    @property
    def brought(self) -> tuple[int, ...]:
        """What was placed last, as long as nobody has moved the view since it was brought there."""
        is_there = self.canvas.glide.target.shows_as(self._shown_at)
        return tuple(id_ for id_ in self._placed if is_there and id_ in self.canvas.picture.index)

    @property
    def shows_all(self) -> bool:
        """True while all that there is was placed at once, and is seen as it was brought into view."""
        return self._is_all and self.canvas.glide.target.shows_as(self._shown_at)

    def _bring(self, ids: Collection[int], glide: bool = False) -> None:
        together = [*ids, *(id_ for id_ in self._pushed if id_ in self.canvas.picture.index)]
        self.canvas.ensure_visible(together if self.canvas.has_room_for(together) else ids, glide)
        self._shown_at = self.canvas.glide.target.copied()
        self._is_all = set(self.canvas.picture.ids) <= set(ids)

    @Slot()
    def _forget(self) -> None:
        """In another drawing the cards have other sizes."""
        self._lying = None
        self._settle.start()

    def _on_changed(self, change: Change) -> None:
        """Remember which notes were written in; there is room for them once the edit is done. Look where cards went."""
        if not change.touches_program:
            self._settle.start()
        elif self._lying is not None and self.canvas.dispatcher.is_dropping:
            self._lying = {**self._lying, **self._carried(change, self._lying)}
        for key in change.keys("notes"):
            old, new = change.entries["notes", key]
            if isinstance(old, Note) and isinstance(new, Note) and isinstance(key, int) and old.texts != new.texts:
                self._written.setdefault(key, old)
                self._fit.start()

    def _carried(self, change: Change, lying: Rects) -> dict[int, QRectF]:
        """Where cards lie, as large as they were, that were put down elsewhere as lines changed: there they grow."""
        found = {}
        for key in change.keys("places"):
            id_ = key[1] if isinstance(key, tuple) else None
            place = self.canvas.document.board.place(id_) if isinstance(id_, int) else None
            if isinstance(id_, int) and id_ in lying and place is not None:
                found[id_] = QRectF(QPointF(place.x, place.y), lying[id_].size())
        return found

    @Slot()
    def _on_written(self) -> None:
        """Put notes that grew where they cover nothing that they didn't cover before."""
        written, self._written = self._written, {}
        document, picture = self.canvas.document, self.canvas.picture
        for id_, old in written.items():
            note, was = document.board.notes.get(id_), picture.rect_of(id_)
            if note is None or was is None:
                continue
            corner = corner_of_grown(picture, id_, _rect(fitted(old, language())), was)
            if corner != was.topLeft():
                document.extend(edits.put_note(document.board, replace(note, x=corner.x(), y=corner.y())))
                self.canvas.ensure_visible([id_])

    @Slot()
    def _on_finished(self) -> None:
        self._settle.start()  # once the picture shows what the run made

    @Slot()
    def _on_settled(self) -> None:
        document, picture = self.canvas.document, self.canvas.picture
        if document.is_running or document.is_scrubbed:
            return
        if self.canvas.tidying.is_working:  # that finds all cards room; an edit would have it given up
            return
        if self.canvas.is_behind:
            self._settle.start()
            return
        if len(picture.ids) <= MOST:
            self._make_room()
        shown, self._shown = self._shown, ()
        if shown and self.canvas.glide.target.shows_as(self._shown_at):  # else somebody looks elsewhere by now
            self._bring([id_ for id_ in shown if id_ in document.program], glide=True)

    def _make_room(self) -> None:
        document, picture = self.canvas.document, self.canvas.picture
        before, blocks = self._lying, self._blocks
        seen = {id_: picture.rect(id_) for id_, hidden in zip(picture.ids, picture.hidden, strict=True) if not hidden}
        self._lying = {**(before or {}), **seen}  # what is folded away has the size that it had
        self._blocks = frozenset(document.program.blocks)
        tidying = self.canvas.tidying
        if before is None or picture.drawing.lays_out or self.canvas.dispatcher.active:
            return
        if tidying.will_make_room:
            return
        ways = out_of_the_way(picture, before, self._blocks - blocks)
        if ways:
            self.is_pushing = True
            tidying.glide(lambda: document.extend(arranging.shift(document.board, ways, picture.lying(picture.ids))))
            self.is_pushing = False


def _rect(note: Note) -> QRectF:
    return QRectF(note.x, note.y, note.width, note.height)
