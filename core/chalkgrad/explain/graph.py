"""The part of a live graph that lies between the roots of a backward and one tensor, and its local derivatives.

A *quantity* is what a gradient is of: an output of a node. What one line of the program makes of several nodes is one
step here, so the quantities between are left out; each node that a backward made (``create_graph``) is a step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from heapq import heapify, heappop, heappush
from itertools import count
from typing import NamedTuple

import numpy as np

from chalkgrad.engine.gradients import fitted
from chalkgrad.engine.graph import Node

LARGEST = 64
"""A Jacobian with more rows or columns is not worked out."""

AT_A_TIME = 200
"""So many nodes are looked at between two places where one may stop."""

GroupOf = Callable[[Node], Hashable]
Gradients = dict["Quantity", np.ndarray]


class Quantity(NamedTuple):
    """Output ``port`` of ``node``."""

    node: Node
    port: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the tensor that it is."""
        shape: tuple[int, ...] = self.node.expects()[self.port][0]
        return shape

    @property
    def size(self) -> int:
        """How many elements it has."""
        return int(np.prod(self.shape, dtype=int))


Step = tuple[Quantity, Quantity, int]
"""From a quantity to one that it was made of, and the turn: see :class:`Way`."""


class Way(NamedTuple):
    """One path from a root to the target, and what it gives to the target's gradient.

    ``arrived`` is what had arrived at the first of its quantities, where that is no root. ``turns`` has for each step
    which of several edges between the two it takes, from 1 on; 0 where it stands for all that there is between them.
    """

    quantities: tuple[Quantity, ...]
    gradient: np.ndarray
    arrived: np.ndarray | None = None
    turns: tuple[int, ...] = ()

    @property
    def steps(self) -> list[Step]:
        """From each quantity to the next."""
        turns = self.turns or (0,) * (len(self.quantities) - 1)
        return list(zip(self.quantities, self.quantities[1:], turns, strict=False))


class Between:
    """All ways from ``roots`` to ``target``, by lines: ``group_of`` says which nodes belong together.

    It has to be :meth:`prepare`-d. ``sources`` are, for each quantity on a way, those that its line was made of;
    ``ordered`` are the quantities on ways, each before those that it was made of.
    """

    def __init__(self, roots: Iterable[Quantity], target: Quantity, group_of: GroupOf) -> None:
        self.target = target
        self.roots = tuple(roots)
        self.sources: dict[Quantity, tuple[Quantity, ...]] = {target: ()}
        self.ordered: list[Quantity] = []
        self._group_of = group_of
        self._reaching: set[Node] = set()
        self._shown: set[Quantity] = {target, *self.roots}
        self._repeated: dict[tuple[Quantity, Quantity], tuple[int, ...]] = {}
        self._jacobians: dict[Step, np.ndarray | None] = {}

    def prepare(self) -> Iterator[None]:
        """Find all that lies between; each step is a place where one may stop for a while."""
        yield from self._find_reaching()
        yield from self._find_crossings()
        yield from self._find_sources()
        self.ordered = [*self._youngest_first(), self.target]

    def local(self, quantity: Quantity, gradient: np.ndarray) -> Gradients:
        """What ``gradient``, which comes in at ``quantity``, gives to the quantities that its line was made of."""
        found: Gradients = {}
        buffers: dict[Node, Gradients] = {quantity.node: {quantity: gradient}}
        order = count()
        heap = [(-quantity.node.seq, next(order), quantity.node)]
        while heap:
            node = heappop(heap)[2]
            for _, source, passed in self._passed_on(node, buffers.pop(node)):
                if source in self._shown:
                    found[source] = found[source] + passed if source in found else passed
                    continue
                if source.node not in buffers:
                    buffers[source.node] = {}
                    heappush(heap, (-source.node.seq, next(order), source.node))
                slot = buffers[source.node]
                slot[source] = slot[source] + passed if source in slot else passed
        return found

    def turns(self, quantity: Quantity, source: Quantity) -> range:
        """The steps between two: 0 alone, or from 1 on one for each edge of an operator that has an input again."""
        edges = self._repeated.get((quantity, source), ())
        return range(1, len(edges) + 1) if len(edges) > 1 else range(1)

    def passed(self, step: Step, gradient: np.ndarray) -> np.ndarray | None:
        """What ``gradient`` gives along one step."""
        quantity, source, turn = step
        if not turn:
            return self.local(quantity, gradient).get(source)
        edge = self._repeated[quantity, source][turn - 1]
        passed = self._passed_on(quantity.node, {quantity: gradient})
        return next((found for place, _, found in passed if place == edge), None)

    def jacobian(self, step: Step) -> np.ndarray | None:
        """The derivatives of all elements of one by all of the other, along a step; None where these are too many."""
        if step not in self._jacobians:
            quantity, source, _ = step
            small = 0 < quantity.size <= LARGEST and source.size <= LARGEST
            self._jacobians[step] = self._rows(step) if small else None
        return self._jacobians[step]

    def number_of_ways(self, most: int) -> int:
        """How many ways there are; ``most`` where there are as many or more."""
        found: dict[Quantity, int] = {self.target: 1}
        for quantity in reversed(self.ordered):
            if quantity != self.target:
                onward = (found.get(source, 0) * len(self.turns(quantity, source)) for source in self.sources[quantity])
                found[quantity] = min(most, sum(onward))
        return min(most, sum(found.get(root, 0) for root in self.roots))

    def ways(self, gradients: Iterable[np.ndarray]) -> Iterator[Way | None]:
        """Every way, with what comes along it of the roots' ``gradients``; None where one may stop for a while."""
        stack = [
            Way((root,), gradient) for root, gradient in zip(self.roots, gradients, strict=True) if self._leads(root)
        ]
        stack.reverse()
        while stack:
            way = stack.pop()
            if way.quantities[-1] == self.target:
                yield way
                continue
            stack += reversed(list(self._onward(way)))
            yield None

    def _onward(self, way: Way) -> Iterator[Way]:
        """A way, one step longer, for each step that goes on."""
        last = way.quantities[-1]
        found = self.local(last, way.gradient)
        for source in self.sources[last]:
            for turn in self.turns(last, source):
                passed = self.passed((last, source, turn), way.gradient) if turn else found.get(source)
                if passed is not None:
                    yield Way((*way.quantities, source), passed, turns=(*way.turns, turn))

    def by_last(self, gradients: Iterable[np.ndarray]) -> Iterator[Way | None]:
        """The same, added up by the quantity that comes last before the target."""
        arrived: Gradients = {}
        for root, gradient in zip(self.roots, gradients, strict=True):
            arrived[root] = arrived[root] + gradient if root in arrived else gradient
        for quantity in self.ordered:
            if quantity == self.target or quantity not in arrived:
                continue
            for source, gradient in self.local(quantity, arrived[quantity]).items():
                if source == self.target:
                    yield Way((quantity, source), gradient, arrived[quantity])
                else:
                    arrived[source] = arrived[source] + gradient if source in arrived else gradient
            yield None
        if self.target in self.roots:
            yield Way((self.target,), arrived[self.target])

    def above(self, quantity: Quantity) -> list[Quantity]:
        """The quantities on the ways from a root to ``quantity``, this one last."""
        found = {quantity}
        for other in reversed(self.ordered):
            if not found.isdisjoint(self.sources[other]):
                found.add(other)
        return [other for other in self.ordered if other in found]

    # ------------------------------------------------------------ inside

    def _find_reaching(self) -> Iterator[None]:
        """The nodes from which an edge leads on to the target."""
        seen: dict[Node, None] = {root.node: None for root in self.roots}
        stack = list(seen)
        while stack:
            for edge in stack.pop().edges:
                if edge is not None and edge not in seen:
                    seen[edge] = None
                    stack.append(edge)
            if len(seen) % AT_A_TIME == 0:
                yield
        rest, grown = sorted((node for node in seen if not node.accumulates), key=_age), True
        while rest and grown:  # what edges lead to is older, except grad_fns that overwritten views got late
            left = []
            for place, node in enumerate(rest):
                if any(edge == self.target or edge.node in self._reaching for edge in _edges(node)):
                    self._reaching.add(node)
                else:
                    left.append(node)
                if place % AT_A_TIME == 0:
                    yield
            rest, grown = left, len(left) < len(rest)

    def _leads(self, quantity: Quantity) -> bool:
        return quantity == self.target or quantity.node in self._reaching

    def _find_crossings(self) -> Iterator[None]:
        """What a line takes from another line is shown, as are roots and target."""
        for place, node in enumerate(self._reaching):
            group = self._group_of(node)
            for edge in _edges(node):
                if self._leads(edge) and self._group_of(edge.node) != group:
                    self._shown.add(edge)
            if place % AT_A_TIME == 0:
                yield

    def _find_sources(self) -> Iterator[None]:
        """In the order of each line's inputs."""
        pending = [root for root in self.roots if self._leads(root)]
        while pending:
            quantity = pending.pop()
            if quantity not in self.sources:
                self.sources[quantity] = self._sources_of(quantity)
                pending += self.sources[quantity]
            if len(self.sources) % AT_A_TIME == 0:
                yield

    def _youngest_first(self) -> Iterator[Quantity]:
        """The quantities but for the target, as a backward comes by: of those whose users are over the youngest."""
        users = Counter(source for sources in self.sources.values() for source in sources)
        order = count()
        heap = [(_youth(found), next(order), found) for found in self.sources if not users[found]]
        heapify(heap)
        while heap:
            quantity = heappop(heap)[2]
            if quantity != self.target:
                yield quantity
            for source in self.sources[quantity]:
                users[source] -= 1
                if not users[source]:
                    heappush(heap, (_youth(source), next(order), source))

    def _sources_of(self, quantity: Quantity) -> tuple[Quantity, ...]:
        found: dict[Quantity, None] = {}
        seen = {quantity.node}
        stack = [quantity.node]
        while stack:
            for edge in _edges(stack.pop()):
                if not self._leads(edge):
                    continue
                if edge in self._shown:
                    found[edge] = None
                elif edge.node not in seen:
                    seen.add(edge.node)
                    stack.append(edge.node)
        if len(seen) == 1:  # else what an operator is made of leads there, too
            self._repeated |= {(quantity, source): _places(quantity.node, source) for source in found}
        return tuple(found)

    def _passed_on(self, node: Node, incoming: Gradients) -> Iterator[tuple[int, Quantity, np.ndarray]]:
        """What goes out of ``node`` towards the target, and along which of its edges."""
        ways = [edge if edge is not None and self._leads(edge) else None for edge in _all_edges(node)]
        edges = tuple(None if edge is None else edge.node for edge in ways)
        slots = [incoming.get(Quantity(node, port)) for port in range(len(node.expects()))]
        found = node.run(tuple(slots) if node.many else slots[0], edges)
        for index, (edge, gradient) in enumerate(zip(ways, found, strict=False)):
            if edge is not None and gradient is not None:
                shape, dtype = edge.node.expects()[edge.port]
                yield index, edge, fitted(gradient, shape, dtype, node, index)

    def _rows(self, step: Step) -> np.ndarray:
        quantity, source, _ = step
        rows = np.zeros((quantity.size, source.size), quantity.node.expects()[quantity.port][1])
        for row in range(quantity.size):
            unit = np.zeros(quantity.size, rows.dtype)
            unit[row] = 1
            found = self.passed(step, unit.reshape(quantity.shape))
            if found is not None:
                rows[row] = found.ravel()
        return rows


def _all_edges(node: Node) -> list[Quantity | None]:
    return [None if edge is None else Quantity(edge, port) for edge, port in node.next_functions]


def _edges(node: Node) -> Iterator[Quantity]:
    return (edge for edge in _all_edges(node) if edge is not None)


def _places(node: Node, source: Quantity) -> tuple[int, ...]:
    """Which of a node's edges lead to ``source``."""
    return tuple(place for place, edge in enumerate(_all_edges(node)) if edge == source)


def _age(node: Node) -> int:
    return node.seq


def _youth(quantity: Quantity) -> int:
    return -quantity.node.seq
