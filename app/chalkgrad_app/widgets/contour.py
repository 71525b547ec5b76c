"""A map of heights over two numbers, in steps of grey with a line between them, and a path that goes over it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import code_font, scaled
from chalkgrad_app.widgets.plot_axes import Axis, number_text
from chalkgrad_app.widgets.plot_paint import FEW, Ground, ink, paint_axes, paint_marker

BANDS = 12
"""So many steps of height."""
CURVED = 2.5
"""Steps are closer at the bottom, where a path ends: heights are taken to the power of one over this."""


@dataclass(frozen=True)
class Map:
    """Heights, a row for each of ``ys``, a column for each of ``xs``; what the numbers and the height are called."""

    xs: np.ndarray
    ys: np.ndarray
    heights: np.ndarray
    names: tuple[str, str, str]


class ContourPlot(QWidget):
    """Shows a map and a path; a click or an arrow key chooses a point of the path."""

    chosen = Signal(int)  # a point of the path: 0 is where it begins

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.map: Map | None = None
        self.path = np.zeros((0, 2))
        self.current = 0

    def show_map(self, found: Map | None, path: np.ndarray, current: int) -> None:
        """Show heights with a path of points (rows x, y); ``current`` is the one looked at."""
        self.map, self.path, self.current = found, path, current
        self.setAccessibleDescription(self.summary())
        self.update()

    def summary(self) -> str:
        """Where the path begins and ends, and where the map is lowest, in words."""
        if self.map is None or not len(self.path):
            return ""
        across, up, height = self.map.names
        words = self.tr("{across} and {up} go from {begin} to {end}; {height} is least, {least}, at {place}")
        row, column = np.unravel_index(np.nanargmin(_finite(self.map.heights)), self.map.heights.shape)
        return words.format(
            across=across,
            up=up,
            height=height,
            begin=_pair(*self.path[0]),
            end=_pair(*self.path[-1]),
            least=number_text(float(self.map.heights[row, column])),
            place=_pair(self.map.xs[column], self.map.ys[row]),
        )

    # ------------------------------------------------------------ events

    def sizeHint(self) -> QSize:
        """Nearly as high as it is wide."""
        return QSize(scaled(300), scaled(220))

    def minimumSizeHint(self) -> QSize:
        """So much that the path can be told."""
        return QSize(scaled(160), scaled(150))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Map, axes, path."""
        painter = QPainter(self)
        try:
            painter.fillRect(self.rect(), theme.current().color("base"))
            if self.map is not None:
                self._paint(painter, self.map)
            if self.hasFocus():
                painter.setPen(QPen(theme.current().color("focus"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        finally:
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the nearest point of the path."""
        points = self.points()
        if event.button() == Qt.MouseButton.LeftButton and np.isfinite(points).all(axis=1).any():
            away = points - np.array([event.position().x(), event.position().y()])
            self.chosen.emit(int(np.nanargmin(np.square(away).sum(axis=1))))
            event.accept()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go along the path."""
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if by is None or not len(self.path):
            super().keyPressEvent(event)
            return
        self.chosen.emit(min(max(self.current + by, 0), len(self.path) - 1))

    # ------------------------------------------------------------ places

    def ground(self) -> Ground:
        """Where the map lies."""
        font = code_font(ratio=0.85)
        metrics = QFontMetricsF(font)
        across, up = Axis(0.0, 1.0), Axis(0.0, 1.0)
        if self.map is not None:
            across = Axis(float(self.map.xs[0]), float(self.map.xs[-1]))
            up = Axis(float(self.map.ys[0]), float(self.map.ys[-1]))
        ticks = [number_text(tick) for tick in up.ticks(6)]
        left = max((metrics.horizontalAdvance(text) for text in ticks), default=0.0) + scaled(12)
        top = metrics.height() + scaled(8)
        area = QRectF(self.rect()).adjusted(left, top, -scaled(10), -(2 * metrics.height() + scaled(8)))
        return Ground(area, across, up, font)

    def points(self) -> np.ndarray:
        """Where the points of the path lie, in pixels."""
        ground = self.ground()
        return np.stack([ground.x(self.path[:, 0]), ground.y(self.path[:, 1])], axis=1)

    # ------------------------------------------------------------ inside

    def _paint(self, painter: QPainter, found: Map) -> None:
        ground, look = self.ground(), theme.current()
        metrics = QFontMetricsF(ground.font)
        paint_axes(painter, ground, rounds=False)
        if ground.area.width() > 1 and ground.area.height() > 1:
            painter.drawImage(ground.area, _picture(found.heights, ground.area.size().toSize()))
        painter.setPen(look.color("text"))
        painter.setFont(ground.font)
        painter.drawText(QPointF(scaled(4), metrics.ascent() + scaled(3)), found.names[1])
        below = ground.area.bottom() + 2 * metrics.height() + scaled(2)
        painter.drawText(
            QPointF(ground.area.right() - metrics.horizontalAdvance(found.names[0]), below), found.names[0]
        )
        self._paint_path(painter, ground)

    def _paint_path(self, painter: QPainter, ground: Ground) -> None:
        points = self.points()
        points = points[np.isfinite(points).all(axis=1)]
        if not len(points):
            return
        painter.save()
        try:
            painter.setClipRect(ground.area)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            line = QPolygonF([QPointF(x, y) for x, y in points.tolist()])
            for colour, width in ((theme.current().color("base"), 5.0), (ink(1), 2.2)):
                painter.setPen(QPen(colour, scaled(1) * width))
                painter.drawPolyline(line)
            for x, y in points.tolist() if len(points) <= FEW else ():
                paint_marker(painter, QPointF(x, y), 0, ink(1), scaled(5))
            if 0 <= self.current < len(self.path) and np.isfinite(self.path[self.current]).all():
                at = QPointF(*self.points()[self.current].tolist())
                paint_marker(painter, at, 0, theme.current().color("base"), scaled(14))
                paint_marker(painter, at, 0, ink(1), scaled(9))
        finally:
            painter.restore()


def levels(heights: np.ndarray) -> np.ndarray:
    """The step on which each height lies, from 0 at the lowest; what is unknown is on the highest."""
    known = _finite(heights)
    low, high = float(np.nanmin(known)), float(np.nanmax(known))
    share = np.nan_to_num((known - low) / ((high - low) or 1.0), nan=1.0)
    return np.minimum(np.floor(share ** (1 / CURVED) * BANDS), BANDS - 1).astype(int)


def _finite(heights: np.ndarray) -> np.ndarray:
    found = np.where(np.isfinite(heights), heights, np.nan)
    return found if np.isfinite(found).any() else np.zeros_like(heights)


def _picture(heights: np.ndarray, size: QSize) -> QImage:
    """The steps as greys, with a line where one ends; the first row of ``heights`` lies below."""
    look = theme.current()
    fine = _smooth(_finite(heights), max(2, size.height()), max(2, size.width()))[::-1]
    step = levels(fine)
    edge = np.zeros(step.shape, bool)
    edge[:, 1:] |= step[:, 1:] != step[:, :-1]
    edge[1:] |= step[1:] != step[:-1]
    low, high = _rgb(look.color("base")), _rgb(look.color("muted"))
    share = (0.08 + 0.55 * step / (BANDS - 1))[..., None]
    pixels = np.where(edge[..., None], high, low + (high - low) * share).astype(np.uint8)
    made = np.ascontiguousarray(np.concatenate([pixels, np.full((*step.shape, 1), 255, np.uint8)], axis=2))
    image = QImage(made.data, step.shape[1], step.shape[0], 4 * step.shape[1], QImage.Format.Format_RGBA8888)
    return image.copy()  # the bytes go with this call


def _smooth(values: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """More points, straight between those that are known."""
    down = np.linspace(0, len(values) - 1, rows)
    across = np.linspace(0, values.shape[1] - 1, columns)
    wide = np.stack([np.interp(across, np.arange(values.shape[1]), row) for row in values])
    return np.stack([np.interp(down, np.arange(len(values)), column) for column in wide.T], axis=1)


def _rgb(colour: QColor) -> np.ndarray:
    return np.array([colour.red(), colour.green(), colour.blue()], float)


def _pair(x: float, y: float) -> str:
    return f"({number_text(float(x))}, {number_text(float(y))})"
