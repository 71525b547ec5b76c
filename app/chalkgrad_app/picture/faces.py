"""What cards say, worked out for those that somebody looks at, and kept until it may be something else."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from typing import NamedTuple, TypeVar

from chalkgrad.program.program import Program
from chalkgrad.session.state import Problem, State
from chalkgrad.source.emit import Wording
from chalkgrad_app.picture.anatomy import Anatomy
from chalkgrad_app.picture.card import CardFace, digits_of
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
    """A face, a number that is the same as long as it looks the same, and of what its line is written."""

    face: CardFace
    serial: int
    wording: Wording | None

    def is_worded(self, wording: Wording | None, digits: int) -> bool:
        """True where what is written of its line is the same for this wording and a number of so many digits."""
        return wording is not None and wording.is_like(self.wording) and self.face.digits == digits


class Faces:
    """The faces of one picture."""

    def __init__(self) -> None:
        self._known: dict[int, Known] = {}
        self._read: set[int] = set()
        """The cards of which it is known that they say this in the program looked at last."""
        self._program: Program | None = None
        self._lately: dict[int, tuple[Known, ...]] = {}
        """What cards said, those too that are gone, the newest first."""
        self._gone: dict[int, Known] = {}
        """What cards said when they went."""

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, id_: int) -> bool:
        return id_ in self._known

    def known(self, id_: int, program: Program) -> Known | None:
        """What a card says if it was worked out for this program."""
        return self._known.get(id_) if id_ in self._read and program is self._program else None

    def look(
        self, drawing: Drawing, id_: int, program: Program, state: State, blame: dict[int, Problem], shape: Anatomy
    ) -> Known:
        """What a card says; worked out where it isn't known. ``shape`` is the anatomy that it has in the picture."""
        found = self._known.get(id_)
        if program is not self._program:
            self._program, self._read = program, set()
        if found is not None and id_ in self._read:
            return found
        self._read.add(id_)
        wording, digits = drawing.wording(program, id_), digits_of(program, id_)
        if found is None:
            before = next((said.face for said in self._lately.get(id_, ()) if said.is_worded(wording, digits)), None)
            return self._keep(drawing.face(program, state, id_, blame, shape, before), wording)
        if found.is_worded(wording, digits):
            return found
        return self._keep(drawing.written(found.face, program, state), wording)

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

    def _keep(self, face: CardFace, wording: Wording | None) -> Known:
        lately = self._lately.pop(face.id, ())
        serial = next((said.serial for said in lately if said.face == face), None) or next(_serials)
        found = self._known[face.id] = Known(face, serial, wording)
        self._lately[face.id] = (found, *[said for said in lately if said.serial != serial][: LATELY - 1])
        _drop_oldest(self._lately)
        _drop_oldest(self._known)
        return found


def _drop_oldest(table: dict[int, T]) -> None:
    while len(table) > MOST:
        del table[next(iter(table))]


def says_other(old: CardFace, new: CardFace) -> bool:
    """True when values, gradients or flags differ; not for another name, nor for a card to come."""
    said = [(card.hue, card.requires_grad, [row._replace(label="") for row in card.rows]) for card in (old, new)]
    return bool(old.rows) and bool(new.rows) and said[0] != said[1]
