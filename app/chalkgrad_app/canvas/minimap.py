"""The minimap: the whole graph in a corner of the canvas, with what is in view; click or drag to go there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from chalkgrad_app.canvas.navigation import WHEEL_STEP
from chalkgrad_app.i18n import translate
from chalkgrad_app.picture.batch import draw_rects
from chalkgrad_app.picture.brush import pen
from chalkgrad_app.picture.brushes import Brushes
from chalkgrad_app.picture.look import MIDDLE
from chalkgrad_app.picture.paint import paint
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled

if TYPE_CHECKING:
    from chalkgrad_app.canvas.graph_canvas import GraphCanvas

WIDTH, HEIGHT = 208, 132
"""In pixels at 100% text size; never more than a third of the canvas."""
MARGIN, INSET = 12, 8
WAIT_MS = 100
"""The graph is painted anew at most this often."""
ASIDE = 0.25
"""How opaque the map is while something is dragged on the canvas."""
LEAST_VIEW = 6.0


class Minimap(QWidget):
    """Shows a canvas as a whole. It lies in a corner of it, and goes to another when it would cover the focus."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self.setObjectName("canvas.minimap")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._canvas = canvas
        self._brushes = Brushes(named=False)
        self._still = QPixmap()
        self._is_stale = True
        self._grip: QPointF | None = None
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self._renew)
        document = canvas.document
        for signal in (document.changed, document.traced, document.moved, document.covering, canvas.remade):
            signal.connect(self._on_changed)
        document.selected.connect(self._on_viewed)
        canvas.viewed.connect(self._on_viewed)
        canvas.resized.connect(self.place)
        canvas.covered = self.room
        self.hide()
        self.retranslate()

    def show_map(self, on: bool) -> None:
        """Switch it on or off; what was fitted is fitted anew, into the room that there is now."""
        self._is_stale = True
        saw_all = self._canvas.shows_all
        self.setVisible(on)
        self.lower()  # editors lie above it
        if saw_all:
            self._canvas.fit_again()
        self.place()

    def retranslate(self) -> None:
        """Set every text in the language in use."""
        self.setAccessibleName(translate("Minimap", "Minimap"))
        self.setToolTip(translate("Minimap", "Click or drag to go there (M)"))

    def room(self) -> QSize:
        """How much of the canvas it takes, with what is free around it."""
        return QSize() if self.isHidden() else self._size() + QSize(2 * MARGIN, 2 * MARGIN)

    def place(self) -> None:
        """Lie in the lower right corner, or in the next one where the card with the focus isn't."""
        if self.isHidden():
            return
        canvas, size = self._canvas, self._size()
        right, bottom = canvas.width() - size.width() - MARGIN, canvas.height() - size.height() - MARGIN
        corners = [QPoint(right, bottom), QPoint(MARGIN, bottom), QPoint(MARGIN, MARGIN), QPoint(right, MARGIN)]
        busy = canvas.keyboard.at_work()
        free = [corner for corner in corners if not QRect(corner, size).intersects(busy)]
        self.setGeometry(QRect((free or corners)[0], size))

    # ------------------------------------------------------------ where things are on it

    def zoom(self) -> float:
        """Pixels of the map a canvas unit: everything fits, and far marks stay far marks."""
        bounds = self._canvas.picture.bounds()
        across = (self.width() - 2 * INSET) / max(bounds.width(), 1.0)
        down = (self.height() - 2 * INSET) / max(bounds.height(), 1.0)
        return min(across, down, MIDDLE * 0.96)

    def origin(self) -> QPointF:
        """The canvas point at the map's top left: the graph is in its middle."""
        zoom = self.zoom()
        centre = self._canvas.picture.bounds().center()
        return centre - QPointF(self.width() / 2 / zoom, self.height() / 2 / zoom)

    def to_scene(self, at: QPointF) -> QPointF:
        """The canvas point that a point of the map stands for."""
        return self.origin() + at / self.zoom()

    def view_rect(self) -> QRectF:
        """Where on the map what is in view lies; at the edge when that is outside."""
        zoom, origin, seen = self.zoom(), self.origin(), self._canvas.scene_rect()
        corner = (seen.topLeft() - origin) * zoom
        rect = QRectF(corner, seen.size() * zoom)
        area = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        left = min(max(rect.left(), area.left()), area.right() - LEAST_VIEW)
        top = min(max(rect.top(), area.top()), area.bottom() - LEAST_VIEW)
        right = max(min(rect.right(), area.right()), left + LEAST_VIEW)
        bottom = max(min(rect.bottom(), area.bottom()), top + LEAST_VIEW)
        return QRectF(QPointF(left, top), QPointF(right, bottom))

    # ------------------------------------------------------------ Qt events

    def paintEvent(self, event: QPaintEvent) -> None:
        """The graph as it was painted last, the selection, and a frame around what is in view."""
        if self._is_stale or self._still.size() != self.size() * self.devicePixelRatioF():
            self._paint_still()
        painter = QPainter(self)
        try:
            if self._canvas.dispatcher.active is not None:
                painter.setOpacity(ASIDE)
            painter.drawPixmap(0, 0, self._still)
            self._paint_selection(painter)
            colours = theme.current()
            veil = QColor(colours.color("focus"))
            veil.setAlphaF(0.12)
            painter.setBrush(veil)
            painter.setPen(pen(colours.color("focus"), 1.5))
            painter.drawRect(self.view_rect())
        finally:
            painter.end()

    def showEvent(self, event: QShowEvent) -> None:
        """All of the canvas is seen now."""
        self._canvas.is_mapped = True
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Only what is in its view is."""
        self._canvas.is_mapped = False
        super().hideEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go where the press is; a press on what is in view takes hold of it."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        at, seen = event.position(), self.view_rect()
        self._grip = at - seen.center() if seen.contains(at) else QPointF()
        if not seen.contains(at):
            self._go(at, glide=True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """What is in view goes along with the pointer."""
        if self._grip is not None:
            self._go(event.position() - self._grip, glide=False)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """It stays there."""
        self._grip = None
        self.place()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom in on the middle of the canvas."""
        event.accept()
        factor = WHEEL_STEP if event.angleDelta().y() > 0 else 1 / WHEEL_STEP
        self._canvas.zoom_at(QPointF(self._canvas.rect().center()), factor, glide=True)

    def changeEvent(self, event: QEvent) -> None:
        """Follow theme, text size and language."""
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._on_changed()
            self.place()
        elif event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ------------------------------------------------------------ inside

    def _on_changed(self, *_: object) -> None:
        if self.isVisible() and not self._wait.isActive():
            self._wait.start()

    def _renew(self) -> None:
        if self._canvas.is_behind:
            self._wait.start()
        self._is_stale = True
        self.update()

    def _on_viewed(self) -> None:
        if self.isVisible():
            if self._grip is None and self._canvas.dispatcher.active is None:
                self.place()
            self.update()

    def _size(self) -> QSize:
        canvas = self._canvas
        return QSize(min(scaled(WIDTH), canvas.width() // 3), min(scaled(HEIGHT), canvas.height() // 3))

    def _go(self, at: QPointF, glide: bool) -> None:
        target = self._canvas.viewport.copied()
        target.center_on(self.to_scene(at), self._canvas.size().toSizeF())
        self._canvas.go_to(target, glide)

    def _paint_still(self) -> None:
        ratio = self.devicePixelRatioF()
        self._still = QPixmap(self.size() * ratio)
        self._still.setDevicePixelRatio(ratio)
        colours, origin = theme.current(), self.origin()
        look = self._canvas.look().at(self.zoom(), (origin.x(), origin.y()))
        painter = QPainter(self._still)
        try:
            painter.fillRect(self.rect(), colours.color("card"))
            plain = replace(look, selection=frozenset(), focus=None, lifted=frozenset(), flashing=frozenset())
            paint(painter, self._canvas.picture, plain, QRectF(self.rect()), self._brushes)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen(colours.color("frame_edge"), 1.0))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        finally:
            painter.end()
        self._is_stale = False

    def _paint_selection(self, painter: QPainter) -> None:
        picture = self._canvas.picture
        rows = picture.rows_of(self._canvas.document.selection)
        if not len(rows):
            return
        zoom, origin = self.zoom(), self.origin()
        rects = np.empty((len(rows), 4))
        rects[:, 0] = (picture.x[rows] - origin.x()) * zoom
        rects[:, 1] = (picture.y[rows] - origin.y()) * zoom
        rects[:, 2] = np.maximum(picture.w[rows] * zoom, 3.0)
        rects[:, 3] = np.maximum(picture.h[rows] * zoom, 3.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.current().color("selection"), 1.5))
        draw_rects(painter, rects)
