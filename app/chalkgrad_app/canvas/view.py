"""The canvas: one widget that shows the picture of a document in layers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QNativeGestureEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from chalkgrad_app import i18n
from chalkgrad_app.canvas.hit import NOTHING, Hit, hit
from chalkgrad_app.canvas.layers import paint_background, paint_marks
from chalkgrad_app.canvas.mirroring import Mirroring
from chalkgrad_app.canvas.travelling import Travelling
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.far_names import FarNames
from chalkgrad_app.picture.frames import NOBODY, Leaving
from chalkgrad_app.picture.look import Look, card_words
from chalkgrad_app.picture.paint import paint, paint_lifted
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.turns import turn

REST_MS = 90
"""With many cards, a zoom scales the pixmap and paints anew when the wheel rests this long."""
MANY = 120

OverlayPainter = Callable[[QPainter], None]


class Canvas(Mirroring):
    """Shows a document; ``overlay_painters`` paint above the still picture.

    ``focus_id`` is the card that has the keyboard's focus, ``lifted`` and ``lifted_wires`` (target, port) are left out
    of the still picture for an overlay painter to paint.
    """

    resized = Signal()
    ringed = Signal()  # another card has the ring of the focus, or none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setMinimumSize(160, 120)
        self.overlay_painters: list[OverlayPainter] = []
        self.focus_id: int | None = None
        self._brushes = Brushes()
        self._words = card_words()
        self._lifted: frozenset[int] = frozenset()
        self._lifted_wires: frozenset[tuple[int, int]] = frozenset()
        self._lecture, self._waits = False, False
        self._pointer: QPointF | None = None
        self._rest = self._timer(REST_MS, self.repaint_still)
        self._filling = self._timer(0, self.repaint_still)
        self.travelling = Travelling(self)

    # ------------------------------------------------------------ read

    @property
    def backing_pixmap(self) -> QPixmap:
        """The still picture as it was painted last; a copy stays as it is."""
        return QPixmap(self._backing.pixmap)

    @property
    def far_names(self) -> FarNames:
        """The names beside what is seen from afar: those that are painted."""
        return self._brushes.names or FarNames()

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
            text_scale=self.viewport.text_scale,
        )

    def hit(self, point: QPointF) -> Hit:
        """What lies under a point of the widget."""
        if self._document is None:
            return NOTHING
        return hit(self.picture, self.to_scene(point), self.viewport.scale, self.viewport.text_scale)

    # ------------------------------------------------------------ change

    def lift(self, ids: Collection[int], wires: Collection[tuple[int, int]] = ()) -> None:
        """Leave cards (with their wires), notes and single wires (target, port) out of the still picture.

        With nothing, everything is put back where the board has it.
        """
        put_back = self._lifted and not ids
        self._lifted, self._lifted_wires = frozenset(ids), frozenset(wires)
        if put_back:
            self.picture.shift((), 0.0, 0.0)
        self.repaint_still()

    def bring_up(self, ids: Iterable[int]) -> None:
        """Have cards lie above the others, the last of them topmost."""
        self.picture.raised.bring_up(ids)
        self.repaint_still()

    def paint_lifted(
        self,
        painter: QPainter,
        ids: Collection[int],
        offset: QPointF,
        loose: bool = False,
        leaving: Leaving = NOBODY,
    ) -> None:
        """Paint cards and notes with their wires (``loose``: those among them), moved by ``offset`` canvas units.

        Frames of blocks are as they will be without the cards that are ``leaving`` them.
        """
        picture = self.picture
        picture.shift(ids, offset.x(), offset.y(), leaving)
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
            self.ringed.emit()

    def wait_a_frame(self) -> None:
        """In the next frame show the still picture as it was: who is painted with it takes long."""
        self._waits = not self._backing.pixmap.isNull()

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

    def _on_moved(self, *_: object) -> None:
        super()._on_moved()
        self.travelling.follow(self.document)

    def _view_panned(self, dx: int, dy: int) -> None:
        """The backing pixmap is scrolled, unless it shows another zoom."""
        self._came_into_view()
        self._refresh()
        self._backing.scroll(dx, dy, self.viewport)
        super()._view_panned(dx, dy)

    def _view_zoomed(self) -> None:
        """A few cards are painted at once; with many, the old pixmap is scaled until the wheel rests."""
        self._came_into_view()
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
        if self._waits:
            self._waits = False
            self._backing.stretch(painter, self.viewport)
            self._filling.start()
            return
        with self._brushes.in_time(turn().spent_ms, (self.viewport.scale, self.viewport.origin)):
            self._backing.make(self.size(), self.viewport)
        if self._brushes.blanks:
            self._filling.start()
        painter.drawPixmap(0, 0, self._backing.pixmap)
