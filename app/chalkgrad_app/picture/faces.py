"""What cards say, worked out for those that somebody looks at, and kept until it may be something else."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from typing import NamedTuple, TypeVar

from chalkgrad.program.program import Program
from chalkgrad.session.state import Problem, State
from chalkgrad_app.picture.anatomy import Anatomy
from chalkgrad_app.picture.card import CardFace
from chalkgrad_app.picture.drawings import Drawing

T = TypeVar("T")
RENEWED_AT_ONCE = 400
"""With more faces than this, what changed is not worked out (and doesn't flash)."""
MOST = 4000
"""More faces than this are not kept: the oldest go."""
LATELY = 4
"""So many faces of a card are remembered, before and after an edit and while the run is not there yet: an edit that is
taken back, or done again, mostly brings one of them."""


_serials = count(1)  # of all pictures: sprites outlive one


class Known(NamedTuple):
    """A face, a number that is the same as long as it looks the same, and the program from which it was written.

    The number of its line may be another: that is painted apart.
    """

    face: CardFace
    serial: int
    program: Program


class Faces:
    """The faces of one picture."""

    def __init__(self) -> None:
        self._known: dict[int, Known] = {}
        self._lately: dict[int, tuple[tuple[CardFace, int], ...]] = {}
        """What cards said, those too that are gone, each with its serial, the newest first."""
        self._gone: dict[int, Known] = {}
        """What cards said when they went."""

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, id_: int) -> bool:
        return id_ in self._known

    def known(self, id_: int, program: Program) -> Known | None:
        """What a card says if it was worked out for this program."""
        found = self._known.get(id_)
        return found if found is not None and found.program is program else None

    def look(
        self, drawing: Drawing, id_: int, program: Program, state: State, blame: dict[int, Problem], shape: Anatomy
    ) -> Known:
        """What a card says; worked out where it isn't known. ``shape`` is the anatomy that it has in the picture."""
        found = self._known.get(id_)
        if found is not None and found.program is program:
            return found
        if found is not None:
            return self._keep(drawing.written(found.face, program, state), program)
        return self._keep(drawing.face(program, state, id_, blame, shape), program)

    def forget(self, ids: Collection[int] | None) -> dict[int, CardFace]:
        """The faces of ``ids`` (None: all) are to be worked out anew; returns what they said."""
        asked = list(self._known) if ids is None else [id_ for id_ in ids if id_ in self._known]
        return {id_: self._known.pop(id_).face for id_ in asked}

    def exchange(self, cards: Collection[int], replaced: Collection[int], back: Collection[int]) -> set[int]:
        """There are these ``cards``; some were ``replaced``, some are ``back``, and say what they said when they went.

        Returns those that say something else than what they replace.
        """
        coming = {id_: self._gone.pop(id_) for id_ in back if id_ in self._gone}
        self._gone |= {id_: self._known[id_] for id_ in replaced if id_ in self._known}
        self._gone |= {id_: self._known.pop(id_) for id_ in [id_ for id_ in self._known if id_ not in cards]}
        _drop_oldest(self._gone)
        were = {id_: self._known.pop(id_) for id_ in back if id_ in self._known}
        self._known |= coming
        return {id_ for id_ in were.keys() & coming if says_other(were[id_].face, coming[id_].face)}

    def _keep(self, face: CardFace, program: Program) -> Known:
        lately = self._lately.pop(face.id, ())
        serial = next((serial for old, serial in lately if looks_like(old, face)), None) or next(_serials)
        others = [entry for entry in lately if entry[1] != serial]
        self._lately[face.id] = ((face, serial), *others[: LATELY - 1])
        found = self._known[face.id] = Known(face, serial, program)
        _drop_oldest(self._lately)
        _drop_oldest(self._known)
        return found


def _drop_oldest(table: dict[int, T]) -> None:
    while len(table) > MOST:
        del table[next(iter(table))]


def looks_like(one: CardFace, other: CardFace) -> bool:
    """True when two faces look the same, but for the numbers of their lines: if these take as much room."""
    return one == other and len(str(one.line)) == len(str(other.line))


def says_other(old: CardFace, new: CardFace) -> bool:
    """True when values, gradients or flags differ; not for another name, nor for a card to come."""
    said = [(card.hue, card.requires_grad, [row._replace(label="") for row in card.rows]) for card in (old, new)]
    return bool(old.rows) and bool(new.rows) and said[0] != said[1]
