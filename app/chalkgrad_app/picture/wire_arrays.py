"""The wires of a picture as arrays: between which cards, where they begin and end, how they run, how they are drawn."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from chalkgrad.program.program import Program
from chalkgrad.stepwise import Stepwise
from chalkgrad_app.picture.card_arrays import CardArrays
from chalkgrad_app.picture.marks import Fact
from chalkgrad_app.picture.routing import Routing, Ways
from chalkgrad_app.picture.wires import Wire, boxes, cubics, finding_wires, points_on, start_of, wires_into

PORTION = 200
"""So many wires are looked at in one step."""
CUTTING = frozenset({".data", ".detach()"})
"""Tags through which no gradient flows."""


class WireArrays(CardArrays):
    """``wires``, and by their numbers where they are and how they look.

    ``ends`` (rows ax, ay, bx, by), ``boxes`` (left, top, right, bottom), ``wire_source``, ``wire_target`` and
    ``wire_tensor`` (rows of cards; the last has what flows), ``thick``, ``dotted``, ``faulty`` (an error came along
    it), ``wire_hidden``; ``tagged`` are numbers of wires. Pieces: ``cubics`` (rows of four points, mostly one a wire;
    see :meth:`_bend` for their order) and ``piece_wire``, the number of the wire of each. ``tag_places`` are known for
    those wires whose tags were asked for since they run as they do.
    """

    def __init__(self) -> None:
        super().__init__()
        self._routing = Routing()
        self._bent = np.zeros(0, np.intp)
        self._writes = False
        self.wires: list[Wire] = []
        self._source_ids, self._target_ids, self._tensor_ids = (np.zeros(0, np.intp) for _ in range(3))
        self.wire_source, self.wire_target, self.wire_tensor = (np.zeros(0, np.intp) for _ in range(3))
        self.piece_wire, self.tagged = (np.zeros(0, np.intp) for _ in range(2))
        self.thick, self.dotted, self.faulty, self.wire_hidden = (np.zeros(0, bool) for _ in range(4))
        self._cut, self._has_tags = (np.zeros(0, bool) for _ in range(2))
        self._from, self._to = np.zeros((0, 2)), np.zeros((0, 2))
        self.ends, self.boxes, self.cubics = np.zeros((0, 4)), np.zeros((0, 4)), np.zeros((0, 8))
        self.tag_places: dict[int, tuple[float, float]] = {}

    # ------------------------------------------------------------ read

    def around_wires(self, rect: QRectF, ids: Collection[int] | None = None) -> QRectF:
        """The rectangle around ``rect`` and all wires, or those among the cards ``ids``."""
        seen, (left, top, right, bottom) = ~self.wire_hidden, self.boxes.T
        if ids is not None:
            among = self.among(ids)
            seen &= among[self.wire_source] & among[self.wire_target]
        out = (left < rect.left()) | (top < rect.top()) | (right > rect.right()) | (bottom > rect.bottom())
        points = points_on(self.cubics[(seen & out)[self.piece_wire]]).reshape(-1, 2)
        if not len(points):
            return rect
        return rect.united(QRectF(QPointF(*points.min(axis=0).tolist()), QPointF(*points.max(axis=0).tolist())))

    def wires_of(self, ids: Collection[int]) -> np.ndarray:
        """Indices of the wires from or to any of the cards ``ids``."""
        return np.flatnonzero(self._at_cards(self.among(ids)))

    def pieces_of(self, wires: np.ndarray) -> np.ndarray:
        """Indices of the pieces (in ``cubics``) of the wires with these numbers."""
        if len(self.cubics) == len(self.wires):
            return wires
        wanted = np.zeros(len(self.wires), bool)
        wanted[wires] = True
        return np.flatnonzero(wanted[self.piece_wire])

    def points_at(self, wires: np.ndarray, part: float) -> np.ndarray:
        """The point of each of these wires that lies ``part`` (0 to 1) of the way from its beginning: rows x, y."""
        return self.points_along(wires, np.array([part]))[:, 0]

    def points_along(self, wires: np.ndarray, parts: np.ndarray) -> np.ndarray:
        """The same for several parts of the way: for each wire rows x, y."""
        pieces = self.pieces_of(wires)
        pieces = pieces[np.argsort(self.piece_wire[pieces], kind="stable")]
        owner = self.piece_wire[pieces]
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        counts = np.diff(first, append=len(owner))[:, None]
        along = parts * counts
        which = np.minimum(along.astype(np.intp), counts - 1)
        t = along - which
        weights = np.stack([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3], axis=2)
        corners = self.cubics[pieces[first[:, None] + which]].reshape(*which.shape, 4, 2)
        points: np.ndarray = (corners * weights[..., None]).sum(axis=2)
        return points

    def sources(self) -> dict[int, list[int]]:
        """For each card that reads others, by row, the rows of those."""
        found: dict[int, list[int]] = {}
        for source, target in zip(self.wire_source.tolist(), self.wire_target.tolist(), strict=True):
            found.setdefault(target, []).append(source)
        return found

    # ------------------------------------------------------------ which wires

    def _connect(self, before: Program, cards: Collection[int], differing: Collection[int]) -> Stepwise[np.ndarray]:
        """The wires of the program, which was ``before`` with ``cards``; returns for each wire whether it is new."""
        if not self._is_simple(before, cards, differing):
            self._writes = any(map(self.program.writes, self.program))
            found = yield from finding_wires(self.program, self._cards)
            return self._merge(np.zeros(0, np.intp), found, self._rows_by_id())
        return self._reconnect(differing)

    def _is_simple(self, before: Program, cards: Collection[int], differing: Collection[int]) -> bool:
        """True when an edit changes no wires but those into what ``differing`` has.

        Who reads something written in place, or written inline in another's line, has wires that hang on others too.
        """
        program = self.program
        if not before.order or self._writes:
            return False
        inline = before.inline | program.inline
        if inline and not (inline.isdisjoint(differing) and inline.isdisjoint(program.differing(before))):
            return False
        known = [id_ for id_ in differing if id_ in before]
        if any((id_ in cards) != (id_ in self._cards) for id_ in known):
            return False
        return not any(map(program.writes, map(program.statements.__getitem__, differing)))

    def _reconnect(self, differing: Collection[int]) -> np.ndarray:
        """Keep the wires that are as they were; find those into ``differing`` anew."""
        anew = sorted([id_ for id_ in differing if id_ in self._cards], key=self.index.__getitem__)
        row_of = self._rows_by_id()
        into = row_of[self._target_ids]
        kept = (into >= 0) & (row_of[self._source_ids] >= 0)
        if anew:
            again = np.zeros(len(self.ids), bool)
            again[row_of[anew]] = True
            kept &= ~again[into]
        program, cards = self.program, self._cards
        found = [wire for id_ in anew for wire in wires_into(program, program.statements[id_], cards, {})]
        if self._are_these(found, kept, row_of):
            return np.zeros(len(self.wires), bool)
        return self._merge(np.flatnonzero(kept), found, row_of)

    def _are_these(self, found: list[Wire], kept: np.ndarray, row_of: np.ndarray) -> bool:
        """True when the wires ``found`` are those that are not ``kept``, and no card has another row: a new number."""
        if [self.wires[number] for number in np.flatnonzero(~kept).tolist()] != found:
            return False
        rows = (row_of[self._source_ids], self.wire_source), (row_of[self._target_ids], self.wire_target)
        return all(np.array_equal(now, before) for now, before in rows)

    def _merge(self, kept: np.ndarray, found: list[Wire], row_of: np.ndarray) -> np.ndarray:
        """Have the wires with the numbers ``kept`` and those ``found``, in the order of their readers.

        Returns for each wire whether it is one of those found. Before the first and behind the last that differs, all
        stays as it is, in one piece.
        """
        count, had = len(found), len(self.wires)
        sources = np.array([wire.source for wire in found], np.intp)
        targets = np.array([wire.target for wire in found], np.intp)
        tensors = np.array([wire.source if wire.tensor is None else wire.tensor for wire in found], np.intp)
        cut = np.array([wire.from_grad or not CUTTING.isdisjoint(wire.tags) for wire in found], bool)
        has_tags = np.array([bool(wire.tags) for wire in found], bool)
        order = np.argsort(row_of[np.concatenate([self._target_ids[kept], targets])], kind="stable")
        number = np.concatenate([kept, np.arange(had, had + count)])[order]
        first = _in_place(number, np.arange(had))
        behind = _in_place(number[first:][::-1], np.arange(had - 1, first - 1, -1))
        window, rest = number[first : len(number) - behind], had - behind

        def merged(old: np.ndarray, new: np.ndarray) -> np.ndarray:
            between = np.empty((len(window), *old.shape[1:]), old.dtype)
            is_new = window >= had
            between[is_new], between[~is_new] = new[window[is_new] - had], old[window[~is_new]]
            return np.concatenate([old[:first], between, old[rest:had]])

        pool = [self.wires[wire] if wire < had else found[wire - had] for wire in window.tolist()]
        bent = np.zeros(had, bool)
        bent[self._bent] = True
        self.wires = [*self.wires[:first], *pool, *self.wires[rest:]]
        self.cubics = merged(self.cubics, np.zeros((count, 8)))
        self._bent = np.flatnonzero(merged(bent, np.zeros(count, bool)))
        self._source_ids, self._target_ids = merged(self._source_ids, sources), merged(self._target_ids, targets)
        self._tensor_ids = merged(self._tensor_ids, tensors)
        self._cut, self._has_tags = merged(self._cut, cut), merged(self._has_tags, has_tags)
        self._from, self._to = merged(self._from, np.zeros((count, 2))), merged(self._to, np.zeros((count, 2)))
        self.ends, self.boxes = merged(self.ends, np.zeros((count, 4))), merged(self.boxes, np.zeros((count, 4)))
        self.wire_source, self.wire_target = row_of[self._source_ids], row_of[self._target_ids]
        self.wire_tensor = row_of[self._tensor_ids]
        self.wire_hidden = np.zeros(len(self.wires), bool)
        self.piece_wire, self.tagged = np.arange(len(self.wires)), np.flatnonzero(self._has_tags)
        return number >= had

    def _rows_by_id(self) -> np.ndarray:
        """The row of each card by its id; -1 where there is none."""
        found = np.full(self._highest + 1, -1, np.intp)
        found[self._of_rows] = np.arange(len(self.ids))
        return found

    # ------------------------------------------------------------ where they run

    def _at_cards(self, cards: np.ndarray) -> np.ndarray:
        """For each wire whether it begins or ends at one of these cards, told for each card."""
        return np.asarray(cards[self.wire_source] | cards[self.wire_target], bool)

    def _aim(self, stale: np.ndarray) -> Stepwise[None]:
        """Where on its cards each wire begins and ends (``stale`` ones alone), and whether gradient will flow on it."""
        shapes, wires, rows = self._anatomies, self.wires, np.flatnonzero(stale)
        sources, targets = self.wire_source[rows].tolist(), self.wire_target[rows].tolist()
        places: list[float] = []
        for done, (row, source, target) in enumerate(zip(rows.tolist(), sources, targets, strict=True)):
            if done % PORTION == 0:
                yield done / len(rows)
            wire = wires[row]
            places += start_of(shapes[source], wire)
            places += shapes[target].input(wire.port)
        found = np.array(places).reshape(-1, 4)
        self._from[rows], self._to[rows] = found[:, :2], found[:, 2:]
        self.folding.aim(self, self._from, self._to)
        flowing, has_foot = (self.facts & Fact.THICK) != 0, (self.facts & Fact.FOOT) != 0
        self.thick = flowing[self.wire_tensor] & has_foot[self.wire_target] & ~self._cut
        self.dotted = self._at_cards((self.facts & Fact.GHOST) != 0)
        self.faulty = self._at_fault((self.facts & Fact.ERROR) != 0) & ~self.dotted

    def _at_fault(self, cards: np.ndarray) -> np.ndarray:
        """The wires among cards at fault, and those from what two of them read: one wrote what the other had saved."""
        into = cards[self.wire_target]
        pairs = np.sort(self.wire_tensor[into] * len(cards) + self.wire_target[into])  # np.unique takes long to import
        pairs = pairs[np.diff(pairs, prepend=-1) != 0]
        shared = np.bincount(pairs // len(cards), minlength=len(cards)) > 1
        return np.asarray(into & (cards[self.wire_source] | shared[self.wire_tensor]))

    def _join(self, rows: np.ndarray) -> None:
        """Where these wires begin and end on the canvas."""
        source, target = self.wire_source[rows], self.wire_target[rows]
        self.ends[rows, 0] = self.x[source] + self._from[rows, 0]
        self.ends[rows, 1] = self.y[source] + self._from[rows, 1]
        self.ends[rows, 2] = self.x[target] + self._to[rows, 0]
        self.ends[rows, 3] = self.y[target] + self._to[rows, 1]

    def _bend(self, rows: np.ndarray, ways: Ways) -> None:
        """The curves of wires: plain ones, ``rows`` anew, but for ``ways``, which go round cards.

        The first pieces of all wires stand first, in the order of their wires, then the others.
        """
        count, moved = len(self.wires), np.zeros(len(self.wires), bool)
        moved[rows] = True
        moved[self._bent] = True
        rows = np.flatnonzero(moved)
        self._bent = np.array(list(ways), np.intp)
        pieces, counts = np.concatenate([np.zeros((0, 8)), *ways.values()]), [len(way) for way in ways.values()]
        first = np.cumsum([0, *counts[:-1]]) if ways else np.zeros(0, np.intp)
        if ways or len(self.cubics) > count:
            self.cubics = np.concatenate([self.cubics[:count], np.delete(pieces, first, axis=0)])
            self.piece_wire = np.concatenate([np.arange(count), np.delete(self._bent.repeat(counts), first)])
        self.cubics[rows] = cubics(self.ends[rows], self.drawing.down)
        self.boxes[rows] = boxes(self.cubics[rows])
        self.tag_places = {}
        if ways:
            self.cubics[self._bent], around = pieces[first], boxes(pieces)
            self.boxes[self._bent, :2] = np.minimum.reduceat(around[:, :2], first)
            self.boxes[self._bent, 2:] = np.maximum.reduceat(around[:, 2:], first)


def _in_place(numbers: np.ndarray, places: np.ndarray) -> int:
    """How many of ``numbers`` are those of their places, before the first that is not."""
    length = min(len(numbers), len(places))
    other = np.flatnonzero(numbers[:length] != places[:length])
    return int(other[0]) if len(other) else length
