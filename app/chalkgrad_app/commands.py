"""The one undo command: a change and the way back."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakMethod

from PySide6.QtGui import QUndoCommand

from chalkgrad.program.change import Change


class EditCommand(QUndoCommand):
    """A change on Qt's undo stack. Commands with the same gesture number (not 0) merge into one step."""

    def __init__(self, change: Change, label: str, apply: Callable[[Change, bool], None], gesture: int = 0) -> None:
        super().__init__(label)
        self.change = change
        # Weakly: a document that its own commands kept alive would be left to the garbage collector, which takes the
        # stack and the commands apart in an order that PySide does not survive.
        self._apply = WeakMethod(apply)
        self._gesture = gesture
        self._was_made = False

    def redo(self) -> None:
        """Make the change; from the second time on it is one that comes back."""
        self._made(self.change, self._was_made)
        self._was_made = True

    def undo(self) -> None:
        """Take the change back."""
        self._made(self.change.inverse(), True)

    def id(self) -> int:
        """The gesture number, by which Qt finds commands that may merge; -1 for none."""
        return self._gesture or -1

    def _made(self, change: Change, again: bool) -> None:
        apply = self._apply()
        if apply is not None:
            apply(change, again)

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take a later command of the same gesture into this one."""
        if not isinstance(other, EditCommand) or other.id() != self.id():
            return False
        self.change = self.change.then(other.change)
        self.setObsolete(not self.change)
        return True
