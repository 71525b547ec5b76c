"""What cards say, worked out for those that somebody looks at, and kept until it may be something else."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from chalkgrad.program.program import Program
from chalkgrad.session.state import Problem, State
from chalkgrad_app.picture.anatomy import Anatomy
from chalkgrad_app.picture.card import CardFace
from chalkgrad_app.picture.drawings import Drawing

RENEWED_AT_ONCE = 400
"""With more faces than this, what changed is not worked out (and doesn't flash)."""
MOST = 4000
"""More faces than this are not kept: the oldest go."""
NO_PROGRAM = Program()
"""What a face that is kept for a card's return refers to, so that it keeps no program of the past."""


_serials = count(1)  # of all pictures: sprites outlive one


class Known(NamedTuple):
    """A face, a number that is the same as long as it says the same, and the program from which it was written."""

    face: CardFace
    serial: int
    program: Program


class Faces:
    """The faces of one picture."""

    def __init__(self) -> None:
        self._known: dict[int, Known] = {}
        self._stale: dict[int, Known] = {}

    def __len__(self) -> int:
        return len(self._known)

    def known(self, id_: int, program: Program) -> Known | None:
        """What a card says if it was worked out for this program."""
        found = self._known.get(id_)
        return found if found is not None and found.program is program else None

    def look(
        self, drawing: Drawing, id_: int, program: Program, state: State, blame: dict[int, Problem], shape: Anatomy
    ) -> Known:
        """What a card says; worked out where it isn't known. ``shape`` is the anatomy that it has in the picture."""
        found = self._known.get(id_)
        if found is None:
            fresh = drawing.face(program, state, id_, blame)
            if fresh.anatomy is not shape:
                fresh = replace(fresh, anatomy=shape)
            return self._keep(id_, self._stale.pop(id_, None), fresh, program)
        if found.program is not program:
            return self._keep(id_, found, drawing.written(found.face, program, state), program)
        return found

    def forget(self, ids: Collection[int] | None) -> dict[int, CardFace]:
        """The faces of ``ids`` (None: all) are to be worked out anew; returns what they said."""
        asked = list(self._known) if ids is None else [id_ for id_ in ids if id_ in self._known]
        for id_ in asked:
            self._stale[id_] = self._known.pop(id_)
        _drop_oldest(self._stale)
        return {id_: self._stale[id_].face for id_ in asked if id_ in self._stale}

    def limit_to(self, cards: Collection[int]) -> None:
        """All others are not there any more; when an undo brings one back, it will mostly say what it said."""
        for id_ in [id_ for id_ in self._known if id_ not in cards]:
            self._stale[id_] = self._known.pop(id_)._replace(program=NO_PROGRAM)
        _drop_oldest(self._stale)

    def _keep(self, id_: int, old: Known | None, fresh: CardFace, program: Program) -> Known:
        if old is not None and old.face == fresh:
            found = old._replace(program=program)
        else:
            found = Known(fresh, next(_serials), program)
        self._known[id_] = found
        _drop_oldest(self._known)
        return found


def _drop_oldest(table: dict[int, Known]) -> None:
    while len(table) > MOST:
        del table[next(iter(table))]


def says_other(old: CardFace, new: CardFace) -> bool:
    """True when values, gradients or flags differ; not for another object that holds the same, nor a card to come."""
    said = [
        (card.hue, card.requires_grad, [row._replace(number=0, label="") for row in card.rows]) for card in (old, new)
    ]
    return bool(old.rows) and bool(new.rows) and said[0] != said[1]
