"""The whole trace as one slim line that is dragged along: lines, backwards, gradients that arrive, releases, errors."""

from __future__ import annotations

from itertools import repeat

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QToolTip, QWidget

from chalkgrad.session.events import EventKind
from chalkgrad.session.trace import Trace
from chalkgrad_app.covering import Cover
from chalkgrad_app.document import Document
from chalkgrad_app.panels.event_words import EventWords
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled

GIVEN, FREED, FAILED, BEGAN = 1, 2, 3, 4
CODES = {
    EventKind.ACCUMULATED: GIVEN,
    EventKind.RETAINED: GIVEN,
    EventKind.FREED: FREED,
    EventKind.FAILED: FAILED,
    EventKind.BACKWARD_BEGAN: BEGAN,
}
TALL, BACKWARD, LINE = 18, 14, 6
"""Heights of errors and ticks, of backwards and of other lines, in pixels at 100% text size."""

TO_COME = 0.35
"""How opaque the part is that is to come."""

NOTCH = 120


class Events:
    """What of a trace the scrubber shows, as arrays that grow with it."""

    def __init__(self) -> None:
        self._trace: Trace | None = None
        self._codes = np.zeros(0, np.uint8)
        self.starts = np.zeros(0, np.intp)

    def follow(self, trace: Trace) -> bool:
        """Take in what is new; True when something is."""
        known = len(self._codes) if trace is self._trace else 0
        if trace is self._trace and known == len(trace):
            return False
        new = np.fromiter(map(CODES.get, trace.kinds(known), repeat(0)), np.uint8)
        self._codes = np.concatenate((self._codes[:known], new))
        self.starts = np.array(trace.starts, np.intp)
        self._trace = trace
        return True

    def __len__(self) -> int:
        return len(self._codes)

    def of(self, code: int) -> np.ndarray:
        """The positions after the events of one code."""
        return np.flatnonzero(self._codes == code) + 1

    def backwards(self) -> np.ndarray:
        """Where the lines begin and end in which a backward began, as rows of two positions."""
        lines = np.searchsorted(self.starts, self.of(BEGAN) - 1, "right") - 1
        lines = lines[np.diff(lines, prepend=-1) > 0]  # a line that runs others again may begin several
        return np.stack((self.starts[lines], np.append(self.starts, len(self))[lines + 1]), 1)


class Scrubber(QSlider):
    """A slider over the positions of a trace; it asks for a position once in each turn of the event loop."""

    sought = Signal(int)  # a position to look at

    def __init__(self, document: Document, words: EventWords, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("program.scrubber")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._document = document
        self._words = words
        self._events = Events()
        self._picture = QPixmap()
        self._drawn: tuple[object, ...] = ()
        self._turned = 0
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._seek)
        self.valueChanged.connect(self._on_value)
        document.covering.connect(self.update)

    def follow(self) -> None:
        """Show the trace and the cursor as they are."""
        trace = self._document.session.trace
        if self._events.follow(trace):
            self._drawn = ()
        with QSignalBlocker(self):
            self.setRange(1, max(1, len(trace)))
            if not self.isSliderDown() and not self._later.isActive():
                self.setValue(self._document.position)
        self.setEnabled(len(trace) > 0)
        self.update()

    def x_of(self, position: float) -> float:
        """Where a position lies, in pixels from the left."""
        return float(self._left() + self._width() * position / max(1, len(self._events)))

    def position_at(self, x: float) -> int:
        """The position nearest to a place."""
        position = round((x - self._left()) / self._width() * len(self._events))
        return min(max(position, 1), max(1, len(self._events)))

    def text_at(self, position: int) -> str:
        """What happened last at a position: its line and the event."""
        trace = self._document.session.trace
        if not 0 < position <= len(trace):
            return ""
        number = self._document.program.lines.get(trace.line_at(position) or 0, "")
        said = self._words.text(trace.events[position - 1])
        return self.tr("line {line}: {event}").format(line=number, event=said)

    def sizeHint(self) -> QSize:
        """As high as the tallest tick."""
        return QSize(scaled(160), scaled(TALL + 6))

    def minimumSizeHint(self) -> QSize:
        """Wide enough to drag along."""
        return QSize(scaled(60), scaled(TALL + 6))

    # ------------------------------------------------------------ mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go where it was pressed, and follow the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self.position_at(event.position().x()))
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer while it is pressed."""
        if self.isSliderDown():
            self.setValue(self.position_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stay here."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """One event for each notch: down is forward, as in the list."""
        self._turned -= event.angleDelta().y() or event.angleDelta().x()
        notches = int(self._turned / NOTCH)
        self._turned -= notches * NOTCH
        self.setValue(self.value() + notches)
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Say in a tooltip what happened at the place under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.text_at(self.position_at(event.pos().x())), self)
            return True
        return super().event(event)

    # ------------------------------------------------------------ paint

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The trace, fainter from the cursor on, and the cursor."""
        if not len(self._events):
            return
        picture, x = self._still(), self.x_of(self.value())
        painter = QPainter(self)
        try:
            painter.setClipRect(QRectF(0, 0, x, self.height()))
            painter.drawPixmap(0, 0, picture)
            painter.setClipRect(QRectF(x, 0, self.width() - x, self.height()))
            painter.setOpacity(TO_COME)
            painter.drawPixmap(0, 0, picture)
            painter.setOpacity(1.0)
            painter.setClipping(False)
            self._paint_cursor(painter, x)
        finally:
            painter.end()

    def _paint_cursor(self, painter: QPainter, x: float) -> None:
        look = theme.current()
        ink = look.color("focus" if self.hasFocus() else "ink")
        side = scaled(4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.color("panel"), 1.0))
        painter.setBrush(ink)
        painter.drawPolygon(QPolygonF([QPointF(x - side, 0.5), QPointF(x + side, 0.5), QPointF(x, 2.0 * side)]))
        painter.setPen(QPen(ink, max(1.5, scaled(1.5))))
        painter.drawLine(QPointF(x, side), QPointF(x, self.height() - 1.0))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 3, 3)

    def _still(self) -> QPixmap:
        """The trace as a picture, drawn anew only when it, the size or the theme is another one."""
        ratio = self.devicePixelRatioF()
        key = (self.size(), ratio, theme.current(), theme.text_size(), len(self._events), self._document.covers.asked)
        if key != self._drawn:
            self._drawn = key
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._picture)
            try:
                self._paint_lines(painter)
                self._paint_ticks(painter)
            finally:
                painter.end()
        return self._picture

    def _paint_lines(self, painter: QPainter) -> None:
        """A band with a gap between two lines where there is room for one; backwards stand out of it."""
        look = theme.current()
        painter.fillRect(self._band(self._left(), self._width(), LINE), look.color("plain_edge"))
        for begin, end in dict.fromkeys(map(tuple, self._xs(self._events.backwards()).tolist())):
            painter.fillRect(self._band(begin, max(2.0, end - begin), BACKWARD), look.color("function"))
        gaps = self._apart(self._xs(self._events.starts[1:]), 4)
        painter.setPen(QPen(look.color("panel"), 1.0))
        for x in gaps:
            painter.drawLine(QPointF(x, 0.0), QPointF(x, self.height()))

    def _paint_ticks(self, painter: QPainter) -> None:
        look, middle = theme.current(), self.height() / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.color("function_text"), 1.0))
        radius = scaled(2)
        for x in self._apart(self._xs(self._events.of(FREED)), 2 * radius + 2):
            painter.drawEllipse(QPointF(x, middle), radius, radius)
        self._paint_marks(painter, GIVEN, look.color("grad"), 2.0)
        if Cover.OUTCOMES not in self._document.covers.asked:
            self._paint_marks(painter, FAILED, look.color("error"), 4.0)

    def _paint_marks(self, painter: QPainter, code: int, colour: QColor, width: float) -> None:
        for x in self._apart(self._xs(self._events.of(code)), 1):
            painter.fillRect(self._band(x - width / 2, width, TALL), colour)

    def _band(self, left: float, width: float, height: int) -> QRectF:
        return QRectF(left, (self.height() - scaled(height)) / 2, width, scaled(height))

    def _xs(self, positions: np.ndarray) -> np.ndarray:
        """Whole pixels at which positions lie."""
        return np.round(self._left() + self._width() * positions / max(1, len(self._events)))

    def _apart(self, xs: np.ndarray, distance: float) -> np.ndarray:
        """Some of the places, at least ``distance`` from one another where there are too many of them."""
        return xs[np.diff(xs // distance, prepend=-1.0) > 0]

    def _left(self) -> int:
        return scaled(5)

    def _width(self) -> int:
        return max(1, self.width() - 2 * self._left())

    # ------------------------------------------------------------ slots

    def _on_value(self, _value: int) -> None:
        self.update()
        self._later.start(0)

    def _seek(self) -> None:
        self.sought.emit(self.value())
