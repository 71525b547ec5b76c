"""Where a list opens at the pointer: with one corner there, where all of it is seen and it hides none of its cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize

SCARCE = 20
"""What a pixel of width or height costs that is missing, in hidden pixels of a card."""
NOT_RIGHT = 1000
"""What it costs to open to the left, where nothing would be hidden or missing on the right."""


class Opening(NamedTuple):
    """The rectangle of a list, and whether it lies above the pointer: what is next to the pointer is below then."""

    rect: QRect
    above: bool


def opening(point: QPoint, full: QSize, least: QSize, room: QRect, free: Sequence[QRect]) -> Opening:
    """How something of size ``full`` opens at ``point`` within ``room``; it may shrink to ``least`` in doing so.

    Right of the pointer and below it, unless there is too little room or one of ``free`` would be hidden.
    """
    ways = [(left, above) for left in (False, True) for above in (False, True)]
    found = [_opened(point, full, least, room, left, above) for left, above in ways]
    costs = [
        _hidden(entry.rect, free)
        + SCARCE * _missing(entry.rect, full)
        + SCARCE * _away(entry, point)
        + NOT_RIGHT * left
        for entry, (left, _) in zip(found, ways, strict=True)
    ]
    return found[costs.index(min(costs))]


def _opened(point: QPoint, full: QSize, least: QSize, room: QRect, left: bool, above: bool) -> Opening:
    across = point.x() - room.left() if left else room.right() - point.x()
    down = point.y() - room.top() if above else room.bottom() - point.y()
    size = full.boundedTo(QSize(across, down).expandedTo(least)).boundedTo(room.size())
    corner = QPoint(point.x() - size.width() if left else point.x(), point.y() - size.height() if above else point.y())
    return Opening(within(QRect(corner, size), room), above)


def within(rect: QRect, room: QRect) -> QRect:
    """``rect``, moved as little as it takes to lie within ``room``; its upper left corner where that is too small."""
    x = max(room.left(), min(rect.x(), room.x() + room.width() - rect.width()))
    y = max(room.top(), min(rect.y(), room.y() + room.height() - rect.height()))
    return QRect(QPoint(x, y), rect.size())


def _hidden(rect: QRect, free: Sequence[QRect]) -> int:
    parts = [rect.intersected(card) for card in free]
    return sum(part.width() * part.height() for part in parts if not part.isEmpty())


def _missing(rect: QRect, full: QSize) -> int:
    return full.width() - rect.width() + full.height() - rect.height()


def _away(entry: Opening, point: QPoint) -> int:
    """How far from the pointer the edge came to lie that should be there."""
    return abs((entry.rect.bottom() + 1 if entry.above else entry.rect.top()) - point.y())
