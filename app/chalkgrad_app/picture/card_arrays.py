"""The cards of a picture as arrays: which there are, how large they are, where they lie, what they show from afar.

Everything is kept from one program to the next; what an edit or a run did not touch is not looked at again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import count, filterfalse, repeat
from typing import NamedTuple, TypeVar

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad.layout import Strip
from chalkgrad.program.board import Board, Note
from chalkgrad.program.hooks import hooks_of
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Ref, Statement
from chalkgrad.session.state import Problem, State, StatementState, Status
from chalkgrad.stepwise import Stepwise
from chalkgrad_app.picture.anatomy import Anatomy, Box, Point, RowPlace
from chalkgrad_app.picture.card import blamed, faces_tensor, input_ports
from chalkgrad_app.picture.drawings import DRAWINGS, Drawing
from chalkgrad_app.picture.folding import Folding
from chalkgrad_app.picture.frames import FrameShape
from chalkgrad_app.picture.laid_out import MOST_GONE, LaidOut
from chalkgrad_app.picture.marks import Fact, facts_of
from chalkgrad_app.picture.raised import Raised
from chalkgrad_app.picture.roots import NO_ROOTS, Roots, roots_of
from chalkgrad_app.picture.strips import clear

EMPTY_STATE = State(0, {})
PORTION = 200
"""So many cards are taken over in one step."""
NOWHERE = (0.0, 0.0, 0.0)
"""Where a card lies for which the board has no place, and that it has none."""
NO_BOX = Box(0.0, 0.0, 0.0, 0.0)
T = TypeVar("T")
NO_CARD = Anatomy(0.0, 0.0, NO_BOX, (), (), RowPlace(NO_BOX, None, (0.0, 0.0), (0.0, 0.0)))


class Gone(NamedTuple):
    """What there was of a card when it went, or became another."""

    statement: Statement
    inputs: int
    anatomy: Anatomy
    facts: int
    below: bool
    fingerprint: Hashable | None


class CardArrays:
    """``ids`` in the order of the lines, their rows in ``index``; ``x``, ``y``, ``w``, ``h`` and ``facts`` by row.

    They are painted in this order, but for those ``raised``.
    ``heads`` tells how far down the header lies, below an operator's box, ``below`` where a line with an error stands
    below the card, ``hidden`` what a folded node stands for: it has the node's rectangle. ``sizes_serial`` is another
    number whenever a card has another size.
    """

    def __init__(self) -> None:
        self.program = Program()
        self.board = Board()
        self.drawing: Drawing = DRAWINGS["cards"]
        self.state: State = EMPTY_STATE
        self.ids: list[int] = []
        self.index: dict[int, int] = {}
        self.raised = Raised()
        self._highest = 0
        self._cards: frozenset[int] = frozenset()
        self._blame: dict[int, Problem] = {}
        self._anatomies: list[Anatomy] = []
        self._inputs: list[int] = []
        self._fingerprints: list[Hashable | None] = []
        """Of what each card was measured, where that can be told from all else: else None."""
        self._gone: dict[int, Gone] = {}
        self._back: set[int] = set()
        """Cards that came with this program and were gone, or others meanwhile: as they were before that."""
        self._replaced: set[int] = set()
        """Cards that are others in this program than in the one before."""
        self.roots: list[Roots] = []
        self.roots_serial = 0
        self._rooted = np.zeros(0, np.intp)
        self._run, self._nodes_of_run = 0, EMPTY_STATE.nodes
        self.folding = Folding()
        self.frames: tuple[FrameShape, ...] = ()
        self.notes: tuple[Note, ...] = ()
        self._of_rows = np.zeros(0, np.intp)
        self._home = np.zeros((0, 3))
        self._unplaced: set[int] = set()
        self.laid_out: LaidOut | None = None
        self.holds_still = False
        """True while cards that have other sizes than before lie as they did, so that others don't jump about."""
        self.is_seen = True
        """False while what is looked at is out of view, and all will be laid out anew after that."""
        self.settles_later = False
        """True where laying out takes long: all lies as it did until a picture made beside this one takes its place."""
        self.is_followed = False
        """True while all that a new run comes to is looked at in time: until then it is shown as it was."""
        self.sizes_serial = 0
        self.x, self.y, self.w, self.h, self.heads = (np.zeros(0) for _ in range(5))
        self.facts = np.zeros(0, np.intp)
        self.below, self.hidden = np.zeros(0, bool), np.zeros(0, bool)

    def forget_gone(self) -> None:
        """Cards that come back are not as they were."""
        self._gone.clear()

    def remember_gone(self, other: CardArrays) -> None:
        """Know of cards that are gone what another picture knows: they come back as they were, and where they were."""
        self._gone = other._gone.copy()
        if self.laid_out is not None and other.laid_out is not None:
            self.laid_out = self.laid_out._replace(gone=other.laid_out.gone)

    def rect(self, id_: int) -> QRectF:
        """The rectangle of a card; KeyError where there is none."""
        i = self.index[id_]
        return QRectF(self.x[i], self.y[i], self.w[i], self.h[i])

    def anatomy(self, id_: int) -> Anatomy:
        """Size, rows and ports of a card."""
        return self._anatomies[self.index[id_]]

    def anatomies(self) -> list[Anatomy]:
        """The same of all cards, by row."""
        return self._anatomies.copy()

    @property
    def places_some(self) -> bool:
        """True when the drawing places cards for which the board has no place."""
        return bool((self._home[:, 2] == 0).any())

    @property
    def is_settled(self) -> bool:
        """True unless the drawing has laid cards out that have other sizes now."""
        return self.laid_out is None or not self.places_some or self.laid_out.sizes == self.sizes_serial

    @property
    def strips(self) -> tuple[Strip, ...]:
        """The strips that the drawing stands in beside each other; none where it is one, or a card is in their way."""
        if self.laid_out is None or not (self.drawing.lays_out and self.places_some):
            return ()
        placed = self._home[:, 2] != 0
        return clear(self.laid_out.strips, np.stack([self._home[:, 0], self._home[:, 0] + self.w], axis=1)[placed])

    def strips_of(self, rows: Sequence[int]) -> np.ndarray:
        """The number of the strip of each of these cards."""
        if not self.strips or self.laid_out is None:
            return np.zeros(len(rows), np.intp)
        return np.asarray(self.laid_out.strip[rows])

    def lying(self, ids: Iterable[int]) -> dict[int, Point]:
        """Where cards lie: where the board has them, hidden ones too, else where the drawing has put them."""
        found: dict[int, Point] = {}
        for id_ in ids:
            place, row = self.board.place(id_), self.index.get(id_)
            if place is not None:
                found[id_] = place.x, place.y
            elif row is not None and not self.hidden[row]:
                found[id_] = float(self.x[row]), float(self.y[row])
        return found

    def rows_of(self, ids: Iterable[int]) -> np.ndarray:
        """Indices of the cards ``ids``, in painting order."""
        return np.array(sorted(self.index[id_] for id_ in ids if id_ in self.index), np.intp)

    def from_below(self, rows: np.ndarray) -> np.ndarray:
        """``rows`` as they are painted: each above those before it."""
        return self.raised.from_below(rows, self.index)

    def among(self, ids: Iterable[int]) -> np.ndarray:
        """For each card whether it is one of ``ids``."""
        found = np.zeros(len(self.ids), bool)
        found[[self.index[id_] for id_ in ids if id_ in self.index]] = True
        return found

    # ------------------------------------------------------------ which cards

    def _take_over(self, program: Program) -> Stepwise[set[int]]:
        """List the cards of another program; returns the statements that are new, or other than before."""
        before, self.program = self.program, program
        old, now = before.statements, program.statements
        touched = {id_ for id_ in program.differing(before) if old.get(id_) is not now.get(id_)}
        differing = {id_ for id_ in touched.union(program.inline ^ before.inline) if id_ in now}
        had, self._cards = self._cards, program.cards
        stayed = [id_ for id_ in touched.union(program.inline, before.inline) if id_ in old and id_ in now]
        same = all((id_ in had) == (id_ in self._cards) for id_ in stayed)
        first, last, lines = self._window(before) if same else (0, len(self.ids), program.order)
        new = differing & self._cards
        back = self._coming_back(new)
        self._replaced = new & had
        self._remember(before, [*filterfalse(self._cards.__contains__, self.ids[first:last]), *self._replaced])
        self._list(first, last, lines)
        self._bring_back(back)
        for done, id_ in enumerate(new - back.keys()):
            if done % PORTION == 0:
                yield done / len(new)
            self._inputs[self.index[id_]] = len(input_ports(now[id_]))
        return differing

    def _window(self, before: Program) -> tuple[int, int, tuple[int, ...]]:
        """The rows from ... to ... that have other lines than ``before``, and these lines: all others stay in order."""
        old, order, index = before.order, self.program.order, self.index
        begin = in_common(old, order)
        behind = in_common(old[begin:][::-1], order[begin:][::-1])
        end = len(old) - behind
        first = next((index[id_] + 1 for id_ in map(old.__getitem__, range(begin - 1, -1, -1)) if id_ in index), 0)
        last = next((index[id_] for id_ in map(old.__getitem__, range(end, len(old))) if id_ in index), len(self.ids))
        return first, last, order[begin : len(order) - behind]

    def _remember(self, before: Program, ids: Iterable[int]) -> None:
        """Remember of ``ids`` what they were in ``before``, so that they can come back as they were.

        Those that were never looked at in this drawing were nothing yet.
        """
        leaving = [(id_, row) for id_ in ids if self._anatomies[row := self.index[id_]] is not NO_CARD]
        rows = [row for _, row in leaving]
        looks = zip(leaving, self.facts[rows].tolist(), self.below[rows].tolist(), strict=True)
        for (id_, row), facts, below in looks:
            shape, fingerprint = self._anatomies[row], self._fingerprints[row]
            self._gone[id_] = Gone(before[id_], self._inputs[row], shape, facts, below, fingerprint)
        while len(self._gone) > MOST_GONE:
            del self._gone[next(iter(self._gone))]

    def _coming_back(self, ids: Iterable[int]) -> dict[int, Gone]:
        """What those of ``ids`` were whose statements are the same again as when they went; no longer remembered."""
        found = [(id_, self._gone.pop(id_)) for id_ in ids if id_ in self._gone]
        return {id_: gone for id_, gone in found if gone.statement is self.program[id_]}

    def _bring_back(self, back: Mapping[int, Gone]) -> None:
        """Have these cards as they were."""
        self._back = set(back)
        gone = {self.index[id_]: gone for id_, gone in back.items()}
        self._put_shapes({row: each.anatomy for row, each in gone.items()})
        for row, each in gone.items():
            self._inputs[row], self._fingerprints[row] = each.inputs, each.fingerprint
        rows = list(gone)
        self.facts[rows] = [each.facts for each in gone.values()]
        self.below[rows] = [each.below for each in gone.values()]

    def _put_shapes(self, shapes: Mapping[int, Anatomy]) -> None:
        """Cards, by row, have other anatomies."""
        for row, shape in shapes.items():
            self.sizes_serial += _extent(shape) != _extent(self._anatomies[row])
            self._anatomies[row] = shape
        rows = list(shapes)
        self.w[rows] = [shape.width for shape in shapes.values()]
        self.h[rows] = [shape.height for shape in shapes.values()]
        self.heads[rows] = [shape.header.top for shape in shapes.values()]

    def _list(self, first: int, last: int, lines: Iterable[int]) -> None:
        """Rows for the cards among ``lines`` in the place of some; a card that had one keeps what is in it."""
        ids, gone = list(filter(self._cards.__contains__, lines)), self.ids[first:last]
        if ids == gone:
            return
        rows = list(map(self.index.get, ids, repeat(-1)))
        taken = np.array(rows, np.intp)

        def array(old: np.ndarray) -> np.ndarray:
            return np.concatenate([old[:first], _taken(old, taken), old[last:]])

        def put(entries: list[T], none: T) -> None:
            entries[first:last] = [none if row < 0 else entries[row] for row in rows]

        self.ids = [*self.ids[:first], *ids, *self.ids[last:]]
        self.index = self.index.copy()
        for id_ in gone:
            del self.index[id_]
        moved = len(self.ids) if len(ids) != len(gone) else first + len(ids)
        self.index.update(zip(self.ids[first:moved], count(first)))
        self._of_rows = np.concatenate([self._of_rows[:first], np.array(ids, np.intp), self._of_rows[last:]])
        self._highest = max(self._highest, max(ids, default=0))
        self.x, self.y, self.w, self.h, self.heads = map(array, (self.x, self.y, self.w, self.h, self.heads))
        self.facts, self.below, self.hidden = map(array, (self.facts, self.below, self.hidden))
        self._home = array(self._home)
        self._unplaced.update(id_ for id_, row in zip(ids, rows, strict=True) if row < 0)
        put(self._anatomies, NO_CARD)
        put(self._inputs, 0)
        put(self._fingerprints, None)
        put(self.roots, NO_ROOTS)
        self._rooted = array(self._rooted)
        self.roots_serial += 1

    # ------------------------------------------------------------ what they show

    def _find_blame(self) -> set[int]:
        """At which cards errors show; returns those of which that is no longer true, or newly so."""
        before, self._blame = self._blame, blamed(self.program, self.state)
        return {id_ for id_ in {*before, *self._blame} if before.get(id_) is not self._blame.get(id_)}

    def look_at_roots(self) -> None:
        """Read those grad_fns again that were read in another trace: its numbers mean nothing in this one.

        Cards are measured in portions, and a few of them may have been looked at last in that other trace.
        """
        self._note_run()
        rows = np.flatnonzero(self._rooted != self._run)
        if len(rows):
            for row in rows.tolist():
                self.roots[row] = roots_of(self.state.statement(self.ids[row]))
            self._rooted[rows] = self._run
            self.roots_serial += 1

    def _note_run(self) -> None:
        if self.state.nodes is not self._nodes_of_run:
            self._nodes_of_run = self.state.nodes
            self._run += 1
            self.roots_serial += 1

    def _is_as_measured(self, id_: int) -> bool:
        """True where nothing of a card can be other than when it was measured: a run made the same again.

        Hooks, and in the autograd drawing what saved tensors are called, come from other lines.
        """
        if self.drawing.shows_functions or hooks_of(self.program, Ref(id_)):
            return False
        fingerprint = self._fingerprints[self.index[id_]]
        return fingerprint is not None and fingerprint == self.state.fingerprint(id_)

    def _tell_apart(self, id_: int) -> None:
        """A card is looked at closely, and so has to be measured again if it is not as it was measured."""
        row = self.index[id_]
        if self._fingerprints[row] is not None and self._fingerprints[row] != self.state.fingerprint(id_):
            self._fingerprints[row] = None

    def _measure(self, ids: Iterable[int]) -> Stepwise[list[int]]:
        """Sizes and facts of these cards; returns the rows that are other than before.

        A card whose tensor is not there keeps the size it had, so that nothing jumps in time: unless its ports differ.
        """
        self._note_run()
        state, program, blame = self.state, self.program, self._blame
        shapes, inputs = self._anatomies, self._inputs
        rows = [self.index[id_] for id_ in ids]
        told = self.facts[rows].tolist()
        changed: dict[int, Anatomy] = {}
        tells = not self.drawing.shows_functions  # else nobody asks whether a card is as it was measured
        for place, row in enumerate(rows):
            id_ = self.ids[row]
            at, statement, shape = state.statement(id_), program[id_], shapes[row]
            first = faces_tensor(at)
            keeps = shape.rows and len(shape.inputs) == inputs[row] and self._is_awaited(id_, at)
            if first is not None or not keeps:
                shape = self.drawing.anatomy(statement, at, inputs[row])
            self._fingerprints[row] = state.fingerprint(id_) if tells else None
            roots = roots_of(at)
            if roots != self.roots[row]:
                self.roots[row] = roots
                self.roots_serial += 1
            facts = facts_of(at, state, statement, id_ in blame)
            if shape is not shapes[row] or facts != told[place]:
                changed[row], told[place] = shape, facts
            if facts & Fact.ERROR or self.below[row]:
                self.below[row] = first is not None and bool(facts & Fact.ERROR)
            yield place / len(rows)
        self._rooted[rows] = self._run
        self.facts[rows] = told
        self._put_shapes(changed)
        return list(changed)

    def _is_awaited(self, id_: int, at: StatementState) -> bool:
        """True for a statement without a tensor that is still to come, or is being made at the position."""
        if at.status is not Status.OK:
            return at.status is Status.TO_COME
        return self.state.inside and not at.passes and (id_ == self.state.line or id_ in self.program.inline)

    # ------------------------------------------------------------ where they lie

    def _take_board(self, board: Board) -> None:
        if board is not self.board:
            name = self.drawing.name
            self._unplaced.update(id_ for drawing, id_ in board.replaced(self.board) if drawing == name)
            self.board = board

    def _go_home(self) -> None:
        """Put the cards where the board has them; the drawing places those that it does not know."""
        if self._unplaced:
            name, places = self.drawing.name, self.board.places
            rows, found = [], []
            for id_ in self._unplaced & self.index.keys():
                place = places.get((name, id_))
                rows.append(self.index[id_])
                found.append(NOWHERE if place is None else (place.x, place.y, 1.0))
            self._home[rows] = np.array(found).reshape(-1, 3)
            self._unplaced.clear()
        self.x[:], self.y[:] = self._home[:, 0], self._home[:, 1]

    @property
    def _homeless(self) -> list[int]:
        """The rows of cards that have no place on the board."""
        return np.flatnonzero(self._home[:, 2] == 0).tolist()


def _extent(shape: Anatomy) -> tuple[float, float, float]:
    """What of a card bears on where others have room."""
    return shape.width, shape.height, shape.header.top


def in_common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many entries two sequences begin with that are the same."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _taken(old: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The entries of ``old`` at ``rows``; nothing where a row is -1."""
    found = np.zeros((len(rows), *old.shape[1:]), old.dtype)
    kept = rows >= 0
    found[kept] = old[rows[kept]]
    return found
