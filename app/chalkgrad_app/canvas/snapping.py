"""Snapping: where what is dragged comes to lie, in line with its neighbours, else on the grid; and the guides to show.

Neighbours are what is seen and not dragged. Their edges and centres attract, so does the height at which a wire runs
level, and the place where gaps are equal. Guides come before the grid.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from chalkgrad.layout.free import up_to_grid
from chalkgrad_app import settings
from chalkgrad_app.canvas.hit import Edge
from chalkgrad_app.picture.card import fields_of
from chalkgrad_app.picture.card_parts import field_rect
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.style import theme

GRID = 8.0
REACH = 6.0
"""How near, in pixels of the screen, something has to be to attract."""
OVERHANG = 10.0
"""How far a guide goes beyond what it joins."""
WIRE_ROOM = 32.0
"""A card stops so far beside one that it is wired to: nearer, the wire would not be seen. It may lie on it."""
PASSING = 12.0
"""So far a wire bends from the numbers at a port."""
SAME = 0.01
MOST = 2000
"""With more neighbours in view than this nothing but the grid attracts."""


class Snap(NamedTuple):
    """Where a rectangle comes to lie, the lines that show why, and the equal gaps."""

    rect: QRectF
    guides: tuple[QLineF, ...] = ()
    gaps: tuple[QLineF, ...] = ()


class Snapping:
    """What attracts during one gesture; found once, when it starts."""

    def __init__(self, picture: Picture, moving: Collection[int], view: QRectF, scale: float, card: int | None) -> None:
        self.grid, guides = settings.SNAP_GRID.get(), settings.SNAP_GUIDES.get()
        self._reach = REACH / scale
        still = _neighbours(picture, set(moving), view) if guides else np.empty((0, 4))
        self._still = still if len(still) <= MOST else np.empty((0, 4))
        level = guides and card is not None and len(self._still)
        self._levels = _levels(picture, card, set(moving)) if level and card is not None else np.empty((0, 3))
        is_led = (self.grid or guides) and card is not None and not picture.drawing.lays_out
        self._wired = list(_wired(picture, card, set(moving))) if is_led and card is not None else []

    def moved(self, start: QRectF, way: QPointF, axes: str = "xy") -> Snap:
        """Where a rectangle dragged by ``way`` comes to lie; only along ``axes`` does anything attract it."""
        rect = start.translated(way)
        dx = self._attracted(rect, 0) if "x" in axes else None
        dy = self._attracted(rect, 1) if "y" in axes else None
        if dx is None:
            dx = _to_grid(rect.left()) if self.grid and "x" in axes else 0.0
        if dy is None:
            dy = _to_grid(rect.top()) if self.grid and "y" in axes else 0.0
        rect = rect.translated(dx, dy)
        rect = self._with_room_for_wires(rect) if "x" in axes else rect
        return Snap(rect, self._guides(rect), self._equal_gaps(rect))

    def resized(self, rect: QRectF, edges: Edge) -> Snap:
        """The rectangle whose ``edges`` are dragged, each in line with a neighbour's or on the grid."""
        shown = QRectF(rect)
        for edge, axis, set_edge in (
            (Edge.LEFT, 0, shown.setLeft),
            (Edge.RIGHT, 0, shown.setRight),
            (Edge.TOP, 1, shown.setTop),
            (Edge.BOTTOM, 1, shown.setBottom),
        ):
            if edges & edge:
                at = {
                    Edge.LEFT: rect.left(),
                    Edge.RIGHT: rect.right(),
                    Edge.TOP: rect.top(),
                    Edge.BOTTOM: rect.bottom(),
                }
                set_edge(at[edge] + self._edge_offset(at[edge], axis))
        return Snap(shown, self._guides(shown))

    # ------------------------------------------------------------ inside

    def _with_room_for_wires(self, rect: QRectF) -> QRectF:
        """The rectangle a little further from what stands right beside it at the other end of one of its wires."""
        for other, is_after, room in self._wired:
            gap = other.left() - rect.right() if is_after else rect.left() - other.right()
            if -SAME < gap < room and rect.top() < other.bottom() and other.top() < rect.bottom():
                return rect.translated(gap - room if is_after else room - gap, 0.0)
        return rect

    def _edge_offset(self, at: float, axis: int) -> float:
        lines = np.concatenate([self._still[:, axis], self._still[:, axis] + self._still[:, axis + 2]])
        nearest = _nearest(lines - at, self._reach)
        if nearest is not None:
            return nearest
        return _to_grid(at) if self.grid else 0.0

    def _attracted(self, rect: QRectF, axis: int) -> float | None:
        """How far the nearest line pulls along an axis (0: x, 1: y); None when none is near."""
        if not len(self._still):
            return None
        ways = [_offsets(self._still, rect, axis), np.array(self._gap_offsets(rect, axis))]
        if axis == 1 and len(self._levels):
            ways.append(self._levels[:, 1] - (rect.top() + self._levels[:, 0]))
        return _nearest(np.concatenate(ways), self._reach)

    def _gap_offsets(self, rect: QRectF, axis: int) -> list[float]:
        """How far to move so that the gaps to the neighbours in the same row or column are equal."""
        start, end = (rect.left(), rect.right()) if axis == 0 else (rect.top(), rect.bottom())
        before, after = self._in_line(rect, axis)
        found = []
        if len(before) >= 2:
            found.append(before[-1][1] + (before[-1][0] - before[-2][1]) - start)
        if len(after) >= 2:
            found.append(after[0][0] - (after[1][0] - after[0][1]) - end)
        if before and after and after[0][0] - before[-1][1] >= end - start:
            found.append((before[-1][1] + after[0][0]) / 2 - (start + end) / 2)
        return found

    def _in_line(self, rect: QRectF, axis: int) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """Spans of the neighbours that share rows (or columns) with ``rect``, those before and those after it."""
        other = 1 - axis
        low, high = (rect.top(), rect.bottom()) if axis == 0 else (rect.left(), rect.right())
        still = self._still
        beside = still[(still[:, other] < high) & (still[:, other] + still[:, other + 2] > low)]
        spans = sorted(
            (float(s), float(s + size)) for s, size in zip(beside[:, axis], beside[:, axis + 2], strict=True)
        )
        start, end = (rect.left(), rect.right()) if axis == 0 else (rect.top(), rect.bottom())
        slack = self._reach + SAME
        return [s for s in spans if s[1] <= start + slack], [s for s in spans if s[0] >= end - slack]

    def _guides(self, rect: QRectF) -> tuple[QLineF, ...]:
        """Lines along which ``rect`` is in line with neighbours, each from the first to the last of them."""
        if not len(self._still):
            return ()
        found: list[QLineF] = []
        box = np.array([rect.left(), rect.top(), rect.width(), rect.height()])
        for axis in (0, 1):
            on_axis: list[QLineF] = []
            for share in (0.0, 1.0, 0.5):
                at = box[axis] + share * box[axis + 2]
                hits = self._still[_lines_at(self._still, axis, share, at)]
                if len(hits) and (share != 0.5 or len(on_axis) < 2):  # between both edges it would say nothing more
                    on_axis.append(_guide(np.vstack([hits, box]), axis, at))
            found += on_axis
        for down, level, x in self._levels.tolist():
            if abs(rect.top() + down - level) < SAME:
                found.append(QLineF(rect.center().x(), level, x, level))
        return tuple(found)

    def _equal_gaps(self, rect: QRectF) -> tuple[QLineF, ...]:
        """The gaps that are equal, where ``rect`` makes them so."""
        if not len(self._still):
            return ()
        found: list[QLineF] = []
        for axis in (0, 1):
            if not any(abs(offset) < SAME for offset in self._gap_offsets(rect, axis)):
                continue
            before, after = self._in_line(rect, axis)
            own = (rect.left(), rect.right()) if axis == 0 else (rect.top(), rect.bottom())
            row = [*before[-2:], own, *after[:2]]
            gaps = [(a[1], b[0]) for a, b in pairwise(row) if b[0] > a[1]]
            own_gaps = [b - a for a, b in gaps if abs(a - own[1]) < SAME or abs(b - own[0]) < SAME]
            middle = rect.center().y() if axis == 0 else rect.center().x()
            for a, b in gaps:
                if any(abs(b - a - gap) < SAME for gap in own_gaps):
                    found.append(QLineF(a, middle, b, middle) if axis == 0 else QLineF(middle, a, middle, b))
        return tuple(found)


def paint_guides(painter: QPainter, snap: Snap) -> None:
    """Paint guides and equal gaps, in scene coordinates."""
    pen = QPen(theme.current().color("focus"), 1.0)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.drawLines(list(snap.guides))
    for gap in snap.gaps:
        across = QPointF(0, 5) if gap.dy() == 0 else QPointF(5, 0)
        ends = [QLineF(end - across, end + across) for end in (gap.p1(), gap.p2())]
        painter.drawLines([gap, *ends])


def _neighbours(picture: Picture, moving: set[int], view: QRectF) -> np.ndarray:
    """Rectangles (left, top, width, height) of what is seen and stays."""
    rows = np.flatnonzero(
        ~picture.hidden
        & (picture.x < view.right())
        & (picture.x + picture.w > view.left())
        & (picture.y < view.bottom())
        & (picture.y + picture.h > view.top())
    )
    still = [row for row in rows.tolist() if picture.ids[row] not in moving]
    cards = np.stack([picture.x[still], picture.y[still], picture.w[still], picture.h[still]], axis=1)
    return np.vstack([cards, np.array(list(_others(picture, moving, view)), float).reshape(-1, 4)])


def _others(picture: Picture, moving: set[int], view: QRectF) -> Iterable[tuple[float, float, float, float]]:
    """Rectangles of notes, plain frames and folded nodes."""
    things = [(note.id, QRectF(note.x, note.y, note.width, note.height)) for note in picture.notes]
    things += [(frame.id, frame.rect) for frame in picture.frames if not frame.block]
    things += [(fold.id, fold.rect) for fold in picture.folds if fold.hides.isdisjoint(moving)]
    for id_, rect in things:
        if id_ not in moving and rect.intersects(view):
            yield rect.left(), rect.top(), rect.width(), rect.height()


def _levels(picture: Picture, card: int, moving: set[int]) -> np.ndarray:
    """For each wire between the card dragged and one that stays: the port's place, height and x of the other end."""
    if card not in picture.index or picture.hidden[picture.index[card]]:
        return np.empty((0, 3))
    top = picture.rect(card).top()
    found = []
    for row in picture.wires_of([card]).tolist():
        wire, (ax, ay, bx, by) = picture.wires[row], picture.ends[row].tolist()
        if wire.source == card and wire.target not in moving:
            found.append((ay - top, by, bx))
        elif wire.target == card and wire.source not in moving:
            found.append((by - top, ay, ax))
    return np.array(found, float).reshape(-1, 3)


def _wired(picture: Picture, card: int, moving: set[int]) -> Iterator[tuple[QRectF, bool, float]]:
    """The cards that stay to which one is wired, whether the wire leads to them, and the room that it needs."""
    if card not in picture.index or picture.hidden[picture.index[card]]:
        return
    for row in picture.wires_of([card]).tolist():
        wire = picture.wires[row]
        other = wire.target if wire.source == card else wire.source
        if other not in moving:
            yield picture.rect(other), wire.source == card, _wire_room(picture, wire.target)


def _wire_room(picture: Picture, reader: int) -> float:
    """The room that a wire needs before a card that reads it: it passes the numbers at the ports there."""
    shape = picture.anatomy(reader)
    numbers = [field_rect(shape, field.port, field.text) for field in fields_of(picture.program[reader])]
    return max([WIRE_ROOM, *(up_to_grid(PASSING - rect.left()) for rect in numbers)])


def _offsets(still: np.ndarray, rect: QRectF, axis: int) -> np.ndarray:
    """How far to move so that edges or centres are in line, or edges meet."""
    start, size = (rect.left(), rect.width()) if axis == 0 else (rect.top(), rect.height())
    starts, sizes = still[:, axis], still[:, axis + 2]
    ways = [starts - start, starts + sizes - start - size, starts + sizes / 2 - start - size / 2]
    return np.concatenate(ways)


def _lines_at(still: np.ndarray, axis: int, share: float, at: float) -> np.ndarray:
    return np.asarray(np.abs(still[:, axis] + share * still[:, axis + 2] - at) < SAME)


def _guide(boxes: np.ndarray, axis: int, at: float) -> QLineF:
    other = 1 - axis
    first = float(boxes[:, other].min()) - OVERHANG
    last = float((boxes[:, other] + boxes[:, other + 2]).max()) + OVERHANG
    return QLineF(at, first, at, last) if axis == 0 else QLineF(first, at, last, at)


def _nearest(ways: np.ndarray, reach: float) -> float | None:
    if not len(ways):
        return None
    best = float(ways[np.abs(ways).argmin()])
    return best if abs(best) <= reach else None


def _to_grid(at: float) -> float:
    return round(at / GRID) * GRID - at
