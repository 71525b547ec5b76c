"""The graph of the gradient on the canvas: what backwards with ``create_graph=True`` computed, a band for each of them.

A band lies below all that lies on the board, or beside it where cards are read downwards. Its nodes stand in columns
from right to left, as the gradient goes: from the root back to what it is taken for. Places follow from that alone;
nothing here is moved by hand.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad.program.program import Program
from chalkgrad.session.derived import DerivedNode, GradientGraph
from chalkgrad.session.state import State
from chalkgrad_app import settings
from chalkgrad_app.picture.anatomy import HEADER, ROW
from chalkgrad_app.picture.gradient_columns import HEIGHT, WIDTH, columns, readers, wide
from chalkgrad_app.picture.gradient_links import Link, corners, headings, lying, outlet_of, ports
from chalkgrad_app.picture.gradient_ways import GradientWays, curves
from chalkgrad_app.picture.node_arrays import NODE, Key, NodeArrays
from chalkgrad_app.picture.node_face import names_in
from chalkgrad_app.picture.wires import boxes, middle_of

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture

PAD, TITLE, BELOW = 24.0, 34.0, 48.0
"""Room within a band, its title, and what is left free above it."""
BESIDE = 96.0
"""What is left free of a band that lies beside the backward graph: arrows lead to it."""
GRAD_MAKERS = frozenset({"copy_", "clone", "add"})
FOLDED = QRectF(0, 0, 2 * WIDTH, TITLE)
"""The size of a folded band."""
AT_ONCE = 0.012
"""For how many seconds ways of links are looked for right away: those of a lesson's graph are found in that."""
LARGE = 60
"""A band of more nodes is folded until somebody opens it."""


@dataclass(frozen=True, slots=True)
class Band:
    """One backward's part: its line, which derivative it is, how many nodes it has, from which position on it is there.

    ``first`` is the row of its first node; a folded one has a row of its own, behind those of all nodes.
    """

    statement: int
    order: int
    count: int
    start: int
    folded: bool
    rect: QRectF
    first: int = 0

    def holds(self, row: int) -> bool:
        """True for the row of one of its nodes, or its own when it is folded."""
        return row == self.first if self.folded else self.first <= row < self.first + self.count

    @property
    def title(self) -> QRectF:
        """Where its title stands, by which it is folded."""
        return QRectF(self.rect.left(), self.rect.top(), self.rect.width(), TITLE)


class GradientLayer(NodeArrays):
    """The bands of one picture.

    By row: ``nodes``, the graph that each is in, and the rows of the ``sources`` that it reads; ``orders``, which
    derivative each belongs to, of folded bands, too. ``links`` have ``ends`` (rows ax, ay, bx, by) and consist of
    pieces: ``cubics`` (rows of four points), and in ``piece_link`` the number of the link that each belongs to.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shown = settings.GRADIENT_GRAPHS.get()
        self.bands: tuple[Band, ...] = ()
        self.nodes: list[DerivedNode] = []
        self.graphs: list[GradientGraph] = []
        self.orders = np.zeros(0, np.intp)
        self.sources: list[tuple[int, ...]] = []
        self.links: list[Link] = []
        self.ends, self.cubics, self.piece_link = np.zeros((0, 4)), np.zeros((0, 8)), np.zeros(0, np.intp)
        self._ways, self._is_still = GradientWays(), True
        self._positions = np.zeros(0, np.intp)
        self._relative = np.zeros((0, 2))
        self._made: dict[int, int] = {}
        self._rows: dict[int, int] = {}
        self._fixed: list[Link] = []
        self._readers: dict[int, list[int]] = {}
        self._makers: list[tuple[int, DerivedNode]] = []
        self._ending: list[Link] = []
        self._leading: list[Link] = []
        self._serial = -1
        self._aimed: list[Link] = []
        self._targets = np.zeros(0, np.intp)
        self._lying = np.zeros(0)
        self._shown: list[GradientGraph] = []
        self._stamp: tuple[object, ...] = ()
        self._program: Program | None = None
        self._state: State | None = None

    def follow(self, picture: Picture, still: bool = True) -> None:
        """Mirror the gradient graphs of the picture's state, below what lies on its board; not ``still``: in a drag."""
        graphs = _looked_at(picture.state) if self.shown else []
        if not graphs and not self.bands:
            return
        stamp = (*((graph.statement, graph.start, len(graph.nodes)) for graph in graphs), picture.board.graphs)
        is_other = self._stamp != stamp or picture.program is not self._program
        if is_other or any(one is not other for one, other in zip(graphs, self._shown, strict=True)):
            self._shown, self._stamp, self._state, self._serial = graphs, stamp, None, -1
            self._program = picture.program
            self._collect(picture, graphs)
        if still:
            self._place(picture)
        is_other = picture.state is not self._state
        if is_other:
            self._state = picture.state
            self.to_come = self._positions > picture.state.position
            self._ending = self._to_cards(picture)
        if picture.functions.serial != self._serial:
            self._serial, self._leading, is_other = picture.functions.serial, self._from_functions(picture), True
        if is_other:
            self.links = [*self._fixed, *self._ending, *self._leading]
        self._aim(picture, still)

    def find_ways(self, seconds: float) -> bool:
        """Look for ways round cards for links that are plain curves so far; True when some were found."""
        found = self._is_still and self._ways.find(seconds)
        if found:
            self._bend()
        return found

    @property
    def has_ways(self) -> bool:
        """True when no better ways are left to be looked for."""
        return not self._is_still or self._ways.are_found

    def row_of(self, number: int) -> int | None:
        """The row of a node of the trace, or None."""
        return self.index.get((NODE, number))

    def band_at(self, x: float, y: float) -> Band | None:
        """The band whose title is at a point."""
        return next((band for band in self.bands if band.title.contains(x, y)), None)

    def bands_among(self, ids: Collection[int] | None) -> tuple[Band, ...]:
        """The bands that read and reach no other cards than these; None: all."""
        if ids is None:
            return self.bands
        touched: dict[int, set[int]] = {band.first: set() for band in self.bands}
        for link in self.links:
            if link.card >= 0:
                held = (band.first for band in self.bands if band.holds(link.row))
                touched[next(held)].add(link.card)
        return tuple(band for band in self.bands if touched[band.first] and touched[band.first] <= set(ids))

    def bounds(self, ids: Collection[int] | None = None) -> QRectF:
        """The rectangle around all bands and their links, or around those that belong to ``ids``."""
        found, bands = QRectF(), self.bands_among(ids)
        for band in bands:
            found = found.united(band.rect)
        theirs = [at for at, link in enumerate(self.links) if any(band.holds(link.row) for band in bands)]
        for left, top, right, bottom in boxes(self.cubics[self.pieces_of(theirs)]).tolist():
            found = found.united(QRectF(left, top, right - left, bottom - top))
        return found

    def pieces_of(self, links: Sequence[int]) -> np.ndarray:
        """The pieces of the links with these numbers."""
        wanted = np.zeros(len(self.links), bool)
        wanted[links] = True
        return np.flatnonzero(wanted[self.piece_link])

    def middles_of(self, links: Sequence[int]) -> np.ndarray:
        """The points half-way along these links: rows x, y."""
        return np.array([middle_of(self.cubics[self.pieces_of([link])]) for link in links]).reshape(-1, 2)

    def links_into(self, row: int) -> list[int]:
        """The numbers of the links that end at a node."""
        return [int(place) for place in np.flatnonzero(self._targets == row)]

    def wired(self, row: int, right: int) -> list[int]:
        """What a node reads stands on its right, what reads it on its left."""
        return list(self.sources[row]) if right > 0 else self._readers.get(row, [])

    def card_beyond(self, row: int, right: int) -> int | None:
        """On the right the card whose value a node reads, on the left the one where the layer ends."""
        cards = (
            link.card for link in self.links if link.card >= 0 and (link.target if right > 0 else link.source) == row
        )
        return next(cards, None)

    # ------------------------------------------------------------ what there is

    def _collect(self, picture: Picture, graphs: Sequence[GradientGraph]) -> None:
        """What there is to show of these graphs, with what each node reads."""
        state = picture.state
        is_open = [picture.board.graphs.get(graph.statement, len(graph.nodes) <= LARGE) for graph in graphs]
        behind = sum(len(graph.nodes) for graph, shown in zip(graphs, is_open, strict=True) if shown)
        bands, relative, widths = [], [np.zeros((0, 2))], [np.zeros(0)]
        self.nodes, self.graphs, self.sources, self._made, self._rows, self._fixed = [], [], [], {}, {}, []
        self._makers = []
        for graph, shown in zip(graphs, is_open, strict=True):
            first = len(self.nodes) if shown else behind
            band = Band(graph.statement, graph.order, len(graph.nodes), graph.start, not shown, FOLDED, first)
            self._add(picture, graph, band)
            if shown:
                names = names_in(picture)
                asked = [wide(names.title(node)) for node in self.nodes[first:]]
                placed, own = columns(self.sources[first:], first, asked)
                relative.append(placed)
                widths.append(own)
                right, bottom = max(placed[:, 0] + own, default=WIDTH), max(placed[:, 1], default=0.0)
                size = QRectF(0, 0, right + 2 * PAD, bottom + HEIGHT + TITLE + PAD)
                band = replace(band, rect=size)
            behind += not shown
            bands.append(band)
        self.bands = tuple(bands)
        orders = [graph.order for graph in self.graphs] + [band.order for band in bands if band.folded]
        self.orders = np.array(orders, np.intp)
        self._relative = np.concatenate(relative)
        self._positions = np.array([node.position for node in self.nodes], np.intp)
        self._readers = readers(self.sources)
        keys: list[Key] = [(NODE, node.number) for node in self.nodes]
        lines = {of: state.nodes[of].statement for of in {node.of for node in self.nodes}}
        self.take(keys, [lines[node.of] for node in self.nodes], np.zeros((len(keys), 4)))
        self.w[:], self.h[:] = np.concatenate(widths), HEIGHT

    def _add(self, picture: Picture, graph: GradientGraph, band: Band) -> None:
        """The nodes of a graph, what they read of each other, and what of the forward computation.

        Those of a folded band are its row, all of them.
        """
        records, made, links = picture.state.nodes, self._made, dict.fromkeys(self._fixed)
        for node in graph.nodes:
            row, record = band.first if band.folded else len(self.nodes), records[node.number]
            given = [number for number in dict.fromkeys(record.inputs) if number is not None]
            read = list(dict.fromkeys(made[number] for number in given if number in made))
            links.update(dict.fromkeys(Link(source, row) for source in read if source != row))
            outlets = (outlet_of(picture, number) for number in given if number not in made)
            links.update(dict.fromkeys(Link(-1, row, *outlet) for outlet in outlets if outlet is not None))
            made.update((number, row) for number in record.outputs if number is not None)
            self._rows[node.number] = row
            if _may_make_grad(node):
                self._makers.append((row, node))
            if not band.folded:
                self.sources.append(tuple([source for source in read if source < row]))
                self.nodes.append(node)
                self.graphs.append(graph)
        self._fixed = list(links)

    # ------------------------------------------------------------ where it is

    def _place(self, picture: Picture) -> None:
        """Below what lies on the board and beside it; to the right of it where cards are read downwards."""
        board = picture.on_board()
        around = board.united(picture.functions.bounds()).united(picture.lines.bounds())
        down = picture.drawing.down
        top = around.top() if down else around.bottom() + BELOW
        placed = []
        for band in self.bands:
            size = band.rect
            right = max(_right_of(picture, band) + PAD, board.left() + size.width())
            left = around.right() + (BESIDE if picture.functions.keys else BELOW) if down else right - size.width()
            rect = QRectF(left, top, size.width(), size.height())
            placed.append(replace(band, rect=rect))
            top = rect.bottom() + BELOW / 2
            if not band.folded:
                rows = slice(band.first, band.first + band.count)
                self.x[rows] = rect.right() - PAD - self.w[rows] - self._relative[rows, 0]
                self.y[rows] = rect.top() + TITLE + self._relative[rows, 1]
        self.bands = tuple(placed)

    # ------------------------------------------------------------ edges

    def _aim(self, picture: Picture, still: bool) -> None:
        """Where the links begin and end on the canvas, and which way they go."""
        around = lying(picture)
        if self.links == self._aimed and np.array_equal(around, self._lying):
            return
        self._aimed, self._lying = self.links, around
        links = np.array(self.links, np.intp).reshape(-1, len(Link._fields))
        source, target = links[:, 0], links[:, 1]
        self._targets = target
        left, right, middle = self._sides()
        ends = np.zeros((len(links), 4))
        if len(left):
            ends[:] = np.stack([left[source], middle[source], right[target], middle[target]], axis=1)
        begin, end = source < 0, target < 0
        ends[begin, :2] = ports(picture, [self.links[place] for place in np.flatnonzero(begin).tolist()])
        ends[end, 2:] = ports(picture, [self.links[place] for place in np.flatnonzero(end).tolist()])
        ways = [headings(link, picture.drawing.down) for link in self.links]
        self.ends = ends
        bent = [picture.drawing.down and link.target < 0 for link in self.links]
        self._ways.aim(curves(ends, ways), ways, bent)
        self._is_still = still
        if still:
            self._ways.lie(around, corners([band.rect for band in self.bands]))
            self._ways.find(AT_ONCE)
        self._bend()

    def _sides(self) -> np.ndarray:
        """By row where links begin on the left, where they end on the right, and how high: of folded bands, too."""
        folded = [band.rect for band in self.bands if band.folded]
        bands = np.array([(rect.left(), rect.right(), rect.center().y()) for rect in folded]).reshape(-1, 3)
        return np.concatenate([np.stack([self.x, self.x + self.w, self.y + HEADER + ROW / 2], axis=1), bands]).T

    def is_to_come(self, row: int) -> bool:
        """True while a node, or all that a folded band stands for, is not there yet."""
        if row < len(self.nodes):
            return bool(self.to_come[row])
        state, band = self._state, next(band for band in self.bands if band.holds(row))
        return state is not None and band.start > state.position

    def _bend(self) -> None:
        """The pieces of the links, as far as their ways are known."""
        pieces = self._ways.pieces()
        self.cubics = np.concatenate([np.zeros((0, 8)), *pieces])
        self.piece_link = np.repeat(np.arange(len(pieces)), [len(piece) for piece in pieces])

    def _from_functions(self, picture: Picture) -> list[Link]:
        """From the Function nodes beside the cards: those of their ``next_functions`` that are nodes of the layer."""
        found = []
        for _, number in picture.functions.keys:
            for place, edge in enumerate(picture.functions.record(number).edges):
                if edge is not None and edge in self._rows:
                    found.append(Link(self._rows[edge], -1, output=place, number=number))
        return found

    def _to_cards(self, picture: Picture) -> list[Link]:
        """Where the layer ends: the ``.grad`` that a backward filled, and what ``autograd.grad`` returned."""
        state, found = picture.state, []
        for band in self.bands:
            outputs = state.statement(band.statement).outputs
            for output, tensor in enumerate(outputs if band.statement in picture.index else ()):
                if tensor is not None and tensor.number in self._made:
                    found.append(Link(self._made[tensor.number], -1, band.statement, output))
        for row, node in self._makers:
            owner = _owner(state, node)
            tensor = None if owner is None else state.object(owner)
            if tensor is None or tensor.grad is None or owner is None or self._made.get(tensor.grad.number) != row:
                continue
            outlet = outlet_of(picture, owner)
            if outlet is not None:
                found.append(Link(row, -1, *outlet, grad=True))
        return found


def _looked_at(state: State) -> list[GradientGraph]:
    """Of a line that ran several times the graph of its last pass so far; of one to come that of its first."""
    found: dict[int, GradientGraph] = {}
    for graph in state.graphs:
        if graph.statement not in found or graph.start <= state.position:
            found[graph.statement] = graph
    return list(found.values())


def _owner(state: State, node: DerivedNode) -> int | None:
    """The object whose ``.grad`` a node may have made: a leaf, or what keeps its gradient."""
    record = state.nodes[node.of]
    numbers = record.inputs if record.name == "AccumulateGrad" else record.outputs
    return numbers[0] if numbers else None


def _right_of(picture: Picture, band: Band) -> float:
    """The right edge of the card that the backward began at."""
    statement = picture.program.statements.get(band.statement)
    refs = [ref.statement for ref in statement.refs()] if statement is not None else []
    cards = [picture.rect(id_).right() for id_ in refs if id_ in picture.index]
    return max(cards, default=0.0)


def _may_make_grad(node: DerivedNode) -> bool:
    """True for what may make the ``.grad`` of a leaf, or of a tensor that keeps its gradient: a copy, or a sum."""
    return node.call in GRAD_MAKERS and not node.joins
