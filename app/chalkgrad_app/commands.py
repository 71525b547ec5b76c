"""The one undo command: a change and the way back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from chalkgrad.program.change import Change


class EditCommand(QUndoCommand):
    """A change on Qt's undo stack. Commands with the same gesture number (not 0) merge into one step."""

    def __init__(self, change: Change, label: str, apply: Callable[[Change], None], gesture: int = 0) -> None:
        super().__init__(label)
        self.change = change
        self._apply = apply
        self._gesture = gesture

    def redo(self) -> None:
        """Make the change."""
        self._apply(self.change)

    def undo(self) -> None:
        """Take the change back."""
        self._apply(self.change.inverse())

    def id(self) -> int:
        """The gesture number, by which Qt finds commands that may merge; -1 for none."""
        return self._gesture or -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take a later command of the same gesture into this one."""
        if not isinstance(other, EditCommand) or other.id() != self.id():
            return False
        self.change = self.change.then(other.change)
        self.setObsolete(not self.change)
        return True
