"""The recorder: turns what the engine tells an observer, and what the runner tells, into a trace's tables.

Tensors and nodes are not kept alive by being recorded, so a graph that nobody refers to any more goes as it would in
PyTorch; only the memory of values stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from chalkgrad.engine.graph import AccumulateGrad, Node, TensorBase
from chalkgrad.engine.observer import kept_names
from chalkgrad.optim.optimizer import Optimizer
from chalkgrad.session.derived import call_of
from chalkgrad.session.events import EventKind, Gradients, NodeRecord, Plan
from chalkgrad.session.register import Register
from chalkgrad.session.saved_names import saved_names
from chalkgrad.session.state import Contribution, OutputLine, Problem, Status
from chalkgrad.session.tables import Remembered, Sum, Tables, Verdict

Gradient = np.ndarray | TensorBase | None

# What plain lines bring about by the thousand; looking such a kind up in its class takes as long as writing it down.
MADE, NODE_MADE, SAVED, RAN, ENDED = (
    *(EventKind.MADE, EventKind.NODE_MADE, EventKind.SAVED),
    *(EventKind.RAN, EventKind.ENDED),
)
NODE_READY, NODE_RAN, FREED, SUMMED = EventKind.NODE_READY, EventKind.NODE_RAN, EventKind.FREED, EventKind.SUMMED
EVENTS_OF_A_NODE = 4
"""About as many events tell what one node does in a backward."""


class Recorder(Register):
    """Watches the engine on behalf of the statement that runs."""

    __slots__ = ("_backward", "_is_brief", "_line_pass", "leaves_nodes_out")

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._backward = 0
        self._is_brief = False
        self.leaves_nodes_out = False  # in most rounds of a long loop what nodes do is left out
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
        runs.append((statement, len(tables.events.rows)))
        self.statement, self.pass_, self._line_pass = statement, pass_, pass_

    def ran(self, outputs: Sequence[object], targets: Sequence[str]) -> None:
        """The statement came to ``outputs``; ``targets`` are the names they are bound to."""
        tables = self.tables
        numbers = tuple([self.number(value) if isinstance(value, TensorBase) else None for value in outputs])
        events = tables.events.rows
        events.append((RAN, self.statement, self.pass_, numbers, None, (), (), (), (), ""))
        position = len(events)
        for number in numbers:
            if number is not None and not tables.facts.is_plain(number):
                self._sync(number)
        tables.bound[self.statement].append((position, numbers))
        for name, number in zip(targets, numbers, strict=False):
            if name:
                tables.names[name].append((position, number))

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
        self.tables.names[name].put(self.position, None)

    def printed(self, text: str, values: Sequence[object]) -> None:
        """The statement printed ``text``, written from ``values``."""
        numbers = tuple(self.number(value) for value in values if isinstance(value, TensorBase))
        self._add(EventKind.PRINTED, numbers, text=text)
        self.tables.output.put(self.position, OutputLine(self.statement, text, self.position))

    def warned(self, problem: Problem) -> None:
        """A warning was given."""
        self._add(EventKind.WARNED, text=f"{problem.type}: {problem.message}")
        self.tables.problems.put(self.position, problem)

    def failed(self, line: int, problem: Problem) -> None:
        """Line ``line`` failed."""
        self.statement, self.pass_ = line, self._line_pass
        self._backward = 0
        self._derivations.backward_ended()
        self._add(EventKind.FAILED, text=f"{problem.type}: {problem.message}")
        self.tables.problems.put(self.position, problem)
        self.tables.verdicts[line].put(self.position, Verdict(Status.FAILED, problem))

    def ended(self, line: int, verdict: Verdict | None = None) -> None:
        """Line ``line`` is over; ``verdict`` where it never ran."""
        self.statement, self.pass_ = line, self._line_pass
        said = "" if verdict is None else str(verdict.status)
        self.tables.events.rows.append((ENDED, line, self._line_pass, (), None, (), (), (), (), said))
        if verdict is not None:
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
        number = self._nodes[node.seq] = len(self.tables.nodes)
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
        self._add(SAVED, (), number, (), names)

    def result_made(self, node: Node, inputs: tuple[TensorBase | bool | int | float, ...], output: TensorBase) -> None:
        """A result was born and its node recorded: the three notices above in one, for nearly all operators."""
        if output.meta is not None or output.counter is not None or self._derivations.is_recording:
            super().result_made(node, inputs, output)
            return
        tables, statement, pass_ = self.tables, self.statement, self.pass_
        sources = tuple([self.number(value) if isinstance(value, TensorBase) else None for value in inputs])
        edges = tuple([None if edge is None else self.node_number(edge) for edge in node.edges])
        nodes, events, array = tables.nodes.rows, tables.events.rows, output.array
        of, name = len(nodes), type(node).__name__
        self._nodes[node.seq] = of
        number = self._born(output, (array, len(events) + 1, of, name))
        if array.base is None and id(array) not in self._sharers:
            self._sharers[id(array)] = [number]
        else:
            self._share(number, array)
        made = (number,)
        nodes.append((name, statement, pass_, sources, made, edges, node.ports or ()))
        events.append((MADE, statement, pass_, made, None, (), (), (), (), ""))
        events.append((NODE_MADE, statement, pass_, made, of, sources, (), (), (), ""))
        if node.saved:
            kept = tables.saved[of] = saved_names(node, ((number, array),), self.number)
            names = node.saved_names if len(kept) == len(node.saved_names) else kept_names(node)
            events.append((SAVED, statement, pass_, (), of, (), names, (), (), ""))

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
        for sharer in self._sharing(tensor.array):
            self._sync(sharer)
        self._sync(number)
        after = self._grad_of(number)
        if before != after and not self._backward:
            grad = None if tensor.meta is None or tensor.meta.grad is None else tensor.meta.grad.array
            self._start_sum(number, grad)

    def backward_began(self, roots: Sequence[TensorBase], gradients: Sequence[Gradient]) -> None:
        """A backward began."""
        self._backward += 1
        numbers = tuple([self.number(root) for root in roots])
        self._derivations.backward_began(self.statement, self.pass_, self.position, numbers)
        self._add(EventKind.BACKWARD_BEGAN, numbers, incoming=self._arrays(gradients))

    def node_began(self, node: Node, joins: bool) -> None:
        """What is recorded from now on belongs to a node of the backward."""
        self._derivations.node_began(self.node_number(node), joins)

    def backward_planned(self, waiting: Mapping[Node, int], roots: Sequence[Node]) -> None:
        """A backward says which nodes it will come by: of too many, only what they come to is recorded."""
        too_many = self.position + EVENTS_OF_A_NODE * len(waiting) > self.tables.most_events
        self._is_brief = too_many or self.leaves_nodes_out
        if self._is_brief:
            self.tables.in_brief.add(self.position - 1)
            return
        nodes = tuple([self.node_number(node) for node in waiting])
        ages = tuple([node.seq for node in waiting])
        begun = tuple([self.node_number(root) for root in roots])
        self.tables.plans[self.position - 1] = Plan(nodes, tuple(waiting.values()), ages, begun)

    def gradients_met(self, node: Node, port: int, gradient: Gradient, total: Gradient) -> None:
        """A gradient was added to what had come along another path."""
        if self._is_brief:
            return
        came, went = (self._array(gradient),), (self._array(total),)
        number = self.node_number(node)
        self.tables.events.rows.append((SUMMED, self.statement, self.pass_, (), number, (), (), came, went, ""))

    def captured(self, node: Node, port: int, gradient: Gradient) -> None:
        """A gradient was asked for, and goes no further."""
        of = self.tables.nodes[self.node_number(node)]
        tensors = of.inputs if isinstance(node, AccumulateGrad) else of.outputs[port : port + 1]
        self._add(EventKind.CAPTURED, tensors, self.node_number(node), incoming=(self._array(gradient),))

    def hook_ran(self, node: Node, hook: str, before: Sequence[Gradient], after: Sequence[Gradient]) -> None:
        """A hook got gradients."""
        if self._is_brief:
            return
        came, went = self._arrays(before), self._arrays(after)
        number = self.node_number(node)
        row = (EventKind.HOOK_RAN, self.statement, self.pass_, (), number, (), (hook,), came, went, "")
        self.tables.events.rows.append(row)

    def node_ready(self, node: Node) -> None:
        """A node can run."""
        if self._is_brief:
            return
        number = self.node_number(node)
        self.tables.events.rows.append((NODE_READY, self.statement, self.pass_, (), number, (), (), (), (), ""))

    def node_ran(self, node: Node, incoming: tuple[Gradient, ...], outgoing: tuple[Gradient, ...]) -> None:
        """A node ran."""
        tables = self.tables
        number = self.node_number(node)
        if self._derivations.is_recording:
            for output, gradient in enumerate(incoming):
                if isinstance(gradient, TensorBase):
                    self._derivations.came(self.number(gradient), number, output)
        if self._is_brief:
            return
        came, went = self._arrays(incoming), self._arrays(outgoing)
        tables.events.rows.append((NODE_RAN, self.statement, self.pass_, (), number, (), (), came, went, ""))

    def accumulated(self, node: Node, tensor: TensorBase, gradient: Gradient, first: bool) -> None:
        """A gradient went into a leaf's grad."""
        if isinstance(gradient, TensorBase):
            self._derivations.came(self.number(gradient), self.node_number(node), 0)
        self._gave(EventKind.ACCUMULATED, tensor, gradient, self.node_number(node), first)

    def retained(self, tensor: TensorBase, gradient: TensorBase) -> None:
        """A non-leaf kept its gradient, which is the sum when it had one already."""
        before = self._grad_of(self.number(tensor))
        last = None if before is None else self.tables.facts[before].last
        added = gradient.array if last is None else gradient.array - last.array
        self._gave(EventKind.RETAINED, tensor, added, None, last is None)

    def freed(self, node: Node) -> None:
        """A node let go of what it had saved."""
        tables, number = self.tables, self.node_number(node)
        events = tables.events.rows
        if not self._is_brief:
            events.append((FREED, self.statement, self.pass_, (), number, (), (), (), (), ""))
        if number not in tables.freed:
            tables.freed[number] = len(events)
            tables.liberators[number] = self.statement

    def backward_ended(self) -> None:
        """The backward is over."""
        self._backward = max(self._backward - 1, 0)
        self._is_brief = False
        self._derivations.backward_ended()
        self._add(EventKind.BACKWARD_ENDED)

    # ------------------------------------------------------------ gradients

    def _gave(self, kind: EventKind, owner: TensorBase, gradient: Gradient, node: int | None, first: bool) -> None:
        """A tensor's grad took a gradient in."""
        number = self.number(owner)
        grad = None if owner.meta is None or owner.meta.grad is None else self.number(owner.meta.grad)
        value = self._array(gradient)
        self._add(kind, (number, grad), node, (), ("first",) if first else (), (value,))
        self._sync(number)
        if grad is not None:
            self.tables.grad_owners[grad] = number
            self._sync(grad)
        if first:
            self._start_sum(number, None)
        if value is not None:
            self._add_to_sum(number, Contribution(self.statement, self.pass_, value))

    def _start_sum(self, owner: int, value: np.ndarray | None) -> None:
        """The owner's grad is something new: nothing, or ``value`` as this statement put it there."""
        addends = self.tables.contributions[owner]
        self.tables.sums[owner].put(self.position, Sum(len(addends), len(addends)))
        grad = self._grad_of(owner)
        if grad is not None:
            self.tables.grad_owners[grad] = owner
        if value is not None and value.any():
            self._add_to_sum(owner, Contribution(self.statement, self.pass_, value.copy()))

    def _add_to_sum(self, owner: int, addend: Contribution) -> None:
        addends = self.tables.contributions[owner]
        last = self.tables.sums[owner].last
        addends.append(addend)
        start = len(addends) - 1 if last is None else last.start
        self.tables.sums[owner].put(self.position, Sum(start, len(addends)))

    def _arrays(self, gradients: Sequence[Gradient]) -> Gradients:
        keep = self.tables.memory.keep
        return tuple([keep(each) if type(each) is np.ndarray else self._array(each) for each in gradients])

    def _array(self, gradient: Gradient) -> np.ndarray | None:
        if gradient is None:
            return None
        # The engine never writes into an array it has handed out; a tensor may be written by a later statement.
        return self.tables.memory.keep(gradient.array.copy() if isinstance(gradient, TensorBase) else gradient)

    def _add(
        self,
        kind: EventKind,
        tensors: tuple[int | None, ...] = (),
        node: int | None = None,
        inputs: tuple[int | None, ...] = (),
        names: tuple[str, ...] = (),
        incoming: Gradients = (),
        text: str = "",
    ) -> None:
        row = kind, self.statement, self.pass_, tensors, node, inputs, names, incoming, (), text
        self.tables.events.append(row)
