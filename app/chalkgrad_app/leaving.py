"""What ran before an edit goes bit by bit, when its successor is there and views have turned to it."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, QTimer

from chalkgrad.session.leaving import letting_go
from chalkgrad.stepwise import Work, finished
from chalkgrad_app.widgets.turns import turn

PAUSE_MS = 400
"""How long after an edit it begins."""

SLICE_MS = 4.0
"""How long it goes on in one turn of the event loop."""

MOST = 2
"""So many runs may wait: of more of them the oldest goes at once, because memory is worth more."""


class Leaving(QObject):
    """Lets go of runs."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[list[object]] = deque()
        self._work: Work[int] | None = None
        self._gave_way = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_active(self) -> bool:
        """True while something is left to go."""
        return self._timer.isActive()

    def take(self, things: list[object]) -> None:
        """Hold ``things`` until it is their turn."""
        self._waiting.append(things)
        while len(self._waiting) > MOST:
            finished(letting_go(self._waiting.popleft()))
        self._timer.start(PAUSE_MS)

    def _go_on(self) -> None:
        self._gave_way = turn().is_over() and not self._gave_way
        if self._gave_way:  # nobody waits for this, but not twice in a row
            self._timer.start(0)
            return
        if self._work is None and self._waiting:
            self._work = Work(letting_go(self._waiting.popleft()))
        if self._work is not None and self._work.advance(SLICE_MS):
            self._work = None
        if self._work is not None or self._waiting:
            self._timer.start(0)
