"""Aligning and distributing: how far each of several rectangles has to move. Pure geometry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import reduce

from PySide6.QtCore import QRectF

from chalkgrad.layout.graph import ROW_GAP

Offset = tuple[float, float]

BESIDE = 64.0
"""Where several would lie at one place of a line, they lie so far beside one another: wires have room."""
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


def around(rects: Iterable[QRectF]) -> QRectF:
    """The rectangle around all of these; an empty one where there are none."""
    return reduce(QRectF.united, rects, QRectF())


IN_A_ROW = frozenset({"top", "bottom", "down"})
"""Those that put things beside one another; the others put them below one another."""


def align(rects: Sequence[QRectF], how: str, others: Collection[QRectF] = ()) -> list[Offset]:
    """How far each rectangle moves so that all have one edge, or their centres, in one line.

    Those that would come to lie on one another there, or too near, or on ``others`` on which they don't lie now, go on
    along the line to the nearest free place; those nearest to the line first.
    """
    whole, across = around(rects), how in IN_A_ROW
    offsets = [ALIGNMENTS[how](rect, whole) for rect in rects]
    apart = {at: [one for one in others if not one.intersects(rect)] for at, rect in enumerate(rects)}
    placed: dict[int, QRectF] = {}
    for at in sorted(range(len(rects)), key=lambda at: abs(offsets[at][0]) + abs(offsets[at][1])):
        rect, room = rects[at].translated(*offsets[at]), _with_room(rects[at], across)
        near = [one for other, one in placed.items() if one.intersects(rect) or not room.intersects(rects[other])]
        blocked = any(one.intersects(_with_room(rect, across)) for one in [*near, *apart[at]])
        aside = _aside(rect, [*placed.values(), *apart[at]], across) if blocked else (0.0, 0.0)
        offsets[at] = offsets[at][0] + aside[0], offsets[at][1] + aside[1]
        placed[at] = rect.translated(*aside)
    return offsets


def _aside(rect: QRectF, taken: Collection[QRectF], across: bool) -> Offset:
    """How far a rectangle moves across, or down, so that it has room beside all that is ``taken``."""
    room = _with_room(rect, across)
    past = _past_across if across else _past_down
    ways = [way for other in taken for way in past(rect, other)]
    free = (way for way in ways if not any(other.intersects(room.translated(*way)) for other in taken))
    return min(free, key=lambda way: abs(way[0]) + abs(way[1]))  # past the outermost there always is room


def _with_room(rect: QRectF, across: bool) -> QRectF:
    """A rectangle with the least gap on both sides of it, or above and below as much as rows are apart."""
    return rect.adjusted(-LEAST_GAP, 0, LEAST_GAP, 0) if across else rect.adjusted(0, -ROW_GAP, 0, ROW_GAP)


def _past_across(rect: QRectF, other: QRectF) -> tuple[Offset, Offset]:
    """The ways to the right and to the left of another, with room for wires between."""
    return (other.right() + BESIDE - rect.left(), 0.0), (other.left() - BESIDE - rect.right(), 0.0)


def _past_down(rect: QRectF, other: QRectF) -> tuple[Offset, Offset]:
    """The ways below and above another, as far as rows are apart."""
    return (0.0, other.bottom() + ROW_GAP - rect.top()), (0.0, other.top() - ROW_GAP - rect.bottom())


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
