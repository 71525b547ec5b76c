"""The picture: arrays that mirror program, board and state. Painting and hit-testing read it and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad.program.board import Board, Note
from chalkgrad.program.building import has_card
from chalkgrad.program.program import Program
from chalkgrad.session.state import Problem, State, Status
from chalkgrad_app.picture.anatomy import HEADER, ROW, Anatomy, RowPlace, anatomy
from chalkgrad_app.picture.card import (
    CardFace,
    blamed,
    card_anatomy,
    face,
    faces_tensor,
    input_ports,
)
from chalkgrad_app.picture.frames import FrameShape, frame_shapes
from chalkgrad_app.picture.marks import Fact, facts_of
from chalkgrad_app.picture.notes import fitted
from chalkgrad_app.picture.routing import Routing, Ways
from chalkgrad_app.picture.wires import FINE, Wire, boxes, cubics, end_of, flatten, start_of, wires

GAP = 32.0
EMPTY_STATE = State(0, {})


@dataclass(frozen=True, slots=True)
class Port:
    """One port of a card in canvas units.

    ``kind`` is ``"input"``, ``"value"`` or ``"grad"``; ``index`` the input's number, or the output.
    """

    kind: str
    index: int
    x: float
    y: float


class Picture:
    """Cards, wires, notes and frames as arrays.

    Cards: ``ids``, ``x``, ``y``, ``w``, ``h``, ``facts`` (what their far mark shows,
    :class:`~chalkgrad_app.picture.marks.Fact`). Wires: ``wires``, ``ends`` (rows ax, ay, bx, by), ``boxes`` (left, top,
    right, bottom), ``wire_source`` and ``wire_target`` (indices of cards), ``thick``, ``dotted``, ``tagged``. Pieces:
    ``cubics`` (rows of four points, mostly one a wire) and ``piece_wire``, the number of the wire of each.
    """

    def __init__(self, language: str = "en") -> None:
        self.program = Program()
        self.board = Board()
        self.state: State = EMPTY_STATE
        self.language = language
        self.ids: list[int] = []
        self.index: dict[int, int] = {}
        self.wires: list[Wire] = []
        self.notes: tuple[Note, ...] = ()
        self.frames: tuple[FrameShape, ...] = ()
        self.changed: frozenset[int] = frozenset()
        self._anatomies: list[Anatomy] = []
        self._faces: dict[int, tuple[CardFace, int]] = {}
        self._stale: dict[int, tuple[CardFace, int]] = {}
        self._serial = 0
        self._routing = Routing()
        self._moving: set[int] | None = None
        self._blame: dict[int, Problem] = {}
        self._allot(0)
        self._allot_wires()

    # ------------------------------------------------------------ update

    def update(self, program: Program, board: Board, state: State, changed: Collection[int] | None = None) -> None:
        """Mirror ``program``, ``board`` and ``state``.

        ``changed`` limits what is looked at anew to these statements, when the program is the same; None means all.
        """
        rewire = program is not self.program
        self.program, self.state = program, state
        if rewire:
            changed = None
            self._list_cards()
        indices = range(len(self.ids)) if changed is None else [self.index[id_] for id_ in changed if id_ in self.index]
        self._blame = blamed(program, state)
        self._measure(indices)
        if rewire:
            self._connect()
        self.set_board(board)
        self._renew_faces(None if changed is None else set(changed))

    def set_language(self, language: str) -> None:
        """Show notes in another language, each as high as its text."""
        self.language = language
        self._fit_notes()

    def set_board(self, board: Board) -> None:
        """Mirror places, notes and frames; nothing else is looked at."""
        self.board = board
        self._place()
        self._fit_notes()
        self._finish()

    def shift(self, ids: Iterable[int], dx: float, dy: float) -> None:
        """Show cards, notes and plain frames moved from where the board has them: a drag, until it is done."""
        self._place()
        chosen = set(ids)
        rows = [self.index[id_] for id_ in chosen if id_ in self.index]
        self.x[rows] += dx
        self.y[rows] += dy
        self._fit_notes()
        self.notes = tuple(
            replace(note, x=note.x + dx, y=note.y + dy) if note.id in chosen else note for note in self.notes
        )
        self._finish(chosen, dx, dy)

    def show_at(self, places: Mapping[int, tuple[float, float]]) -> None:
        """Show cards elsewhere than where the board has them: on their way, until they are there."""
        self._place()
        for id_, (x, y) in places.items():
            if id_ in self.index:
                self.x[self.index[id_]], self.y[self.index[id_]] = x, y
        self._finish(places)

    # ------------------------------------------------------------ read

    def rect(self, id_: int) -> QRectF:
        """The rectangle of a card; KeyError where there is none."""
        i = self.index[id_]
        return QRectF(self.x[i], self.y[i], self.w[i], self.h[i])

    def rect_of(self, id_: int) -> QRectF | None:
        """The rectangle of a card, a note or a frame, or None."""
        if id_ in self.index:
            return self.rect(id_)
        for note in self.notes:
            if note.id == id_:
                return QRectF(note.x, note.y, note.width, note.height)
        return next((frame.rect for frame in self.frames if frame.id == id_), None)

    def bounds(self, ids: Collection[int] | None = None) -> QRectF:
        """The rectangle around everything, or around ``ids``; empty when there is nothing."""
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
        return found

    def anatomy(self, id_: int) -> Anatomy:
        """Size, rows and ports of a card."""
        return self._anatomies[self.index[id_]]

    def ports(self, id_: int) -> tuple[Port, ...]:
        """All ports of a card: inputs, then values, then gradients."""
        i = self.index[id_]
        shape = self._anatomies[i]
        x, y = float(self.x[i]), float(self.y[i])
        right = x + float(self.w[i])
        numbers = [number for number, _ in input_ports(self.program[id_])]
        found = [Port("input", number, x, y + at) for number, at in zip(numbers, shape.inputs, strict=True)]
        found += [Port("value", output, right, y + row.value_port) for output, row in _rows_by_output(shape)]
        found += [Port("grad", o, right, y + row.grad_port) for o, row in _rows_by_output(shape) if row.grad_top]
        return tuple(found)

    def face(self, id_: int) -> CardFace:
        """What a card says; worked out when first asked for."""
        return self.face_and_serial(id_)[0]

    def face_and_serial(self, id_: int) -> tuple[CardFace, int]:
        """What a card says, and a number that is the same as long as it says the same."""
        found = self._faces.get(id_)
        if found is None:
            fresh = face(self.program, self.state, id_, self._blame)
            fresh = _with_anatomy(fresh, self._anatomies[self.index[id_]])
            old = self._stale.pop(id_, None)
            if old is not None and old[0] == fresh:
                found = old
            else:
                self._serial += 1
                found = (fresh, self._serial)
            self._faces[id_] = found
        return found

    def wires_of(self, ids: Collection[int]) -> np.ndarray:
        """Indices of the wires from or to any of the cards ``ids``."""
        touched = self._among(ids)
        return np.flatnonzero(touched[self.wire_source] | touched[self.wire_target])

    def pieces_of(self, wires: np.ndarray) -> np.ndarray:
        """Indices of the pieces (in ``cubics``) of the wires with these numbers."""
        if len(self.cubics) == len(self.wires):
            return wires
        wanted = np.zeros(len(self.wires), bool)
        wanted[wires] = True
        return np.flatnonzero(wanted[self.piece_wire])

    def middle_of(self, wire: int) -> tuple[float, float]:
        """The point in the middle of a wire, where its tags sit."""
        pieces = self.cubics[self.pieces_of(np.array([wire]))]
        points = flatten(pieces, FINE).reshape(-1, 2)
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        x, y = (float(np.interp(along[-1] / 2, along, points[:, axis])) for axis in (0, 1))
        return x, y

    def rows_of(self, ids: Iterable[int]) -> np.ndarray:
        """Indices of the cards ``ids``, in painting order."""
        return np.array(sorted(self.index[id_] for id_ in ids if id_ in self.index), np.intp)

    # ------------------------------------------------------------ inside

    def _allot(self, count: int) -> None:
        self.x, self.y, self.w, self.h = (np.zeros(count) for _ in range(4))
        self.facts = np.zeros(count, np.intp)
        self.below = np.zeros(count, bool)
        self._inputs = [0] * count
        self._anatomies = [anatomy((), 0, False)] * count

    def _allot_wires(self) -> None:
        count = len(self.wires)
        self.wire_source, self.wire_target = np.zeros(count, np.intp), np.zeros(count, np.intp)
        self._from = np.zeros((count, 2))
        self._to = np.zeros(count)
        self.ends, self.boxes = np.zeros((count, 4)), np.zeros((count, 4))
        self.cubics, self.piece_wire = np.zeros((count, 8)), np.arange(count)
        self.thick, self.dotted = np.zeros(count, bool), np.zeros(count, bool)
        self.tagged = np.array([index for index, wire in enumerate(self.wires) if wire.tags], np.intp)

    def _list_cards(self) -> None:
        known = {id_: self._anatomies[i] for id_, i in self.index.items()}
        self.ids = [statement.id for statement in self.program if has_card(self.program, statement)]
        self.index = {id_: i for i, id_ in enumerate(self.ids)}
        self._allot(len(self.ids))
        for i, id_ in enumerate(self.ids):
            self._inputs[i] = len(input_ports(self.program[id_]))
            if id_ in known:
                self._anatomies[i] = known[id_]

    def _measure(self, indices: Iterable[int]) -> None:
        """Sizes and facts. A card whose tensor is not there keeps the size it had, so that nothing jumps in time."""
        state, program = self.state, self.program
        for i in indices:
            id_ = self.ids[i]
            at = state.statement(id_)
            statement = program[id_]
            if faces_tensor(at) is not None or at.status is not Status.TO_COME or not self._anatomies[i].rows:
                self._anatomies[i] = card_anatomy(statement, at, self._inputs[i])
            self.w[i], self.h[i] = self._anatomies[i].width, self._anatomies[i].height
            self.facts[i] = facts_of(at, state, statement, id_ in self._blame)
            self.below[i] = bool(self.facts[i] & Fact.ERROR) and faces_tensor(at) is not None

    def _connect(self) -> None:
        self.wires = wires(self.program)
        self._allot_wires()
        for row, wire in enumerate(self.wires):
            self.wire_source[row] = self.index[wire.source]
            self.wire_target[row] = self.index[wire.target]

    def _aim(self) -> None:
        """Where on its cards each wire begins and ends, and whether gradient will flow through it."""
        starts = [start_of(self._anatomies[s], w) for s, w in zip(self.wire_source.tolist(), self.wires, strict=True)]
        self._from = np.array(starts).reshape(-1, 2)
        self._to = np.array(
            [end_of(self._anatomies[t], w.port) for t, w in zip(self.wire_target.tolist(), self.wires, strict=True)]
        ).reshape(-1)
        flowing = (self.facts & Fact.THICK) != 0
        has_foot = (self.facts & Fact.FOOT) != 0
        self.thick = flowing[self.wire_source] & has_foot[self.wire_target]
        cut = [any(tag in (".data", ".detach()") for tag in self.wires[row].tags) for row in self.tagged]
        self.thick[self.tagged[np.array(cut, bool)]] = False
        self.thick &= ~np.array([wire.from_grad for wire in self.wires], bool)
        waits = (self.facts & Fact.GHOST) != 0
        self.dotted = waits[self.wire_target] | waits[self.wire_source]

    def _place(self) -> None:
        missing: list[int] = []
        places = self.board.places
        for i, id_ in enumerate(self.ids):
            place = places.get(("cards", id_))
            if place is None:
                missing.append(i)
            else:
                self.x[i], self.y[i] = place.x, place.y
        if missing:
            self._place_missing(missing)

    def _place_missing(self, missing: list[int]) -> None:
        """Cards that nobody placed yet stand in columns by depth, below those that have a place."""
        gone = set(missing)
        placed = [i for i in range(len(self.ids)) if i not in gone]
        top = max((self.y[i] + self.h[i] for i in placed), default=-2 * GAP) + 2 * GAP
        sources: dict[int, list[int]] = {}
        for source, target in zip(self.wire_source.tolist(), self.wire_target.tolist(), strict=True):
            sources.setdefault(target, []).append(source)
        depth: dict[int, int] = {}
        for i in missing:
            depth[i] = max((depth.get(source, -1) for source in sources.get(i, ())), default=-1) + 1
        left = 0.0
        for level in range(max(depth.values()) + 1):
            column = [i for i in missing if depth[i] == level]
            down = top
            for i in column:
                self.x[i], self.y[i] = left, down
                down += self.h[i] + GAP
            left += max(self.w[i] for i in column) + 2 * GAP

    def _fit_notes(self) -> None:
        self.notes = tuple(fitted(note, self.language) for note in self.board.notes.values())

    def _finish(self, shifted: Collection[int] = (), dx: float = 0.0, dy: float = 0.0) -> None:
        """What follows from places and sizes: ends of wires, and frames."""
        if not shifted:
            self._aim()
        moving = {*shifted, *self._moving} if shifted and self._moving is not None else None
        self._moving = set(shifted) if shifted else None
        rows = slice(None) if moving is None else self.wires_of(moving)
        self._join(rows)
        if moving is not None and len(self.cubics) == len(self.wires):
            self.cubics[rows] = cubics(self.ends[rows])
            self.boxes[rows] = boxes(self.cubics[rows])
        else:
            self._bend(self._routing.still(self, self._among(shifted)) if shifted else self._routing.ways(self))
        self.frames = frame_shapes(self, shifted, dx, dy)

    def _join(self, rows: slice | np.ndarray) -> None:
        """Where these wires begin and end on the canvas."""
        source, target = self.wire_source[rows], self.wire_target[rows]
        self.ends[rows, 0] = self.x[source] + self._from[rows, 0]
        self.ends[rows, 1] = self.y[source] + self._from[rows, 1]
        self.ends[rows, 2] = self.x[target]
        self.ends[rows, 3] = self.y[target] + self._to[rows]

    def _bend(self, ways: Ways) -> None:
        """The curves of all wires: plain ones but for those that go round cards."""
        plain = cubics(self.ends)
        self.boxes = boxes(plain)
        numbers = np.arange(len(plain))
        if not ways:
            self.cubics, self.piece_wire = plain, numbers
            return
        straight = np.ones(len(plain), bool)
        straight[list(ways)] = False
        self.cubics = np.vstack([plain[straight], *ways.values()])
        counts = [len(way) for way in ways.values()]
        self.piece_wire = np.concatenate([numbers[straight], np.repeat(list(ways), counts)])
        for row, way in ways.items():
            pieces = boxes(way)
            self.boxes[row] = (*pieces[:, :2].min(axis=0), *pieces[:, 2:].max(axis=0))

    def _among(self, ids: Iterable[int]) -> np.ndarray:
        """For each card whether it is one of ``ids``."""
        found = np.zeros(len(self.ids) + 1, bool)
        found[[self.index[id_] for id_ in ids if id_ in self.index]] = True
        return found

    def _renew_faces(self, changed: set[int] | None) -> None:
        """Faces worked out before are looked at again; those that now say something else are in ``changed``."""
        asked = [id_ for id_ in self._faces if changed is None or id_ in changed]
        before = {id_: self._faces.pop(id_) for id_ in asked}
        self._stale = {id_: old for id_, old in before.items() if id_ in self.index}
        self.changed = frozenset()
        if len(before) <= RENEWED_AT_ONCE:
            ids = list(self._stale)
            self.changed = frozenset(id_ for id_ in ids if _says_other(before[id_][0], self.face(id_)))


RENEWED_AT_ONCE = 400
"""With more faces than this, what changed is not worked out (and doesn't flash)."""


def _says_other(old: CardFace, new: CardFace) -> bool:
    """True when values, gradients or flags differ; not for another object that holds the same, nor a card to come."""
    said = [
        (card.hue, card.requires_grad, [replace(row, number=0, label="") for row in card.rows]) for card in (old, new)
    ]
    return bool(old.rows) and bool(new.rows) and said[0] != said[1]


def _rows_by_output(shape: Anatomy) -> list[tuple[int, RowPlace]]:
    rows = shape.rows or (RowPlace(HEADER, ROW, 0.0, 0.0),)
    return list(enumerate(rows))


def _with_anatomy(card: CardFace, shape: Anatomy) -> CardFace:
    if card.anatomy is shape:
        return card
    values = {name: getattr(card, name) for name in CardFace.__slots__}
    return CardFace(**{**values, "anatomy": shape})
