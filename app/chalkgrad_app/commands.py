"""The one undo command: a change and the way back."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakMethod

from PySide6.QtGui import QUndoCommand

from chalkgrad.program.change import Change


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
