"""The recorder: turns what the engine tells an observer, and what the runner tells, into a trace's tables.

Tensors and nodes are not kept alive by being recorded, so a graph that nobody refers to any more goes as it would in
PyTorch; only the memory of values stays.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import numpy as np

from chalkgrad.engine.graph import AccumulateGrad, Node, Stamped, TensorBase, requires_grad_of, version_of
from chalkgrad.engine.observer import Observer
from chalkgrad.engine.storage import storage_id
from chalkgrad.session.events import Event, EventKind, Gradients, NodeRecord, Run, SavedName
from chalkgrad.session.state import Contribution, OutputLine, Problem, Status
from chalkgrad.session.tables import Facts, Sum, Tables, Verdict
from chalkgrad.session.timeline import Timeline

Gradient = np.ndarray | TensorBase | None
REGENERATED = "AsStridedBackward0"


class Recorder(Observer):
    """Watches the engine on behalf of the statement that runs."""

    __slots__ = ("_backward", "_grads", "_nodes", "_objects", "_refs", "_sharers", "pass_", "statement", "tables")

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.statement = 0
        self.pass_ = 0
        self._objects: dict[int, int] = {}
        self._refs: list[weakref.ref[TensorBase]] = []
        self._nodes: dict[int, int] = {}
        self._sharers: dict[int, list[int]] = {}
        self._grads: dict[int, int] = {}
        self._backward = 0

    # ------------------------------------------------------------ what the runner tells

    def begin(self, statement: int) -> None:
        """A line of the program is going to run."""
        self.tables.run_of[statement] = len(self.tables.runs)
        self.tables.runs.append(Run(statement, len(self.tables.events)))
        self.statement, self.pass_ = statement, 0

    def ran(self, outputs: Sequence[object], targets: Sequence[str]) -> None:
        """The statement came to ``outputs``; ``targets`` are the names they are bound to."""
        numbers = tuple([self.number(value) if isinstance(value, TensorBase) else None for value in outputs])
        self._add(EventKind.RAN, numbers)
        position = self.position
        for number in numbers:
            if number is not None:
                self._sync(number)
        self.tables.bound[self.statement].put(position, numbers)
        for name, number in zip(targets, numbers, strict=False):
            if name:
                self.tables.names[name].put(position, number)

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
        self.statement, self.pass_ = line, 0
        self._backward = 0
        self._add(EventKind.FAILED, text=f"{problem.type}: {problem.message}")
        self.tables.problems.put(self.position, problem)
        self.tables.verdicts[line].put(self.position, Verdict(Status.FAILED, problem))

    def ended(self, line: int, verdict: Verdict | None = None) -> None:
        """Line ``line`` is over; ``verdict`` where it never ran."""
        self.statement, self.pass_ = line, 0
        self._add(EventKind.ENDED, text="" if verdict is None else str(verdict.status))
        if verdict is not None:
            self.tables.verdicts[line].put(self.position, verdict)

    @property
    def position(self) -> int:
        """How many events have happened."""
        return len(self.tables.events)

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
        number = self._nodes[node.seq] = len(self.tables.nodes)
        self.tables.nodes.append(NodeRecord(type(node).__name__, self.statement, self.pass_, sources, results))
        self._add(EventKind.NODE_MADE, results, number, sources)
        for result in results:
            self._sync(result)

    def saved(self, node: Node, names: tuple[str, ...]) -> None:
        """A node kept values."""
        number = self.node_number(node)
        kept = zip(node.saved_names, node.saved or (), strict=False)
        self.tables.saved[number] = tuple(
            [self._saved_name(number, name, value) for name, value in kept if value is not None]
        )
        self._add(EventKind.SAVED, (), number, (), names)

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
        for sharer in self._sharers.get(storage_id(tensor.array), ()):
            self.tables.writers[sharer] = self.statement
            self._sync(sharer)
            if not self._backward and sharer in self._grads:
                self._start_sum(self._grads[sharer], tensor.array)

    def flags_changed(self, tensor: TensorBase) -> None:
        """Flags, or which tensor is the grad, changed."""
        number = self.number(tensor)
        before = self._grad_of(number)
        last = self.tables.facts[number].last
        if last is not None and last.grad_fn is not None and tensor.node is None:
            self.tables.cutters[number] = self.statement
        self._add(EventKind.FLAGS, (number,))
        for sharer in self._sharers.get(storage_id(tensor.array), ()):
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
        self._add(EventKind.BACKWARD_BEGAN, numbers, incoming=self._arrays(gradients))

    def node_ready(self, node: Node) -> None:
        """A node can run."""
        self._add(EventKind.NODE_READY, (), self.node_number(node))

    def node_ran(self, node: Node, incoming: tuple[Gradient, ...], outgoing: tuple[Gradient, ...]) -> None:
        """A node ran."""
        tables = self.tables
        number = self.node_number(node)
        came, went = self._arrays(incoming), self._arrays(outgoing)
        tables.events.append(Event(EventKind.NODE_RAN, self.statement, self.pass_, (), number, (), (), came, went))

    def accumulated(self, node: Node, tensor: TensorBase, gradient: Gradient, first: bool) -> None:
        """A gradient went into a leaf's grad."""
        self._gave(EventKind.ACCUMULATED, tensor, gradient, self.node_number(node), first)

    def retained(self, tensor: TensorBase, gradient: TensorBase) -> None:
        """A non-leaf kept its gradient, which is the sum when it had one already."""
        before = self._grad_of(self.number(tensor))
        last = None if before is None else self.tables.facts[before].last
        added = gradient.array if last is None else gradient.array - last.array
        self._gave(EventKind.RETAINED, tensor, added, None, last is None)

    def freed(self, node: Node) -> None:
        """A node let go of what it had saved."""
        number = self.node_number(node)
        self._add(EventKind.FREED, (), number)
        self.tables.freed.setdefault(number, self.position)
        self.tables.liberators.setdefault(number, self.statement)

    def backward_ended(self) -> None:
        """The backward is over."""
        self._backward = max(self._backward - 1, 0)
        self._add(EventKind.BACKWARD_ENDED)

    # ------------------------------------------------------------ numbers

    def number(self, tensor: TensorBase) -> int:
        """The tensor's number; one never seen gets the next."""
        number = self._objects.get(id(tensor))
        if number is None or self._refs[number]() is not tensor:
            number = self._born(tensor)
            self._sync(number)
        return number

    def live(self, number: int) -> TensorBase | None:
        """The tensor with this number, as long as somebody holds it."""
        return self._refs[number]()

    def sharer(self, tensor: TensorBase) -> int:
        """A recorded object that shows the same memory as ``tensor``, which may be a stand-in for a saved result."""
        sharers = self._sharers.get(storage_id(tensor.array))
        return sharers[0] if sharers else self.number(tensor)

    def node_number(self, node: Node) -> int:
        """The node's number, found by its sequence number, which is never given twice.

        A leaf's AccumulateGrad comes and goes but is the same as long as the leaf is.
        """
        key = -1 - self.number(node.variable) if isinstance(node, AccumulateGrad) else node.seq
        number = self._nodes.get(key)
        if number is None:
            number = self._nodes[key] = len(self.tables.nodes)
            owner = (-1 - key,) if key < 0 else ()
            self.tables.nodes.append(NodeRecord(type(node).__name__, self.statement, self.pass_, owner))
        return number

    def _born(self, tensor: TensorBase) -> int:
        tables = self.tables
        number = len(self._refs)
        self._objects[id(tensor)] = number
        self._refs.append(weakref.ref(tensor))
        tables.facts.append(Timeline())
        tables.made_by.append(self.statement)
        return number

    # ------------------------------------------------------------ facts

    def _sync(self, number: int, with_node: bool = True) -> None:
        """Note the tensor's facts as they are now, where they differ from what is known."""
        tensor = self._refs[number]()
        if tensor is None:
            return
        line = self.tables.facts[number]
        last = line.last
        if last is not None and tensor.meta is None and last.array is tensor.array and self._is_known(tensor, last):
            return
        facts = self._facts(tensor, with_node)
        if last is None or last.array is not facts.array:
            sharers = self._sharers.setdefault(storage_id(facts.array), [])
            if number not in sharers:
                sharers.append(number)
        elif last[1:] == facts[1:]:
            return
        line.put(self.position, facts)

    def _is_known(self, tensor: TensorBase, last: Facts) -> bool:
        """True for a plain result of which there is nothing to say but what was ``last`` said: nearly always."""
        node = tensor.node
        if node is None or last.node is None or last.grad is not None or last.is_leaf or last.retains_grad:
            return False
        return self._nodes.get(node.seq) == last.node and last.requires_grad and last.version == version_of(tensor)

    def _facts(self, tensor: TensorBase, with_node: bool) -> Facts:
        meta, node = tensor.meta, tensor.node
        version = version_of(tensor)
        known = None if node is None or not with_node else self.node_number(node)
        if meta is None:
            if node is None:
                return Facts(tensor.array, True, False, False, version, None, None, None)
            return Facts(tensor.array, False, True, False, version, type(node).__name__, known, None)
        needs = requires_grad_of(tensor)
        name, number = (None, None) if node is None else (type(node).__name__, known)
        view = meta.view
        if view is not None and needs and view.version != version and (node is not None or view.base.node is not None):
            name, number = REGENERATED, None
        grad = None if meta.grad is None else self.number(meta.grad)
        return Facts(tensor.array, name is None, needs, meta.retains, version, name, number, grad)

    def _grad_of(self, number: int) -> int | None:
        last = self.tables.facts[number].last
        return None if last is None else last.grad

    def _saved_name(self, node: int, name: str, value: object) -> SavedName:
        if isinstance(value, Stamped):
            return SavedName(name, self.number(value.tensor))
        if isinstance(value, TensorBase):
            return SavedName(name, self.number(value))
        if isinstance(value, tuple):
            outputs = self.tables.nodes[node].outputs
            return SavedName(name, outputs[0] if outputs else None)
        return SavedName(name, None)

    # ------------------------------------------------------------ gradients

    def _gave(self, kind: EventKind, owner: TensorBase, gradient: Gradient, node: int | None, first: bool) -> None:
        """A tensor's grad took a gradient in."""
        number = self.number(owner)
        grad = None if owner.meta is None or owner.meta.grad is None else self.number(owner.meta.grad)
        value = self._array(gradient)
        self._add(kind, (number, grad), node, (), ("first",) if first else (), (value,))
        self._sync(number)
        if grad is not None:
            self._grads[grad] = number
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
            self._grads[grad] = owner
        if value is not None and value.any():
            self._add_to_sum(owner, Contribution(self.statement, self.pass_, value.copy()))

    def _add_to_sum(self, owner: int, addend: Contribution) -> None:
        addends = self.tables.contributions[owner]
        last = self.tables.sums[owner].last
        addends.append(addend)
        start = len(addends) - 1 if last is None else last.start
        self.tables.sums[owner].put(self.position, Sum(start, len(addends)))

    def _arrays(self, gradients: Sequence[Gradient]) -> Gradients:
        return tuple([self._array(gradient) for gradient in gradients])

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
        self.tables.events.append(
            Event(kind, self.statement, self.pass_, tensors, node, inputs, names, incoming, (), text)
        )
