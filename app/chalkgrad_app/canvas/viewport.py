"""The viewport: which part of the canvas is in view, and how large; kept on whole device pixels."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF

from chalkgrad_app.picture.look import MIDDLE, NEAR, ROWS_READ, Level, level_at

LEAST, MOST = 0.02, 8.0
"""Between these somebody zooms. What is fitted may be smaller, so that all of it is seen."""
FIT_LEAST = 1e-4
FIT_MOST = 1.5
"""Fit never shows cards larger than this."""
FIT_MARGIN, LEAST_MARGIN = 32.0, 12.0
"""Room around what is fitted, in pixels, and where its cards are larger so that they say more."""
BEGINNING = ROWS_READ
"""The beginning of what doesn't fit is never smaller: rows, names and lines of code can be read."""
ROUNDING = 1e-9


class Viewport:
    """Zoom (1 is 100%), text scale, pixel ratio and origin (the canvas point at the widget's top left)."""

    def __init__(self) -> None:
        self.zoom = 1.0
        self.text_scale = 1.0
        self.dpr = 1.0
        self._left, self._top = -FIT_MARGIN, -FIT_MARGIN

    def copied(self) -> Viewport:
        """Another one that shows the same."""
        other = Viewport()
        other.zoom, other.text_scale, other.dpr = self.zoom, self.text_scale, self.dpr
        other._left, other._top = self._left, self._top
        return other

    def shows_as(self, other: Viewport | None) -> bool:
        """True when both show the same place equally large."""
        return other is not None and (self.scale, self.origin) == (other.scale, other.origin)

    def between(self, start: Viewport, end: Viewport, part: float) -> None:
        """Show what lies ``part`` (0 to 1) of the way between two views; what both show in one place stays there."""
        self.zoom = end.zoom if part >= 1 else 1 / (1 / start.zoom + (1 / end.zoom - 1 / start.zoom) * part)
        self._left = start._left + (end._left - start._left) * part
        self._top = start._top + (end._top - start._top) * part

    @property
    def scale(self) -> float:
        """Screen pixels a canvas unit."""
        return self.zoom * self.text_scale

    @property
    def level(self) -> Level:
        """How much of a card is seen: who wants larger text sees less of it, but can read that."""
        return level_at(self.zoom)

    @property
    def origin(self) -> tuple[float, float]:
        """The canvas point at the widget's top left, on a whole device pixel."""
        grid = self.scale * self.dpr
        return round(self._left * grid) / grid, round(self._top * grid) / grid

    def to_scene(self, point: QPointF) -> QPointF:
        """A point of the widget in canvas units."""
        left, top = self.origin
        return QPointF(left + point.x() / self.scale, top + point.y() / self.scale)

    def to_view(self, point: QPointF) -> QPointF:
        """A point of the canvas on the widget."""
        left, top = self.origin
        return QPointF((point.x() - left) * self.scale, (point.y() - top) * self.scale)

    def rect_to_view(self, rect: QRectF) -> QRectF:
        """A rectangle of the canvas on the widget."""
        corner = self.to_view(rect.topLeft())
        return QRectF(corner.x(), corner.y(), rect.width() * self.scale, rect.height() * self.scale)

    def scene_rect(self, size: QSizeF) -> QRectF:
        """What is in view, in canvas units."""
        return QRectF(self.to_scene(QPointF(0, 0)), QSizeF(size.width() / self.scale, size.height() / self.scale))

    def pan(self, dx: float, dy: float) -> tuple[int, int]:
        """Move what is seen by (dx, dy) pixels of the widget; returns the move in device pixels."""
        before = self.origin
        self._left, self._top = self._left - dx / self.scale, self._top - dy / self.scale
        after = self.origin
        grid = self.scale * self.dpr
        return round((before[0] - after[0]) * grid), round((before[1] - after[1]) * grid)

    def zoom_at(self, point: QPointF, zoom: float) -> None:
        """Change the zoom; what lies under ``point`` of the widget stays there."""
        fixed = self.to_scene(point)
        self.zoom = min(max(zoom, min(LEAST, self.zoom)), MOST)
        self._left, self._top = fixed.x() - point.x() / self.scale, fixed.y() - point.y() / self.scale

    def center_on(self, point: QPointF, size: QSizeF) -> None:
        """Put a point of the canvas into the middle."""
        self._left = point.x() - size.width() / self.scale / 2
        self._top = point.y() - size.height() / self.scale / 2

    def fit(self, rect: QRectF, size: QSizeF) -> None:
        """Show all of ``rect`` of the canvas, in the middle; with less around it where cards say more so."""
        zoom, most = (_fitting(rect, size, margin) / self.text_scale for margin in (FIT_MARGIN, LEAST_MARGIN))
        for level in (NEAR, ROWS_READ, MIDDLE):
            if zoom < level < most:
                zoom = level + ROUNDING
        self.zoom = min(max(zoom, FIT_LEAST), FIT_MOST)
        self.center_on(rect.center(), size)

    def fit_beginning(self, rect: QRectF, first: QRectF, size: QSizeF) -> None:
        """Show ``rect`` from its upper left corner on: as wide, or as high, as it can be seen, and never too small.

        ``first``, what it begins with, is in view, also where another corner of it is empty. There is little room
        around it: what lies beside it and has none is not seen in part.
        """
        seen = self._fit_part(rect, size)
        margin = LEAST_MARGIN / self.scale
        if seen.width() < rect.width():
            self._left = _beginning(rect.left() - margin, first.left(), first.right(), seen.width())
        if seen.height() < rect.height():
            self._top = _beginning(rect.top() - margin, first.top(), first.bottom(), seen.height())

    def fit_around(self, rect: QRectF, card: QRectF, size: QSizeF) -> None:
        """Show ``rect`` as large as its beginning would be, where ``card`` is, with as little beside it as can be."""
        seen, at = self._fit_part(rect, size), card.center()
        margin = LEAST_MARGIN / self.scale
        if seen.width() < rect.width():
            self._left = _around(at.x(), rect.left() - margin, rect.right() + margin, seen.width())
        if seen.height() < rect.height():
            self._top = _around(at.y(), rect.top() - margin, rect.bottom() + margin, seen.height())

    def _fit_part(self, rect: QRectF, size: QSizeF) -> QRectF:
        """Have a rectangle in the middle: as wide, or as high, as it can be seen, and never too small; what is seen."""
        across, down = (
            (side - 2 * LEAST_MARGIN) / max(length, 1.0) / self.text_scale
            for side, length in ((size.width(), rect.width()), (size.height(), rect.height()))
        )
        self.zoom = min(max(across, down, BEGINNING), NEAR)
        self.center_on(rect.center(), size)
        return self.scene_rect(size)


def _around(card: float, start: float, end: float, length: float) -> float:
    """Where to begin to see what lies from ``start`` to ``end``, with ``card`` as near to the middle as that allows."""
    return min(max(card - length / 2, start), end - length)


def _beginning(start: float, first: float, last: float, length: float) -> float:
    """Where to begin to see from ``start`` on, or with what lies from ``first`` to ``last`` in the middle."""
    return start if last <= start + length else (first + last - length) / 2


def _fitting(rect: QRectF, size: QSizeF, margin: float) -> float:
    """The pixels a canvas unit at which a rectangle fits with a margin."""
    across = (size.width() - 2 * margin) / max(rect.width(), 1.0)
    return min(across, (size.height() - 2 * margin) / max(rect.height(), 1.0))
