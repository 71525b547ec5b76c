"""Folding: a frame or block shown as one node. What it hides is shown where the node is, so that wires end there.

A card that is hidden has the rectangle of its node in the picture's arrays. So bounds, wires and whoever looks for
the card find the node; only painting and hit-testing have to know what is hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from chalkgrad.layout.free import up_to_grid
from chalkgrad.program import arranging
from chalkgrad.program.board import Board
from chalkgrad.program.program import Program
from chalkgrad_app.naming import block_title
from chalkgrad_app.picture.anatomy import HEADER, WIDTH, Point
from chalkgrad_app.picture.card import Hue, expression_of
from chalkgrad_app.picture.marks import Fact
from chalkgrad_app.picture.values import Shown
from chalkgrad_app.picture.wires import Wire

if TYPE_CHECKING:
    from chalkgrad_app.picture.picture import Picture
    from chalkgrad_app.picture.wire_arrays import WireArrays

MARGIN, TITLE = 16.0, 24.0
"""Room between a frame of a block and its cards, and for its title."""
PITCH = 22.0
NAME_DOWN = 14.0
"""How far below the upper edge, or above the lower one, the middle of a name at a port there is."""
FOOT = 26.0
LEAST, WIDEST = 128.0, 256.0
"""Least width of a node: two names have room in it; and the largest, with room for the heading of a usual loop."""
CELL, AROUND_TITLE = 7.9, 36.0
"""Width of a character of a title, and what the sign before it takes with the room at both ends."""
FIRST_WIDE = "\u2e80"
"""Characters from this one on are about twice as wide."""
SHOWN = 2
"""Of so many tensors that come out of a node the values are shown."""
PILE = 4.0
"""So far behind one another lie the cards of the pile that a node is."""
Outlet = tuple[int, int, bool]
"""A tensor that leaves a card: its statement, the output, and whether it is its gradient."""


class FoldPort(NamedTuple):
    """A port of a folded node: the tensor that goes in or comes out, its name, how far ``down`` that is written.

    ``at`` is where the port itself is: on the edge where wires come in or go out. The name begins or ends beside it;
    where wires run down, it stands above or below it in ``room`` of its own. Of a node :func:`with_values`
    ``hue`` is the colour of the card that made the tensor, ``value`` what that shows of it, where few come out.
    """

    outlet: Outlet
    name: str
    down: float
    at: Point
    room: float = 0.0
    hue: Hue = Hue.NONE
    value: Shown | None = None


@dataclass(frozen=True)
class Fold:
    """A folded node. ``hides`` is all that it stands for, ``cards`` the cards among it, in the order of lines."""

    id: int
    title: str
    rect: QRectF
    hue: str
    block: bool
    hides: frozenset[int]
    cards: tuple[int, ...]
    inputs: tuple[FoldPort, ...] = ()
    outputs: tuple[FoldPort, ...] = ()
    facts: Mapping[Fact, int] = field(default_factory=dict)
    current: str = ""
    """The name of the card among them that has just run, while one looks at the past."""

    @property
    def above(self) -> float:
        """So much is taken above its title by the names of what goes in."""
        return PITCH if self.inputs and self.inputs[0].room else 0.0

    @property
    def below(self) -> float:
        """The same below its foot, of what comes out."""
        return PITCH if self.outputs and self.outputs[0].room else 0.0

    def behind(self, distance: float) -> QRectF:
        """A card of the pile so far behind the first, from its corner; none hides wires where they begin."""
        down = any(port.room for port in (*self.inputs, *self.outputs))
        body = QRectF(QPointF(), self.rect.size())
        return body.adjusted(distance, distance, *((distance, -distance) if down else (-distance, distance)))

    @property
    def pile(self) -> QRectF:
        """All that the pile takes."""
        return self.rect | self.behind(2 * PILE).translated(self.rect.topLeft())

    @property
    def is_ghost(self) -> bool:
        """True when none of the cards has run yet."""
        return bool(self.cards) and self.count(Fact.GHOST) == len(self.cards)

    def count(self, fact: Fact) -> int:
        """How many of the cards show a fact: an error, a gradient."""
        return self.facts.get(fact, 0)


class Folding:
    """The folded nodes of one picture."""

    def __init__(self) -> None:
        self.folds: tuple[Fold, ...] = ()
        self.unseen: frozenset[int] = frozenset()
        self.blocks: dict[int, list[int]] = {}
        """The cards in each block, and in the blocks inside it."""
        self._rows: dict[int, np.ndarray] = {}
        self._of_row = np.zeros(0, np.intp)
        self._program: Program | None = None
        self._board: Board | None = None
        self._widths = np.zeros(0)
        """How wide the hidden cards are when they are seen: their nodes are no wider."""

    def place(self, picture: Picture) -> None:
        """Give every hidden card the rectangle of its node; those that were hidden before have theirs again."""
        is_new = self._program is not picture.program or self._board is not picture.board
        if is_new or self._have_other_widths(picture):
            self._show_again(picture)
            if self._program is not picture.program:
                self.blocks = block_members(picture.program, picture.ids)
            self._find(picture)
            self._program, self._board = picture.program, picture.board
            self._widths = self._natural_widths(picture)
        elif picture.places_some:  # they lie elsewhere when one before them has grown
            self.folds = tuple(
                replace(fold, rect=QRectF(_corner(picture, fold.cards), fold.rect.size())) if fold.cards else fold
                for fold in self.folds
            )
        for fold in self.folds:
            rows, rect = self._rows[fold.id], fold.rect
            picture.x[rows], picture.y[rows] = rect.x(), rect.y()
            picture.w[rows], picture.h[rows] = rect.width(), rect.height()

    def aim(self, picture: WireArrays, start: np.ndarray, end: np.ndarray) -> None:
        """Have the wires of hidden cards begin and end at their node's ports; ``start``, ``end`` from card corners."""
        picture.wire_hidden[:] = False
        if not self.folds:
            return
        source, target = self._of_row[picture.wire_source], self._of_row[picture.wire_target]
        picture.wire_hidden[:] = (source == target) & (source >= 0)
        for row in np.flatnonzero((source != target) & (source >= 0)).tolist():
            fold = self.folds[int(source[row])]
            start[row] = _at(fold.outputs, _outlet(picture.wires[row]), (fold.rect.width(), HEADER + PITCH / 2))
        for row in np.flatnonzero((source != target) & (target >= 0)).tolist():
            end[row] = _at(self.folds[int(target[row])].inputs, _outlet(picture.wires[row]), (0.0, HEADER + PITCH / 2))

    def shown(self, picture: Picture, shifted: Collection[int], dx: float, dy: float) -> tuple[Fold, ...]:
        """The nodes with what they say now, those that are ``shifted`` moved by (dx, dy)."""
        found = []
        for fold in self.folds:
            moves = fold.id in shifted or not fold.hides.isdisjoint(shifted)
            rect = fold.rect.translated(dx, dy) if moves else fold.rect
            facts = picture.facts[self._rows[fold.id]]
            counts = {fact: int(np.count_nonzero(facts & fact)) for fact in (Fact.ERROR, Fact.GRAD, Fact.GHOST)}
            found.append(replace(fold, rect=rect, facts=counts, current=_current(picture, fold)))
        return tuple(found)

    def mask(self, count: int) -> np.ndarray:
        """For each card whether it is hidden."""
        return self._of_row >= 0 if self.folds else np.zeros(count, bool)

    # ------------------------------------------------------------ inside

    def _have_other_widths(self, picture: Picture) -> bool:
        """True when hidden cards have grown or shrunk: what they show is there only once they have run."""
        return bool(self.folds) and not np.array_equal(self._widths, self._natural_widths(picture))

    def _natural_widths(self, picture: Picture) -> np.ndarray:
        hidden = (card for fold in self.folds for card in fold.cards)
        return np.array([picture.anatomy(card).width for card in hidden if card in picture.index])

    def _show_again(self, picture: Picture) -> None:
        for id_ in (card for fold in self.folds for card in fold.cards if card in picture.index):
            row = picture.index[id_]
            shape = picture.anatomy(id_)
            picture.w[row], picture.h[row] = shape.width, shape.height

    def _find(self, picture: Picture) -> None:
        """What is folded, and what each node hides; a card on two of them is in the first."""
        self.folds, self.unseen, self._rows = (), frozenset(), {}
        if not picture.board.folds:
            return
        hidden = arranging.outermost(picture.board, self.blocks)
        taken: set[int] = set()
        self._of_row = np.full(len(picture.ids), -1, np.intp)
        for number, (id_, hides) in enumerate(hidden.items()):
            rows = sorted(picture.index[card] for card in hides - taken if card in picture.index)
            taken |= {id_, *hides}
            self._rows[id_] = np.array(rows, np.intp)
            self._of_row[self._rows[id_]] = number
        self.unseen = frozenset(taken | {block for block, cards in self.blocks.items() if taken.issuperset(cards)})
        self.folds = tuple(self._fold(picture, id_, hides) for id_, hides in hidden.items())

    def _fold(self, picture: Picture, id_: int, hides: frozenset[int]) -> Fold:
        frame, rows = picture.board.frames.get(id_), self._rows[id_]
        cards = tuple(picture.ids[row] for row in rows.tolist())
        going_in, coming_out = _outlets(picture, frozenset(cards))
        title = _title(picture, id_)
        rect = QRectF(0, 0, _width(picture, cards, title), _height(going_in, coming_out, picture.drawing.down))
        inputs = _in_a_column(picture, going_in, rect, out=0)
        outputs = _in_a_column(picture, coming_out, rect, out=1)
        if cards:  # as far from those before them as they are themselves, not as the edge of a frame around them
            rect.moveTopLeft(_corner(picture, cards))
        elif frame is not None:
            rect.moveTo(frame.x, frame.y)
        hue = frame.hue if frame is not None else ""
        return Fold(id_, title, rect, hue, frame is None, hides, cards, inputs, outputs)


def with_values(picture: Picture, fold: Fold) -> Fold:
    """A node as it is painted: its ports with the colours of cards, and the values of what comes out of it."""
    inputs = tuple(_saying(picture, port, values=False) for port in fold.inputs)
    outputs = tuple(_saying(picture, port, len(fold.outputs) <= SHOWN) for port in fold.outputs)
    return replace(fold, inputs=inputs, outputs=outputs)


def block_members(program: Program, ids: Iterable[int]) -> dict[int, list[int]]:
    """Which of the cards ``ids`` stand in each block, or in one inside it."""
    members: dict[int, list[int]] = {}
    if program.blocks:
        for id_ in ids:
            for block in program.chain(program[id_].block):
                members.setdefault(block, []).append(id_)
    return members


def _current(picture: Picture, fold: Fold) -> str:
    """The name of the card that the state looked at stands in; nothing at the end, which is now."""
    line, program = picture.state.line, picture.program
    if line is None or line not in fold.cards or line == program.order[-1]:
        return ""
    return program[line].name or program[line].call


def _corner(picture: Picture, cards: Collection[int]) -> QPointF:
    """The upper left corner of the leftmost of some cards, the upper one of several: there is room for a node."""
    rows = picture.rows_of(cards)
    if not len(rows):
        return QPointF()
    first = rows[np.lexsort((picture.y[rows], picture.x[rows]))[0]]
    return QPointF(float(picture.x[first]), float(picture.y[first]))


def _width(picture: Picture, cards: Collection[int], title: str) -> float:
    """How wide the node is: no wider than its cards, so that wires from it have as much room as theirs had."""
    rows, most = picture.rows_of(cards), titled_width(title)
    if not len(rows) or picture.drawing.lays_out:
        return most
    across = float((picture.x + picture.w)[rows].max() - picture.x[rows].min())
    return min(max(across, LEAST), most)


def titled_width(title: str) -> float:
    """How wide a node is that has room for its title, where that is no longer than a usual one."""
    cells = sum(2 if character >= FIRST_WIDE else 1 for character in title)
    return min(max(WIDTH, up_to_grid(cells * CELL + AROUND_TITLE)), WIDEST)


def node_size(picture: Picture, id_: int, cards: Collection[int]) -> Point:
    """How large the node of a frame or block is that stands for these cards."""
    height = _height(*_outlets(picture, frozenset(cards)), picture.drawing.down)
    return _width(picture, cards, _title(picture, id_)), height


def _title(picture: Picture, id_: int) -> str:
    frame = picture.board.frames.get(id_)
    return frame.title if frame is not None else block_title(picture.program.blocks[id_])


def _height(going_in: Collection[Outlet], coming_out: Collection[Outlet], down: bool) -> float:
    if down:
        return HEADER + FOOT + PITCH * (bool(going_in) + bool(coming_out))
    return HEADER + max(1, len(going_in), len(coming_out)) * PITCH + FOOT


def _outlets(picture: Picture, cards: frozenset[int]) -> tuple[list[Outlet], list[Outlet]]:
    """What goes into the node, and what comes out: what is read outside, and results that nothing reads."""
    going_in: dict[Outlet, None] = {}
    coming_out: dict[Outlet, None] = {}
    read: set[int] = set()
    for wire in picture.wires:
        if wire.source in cards:
            read.add(wire.source)
            if wire.target not in cards:
                coming_out[_outlet(wire)] = None
        elif wire.target in cards:
            going_in[_outlet(wire)] = None
    for id_ in picture.ids:
        if id_ in cards and id_ not in read:
            coming_out[id_, 0, False] = None
    return list(going_in), list(coming_out)


def _in_a_column(picture: Picture, outlets: Collection[Outlet], rect: QRectF, out: int) -> tuple[FoldPort, ...]:
    """The ports of a node of this size, on the edge where wires go in, or ``out``: names in a column, or at each."""
    found = []
    room = rect.width() / max(len(outlets), 1) if picture.drawing.down else 0.0
    for number, outlet in enumerate(outlets):
        down = HEADER + PITCH / 2 + number * PITCH
        at = (out * rect.width(), down)
        if picture.drawing.down:
            down = rect.height() - NAME_DOWN if out else NAME_DOWN
            at = ((number + 0.5) * room, out * rect.height())
        found.append(FoldPort(outlet, _name(picture.program, outlet), down, at, room))
    return tuple(found)


def _saying(picture: Picture, port: FoldPort, values: bool) -> FoldPort:
    """A port with the colour of the card that made its tensor, and the value that is seen on that card."""
    id_, output, is_grad = port.outlet
    face = picture.face(id_)
    row = face.rows[output] if values and not is_grad and output < len(face.rows) else None
    return port._replace(hue=face.hue, value=None if row is None or row.covered else row.value)


def _name(program: Program, outlet: Outlet) -> str:
    """What a tensor is called: as on its card by what it is, where it has no name."""
    statement = program[outlet[0]]
    name = statement.targets[outlet[1]] if outlet[1] < len(statement.targets) else ""
    return (name or expression_of(program, statement)) + (".grad" if outlet[2] else "")


def _outlet(wire: Wire) -> Outlet:
    return wire.source, wire.output, wire.from_grad


def _at(ports: Iterable[FoldPort], outlet: Outlet, otherwise: Point) -> Point:
    return next((port.at for port in ports if port.outlet == outlet), otherwise)
