"""Going through the rounds of a loop: which loop, which round, one on or back, playing, running on, starting over."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind
from chalkgrad.session.history import History, body_of
from chalkgrad_app import settings
from chalkgrad_app.document import Document
from chalkgrad_app.i18n import translate

SOON_MS = 400
"""A loop that runs longer than this shows how far it is."""


class Training(QObject):
    """Moves the cursor of one document from round to round, and lets its run go on, wait or begin again."""

    changed = Signal()  # it began or stopped to play, or has another speed
    ran_on = Signal(int)  # so many per cent of the rounds of a long loop have run
    rested = Signal()  # the run is over, or waits

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timer)
        document.changed.connect(self.pause)
        self._since = QElapsedTimer()
        document.traced.connect(self._on_traced)
        document.finished.connect(self._on_finished)

    # ------------------------------------------------------------ read

    @property
    def loop(self) -> int | None:
        """The loop in question: the outermost one around the line looked at, else the last one that trains."""
        program, line = self._document.program, self._document.cursor_line
        around = program.loops(program[line].block) if line is not None else ()
        return around[0] if around else last_loop(program)

    @property
    def rounds(self) -> int:
        """How many rounds the loop has."""
        loop = self.loop
        return 0 if loop is None else self._document.program.blocks[loop].rounds

    @property
    def begun(self) -> int:
        """How many rounds of it have begun."""
        loop = self.loop
        return 0 if loop is None else len(self._document.session.trace.rounds.get(loop, ()))

    @property
    def number(self) -> int:
        """The round looked at, counted from 1; 0 before the first."""
        loop = self.loop
        return 0 if loop is None else round_number(self._document, loop)

    @property
    def history(self) -> History:
        """What the rounds came to."""
        loop = self.loop
        found = None if loop is None else self._document.session.trace.curves.get(loop)
        return found or History()

    @property
    def is_playing(self) -> bool:
        """True while it goes from round to round by itself, or the run is on its way."""
        return self._timer.isActive() or (self.loop is not None and self._document.is_running)

    @property
    def speed(self) -> int:
        """Rounds a second."""
        return settings.ROUND_SPEED.get()

    # ------------------------------------------------------------ act

    def set_speed(self, speed: int) -> None:
        """Play at another speed, now and the next time."""
        settings.ROUND_SPEED.set(speed)
        self._timer.setInterval(1000 // speed)
        self.changed.emit()

    def look_at_round(self, number: int) -> None:
        """Look at the end of a round, counted from 1; 0 is the moment before the first."""
        loop = self.loop
        rounds = () if loop is None else self._document.session.trace.rounds.get(loop, ())
        if not rounds:
            return
        if number <= 0:
            self._document.look_at(rounds[0].start or 1)
            return
        ends = self.history.ends
        number = min(number, len(rounds))
        self._document.look_at(ends[number - 1] if number <= len(ends) else None)

    def step(self, by: int) -> None:
        """Go to the end of the next (+1) or previous (-1) round, from inside a round to its own end.

        The next one is run where the run waits for it.
        """
        if self.loop is not None:
            self.step_in(self.loop, by)

    def step_in(self, loop: int, by: int) -> None:
        """The same in a loop of one's choice, which may stand in another."""
        document, trace = self._document, self._document.session.trace
        rounds, position = trace.rounds.get(loop, ()), document.position
        before = bisect_left(rounds, position, key=attrgetter("start"))
        ends = trace.curves[loop].ends if loop in trace.curves else ()
        is_inside = 0 < before <= len(ends) and position < ends[before - 1]
        there = before if by > 0 and is_inside else before + by
        if by > 0 and before >= len(rounds) and document.session.is_held:
            document.back_to_now()
            document.let_go(1)
        elif by < 0 and before == 1:
            document.look_at(rounds[0].start or 1)
        elif 0 < there <= len(rounds):
            document.look_at(ends[there - 1] if there <= len(ends) else None)

    def toggle(self) -> None:
        """Play round by round from where one looks, or stop; at the end from the beginning."""
        if self.is_playing:
            self.wait()
        elif self.loop is not None:
            if self.number >= self.begun and not self._document.session.is_held:
                self.look_at_round(0)
            self._timer.start(1000 // self.speed)
            self.changed.emit()

    def wait(self) -> None:
        """Stop playing, and let a loop that runs wait after the round it is in."""
        self.pause()
        if self._document.is_running:
            self._document.let_go(0)

    def pause(self, *_: object) -> None:
        """Stop playing."""
        if self._timer.isActive():
            self._timer.stop()
            self.changed.emit()

    def run_all(self) -> None:
        """Run all rounds that are left, and look at the end."""
        self.pause()
        self._document.back_to_now()
        self._document.let_go()

    def start_over(self) -> None:
        """Run from the start and wait before the first round."""
        self.pause()
        self._document.run_from_start(0)

    def _on_traced(self, *_: object) -> None:
        if not self._document.is_running or not self._document.program.bodies:
            return
        if not self._since.isValid():
            self._since.start()
        elif self._since.elapsed() > SOON_MS and self.rounds:
            self.ran_on.emit(100 * self.begun // self.rounds)

    def _on_finished(self) -> None:
        self._since.invalidate()
        self.rested.emit()
        if self._document.session.is_held and self.begun:
            words = translate("Training", "The loop waits after round {n} of {total}: Train > Run all rounds goes on")
            self._document.told.emit(words.format(n=self.begun, total=self.rounds))

    def _on_timer(self) -> None:
        before = self.number
        self.step(1)
        is_held = self._document.session.is_held
        if self.loop is None or (self.number >= self.rounds) or (self.number == before and not is_held):
            self.pause()


def round_number(document: Document, loop: int) -> int:
    """The round of a loop looked at, counted from 1; 0 before the first."""
    found = document.session.trace.round_at(loop, document.position)
    return 0 if found is None else found.number + 1


def last_loop(program: Program) -> int | None:
    """The last outermost loop, one with a backward in it before others; None where there is none."""
    outermost = [id_ for id_, block in program.blocks.items() if block.is_loop and id_ in program.bodies]
    outermost = [id_ for id_ in outermost if program.loops(id_)[0] == id_]
    outermost.sort(key=lambda id_: program.bodies[id_].start)
    training = [id_ for id_ in outermost if any(s.kind is Kind.BACKWARD for s in body_of(program, id_))]
    return next(reversed(training or outermost), None)
