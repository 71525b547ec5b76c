"""The middle of the window: the canvas, the strip above it, the band of the past, and what an empty canvas offers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chalkgrad.errors import ChalkgradError
from chalkgrad_app import settings
from chalkgrad_app.canvas.announcing import Announcer
from chalkgrad_app.canvas.asking_band import AskingBand
from chalkgrad_app.canvas.astray import Astray
from chalkgrad_app.canvas.at_work import AtWork
from chalkgrad_app.canvas.bands import PastBand, StopBand, last_line
from chalkgrad_app.canvas.draw_as import DrawAs, caption
from chalkgrad_app.canvas.find_bar import FindBar
from chalkgrad_app.canvas.graph_canvas import GraphCanvas
from chalkgrad_app.canvas.minimap import Minimap
from chalkgrad_app.canvas.refusals import refusal
from chalkgrad_app.canvas.start_page import Start
from chalkgrad_app.document import Document
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.elided_label import ElidedLabel
from chalkgrad_app.widgets.later import Later

CAPTIONED, LEAST = 520, 280
"""Widths in pixels at 100% text size: the strip has room for a caption, and for where one is (so says the list)."""
SPACE = 12
"""Pixels between what stands in the strip, and at its ends."""


class CanvasArea(QWidget):
    """Canvas with its strip and band; offers a start while the document is empty."""

    def __init__(self, document: Document, canvas: GraphCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.canvas = canvas
        self.draw_as = DrawAs(document, self)
        self.draw_as.chosen.connect(canvas.redrawing.show)
        canvas.redrawing.slices.left.connect(self.draw_as.refresh)
        self.where = ElidedLabel(self)
        self.where.setObjectName("canvas.where")
        self.caption = ElidedLabel(self, lines=2)
        self.caption.setObjectName("canvas.caption")
        self.caption.setProperty("small", True)
        self.caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.band = PastBand(document, self)
        self.stop_band = StopBand(document, self)
        self.asking_band = AskingBand(document, self)
        self.astray = Astray(canvas)
        self.at_work = AtWork(canvas)
        self.minimap = Minimap(canvas)
        self.find_bar = FindBar(canvas)
        self.announcer = Announcer(canvas, self)
        self.start = Start(canvas)
        self.start.expression_entered.connect(self._build_expression)
        self._arrange()
        self._later = Later(self, self.refresh)
        for signal in (document.moved, document.traced, document.changed, document.finished, document.drawn):
            signal.connect(self._later.schedule)
        document.covers.changed.connect(self._later.schedule)
        document.returned.connect(self._show_returned)
        canvas.quick.opened.connect(self._offer_start)
        canvas.quick.closed.connect(self._later.schedule)
        canvas.resized.connect(self._centre_start)
        canvas.installEventFilter(self)
        self.minimap.show_map(settings.MINIMAP.get())
        self.refresh()

    # ------------------------------------------------------------ what actions call

    def show_find(self) -> None:
        """Open the find bar."""
        self.find_bar.open_bar()

    def step_found(self, by: int) -> None:
        """Go to the next (+1) or previous (-1) card found."""
        self.find_bar.step(by)

    def show_minimap(self, on: bool) -> None:
        """Switch the minimap on or off, and remember it."""
        settings.MINIMAP.set(on)
        self.minimap.show_map(on)

    def let_wheel_pan(self, on: bool) -> None:
        """Have the mouse's wheel pan, or zoom as it does at first."""
        settings.WHEEL_PANS.set(on)

    # ------------------------------------------------------------ follow

    def refresh(self) -> None:
        """Follow the document."""
        document = self._document
        self._say_where()
        self.caption.setText(caption(document.drawing))
        self.draw_as.refresh()
        focused = self.window().focusWidget()
        for band in (self.band, self.stop_band, self.asking_band):
            band.refresh()
            self._take_focus_of(band, focused)
        self._offer_start()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window the strip has no room for all its words."""
        super().resizeEvent(event)
        self.draw_as.fit(self.width())
        self.caption.setVisible(self.width() >= scaled(CAPTIONED))
        self.where.setVisible(self.width() >= scaled(LEAST))
        self._say_where()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is typed on an empty canvas is the start's."""
        if isinstance(event, QKeyEvent) and self.start.isVisible() and self.start.takes(event):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # a letter is no shortcut here
            elif event.type() == QEvent.Type.KeyPress:
                self.start.type(event)
                return True
        return False

    def _arrange(self) -> None:
        strip = QHBoxLayout()
        strip.setContentsMargins(SPACE, 3, SPACE, 3)
        strip.setSpacing(SPACE)
        strip.addWidget(self.draw_as, 0, Qt.AlignmentFlag.AlignLeft)
        strip.addWidget(self.caption, 1)
        strip.addWidget(self.where)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(strip)
        column.addWidget(self.band)
        column.addWidget(self.stop_band)
        column.addWidget(self.asking_band)
        column.addWidget(self.canvas, 1)

    def _say_where(self) -> None:
        """Say the line of the cursor; that it is the last one only where there is room for all the words."""
        document, total = self._document, last_line(self._document)
        line = document.cursor_line if document.is_past else document.waits_at
        now = total if line is None else document.program.lines.get(line, total)
        words = self.tr("line {line} of {lines}").format(line=now, lines=total)
        if line is None:
            whole = self.tr("line {line} of {lines} · now").format(line=now, lines=total)
            room = self.width() - self.draw_as.sizeHint().width() - 3 * SPACE
            words = whole if self.where.fontMetrics().horizontalAdvance(whole) <= room else words
        self.where.setText(words if total else "")

    def _offer_start(self) -> None:
        """Show the start while the document is empty, unless quick-add asks the same in front of it.

        When it goes, its focus goes to the canvas.
        """
        focused = self.window().focusWidget()
        self.start.setVisible(self._document.is_empty and self.canvas.quick.isHidden())
        self._take_focus_of(self.start, focused)
        self._centre_start()

    def _take_focus_of(self, gone: QWidget, focused: QWidget | None) -> None:
        """The focus goes to the canvas from what was hidden: Qt would give it to whatever comes next."""
        if focused is not None and gone.isHidden() and gone.isAncestorOf(focused):
            self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _centre_start(self) -> None:
        if self.start.isHidden():
            return
        self.start.fit(self.canvas.size())
        spare = self.canvas.size() - self.start.size()
        self.start.move(max(0, spare.width() // 2), max(0, spare.height() // 2))

    def _show_returned(self, ids: frozenset[int]) -> None:
        """What an undo or a redo has changed is brought into view where none of it is seen."""
        seen = self.canvas.scene_rect()
        shown = [id_ for id_ in ids if (rect := self.canvas.picture.rect_of(id_)) is not None and not rect.isEmpty()]
        if shown and not any(seen.intersects(self.canvas.picture.rect_of(id_) or seen) for id_ in shown):
            self.canvas.ensure_visible(shown, glide=True)

    def _build_expression(self, text: str) -> None:
        try:
            self.canvas.build_expression(text)
        except ChalkgradError as error:
            self.start.show_message(refusal(error, text))
        else:
            self.start.field.clear()
            self.canvas.setFocus()
