"""Turns of the event loop: who shows a document shares them, so that what somebody does meanwhile need not wait long.

In a large program the canvas and each panel take some milliseconds, and all are told at the same moment.
"""

from __future__ import annotations

from functools import cache
from time import perf_counter

from PySide6.QtCore import QCoreApplication, QObject, QTimer

TURN_MS = 15
"""For how long panels follow in one turn of the event loop, in milliseconds; those that are left wait for the next."""


class Turn(QObject):
    """A turn of the event loop: from the first who works in it until all events had a chance."""

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self._begun: float | None = None
        self._is_granted = False
        self._over = QTimer(self)  # after the timers that fire in this turn, before those that are started in it
        self._over.setSingleShot(True)
        self._over.setInterval(0)
        self._over.timeout.connect(self._end)

    def begin(self) -> None:
        """Somebody is going to work; the turn ends when the timers that have fired by now are through."""
        if self._begun is None:
            self._begun = perf_counter()
            self._over.start()

    @property
    def spent_ms(self) -> float:
        """How long it has lasted, in milliseconds; 0 while nobody works."""
        return 0.0 if self._begun is None else 1000 * (perf_counter() - self._begun)

    def is_over(self) -> bool:
        """True when what may wait has to wait."""
        return self._begun is not None and self.spent_ms > TURN_MS

    def grants(self) -> bool:
        """True once in a turn that is over: one of those who have waited for long may go all the same."""
        is_granted, self._is_granted = self._is_granted, True
        return not is_granted

    def use_up(self) -> None:
        """Somebody took more than was left of it: none of those who have waited for long goes any more."""
        self._is_granted |= self.is_over()

    def _end(self) -> None:
        self._begun, self._is_granted = None, False


@cache
def turn() -> Turn:
    """The one that all share."""
    return Turn(QCoreApplication.instance())
