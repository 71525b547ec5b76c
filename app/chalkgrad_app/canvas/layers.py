"""The layers under the overlay: the grid, and the still picture in a backing pixmap that is scrolled on a pan."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPixmap

from chalkgrad_app.canvas.viewport import Viewport
from chalkgrad_app.picture.batch import draw_rects
from chalkgrad_app.picture.brush import DOTS, pen
from chalkgrad_app.picture.look import MIDDLE, Level, Look
from chalkgrad_app.style import theme

GRID_STEP = 32.0
POINTER_RING = 22.0


class Backing:
    """The still picture as a pixmap: painted when it has to be, scrolled on a pan, its new strips alone repainted.

    ``paint`` is called with a painter and the rectangle (in logical pixels) to fill.
    """

    def __init__(self, paint: Callable[[QPainter, QRectF], None]) -> None:
        self._paint = paint
        self._pixmap = QPixmap()
        self._dpr = 1.0
        self._valid = False
        self._damaged = QRectF()
        self._scale, self._origin = 1.0, (0.0, 0.0)

    @property
    def pixmap(self) -> QPixmap:
        """The pixmap as it was painted last."""
        return self._pixmap

    @property
    def is_valid(self) -> bool:
        """True when the pixmap shows the picture as it is."""
        return self._valid and self._damaged.isEmpty()

    def invalidate(self) -> None:
        """Paint everything before it is shown next."""
        self._valid = False

    def damage(self, part: QRectF | None) -> None:
        """Paint a part of the canvas (None: everything) before it is shown next; one that isn't there takes nothing."""
        if part is None:
            self.invalidate()
            return
        (left, top), scale = self._origin, self._scale
        corner, size = (QPointF(part.left() - left, part.top() - top) * scale), part.size() * scale
        seen = QRectF(corner, size) & QRectF(QPointF(), self._pixmap.deviceIndependentSize())
        if not seen.isEmpty():
            self._damaged |= _on_pixels(seen, self._dpr)

    def shows(self, viewport: Viewport) -> bool:
        """True when the pixmap is painted at the scale and the origin of a viewport."""
        return (self._scale, self._origin) == (viewport.scale, viewport.origin)

    def make(self, size: QSize, viewport: Viewport) -> None:
        """Make the pixmap show the picture at this size as a viewport has it."""
        dpr, self._valid = viewport.dpr, self._valid and self.shows(viewport)
        wanted = QSize(math.ceil(size.width() * dpr), math.ceil(size.height() * dpr))
        if self._pixmap.size() != wanted or self._dpr != dpr:
            self._pixmap = QPixmap(wanted)
            self._pixmap.setDevicePixelRatio(dpr)
            self._dpr, self._valid = dpr, False
        if not self._valid:
            self._damaged = QRectF(0, 0, size.width() + 1, size.height() + 1)
        if not self._damaged.isEmpty():
            self._fill([self._damaged])
        self._valid, self._damaged = True, QRectF()
        self._scale, self._origin = viewport.scale, viewport.origin

    def scroll(self, dx: int, dy: int, viewport: Viewport) -> None:
        """Move what is painted by whole device pixels and paint the strips that come into view.

        Where it shows another zoom than the viewport, it will be painted anew.
        """
        if not self._valid or self._scale != viewport.scale:
            return
        self._origin = viewport.origin
        width, height, dpr = self._pixmap.width(), self._pixmap.height(), self._dpr
        if abs(dx) >= width or abs(dy) >= height:
            self.invalidate()
            return
        self._pixmap.scroll(dx, dy, QRect(0, 0, width, height))
        self._damaged.translate(dx / dpr, dy / dpr)
        strips = []
        if dx:
            strips.append(QRectF(0 if dx > 0 else (width + dx) / dpr, 0, abs(dx) / dpr, height / dpr))
        if dy:
            strips.append(QRectF(0, 0 if dy > 0 else (height + dy) / dpr, width / dpr, abs(dy) / dpr))
        self._fill(strips)

    def stretch(self, painter: QPainter, viewport: Viewport) -> None:
        """Paint the pixmap as it is, stretched to where it belongs in a viewport."""
        painter.fillRect(painter.viewport(), theme.current().color("canvas"))
        size = self._pixmap.deviceIndependentSize()
        corner = viewport.to_view(QPointF(*self._origin))
        ratio = viewport.scale / self._scale
        target = QRectF(corner.x(), corner.y(), size.width() * ratio, size.height() * ratio)
        painter.drawPixmap(target, self._pixmap, QRectF(self._pixmap.rect()))

    def _fill(self, rects: list[QRectF]) -> None:
        painter = QPainter(self._pixmap)
        try:
            for rect in rects:
                painter.setClipRect(rect)
                self._paint(painter, rect)
        finally:
            painter.end()


def _on_pixels(rect: QRectF, dpr: float) -> QRectF:
    """The rectangle of whole device pixels around another."""
    around = QRectF(rect.topLeft() * dpr, rect.size() * dpr).toAlignedRect()
    return QRectF(QPointF(around.topLeft()) / dpr, around.size().toSizeF() / dpr)


def paint_background(painter: QPainter, look: Look, rect: QRectF) -> None:
    """The canvas itself with its grid of dots, which goes when seen from afar."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(rect, look.theme.color("canvas"))
    if look.level is Level.FAR:
        return
    step = GRID_STEP if look.zoom >= 2 * MIDDLE else 2 * GRID_STEP
    scene = look.to_scene(rect)
    xs = np.arange(math.floor(scene.left() / step), math.ceil(scene.right() / step) + 1) * step - look.origin[0]
    ys = np.arange(math.floor(scene.top() / step), math.ceil(scene.bottom() / step) + 1) * step - look.origin[1]
    side = max(1.0, round(1.4 * min(look.zoom, 1.5) * look.dpr)) / look.dpr
    dots = np.empty((len(xs), len(ys), 4))
    dots[:, :, 0] = (np.round(xs * look.zoom * look.dpr) / look.dpr)[:, None]
    dots[:, :, 1] = (np.round(ys * look.zoom * look.dpr) / look.dpr)[None, :]
    dots[:, :, 2:] = side
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(look.theme.color("grid")))
    draw_rects(painter, dots.reshape(-1, 4))


def paint_marks(painter: QPainter, rect: QRectF, is_past: bool, pointer: QPointF | None) -> None:
    """The dotted edge of the past, and the ring around the pointer in a lecture."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if is_past:
        painter.setPen(pen(theme.current().color("ghost"), 3.0, DOTS))
        painter.drawRect(rect.adjusted(2.5, 2.5, -2.5, -2.5))
    if pointer is not None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen(theme.current().color("error_ink"), 3.0))
        painter.drawEllipse(pointer, POINTER_RING, POINTER_RING)
