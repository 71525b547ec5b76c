"""A sheet: a program and its board, the whole of what a document holds and a file keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from chalkgrad.program.board import Board
from chalkgrad.program.change import NOTHING, Change
from chalkgrad.program.program import Program


@dataclass(frozen=True)
class Sheet:
    """A program, its board, and ``extra``: keys of a file that this version doesn't know, kept as they were."""

    program: Program = field(default_factory=Program)
    board: Board = field(default_factory=Board)
    extra: tuple[tuple[str, object], ...] = ()

    def __post_init__(self) -> None:
        """Statements, blocks, notes and frames share one row of ids, so that a selection is a set of ids."""
        taken = max([*self.board.notes, *self.board.frames], default=0)
        if taken >= self.program.next_id:
            object.__setattr__(self, "program", replace(self.program, next_id=taken + 1))

    def drawn_as(self, drawing: str) -> Sheet:
        """The same sheet showing another drawing."""
        return replace(self, board=self.board.drawn_as(drawing))

    def apply(self, change: Change) -> Sheet:
        """The sheet after ``change``; ProgramError when that is no program."""
        program = self.program.apply(change) if change.touches_program else self.program
        return Sheet(program, self.board.apply(change), self.extra)

    def change_to(self, other: Sheet) -> Change:
        """The change that makes the program and the board of ``other`` of this one's; which drawing is shown stays."""
        entries: dict[tuple[str, object], tuple[object, object]] = {}
        for table, old, new in (
            ("statements", self.program.statements, other.program.statements),
            ("blocks", self.program.blocks, other.program.blocks),
            ("places", self.board.places, other.board.places),
            ("notes", self.board.notes, other.board.notes),
            ("frames", self.board.frames, other.board.frames),
            ("folds", self.board.folds, other.board.folds),
            ("labels", self.board.labels, other.board.labels),
            ("graphs", self.board.graphs, other.board.graphs),
            ("spots", self.board.spots, other.board.spots),
        ):
            entries |= _differing(table, old, new)
        if self.program.stops != other.program.stops:
            entries[("program", "stops")] = (self.program.stops, other.program.stops)
        order = (self.program.order, other.program.order)
        return Change(entries, order if order[0] != order[1] else None)


def _differing(
    table: str, old: Mapping[Any, object], new: Mapping[Any, object]
) -> dict[tuple[str, object], tuple[object, object]]:
    """The entries of a table that are not the same in another; a sheet that is opened has thousands of new ones."""
    found: dict[tuple[str, object], tuple[object, object]] = {}
    for key in old.keys() - new.keys():
        found[(table, key)] = (old[key], None)
    for key, after in new.items():
        before = old.get(key)
        if before is None or before != after:
            found[(table, key)] = (before, after)
    return found


class Draft:
    """A sheet being edited in several steps that shall be one change."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.change = NOTHING

    @property
    def program(self) -> Program:
        """The program as changed so far."""
        return self.sheet.program

    @property
    def board(self) -> Board:
        """The board as changed so far."""
        return self.sheet.board

    def apply(self, change: Change) -> None:
        """Make ``change`` on top of the earlier ones."""
        self.sheet = self.sheet.apply(change)
        self.change = self.change.then(change)

    def new_id(self) -> int:
        """The id that the next new statement, block, note or frame gets."""
        taken = [*self.board.notes, *self.board.frames]
        return max(self.program.next_id, *(id_ + 1 for id_ in taken)) if taken else self.program.next_id
