"""One backward written in three ways: as it is by default, with ``retain_graph=True``, with ``create_graph=True``.

Each way is run in a session of its own, up to that line; then the gradient is differentiated once more, to see whether
it can be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from chalkgrad.program import names
from chalkgrad.program.program import Program
from chalkgrad.program.statement import Kind, Operand, Ref, Statement, refs_in
from chalkgrad.session import Session
from chalkgrad.session.events import Event, EventKind
from chalkgrad.session.retained import Fate
from chalkgrad.session.state import Problem, State
from chalkgrad.source import emit
from chalkgrad.stepwise import Steps, Work

MOST = 2
"""So many gradients are shown of each way."""
SLICE_MS = 4.0


class Way(StrEnum):
    """How the line is written."""

    PLAIN = "plain"
    RETAIN = "retain_graph"
    CREATE = "create_graph"


@dataclass(frozen=True)
class Outcome:
    """What one way came to: its line, the lines ``cards`` of ``program`` that show the gradients, ``state`` after them.

    Of ``saved`` values in the graph that it went through so many are ``kept``; ``nodes`` are those of the graph of the
    gradient itself. ``again`` is the line that differentiates once more, and ``refused`` what came of it. ``problem``
    is why the backward itself failed.
    """

    way: Way
    code: str
    program: Program
    state: State
    cards: tuple[int, ...]
    saved: int
    kept: int
    nodes: int
    problem: Problem | None
    again: str
    refused: Problem | None


def compare(program: Program, line: int) -> Work[tuple[Outcome, ...]]:
    """The backward in ``line``, written in each of the ways."""
    return Work(_compare(program, line))


def _compare(program: Program, line: int) -> Steps[tuple[Outcome, ...]]:
    found = []
    for way in Way:
        trial = _Trial(program, line, way)
        while not trial.session.advance(SLICE_MS):
            yield
        trial.differentiate_again()
        while not trial.session.advance(SLICE_MS):
            yield
        found.append(trial.outcome())
    return tuple(found)


class _Trial:
    """One way in its session."""

    def __init__(self, program: Program, line: int, way: Way) -> None:
        self._way = way
        self._line = line
        until = program.order[: program.positions[line] + 1]
        statements = {id_: program[id_] for id_ in until} | {line: written(program[line], way)}
        self._program = Program(statements, until, program.blocks, program.next_id)
        self.session = Session(self._program)
        self._cards: tuple[int, ...] = ()
        self._again: int | None = None

    def differentiate_again(self) -> None:
        """Add the lines that show the gradients, and one that asks for the derivative of the first."""
        pairs = self._gradients()[:MOST]
        if not pairs:
            return
        self._cards = (self._line,)
        if self._program[self._line].kind is Kind.BACKWARD:
            self._cards = tuple([self._add(Kind.ALIAS, "", (of,), name=f"g{self._name(by)}") for of, by in pairs])
        of, by = pairs[0]
        total = Ref(self._add(Kind.OP, "sum", (of,), style="method"))
        self._again = self._add(Kind.GRAD, "grad", ((total,), (by,)), name=f"g{self._name(by)}")
        self.session.update(self._program)

    def outcome(self) -> Outcome:
        """What there is to see at the end."""
        trace = self.session.trace
        end = trace.end_of(self._line)
        ran = {event.node for event in self._events() if event.kind is EventKind.NODE_RAN}
        saved = [entry for entry in trace.retained.at(end) if entry.node in ran]
        graphs = [graph for graph in trace.gradient_graphs if graph.statement == self._line]
        now, again = trace.state(), self._again
        shown = trace.state(trace.end_of(self._cards[-1])) if self._cards else now
        return Outcome(
            self._way,
            emit.line(self._program, self._line),
            self._program,
            shown,
            self._cards,
            len(saved),
            sum(entry.fate(end) is Fate.KEPT for entry in saved),
            sum(len(graph.nodes) for graph in graphs),
            now.statement(self._line).problem,
            "" if again is None else emit.line(self._program, again),
            None if again is None else now.statement(again).problem,
        )

    def _gradients(self) -> list[tuple[Ref, Ref]]:
        """What means each gradient, and what means the tensor that it is of."""
        statement = self._program[self._line]
        if statement.kind is Kind.GRAD:
            inputs = refs_in(statement.operands[1]) if len(statement.operands) > 1 else ()
            there = self.session.trace.state().statement(self._line).outputs
            return [(Ref(self._line, place), ref) for place, (ref, _) in enumerate(zip(inputs, there, strict=False))]
        given = (EventKind.ACCUMULATED, EventKind.RETAINED)  # leaves come first
        owners = dict.fromkeys(event.tensors[0] for kind in given for event in self._events() if event.kind is kind)
        refs = [self._meaning(owner) for owner in owners if owner is not None]
        return [(replace(ref, path=(*ref.path, "grad")), ref) for ref in refs if ref is not None]

    def _meaning(self, number: int) -> Ref | None:
        """What means an object: the output of the line that made it."""
        trace = self.session.trace
        made = trace.made_by(number)
        outputs = trace.state().statement(made).outputs
        return next((Ref(made, n) for n, tensor in enumerate(outputs) if tensor and tensor.number == number), None)

    def _name(self, ref: Ref) -> str:
        targets = self._program[ref.statement].targets
        return targets[ref.output] if ref.output < len(targets) else ""

    def _events(self) -> list[Event]:
        trace = self.session.trace
        return [trace.events[index] for index in trace.events_of(self._line)]

    def _add(
        self, kind: Kind, call: str, operands: tuple[Operand, ...], style: str = "function", name: str = ""
    ) -> int:
        program, id_ = self._program, self._program.next_id
        targets = names.free_names(program, [name]) if name else [""]
        statement = Statement(id_, kind, call, tuple(targets), operands, style=style)
        self._program = Program(
            {**program.statements, id_: statement}, (*program.order, id_), program.blocks, program.next_id + 1
        )
        return id_


def written(statement: Statement, way: Way) -> Statement:
    """The line in one of the ways."""
    plain = statement.without_option("retain_graph").without_option("create_graph")
    return plain if way is Way.PLAIN else plain.with_option(str(way), True)
