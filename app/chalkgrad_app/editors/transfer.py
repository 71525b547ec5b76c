"""Copying and pasting many numbers, in slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Slot

from chalkgrad.stepwise import Stepwise
from chalkgrad_app.widgets.slices import Slices

Made = TypeVar("Made")


class Transfer(Slices):
    """Numbers on their way between a table and the clipboard."""

    _edits = False

    def transfer(self, label: str, steps: Stepwise[Made], then: Callable[[Made], object], edits: bool = False) -> None:
        """Start to work off ``steps``; ``edits`` where what they come to changes the tensor."""
        self.give_up()
        self._edits = edits
        self.start(label, steps, then)

    @Slot()
    def give_up_editing(self) -> None:
        """Give up what was meant for the tensor as it was before it changed."""
        if self._edits:
            self.give_up()
