"""The recorder: turns what the engine tells an observer, and what the runner tells, into a trace's tables.

Tensors and nodes are not kept alive by being recorded, so a graph that nobody refers to any more goes as it would in
PyTorch; only the memory of values stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import ref

import numpy as np

from chalkgrad.engine.graph import Node, TensorBase, state
from chalkgrad.engine.saved import Saved
from chalkgrad.optim.optimizer import Optimizer
from chalkgrad.session.backward_recorder import BackwardRecorder
from chalkgrad.session.derived import call_of
from chalkgrad.session.events import EventKind, NodeRecord
from chalkgrad.session.results import OVER, Kept, Result
from chalkgrad.session.saved_names import NUMBERS, saved_names
from chalkgrad.session.state import OutputLine, Problem, Status
from chalkgrad.session.tables import Remembered, Tables, Verdict

# What happens by the thousand; looking such a kind up in its class takes as long as writing it down.
RAN, ENDED = EventKind.RAN, EventKind.ENDED

_made = tuple.__new__


class Recorder(BackwardRecorder):
    """Watches the engine on behalf of the statement that runs."""

    __slots__ = ("_line_pass",)

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._line_pass = 0

    # ------------------------------------------------------------ what the runner tells

    def begin(self, statement: int, pass_: int = 0) -> None:
        """A line of the program is going to run; in a loop not for the first time, unless ``pass_`` is 0."""
        tables = self.tables
        runs = tables.runs.rows
        if not pass_:
            tables.run_of[statement] = len(runs)
        else:
            tables.later_runs[statement].append(len(runs))
            if statement in tables.verdicts:  # what became of an earlier pass says nothing of this one
                tables.verdicts[statement].put(self.position + 1, Verdict(Status.OK))
        runs.append((statement, tables.events.length))
        self.statement, self.pass_, self._line_pass = statement, pass_, pass_

    def ran(self, outputs: Sequence[object], targets: Sequence[str]) -> None:
        """The statement came to ``outputs``; ``targets`` are the names they are bound to."""
        tables, facts = self.tables, self.tables.facts.lines
        numbers = tuple([self.number(value) if isinstance(value, TensorBase) else None for value in outputs])
        tables.events.entries.append((RAN, self.statement, self.pass_, numbers))
        tables.events.length = position = tables.events.length + 1
        for number in numbers:
            if number is not None and type(facts[number]) is not Result:
                self._sync(number)
        tables.bound.begun(self.statement).append((position, numbers))
        for name, number in zip(targets, numbers, strict=False):
            if name:
                tables.names.begun(name).append((position, number))

    def came_to(self, value: object, targets: Sequence[str]) -> None:
        """The plain line that runs came to ``value``, and is over: :meth:`ran` and :meth:`ended` in one."""
        tables, entries = self.tables, self.tables.events.entries
        result = entries[-1] if entries else None
        if type(result) is not Result or self._refs[-1]() is not value:
            self.ran((value,), targets)
            self.ended(self.statement)
            return
        entries.append(OVER)
        tables.events.length += 2
        tables.bound.lines[self.statement] = result
        if targets and targets[0]:
            named = tables.names.lines
            if targets[0] in named:
                tables.names[targets[0]].append((result.bound_at, result.number))
            else:
                named[targets[0]] = result

    def resume(self, line: int) -> None:
        """Other lines ran on behalf of line ``line``, which goes on."""
        self.statement, self.pass_ = line, self._line_pass

    def updated(self, statement: int, optimizer: Optimizer) -> None:
        """An optimiser, made by ``statement``, may remember something else of its parameters."""
        found = []
        for parameter, kept in optimizer.state.items():
            tensors = {name: value for name, value in kept.items() if isinstance(value, TensorBase)}
            numbers = {name: float(value) for name, value in kept.items() if isinstance(value, int | float)}
            numbers |= {name: float(value.array) for name, value in tensors.items() if value.array.ndim == 0}
            objects = [(name, self.number(value)) for name, value in tensors.items() if name not in numbers]
            found.append(Remembered(self.number(parameter), tuple(numbers.items()), tuple(objects)))
        self.tables.optimizers[statement].put(self.position, tuple(found))

    def summands(self, tensor: TensorBase) -> int:
        """How many gradients the grad of a tensor is the sum of."""
        number = self.number(tensor)
        last = self.tables.sums[number].last if number in self.tables.sums else None
        return 0 if last is None or self._grad_of(number) is None else last.stop - last.start

    def unbound(self, name: str) -> None:
        """A name means nothing any more."""
        self.tables.names.begun(name).put(self.position, None)

    def printed(self, text: str, values: Sequence[object]) -> None:
        """The statement printed ``text``, written from ``values``."""
        numbers = tuple(self.number(value) for value in values if isinstance(value, TensorBase))
        self._add(EventKind.PRINTED, numbers, text=text)
        self.tables.output.put(self.position, OutputLine(self.statement, text, self.position))

    def warned(self, problem: Problem) -> None:
        """A warning was given."""
        self._add(EventKind.WARNED, text=problem.printed)
        self.tables.problems.put(self.position, problem)

    def failed(self, line: int, problem: Problem) -> None:
        """Line ``line`` failed."""
        self.statement, self.pass_ = line, self._line_pass
        self._backward = 0
        self._derivations.backward_ended()
        self._add(EventKind.FAILED, text=problem.printed)
        self.tables.problems.put(self.position, problem)
        self.tables.verdicts[line].put(self.position, Verdict(Status.FAILED, problem))

    def ended(self, line: int, verdict: Verdict | None = None) -> None:
        """Line ``line`` is over; ``verdict`` where it never ran."""
        self.statement, self.pass_ = line, self._line_pass
        if verdict is None:
            self.tables.events.append((ENDED, line, self._line_pass))
        else:
            self._add(ENDED, text=str(verdict.status))
            self.tables.verdicts[line].put(self.position, verdict)

    # ------------------------------------------------------------ what the engine tells

    def tensor_made(self, tensor: TensorBase) -> None:
        """A tensor was born."""
        number = self._born(tensor)
        self._add(EventKind.MADE, (number,))
        # A result has its node already, which is told of next.
        self._sync(number, with_node=False)

    def node_made(
        self, node: Node, inputs: tuple[TensorBase | bool | int | float, ...], outputs: tuple[TensorBase, ...]
    ) -> None:
        """A node was recorded."""
        sources = tuple([self.number(value) if isinstance(value, TensorBase) else None for value in inputs])
        results = tuple([self.number(output) for output in outputs])
        edges = tuple([None if edge is None else self.node_number(edge) for edge in node.edges])
        number = len(self.tables.nodes)
        node.mark = self._first + number
        self.tables.nodes.append(
            NodeRecord(type(node).__name__, self.statement, self.pass_, sources, results, edges, node.ports or ())
        )
        self._add(EventKind.NODE_MADE, results, number, sources)
        if self._derivations.is_recording:
            self._derivations.made(number, *call_of(node), self.position)
        for result in results:
            self._sync(result)

    def saved(self, node: Node, names: tuple[str, ...]) -> None:
        """A node kept values."""
        number = self.node_number(node)
        self.tables.saved[number] = saved_names(node, self._memory_of(number), self.number)
        self._add(EventKind.SAVED, (), number, (), names)

    def result_made(self, node: Node, inputs: tuple[TensorBase | bool | int | float, ...], output: TensorBase) -> None:
        """A result was born and its node recorded: the three notices above in one, for nearly all operators."""
        kind, counter = type(node), output.counter
        if kind.record is None or (counter is not None and counter.inference):
            super().result_made(node, inputs, output)
            return
        first, tables, array, saved = self._first, self.tables, output.array, node.saved
        number, made, are_known = len(self._refs), len(tables.nodes.rows), True
        reads: list[int | None] = []
        leads: list[int | None] = []
        try:  # the same as the two lists below, faster, for what was seen before: nearly always
            for value in inputs:
                known = None
                if isinstance(value, TensorBase):
                    known = value.mark - first
                    if not 0 <= known < number:
                        are_known = False
                reads.append(known)
            for edge in node.edges:
                known = None
                if edge is not None:
                    known = edge.mark - first
                    if not 0 <= known < made:
                        are_known = False
                leads.append(known)
        except AttributeError:
            are_known = False
        if not are_known:
            reads = [self.number(value) if isinstance(value, TensorBase) else None for value in inputs]
            leads = [None if edge is None else self.node_number(edge) for edge in node.edges]
            number, made = len(self._refs), len(tables.nodes.rows)
        kept: Kept | None = ()
        if saved:
            kept = (array,) if len(saved) == 1 and saved[0] is array else self._kept(saved, array)
        if kept is None:  # something is not told in short
            super().result_made(node, inputs, output)
            return
        events, statement, pass_ = tables.events, self.statement, self.pass_
        at = events.length
        version = 0 if counter is None else counter.version
        row = (statement, pass_, at, array, version, number, made, kind, tuple(reads), tuple(leads), node.ports, kept)
        result = _made(Result, row)
        node.mark = first + made
        output.mark = first + number
        self._refs.append(ref(output))
        tables.facts.lines.append(result)
        tables.made_by.append(statement)
        tables.nodes.rows.append(result)
        events.entries.append(result)
        events.length = at + 3 if kept else at + 2
        if counter is not None:  # a view
            self._note_counter(number, counter, array)
        if self._derivations.at is not None:
            self._derivations.made(made, *call_of(node), at + 2)

    def _kept(self, saved: tuple[Saved, ...], result: np.ndarray) -> Kept | None:
        """What a node saved that made ``result``; None where something is not told in short."""
        kept: list[np.ndarray | float | None] = []
        tensor, something = state.tensor, False
        for value in saved:
            if type(value) is tensor:
                kept.append(value.array)
            elif value is result or type(value) in NUMBERS:
                kept.append(value)
            elif value is None:
                kept.append(None)
                continue
            else:
                return None
            something = True
        return tuple(kept) if something else ()

    def about_to_write(self, tensor: TensorBase) -> None:
        """Memory is going to be written: keep what it holds."""
        self.number(tensor)
        self.tables.memory.about_to_write(tensor.array)

    def wrote(self, tensor: TensorBase) -> None:
        """Memory was written."""
        number = self.number(tensor)
        last = self.tables.facts[number].last
        self._add(EventKind.WRITE, (number,))
        if last is not None and last.array is tensor.array:
            self.tables.memory.wrote(tensor.array, self.position)
        else:  # w.data = t: it shows other memory now, and none was written
            self._sync(number)
        for sharer in self._sharing(tensor.array):
            if self._sync(sharer) or self.tables.counters.get(sharer, self) is tensor.counter:
                self.tables.writers[sharer] = self.statement
            if not self._backward and sharer in self.tables.grad_owners:
                self._start_sum(self.tables.grad_owners[sharer], tensor.array)

    def flags_changed(self, tensor: TensorBase) -> None:
        """Flags, or which tensor is the grad, changed."""
        number = self.number(tensor)
        before = self._grad_of(number)
        last = self.tables.facts[number].last
        if last is not None and last.grad_fn is not None and tensor.node is None:
            self.tables.cutters[number] = self.statement
        self._add(EventKind.FLAGS, (number,))
        if tensor.counter is not None:  # without one it has no views
            for sharer in self._sharing(tensor.array):
                self._sync(sharer)
        self._sync(number)
        after = self._grad_of(number)
        if before != after and not self._backward:
            grad = None if tensor.meta is None or tensor.meta.grad is None else tensor.meta.grad.array
            self._start_sum(number, grad)
