"""The picture of a canvas follows its document: edits, runs and the cursor, as far as there is time in each turn."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QRectF, QTimer, Signal, SignalInstance
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from chalkgrad.program.change import Change
from chalkgrad_app import i18n, settings
from chalkgrad_app.canvas.fitting import Fitting
from chalkgrad_app.canvas.following import Following
from chalkgrad_app.canvas.layers import Backing
from chalkgrad_app.document import Document
from chalkgrad_app.picture.damage import damage, shown
from chalkgrad_app.picture.look import Level
from chalkgrad_app.picture.paint import deciding_cards, is_loose
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.widgets.turns import turn

FLASH_MS = 700
SETTLED_AT_ONCE = 500
"""With more cards than this those that a run gave other sizes lie as they did until all are laid out anew."""
LAG_MS = 150
"""While a program runs, the canvas shows how far it came this often."""


class Mirroring(Fitting):
    """A widget with the picture of a document, which is brought up to date when somebody looks."""

    unsettled = Signal()  # all was looked at, and not all lies where the drawing would lay it out now
    remade = Signal()  # another drawing is shown, or the same laid out anew

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._looked_in = -1
        self.is_mapped = False  # True while a map shows all of it
        self._document: Document | None = None
        self._picture = Picture(i18n.language())
        self.following = Following()
        self._backing = Backing(self._paint_still)
        self._flashing: frozenset[int] = frozenset()
        self._can_wait = False
        self._stale_state = self._stale_board = self._flash_next = False
        self._flash_end = self._timer(FLASH_MS, self._end_flash)
        self._lag = self._timer(LAG_MS, self._on_state)
        self._moving = self._timer(LAG_MS, self._on_catch_up)
        self._catch_up = self._timer(0, self._on_catch_up)

    # ------------------------------------------------------------ read

    @property
    def document(self) -> Document:
        """The document shown; RuntimeError before there is one."""
        if self._document is None:
            raise RuntimeError("the canvas has no document yet")
        return self._document

    @property
    def picture(self) -> Picture:
        """The picture of the document as it is now."""
        self._refresh()
        return self._picture

    @property
    def painted(self) -> Picture:
        """The picture as it was painted last."""
        return self._picture

    @property
    def is_behind(self) -> bool:
        """True while there is more to be brought up to date than was done at once."""
        return self.following.is_behind

    # ------------------------------------------------------------ change

    def set_document(self, document: Document) -> None:
        """Show ``document``, all of it."""
        if self._document is not None:
            for signal, slot in self._links(self._document):
                signal.disconnect(slot)
        self._document = document
        self.following = Following()
        for signal, slot in self._links(document):
            signal.connect(slot)
        self._picture = Picture(i18n.language())
        self._stale_state, self._can_wait = True, False
        self.fit_all()

    def show_drawing(self) -> None:
        """Show the drawing that the document has now, in the middle of a run, too."""
        self._stale_board, self._can_wait = True, False
        self.repaint_still()
        self.remade.emit()

    def show_made(self) -> None:
        """Show the picture that was made beforehand."""
        self._on_state()
        self._refresh()
        self.remade.emit()

    def repaint_still(self) -> None:
        """Paint the still picture anew before it is shown next."""
        self._backing.invalidate()
        self.update()

    # ------------------------------------------------------------ inside

    def _timer(self, milliseconds: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer

    def _links(self, document: Document) -> list[tuple[SignalInstance, Callable[..., None]]]:
        """The signals of a document that the canvas follows, each with its slot."""
        return [
            (document.changed, self._on_changed),
            (document.traced, self._on_traced),
            (document.moved, self._on_moved),
            (document.covering, self._on_covering),
            (document.selected, self.repaint_still),
            (document.pointing, self.update),
        ]

    def _paint_still(self, painter: QPainter, rect: QRectF) -> None:
        """Paint a part of the still picture."""
        raise NotImplementedError

    def _refresh(self) -> None:
        """Bring the picture up to date, if it isn't: at most once, when somebody looks."""
        document = self._document
        if document is None or not (self._stale_state or self._stale_board):
            return
        if self._can_wait and document.is_running:
            return
        state_too = self._stale_state
        if (made := self.following.made(document)) is not None:
            made.raised = self._picture.raised
            self._picture, state_too = made, True
        self._stale_state = self._stale_board = False
        if state_too:
            self._follow(document)
        else:
            self._picture.set_board(document.board)
        if not self.is_behind and not self._picture.is_settled:
            self.unsettled.emit()

    def _follow(self, document: Document) -> None:
        """Look at what the state may have made otherwise; what looks otherwise is to be painted again."""
        turn().begin()
        self._looked_in = turn().number
        in_view_only = self._is_moving() and is_loose(self._picture)  # else what is out of view may bear on it
        in_view, seen = self._in_view()
        touched = self.following.next(document, in_view, in_view_only, seen)
        self._picture.is_followed = self.following.is_of_new_run
        if self.following.is_all_anew:
            self._picture.forget_gone()
        self._picture.settles_later = len(self._picture.ids) > SETTLED_AT_ONCE
        self._picture.holds_still = self.following.is_behind or self._picture.settles_later
        self._picture.is_seen = not self._picture.holds_still or touched is None or not touched.isdisjoint(in_view)
        before = shown(self._picture)
        begun = perf_counter()
        renewed = self._picture.update(document.program, document.board, document.state, touched)
        self.following.took(len(touched or ()), 1000 * (perf_counter() - begun))
        self._backing.damage(damage(self._picture, before, renewed))
        if self.viewport.level is Level.FAR and not self._backing.is_valid:
            self._backing.invalidate()  # how a wire is drawn there hangs on all that are seen
        if self.following.is_behind:
            self._catch_up.start(0)
        if self._flash_next and self._picture.changed and settings.MOTION.get() and not document.is_scrubbed:
            self._flashing = self._picture.changed
            self._backing.invalidate()
            self._flash_end.start()
        self._flash_next = False

    def _in_view(self) -> tuple[list[int], int]:
        """Ids of the cards that say what is seen, and how many of them are seen themselves: the first."""
        picture = self._picture
        cards, seen = deciding_cards(picture, self.scene_rect())
        return [picture.ids[row] for row in cards.tolist()], seen

    def _is_moving(self) -> bool:
        """True while the cursor moves on and on, and no map shows what is out of view."""
        return self._moving.isActive() and not self.is_mapped

    def _came_into_view(self) -> None:
        """What comes into view may not have been looked at yet."""
        self._stale_state |= self.is_behind

    def _on_changed(self, change: object) -> None:
        if isinstance(change, Change) and not change.touches_program:
            self._stale_board, self._can_wait = True, False
        else:
            self._stale_state = self._flash_next = True
            self._can_wait = self._has_all_cards_of(change)
            if self._can_wait:  # the cards are the same: what they say comes with the end of the run, or with the lag
                if not self.document.is_scrubbed:
                    self._lag.start()
                return
        self.repaint_still()

    def _has_all_cards_of(self, change: object) -> bool:
        """True for a change of lines alone, in a picture that has their cards: it may lag behind an edit before."""
        is_of_lines = isinstance(change, Change) and change.tables == {"statements"}
        return is_of_lines and bool(self._picture.ids) and self._picture.program.order == self.document.program.order

    def _on_traced(self, *_: object) -> None:
        if not self.document.is_running:
            self._on_state()
        elif not self._lag.isActive() and not self.document.is_scrubbed:
            self._lag.start()

    def _on_moved(self, *_: object) -> None:
        self._moving.start()
        self._lag.stop()
        self._stale_state, self._can_wait = True, False
        self.update()  # what looks otherwise at the new place is damaged as soon as somebody looks

    def _on_covering(self) -> None:
        self.following.forget()
        self._on_state()

    def _on_state(self, *_: object) -> None:
        self._lag.stop()
        self._stale_state, self._can_wait = True, False
        self.repaint_still()

    def _on_catch_up(self) -> None:
        if self.document.is_scrubbed:  # what is in view is looked at already: the rest when the number has come to rest
            self._stale_state = True
            self._catch_up.start(LAG_MS)
            return
        if not self.is_behind or (self._is_moving() and not self.following.is_urgent):
            return  # when the cursor has come to rest
        if self._looked_in == turn().number or self.following.gives_way():
            self._catch_up.start(0)  # one look in each turn: it takes most of the time that there is
            return
        self._stale_state, self._can_wait = True, False
        self._refresh()
        if not self._backing.is_valid:
            self.update()

    def _end_flash(self) -> None:
        self._flashing = frozenset()
        self.repaint_still()
