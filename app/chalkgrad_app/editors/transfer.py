"""Copying and pasting many numbers: a slice at every turn of the event loop, so that it can be watched and left."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

Made = TypeVar("Made")


class Transfer(QObject):
    """Works off one generator at a time; what it returns is handed over whole, or not at all.

    The first slice is worked off at once, so that few numbers need no turn of the event loop.
    """

    progressed = Signal(str, int)  # what is done, and how much of it in per cent
    ended = Signal()  # all is there, or it was given up
    refused = Signal(str)  # why it can't be done

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._label = ""
        self._edits = False
        self._steps: Generator[float, None, Any] | None = None
        self._then: Callable[[Any], object] = str
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_active(self) -> bool:
        """True while something is under way."""
        return self._steps is not None

    def start(
        self, label: str, steps: Generator[float, None, Made], then: Callable[[Made], object], edits: bool = False
    ) -> None:
        """Work off ``steps``, then call ``then`` with what they return; ``edits`` where that changes the tensor.

        What was under way is given up.
        """
        self.give_up()
        self._label, self._steps, self._then, self._edits = label, steps, then, edits
        self._timer.start()
        self._go_on()

    def give_up(self) -> None:
        """Leave everything as it was."""
        if self._steps is not None:
            self._steps = None
            self._timer.stop()
            self.ended.emit()

    def give_up_editing(self) -> None:
        """Give up what was meant for the tensor as it was before it changed."""
        if self._edits:
            self.give_up()

    def _go_on(self) -> None:
        steps = self._steps
        if steps is None:
            return
        try:
            self.progressed.emit(self._label, round(100 * next(steps)))
            return
        except StopIteration as end:
            made = end.value
        except ValueError as error:
            self.give_up()
            self.refused.emit(str(error))
            return
        self.give_up()
        self._then(made)
