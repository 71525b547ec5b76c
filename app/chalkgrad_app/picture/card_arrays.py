"""The cards of a picture as arrays: how large they are, where they lie, what they show from afar.

Everything is kept from one program to the next; what an edit or a run did not touch is not looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from chalkgrad.layout import Strip
from chalkgrad.program.board import Board, Note
from chalkgrad.program.hooks import hooks_of
from chalkgrad.program.statement import Ref
from chalkgrad.session.state import Problem, State, StatementState, Status
from chalkgrad.stepwise import Stepwise
from chalkgrad_app.picture.anatomy import Anatomy, Point
from chalkgrad_app.picture.card import blamed, faces_tensor
from chalkgrad_app.picture.card_rows import CardRows
from chalkgrad_app.picture.drawings import DRAWINGS, Drawing
from chalkgrad_app.picture.folding import Folding
from chalkgrad_app.picture.frames import FrameShape
from chalkgrad_app.picture.laid_out import LaidOut
from chalkgrad_app.picture.marks import Fact, facts_of
from chalkgrad_app.picture.roots import roots_of
from chalkgrad_app.picture.strips import clear

EMPTY_STATE = State(0, {})
NOWHERE = (0.0, 0.0, 0.0)
"""Where a card lies for which the board has no place, and that it has none."""


class CardArrays(CardRows):
    """What each card shows, by row, and where it lies: on the board, or where the drawing has put it."""

    def __init__(self) -> None:
        super().__init__()
        self.board = Board()
        self.drawing: Drawing = DRAWINGS["cards"]
        self.state: State = EMPTY_STATE
        self._blame: dict[int, Problem] = {}
        self._run, self._nodes_of_run = 0, EMPTY_STATE.nodes
        self.folding = Folding()
        self.frames: tuple[FrameShape, ...] = ()
        self.notes: tuple[Note, ...] = ()
        self.laid_out: LaidOut | None = None
        self.holds_still = False
        """True while cards that have other sizes than before lie as they did, so that others don't jump about."""
        self.is_seen = True
        """False while what is looked at is out of view, and all will be laid out anew after that."""
        self.settles_later = False
        """True where laying out takes long: all lies as it did until a picture made beside this one takes its place."""
        self.is_followed = False
        """True while all that a new run comes to is looked at in time: until then it is shown as it was."""

    def remember_gone(self, other: CardArrays) -> None:
        """Know of cards that are gone what another picture knows: they come back as they were, and where they were."""
        self._gone = other._gone.copy()
        if self.laid_out is not None and other.laid_out is not None:
            self.laid_out = self.laid_out._replace(gone=other.laid_out.gone)

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
