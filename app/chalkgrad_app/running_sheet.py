"""The part of a document that runs: the sheet, the session that runs its program, and the moment looked at.

:class:`~chalkgrad_app.document.Document` adds edits, undo and the selection to it.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from chalkgrad.program.board import Board
from chalkgrad.program.program import Program
from chalkgrad.program.sheet import Sheet
from chalkgrad.session import Session
from chalkgrad.session.state import State
from chalkgrad_app import settings
from chalkgrad_app.covering import Cover, Covers
from chalkgrad_app.leaving import Leaving
from chalkgrad_app.widgets.turns import turn

SLICE_MS = 8.0
"""How long the GUI thread may run the program at a time, in milliseconds."""

PATIENCE = 25
"""A run that takes more turns of the event loop than this has several slices where there is time: it would never end
else."""

AT_ONCE = 4
"""So many slices are run at once after an edit: most programs are over then, and views look once, at the end."""

LONG = 1000
"""A trace of more events than this goes piece by piece."""

SHORT = 1500
"""Programs of more lines than this are not over then, so that only the edit would take longer."""

FEW = 300
"""Programs of more lines than this begin to run in the turn after they came: to show them takes long enough."""

RESTS_AFTER = 4_000_000
"""After so many events, which take a gigabyte or two, a loop waits before its next round: loops within loops would
fill the memory."""


class RunningSheet(QObject):
    """A sheet, the session that runs it in slices of the GUI thread's time, and the cursor in its trace."""

    traced = Signal(int, int)  # events from ... to ... are new; from 0 after a fresh start
    finished = Signal()  # the run came to its end, or waits before a round
    moved = Signal(object)  # the cursor: a position, or None for now
    covering = Signal()  # what is covered

    def __init__(self, sheet: Sheet | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet = sheet if sheet is not None else Sheet()
        self._line: int | None = None
        self._event: int | None = None
        self.covers = Covers(self)
        self.covers.changed.connect(self._on_covers)
        self.is_scrubbed = False  # True while a number is dragged: then who only tells of it may take its time
        self._state: State | None = None
        self._traced = 0
        self._turns = 0
        self._leaving = Leaving(self)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._on_timer)
        most_events = settings.MOST_EVENTS.get()
        self.session = Session(self._sheet.program, most_events=most_events, rest_after=RESTS_AFTER)
        self._run_slice()

    # ------------------------------------------------------------ read

    @property
    def sheet(self) -> Sheet:
        """Program and board."""
        return self._sheet

    @property
    def program(self) -> Program:
        """The program."""
        return self._sheet.program

    @property
    def board(self) -> Board:
        """The board."""
        return self._sheet.board

    @property
    def state(self) -> State:
        """Everything as it is at the cursor: the only state there is."""
        if self._state is None:
            self._state = self.covers.masked(self.bare_state, self.program)
        return self._state

    @property
    def bare_state(self) -> State:
        """The same with nothing hidden: for who judges an answer, or says what is asked for."""
        return self.session.trace.state(self.cursor)

    @property
    def cursor(self) -> int | None:
        """The position looked at, in events that have happened; None: now."""
        if self._line is None or self._line not in self.program:
            return None
        if self._event is not None:
            return min(self._event, len(self.session.trace))
        return self.session.trace.end_of(self._line)

    @property
    def position(self) -> int:
        """The same as a number: how many events have happened at the cursor."""
        cursor = self.cursor
        return len(self.session.trace) if cursor is None else cursor

    @property
    def cursor_line(self) -> int | None:
        """Id of the statement the cursor stands in; None: now."""
        return self._line if self._line in self.program else None

    @property
    def waits_at(self) -> int | None:
        """Id of the statement that ran last, where the run waits before a round of a loop; None where it doesn't."""
        trace = self.session.trace
        return trace.line_at(len(trace)) if self.session.is_held else None

    @property
    def is_past(self) -> bool:
        """True when the cursor is not at the end."""
        cursor = self.cursor
        return cursor is not None and cursor < len(self.session.trace)

    @property
    def is_inside(self) -> bool:
        """True when the cursor stands inside a line, in the middle of it or right after what is written inside it."""
        line = self.cursor_line
        return line is not None and (self.state.inside or self.program.is_inline(line))

    @property
    def is_running(self) -> bool:
        """True while the program still runs."""
        return not self.session.done and not self.session.is_held

    @property
    def is_covering(self) -> bool:
        """True while gradients are covered."""
        return Cover.GRADIENTS in self.covers.hidden

    def insert_index(self) -> int:
        """The place where a new line goes: after the line looked at, or the end."""
        line = self.cursor_line
        if line is None or not self.is_past:
            return len(self.program.order)
        return self.program.positions[line] + 1

    def stopped_at(self) -> int | None:
        """The failed line at which a script stopped, or None."""
        failed = next(iter(self._failures() if self.program.stops else {}), None)
        return None if failed is None or self.covers.asks_outcome(self.program, failed) else failed

    def failed(self) -> dict[int, str]:
        """The exception types of the lines that the code must catch, by id: none where a script stops by itself."""
        return {} if self.program.stops else self._failures()

    def _failures(self) -> dict[int, str]:
        return self.session.trace.state(None).failures

    # ------------------------------------------------------------ run

    def let_go(self, rounds: int | None = None) -> None:
        """Let a run that waits go on, for so many rounds of a loop (None: to the end); 0: wait before the next."""
        self.session.let_go(rounds)
        self._run_slice()

    def run_from_start(self, rounds: int | None = None) -> None:
        """Run the program from the start, with so many rounds of its first loop."""
        self.session.start_over(rounds)
        self._state = None
        self.back_to_now()
        self._run_slice(AT_ONCE)

    def finish(self) -> None:
        """Run to the end now, whatever it takes; for tests and for export."""
        while not self.session.done:
            self.session.let_go()
            self._run_slice()

    # ------------------------------------------------------------ time

    def look_at(self, position: int | None) -> None:
        """Look at a position of the trace; None: now."""
        if position is None or position >= len(self.session.trace):
            self._set_cursor(None, None)
            return
        line = self.session.trace.line_at(position)
        self._set_cursor(line, position)

    def look_at_line(self, id_: int | None) -> None:
        """Look at the moment after a statement, one in a loop in the round looked at; the last one means now."""
        if id_ is not None and id_ in self.program and self.program.loops(self.program[id_].block):
            self.look_at(self.session.trace.end_of(id_, self._end_of_round(id_)))
            return
        if id_ is not None and self.program.order and id_ == self.program.order[-1]:
            id_ = None
        self._set_cursor(id_, None)

    def back_to_now(self) -> None:
        """Look at the end."""
        self._set_cursor(None, None)

    def step_line(self, by: int) -> None:
        """Look at the next (+1) or previous (-1) line, in a loop also that of the next or previous round."""
        if self.program.bodies:
            there = self.session.trace.end_of_next(self.position, by, self.program.inline)
            if there is not None and not (
                by > 0 and self.covers.asks_first(self.program, self.session.trace.line_at(there))
            ):
                self.look_at(there)
            return
        shown = [id_ for id_ in self.program.order if not self.program.is_inline(id_)]
        if not shown:
            return
        line = self.cursor_line
        here = shown.index(line) if line in shown else len(shown) - 1
        if by > 0 and self._event is not None and self.state.inside:
            here -= 1  # the rest of a line that is looked into comes before the next line
        there = here + by
        if 0 <= there < len(shown) and not (by > 0 and self.covers.asks_first(self.program, shown[there])):
            self.look_at_line(shown[there])

    def step_event(self, by: int) -> None:
        """Look at the next (+1) or previous (-1) event."""
        self.look_at(max(1, self.position + by))

    def cover(self, on: bool) -> None:
        """Cover all gradients, or show them again."""
        self.covers.hide(Cover.GRADIENTS, on)

    # ------------------------------------------------------------ inside

    def _follow_edit(self, before: Program) -> tuple[bool, int | None]:
        """Take the session and the cursor along to the edited program, without running it.

        True when the cursor had to move; and the line that is asked about before it may be seen.
        """
        run = self.session.belongings if len(self.session.trace) > LONG else []
        self.session.update(self.program)
        if run and run[0] is not self.session.trace:
            self._leaving.take(run)
        self._state = None
        had_to_move = self._keep_cursor(before)
        asked = self.covers.held_back(before, self.program)
        if asked is not None and self.program.positions[asked]:
            self._line, self._event = self.program.order[self.program.positions[asked] - 1], None
        return had_to_move, asked

    def _run_edited(self, had_to_move: bool, asked: int | None, is_new: bool) -> None:
        """Run the program after an edit that :meth:`_follow_edit` told of, or when it ``is_new``."""
        if is_new and len(self.program) > FEW:
            self._run_slice(0)
        else:
            self._run_slice(AT_ONCE if len(self.program) <= SHORT else 1)
        if had_to_move or asked is not None:
            self.moved.emit(self.cursor)
        if asked is not None:
            self.covers.asks_first(self.program, asked)

    def _keep_cursor(self, before: Program) -> bool:
        """After an edit the cursor stands at the end of its line, or of the nearest line before it that is left.

        True when it stands in another line than before.
        """
        self._event = None
        if self._line is None or self._line in self.program:
            return False
        earlier = before.order[: before.positions[self._line]]
        self._line = next((id_ for id_ in reversed(earlier) if id_ in self.program), None)
        if self._line is not None and self._line == self.program.order[-1]:
            self._line = None
        return True

    def _pass_looked_at(self) -> int:
        """Which pass of its line the cursor stands in, from 0."""
        line = self.cursor_line
        return 0 if line is None else max(0, self.session.trace.passes_of(line, self.cursor) - 1)

    def _end_of_round(self, id_: int) -> int | None:
        """Where the round ends that is looked at of the innermost loop around a line; None: at the end."""
        cursor, trace = self.cursor, self.session.trace
        loop = self.program.loops(self.program[id_].block)[-1]
        rounds = trace.rounds.get(loop, ())
        here = None if cursor is None else trace.round_at(loop, cursor)
        if cursor is None or not rounds:
            return None
        following = 1 if here is None else rounds.index(here) + 1
        return rounds[following].start if following < len(rounds) else None

    def _run_slice(self, slices: int = 1) -> None:
        if self.session.started_afresh(self._traced):
            self._traced = 0
            self.covers.begin_afresh()
        is_over = self.session.advance(slices * SLICE_MS) or self.session.is_held
        self._state = None
        if is_over or not self.is_scrubbed:  # while a number is dragged nobody looks at what is half run
            before, self._traced = self._traced, len(self.session.trace)
            self.traced.emit(before, self._traced)
        if is_over:
            self._timer.stop()
            self.finished.emit()
        elif not self._timer.isActive():
            self._turns = 0
            self._timer.start()

    def _on_timer(self) -> None:
        self._turns += 1
        has_time = self._turns > PATIENCE and not (turn().is_over() or turn().is_claimed)
        turn().begin()
        self._run_slice(AT_ONCE if self.is_scrubbed or has_time else 1)

    def _set_cursor(self, line: int | None, event: int | None) -> None:
        if line is not None and line not in self.program:  # who asks may have an older program before them
            line = event = None
        if (line, event) != (self._line, self._event):
            self._line, self._event = line, event
            self._state = None
            self.moved.emit(self.cursor)

    def _on_covers(self) -> None:
        self._state = None
        self.covering.emit()
