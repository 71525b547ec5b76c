"""The picture: arrays that mirror program, board and state. Painting and hit-testing read it and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from operator import is_

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad.program.board import Board, Note
from chalkgrad.program.program import Program
from chalkgrad.session.state import State
from chalkgrad.stepwise import Stepwise, finished, share
from chalkgrad_app.picture.anatomy import Point
from chalkgrad_app.picture.card import CardFace, input_ports
from chalkgrad_app.picture.card_rows import NO_CARD
from chalkgrad_app.picture.code_lines import CodeLines
from chalkgrad_app.picture.drawings import drawing_of
from chalkgrad_app.picture.faces import RENEWED_AT_ONCE, Faces, Known, says_other
from chalkgrad_app.picture.folding import Fold
from chalkgrad_app.picture.frames import NOBODY, FrameShape, Leaving, frame_shapes
from chalkgrad_app.picture.function_layer import FunctionLayer
from chalkgrad_app.picture.function_ways import FunctionWays
from chalkgrad_app.picture.gradient_layer import GradientLayer
from chalkgrad_app.picture.node_arrays import NodeArrays
from chalkgrad_app.picture.notes import fitted
from chalkgrad_app.picture.wire_arrays import WireArrays


@dataclass(frozen=True, slots=True)
class Port:
    """One port of a card in canvas units.

    ``kind`` is ``"input"``, ``"value"`` or ``"grad"``; ``index`` the input's number, or the output.
    """

    kind: str
    index: int
    x: float
    y: float


class Picture(WireArrays):
    """Cards, wires, notes and frames as arrays, see :class:`CardArrays` and :class:`WireArrays`."""

    def __init__(self, language: str = "en") -> None:
        super().__init__()
        self.language = language
        self.folds: tuple[Fold, ...] = ()
        self.changed: frozenset[int] = frozenset()
        self._faces = Faces()
        self.gradients = GradientLayer()
        self.functions, self.function_ways = FunctionLayer(), FunctionWays()
        self.lines = CodeLines()
        self._beside_of: tuple[object, ...] = (None, None, None)
        self._is_beside_settled = True

    # ------------------------------------------------------------ update

    def update(
        self, program: Program, board: Board, state: State, changed: Collection[int] | None = None
    ) -> Collection[int] | None:
        """Mirror ``program``, ``board`` and ``state``.

        Looked at anew are statements that differ from those before, and ``changed`` ones, in the state; None means all.
        While ``is_followed``, a card that comes back is as it was until it is among those ``changed``.
        Returns the ids of the cards that may look otherwise now; None: more than some cards may.
        """
        return finished(self.updating(program, board, state, changed))

    def updating(
        self, program: Program, board: Board, state: State, changed: Collection[int] | None = None
    ) -> Stepwise[Collection[int] | None]:
        """The same in steps, for a picture that nobody looks at meanwhile."""
        before, cards, before_board = self.program, self._cards, self.board
        self.state = state
        if drawing_of(board.drawing) is not self.drawing:
            self._draw_as(board.drawing)
            changed = None
        differing, turned, back = set[int](), set[int](), set[int]()
        stale = np.zeros(len(self.wires), bool)
        if program is not before:
            differing = yield from share(self._take_over(program), 0.0, 0.1)
            stale = yield from share(self._connect(before, cards, differing), 0.1, 0.3)
            back = self._back if self.is_followed else set()
            turned = self._faces.exchange(self._cards, self._replaced, back)
            differing -= back
        blame = self._find_blame()
        ids = self._cards if changed is None else self._to_measure(differing | blame, changed)
        was = self._lying()
        renewed = yield from share(self._measure(ids), 0.3, 0.7)
        renewed += [self.index[id_] for id_ in back]
        yield from share(self._lay_out(board), 0.7, 0.8)
        self._set_board(board)
        yield 0.85
        yield from share(self._settle(was, renewed, stale), 0.85, 1.0)
        self._renew_faces(None if changed is None else ids, turned)
        return ids if program is before and board is before_board and changed is not None else None

    def set_language(self, language: str) -> None:
        """Show notes in another language, each as high as its text."""
        self.language = language
        self._fit_notes()

    def set_board(self, board: Board) -> None:
        """Mirror places, notes and frames; nothing else is looked at, unless the board shows another drawing."""
        if drawing_of(board.drawing) is not self.drawing:
            self.update(self.program, board, self.state)
            return
        was = self._lying()
        self._set_board(board)
        finished(self._settle(was))

    def shift(self, ids: Iterable[int], dx: float, dy: float, leaving: Leaving = NOBODY) -> None:
        """Show cards, notes and plain frames moved from where the board has them: a drag, until it is done.

        Frames of blocks are shown without the cards that would be ``leaving`` them.
        """
        was = self._lying()
        self._place()
        chosen = set(ids)
        rows = [self.index[id_] for id_ in chosen if id_ in self.index]
        self.x[rows] += dx
        self.y[rows] += dy
        self._fit_notes()
        self.notes = tuple(
            replace(note, x=note.x + dx, y=note.y + dy) if note.id in chosen else note for note in self.notes
        )
        finished(self._settle(was, shifted=chosen, way=(dx, dy), leaving=leaving))

    def show_at(self, places: Mapping[int, tuple[float, float]]) -> None:
        """Show cards elsewhere than where the board has them: on their way, until they are there."""
        was = self._lying()
        self._place()
        for id_, (x, y) in places.items():
            if id_ in self.index:
                self.x[self.index[id_]], self.y[self.index[id_]] = x, y
        finished(self._settle(was, shifted=places))

    def find_ways(self, rows: np.ndarray, seconds: float, scene: QRectF | None = None) -> bool:
        """Look for ways round things for wires, links and arrows that go the shortest way; True when some were found.

        Of wires those of these ``rows``, of arrows those in the ``scene``, all when None.
        """
        found = self._routing.go_on(self, rows, seconds)
        if found:
            self._bend(np.zeros(0, np.intp), self._routing.found)
        found = self.function_ways.find(self, scene, seconds) or found
        return self.gradients.find_ways(seconds) or found

    def has_ways(self, rows: np.ndarray, scene: QRectF | None = None) -> bool:
        """True when no better ways are left to be looked for for these wires, for arrows there, and for links."""
        return self._routing.is_done(rows) and self.function_ways.is_done(scene) and self.gradients.has_ways

    # ------------------------------------------------------------ read

    @property
    def is_settled(self) -> bool:
        """True when all that the drawing lays out lies where it belongs, beside the cards, too."""
        return super().is_settled and self._is_beside_settled

    @property
    def beside(self) -> tuple[NodeArrays, ...]:
        """What lies beside the board by a rule."""
        return self.functions, self.gradients

    def rect_of(self, id_: int) -> QRectF | None:
        """The rectangle of a card, a note or a frame, or None."""
        if id_ in self.index:
            return self.rect(id_)
        for note in self.notes:
            if note.id == id_:
                return QRectF(note.x, note.y, note.width, note.height)
        shapes: tuple[FrameShape | Fold, ...] = (*self.frames, *self.folds)
        return next((shape.rect for shape in shapes if shape.id == id_), None)

    def whole_in(self, scene: QRectF, ids: Collection[Hashable]) -> set[int]:
        """Those of some cards, notes and frames that lie wholly in a rectangle."""
        across = (self.x >= scene.left()) & (self.x + self.w <= scene.right())
        rows = np.flatnonzero(across & (self.y >= scene.top()) & (self.y + self.h <= scene.bottom()))
        whole = {self.ids[row] for row in rows.tolist()}.intersection(ids)
        shapes: tuple[Note | FrameShape | Fold, ...] = (*self.notes, *self.frames, *self.folds)
        for id_ in {shape.id for shape in shapes}.intersection(ids):
            rect = self.rect_of(id_)
            if rect is not None and scene.contains(rect):
                whole.add(id_)
        return whole

    def bounds(self, ids: Collection[int] | None = None, lines: bool = True) -> QRectF:
        """The rectangle around everything (code beside the cards: ``lines``), or around ``ids``; empty for nothing."""
        if ids is not None:
            return self.on_board(ids)
        found = self.on_board().united(self.function_ways.bounds())
        for arrays in (*self.beside, self.lines) if lines else self.beside:
            found = found.united(arrays.bounds())
        for frame in self.frames:  # those of blocks, too, whose edges lie around their cards
            found = found.united(frame.rect)
        return self.around_wires(found)

    def on_board(self, ids: Collection[int] | None = None) -> QRectF:
        """The same without what lies beside the board by a rule."""
        found = QRectF()
        rows = np.arange(len(self.ids)) if ids is None else self.rows_of(ids)
        if len(rows):
            left, top = self.x[rows].min(), self.y[rows].min()
            right, bottom = (self.x + self.w)[rows].max(), (self.y + self.h)[rows].max()
            found = QRectF(left, top, right - left, bottom - top)
        for note in self.notes:
            if ids is None or note.id in ids:
                found = found.united(QRectF(note.x, note.y, note.width, note.height))
        for frame in self.frames:
            if (ids is None and not frame.block) or (ids is not None and frame.id in ids):
                found = found.united(frame.rect)
        for fold in self.folds:
            if ids is None or fold.id in ids:
                found = found.united(fold.rect)
        return found

    def ports(self, id_: int) -> tuple[Port, ...]:
        """All ports of a card: inputs, then values, then gradients."""
        i = self.index[id_]
        shape = self._anatomies[i]
        x, y = float(self.x[i]), float(self.y[i])

        def port(kind: str, index: int, at: Point) -> Port:
            return Port(kind, index, x + at[0], y + at[1])

        numbers = [number for number, _ in input_ports(self.program[id_])]
        rows = list(enumerate(shape.places))
        found = [port("input", number, at) for number, at in zip(numbers, shape.inputs, strict=True)]
        found += [port("value", output, row.value_port) for output, row in rows]
        found += [port("grad", output, row.grad_port) for output, row in rows if row.grad is not None]
        return tuple(found)

    def face(self, id_: int) -> CardFace:
        """What a card says; worked out when first asked for."""
        return self.look_at_face(id_).face

    def look_at_face(self, id_: int) -> Known:
        """What a card says, and a number that is the same as long as it says the same."""
        if id_ not in self._faces:
            self._tell_apart(id_)
        shape = self._anatomies[self.index[id_]]
        return self._faces.look(self.drawing, id_, self.program, self.state, self._blame, shape)

    def known_face(self, id_: int) -> Known | None:
        """The same if that is known; None where it would have to be worked out."""
        return self._faces.known(id_, self.program)

    @property
    def faces_known(self) -> int:
        """How many cards were looked at one by one."""
        return len(self._faces)

    # ------------------------------------------------------------ inside

    def _draw_as(self, drawing: str) -> None:
        """Every card is another in another drawing."""
        self.drawing = drawing_of(drawing)
        self._unplaced.update(self.ids)
        self._anatomies = [NO_CARD] * len(self.ids)
        self.forget_gone()
        self._faces = Faces()

    def _to_measure(self, other: Collection[int], changed: Collection[int]) -> set[int]:
        """The cards that are ``other``, and those ``changed`` ones of which a run may have made something else."""
        maybe = self._cards.intersection(changed).difference(other)
        return {*self._cards.intersection(other), *(id_ for id_ in maybe if not self._is_as_measured(id_))}

    def _lay_out(self, board: Board) -> Stepwise[None]:
        """Have the drawing think of places for the cards that have none on a board."""
        self._take_board(board)
        self._go_home()
        if self.places_some:
            yield from self.drawing.lay_out(self)

    def _set_board(self, board: Board) -> None:
        self._take_board(board)
        self._place()
        self._fit_notes()

    def _place(self) -> None:
        """Everything where the board has it."""
        self._go_home()
        if homeless := self._homeless:
            self.drawing.place(self, homeless)
        self.folding.place(self)

    def _fit_notes(self) -> None:
        shown = [note for id_, note in self.board.notes.items() if id_ not in self.folding.unseen]
        self.notes = tuple(fitted(note, self.language) for note in shown)

    def _lying(self) -> np.ndarray:
        """Where the cards lie, and how large they are: four rows of numbers."""
        return np.stack([self.x, self.y, self.w, self.h])

    def _settle(
        self,
        was: np.ndarray,
        renewed: Collection[int] = (),
        stale: np.ndarray | None = None,
        shifted: Collection[int] = (),
        way: tuple[float, float] = (0.0, 0.0),
        leaving: Leaving = NOBODY,
    ) -> Stepwise[None]:
        """What follows from places and sizes: the course of wires, and frames.

        Cards that don't lie as they ``was``, and those of the rows ``renewed``, take their wires along; ``stale`` wires
        are new. ``shifted`` things are on their way.
        """
        turned = np.zeros(len(self.ids), bool)
        turned[list(renewed)] = True
        hidden = self.folding.mask(len(self.ids))
        if not shifted:
            turned |= self.hidden | hidden
        self.hidden = hidden  # wires keep clear of what is seen alone
        aimed = self._at_cards(turned) if stale is None else self._at_cards(turned) | stale
        if stale is not None or not shifted:
            yield from share(self._aim(aimed), 0.0, 0.5)
        rows = np.flatnonzero(aimed | self._at_cards((self._lying() != was).any(axis=0)))
        self._join(rows)
        self.frames = frame_shapes(self, shifted, *way, leaving)
        self._bend(rows, self._routing.still(self, self.among(shifted)) if shifted else self._routing.ways(self))
        self.folds = self.folding.shown(self, shifted, *way)
        of = (self.program, self.board, self.state)
        if shifted:
            self.function_ways.shift(self)
        elif self.settles_later:
            self._follow_in_time()
        elif self.is_seen or not all(map(is_, of, self._beside_of)):
            yield 0.6
            yield from share(self.functions.following(self), 0.6, 0.8)
            yield 0.8
            yield from share(self.function_ways.following(self), 0.8, 0.9)
            yield 0.9
            self.lines.follow(self)
            self._is_beside_settled = True
            self._beside_of = of
        self.gradients.follow(self, still=not shifted)

    def _follow_in_time(self) -> None:
        """Have what lies beside the cards show another moment; what stands elsewhere, or is new, is laid out later.

        Until then what there was stays, unless what it belongs to is gone.
        """
        is_in_time = self.functions.follows_in_time(self)
        self._is_beside_settled = self.lines.follows_in_time(self) and is_in_time
        if not is_in_time and not self.functions.goes_with(self):
            self.functions, self.function_ways = FunctionLayer(), FunctionWays()

    def _renew_faces(self, ids: Collection[int] | None, turned: Collection[int]) -> None:
        """Faces worked out before are looked at again; those that now say something else are in ``changed``.

        So are those that have ``turned`` into what they said earlier.
        """
        before = self._faces.forget(ids)
        self.changed = frozenset(turned)
        if len(before) <= RENEWED_AT_ONCE:
            self.changed |= frozenset(id_ for id_, old in before.items() if says_other(old, self.face(id_)))
