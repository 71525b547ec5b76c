"""Ways of wires round cards: what the layout finds for a picture, as cubics; found anew where cards or wires move.

The router has wires run right; where they run down, it is given everything turned.

What can be found quickly is there at once. The rest, ways all round cards, and everything in a large picture, follows
where somebody looks, in slices (:meth:`Routing.go_on`); until then these wires are plain curves. Among fewer cards all
wires are looked at together, for those through one gap make room for each other: where that takes longer than a turn
has, it is gone on with in slices, too, and a wire whose ends lie as they did keeps its way so long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chalkgrad.layout import Box, Path, Room, Router, Span, curve
from chalkgrad.layout.boxes import meeting
from chalkgrad.layout.detours import reach_of
from chalkgrad.layout.routes import AROUND
from chalkgrad.stepwise import Steps, Work
from chalkgrad_app.picture.in_the_way import boxes, numbers, rails, rooms, shown_as, things
from chalkgrad_app.picture.wires import Wire, turned

if TYPE_CHECKING:
    from chalkgrad_app.picture.wire_arrays import WireArrays

MOST = 300
"""Cards up to which all wires are looked at when something has moved, unless all have."""
AT_ONCE, ROUND_AT_ONCE = 0.015, 0.004
"""Seconds that this may take at that time, and then ways round cards."""
MANY = 48
"""With more wires than this, none is looked at at once when everything has moved."""
BATCH = 12
"""Wires of a large picture that are looked at together: as many as a slice has time for."""
FAR, ROUNDABOUT = 12000.0, 1.25
"""Wires of large pictures that reach further run along lanes between rows of cards: to search for a way takes too long.

Only where that is so many times as long as the direct way they cross all columns instead, if they can.
"""
PORTION = 50
"""So many things are taken up in one step."""

Ways = dict[int, np.ndarray]
"""Cubics, shape (pieces, 8), of each wire that is no plain curve, by its number."""
Key = tuple[int, int, bool, int, int]
"""A wire whatever its number: source, output, whether its gradient, target, port."""


class Round(NamedTuple):
    """A way that was found all round the cards, and what lay beside the wire then: the same is found there again."""

    path: Path
    beside: tuple[Box, ...]


class Search(NamedTuple):
    """The way round that is looked for: that of the wire in a row, among what lies beside it."""

    row: int
    beside: tuple[Box, ...]
    work: Work[Path]


class Routing:
    """The ways of one picture's wires."""

    def __init__(self) -> None:
        self._rects: tuple[list[int], np.ndarray] = ([], np.zeros((0, 4)))
        self._rails: list[Box] = []
        self._rooms: list[Room] = []
        self._wires: list[Wire] = []
        self._seen: np.ndarray = np.zeros(0, bool)
        self._blocked: dict[int, Path] = {}
        self._ways: Ways = {}
        self._round: dict[Key, Round] = {}
        self._numbers = np.zeros((0, 4))
        self._among_all: Router | None = None
        self._work: Work[Ways] | None = None
        self._search: Search | None = None

    def ways(self, picture: WireArrays) -> Ways:
        """The ways as things lie now; those found before where nothing has moved since.

        Wires keep clear of numbers at ports, of titles and corners of frames, of notes, and of what stands between
        strips, too; and they don't run along the edges of frames.
        """
        rects = things(picture)
        fields = numbers(picture, range(len(picture.ids))) if len(picture.ids) <= MOST else self._numbers
        ids, before = self._rects
        same = picture.wires is self._wires and picture.ids == ids and len(rects) == len(before)
        moved = (rects != before).any(axis=1) if same else np.ones(len(rects), bool)
        if same and not moved.any() and np.array_equal(fields, self._numbers):
            return self._ways
        self._numbers = fields
        wires_before, ways_before = self._wires, self._ways
        self._rects, self._wires = (picture.ids, rects), picture.wires
        self._rails, self._rooms = rails(picture), rooms(picture)
        self._work = self._search = self._among_all = None
        moved_all = moved[: len(picture.ids)].all()
        if len(picture.ids) > MOST or (same and moved_all and len(picture.wires) > MANY):
            self._forget(picture, rects, before, moved if same else None)
            return self._ways
        self._ways, self._blocked, self._seen = {}, {}, np.ones(len(picture.wires), bool)
        wires = np.flatnonzero(~picture.wire_hidden)
        self._work = Work(self._looking(picture, wires))
        if self._is_looked_at(AT_ONCE):
            self._go_round(picture, wires, perf_counter() + ROUND_AT_ONCE)
        else:
            self._ways = _still_joining(picture, wires_before, ways_before) | self._ways
        return self._ways

    @property
    def found(self) -> Ways:
        """The ways found so far."""
        return self._ways

    def still(self, picture: WireArrays, moving: np.ndarray) -> Ways:
        """The ways found before of the wires whose cards don't move; ``moving`` says of each card whether it does."""
        touched = moving[picture.wire_source] | moving[picture.wire_target]
        return {row: way for row, way in self._ways.items() if row < len(touched) and not touched[row]}

    def go_on(self, picture: WireArrays, rows: np.ndarray, seconds: float) -> bool:
        """Look for ways of the wires ``rows`` that have none yet; True when some were found.

        :meth:`is_done` tells whether there is more to be done for them.
        """
        end = perf_counter() + seconds
        was_looking, known = self._work is not None, len(self._ways)
        if not self._is_looked_at(seconds):
            return False
        while perf_counter() < end:
            fresh = rows[~self._seen[rows]][:BATCH]
            if not len(fresh):
                break
            self._work = Work(self._looking(picture, fresh))
            if not self._is_looked_at(end - perf_counter()):
                return len(self._ways) > known
        went_round = self._go_round(picture, rows, end)
        return was_looking or went_round or len(self._ways) > known

    def is_done(self, rows: np.ndarray) -> bool:
        """True when nothing is left to be looked for in the wires ``rows``."""
        return (
            self._work is None
            and bool(self._seen[rows].all())
            and not any(row in self._blocked for row in rows.tolist())
        )

    # ------------------------------------------------------------ inside

    def _router(self, picture: WireArrays, among: Iterable[Box]) -> Router:
        """What finds ways among these."""
        return Router(among, self._rails, lanes=picture.drawing.down, rooms=self._rooms)

    def _router_among_all(self, picture: WireArrays) -> Steps[Router]:
        """The same among all things; made once while they lie where they are."""
        if self._among_all is None:
            rects, found = self._rects[1], list[Box]()
            for number, box in enumerate(boxes(picture, rects, np.arange(len(rects)))):
                found.append(box)
                if number % PORTION == 0:
                    yield
            self._among_all = self._router(picture, found)
        return self._among_all

    def _forget(self, picture: WireArrays, rects: np.ndarray, before: np.ndarray, moved: np.ndarray | None) -> None:
        """In a large picture keep the ways that have nothing to do with the cards that ``moved`` (None: all)."""
        if moved is None:
            self._ways, self._blocked, self._seen = {}, {}, picture.wire_hidden.copy()
            return
        low, high = np.minimum(rects, before)[moved, :2].min(axis=0), np.maximum(rects, before)[moved, 2:].max(axis=0)
        stale = meeting(picture.boxes, low, high)
        stale |= moved[picture.wire_source] | moved[picture.wire_target]
        self._seen = self._seen & ~stale | picture.wire_hidden
        self._ways = {row: way for row, way in self._ways.items() if not stale[row]}
        self._blocked = {row: path for row, path in self._blocked.items() if not stale[row]}

    def _is_looked_at(self, seconds: float) -> bool:
        """Go on looking at all wires together for so long; True when that is done."""
        if self._work is not None and self._work.advance(seconds * 1000):
            self._work = None
        return self._work is None

    def _looking(self, picture: WireArrays, rows: np.ndarray) -> Steps[Ways]:
        """Find what can be found quickly for these wires, and note which need to go round."""
        router, spans = (yield from self._router_among_all(picture)), _spans(picture, rows)
        left = list[int]()
        for row, span in zip(rows.tolist(), spans, strict=True):
            along = self._straight_along_lanes(picture, row, span, router)
            if along:
                self._take(picture, row, along)
            else:
                left.append(row)
            yield
        spans = _spans(picture, np.array(left, np.intp))
        paths = yield from router.finding_ways(spans)
        for row, span, path in zip(left, spans, paths, strict=True):
            if router.is_clear(span, path):
                self._take(picture, row, path)
            elif _is_far(picture, span):
                self._take(picture, row, router.way_along_lanes(span, _number(picture.wires[row])) or path)
            elif not self._goes_as_before(picture, row, span, router):
                self._blocked[row] = path
            yield
        self._seen[rows] = True
        return self._ways

    def _straight_along_lanes(self, picture: WireArrays, row: int, span: Span, router: Router) -> Path:
        """The way of a wire that reaches far and has cards before it, along lanes between rows of cards.

        Empty where that is a long way round, and for wires that run down: many of those have a lane beside the cards.
        """
        if not _is_far(picture, span) or picture.drawing.down:
            return ()
        plain = curve(span.start, span.end)
        if router.is_clear(span, plain):
            return plain
        along = router.way_along_lanes(span, _number(picture.wires[row]))
        direct = reach_of((span.start, span.start, span.start, span.end))
        return along if along and reach_of(along) <= ROUNDABOUT * direct else ()

    def _goes_as_before(self, picture: WireArrays, row: int, span: Span, router: Router) -> bool:
        """True when the way round that a wire had is the one that it has now; until that is found, it keeps it."""
        known = self._round.get(_key(picture.wires[row]))
        if not known or (known.path[0], known.path[-1]) != (span.start, span.end):
            return False
        if not router.is_clear(span, known.path):
            return False
        self._take(picture, row, known.path)
        return known.beside == self._beside(picture, np.array([row]))

    def _beside(self, picture: WireArrays, wires: np.ndarray) -> tuple[Box, ...]:
        """The things among which these wires run."""
        rects = self._rects[1]
        return tuple(boxes(picture, rects, _near(picture, rects, wires)))

    def _go_round(self, picture: WireArrays, rows: np.ndarray, end: float) -> bool:
        """Find ways all round the cards for those of these wires that need them, until ``end``; True for some found."""
        blocked = [row for row in rows.tolist() if row in self._blocked] if self._blocked else []
        for at, row in enumerate(blocked):
            search = self._search = self._searching(picture, row)
            if not search.work.advance(1000 * (end - perf_counter())):
                return at > 0
            self._search = None
            path, found = self._blocked.pop(row), search.work.result
            if found:
                self._round[_key(picture.wires[row])] = Round(found, search.beside)
            self._take(picture, row, found or path)
        return bool(blocked)

    def _searching(self, picture: WireArrays, row: int) -> Search:
        """The search for a wire's way round: the one under way, where it is that wire's."""
        if self._search is not None and self._search.row == row:
            return self._search
        (span,) = _spans(picture, np.array([row]))
        beside, number = self._beside(picture, np.array([row])), _number(picture.wires[row])
        router = self._router(picture, beside)
        return Search(row, beside, Work(router.finding_way_round(span, self._blocked[row], number)))

    def _take(self, picture: WireArrays, row: int, path: Path) -> None:
        self._ways.pop(row, None)
        if len(path) > 4:
            points = np.array(path)
            pieces = np.hstack([points[0:-1:3], points[1::3], points[2::3], points[3::3]])
            self._ways[row] = turned(pieces) if picture.drawing.down else pieces


def _near(picture: WireArrays, rects: np.ndarray, wires: np.ndarray) -> np.ndarray:
    """The rows of the cards among which these wires run."""
    ends = picture.ends[wires].reshape(-1, 2)
    return np.flatnonzero(meeting(rects, ends.min(axis=0) - AROUND, ends.max(axis=0) + AROUND))


def _spans(picture: WireArrays, rows: np.ndarray) -> list[Span]:
    known, ends = shown_as(picture), picture.ends[rows]
    spans = []
    for row, (ax, ay, bx, by) in zip(
        rows.tolist(), (turned(ends) if picture.drawing.down else ends).tolist(), strict=True
    ):
        wire = picture.wires[row]
        source, target = known.get(wire.source, wire.source), known.get(wire.target, wire.target)
        spans.append(Span(source, target, (ax, ay), (bx, by)))
    return spans


def _is_far(picture: WireArrays, span: Span) -> bool:
    """True for a wire of a large picture that is too long for its way to be searched for."""
    (x, y), (x2, y2) = span.start, span.end
    return len(picture.ids) > MOST and abs(x2 - x) + abs(y2 - y) > FAR


def _number(wire: Wire) -> int:
    """By what ways round keep apart: wires that begin at one port go together as far as they can."""
    return wire.source + wire.output + wire.from_grad


def _still_joining(picture: WireArrays, wires_before: Sequence[Wire], ways_before: Ways) -> Ways:
    """The ways of before of the wires that still begin and end where those do, by their numbers now."""
    known = {_key(wires_before[row]): way for row, way in ways_before.items()}
    found = {}
    for row, wire in enumerate(picture.wires) if known else ():
        way = known.get(_key(wire))
        if way is not None and np.array_equal([*way[0, :2], *way[-1, -2:]], picture.ends[row]):
            found[row] = way
    return found


def _key(wire: Wire) -> Key:
    return wire.source, wire.output, wire.from_grad, wire.target, wire.port
