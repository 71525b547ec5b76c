"""The register: which number each tensor and each node has, and what is true of each tensor.

Tensors and nodes are not kept alive by being known here, so a graph that nobody refers to any more goes as it would in
PyTorch; only the memory of values stays.
"""

from __future__ import annotations

import weakref
from itertools import count

import numpy as np

from chalkgrad.engine.graph import AccumulateGrad, Node, TensorBase, requires_grad_of, version_of
from chalkgrad.engine.observer import Observer
from chalkgrad.engine.storage import Counter, storage_id
from chalkgrad.session.events import NodeRecord
from chalkgrad.session.results import Result
from chalkgrad.session.tables import Facts, Tables
from chalkgrad.session.timeline import Timeline

REGENERATED = "AsStridedBackward0"

UNMARKED = -1
"""The mark of a tensor or node that no register has seen: below the first of each."""

_registers = count(1)


class Register(Observer):
    """What a recorder knows of tensors and nodes; it writes it down in ``tables``."""

    __slots__ = (
        *("_counters", "_derivations", "_first", "_leaf_nodes", "_refs", "_shared", "_sharers"),
        *("pass_", "statement", "tables"),
    )

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.statement = 0
        self.pass_ = 0
        self._first = next(_registers) << 40  # marks are numbers counted from here: no two registers have one in common
        self._refs: list[weakref.ref[TensorBase]] = []
        self._leaf_nodes: dict[int, int] = {}
        self._sharers: dict[int, list[int]] = {}
        self._shared = 0  # how many objects were taken into the table of sharers
        self._counters: set[int] = set()
        self._derivations = tables.derivations

    @property
    def position(self) -> int:
        """How many events have happened."""
        return self.tables.events.length

    # ------------------------------------------------------------ numbers

    def number(self, tensor: TensorBase) -> int:
        """The tensor's number; one never seen gets the next."""
        number: int = getattr(tensor, "mark", UNMARKED) - self._first
        if not 0 <= number < len(self._refs):
            number = self._born(tensor)
            self._sync(number)
        return number

    def knows(self, tensor: TensorBase) -> bool:
        """True for a tensor that has a number."""
        return 0 <= getattr(tensor, "mark", UNMARKED) - self._first < len(self._refs)

    def live(self, number: int) -> TensorBase | None:
        """The tensor with this number, as long as somebody holds it."""
        return self._refs[number]()

    def sharer(self, tensor: TensorBase) -> int:
        """A recorded object that shows the same memory as ``tensor``, which may be a stand-in for a saved result."""
        sharers = self._sharing(tensor.array)
        return sharers[0] if sharers else self.number(tensor)

    def node_number(self, node: Node) -> int:
        """The node's number. A leaf's AccumulateGrad comes and goes but is the same as long as the leaf is."""
        known: int = getattr(node, "mark", UNMARKED) - self._first
        if 0 <= known < len(self.tables.nodes.rows):
            return known
        leaf = self.number(node.variable) if isinstance(node, AccumulateGrad) else None
        number = None if leaf is None else self._leaf_nodes.get(leaf)
        if number is None:
            number = len(self.tables.nodes)
            owner, made_by = ((), self.statement) if leaf is None else ((leaf,), self.tables.made_by[leaf])
            self.tables.nodes.append(NodeRecord(type(node).__name__, made_by, self.pass_, owner))
            if leaf is not None:
                self._leaf_nodes[leaf] = number
        node.mark = self._first + number
        return number

    def _born(self, tensor: TensorBase) -> int:
        tables = self.tables
        number = len(self._refs)
        tensor.mark = self._first + number
        self._refs.append(weakref.ref(tensor))
        tables.facts.append(Timeline())
        tables.made_by.append(self.statement)
        return number

    def _sharing(self, array: np.ndarray) -> list[int]:
        """The objects that show the memory of ``array``."""
        lines, known = self.tables.facts.lines, self._sharers
        for number, line in enumerate(lines[self._shared :], self._shared):
            if line:  # else it is just being born
                born = line.array if type(line) is Result else self.tables.facts.birth(number)
                owner = id(born) if born.base is None else storage_id(born)
                sharers = known.get(owner)
                if sharers is None:
                    known[owner] = [number]
                elif number not in sharers:
                    sharers.append(number)
        self._shared = len(lines)
        return known.setdefault(storage_id(array), [])

    # ------------------------------------------------------------ facts

    def _sync(self, number: int, with_node: bool = True) -> bool:
        """Note the tensor's facts as they are now, where they differ from what is known; True when its version does."""
        tensor = self._refs[number]()
        if tensor is None:
            return False
        line = self.tables.facts[number]
        last = line.last
        if last is not None and tensor.meta is None and last.array is tensor.array and self._is_known(tensor, last):
            return False
        facts = self._facts(tensor, with_node)
        if last is None and number >= self._shared:
            pass  # it is found among the sharers as soon as somebody asks for these
        elif last is None or last.array is not facts.array:
            sharing = self._sharing(facts.array)
            if number not in sharing:
                sharing.append(number)
        elif last[1:] == facts[1:]:
            return False
        line.put(self.position, facts)
        if tensor.counter is not None:
            self._note_counter(number, tensor.counter, facts.array)
        return last is not None and last.version != facts.version

    def _note_counter(self, number: int, counter: Counter, array: np.ndarray) -> None:
        """Who counts writes to the object; whoever had it before it got about is looked for once."""
        known = self.tables.counters
        if known.get(number) is counter:
            return
        if id(counter) not in self._counters:
            self._counters.add(id(counter))
            for sharer in self._sharing(array):
                other = self._refs[sharer]()
                if other is not None and other.counter is counter:
                    known[sharer] = counter
        known[number] = counter

    def _is_known(self, tensor: TensorBase, last: Facts) -> bool:
        """True for a plain result of which there is nothing to say but what was ``last`` said: nearly always."""
        node = tensor.node
        if node is None or last.node is None or last.grad is not None or last.is_leaf or last.retains_grad:
            return False
        known: int = getattr(node, "mark", UNMARKED) - self._first
        return known == last.node and last.requires_grad and last.version == version_of(tensor)

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

    def _memory_of(self, node: int) -> list[tuple[int, np.ndarray]]:
        """The results of a node, just born, and their memory."""
        made = self.tables.nodes[node].outputs
        return [(number, self.tables.facts.birth(number)) for number in made if number is not None]

    def _grad_of(self, number: int) -> int | None:
        last = self.tables.facts[number].last
        return None if last is None else last.grad
