"""The board: where things lie on the canvas. Nothing on it changes what the program computes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from chalkgrad.program.change import Change
from chalkgrad.program.descent import Descent, differing

K = TypeVar("K")
V = TypeVar("V")

CARDS, DATA, AUTOGRAD = DRAWINGS = ("cards", "data", "autograd")
"""The ways to draw a program, by the names that files know them by."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card's top left corner lies, in canvas units (1 unit = 1 px at 100%).

    ``pinned``: tidying leaves it there.
    """

    x: float
    y: float
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A text on the canvas.

    ``texts`` pairs a language with the text; a person's own note has the one language ``""``.
    """

    id: int
    texts: tuple[tuple[str, str], ...]
    x: float
    y: float
    width: float = 260.0
    height: float = 120.0

    def text(self, language: str) -> str:
        """The text in ``language``, else the first one."""
        return dict(self.texts).get(language, self.texts[0][1] if self.texts else "")


@dataclass(frozen=True, slots=True)
class Frame:
    """A plain frame: a titled rectangle behind cards, in a hue of the theme."""

    id: int
    title: str
    x: float
    y: float
    width: float
    height: float
    hue: str = ""


Thing = TypeVar("Thing", Note, Frame)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a note or a frame lies, and how large it is, in a drawing that is not shown."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Board:
    """Places by (drawing, statement id), notes and frames by id, labels by statement id.

    ``drawing`` is the one that is shown. Each has its own places: notes and frames lie where they are in the one shown,
    and ``spots`` keeps where they are in others. ``folds`` are the frames and blocks shown as one node. A plain frame
    lists what lay on it when it was folded, so that nothing put there later slips in; a block lists nothing, its
    members are those of the program.
    """

    places: Mapping[tuple[str, int], Place] = field(default_factory=dict)
    notes: Mapping[int, Note] = field(default_factory=dict)
    frames: Mapping[int, Frame] = field(default_factory=dict)
    folds: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)
    spots: Mapping[tuple[str, int], Spot] = field(default_factory=dict)
    drawing: str = CARDS
    graphs: Mapping[int, bool] = field(default_factory=dict)
    """Of which backwards the graph of the gradient is shown open, or folded; of others its size decides."""
    _descent: Descent[tuple[str, int]] = field(default_factory=Descent, init=False, compare=False, repr=False)

    def place(self, id_: int) -> Place | None:
        """Where statement ``id_`` lies in the drawing that is shown, or None."""
        return self.places.get((self.drawing, id_))

    def replaced(self, before: Board) -> Collection[tuple[str, int]]:
        """Drawing and id of the statements that may lie elsewhere than on another board."""
        known = self._descent.since(before)
        return differing(before.places, self.places) if known is None else known

    def drawn_as(self, drawing: str) -> Board:
        """The same board showing another drawing; what has no spot in that one lies as it does among cards."""
        if drawing == self.drawing:
            return self
        spots = dict(self.spots)
        notes = {id_: _turned(note, spots, self.drawing, drawing) for id_, note in self.notes.items()}
        frames = {id_: _turned(frame, spots, self.drawing, drawing) for id_, frame in self.frames.items()}
        return replace(self, notes=notes, frames=frames, spots=spots, drawing=drawing)

    def apply(self, change: Change) -> Board:
        """The board after ``change``."""
        touched = change.tables
        if touched.isdisjoint(BOARD_TABLES):
            return self
        board = Board(
            _changed(self.places, change, "places", touched),
            _changed(self.notes, change, "notes", touched),
            _changed(self.frames, change, "frames", touched),
            _changed(self.folds, change, "folds", touched),
            _changed(self.labels, change, "labels", touched),
            _changed(self.spots, change, "spots", touched),
            self.drawing,
            _changed(self.graphs, change, "graphs", touched),
        )
        board.__dict__["_descent"] = self._descent.of(self, cast("set[tuple[str, int]]", change.keys("places")))
        return board


BOARD_TABLES = ("places", "notes", "frames", "folds", "labels", "spots", "graphs")


def _turned(thing: Thing, spots: dict[tuple[str, int], Spot], old: str, new: str) -> Thing:
    """A note or frame at its spot in the ``new`` drawing; ``spots`` gets the one in the ``old`` drawing instead."""
    spots[old, thing.id] = Spot(thing.x, thing.y, thing.width, thing.height)
    spot = spots.pop((new, thing.id), None)
    if spot is None:  # where it is among cards fits any drawing better than where autograd's columns left it
        spot = next((spots[known, thing.id] for known in (CARDS, DATA) if (known, thing.id) in spots), None)
    return thing if spot is None else replace(thing, x=spot.x, y=spot.y, width=spot.width, height=spot.height)


def _changed(table: Mapping[K, V], change: Change, name: str, touched: Collection[str]) -> Mapping[K, V]:
    if name not in touched:
        return table
    changed = dict(table)
    for (table_name, key), (_, after) in change.entries.items():
        if table_name != name:
            continue
        if after is None:
            changed.pop(cast("K", key), None)
        else:
            changed[cast("K", key)] = cast("V", after)
    return changed
