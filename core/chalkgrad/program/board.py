"""The board: where things lie on the canvas. Nothing on it changes what the program computes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

from chalkgrad.program.change import Change

K = TypeVar("K")
V = TypeVar("V")


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


@dataclass(frozen=True)
class Board:
    """Places by (drawing, statement id), notes and frames by id, labels by statement id.

    ``folds`` are the frames and blocks shown as one node. A plain frame lists what lay on it when it was folded, so
    that nothing put there later slips in; a block lists nothing, its members are those of the program.
    """

    places: Mapping[tuple[str, int], Place] = field(default_factory=dict)
    notes: Mapping[int, Note] = field(default_factory=dict)
    frames: Mapping[int, Frame] = field(default_factory=dict)
    folds: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)

    def place(self, id_: int, drawing: str = "cards") -> Place | None:
        """Where statement ``id_`` lies in ``drawing``, or None."""
        return self.places.get((drawing, id_))

    def apply(self, change: Change) -> Board:
        """The board after ``change``."""
        touched = {table for table, _ in change.entries}
        if touched.isdisjoint(BOARD_TABLES):
            return self
        return Board(
            _changed(self.places, change, "places", touched),
            _changed(self.notes, change, "notes", touched),
            _changed(self.frames, change, "frames", touched),
            _changed(self.folds, change, "folds", touched),
            _changed(self.labels, change, "labels", touched),
        )


BOARD_TABLES = ("places", "notes", "frames", "folds", "labels")


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
