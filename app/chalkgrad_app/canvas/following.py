"""How far a canvas has followed a run: which statements it has to look at anew."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from chalkgrad.session.trace import Trace
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import language
from chalkgrad_app.picture.picture import Picture
from chalkgrad_app.widgets.turns import TURN_MS, turn

PORTION = 400
"""So many statements are looked at between two turns of the event loop at most, what is in view first."""
LOOK_MS = 12.0
"""For about so long: how many that is, is learnt from how long the last ones took."""
BESIDE = 40
"""So many, what is in view among them or more if that is more, right after an edit or a move of the cursor: there may
be more of them."""


class Following:
    """Follows the state of one document.

    While a program runs anew, what it has not reached yet is shown as it was, so that nothing flickers; where the run
    then waits before a round, as it is.
    """

    def __init__(self) -> None:
        self._trace: Trace | None = None
        self._position = 0
        self._is_catching_up = self._is_forgotten = self._awaits = self._gave_way = False
        self._left: set[int] = set()
        self._is_urgent = False
        self._portion = PORTION // 2
        self._made: Picture | None = None
        self._is_made_before = False
        self.is_of_new_run = False
        """True when what was touched last is all that a run that began anew has come to."""
        self.is_all_anew = False
        """True when everything, what is gone too, may be other than when it was looked at last."""

    @property
    def is_behind(self) -> bool:
        """True when there are statements left to look at."""
        return bool(self._left)

    @property
    def is_urgent(self) -> bool:
        """True when some of what is in view is among them."""
        return self._is_urgent and self.is_behind

    def forget(self) -> None:
        """Everything may be different now, in a picture that is being made, too."""
        self._is_forgotten = self._is_made_before = True

    def expect(self, picture: Picture) -> None:
        """Begin with this picture, made beforehand, once the document has its program and its drawing."""
        self._made = picture

    def made(self, document: Document) -> Picture | None:
        """The picture expected, if the document has come to it; what the run did since it was made is left to look at.

        There is no other chance: None then, and ever after.
        """
        made, self._made = self._made, None
        if made is None or made.program != document.program or made.drawing.name != document.drawing:
            return None
        self._trace = document.session.trace
        self._position = made.state.position if made.state.nodes is self._trace.nodes else 0
        self._left, self._is_catching_up = set(), False
        self._is_forgotten, self._is_made_before = self._is_made_before, False
        if made.language != language():
            made.set_language(language())
        return made

    def next(
        self, document: Document, in_view: Collection[int], is_moving: bool = False, seen: int | None = None
    ) -> set[int] | None:
        """Ids of statements to look at now: their state may differ since they were looked at last. None: all, at first.

        ``in_view`` are ids of cards, in the order of their urgency; so many of them are ``seen`` themselves, the others
        say how their wires look, and wait for the next turn right after an edit. While a number is dragged, or the
        cursor ``is_moving`` on and on, they are all that is looked at, half as many at once: the next moment comes
        before there is time for the others.
        """
        if self._trace is None:
            self._catch(document)
            return None
        before = self._trace
        touched = self._touched(document)
        self._left = set(document.program.order) if touched is None else self._left | touched
        is_first_look = self._trace is not before or (document.is_past and touched != set())
        most = 0 if document.is_scrubbed or is_moving else BESIDE if is_first_look else self._portion
        if len(self._left) <= most:
            portion, self._left = self._left, set()
            return portion
        urgent = islice(in_view, seen) if self._trace is not before and not document.is_scrubbed else in_view
        at_once = PORTION if document.is_scrubbed else self._portion // (2 if is_moving else 1)
        portion = set(islice((id_ for id_ in urgent if id_ in self._left), at_once))
        portion.update(islice(self._left, max(0, most - len(portion))))
        self._left -= portion
        self._is_urgent = not self._left.isdisjoint(in_view)
        return portion

    def gives_way(self) -> bool:
        """True when this turn of the event loop is used up, or somebody else's; not twice in a row, if not by far."""
        has_no_time = turn().is_over() or turn().is_claimed
        self._gave_way = has_no_time and (not self._gave_way or turn().spent_ms > 2 * TURN_MS)
        turn().begin()
        if self._gave_way:
            turn().claim()
        return self._gave_way

    def took(self, count: int, milliseconds: float) -> None:
        """Learn how long it took to look at so many statements."""
        if count >= BESIDE:
            self._portion = min(max(BESIDE, int(count * LOOK_MS / max(milliseconds, 0.1))), PORTION)

    def _catch(self, document: Document) -> None:
        self._trace, self._position = document.session.trace, document.state.position
        self._is_catching_up = self._is_forgotten = False

    def _touched(self, document: Document) -> set[int] | None:
        """Ids of the statements whose state may differ since this was asked last; None: any."""
        before, start, catching_up = self._trace, self._position, self._is_catching_up
        awaited, self._awaits = self._awaits, document.covers.awaits_backward(document.state, document.program)
        everything = self._is_forgotten or awaited != self._awaits  # the first backward covers every gradient
        self._catch(document)
        trace = document.session.trace
        began_anew = catching_up or trace is not before
        if trace is not before:
            start, catching_up = 0, document.is_running
        self.is_all_anew = everything or (began_anew and (document.is_past or document.session.is_held))
        self.is_of_new_run = began_anew and not self.is_all_anew
        if self.is_all_anew:
            return None
        self._is_catching_up = catching_up and document.is_running
        return trace.touched(start, self._position)
