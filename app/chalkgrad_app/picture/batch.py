"""Drawing thousands of lines, rectangles or sprites from a numpy array in one call."""

from __future__ import annotations

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPixmap

# shiboken keeps wrappers by address. An array that is wrapped must not have an address that was once wrapped as
# another type, so each type has a buffer of its own that is never given back.


class _Buffer:
    """Memory that stays where it is for the life of the program, wrapped as one C++ type."""

    def __init__(self, columns: int, type_: type) -> None:
        self._columns = columns
        self._type = type_
        self._array = np.empty((0, columns))
        self._kept: list[np.ndarray] = []

    def load(self, rows: np.ndarray) -> object:
        """``rows`` copied into the buffer, and the wrapper of the first."""
        if len(rows) > len(self._array):
            self._kept.append(self._array)
            self._array = np.empty((max(1024, 2 * len(rows)), self._columns))
        self._array[: len(rows)] = rows
        return shiboken6.Shiboken.wrapInstance(self._array.ctypes.data, self._type)


_lines = _Buffer(4, QLineF)
_rects = _Buffer(4, QRectF)
_fragments = _Buffer(10, QPainter.PixmapFragment)


def draw_lines(painter: QPainter, lines: np.ndarray) -> None:
    """Draw lines, rows (x1, y1, x2, y2), with the painter's pen."""
    if len(lines):
        painter.drawLines(_lines.load(lines), len(lines))  # type: ignore[call-overload]


def draw_rects(painter: QPainter, rects: np.ndarray) -> None:
    """Draw rectangles, rows (x, y, width, height), with the painter's pen and brush."""
    if len(rects):
        painter.drawRects(_rects.load(rects), len(rects))  # type: ignore[call-overload]


def draw_fragments(painter: QPainter, fragments: np.ndarray, pixmap: QPixmap) -> None:
    """Stamp parts of ``pixmap``; rows are the ten numbers of QPainter::PixmapFragment."""
    if len(fragments):
        painter.drawPixmapFragments(_fragments.load(fragments), len(fragments), pixmap)  # type: ignore[arg-type]
