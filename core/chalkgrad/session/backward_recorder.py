"""What a backward tells an observer, written down: which nodes ran on what, where gradients came to, what was freed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter, itemgetter

import numpy as np

from chalkgrad.engine.graph import AccumulateGrad, Node, TensorBase
from chalkgrad.engine.observer import LET_GO, Notice
from chalkgrad.session.events import EventKind, Gradients, Plan
from chalkgrad.session.register import Register
from chalkgrad.session.results import Told
from chalkgrad.session.state import Contribution
from chalkgrad.session.tables import Sum, Tables

Gradient = np.ndarray | TensorBase | None

# What happens by the thousand; looking such a kind up in its class takes as long as writing it down.
NODE_READY, NODE_RAN, FREED = EventKind.NODE_READY, EventKind.NODE_RAN, EventKind.FREED

EVENTS_OF_A_NODE = 4
"""About as many events tell what one node does in a backward."""

_made = tuple.__new__
_age, _bytes, _gradient = attrgetter("seq"), attrgetter("nbytes"), itemgetter(0)


class BackwardRecorder(Register):
    """The part of a recorder that watches backwards."""

    __slots__ = ("_backward", "_is_brief", "leaves_nodes_out")

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._backward = 0
        self._is_brief = False
        self.leaves_nodes_out = False  # in most rounds of a long loop what nodes do is left out

    # ------------------------------------------------------------ what the engine tells

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
        nodes, ages = tuple(self._numbers(waiting)), tuple(map(_age, waiting))
        begun = tuple([self.node_number(root) for root in roots])
        self.tables.plans[self.position - 1] = Plan(nodes, tuple(waiting.values()), ages, begun)

    def gradients_met(self, node: Node, port: int, gradient: Gradient, total: Gradient) -> None:
        """A gradient was added to what had come along another path."""
        if self._is_brief:
            return
        self._add_work(EventKind.SUMMED, node, (), (gradient,), (total,))

    def captured(self, node: Node, port: int, gradient: Gradient) -> None:
        """A gradient was asked for, and goes no further."""
        of = self.tables.nodes[self.node_number(node)]
        tensors = of.inputs if isinstance(node, AccumulateGrad) else of.outputs[port : port + 1]
        self._add(EventKind.CAPTURED, tensors, self.node_number(node), incoming=(self._array(gradient),))

    def hook_ran(self, node: Node, hook: str, before: Sequence[Gradient], after: Sequence[Gradient]) -> None:
        """A hook got gradients."""
        if self._is_brief:
            return
        self._add_work(EventKind.HOOK_RAN, node, (hook,), tuple(before), tuple(after))

    def node_ready(self, node: Node) -> None:
        """A node can run."""
        if self._is_brief:
            return
        self.tables.events.append((NODE_READY, self.statement, self.pass_, (), self.node_number(node)))

    def node_ran(self, node: Node, incoming: tuple[Gradient, ...], outgoing: tuple[Gradient, ...]) -> None:
        """A node ran."""
        if self._derivations.is_recording:
            number = self.node_number(node)
            for output, gradient in enumerate(incoming):
                if isinstance(gradient, TensorBase):
                    self._derivations.came(self.number(gradient), number, output)
        if not self._is_brief:
            self._add_work(NODE_RAN, node, (), incoming, outgoing)

    def backward_went(self, nodes: list[Node], notices: list[Notice]) -> None:
        """What happened in a stretch of a backward: nearly all of one is told so."""
        events = self.tables.events
        if self._is_brief:
            for node, notice in zip(nodes, notices, strict=True):
                if notice is LET_GO:
                    self.freed(node)
            return
        try:
            marks = [node.mark for node in nodes]  # known since the backward was planned,
        except AttributeError:  # unless somebody began to watch later
            marks = [self._first + self.node_number(node) for node in nodes]
        told = _made(Told, (self.statement, self.pass_, self._first, marks, self._affordable(notices)))
        self.tables.freed.told(events.length, told)
        events.entries.append(told)
        events.length += len(marks)

    def _numbers(self, nodes: Collection[Node]) -> list[int]:
        """The numbers of nodes, nearly always of some that are known."""
        first = self._first
        try:
            numbers = [node.mark - first for node in nodes]
        except AttributeError:
            numbers = []
        if numbers and min(numbers) >= 0 and max(numbers) < len(self.tables.nodes.rows):
            return numbers
        return [self.node_number(node) for node in nodes]

    def _affordable(self, notices: list[Notice]) -> list[Notice]:
        """What happened, with those of the gradients that the budget allows to keep; nearly each is told of twice."""
        memory = self.tables.memory
        size = 2 * sum(map(_bytes, map(_gradient, filter(None, notices))))
        if memory.used + size <= memory.budget:
            memory.used += size
            return notices
        return [notice and (self._array(notice[0]), self._few(notice[1])) for notice in notices]

    def _few(self, gradients: np.ndarray | list[Gradient]) -> np.ndarray | list[Gradient] | None:
        return [self._array(each) for each in gradients] if isinstance(gradients, list) else self._array(gradients)

    def accumulated(self, node: Node, tensor: TensorBase, gradient: Gradient, first: bool) -> None:
        """A gradient went into a leaf's grad."""
        if isinstance(gradient, TensorBase):
            self._derivations.came(self.number(gradient), self.node_number(node), 0)
        self._gave(EventKind.ACCUMULATED, tensor, gradient, self.node_number(node), first)

    def dropped(self, node: Node, gradient: Gradient) -> None:
        """A leaf added nothing."""
        if not self._is_brief:
            self._add_work(EventKind.DROPPED, node, (), (gradient,), ())

    def retained(self, tensor: TensorBase, gradient: TensorBase) -> None:
        """A non-leaf kept its gradient, which is the sum when it had one already."""
        before = self._grad_of(self.number(tensor))
        last = None if before is None else self.tables.facts[before].last
        added = gradient.array if last is None else gradient.array - last.array
        self._gave(EventKind.RETAINED, tensor, added, None, last is None)

    def freed(self, node: Node) -> None:
        """A node let go of what it had saved."""
        tables, number = self.tables, self.node_number(node)
        events = tables.events
        if not self._is_brief:
            events.entries.append((FREED, self.statement, self.pass_, (), number))
            events.length += 1
        tables.freed.at(number, events.length)

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
        return tuple([self._array(each) for each in gradients])

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

    def _add_work(
        self,
        kind: EventKind,
        node: Node,
        names: tuple[str, ...],
        incoming: tuple[Gradient, ...],
        outgoing: tuple[Gradient, ...],
    ) -> None:
        """Write down what became of gradients at a node."""
        memory, size = self.tables.memory, 0
        for gradient in incoming + outgoing:
            if type(gradient) is np.ndarray:
                size += gradient.nbytes
            elif gradient is not None:
                size = -1
                break
        if size < 0 or memory.used + size > memory.budget:
            incoming, outgoing = self._arrays(incoming), self._arrays(outgoing)
        else:
            memory.used += size
        number = self.node_number(node)
        self.tables.events.append((kind, self.statement, self.pass_, (), number, (), names, incoming, outgoing))
