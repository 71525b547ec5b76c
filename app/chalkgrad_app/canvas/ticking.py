"""Versions that tick: when the cursor passes a write, each card whose version it changed says so for a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QRectF, QVariantAnimation
from PySide6.QtGui import QPainter, QPen

from chalkgrad.session.events import EventKind
from chalkgrad_app import settings
from chalkgrad_app.canvas.clearance import Written, written
from chalkgrad_app.canvas.part_marks import DEARER, LARGEST
from chalkgrad_app.canvas.travelling import MOST_EVENTS
from chalkgrad_app.document import Document
from chalkgrad_app.picture.brush import measure, write
from chalkgrad_app.style import theme
from chalkgrad_app.style.fonts import mono_font

if TYPE_CHECKING:
    from chalkgrad_app.canvas.view import Canvas

TICK_MS = 900
RISE, OFF = 10.0, 4.0
"""How far the words rise, and how far they stand off the card, in pixels."""
HIGH, PAD = 20.0, 6.0
"""Height of the words' ground and room at its sides, in pixels at 100% text size."""


class Tick(NamedTuple):
    """A card whose version changed from one to another."""

    card: int
    before: int
    now: int

    @property
    def words(self) -> str:
        """As it is shown."""
        return f"v{self.before} → v{self.now}"


class Ticking(QObject):
    """The ticks on one canvas; an overlay painter."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._document: Document | None = None
        self._position: int | None = None
        self.ticks: tuple[Tick, ...] = ()
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(TICK_MS)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._on_value)
        self._animation.finished.connect(self.stop)
        canvas.overlay_painters.append(self._paint)

    def watch(self, document: Document) -> None:
        """Follow a document from now on, and no other one."""
        if self._document is not None:
            self._document.moved.disconnect(self._on_moved)
            self._document.traced.disconnect(self._on_traced)
        self._document = document
        self._position = None
        self._on_moved()
        document.moved.connect(self._on_moved)
        document.traced.connect(self._on_traced)

    def stop(self) -> None:
        """Nothing ticks any more."""
        if self.ticks:
            self.ticks = ()
            self._animation.stop()
            self._canvas.update()

    def _on_moved(self) -> None:
        """The cursor moved: show what ticked between there and here, backwards too."""
        if self._document is None:
            return
        before = self._position
        here = self._position = self._document.position
        if here == before:
            return
        self.stop()
        # Of a run that goes on, or comes again and again, who could follow each tick?
        is_calm = not self._document.is_running and not self._document.is_scrubbed
        if before is not None and is_calm and settings.MOTION.get() and abs(here - before) <= MOST_EVENTS:
            self.ticks = self._between(before, here)
            if self.ticks:
                self._animation.start()

    def _on_traced(self, first: int, _last: int) -> None:
        """The run went on, or began anew: then there is nothing to compare with."""
        if first == 0:
            self._position = None
        self._on_moved()

    def _between(self, before: int, here: int) -> tuple[Tick, ...]:
        if self._document is None:
            return ()
        trace = self._document.session.trace
        first, last = sorted((before, here))
        if EventKind.WRITE not in trace.kinds(first, last):
            return ()
        found = []
        old, new = trace.state(before), trace.state(here)
        for card in sorted(trace.touched(before, here) & self._canvas.picture.index.keys()):
            was, now = old.tensor(card), new.tensor(card)
            if was is not None and now is not None and was.version != now.version:
                found.append(Tick(card, was.version, now.version))
        return tuple(found)

    def _paint(self, painter: QPainter) -> None:
        picture = self._canvas.picture
        passed = float(self._animation.currentValue() or 0.0)
        painter.setOpacity(min(1.0, 3.0 * (1.0 - passed)))
        clear = written(self._canvas) if self.ticks else None
        for tick in self.ticks:
            if clear is not None and tick.card in picture.index and not picture.hidden[picture.index[tick.card]]:
                area = self._canvas.viewport.rect_to_view(picture.rect(tick.card))
                self._paint_tick(painter, area, tick.words, clear, RISE * passed)

    def _paint_tick(self, painter: QPainter, area: QRectF, words: str, clear: Written, risen: float) -> None:
        """Above the card, or below it where less is hidden so."""
        look, grown = theme.current(), min(theme.text_size() / 100, LARGEST)
        font = mono_font(13 * grown, True)
        width, height = measure(font).horizontalAdvance(words) + 2 * PAD * grown, HIGH * grown
        tops = area.top() - OFF - height, area.bottom() + OFF + RISE
        lefts = area.right() - width, area.left()
        boxes = np.array([(x, y, x + width, y + height) for y in tops for x in lefts])
        ground = clear.best(boxes, DEARER * np.arange(len(boxes)), ()) or QRectF()
        ground.translate(0, -risen)
        painter.setPen(QPen(look.color("text"), 1.0))
        painter.setBrush(look.color("base"))
        painter.drawRoundedRect(ground, 3, 3)
        write(painter, words, font, look.color("text"), ground.left() + PAD * grown, ground.center().y())

    def _on_value(self, _value: object) -> None:
        self._canvas.update()
