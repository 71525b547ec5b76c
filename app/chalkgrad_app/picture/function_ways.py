"""The arrows of the backward graph: from ``grad_fn`` rows to nodes, to what was saved, to the ``next_functions``.

Each has six corners, some of which may be the same point: out of where it begins, along a lane between rows, up or down
in a channel beside a column of nodes, and in. Arrows that share a channel run beside each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from chalkgrad.layout.boxes import meeting
from chalkgrad.stepwise import Stepwise, finished, share
from chalkgrad_app.picture.anatomy import ROW, Box, Point
from chalkgrad_app.picture.arrow_detours import ArrowDetours, in_the_way
from chalkgrad_app.picture.arrow_lanes import ROUNDS, ends_together, in_lanes
from chalkgrad_app.picture.autograd_shape import INSET, SAVED_HEIGHT, SAVED_TOP, WITH_SAVED, operator_box
from chalkgrad_app.picture.function_columns import DOWN
from chalkgrad_app.picture.function_layer import (
    ABOVE_LINES,
    CTX,
    CTX_GAP,
    DISC_DOWN,
    FUNCTIONS_TOP,
    HEADER,
    INNER,
    LINE,
    LONGEST,
    WIDTH,
    FunctionLayer,
)
from chalkgrad_app.picture.node_arrays import NODE

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

CORNERS = 6
LANE = 16.0
"""How far above the cards of a row arrows run along."""
FIRST, STEP, MOST = 16.0, 7.0, 8
"""Where the first arrow of a channel runs, how far the next beside it, and how many run beside each other."""
OVER = 56.0
"""How far above the first row the lowest arrow runs that leads to another strip."""
OUT, OUT_OF_GRAD = 14.0, 22.0
"""How far from a card an arrow turns."""
PORT = 5.0
FEW = 300
"""With more cards arrows stay where they are until a drag is over."""
MANY = 200
"""More arrows have no lanes while cards are on their way."""
AROUND = 96.0
"""How far outside of the arrows that are led round things others may be in their way."""
AT_ONCE = 0.006
"""For how many seconds arrows are led round things right away."""


class Arrow(NamedTuple):
    """An arrow: the rows of the nodes that it begins at and leads to, -1 for ``card``; ``saves`` leads to a disc."""

    source: int
    target: int
    saves: bool = False
    card: int = 0


class FunctionWays:
    """``arrows`` and their ``ways``, shape (n, 6, 2); those that would run through something go round it.

    ``plain`` are the ways before arrows have lanes beside each other: lanes are always found anew from these, so that
    they don't hang on what was shown before.

    Seen from afar, where cards are marks, they are lines ``far``: x1, y1, x2, y2, the longest first, see :meth:`seen`.
    """

    def __init__(self) -> None:
        self.arrows: list[Arrow] = []
        self.ways = self.plain = np.zeros((0, CORNERS, 2))
        self.far, self._shortness = np.zeros((0, 4)), np.zeros(0)
        self._serial = -1
        self._things = b""
        self._detours = ArrowDetours()
        self._round = dict[int, np.ndarray]()
        """The arrows that go round something, in their lanes."""
        self._led = set[int]()
        self._boxes = np.zeros((0, 4))

    def following(self, picture: Picture) -> Stepwise[None]:
        """Work out all arrows of the picture's functions, where anything stands elsewhere than before, in steps."""
        layer = picture.functions
        things = in_the_way(picture).tobytes() if layer.keys else b""
        if (layer.serial, things) != (self._serial, self._things):
            self._serial, self._things = layer.serial, things
            yield from self._finding(layer, picture)

    def find(self, picture: Picture, scene: QRectF | None, seconds: float) -> bool:
        """Lead arrows in a rectangle of the canvas (None: all) round things, for so long; True when some were."""
        found = self._lead(picture, self.within(scene), seconds)
        if found:
            finished(self._surrounding(picture))
        return found

    def is_done(self, scene: QRectF | None) -> bool:
        """True when nothing is left to be looked for for the arrows in a rectangle of the canvas."""
        return self._detours.is_done(self.within(scene))

    def within(self, scene: QRectF | None) -> np.ndarray:
        """The numbers of the arrows that may touch a rectangle of the canvas; None: all."""
        if scene is None:
            return np.arange(len(self.arrows))
        left, top, right, bottom = self._boxes.T
        across = (left <= scene.right() + 8) & (right >= scene.left() - 8)
        return np.flatnonzero(across & (top <= scene.bottom() + 8) & (bottom >= scene.top() - 8))

    def bounds(self, numbers: Sequence[int] | None = None) -> QRectF:
        """The rectangle around all arrows, or around those with these numbers; empty where there are none."""
        boxes = self._boxes if numbers is None else self._boxes[list(numbers)]
        if not len(boxes):
            return QRectF()
        return QRectF(QPointF(*boxes[:, :2].min(axis=0).tolist()), QPointF(*boxes[:, 2:].max(axis=0).tolist()))

    def corners_of(self, place: int) -> list[QPointF]:
        """Where an arrow begins, turns and ends."""
        return corners(self._round.get(place, self.ways[place]))

    def seen(self, shortest: float) -> np.ndarray:
        """The lines ``far`` that are longer than that in canvas units."""
        return self.far[: int(np.searchsorted(self._shortness, -shortest))]

    def shift(self, picture: Picture) -> None:
        """Have arrows go to where cards are shown on their way, in a picture that is not too large for that."""
        if picture.functions.keys and len(picture.ids) <= FEW:
            self._serial = -1
            finished(self._finding(picture.functions, picture, is_still=False))

    def _finding(self, layer: FunctionLayer, picture: Picture, is_still: bool = True) -> Stepwise[None]:
        self.arrows, self.ways = [], np.zeros((0, CORNERS, 2))
        if layer.keys:
            parts: list[Part] = []
            for part in (_joining, _next, _to_discs, _from_discs):
                parts.append((yield from share(part(layer, picture), len(parts) / 5, (len(parts) + 1) / 5)))
                yield len(parts) / 5
            self.arrows = [arrow for arrows, _ in parts for arrow in arrows]
            self.ways = np.concatenate([ways for _, ways in parts])
        self.plain = self.ways.copy()
        self._detours.take(self.plain, is_still)
        self._led, self._round = set(), {}
        if is_still and len(picture.ids) <= FEW:
            self._detours.find(picture, np.arange(len(self.arrows)), AT_ONCE)
        if is_still or len(self.arrows) <= MANY:
            every, rounds = range(len(self.arrows)), ROUNDS if is_still and len(picture.ids) <= FEW else 1
            yield from share(self._putting_beside(picture, every, rounds=rounds), 0.8, 0.95)
        yield from self._surrounding(picture)

    def _targets(self) -> list[int]:
        """Numbers of where arrows lead, the same for those that end at the same place."""
        return ends_together([(arrow.target, arrow.saves, arrow.target < 0 and arrow.card) for arrow in self.arrows])

    def _lead(self, picture: Picture, places: np.ndarray, seconds: float) -> bool:
        """Lead these arrows round things, for so long, and beside others when all are led; True when some were."""
        known = set(self._detours.found)
        is_found = self._detours.find(picture, places, seconds)
        new = self._detours.found.keys() - known
        self._led |= new
        self._round.update((place, self._detours.found[place].copy()) for place in new)
        if self._led and self._detours.is_done(places):
            if len(picture.ids) <= FEW:
                finished(self._putting_beside(picture, range(len(self.arrows))))
            else:
                finished(self._putting_beside(picture, self._near(sorted(self._led)), self._led))
            self._led = set()
            return True
        return is_found

    def _near(self, led: Sequence[int]) -> list[int]:
        """The numbers of arrows that may run where these do that are led round things."""
        found = self._round
        boxes = np.array([(*found[place].min(axis=0), *found[place].max(axis=0)) for place in led])
        low, high = boxes[:, :2].min(axis=0) - AROUND, boxes[:, 2:].max(axis=0) + AROUND
        every = np.hstack([self.ways.min(axis=1), self.ways.max(axis=1)])
        return sorted({*np.flatnonzero(meeting(every, low, high)).tolist(), *found})

    def _putting_beside(
        self, picture: Picture, near: Sequence[int], moved: Collection[int] | None = None, rounds: int = ROUNDS
    ) -> Stepwise[None]:
        """Give arrows lanes beside each other, all of these or those that are to be ``moved``."""
        if not near:
            return
        if moved is None:
            self.ways[:] = self.plain
            self._round = {place: way.copy() for place, way in self._detours.found.items()}
        found, targets = self._round, self._targets()
        ways = [found.get(place, self.ways[place]) for place in near]
        which = {number for number, place in enumerate(near) if moved is None or place in moved}
        yield from in_lanes(ways, [targets[place] for place in near], self._detours.things(picture), which, rounds)

    def _surrounding(self, picture: Picture) -> Stepwise[None]:
        """Find where arrows are, and what is seen of them from afar."""
        self._boxes = np.hstack([self.ways.min(axis=1), self.ways.max(axis=1)])
        for place, way in self._round.items():
            self._boxes[place] = *way.min(axis=0), *way.max(axis=0)
        yield 0.95
        ways = self._to_marks(picture)
        yield 0.97
        self._draw_far(ways)

    def _draw_far(self, ways: np.ndarray) -> None:
        """What is to be drawn of these ways from afar: their lines, in the order of their lengths."""
        led = {place: way for place, way in self._round.items() if place < len(ways)}
        straight = np.ones(len(ways), bool)
        straight[list(led)] = False
        lines = np.concatenate([ways[straight, :-1], ways[straight, 1:]], axis=2).reshape(-1, 4)
        for place, way in led.items():
            ends = ways[place, :1], way[1:-1], ways[place, -1:]
            points = np.concatenate(ends)
            lines = np.concatenate([lines, np.hstack([points[:-1], points[1:]])])
        lengths = np.abs(lines[:, 2:] - lines[:, :2]).sum(axis=1)
        order = np.argsort(-lengths, kind="stable")
        self.far, self._shortness = lines[order], -lengths[order]

    def _to_marks(self, picture: Picture) -> np.ndarray:
        """The ways of arrows between cards and nodes, and between nodes, to the middles of cards."""
        arrows = [arrow for arrow in self.arrows if not arrow.saves]
        found = self.ways[: len(arrows)].copy()
        at_card = np.array([bool(arrow.card) for arrow in arrows], bool)
        rows = [picture.index[arrow.card] for arrow in arrows if arrow.card]
        corner = np.array([0 if arrow.source < 0 else CORNERS - 1 for arrow in arrows if arrow.card], np.intp)
        found[np.flatnonzero(at_card), corner, 0] = picture.x[rows] + picture.w[rows] / 2
        return found


def is_among(arrow: Arrow, layer: FunctionLayer, ids: Collection[int]) -> bool:
    """True for an arrow of which a picture of these cards shows both ends."""
    ends = [arrow.card] if arrow.card else []
    ends += [layer.cards[row] for row in (arrow.source, arrow.target) if row >= 0]
    return all(id_ in ids for id_ in ends)


Part = tuple[list[Arrow], np.ndarray]


def _joining(layer: FunctionLayer, picture: Picture) -> Stepwise[Part]:
    """Between cards and nodes, through the channels left of the nodes: from ``grad_fn`` rows, and to ``grad`` rows."""
    to_nodes = [layer.index[NODE, outlet.number] for outlet in layer.outlets]
    leaves = np.flatnonzero(layer.accumulates).tolist()
    cards = [outlet.card for outlet in layer.outlets] + [layer.cards[row] for row in leaves]
    places = [picture.anatomy(outlet.card).row(outlet.output) for outlet in layer.outlets]
    boxes = [place.others[0][1] for place in places]
    ports = [picture.anatomy(layer.cards[row]).row(0).grad_port for row in leaves]
    yield 0.2
    at_card = np.array(
        [(box.left + box.width + INSET, box.top + ROW / 2) for box in boxes] + [(x + PORT, y) for x, y in ports]
    ).reshape(-1, 2) + _corners_of(picture, cards)
    headers = np.array([picture.anatomy(id_).header.top for id_ in cards])
    count, nodes = len(to_nodes), to_nodes + leaves
    above = _corners_of(picture, cards)[:, 1] + headers - np.where(np.arange(len(nodes)) < count, LANE, LANE / 2)
    yield 0.4
    lanes = _lanes(picture, at_card, above, *_strips(picture, cards))
    yield 0.6
    middle = np.where(np.arange(len(nodes)) < count, (FUNCTIONS_TOP + layer.h[nodes] - INNER) / 2, HEADER / 2)
    at_node = np.stack([layer.x[nodes], layer.y[nodes] + middle], axis=1)
    beside = np.array(tracks(layer.x[nodes], lanes, at_node[:, 1]))
    yield 0.8
    channel = layer.x[nodes] - CTX - CTX_GAP - FIRST - STEP * beside
    out = at_card[:, 0] + np.where(np.arange(len(nodes)) < count, OUT, OUT_OF_GRAD)
    ways = _bent(at_card, at_node, out, channel, lanes)
    ways[count:] = ways[count:, ::-1]
    there = [Arrow(-1, row, card=id_) for row, id_ in zip(to_nodes, cards, strict=False)]
    return there + [Arrow(row, -1, card=layer.cards[row]) for row in leaves], ways


def _to_discs(layer: FunctionLayer, picture: Picture) -> Stepwise[Part]:
    """From the row of an operator that says what it saves to the disc; from its box where it has no such row."""
    every = ((row, operator_box(picture.anatomy(layer.cards[row]))) for row in np.flatnonzero(layer.saves).tolist())
    boxes = {row: box for row, box in every if box is not None}
    yield 0.3
    rows = list(boxes)
    cards = [layer.cards[row] for row in rows]
    corners = _corners_of(picture, cards)
    widths = np.array([picture.anatomy(id_).width for id_ in cards])
    starts = corners + np.array([_right_of(box) for box in boxes.values()]).reshape(-1, 2)
    ends = np.stack([layer.x[rows] - CTX_GAP - CTX, layer.y[rows] + DISC_DOWN], axis=1)
    yield 0.6
    lanes = _lanes(picture, starts, corners[:, 1] - LANE / 2, *_strips(picture, cards))
    ways = _bent(starts, ends, corners[:, 0] + widths + OUT, ends[:, 0] - OUT, lanes)
    return [Arrow(-1, row, True, id_) for row, id_ in zip(rows, cards, strict=True)], ways


def _right_of(box: Box) -> Point:
    """Where an arrow leaves an operator's box: from what it saves; another may have overwritten its result since."""
    if box.height < WITH_SAVED:
        return box.left + box.width, box.height / 2
    return box.left + box.width - INNER, SAVED_TOP + SAVED_HEIGHT / 2


def _from_discs(layer: FunctionLayer, _picture: Picture) -> Stepwise[Part]:
    """From each disc on to what its node has saved."""
    yield 0.0
    rows = np.flatnonzero(layer.saves)
    ways = np.empty((len(rows), CORNERS, 2))
    ways[:, 0, 0] = layer.x[rows] - CTX_GAP
    ways[:, 1:, 0] = layer.x[rows][:, None]
    ways[:, :, 1] = (layer.y[rows] + DISC_DOWN)[:, None]
    return [Arrow(row, row, True) for row in rows.tolist()], ways


def _next(layer: FunctionLayer, _picture: Picture) -> Stepwise[Part]:
    """From each of the ``next_functions`` to its node: right, up, and into it from below.

    Into another strip an arrow leads above all, down beside the nodes there, and into one from the right.
    """
    edges = [(row, at, to) for row, into in enumerate(layer.edges) for at, to in enumerate(into) if to is not None]
    yield 0.3
    source, place, target = np.array(edges, np.intp).reshape(-1, 3).T
    y = layer.y[source] + FUNCTIONS_TOP + ABOVE_LINES + LINE * (np.minimum(place, LONGEST) + 1.5)
    right, bottom = layer.x[source] + WIDTH, layer.y[target] + layer.h[target]
    above, middle = bottom + DOWN / 2, layer.x[target] + WIDTH / 2
    turn = right + FIRST + STEP * np.array(tracks(right, y, above))
    yield 0.8
    xs = np.stack([right - INNER, turn, turn, middle, middle, middle], axis=1)
    ys = np.stack([y, y, above, above, bottom, bottom], axis=1)
    ways = np.stack([xs, ys], axis=2)
    for at in np.flatnonzero(layer.strip[source] != layer.strip[target]).tolist():
        node = edges[at][2]
        beside = layer.strips[int(layer.strip[node])].end + STEP * (1 + at % MOST)
        top, end, into = -OVER - STEP * (at % MOST), layer.x[node] + WIDTH, layer.y[node] + HEADER / 2
        ways[at, 2:, 0] = turn[at], beside, beside, end
        ways[at, 2:, 1] = top, top, into, into
    return [Arrow(row, to) for row, _, to in edges], ways


def _bent(starts: np.ndarray, ends: np.ndarray, out: np.ndarray, down: np.ndarray, lanes: np.ndarray) -> np.ndarray:
    """Out of the starts to one side, to the lanes, along them, and on to the ends."""
    xs = np.stack([starts[:, 0], out, out, down, down, ends[:, 0]], axis=1)
    ys = np.stack([starts[:, 1], starts[:, 1], lanes, lanes, ends[:, 1], ends[:, 1]], axis=1)
    return np.stack([xs, ys], axis=2)


def _corners_of(picture: Picture, ids: Iterable[int]) -> np.ndarray:
    rows = np.array([picture.index[id_] for id_ in ids], np.intp)
    return np.stack([picture.x[rows], picture.y[rows]], axis=1)


def _strips(picture: Picture, cards: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The number of the strip of each of these cards, and of each card of the picture."""
    every = picture.strips_of(range(len(picture.ids)))
    return every[[picture.index[id_] for id_ in cards]], every


def _lanes(picture: Picture, starts: np.ndarray, above: np.ndarray, of: np.ndarray, strip: np.ndarray) -> np.ndarray:
    """The heights at which arrows run along: straight where no card is in the way, else above the row.

    In the way of one ``of`` a strip are only cards of that; ``strip`` has the numbers of theirs.
    """
    found = starts[:, 1].copy()
    for number in np.unique(of).tolist():
        here = np.flatnonzero(of == number)
        is_in_way = _furthest(picture, found[here], strip == number) > starts[here, 0]
        found[here] = np.where(is_in_way, above[here], found[here])
    return found


def _furthest(picture: Picture, heights: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Where the card furthest to the right begins among those that each of these heights runs through."""
    shown = np.flatnonzero(among & ~picture.hidden)
    lefts, tops, bottoms = picture.x[shown], picture.y[shown], (picture.y + picture.h)[shown]
    levels = np.sort(np.concatenate([tops, bottoms]))
    found = np.full(2 * len(levels) + 1, -np.inf)  # at 2n + 1 for level n itself, at 2n between it and the one above
    first, last = 2 * levels.searchsorted(tops, "right"), 2 * levels.searchsorted(bottoms, "left") + 1
    order = np.argsort(lefts, kind="stable")
    for left, begin, end in zip(lefts[order].tolist(), first[order].tolist(), last[order].tolist(), strict=True):
        found[begin:end] = left
    below = levels.searchsorted(heights, "left")
    is_level = below < len(levels)
    is_level[is_level] = levels[below[is_level]] == heights[is_level]
    return np.asarray(found[2 * below + is_level])


def tracks(channels: np.ndarray, one: np.ndarray, other: np.ndarray) -> list[int]:
    """For each span, from ``one`` height to the ``other``, a track of its channel where it overlaps none beside it."""
    tops, bottoms = np.minimum(one, other).tolist(), np.maximum(one, other).tolist()
    ends: defaultdict[float, list[float]] = defaultdict(list)
    places, found = channels.tolist(), [0] * len(tops)
    for number in np.argsort(np.minimum(one, other), kind="stable").tolist():
        taken, top = ends[places[number]], tops[number]
        track = next((at for at, bottom in enumerate(taken) if bottom + STEP < top), len(taken))
        taken[track : track + 1] = [bottoms[number]]
        found[number] = track % MOST
    return found


def corners(way: np.ndarray) -> list[QPointF]:
    """The corners of a way, without those that are none."""
    found = [QPointF(*way[0].tolist())]
    for x, y in way[1:].tolist():
        here = found[-1]
        if abs(here.x() - x) + abs(here.y() - y) < 0.5:
            continue
        if len(found) > 1 and _goes_on(found[-2:], x, y):
            found[-1] = QPointF(x, y)
        else:
            found.append(QPointF(x, y))
    return found


def _goes_on(last: Iterable[QPointF], x: float, y: float) -> bool:
    """True when the way to (x, y) goes on straight."""
    return all(point.x() == x for point in last) or all(point.y() == y for point in last)
