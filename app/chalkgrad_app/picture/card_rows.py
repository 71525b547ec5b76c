"""The cards of a picture, each a row of arrays: which there are, and what of them comes back as it was."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import count, filterfalse, repeat
from typing import NamedTuple, TypeVar

import numpy as np
from PySide6.QtCore import QRectF

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Statement
from chalkgrad.stepwise import Stepwise
from chalkgrad_app.picture.anatomy import Anatomy, Box, RowPlace
from chalkgrad_app.picture.card import input_ports
from chalkgrad_app.picture.laid_out import MOST_GONE
from chalkgrad_app.picture.raised import Raised
from chalkgrad_app.picture.roots import NO_ROOTS, Roots

PORTION = 200
"""So many cards are taken over in one step."""
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


class CardRows:
    """``ids`` in the order of the lines, their rows in ``index``; ``x``, ``y``, ``w``, ``h`` and ``facts`` by row.

    They are painted in this order, but for those ``raised``.
    ``heads`` tells how far down the header lies, below an operator's box, ``below`` where a line with an error stands
    below the card, ``hidden`` what a folded node stands for: it has the node's rectangle. ``sizes_serial`` is another
    number whenever a card has another size.
    """

    def __init__(self) -> None:
        self.program = Program()
        self.ids: list[int] = []
        self.index: dict[int, int] = {}
        self.raised = Raised()
        self._highest = 0
        self._cards: frozenset[int] = frozenset()
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
        self._of_rows = np.zeros(0, np.intp)
        self._home = np.zeros((0, 3))
        self._unplaced: set[int] = set()
        self.sizes_serial = 0
        self.x, self.y, self.w, self.h, self.heads = (np.zeros(0) for _ in range(5))
        self.facts = np.zeros(0, np.intp)
        self.below, self.hidden = np.zeros(0, bool), np.zeros(0, bool)

    def forget_gone(self) -> None:
        """Cards that come back are not as they were."""
        self._gone.clear()

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
