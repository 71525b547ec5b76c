"""What takes long, worked off in slices, so that it can be watched and left: opening, pasting, changing the drawing."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, thread_time
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from chalkgrad.stepwise import Stepwise, is_waiting

SLICE_MS = 15
"""For how long it goes on in one turn of the event loop, in milliseconds."""

AT_ONCE_MS = 25
"""For so long at most what is done at once may take, in milliseconds of work."""

Made = TypeVar("Made")


class Slices(QObject):
    """Works off one row of steps at a time; what they come to is handed over whole, or not at all.

    The first steps are done at once, so that what takes only a few needs no turn of the event loop. What more come to
    is handed over in a turn of its own: who takes it has much to do.
    """

    progressed = Signal(str, int)  # what is done, and how much of it in per cent
    ended = Signal()  # all is there, or it was given up
    refused = Signal(object)  # the error that says why it can't be done
    left = Signal()  # it was given up

    def __init__(self, name: str, parent: QObject, refusals: tuple[type[Exception], ...] = (ValueError,)) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._refusals = refusals
        self._label, self._percent, self._waits = "", 0, False
        self._steps: Stepwise[Any] | None = None
        self._then: Callable[[Any], object] = str
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_active(self) -> bool:
        """True while something is under way."""
        return self._steps is not None

    def start(self, label: str, steps: Stepwise[Made], then: Callable[[Made], object], at_once: int = 1) -> None:
        """Work off ``steps``, then call ``then`` with what they come to; so many of them ``at_once`` if they are short.

        What was under way is given up.
        """
        self.give_up()
        self._label, self._steps, self._then = label, steps, then
        self._percent, self._waits = 0, False
        self._timer.start()
        self._work(at_once, 0.0)

    def finish(self) -> None:
        """Do all that is left now: who asks can't go on without it."""
        while self._steps is not None:
            self._work(1, SLICE_MS)

    @Slot()
    def give_up(self) -> None:
        """Leave everything as it was."""
        if self._steps is not None:
            self._end()
            self.left.emit()

    def drop(self) -> None:
        """Let it be, without a word: it has no use any more."""
        if self._steps is not None:
            self._end()

    @Slot()
    def _go_on(self) -> None:
        self._work(1, SLICE_MS)

    def _work(self, least: int, milliseconds: float) -> None:
        """Do so many steps, and more for about so long."""
        steps, done, end = self._steps, 0, perf_counter() + milliseconds / 1000
        latest = thread_time() + AT_ONCE_MS / 1000
        if steps is None:
            return
        try:
            while True:
                part = next(steps)
                done += 1
                if is_waiting(part):
                    self._say_it_waits()
                    return
                self._percent, self._waits = round(100 * part), False
                if (done >= least and perf_counter() >= end) or thread_time() >= latest:
                    self.progressed.emit(self._label, self._percent)
                    return
        except StopIteration as over:
            if done and milliseconds:
                self._steps = _finished(over.value)
                return
            made, then = over.value, self._then
        except self._refusals as error:
            self._end()
            self.refused.emit(error)
            return
        except Exception:
            self._end()  # there is nothing to go on with
            raise
        self._end()
        then(made)

    def _say_it_waits(self) -> None:
        """Somebody else is at work: said once, for who would else see nothing of it."""
        if not self._waits:
            self._waits = True
            self.progressed.emit(self._label, self._percent)

    def _end(self) -> None:
        self._steps, self._then = None, str
        self._timer.stop()
        self.ended.emit()


def _finished(made: Made) -> Stepwise[Made]:
    """No step more: what all came to."""
    yield from ()
    return made
