"""Turns of the event loop: who shows a document shares them, so that what somebody does meanwhile need not wait long.

In a large program the canvas and each panel take some milliseconds, and all are told at the same moment.
"""

from __future__ import annotations

from functools import cache
from time import perf_counter

from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QObject, QTimer

TURN_MS = 15
"""For how long panels follow in one turn of the event loop, in milliseconds; those that are left wait for the next."""
LONGEST_MS = 100
"""So long after it was begun at the latest a turn is over for good, where the event loop doesn't tell."""


class Turn(QObject):
    """A turn of the event loop: from the first who works in it until all timers that fire in it are through.

    ``number`` is another one in each. ``is_claimed`` where somebody had no time in the one before: others take less.
    """

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self.number = 0
        self._begun: float | None = None
        self._is_granted = False
        self.is_claimed = self._claims = False
        self._over = QTimer(self)
        self._over.setSingleShot(True)
        self._over.setInterval(LONGEST_MS)
        self._over.timeout.connect(self._end)
        if (loop := QAbstractEventDispatcher.instance()) is not None:
            loop.awake.connect(self._end)

    def begin(self) -> None:
        """Somebody is going to work."""
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

    def claim(self) -> None:
        """Somebody has no time in this one, and goes in the next."""
        self._claims = True

    def grants(self) -> bool:
        """True once in a turn that is over: one of those who have waited for long may go all the same."""
        is_granted, self._is_granted = self._is_granted, True
        return not is_granted

    def use_up(self) -> None:
        """Somebody took more than was left of it: none of those who have waited for long goes any more."""
        self._is_granted |= self.is_over()

    def _end(self) -> None:
        if self._begun is not None:
            self.number += 1
            self._begun, self._is_granted = None, False
            self.is_claimed, self._claims = self._claims, False
            self._over.stop()


@cache
def turn() -> Turn:
    """The one that all share."""
    return Turn(QCoreApplication.instance())
