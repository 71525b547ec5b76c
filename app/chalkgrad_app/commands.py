"""The one undo command: a change and the way back; and what steps that were made say after things came elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from weakref import WeakMethod

from PySide6.QtGui import QUndoCommand, QUndoStack

from chalkgrad.program.board import Frame, Note, Spot
from chalkgrad.program.change import NOTHING, Change, Key

LYING = ("notes", "frames", "spots")
"""Tables of the board whose entries speak of the drawing that was shown when they were made."""
BEFORE, AFTER = 0, 1
"""The sides of an entry of a change."""


class EditCommand(QUndoCommand):
    """A change on Qt's undo stack. Commands with the same gesture number (not 0) merge into one step.

    ``apply`` gets the change, and where it comes back the ``drawing`` that was shown when it was made: what is made in
    two drawings is two steps.
    """

    def __init__(
        self, change: Change, label: str, drawing: str, apply: Callable[[Change, str], None], gesture: int = 0
    ) -> None:
        super().__init__(label)
        self.change = change
        self.drawing = drawing
        # Weakly: a document that its own commands kept alive would be left to the garbage collector, which takes the
        # stack and the commands apart in an order that PySide does not survive.
        self._apply = WeakMethod(apply)
        self._gesture = gesture
        self._was_made = False

    def redo(self) -> None:
        """Make the change; from the second time on it is one that comes back."""
        self._made(self.change, self.drawing if self._was_made else "")
        self._was_made = True

    def undo(self) -> None:
        """Take the change back."""
        self._made(self.change.inverse(), self.drawing)

    def id(self) -> int:
        """The gesture number, by which Qt finds commands that may merge; -1 for none."""
        return self._gesture or -1

    def _made(self, change: Change, again_in: str) -> None:
        apply = self._apply()
        if apply is not None:
            apply(change, again_in)

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take a later command of the same gesture into this one."""
        if not isinstance(other, EditCommand) or other.id() != self.id() or other.drawing != self.drawing:
            return False
        self.change = self.change.then(other.change)
        self.setObsolete(not self.change)
        return True


def amend(stack: QUndoStack, change: Change, drawing: str) -> None:
    """Have the steps of a stack lead to where ``change``, which is none of them, puts things in a drawing.

    The last step that was made and tells where a thing lies there, or brought it, puts it there from now on; the next
    one that waits and tells so begins there.
    """
    steps = [step for number in range(stack.count()) if isinstance(step := stack.command(number), EditCommand)]
    left = change
    for number in reversed(range(stack.index())):
        told, left = _told(steps[number], left, drawing, AFTER)
        if told:
            steps[number].change = steps[number].change.then(told)
            if number < stack.cleanIndex():
                stack.resetClean()
    left = change
    for step in steps[stack.index() :]:
        told, left = _told(step, left, drawing, BEFORE)
        if told:
            step.change = told.inverse().then(step.change)


def _told(step: EditCommand, change: Change, drawing: str, side: int) -> tuple[Change, Change]:
    """What of a change belongs into a step, and what is left for those farther from now.

    ``side`` of the step's entries is the one that is nearer to now. A thing that the step changed where another drawing
    was shown is left for the others as it is on the step's far side: another title, another text.
    """
    entries, kept = change.entries, _kept(step, change, drawing)
    changed = {} if step.drawing == drawing else {key: it for key, it in step.change.entries.items() if key in entries}
    if not kept and not changed:
        return NOTHING, change
    told = {}
    for key, name in kept.items():
        before, after = entries[key]
        near = step.change.entries[name][side] if name in step.change.entries else before
        told[name] = near, _put(near, after)
    left = {}
    for key in entries.keys() - kept.keys():
        before, after = entries[key]
        far = changed[key][1 - side] if key in changed else before
        if far is not None or key not in changed:  # in the drawing where a thing was brought it lies in ``spots``
            left[key] = _put(far, before), _put(far, after)
    return Change(told), Change(left)


def _kept(step: EditCommand, change: Change, drawing: str) -> dict[Key, Key]:
    """Where a step tells what a change does: by the keys of the change, those of the step.

    All of it does where in the same drawing the step brought one of the things: the others made room for it.
    """
    kept: dict[Key, Key] = {}
    is_here = step.drawing == drawing
    for (table, id_), (before, _) in step.change.entries.items():
        key, name = (table, id_), (table, id_)
        if table == "statements" and before is None:
            key = name = "places", (drawing, id_)
        elif table == "spots" and isinstance(id_, tuple) and id_[0] == drawing:
            key = ("notes" if ("notes", id_[1]) in change.entries else "frames"), id_[1]
        elif table in LYING and not is_here:
            continue
        if key in change.entries:
            if is_here and before is None and table in ("statements", "notes", "frames"):
                return {key: key for key in change.entries}
            kept[key] = name
    return kept


def _put(thing: object, place: object) -> object:
    """A note, a frame or where one lies, put to where another one is; anything else is in the ``place`` of it."""
    if isinstance(thing, (Note, Frame, Spot)) and isinstance(place, (Note, Frame, Spot)):
        return replace(thing, x=place.x, y=place.y, width=place.width, height=place.height)
    return place
