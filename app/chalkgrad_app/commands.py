"""The one undo command: a change and the way back; and what steps that were made say after things came elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakMethod

from PySide6.QtGui import QUndoCommand, QUndoStack

from chalkgrad.program.change import NOTHING, Change, Key

LYING = ("notes", "frames", "spots")
"""Tables of the board whose entries speak of the drawing that was shown when they were made."""


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

    The last step that was made and tells where a thing lies, or brought it, puts it there from now on; the next one
    that waits and tells so begins there. Where notes and frames lie a step tells only in the drawing it was made in.
    """
    steps = [step for number in range(stack.count()) if isinstance(step := stack.command(number), EditCommand)]
    left = change
    for number in reversed(range(stack.index())):
        told, left = _told(steps[number], left, drawing)
        if told:
            steps[number].change = steps[number].change.then(told)
            if number < stack.cleanIndex():
                stack.resetClean()
    left = change
    for step in steps[stack.index() :]:
        told, left = _told(step, left, drawing)
        if told:
            step.change = told.inverse().then(step.change)


def _told(step: EditCommand, change: Change, drawing: str) -> tuple[Change, Change]:
    """What of a change is about things of which a step tells; and what is about others.

    All of it is where in the same drawing the step brought one of the things: they made room for it.
    """
    keys: set[Key] = set()
    for key, (before, _) in step.change.entries.items():
        table, id_ = key
        lying = ("places", (drawing, id_)) if table == "statements" and before is None else key
        if lying in change.entries:
            keys.add(lying)
            if before is None and table != "places" and step.drawing == drawing:
                return change, NOTHING
    told, left = change.split(keys)
    if step.drawing != drawing:
        told = told.split([key for key in keys if key[0] in LYING])[1]
    return told, left
