"""How curves, axes and legend of a plot are painted: curves differ by dashes and markers, not by hue alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.plot_axes import Axis, number_text

DASHES: tuple[tuple[float, ...], ...] = ((), (6.0, 3.0), (1.5, 2.5), (8.0, 3.0, 1.5, 3.0), (12.0, 4.0), (3.0, 1.5))
HUES = ("frame_blue", "frame_red", "frame_green", "frame_violet", "frame_amber", "frame_teal")

FEW = 30
"""Up to so many points each has its marker; of more, about so many have."""

SAMPLE = 30
"""How long the piece of a curve in the legend is, in pixels at 100% text size."""


@dataclass(frozen=True)
class Curve:
    """One series: its name, its numbers round by round, how it is told from others, the round of the first number.

    Round 0 is the moment before the first.
    """

    name: str
    values: np.ndarray
    style: int = 0
    first: int = 1

    @property
    def last(self) -> int:
        """The round of the last number."""
        return self.first + len(self.values) - 1

    def at(self, number: int) -> float | None:
        """What it has in a round; None where that is not known."""
        return float(self.values[number - self.first]) if self.first <= number <= self.last else None


@dataclass(frozen=True)
class Ground:
    """Where a plot is painted: its area, its axes and its font."""

    area: QRectF
    across: Axis
    up: Axis
    font: QFont

    def x(self, numbers: np.ndarray) -> np.ndarray:
        """Where rounds lie, in pixels."""
        return np.asarray(self.area.left() + self.area.width() * self.across.share(numbers))

    def y(self, values: np.ndarray) -> np.ndarray:
        """Where values lie, in pixels."""
        return np.asarray(self.area.bottom() - self.area.height() * self.up.share(values))

    def most_up(self) -> int:
        """How many ticks there is room for upwards."""
        return max(2, int(self.area.height() / (QFontMetricsF(self.font).height() * 2.0)))

    def most_across(self) -> int:
        """How many ticks there is room for across."""
        widest = QFontMetricsF(self.font).horizontalAdvance(number_text(self.across.high)) * 2.2
        return max(2, int(self.area.width() / max(widest, 1)))


def paint_axes(painter: QPainter, ground: Ground, rounds: bool = True) -> None:
    """Grid lines, numbers, and the two axes; ``rounds`` are whole numbers across."""
    look, area, metrics = theme.current(), ground.area, QFontMetricsF(ground.font)
    painter.setFont(ground.font)
    for tick, y in _placed(ground.up.ticks(ground.most_up()), ground.y, area.top(), area.bottom()):
        painter.setPen(QPen(look.color("row_line"), 1))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        painter.setPen(look.color("muted"))
        text = number_text(tick)
        at = QPointF(area.left() - metrics.horizontalAdvance(text) - scaled(5), y + metrics.capHeight() / 2)
        painter.drawText(at, text)
    across = ground.across.ticks(ground.most_across())
    for tick, x in _placed(_whole(across) if rounds else across, ground.x, area.left(), area.right()):
        painter.setPen(QPen(look.color("border"), 1))
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + scaled(3)))
        painter.setPen(look.color("muted"))
        text = number_text(tick)
        width = metrics.horizontalAdvance(text)
        left = min(x - width / 2, area.right() + scaled(10) - width)
        painter.drawText(QPointF(left, area.bottom() + scaled(4) + metrics.ascent()), text)
    painter.setPen(QPen(look.color("muted"), 1))
    painter.drawLine(area.bottomLeft(), area.bottomRight())
    painter.drawLine(area.bottomLeft(), area.topLeft())


def paint_curve(painter: QPainter, ground: Ground, curve: Curve) -> None:
    """The line of a curve with its markers; where it isn't a number there is a gap."""
    colour, width = ink(curve.style), max(1.6, scaled(1.6))
    numbers = np.arange(curve.first, curve.last + 1.0)
    x, y = ground.x(numbers), ground.y(np.asarray(curve.values, float))
    painter.save()
    painter.setClipRect(ground.area.adjusted(-width * 3, -width * 3, width * 3, width * 3))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(dashed(colour, width, curve.style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for part in _unbroken(x, y, round(ground.area.width())):
        painter.drawPolyline(QPolygonF([QPointF(*point) for point in part]))
    shown = np.flatnonzero(np.isfinite(y))
    for index in shown[:: max(1, -(-len(shown) // FEW))]:
        paint_marker(painter, QPointF(x[index], y[index]), curve.style, colour, 2.2 * width)
    painter.restore()


def paint_legend(painter: QPainter, font: QFont, curves: Sequence[Curve], left: float, right: float) -> None:
    """Each curve's name beside a piece of it, in rows from the top."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for curve, at in zip(curves, legend_places(font, curves, left, right), strict=True):
        y = at.y() + metrics.height() / 2
        colour, width = ink(curve.style), max(1.6, scaled(1.6))
        painter.setPen(dashed(colour, width, curve.style))
        painter.drawLine(QPointF(at.x(), y), QPointF(at.x() + scaled(SAMPLE - 6), y))
        paint_marker(painter, QPointF(at.x() + scaled(SAMPLE - 6) / 2, y), curve.style, colour, 2.2 * width)
        painter.setPen(theme.current().color("text"))
        painter.drawText(QPointF(at.x() + scaled(SAMPLE), at.y() + metrics.ascent()), curve.name)


def legend_places(font: QFont, curves: Sequence[Curve], left: float, right: float) -> list[QPointF]:
    """The top left corner of each entry of the legend."""
    metrics = QFontMetricsF(font)
    found, at = [], QPointF(left, scaled(3))
    for curve in curves:
        width = scaled(SAMPLE) + metrics.horizontalAdvance(curve.name)
        if at.x() > left and at.x() + width > right:
            at = QPointF(left, at.y() + metrics.height())
        found.append(QPointF(at))
        at = QPointF(at.x() + width + scaled(8), at.y())
    return found


def paint_marker(painter: QPainter, at: QPointF, style: int, colour: QColor, size: float) -> None:
    """A circle, square, triangle, diamond, cross or plus."""
    painter.setPen(QPen(colour, max(1.2, size / 3)))
    painter.setBrush(colour)
    half = size / 2
    kind = style % 6
    if kind == 0:
        painter.drawEllipse(at, half, half)
    elif kind == 1:
        painter.drawRect(QRectF(at.x() - half, at.y() - half, size, size))
    elif kind in (2, 3):
        lower = [QPointF(half, half), QPointF(-half, half)] if kind == 2 else []
        corners = [QPointF(0, -half), *lower]
        if kind == 3:
            corners = [QPointF(0, -half), QPointF(half, 0), QPointF(0, half), QPointF(-half, 0)]
        painter.drawPolygon(QPolygonF([at + corner for corner in corners]))
    else:
        ends = [QPointF(half, half), QPointF(half, -half)] if kind == 4 else [QPointF(half, 0), QPointF(0, half)]
        for end in ends:
            painter.drawLine(at - end, at + end)


def dashed(colour: QColor, width: float, style: int) -> QPen:
    """The pen of a curve."""
    made = QPen(colour, width)
    dashes = DASHES[style % len(DASHES)]
    if dashes:
        made.setDashPattern(list(dashes))
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return made


def ink(style: int) -> QColor:
    """The hue of a curve."""
    return QColor(theme.current().color(HUES[style % len(HUES)]))


def _placed(
    ticks: Sequence[float], place: Callable[[np.ndarray], np.ndarray], low: float, high: float
) -> Iterator[tuple[float, float]]:
    for tick, at in zip(ticks, place(np.array(ticks, float)).tolist(), strict=True):
        if low - 1 <= at <= high + 1:
            yield tick, at


def _whole(ticks: Sequence[float]) -> list[float]:
    """The ticks that are whole numbers: rounds."""
    return [tick for tick in ticks if abs(tick - round(tick)) < 1e-9]


def _unbroken(x: np.ndarray, y: np.ndarray, columns: int) -> Iterator[np.ndarray]:
    """The pieces of a line between its gaps; of very many points the least and greatest in each column of pixels."""
    finite = np.isfinite(y)
    for part in np.split(np.arange(len(y)), np.flatnonzero(np.diff(finite)) + 1):
        if not len(part) or not finite[part[0]]:
            continue
        if len(part) > 4 * max(columns, 1):
            part = _thinned(part, y, columns)
        yield np.stack((x[part], y[part]), 1)


def _thinned(part: np.ndarray, y: np.ndarray, columns: int) -> np.ndarray:
    kept = {int(part[0]), int(part[-1])}
    for few in np.array_split(part, max(columns, 1)):
        kept |= {int(few[np.argmin(y[few])]), int(few[np.argmax(y[few])])}
    return np.array(sorted(kept))
