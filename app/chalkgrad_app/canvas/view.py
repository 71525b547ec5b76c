"""The canvas: one widget that shows the picture of a document in layers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import perf_counter

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QFocusEvent, QMouseEvent, QNativeGestureEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from chalkgrad.program.change import Change
from chalkgrad_app import i18n, settings
from chalkgrad_app.canvas.fitting import Fitting
from chalkgrad_app.canvas.following import Following
from chalkgrad_app.canvas.hit import NOTHING, Hit, hit
from chalkgrad_app.canvas.layers import Backing, paint_background, paint_marks
from chalkgrad_app.canvas.travelling import Travelling
from chalkgrad_app.document import Document
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.damage import damage, shown
from chalkgrad_app.picture.look import Level, Look, card_words, level_at
from chalkgrad_app.picture.paint import deciding_cards, is_loose, paint, paint_lifted
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.turns import turn

REST_MS = 90
"""With many cards, a zoom scales the pixmap and paints anew when the wheel rests this long."""
MANY = 120
FLASH_MS = 700
SETTLED_AT_ONCE = 500
"""With more cards than this those that a run gave other sizes lie as they did until all are laid out anew."""
LAG_MS = 150
"""While a program runs, the canvas shows how far it came this often."""

OverlayPainter = Callable[[QPainter], None]


class Canvas(Fitting):
    """Shows a document; ``overlay_painters`` paint above the still picture.

    ``focus_id`` is the card that has the keyboard's focus, ``lifted`` and ``lifted_wires`` (target, port) are left out
    of the still picture for an overlay painter to paint.
    """

    resized = Signal()
    unsettled = Signal()  # all was looked at, and cards have other sizes than those by which they lie

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setMinimumSize(160, 120)
        self.overlay_painters: list[OverlayPainter] = []
        self.focus_id: int | None = None
        self.is_mapped = False  # True while a map shows all of it
        self._document: Document | None = None
        self._picture = Picture(i18n.language())
        self.following = Following()
        self._brushes = Brushes()
        self._backing = Backing(self._paint_still)
        self._words = card_words()
        self._lifted: frozenset[int] = frozenset()
        self._lifted_wires: frozenset[tuple[int, int]] = frozenset()
        self._flashing: frozenset[int] = frozenset()
        self._can_wait = False
        self._stale_state = self._stale_board = self._flash_next = False
        self._lecture = False
        self._pointer: QPointF | None = None
        self._rest = self._timer(REST_MS, self.repaint_still)
        self._flash_end = self._timer(FLASH_MS, self._end_flash)
        self._lag = self._timer(LAG_MS, self._on_state)
        self._moving = self._timer(LAG_MS, self._on_catch_up)
        self._catch_up = self._timer(0, self._on_catch_up)
        self.travelling = Travelling(self)

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
    def backing_pixmap(self) -> QPixmap:
        """The still picture as it was painted last; a copy stays as it is."""
        return QPixmap(self._backing.pixmap)

    @property
    def is_behind(self) -> bool:
        """True while there is more to be brought up to date than was done at once."""
        return self.following.is_behind

    def look(self) -> Look:
        """How the picture is painted now."""
        document = self._document
        return Look(
            theme=theme.current(),
            zoom=self.viewport.scale,
            dpr=self.viewport.dpr,
            origin=self.viewport.origin,
            selection=document.selection if document is not None else frozenset(),
            focus=self.focus_id if self.hasFocus() else None,
            node=document.node if document is not None else None,
            lifted=self._lifted,
            lifted_wires=self._lifted_wires,
            flashing=self._flashing,
            words=self._words,
            language=i18n.language(),
        )

    def hit(self, point: QPointF) -> Hit:
        """What lies under a point of the widget."""
        return hit(self.picture, self.to_scene(point), self.viewport.scale) if self._document else NOTHING

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

    def show_made(self) -> None:
        """Show the picture that was made beforehand."""
        self._on_state()
        self._refresh()

    def lift(self, ids: Collection[int], wires: Collection[tuple[int, int]] = ()) -> None:
        """Leave cards (with their wires), notes and single wires (target, port) out of the still picture.

        With nothing, everything is put back where the board has it.
        """
        put_back = self._lifted and not ids
        self._lifted, self._lifted_wires = frozenset(ids), frozenset(wires)
        if put_back:
            self.picture.shift((), 0.0, 0.0)
        self.repaint_still()

    def paint_lifted(self, painter: QPainter, ids: Collection[int], offset: QPointF, loose: bool = False) -> None:
        """Paint cards and notes with their wires (``loose``: those among them), moved by ``offset`` canvas units."""
        picture = self.picture
        picture.shift(ids, offset.x(), offset.y())
        painter.save()
        try:
            painter.resetTransform()
            look = self.look()
            paint_lifted(painter, picture, look.lifting(ids), QRectF(self.rect()), self._brushes, loose)
        finally:
            painter.restore()

    def set_focus_id(self, id_: int | None) -> None:
        """Give the keyboard's focus to a card, or to none."""
        if id_ != self.focus_id:
            self.focus_id = id_
            self.repaint_still()

    def repaint_still(self) -> None:
        """Paint the still picture anew before it is shown next."""
        self._backing.invalidate()
        self.update()

    @property
    def is_lecture(self) -> bool:
        """True during a lecture."""
        return self._lecture

    def set_lecture(self, on: bool) -> None:
        """In a lecture a ring goes with the pointer."""
        self._lecture = on
        self.update()

    # ------------------------------------------------------------ Qt events

    def paintEvent(self, event: QPaintEvent) -> None:
        """Blit the still picture, then the overlay."""
        turn().begin()
        self._refresh()
        self._follow_screen()
        painter = QPainter(self)
        try:
            self._paint_backing(painter)
            for overlay in self.overlay_painters:
                painter.save()
                try:
                    overlay(painter)
                finally:
                    painter.restore()
            is_past = self._document is not None and self._document.is_past
            paint_marks(painter, QRectF(self.rect()), is_past, self._pointer if self._lecture else None)
        finally:
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What was fitted stays so as long as nobody moved the view; after that the upper left corner stays."""
        if self._document is not None and (self.picture.bounds().isEmpty() or self.shows_all):
            self.fit_again()
        self.resized.emit()

    def event(self, event: QEvent) -> bool:
        """A double tap of two fingers shows everything."""
        double_tap = Qt.NativeGestureType.SmartZoomNativeGesture
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == double_tap:
            self.fit(glide=True)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The lecture's ring goes with the pointer."""
        self._pointer = event.position()
        if self._lecture:
            self.update()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No ring without a pointer."""
        self._pointer = None
        self.update()
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The focus ring shows."""
        super().focusInEvent(event)
        self.repaint_still()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The focus ring goes."""
        super().focusOutEvent(event)
        self.repaint_still()

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme, text size and language."""
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._follow_style()
        elif event.type() == QEvent.Type.LanguageChange:
            self._words = card_words()
            self._picture.set_language(i18n.language())
            self.repaint_still()
        super().changeEvent(event)

    def sizeHint(self) -> QSize:
        """As in the default window."""
        return QSize(800, 470)

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

    def _refresh(self) -> None:
        """Bring the picture up to date, if it isn't: at most once, when somebody looks."""
        document = self._document
        if document is None or not (self._stale_state or self._stale_board):
            return
        if self._can_wait and document.is_running:
            return
        state_too = self._stale_state
        if (made := self.following.made(document)) is not None:
            self._picture, state_too = made, True
        self._stale_state = self._stale_board = False
        if state_too:
            self._follow(document)
        else:
            self._picture.set_board(document.board)

    def _follow(self, document: Document) -> None:
        """Look at what the state may have made otherwise; what looks otherwise is to be painted again."""
        in_view_only = self._is_moving() and is_loose(self._picture)  # else what is out of view may bear on it
        in_view, seen = self._in_view()
        touched = self.following.next(document, in_view, in_view_only, seen)
        self._picture.is_followed = self.following.is_of_new_run
        if self.following.is_all_anew:
            self._picture.forget_gone()
        self._picture.holds_still = self.following.is_behind or len(self._picture.ids) > SETTLED_AT_ONCE
        self._picture.is_seen = not self._picture.holds_still or touched is None or not touched.isdisjoint(in_view)
        before = shown(self._picture)
        awaits = document.is_running or (self._picture.awaits_end and not self._picture.is_settled)
        self._picture.awaits_end = awaits and len(self._picture.ids) > SETTLED_AT_ONCE
        begun = perf_counter()
        renewed = self._picture.update(document.program, document.board, document.state, touched)
        self.following.took(len(touched or ()), 1000 * (perf_counter() - begun))
        self._backing.damage(damage(self._picture, before, renewed))
        if level_at(self.viewport.scale) is Level.FAR and not self._backing.is_valid:
            self._backing.invalidate()  # how a wire is drawn there hangs on all that are seen
        if self.following.is_behind:
            self._catch_up.start(0)
        elif not self._picture.is_settled:
            self.unsettled.emit()
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
        self.travelling.follow(self.document)

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
        if self.following.gives_way():
            self._catch_up.start(0)
            return
        self._stale_state, self._can_wait = True, False
        self._refresh()
        if not self._backing.is_valid:
            self.update()

    def _end_flash(self) -> None:
        self._flashing = frozenset()
        self.repaint_still()

    def _view_panned(self, dx: int, dy: int) -> None:
        """The backing pixmap is scrolled, unless it shows another zoom."""
        self._stale_state |= self.is_behind  # what comes into view may not have been looked at yet
        self._refresh()
        self._backing.scroll(dx, dy, self.viewport)
        super()._view_panned(dx, dy)

    def _view_zoomed(self) -> None:
        """A few cards are painted at once; with many, the old pixmap is scaled until the wheel rests."""
        self._stale_state |= self.is_behind
        if len(self._picture.ids) <= MANY or not self._backing.is_valid:
            self._backing.invalidate()
        else:
            self._rest.start()
        super()._view_zoomed()

    def _follow_screen(self) -> None:
        if self.viewport.dpr != self.devicePixelRatioF():
            self.viewport.dpr = self.devicePixelRatioF()
            self._backing.invalidate()

    def _follow_style(self) -> None:
        self.follow_text_size(theme.text_size() / 100)
        self.repaint_still()

    def _paint_still(self, painter: QPainter, rect: QRectF) -> None:
        look = self.look()
        paint_background(painter, look, rect)
        paint(painter, self._picture, look, rect, self._brushes)

    def _paint_backing(self, painter: QPainter) -> None:
        if self._backing.is_valid and self._rest.isActive() and not self._backing.shows(self.viewport):
            self._backing.stretch(painter, self.viewport)
            return
        with self._brushes.in_time(turn().spent_ms, (self.viewport.scale, self.viewport.origin)):
            self._backing.make(self.size(), self.viewport)
        if self._brushes.blanks:
            QTimer.singleShot(0, self, self.repaint_still)
        painter.drawPixmap(0, 0, self._backing.pixmap)
