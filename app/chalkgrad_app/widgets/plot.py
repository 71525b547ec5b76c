"""A plot of curves over the rounds of a loop: read by pointer and keys, copied as numbers or as a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import code_font, scaled
from chalkgrad_app.widgets.plot_axes import Axis, axis_over, number_text, whole_axis
from chalkgrad_app.widgets.plot_paint import (
    Curve,
    Ground,
    ink,
    legend_places,
    paint_axes,
    paint_curve,
    paint_legend,
    paint_marker,
)

MOST_READ = 3
"""Of so many curves the legend says what they have in a round; of more there would be no room left for them."""

LEFT = 8
"""Where the legend begins, in pixels at 100% text size: above the numbers, too, so that it takes few rows."""

OWN_KEYS = (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class Plot(QWidget):
    """Shows curves; the round looked at is a line across it, and a click or a key chooses another."""

    chosen = Signal(int)  # a round, counted from 1; 0 is the moment before it, where a curve begins there

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.curves: tuple[Curve, ...] = ()
        self.last = 0
        self.current = 0
        self.corner: QWidget | None = None
        self._hovered: int | None = None
        self._across, self._up = Axis(0.0, 1.0), Axis(0.0, 1.0)

    def show_curves(self, curves: Sequence[Curve], last: int, current: int, log: bool = False, first: int = 1) -> None:
        """Show curves over the rounds ``first`` to ``last``, or from where they begin; ``current`` is looked at."""
        self.curves, self.last, self.current = tuple(curves), last, current
        self._across = whole_axis(max(last, 1), min(first, self._first()))
        self._up = axis_over((curve.values for curve in self.curves), log)
        self.setAccessibleDescription(self.summary())
        self.update()

    def summary(self) -> str:
        """The curves in words: where each begins, ends, and where it is least."""
        return "; ".join(text for curve in self.curves if (text := self._in_words(curve)))

    def values_at(self, number: int) -> list[tuple[str, float]]:
        """What each curve has in a round."""
        found = ((curve.name, curve.at(number)) for curve in self.curves)
        return [(name, value) for name, value in found if value is not None]

    def csv(self) -> str:
        """The numbers as a table, a row for each round."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["round", *(curve.name for curve in self.curves)])
        for number in range(self._first(), self._known() + 1):
            cells = ("" if (value := curve.at(number)) is None else repr(value) for curve in self.curves)
            writer.writerow([number, *cells])
        return text.getvalue()

    def copy_numbers(self) -> None:
        """Put the numbers on the clipboard."""
        QApplication.clipboard().setText(self.csv())

    def copy_picture(self) -> None:
        """Put the plot as it is shown on the clipboard."""
        QApplication.clipboard().setPixmap(self.picture())

    def picture(self) -> QPixmap:
        """The plot as it is shown, without focus and pointer."""
        ratio = self.devicePixelRatioF()
        made = QPixmap(self.size() * ratio)
        made.setDevicePixelRatio(ratio)
        painter = QPainter(made)
        self._paint(painter, None)
        painter.end()
        return made

    # ------------------------------------------------------------ events

    def sizeHint(self) -> QSize:
        """Half as high as it is wide."""
        return QSize(scaled(300), scaled(140))

    def minimumSizeHint(self) -> QSize:
        """So much that axes and curves can be told."""
        return QSize(scaled(160), scaled(110))

    def set_corner(self, widget: QWidget) -> None:
        """Let a widget stand in the upper right corner."""
        self.corner = widget
        widget.setParent(self)
        self._place_corner()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The corner moves along."""
        super().resizeEvent(event)
        self._place_corner()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Curves, axes, the round looked at, and what is under the pointer."""
        painter = QPainter(self)
        self._paint(painter, self._hovered)
        if self.hasFocus():
            painter.setPen(QPen(theme.current().color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read what is under the pointer; choose while the button is down."""
        self._hover(self.round_at(event.position().x()))
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose(self._hovered)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the round under the pointer."""
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._choose(self.round_at(event.position().x()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer."""
        self._hover(None)
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, pages, Home and End choose a round."""
        page, known = max(1, self.last // 10), max(1, self._known())
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page}
        first = self._first()
        ends = {Qt.Key.Key_Home: first, Qt.Key.Key_End: known}
        key = Qt.Key(event.key())
        if key in steps:
            self._choose(min(max(self.current + steps[key], first), known))
        elif key in ends:
            self._choose(ends[key])
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keys that move the window's cursor move along the curves here; the corner follows its text and its size."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_own(event):
            event.accept()
            return True
        if event.type() == QEvent.Type.LayoutRequest:
            self._place_corner()
        return super().event(event)

    # ------------------------------------------------------------ places

    def ground(self) -> Ground:
        """Where the curves lie."""
        font = self._font()
        metrics = QFontMetricsF(font)
        ticks = self._up.ticks(max(2, int(self.height() / (metrics.height() * 2.0))))
        left = max((metrics.horizontalAdvance(number_text(tick)) for tick in ticks), default=0) + scaled(12)
        places = legend_places(font, self._read(max(self.current, self._first())), scaled(LEFT), self._legend_end())
        top = (places[-1].y() + metrics.height() if places else 0) + scaled(8)
        area = QRectF(self.rect()).adjusted(left, top, -scaled(14), -(metrics.height() + scaled(8)))
        return Ground(area, self._across, self._up, font)

    def round_at(self, x: float) -> int | None:
        """The round nearest to a place from the left; None where none is known."""
        area, known = self.ground().area, self._known()
        if not known or area.width() <= 0:
            return None
        value = self._across.low + (x - area.left()) / area.width() * (self._across.high - self._across.low)
        return min(max(round(value), self._first()), known)

    def x_of(self, number: float) -> float:
        """Where a round lies, in pixels from the left."""
        return float(self.ground().x(np.array([float(number)]))[0])

    # ------------------------------------------------------------ inside

    def _paint(self, painter: QPainter, hovered: int | None) -> None:
        look, ground = theme.current(), self.ground()
        number = self.current if hovered is None else hovered
        painter.fillRect(self.rect(), look.color("base"))
        paint_axes(painter, ground)
        if number >= self._first():
            self._paint_round(painter, ground, number)
        for curve in self.curves:
            paint_curve(painter, ground, curve)
        paint_legend(painter, ground.font, self._read(number), scaled(LEFT), self._legend_end())
        if number >= self._first():
            self._paint_points(painter, ground, number)

    def _paint_round(self, painter: QPainter, ground: Ground, number: int) -> None:
        """A line down through a round, with its number below."""
        look, metrics, area = theme.current(), QFontMetricsF(ground.font), ground.area
        x, text = self.x_of(number), str(number)
        painter.setPen(QPen(look.color("ink"), max(1.5, scaled(1.5))))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + scaled(3)))
        width = metrics.horizontalAdvance(text) + scaled(8)
        plate = QRectF(x - width / 2, area.bottom() + scaled(3), width, metrics.height())
        plate.moveRight(min(plate.right(), float(self.width())))
        painter.fillRect(plate, look.color("ink"))
        painter.setPen(look.color("base"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _legend_end(self) -> float:
        """How far right the legend may go: the corner is taken by :attr:`corner`."""
        taken = 0 if self.corner is None else self.corner.sizeHint().width() + scaled(6)
        return self.width() - scaled(8) - taken

    def _read(self, number: int) -> list[Curve]:
        """The curves, named with what they have in a round."""
        if len(self.curves) > MOST_READ:
            return list(self.curves)
        read = [(curve, curve.at(number)) for curve in self.curves]
        return [c if value is None else replace(c, name=f"{c.name} {number_text(value)}") for c, value in read]

    def _paint_points(self, painter: QPainter, ground: Ground, number: int) -> None:
        """The points of the curves in a round, larger."""
        x = self.x_of(number)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.toolTip() != (words := self._said(number)):
            self.setToolTip(words)
        for curve in self.curves:
            value = curve.at(number)
            if value is not None and np.isfinite(y := ground.y(np.array([value]))).all():
                paint_marker(painter, QPointF(x, float(y[0])), curve.style, ink(curve.style), scaled(8))

    def _said(self, number: int) -> str:
        rows = (f"{name}  {number_text(value)}" for name, value in self.values_at(number))
        title = self.tr("round {n}").format(n=number) if number else self.tr("before round 1")
        return "\n".join([title, *rows])

    def _place_corner(self) -> None:
        if self.corner is not None:
            size = self.corner.sizeHint()
            self.corner.setGeometry(self.width() - size.width() - scaled(4), scaled(2), size.width(), size.height())

    def _known(self) -> int:
        """The last round that is known."""
        return max((curve.last for curve in self.curves), default=0)

    def _first(self) -> int:
        """Where the curves begin: at round 1, or before it."""
        return min((curve.first for curve in self.curves), default=1)

    def _font(self) -> QFont:
        return code_font(ratio=0.85)

    def _choose(self, number: int | None) -> None:
        if number is not None and number != self.current:
            self.chosen.emit(number)

    def _hover(self, number: int | None) -> None:
        if number != self._hovered:
            self._hovered = number
            self.update()

    def _in_words(self, curve: Curve) -> str:
        finite = np.flatnonzero(np.isfinite(curve.values))
        if not len(finite):
            return ""
        least = finite[np.argmin(curve.values[finite])]
        words = self.tr("{name}: {first} in round {begin}, {last} in round {end}, least {least} in round {at}")
        return words.format(
            name=curve.name,
            first=number_text(float(curve.values[finite[0]])),
            begin=finite[0] + curve.first,
            last=number_text(float(curve.values[finite[-1]])),
            end=finite[-1] + curve.first,
            least=number_text(float(curve.values[least])),
            at=least + curve.first,
        )


def _is_own(event: QKeyEvent) -> bool:
    return Qt.Key(event.key()) in OWN_KEYS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
