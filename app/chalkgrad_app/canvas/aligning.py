"""Aligning and distributing: how far each of several rectangles has to move. Pure geometry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QRectF

Offset = tuple[float, float]

LEAST_GAP = 16.0
"""Where there is no room between the outer two, the others spread out past them with this gap."""


def _left(rect: QRectF, around: QRectF) -> Offset:
    return around.left() - rect.left(), 0.0


def _right(rect: QRectF, around: QRectF) -> Offset:
    return around.right() - rect.right(), 0.0


def _top(rect: QRectF, around: QRectF) -> Offset:
    return 0.0, around.top() - rect.top()


def _bottom(rect: QRectF, around: QRectF) -> Offset:
    return 0.0, around.bottom() - rect.bottom()


def _across(rect: QRectF, around: QRectF) -> Offset:
    return around.center().x() - rect.center().x(), 0.0


def _down(rect: QRectF, around: QRectF) -> Offset:
    return 0.0, around.center().y() - rect.center().y()


ALIGNMENTS: Mapping[str, Callable[[QRectF, QRectF], Offset]] = {
    "left": _left,
    "right": _right,
    "top": _top,
    "bottom": _bottom,
    "across": _across,
    "down": _down,
}
"""``across`` puts the centres one below the other, ``down`` one beside the other."""


def align(rects: Sequence[QRectF], how: str) -> list[Offset]:
    """How far each rectangle moves so that all have one edge, or their centres, in one line."""
    around = QRectF()
    for rect in rects:
        around = around.united(rect)
    return [ALIGNMENTS[how](rect, around) for rect in rects]


def distribute(rects: Sequence[QRectF], horizontally: bool) -> list[Offset]:
    """How far each rectangle moves so that the gaps between neighbours are equal; the outer two stay."""
    spans = [(r.left(), r.width()) if horizontally else (r.top(), r.height()) for r in rects]
    order = sorted(range(len(rects)), key=lambda i: spans[i][0] + spans[i][1] / 2)
    offsets: list[Offset] = [(0.0, 0.0)] * len(rects)
    if len(order) < 3:
        return offsets
    first, last = order[0], order[-1]
    room = spans[last][0] - spans[first][0] - sum(spans[i][1] for i in order[:-1])
    gap = max(room / (len(order) - 1), LEAST_GAP)
    at = spans[first][0]
    for i in order:
        way = at - spans[i][0]
        offsets[i] = (way, 0.0) if horizontally else (0.0, way)
        at += spans[i][1] + gap
    return offsets
