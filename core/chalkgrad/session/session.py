"""A session: runs a program statement by statement, in slices, and records the trace.

It runs as a REPL does: a statement that fails keeps the effects it had, and the next one runs. A program that stops
runs as a script does: nothing after the first failed statement is reached. Several sessions may exist at once. What
the process has only one of (grad mode, the observer, the global random stream, how warnings are shown) belongs to a
session while one of its slices runs, and is put back afterwards.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from math import inf
from operator import attrgetter
from time import perf_counter
from typing import NamedTuple, TextIO

from chalkgrad.engine import generator
from chalkgrad.engine.graph import Node, TensorBase, state
from chalkgrad.program.program import Program
from chalkgrad.program.statement import DIFFERENTIATING, Statement
from chalkgrad.session.events import NodeRecord
from chalkgrad.session.faults import at_fault, node_at_fault
from chalkgrad.session.history import sampled, sampled_parameters
from chalkgrad.session.interpret import Interpreter, Steps
from chalkgrad.session.memory import BUDGET
from chalkgrad.session.plain import PlainLines
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.rounds import Rounds
from chalkgrad.session.scope import source
from chalkgrad.session.state import Problem, Status
from chalkgrad.session.tables import MOST_EVENTS, Tables, Verdict
from chalkgrad.session.trace import Trace
from chalkgrad.text.errors import explain_error


class RanAgain(NamedTuple):
    """What an edit made run again: from which line number on, and how many backwards that had run before."""

    line: int
    backwards: int


class Session:
    """Runs one program. ``trace`` is what happened so far; a new one begins when the program runs from the start."""

    _stop: tuple[int, int] | None = None  # the pass of a line before which the run waits

    def __init__(
        self, program: Program, budget: int = BUDGET, most_events: int = MOST_EVENTS, rest_after: float = inf
    ) -> None:
        self.program = program
        self.ran_again: RanAgain | None = None
        self._budget = budget
        self._most_events = most_events
        self._rest_after = rest_after
        self._afresh = False
        self._plain = PlainLines()
        self._begin()

    @property
    def done(self) -> bool:
        """True when every statement has run."""
        return self._next >= len(self.program.order) and self._steps is None

    @property
    def belongings(self) -> list[object]:
        """The trace, and all else that holds what the run came to: for who lets go of it piece by piece."""
        return [self.trace, self._tables, self._recorder, self._interpreter, self._rounds]

    @property
    def is_held(self) -> bool:
        """True when the run waits before a round of a loop."""
        return self._held

    def let_go(self, rounds: int | None = None) -> None:
        """Let so many further rounds of a loop begin, then wait; None: all that are left. 0: wait before the next."""
        self._rounds.let_go(rounds)
        if rounds != 0:
            self._held, self._stop = False, None

    def stop_before(self, line: int, pass_: int = 0) -> None:
        """Let the run wait right before a pass of a line; it begins anew where that is over already."""
        if self.trace.passes_of(line) > pass_:
            self.start_over()
        self._stop = line, pass_
        self._held = False

    def start_over(self, rounds: int | None = None) -> None:
        """Run from the start, with so many rounds of the first loop."""
        self._begin()
        self._afresh = True
        self.let_go(rounds)

    def advance(self, milliseconds: float) -> bool:
        """Run on for about so long; True when the end is reached. A long backward is stopped in the middle."""
        deadline = perf_counter() + milliseconds / 1000
        if not self.done and not self._held:
            with self._inside():
                while not self.done and not self._held:
                    if not self._run_plain_lines(deadline):
                        self._step()
                    if perf_counter() >= deadline:
                        break
                self.trace.settle()
        return self.done

    def finish(self) -> None:
        """Run to the end."""
        self.let_go()
        if not self.done:
            with self._inside():
                while not self.done:
                    if self._held:
                        self.let_go()
                    if not self._run_plain_lines(inf):
                        self._step()

    def update(self, program: Program) -> None:
        """Take the program as it is after an edit.

        What has run stays when only what comes after it differs. Else everything runs again from the start, because
        what autograd has done can't be undone.
        """
        before, self.program = self.program, program
        if self._begins_alike(before):
            self.ran_again = None
            self._interpreter.program = program
            self.trace.set_order(program.order)
            return
        self.ran_again = self._again(before)
        self._begin()
        self._afresh = True

    def started_afresh(self, before: int) -> bool:
        """True, once, when the trace was begun anew since its owner asked last, when it had ``before`` events."""
        afresh, self._afresh = self._afresh, False
        return afresh and before > 0

    def live(self, number: int) -> TensorBase | None:
        """The tensor that object ``number`` is on the engine; None where nobody holds it any more."""
        return self._recorder.live(number)

    def record_of(self, node: Node) -> NodeRecord:
        """What the trace knows of a node of the engine."""
        return self._tables.nodes[self.number_of(node)]

    def number_of(self, node: Node) -> int:
        """The number under which the trace knows a node of the engine."""
        return self._recorder.node_number(node)

    # ------------------------------------------------------------ running

    def _begin(self) -> None:
        self._tables = Tables(self._budget, self._most_events)
        self._recorder = Recorder(self._tables)
        self._interpreter = Interpreter(self.program, self._recorder, self._plain)
        self.trace = Trace(self._tables, self.program.order)
        self._rounds = Rounds(self._tables, self._interpreter.scope.rounds, self._rest_after)
        self._held = False
        self._stop = None
        self._next = self._reached = 0
        self._steps: Steps | None = None
        self._missing: dict[int, Verdict] = {}
        self._failed: Verdict | None = None
        self._modes = (True, False)  # grad mode and inference mode as the run left them
        self._warned: set[str] = set()
        self._random = generator.Generator()

    def _run_plain_lines(self, deadline: float) -> bool:
        """Run the plain lines that come next, which most of a large program are; False where a step is something else.

        Nothing is asked between them but the time: no loop goes round, and nobody wants the run to wait.
        """
        if self._steps is not None or self._stop is not None or self._failed is not None or self.program.bodies:
            return False
        begun, order, statements = self._next, self.program.order, self.program.statements
        run = self._interpreter.run_plainly
        try:
            for id_ in islice(order, begun, None):
                if not run(statements[id_]):
                    break
                self._next += 1
                if perf_counter() >= deadline:
                    break
        except Exception as error:
            self._next += 1
            self._fail(order[self._next - 1], error)
        self._reached = max(self._reached, self._next)
        return self._next > begun

    def _step(self) -> None:
        """Run a statement, or a piece of it."""
        try:
            if self._steps is None:
                place = self._next
                if self._stop is not None and self._stands_at(*self._stop):
                    self._held = True
                    return
                if self.program.bodies:
                    if not self._rounds.may_begin(self.program, place):
                        self._held = True
                        return
                    self._note_beginning(place)
                    self._recorder.leaves_nodes_out = self._rounds.is_brief(self.program, place)
                self._start(self.program[self.program.order[place]])
            else:
                next(self._steps)
        except StopIteration:
            self._close(self.program.order[self._next - 1])
        except Exception as error:
            self._fail(self.program.order[self._next - 1], error)

    def _start(self, statement: Statement) -> None:
        self._next += 1
        self._reached = max(self._reached, self._next)
        if self._failed is None and self._interpreter.run_plainly(statement):
            self._go_on()
            return
        if statement.block is None:
            self._recorder.begin(statement.id)
        else:
            self._begin_in_block(statement)
        verdict = self._obstacle(statement)
        if verdict is not None:
            self._missing[statement.id] = verdict
            self._end(statement.id, verdict)
            return
        self._steps = self._interpreter.run(statement)
        if self._steps is None:
            self._end(statement.id)

    def _stands_at(self, line: int, pass_: int) -> bool:
        """True when a pass of a line comes next."""
        return self.program.order[self._next] == line and self.trace.passes_of(line) == pass_

    def _begin_in_block(self, statement: Statement) -> None:
        """A line begins that a loop may have run before."""
        in_loop = bool(self.program.loops(statement.block))
        self._recorder.begin(statement.id, self._interpreter.next_pass(statement.id) if in_loop else 0)
        self._missing.pop(statement.id, None)

    def _end(self, line: int, verdict: Verdict | None = None) -> None:
        """A line is over."""
        self._recorder.ended(line, verdict)
        self._go_on()

    def _go_on(self) -> None:
        """After a line of a loop the first line of its next round may come next."""
        if self.program.bodies and self._failed is None:
            self._next = self._rounds.after(self.program, self._next - 1, self._note_round)

    def _note_beginning(self, place: int) -> None:
        """Where the first round of a loop begins with the line at ``place``: write down what its parameters are."""
        program = self.program
        for loop in program.loops(program[program.order[place]].block):
            if loop not in self._tables.history and program.bodies[loop].start == place:
                initial = sampled_parameters(program, loop, self._interpreter.scope.values)
                self._tables.history[loop].initial.update(initial)

    def _note_round(self, loop: int) -> None:
        """A round of a loop is over: write down what it came to."""
        program, values = self.program, self._interpreter.scope.values
        parameters = sampled_parameters(program, loop, values)
        leaves = {series.statement: values[series.statement, 0] for series in parameters}
        sums = {id_: self._recorder.summands(leaf) for id_, leaf in leaves.items() if isinstance(leaf, TensorBase)}
        history = self._tables.history[loop]
        history.add(self._recorder.position, sampled(program, loop, values), parameters, sums)

    def _close(self, line: int) -> None:
        self._steps = None
        self._end(line)

    def _fail(self, line: int, error: Exception) -> None:
        faults = at_fault(error, self._tables, self._recorder)
        type_, message = type(error).__name__, str(error)
        where, pass_ = self._recorder.statement, self._recorder.pass_
        if where != line:
            faults = (where, *(id_ for id_ in faults if id_ != where))
        position = self._recorder.position + 1
        plain = explain_error(type_, message)
        node = node_at_fault(error, self._recorder)
        problem = Problem(line, type_, message, plain, faults, pass_=pass_, position=position, node=node)
        self._recorder.failed(line, problem)
        self._missing[line] = Verdict(Status.NOT_REACHED, None, line)
        if self.program.stops:
            self._failed = self._missing[line]
        self._close(line)

    def _obstacle(self, statement: Statement) -> Verdict | None:
        """Why a statement can't run: a port is open, or what it needs isn't there."""
        if statement.is_waiting:
            return Verdict(Status.WAITING)
        if self._failed is not None:
            return self._failed
        statements, missing = self.program.statements, self._missing
        for ref in statement.refs():
            made = source(self.program, ref)
            if made.statement not in statements:
                return Verdict(Status.WAITING)
            if missing and made.statement in missing and not self._interpreter.scope.has(made):
                return missing[made.statement]
        return None

    # ------------------------------------------------------------ the process's single things

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """While it lasts, grad mode, observer, random stream and warnings are this session's."""
        outside = state.grad, state.inference, state.observer, state.warned
        (state.grad, state.inference), state.observer, state.warned = self._modes, self._recorder, self._warned
        state.look_again()
        generator.swap_default(self._random)
        collecting = gc.isenabled()
        gc.disable()  # a run makes many objects and no circles; looking for some takes as long as the run itself
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always")
                warnings.showwarning = self._warn
                yield
        finally:
            if collecting:
                gc.enable()
            generator.swap_default(self._random)
            self._modes, self._warned = (state.grad, state.inference), state.warned
            state.grad, state.inference, state.observer, state.warned = outside
            state.look_again()

    def _warn(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        text, position = str(message), self._recorder.position + 1
        statement, pass_ = self._recorder.statement, self._recorder.pass_
        plain = explain_error(category.__name__, text)
        self._recorder.warned(
            Problem(statement, category.__name__, text, plain, warning=True, pass_=pass_, position=position)
        )

    # ------------------------------------------------------------ edits

    def _begins_alike(self, before: Program) -> bool:
        """True when all that has begun to run is unchanged in the program."""
        begun = before.order[: self._reached]
        if self.program.stops != before.stops:
            return False
        if self.program.order[: self._reached] != begun:
            return False
        if before.bodies and not _loop_alike(before, self.program, self._reached):
            return False
        old, new = before.statements, self.program.statements
        if not all(old[id_] is new[id_] or old[id_] == new[id_] for id_ in begun):
            return False
        blocks = before.blocks == self.program.blocks
        return blocks or all(_modes(before, id_) == _modes(self.program, id_) for id_ in begun)

    def _again(self, before: Program) -> RanAgain | None:
        """What had run and now runs again."""
        again = list(filter(self.program.statements.__contains__, before.order[: self._reached]))
        if not again:
            return None
        kinds = map(attrgetter("kind"), map(before.statements.__getitem__, again))
        backwards = sum(map(DIFFERENTIATING.__contains__, kinds))
        return RanAgain(min(map(self.program.lines.__getitem__, again)), backwards)


def _modes(program: Program, id_: int) -> tuple[str, ...]:
    return program.modes(program[id_].block)


def _loop_alike(before: Program, program: Program, reached: int) -> bool:
    """True when the loops that have begun go over the same lines equally often, and no line was put into one."""
    begun = {loop: places for loop, places in before.bodies.items() if places.start < reached}
    return all(
        program.bodies.get(loop) == places and program.blocks[loop] == before.blocks[loop]
        for loop, places in begun.items()
    )
