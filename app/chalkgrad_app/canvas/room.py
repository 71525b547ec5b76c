"""Room for a card put into a wire, and for one that grew: what stands in its way moves on, and what stands there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from chalkgrad.layout import GRID, free_place
from chalkgrad.layout.free import up_to_grid
from chalkgrad.layout.graph import ROW_GAP
from chalkgrad_app.canvas.aligning import around
from chalkgrad_app.canvas.arrange import COLUMN_GAP, Point, snapped
from chalkgrad_app.canvas.hit import cards_in, notes_in
from chalkgrad_app.canvas.pushing import Push, pushed
from chalkgrad_app.canvas.things import with_contents
from chalkgrad_app.picture.anatomy import HEIGHT, WIDTH
from chalkgrad_app.picture.folding import TITLE
from chalkgrad_app.picture.picture import Picture

SEARCH = 1000.0
"""How far off a free place is looked for."""
CLEAR = 2.0 * GRID
"""What moves out of the way of a card keeps so far off."""
TOUCH = float(GRID)
"""What lies nearer to the edge of a frame seems to lie on it."""
Rects = Mapping[int, QRectF]
FAR = 1e6
"""Left, above and below of everything: where no card goes is as large."""
LEVEL = 4.0 * GRID
"""A card that is put into a wire so near to where the wire goes on straight is put there."""
TRIES = 8
"""So many places for a card are tried, each beside what it would cover at the one before."""
FEW = 3
"""Strangers that are so many times as many as the things in a frame still move off it."""
MOST_STRANGERS = 40
"""So many things at most move off a frame."""
SHOVES = 50
"""How often cards that were moved may push others on."""


def free_corner(picture: Picture, corner: QPointF, size: Point = (WIDTH, HEIGHT), but: int | None = None) -> QPointF:
    """The top left corner nearest to ``corner`` at which a card, or note, covers nothing that is there but itself."""
    here = QRectF(corner.x(), corner.y(), *size)
    if all(id_ == but for id_, _ in _taken(picture, here)):
        return corner
    near = here.adjusted(-SEARCH, -SEARCH, SEARCH, SEARCH)
    others = [rect for id_, rect in _taken(picture, near) if id_ != but]
    taken = [_edges(rect) for rect in others]
    return QPointF(*free_place(taken, (corner.x(), corner.y()), size))


def corner_among(
    picture: Picture, rect: QRectF, but: Collection[int], taken: Iterable[QRectF], within: QRectF | None = None
) -> QPointF:
    """The corner nearest to that of ``rect`` where it covers nothing but itself, nor what is ``taken``.

    That is ``within`` a frame where that has room for it.
    """
    others = [*taken, *(other for id_, other in _taken(picture, _shrunk(rect, -SEARCH)) if id_ not in but)]
    if not any(other.intersects(rect) for other in others):
        return rect.topLeft()
    wanted, size, free = (rect.x(), rect.y()), (rect.width(), rect.height()), list(map(_edges, others))
    if within is not None:
        inner = QRectF(
            QPointF(*free_place([*free, *_walls(_shrunk(within, -TOUCH))], wanted, size, CLEAR)), rect.size()
        )
        if within.contains(inner):
            return inner.topLeft()
    return QPointF(*free_place(free, wanted, size))


def _walls(rect: QRectF) -> list[tuple[float, float, float, float]]:
    """What lies around a rectangle."""
    left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
    across = [(x, top - FAR, FAR, 2 * FAR) for x in (left - FAR, right)]
    return across + [(left - FAR, y, 2 * FAR, FAR) for y in (top - FAR, bottom)]


def corner_of_grown(picture: Picture, id_: int, was: QRectF, rect: QRectF) -> QPointF:
    """The corner nearest to that of ``rect``, a note that was ``was``, where it covers nothing that it didn't cover."""
    near = rect.adjusted(-SEARCH, -SEARCH, SEARCH, SEARCH)
    others = [other for at, other in _taken(picture, near) if at != id_ and not other.intersects(was)]
    if not any(other.intersects(rect) for other in others):
        return rect.topLeft()
    taken = [_edges(other) for other in others]
    return QPointF(*free_place(taken, (rect.x(), rect.y()), (rect.width(), rect.height())))


def _taken(picture: Picture, rect: QRectF) -> list[tuple[int, QRectF]]:
    """What lies within a rectangle, with its id: cards, notes, folded nodes and the titles of frames."""
    things = [(id_, picture.rect_of(id_) or QRectF()) for id_ in (*cards_in(picture, rect), *notes_in(picture, rect))]
    titles = [(frame.id, QRectF(frame.rect.topLeft(), QSizeF(frame.rect.width(), TITLE))) for frame in picture.frames]
    folds = [(fold.id, fold.rect) for fold in picture.folds]
    return things + [(id_, other) for id_, other in (*titles, *folds) if other.intersects(rect)]


def corner_in_wire(picture: Picture, start: int, corner: QPointF, readers: Collection[int], down: float) -> Point:
    """Where a card goes that is put into a wire at ``corner``: level with it, and not over the card where it begins.

    ``down`` is how far below its corner the card's port is.
    """
    x, y = snapped(corner.x(), corner.y())
    level = _level(picture, start, readers, y + down)
    if level is not None:
        y = level - down
    source = picture.rect_of(start)
    if source is not None and QRectF(x, y, WIDTH, HEIGHT).adjusted(-COLUMN_GAP / 2, 0, 0, 0).intersects(source):
        x = snapped(source.right() + COLUMN_GAP, 0)[0]
    return x, y


def _level(picture: Picture, start: int, readers: Collection[int], wanted: float) -> float | None:
    """How high a port is with which a wire goes on straight, where that is near what is wanted; else None."""
    rows = np.flatnonzero(picture.wire_source == picture.index.get(start, -1)).tolist()
    ends = [picture.ends[row].tolist() for row in rows if picture.wires[row].target in readers]
    heights = [y for _, begin, _, end in ends for y in (begin, end) if abs(y - wanted) <= LEVEL]
    return min(heights, key=lambda y: abs(y - wanted), default=None)


def room_in_wire(
    picture: Picture,
    start: int,
    corner: QPointF,
    readers: Iterable[int],
    size: Point = (WIDTH, HEIGHT),
    but: Collection[int] = (),
    down: float | None = None,
) -> tuple[Point, Push]:
    """Where a card of ``size`` goes that is put into a wire at ``corner``, and what moves on behind it.

    It covers nothing and stays right of the card at which the wire begins. ``but`` are left out: they are on the way.
    ``down`` is how far below its corner the card's port is; where the first one of a new card is when None.
    """
    readers = tuple(readers)
    down = picture.drawing.blank(1).inputs[0][1] if down is None else down
    at = wanted = corner_in_wire(picture, start, corner, readers, down)
    source = picture.rect_of(start)
    taken: list[tuple[float, float, float, float]] = []
    if source is not None and wanted[0] >= source.right():
        taken.append((source.right() - FAR, wanted[1] - FAR, FAR, 2 * FAR))
    for _ in range(TRIES):
        rect = QRectF(QPointF(*at), QSizeF(*size))
        push = pushed(picture, rect, readers, {start, *but})
        hit = _covered(rect, push, but)
        if not hit:
            break
        taken += [_edges(rect) for rect in hit]
        at = free_place(taken, wanted, size)
    return at, push


def _covered(rect: QRectF, push: Push, but: Collection[int]) -> list[QRectF]:
    """What ``rect`` would cover once cards were pushed, without ``but``."""
    picture = push.picture
    things = [other for id_, other in _taken(picture, rect) if id_ not in picture.index]
    cards = (row for row in np.flatnonzero(push.meeting(rect)).tolist() if picture.ids[row] not in but)
    return things + [picture.rect(picture.ids[row]).translated(push.way * push.moving[row], 0) for row in cards]


def out_of_the_way(picture: Picture, before: Rects, new_blocks: Collection[int]) -> dict[int, Point]:
    """How far things move on which lies what is larger than ``before``, or the frame of a new block.

    What lay on one another before stays so: somebody put it there. Cards kept in place stay, too. What stood right of a
    card, or below it, keeps the room that wires and fields have there.
    """
    pending: list[Shoving] = []
    for id_, rect in _seen(picture).items():
        was = before.get(id_, QRectF(rect.topLeft(), QSizeF(WIDTH, HEIGHT)))
        if rect.width() > was.width() or rect.height() > was.height():
            pending.append((rect, frozenset({id_}), was))
    ways = _spread(picture, _movable(picture), before, pending)
    for frame in [frame for frame in picture.frames if frame.id in new_blocks]:
        inside = {frame.id, *frame.cards}
        ways |= off_frame(picture, frame.rect, inside, foreign(picture, frame.rect, inside))
    return ways


Whole = frozenset[int]
"""Ids of what moves as one: a card, a note, a folded node, or a frame, with all that is in it."""


def strangers(picture: Picture, frame: QRectF, inside: Collection[int]) -> dict[Whole, QRectF]:
    """What lies on a frame, or so near that it seems to, and is not ``inside`` it; what is kept in place is left out.

    What a wire joins to something inside is near, too, where the wire has no room beside the frame.
    """
    near, wired = _shrunk(frame, -CLEAR), frame.adjusted(-ROW_GAP, 0, ROW_GAP, 0)
    joined = _joined(picture, inside)
    return {
        unit: rect
        for unit, rect in _units(picture, inside).items()
        if near.intersects(rect) or (wired.intersects(rect) and not joined.isdisjoint(unit))
    }


def _joined(picture: Picture, inside: Collection[int]) -> frozenset[int]:
    """The cards that wires join to those ``inside``."""
    ends = {(wire.source, wire.target) for wire in picture.wires}
    return frozenset(other for pair in ends if not set(pair).isdisjoint(inside) for other in pair)


def foreign(picture: Picture, frame: QRectF, inside: Collection[int]) -> dict[Whole, QRectF]:
    """The strangers on a frame, without notes that lie on it: those say something of it."""
    notes, found = {frozenset({note.id}) for note in picture.notes}, strangers(picture, frame, inside)
    return {unit: rect for unit, rect in found.items() if unit not in notes or not frame.contains(rect)}


def out_of_frame(picture: Picture, frame: QRectF, inside: Collection[int]) -> dict[int, Point]:
    """How far strangers move off a new frame around ``inside``, which then holds nothing else, but for notes on it.

    Where they far outnumber what is inside they stay, and only what the edge or the title would cut or touch moves.
    """
    others, room = foreign(picture, frame, inside), frame.adjusted(0, TITLE, 0, 0)
    if are_many(others, inside):
        others = {unit: rect for unit, rect in others.items() if not room.contains(rect)}
    return off_frame(picture, frame, inside, others)


def are_many(others: Collection[Whole], inside: Collection[int]) -> bool:
    """True where strangers on a frame far outnumber what is ``inside`` it: they aren't moved off it."""
    return len(others) > min(FEW * len(inside), MOST_STRANGERS)


def off_frame(picture: Picture, frame: QRectF, inside: Collection[int], others: Collection[Whole]) -> dict[int, Point]:
    """How far ``others`` move off a frame around ``inside``: as far as rows are apart, so that wires have room."""
    return _moved_off(picture, [frame], inside, others)


def out_from_under(
    picture: Picture, before: Sequence[QRectF], after: Sequence[QRectF], inside: Collection[int]
) -> dict[int, Point]:
    """How far things move that come to lie under what is ``inside``, which moves from ``before`` to ``after``.

    Nobody asked for them to move: above and below they keep no more room than it takes.
    """
    moves = [(old, _shrunk(new, -TOUCH)) for old, new in zip(before, after, strict=True)]
    covered = [
        unit
        for unit, rect in _units(picture, inside).items()
        if any(new.intersects(rect) and not old.intersects(rect) for old, new in moves)
    ]
    return _moved_off(picture, after, inside, covered, CLEAR)


def _moved_off(
    picture: Picture,
    ground: Sequence[QRectF],
    inside: Collection[int],
    others: Collection[Whole],
    gap: float = ROW_GAP,
) -> dict[int, Point]:
    """How far ``others`` move off the ``ground`` that is taken, each to the nearest free place.

    There they keep ``gap`` above and below, and at their sides room for wires.
    """
    near = _shrunk(around(ground), -SEARCH)
    kept = [_edges(picture.rect(id_)) for id_ in pinned(picture)]
    lying = {unit: rect for unit, rect in _units(picture, inside).items() if near.intersects(rect)}
    moved: dict[int, Point] = {}
    for unit in others:
        rect = lying[unit]
        taken = [_edges(other) for one, other in lying.items() if one not in others or one & moved.keys()]
        taken += [*kept, *map(_edges, ground)]
        side = ROW_GAP - gap
        wide = [(x - side, y, width + 2 * side, height) for x, y, width, height in taken]
        corner = free_place(wide, (rect.x(), rect.y()), (rect.width(), rect.height()), gap)
        lying[unit] = QRectF(QPointF(*corner), rect.size())
        moved |= dict.fromkeys(unit, _way(rect, lying[unit]))
    return moved


def _units(picture: Picture, but: Collection[int]) -> dict[Whole, QRectF]:
    """What moves as one, and where it lies: frames with what they hold, folded nodes, cards, notes.

    Without ``but`` and what is kept in place.
    """
    frames = sorted(picture.frames, key=lambda shape: -shape.rect.width() * shape.rect.height())
    units = [
        (shape.cards | {shape.id} if shape.block else with_contents(picture, {shape.id}), shape.rect)
        for shape in frames
    ]
    units += [(fold.hides | {fold.id}, fold.rect) for fold in picture.folds]
    units += [(frozenset({id_}), rect) for id_, rect in _seen(picture).items()]
    units += [(frozenset({note.id}), QRectF(note.x, note.y, note.width, note.height)) for note in picture.notes]
    taken, found = {*but, *pinned(picture)}, {}
    for unit, rect in units:
        if taken.isdisjoint(unit):
            taken |= unit
            found[unit] = rect
    return found


def pinned(picture: Picture) -> frozenset[int]:
    """The cards that are seen and kept in place."""
    return frozenset(id_ for id_ in _seen(picture) if (place := picture.board.place(id_)) and place.pinned)


def _shrunk(rect: QRectF, by: float) -> QRectF:
    return rect.adjusted(by, by, -by, -by)


def _edges(rect: QRectF) -> tuple[float, float, float, float]:
    return rect.x(), rect.y(), rect.width(), rect.height()


def _seen(picture: Picture) -> dict[int, QRectF]:
    """Where the cards are that are not hidden."""
    return {id_: picture.rect(id_) for row, id_ in enumerate(picture.ids) if not picture.hidden[row]}


def _movable(picture: Picture) -> dict[int, QRectF]:
    """Where the cards and notes are that may make room: not those hidden, or kept in place."""
    rects = _seen(picture)
    rects |= {note.id: QRectF(note.x, note.y, note.width, note.height) for note in picture.notes}
    kept = pinned(picture)
    return {id_: rect for id_, rect in rects.items() if id_ not in kept}


Shoving = tuple[QRectF, frozenset[int], QRectF]
"""A rectangle that needs room, what it is or has in it, and where it was before."""


def _spread(picture: Picture, rects: dict[int, QRectF], before: Rects, pending: list[Shoving]) -> dict[int, Point]:
    """How far things move that lie under what needs room, and those under these."""
    lying = dict(rects)
    stood = {**lying, **before}  # what is new was nowhere: others are beside it where they are now
    for _ in range(SHOVES):
        if not pending:
            break
        rect, own, was = pending.pop(0)
        is_new = before.keys().isdisjoint(own)
        for id_, other in rects.items():
            beside = other if is_new else stood[id_]
            room, gap = _wire_room(was, beside), _row_gap(was, beside)
            is_beside, is_below = (other.intersects(rect.adjusted(0, 0, *more)) for more in ((room, 0), (0, gap)))
            if id_ in own or beside.intersects(was) or not (is_beside or is_below):
                continue
            rects[id_] = shoved = _shoved(other, rect, room if is_beside else 0.0, gap)
            pending.append((shoved, frozenset({id_, *own}), stood[id_]))
    return {id_: _way(lying[id_], rect) for id_, rect in rects.items() if rect != lying[id_]}


def _way(one: QRectF, other: QRectF) -> Point:
    return other.x() - one.x(), other.y() - one.y()


def _wire_room(was: QRectF, other: QRectF) -> float:
    """How far right of a card another has to stay: as far as it stood, and no farther than a wire needs."""
    return min(max(other.left() - was.right(), 0.0), COLUMN_GAP) if was.isValid() else 0.0


def _row_gap(was: QRectF, other: QRectF) -> float:
    """How far below a card another has to stay: as far as it stood, and no farther than rows are apart."""
    return min(max(other.top() - was.bottom(), 0.0), ROW_GAP) if was.isValid() else 0.0


def _shoved(rect: QRectF, by: QRectF, room: float, gap: float) -> QRectF:
    """``rect`` ``room`` beside ``by``, or ``gap`` below it; without either clear of it on whichever side is nearer."""
    across, down = by.right() + max(room, CLEAR) - rect.left(), by.bottom() + max(gap, CLEAR) - rect.top()
    way = QPointF(across, 0) if room or (not gap and across < down) else QPointF(0, down)
    at = rect.topLeft() + way
    return QRectF(QPointF(up_to_grid(at.x()), up_to_grid(at.y())), rect.size())
