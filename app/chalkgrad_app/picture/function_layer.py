"""The backward graph beside the cards of the autograd drawing: its Function nodes and the discs with what they saved.

Nodes stand in columns right of all cards, each as high as the operator that made it, so that the backward graph is the
mirror of the forward one. Places follow from that alone; nothing here is moved by hand. What is to come stands where it
will be, so nothing moves in time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from chalkgrad.layout import Strip
from chalkgrad.session.events import NodeRecord
from chalkgrad.stepwise import Stepwise, finished, share
from chalkgrad_app.picture.autograd_shape import SAVED_HEIGHT, SAVED_TOP
from chalkgrad_app.picture.function_columns import in_columns, stacked_leaves
from chalkgrad_app.picture.marks import Fact
from chalkgrad_app.picture.node_arrays import NODE, Key, NodeArrays
from chalkgrad_app.picture.present import Present
from chalkgrad_app.picture.strips import ends_of_cards

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture
    from chalkgrad_app.picture.roots import Roots

ACCUMULATES = "AccumulateGrad"
WIDTH, HEADER = 232.0, 32.0
INNER, GAP = 8.0, 6.0
SAVED_ROW, LINE = 26.0, 20.0
FUNCTIONS_TOP = HEADER + GAP + SAVED_ROW + GAP
"""How far down a node has its ``next_functions``."""
ABOVE_LINES = 5.0
DISC_DOWN = HEADER + GAP + SAVED_ROW / 2
"""How far below the top of its node the middle of a disc is."""
LONGEST = 5
"""So many of the ``next_functions`` are written out."""
CTX, CTX_GAP = 48.0, 28.0
"""The disc with what was saved, and the room between it and its node."""
CHANNEL, PITCH_GAP = 80.0, 112.0
"""Room between the cards and the first column, and between columns."""
PITCH = CTX + CTX_GAP + WIDTH + PITCH_GAP
PORTION = 500
"""So many are looked at in one step."""


class Outlet(NamedTuple):
    """A card's output whose ``grad_fn`` is the node with this number."""

    card: int
    output: int
    number: int


class _Leads(NamedTuple):
    """The nodes that a card leads to, as (output, number); ``now`` is False for one that is to come."""

    nodes: tuple[tuple[int, int], ...] = ()
    now: bool = True
    is_covered: bool = False


class _Shown(NamedTuple):
    """Which nodes there are, by number in the trace, the card that each stands beside, and which cards lead to them.

    Another run may give the same numbers to other nodes, so what is recorded of each belongs to it, and if it saved.
    """

    numbers: tuple[int, ...]
    cards: tuple[int, ...]
    outlets: tuple[Outlet, ...]
    records: tuple[NodeRecord, ...]
    saves: tuple[bool, ...]


NOBODY = _Shown((), (), (), (), ())


class FunctionLayer(NodeArrays):
    """The Function nodes of one picture.

    ``edges`` are the rows of the next functions by row, None for none; ``outlets`` tell which cards lead to nodes;
    ``strip`` are the numbers of their ``strips``; ``serial`` is another number whenever anything stands elsewhere.
    """

    def __init__(self) -> None:
        super().__init__()
        self.edges: list[tuple[int | None, ...]] = []
        self.accumulates, self.saves = np.zeros(0, bool), np.zeros(0, bool)
        self.strips: tuple[Strip, ...] = ()
        self.strip = np.zeros(0, np.intp)
        self.serial = 0
        self._records: list[NodeRecord] = []
        self._saves: dict[int, bool] = {}
        self._made: dict[int, list[int]] = {}
        self._source: Sequence[NodeRecord] = ()
        self._left_out: frozenset[int] = frozenset()
        self._shown = NOBODY
        self._numbers = np.zeros(0, np.intp)
        self._stamp: tuple[object, ...] = ()
        self._basis: tuple[object, ...] = ()
        self._roots: list[Roots | None] = []
        self._leads: list[_Leads] = []
        self._present = Present()
        self._is_awaited = np.zeros(0, bool)
        self._stand_alone = False
        self._geometry: bytes | None = None

    @property
    def outlets(self) -> tuple[Outlet, ...]:
        """The outputs of cards that lead to nodes."""
        return self._shown.outlets

    def following(self, picture: Picture) -> Stepwise[None]:
        """Mirror the backward graph of the picture's state, where the drawing shows it, in steps."""
        if not picture.drawing.shows_functions:
            if self._shown != NOBODY:
                self._show(NOBODY)
                self._stamp = self._basis = ()
                self.serial += 1
            return
        picture.look_at_roots()
        yield from share(self._read(picture), 0.0, 0.2)
        stamp = self._stamp_of(picture)
        if stamp != self._stamp:
            self._stamp = stamp
            yield from share(self._collect(picture), 0.2, 0.7)
        geometry = _geometry_of(picture)
        if geometry != self._geometry:
            self._geometry = geometry
            self.serial += 1
            yield from share(self._place(picture), 0.7, 1.0)

    def follows_in_time(self, picture: Picture) -> bool:
        """Mirror another moment of the same run; False where other nodes are there, or anything stands elsewhere.

        It is as it was then: what takes long waits for :meth:`following`.
        """
        if not picture.drawing.shows_functions:
            finished(self.following(picture))
            return True
        source = picture.state.nodes
        if source is not self._source or len(source) != len(self._records) or _geometry_of(picture) != self._geometry:
            return False
        picture.look_at_roots()
        stamp = self._stamp_of(picture)
        if stamp == self._stamp:
            return True
        if self._basis_of(picture) != self._basis or any(self._look_at_cards(picture)):
            self._stand_alone = False
            return False
        self._stamp = stamp
        self._look_at_time(picture)
        return True

    def goes_with(self, picture: Picture) -> bool:
        """True while each node that there was stands beside a card that is still there."""
        return picture.index.keys() >= set(self.cards)

    # ------------------------------------------------------------ read

    def at(self, point: QPointF) -> Key | None:
        """The node at a point; its disc is a part of it."""
        found = super().at(point)
        if found is not None:
            return found
        inside = np.hypot(self.x - CTX_GAP - CTX / 2 - point.x(), self.y + DISC_DOWN - point.y()) <= CTX / 2
        rows = np.flatnonzero(inside & self.saves)
        return self.keys[int(rows[-1])] if len(rows) else None

    def bounds(self) -> QRectF:
        """The rectangle around all nodes and discs."""
        found = super().bounds()
        return found.adjusted(-CTX - CTX_GAP, 0, 0, 0) if not found.isEmpty() else found

    def card_beyond(self, row: int, right: int) -> int | None:
        """The card that a node came from lies left of it."""
        return self.cards[row] if right < 0 else None

    def joined(self, row: int, right: int) -> list[int]:
        """The rows of the nodes that lead to one (+1), or of its ``next_functions`` (-1), each once."""
        if right < 0:
            return list(dict.fromkeys(edge for edge in self.edges[row] if edge is not None))
        return [other for other, edges in enumerate(self.edges) if row in edges]

    def number(self, row: int) -> int:
        """The number of the node in the trace."""
        return self.keys[row][1]

    def record(self, number: int) -> NodeRecord:
        """What is known of a node of the trace that all this was read from: the picture's may be a younger one."""
        return self._records[number]

    def beside_next(self, number: int, place: int) -> tuple[float, float]:
        """Where an arrow from one of the ``next_functions`` of a node begins: on its right edge."""
        row = self.index[NODE, number]
        line = FUNCTIONS_TOP + ABOVE_LINES + LINE * (min(place, LONGEST) + 1.5)
        return float(self.x[row]) + WIDTH, float(self.y[row]) + line

    def disc(self, row: int) -> QRectF:
        """The disc of a node that saved something."""
        return QRectF(self.x[row] - CTX_GAP - CTX, self.y[row] + DISC_DOWN - CTX / 2, CTX, CTX)

    def discs(self) -> np.ndarray:
        """The rectangles around all discs: rows left, top, right, bottom."""
        right, middle = self.x[self.saves] - CTX_GAP, self.y[self.saves] + DISC_DOWN
        return np.stack([right - CTX, middle - CTX / 2, right, middle + CTX / 2], axis=1)

    def saved_box(self) -> QRectF:
        """Where a node has what it saved, from its top left corner; an AccumulateGrad has its variable there."""
        return QRectF(INNER, HEADER + GAP, WIDTH - 2 * INNER, SAVED_ROW)

    def functions_box(self, row: int) -> QRectF:
        """Where a node has its ``next_functions``, from its top left corner."""
        return QRectF(INNER, FUNCTIONS_TOP, WIDTH - 2 * INNER, float(self.h[row]) - INNER - FUNCTIONS_TOP)

    # ------------------------------------------------------------ what there is

    def _stamp_of(self, picture: Picture) -> tuple[object, ...]:
        """What the nodes that are there hang on, and which of them are to come."""
        return picture.roots_serial, self._source, len(self._records), picture.hidden.tobytes()

    def _basis_of(self, picture: Picture) -> tuple[object, ...]:
        """What has all cards looked at anew when it is another."""
        return picture.ids, self._source, len(self._records), self._left_out, picture.hidden.tobytes()

    def _read(self, picture: Picture) -> Stepwise[None]:
        """Take in the nodes of the trace that are new."""
        source = picture.state.nodes
        if source is not self._source:
            self._source, self._records, self._saves, self._made = source, [], {}, {}
        self._left_out = frozenset(node.number for graph in picture.state.graphs for node in graph.nodes)
        for number in range(len(self._records), len(source)):
            record = NodeRecord._make(source[number])
            self._records.append(record)
            if not record.pass_ and record.name != ACCUMULATES:
                self._made.setdefault(record.statement, []).append(number)
            if number % PORTION == 0:
                yield number / len(source)

    def _collect(self, picture: Picture) -> Stepwise[None]:
        """Which nodes there are, and which of them are still to come."""
        is_other = False
        for is_one_other in self._look_at_cards(picture):
            is_other |= is_one_other
            yield 0.2
        if is_other or not self._stand_alone:  # else places hang on how nodes were reached
            now = [number for leads in self._leads if leads.now for _, number in leads.nodes]
            later = [number for leads in self._leads if not leads.now for _, number in leads.nodes]
            reached = self._reached(later) | self._reached(now)
            yield 0.3
            cards = self._cards(picture, reached)
            yield 0.4
            self._stand_alone = all(self._records[number].statement == card for number, card in cards.items())
            by_card = zip(picture.ids, self._leads, strict=True)
            outlets = [Outlet(id_, *lead) for id_, leads in by_card for lead in leads.nodes if lead[1] in cards]
            yield 0.5
            yield from share(self._take_in(picture, cards, outlets), 0.5, 1.0)
        self._look_at_time(picture)

    def _look_at_time(self, picture: Picture) -> None:
        """Which of the nodes that there are, are still to come."""
        self.to_come = ~self._present.there[self._numbers] | self._awaited(picture)

    def _awaited(self, picture: Picture) -> np.ndarray:
        """The nodes of statements that have not begun: what seems to hold one was looked at at another moment."""
        if not self._stand_alone:
            return np.zeros(len(self.cards), bool)
        rows = np.array([picture.index[card] for card in self.cards], np.intp)
        found: np.ndarray = self._is_awaited[rows] & ((picture.facts[rows] & Fact.GHOST) != 0)
        return found

    def _look_at_cards(self, picture: Picture) -> Iterator[bool]:
        """Follow those that lead to other nodes than before; in time, nearly always, only what is to come differs.

        Says of some after the others whether their nodes, and not only when they are there, are other than before.
        """
        basis = self._basis_of(picture)
        is_other = basis != self._basis
        if is_other:
            self._basis = basis
            self._roots, self._leads = [None] * len(picture.ids), [_Leads()] * len(picture.ids)
            self._present = Present(self._records, self._left_out)
            self._is_awaited = np.zeros(len(picture.ids), bool)
        rows = list(compress(range(len(picture.ids)), map(is_not, picture.roots, self._roots)))
        self._roots = list(picture.roots)
        for place, row in enumerate(rows):
            before, leads = self._leads[row], self._leads_of(picture.ids[row], picture.roots[row])
            self._leads[row], self._is_awaited[row] = leads, not leads.now
            is_other |= leads.nodes != before.nodes or leads.is_covered != before.is_covered
            for _, number in leads.nodes if leads.now else ():
                self._present.hold(number)
            for _, number in before.nodes if before.now else ():
                self._present.release(number)
            if place % PORTION == 0:
                yield is_other
        yield is_other

    def _leads_of(self, id_: int, roots: Roots) -> _Leads:
        """The nodes that a card leads to; before it has a tensor the last that its statement makes."""
        if roots.is_there:
            nodes = tuple([node for node in roots.nodes if node[1] not in self._left_out])
            return _Leads(nodes, True, roots.is_covered)
        later = self._made.get(id_)
        return _Leads(((0, later[-1]),) if later else (), False, roots.is_covered)

    def _take_in(self, picture: Picture, cards: Mapping[int, int], outlets: Iterable[Outlet]) -> Stepwise[None]:
        """Have these nodes, each beside a card, and the outlets that lead to some of them."""
        numbers = tuple(sorted(cards))
        for place, number in enumerate(cards.keys() - self._saves):
            self._saves[number] = bool(picture.state.saved_by(number))
            if place % PORTION == 0:
                yield 0.2
        records = tuple([self._records[number] for number in numbers])
        saves = tuple([self._saves[number] for number in numbers])
        shown = _Shown(numbers, tuple([cards[number] for number in numbers]), tuple(sorted(outlets)), records, saves)
        yield 0.6
        self._show(shown)
        yield 1.0

    def _reached(self, numbers: Iterable[int]) -> dict[int, int]:
        """All nodes that edges lead to from these, each with the node that it was reached from; -1 for these."""
        found = dict.fromkeys(numbers, -1)
        pending = list(found)
        while pending:
            at = pending.pop()
            for edge in self._records[at].edges:
                if edge is not None and edge not in found and edge not in self._left_out:
                    found[edge] = at
                    pending.append(edge)
        return found

    def _cards(self, picture: Picture, came_by: dict[int, int]) -> dict[int, int]:
        """The card that each node stands beside: its statement's, else that of the node that leads to it.

        Those of folded cards have none, nor those that would tell what is to be guessed.
        """
        found: dict[int, int] = {}
        for number in came_by:
            at = number
            while at >= 0 and self._records[at].statement not in picture.index:
                at = came_by[at]
            row = picture.index[self._records[at].statement] if at >= 0 else -1
            if at >= 0 and not picture.hidden[row] and not picture.roots[row].is_covered:
                found[number] = self._records[at].statement
        return found

    def _show(self, shown: _Shown) -> None:
        """Have these nodes; where they stand is to be found again if they are not those of before."""
        if shown == self._shown:
            return
        self._shown, self._geometry = shown, None
        numbers, records = shown.numbers, shown.records
        self._numbers = np.array(numbers, np.intp)
        self.take([(NODE, number) for number in numbers], shown.cards, np.zeros((len(numbers), 4)))
        self.edges = [tuple(map(self._row, record.edges)) for record in records]
        self.accumulates = np.array([record.name == ACCUMULATES for record in records], bool)
        self.saves = np.array(shown.saves, bool)
        lines = np.array([min(len(edges), LONGEST + 1) + 1 for edges in self.edges])
        plain = HEADER + GAP + SAVED_ROW + INNER
        self.w[:] = WIDTH
        self.h[:] = np.where(self.accumulates, plain, FUNCTIONS_TOP + LINE * lines + 2 * ABOVE_LINES + INNER)

    def _row(self, number: int | None) -> int | None:
        return None if number is None else self.index.get((NODE, number))

    # ------------------------------------------------------------ where it is

    def _place(self, picture: Picture) -> Stepwise[None]:
        """Each node as high as its operator, in the first column where it need not go far down."""
        if not self.keys:
            return
        rows = [picture.index[id_] for id_ in self.cards]
        tops = [picture.anatomy(id_).header.top for id_ in self.cards]
        level = SAVED_TOP + SAVED_HEIGHT / 2 - DISC_DOWN
        wanted = picture.y[rows] + np.where(self.accumulates, tops, level)
        order = np.lexsort((np.arange(len(rows)), picture.x[rows], wanted))
        self.strips, self.strip, asked = picture.strips, picture.strips_of(rows), wanted.tolist()
        yield 0.3
        for number, (right, most) in enumerate(ends_of_cards(picture)):
            here = order[self.strip[order] == number].tolist()
            stacked = stacked_leaves(here, asked, self.accumulates)
            columns, found = yield from share(in_columns(here, asked, self.h.tolist(), stacked, most), 0.3, 1.0)
            self.x[here], self.y[here] = right + CHANNEL + CTX + CTX_GAP + PITCH * columns[here], found[here]


def _geometry_of(picture: Picture) -> bytes:
    return np.stack([picture.x, picture.y, picture.w, picture.h, picture.hidden]).tobytes()
