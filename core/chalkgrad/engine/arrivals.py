"""What has come to each node in a backward, and how many hold it: gradients are handed on, added up, counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappush
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from chalkgrad.engine.base import state
from chalkgrad.engine.gradients import all_fitted, fitted, fitted_tensor
from chalkgrad.engine.graph import Node
from chalkgrad.engine.hooks import Change
from chalkgrad.engine.observer import LET_GO, Observer
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.ready_leaves import ReadyLeaves
from chalkgrad.engine.storage import owner
from chalkgrad.engine.telling import added, copied_for_others, tell_begun, tell_met

if TYPE_CHECKING:
    from chalkgrad.engine.observer import Notice

Gradient = Any
"""An array, or a tensor while the backward is recorded, or None."""

FOREVER = 1 << 60
"""How many hold a gradient that somebody outside of the backward has."""


def shows_part_of(gradient: np.ndarray, other: np.ndarray) -> bool:
    """True for a view of memory that ``other`` shows, too."""
    return gradient.base is not None and owner(gradient) is owner(other)


def summed(old: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """What has come and what comes now, laid out as the first of them, into which PyTorch adds."""
    total = np.add(old, gradient, out=...)
    return ordered(total, (old, gradient)) if total.ndim > 1 and not old.flags.c_contiguous else total


class Arrivals:
    """The gradients on their way in one backward, and the nodes that have all they wait for.

    PyTorch adds in place to a gradient that nobody else holds, and makes it a leaf's ``.grad`` as it is; one can see it
    in the ``_version`` of ``.grad``. So it is counted here how many hold a gradient, those with more than one holder in
    ``_held`` (adding itself is faster into a new array). Observers and hooks get copies.
    """

    def __init__(self, seeds: Sequence[Gradient], record: bool, keep: bool) -> None:
        self.record = record
        self.keep = keep
        self._needed: set[Node] = set()
        self._limited = False
        self._buffers: dict[Node, Gradient] = {}
        self._additions: dict[Node | tuple[Node, int], int] = {}
        self._held: dict[int, int] = {id(gradient): FOREVER for gradient in seeds}
        self._later: list[Gradient] = []
        self._waiting: dict[Node, int] = {}
        self._ready: list[tuple[int, Node]] = []
        self._leaves = ReadyLeaves()
        self._seeds = list(seeds)
        self._untold: tuple[list[Node], list[Notice]] = [], []

    def additions_to(self, node: Node, port: int) -> int:
        """How often PyTorch would have added in place to the gradient of output ``port`` that came to ``node``."""
        return self._additions.get((node, port) if node.many else node, 0)

    def replaced(self, node: Node, gradient: np.ndarray, change: Change) -> None:
        """A hook made ``gradient`` of what had come to ``node``."""
        before, writes = self._additions.pop(node, 0), change.writes
        self._held.pop(id(gradient), None)
        if change.came is not None:
            writes += before
            if id(change.came) in self._held:
                self._held[id(gradient)] = self._held[id(change.came)]
        if writes and not node.many:
            self._additions[node] = writes

    def hold(self, gradient: np.ndarray) -> None:
        """Somebody keeps ``gradient``, so that it can't be added to, nor become a ``.grad``, as it is."""
        self._held[id(gradient)] = FOREVER
        self._seeds.append(gradient)

    def _deliver(
        self,
        edges: tuple[Node | None, ...],
        ports: tuple[int, ...] | None,
        found: list[Gradient],
        source: Node | None,
    ) -> None:
        """Hand the gradients ``found`` to the nodes at ``edges``; those that have all they wait for are ready."""
        buffers, waiting, limited, record = self._buffers, self._waiting, self._limited, self.record
        for index, edge in enumerate(edges):
            if edge is None or (limited and edge not in self._needed):
                continue
            gradient = found[index]
            if gradient is not None:
                values = gradient.array if record else gradient
                if values.shape == edge.shape and values.dtype is edge.dtype and edge not in buffers:
                    buffers[edge] = gradient
                elif edge.many:
                    self._put(source, index, edge, ports[index] if ports else 0, gradient)
                else:
                    self._add(source, index, edge, gradient)
            left = waiting[edge]
            if left > 1:
                waiting[edge] = left - 1
                continue
            if state.observer is not None:
                state.observer.node_ready(edge)
            if edge.accumulates:
                self._leaves.push(edge, len(self._ready))
            else:
                heappush(self._ready, (-edge.seq, edge))
        if self._later:
            self._let_go_of_added()

    def _add(self, source: Node | None, index: int, edge: Node, gradient: Gradient) -> None:
        """Add ``gradient``, number ``index`` from ``source``, to what ``edge`` has got so far."""
        buffers = self._buffers
        if edge.many:
            ports = None if source is None else source.ports
            self._put(source, index, edge, ports[index] if ports else 0, gradient)
            return
        if self.record:
            tell_begun(source or edge)
            gradient = fitted_tensor(gradient, edge.shape, edge.dtype, source, index)
            if edge not in buffers:
                buffers[edge] = gradient
                return
            buffers[edge] = added(edge, buffers[edge], gradient)
            tell_met(edge, 0, gradient, buffers[edge])
            return
        if gradient.shape != edge.shape or gradient.dtype is not edge.dtype:
            gradient = self._made_to_fit(source, index, edge, gradient)
        if edge not in buffers:
            buffers[edge] = gradient
        else:
            old = buffers[edge]
            self._count_addition(edge, old, gradient)
            self._let_go(old)
            self._later.append(gradient)
            buffers[edge] = summed(old, gradient)
            tell_met(edge, 0, gradient, buffers[edge])

    def _add_unlike(self, source: Node, index: int, edge: Node, gradient: np.ndarray, found: list[Gradient]) -> None:
        """The same for one of the gradients ``found`` that is not as ``edge`` expects it, or one of several there."""
        try:
            gradient = found[index] = self._made_to_fit(source, index, edge, gradient)
        except RuntimeError:
            self._take_back_letting_go(source)
            raise
        self._tell()
        self._add(source, index, edge, gradient)

    def _count_addition(self, place: Node | tuple[Node, int], old: np.ndarray, gradient: np.ndarray) -> None:
        """``gradient`` is added to ``old``, which came to ``place``: in place if nobody else has it or its memory."""
        if old.base is None and gradient.base is not old and id(old) not in self._held:
            self._additions[place] = self._additions.get(place, 0) + 1
        else:
            self._additions.pop(place, None)

    def _made_to_fit(self, source: Node | None, index: int, edge: Node, gradient: np.ndarray) -> np.ndarray:
        """``gradient`` as it arrives at ``edge``: a gradient of its own."""
        if edge.many:
            port = source.ports[index] if source is not None and source.ports else 0
            fit = fitted(gradient, *edge.expects()[port], source, index)
            if fit is not gradient:
                self._let_go(gradient)
            return fit
        self._let_go(gradient)
        fit = fitted(gradient, edge.shape, edge.dtype, source, index)
        if source is None:
            self.hold(fit)  # what a backward starts from, which PyTorch keeps to its end as it was made to fit
        return fit

    def _put(self, source: Node | None, index: int, edge: Node, port: int, gradient: Gradient) -> None:
        """Add ``gradient`` for output ``port`` of a node that has several."""
        expected = edge.expects()
        slots = self._buffers.setdefault(edge, [None] * len(expected))
        fit = fitted_tensor if self.record else fitted
        if self.record:
            tell_begun(source or edge)
        came, gradient = gradient, fit(gradient, *expected[port], source, index)
        if gradient is not came and not self.record:
            self._let_go(came)
        if slots[port] is None:
            slots[port] = gradient
        else:
            old = slots[port]
            if self.record:
                slots[port] = added(edge, old, gradient)
            else:
                self._count_addition((edge, port), old, gradient)
                self._let_go(old)
                self._later.append(gradient)
                slots[port] = summed(old, gradient)
            tell_met(edge, port, gradient, slots[port])

    def _pass_on(self, incoming: np.ndarray, found: list[Gradient]) -> None:
        """One holder of ``incoming`` is done with it; for each time that it is among ``found`` there is another."""
        count = self._held.get(id(incoming), 1) - 1 + sum(1 for gradient in found if gradient is incoming)
        if count > 1:
            self._held[id(incoming)] = count
        else:
            self._held.pop(id(incoming), None)

    def _share(self, incoming: Gradient, found: list[Gradient]) -> None:
        """A learner's function may return one gradient several times."""
        for gradient in found:
            times = sum(1 for other in found if other is gradient)
            if times > 1 and gradient is not None and gradient is not incoming and id(gradient) not in self._held:
                self._held[id(gradient)] = times

    def _let_go_of_added(self) -> None:
        """The node has handed on all that it made, and with that it lets go of what was added to something."""
        for gradient in self._later:
            self._let_go(gradient)
        self._later.clear()

    def _let_go(self, gradient: Gradient) -> None:
        """One holder of ``gradient`` is done with it."""
        holders = self._held.pop(id(gradient), 1) - 1
        if holders > 1:
            self._held[id(gradient)] = holders

    def _inherit(
        self,
        node: Node,
        incoming: np.ndarray,
        found: list[Gradient],
        own: tuple[int, ...] = (),
        changes: Mapping[int, Change] = MappingProxyType({}),
    ) -> None:
        """Gradients that are what came in, or views of it, have been added to in place as often as that.

        ``own`` is how often the node has written into what it made, ``changes`` what hooks did to it, by its place.
        """
        before = self._additions.pop(node, 0)
        for place, (edge, gradient) in enumerate(zip(node.edges, found, strict=False)):
            if edge is None or gradient is None or node.edges.index(edge) != place:
                continue
            port = node.ports[place] if node.ports else 0
            if edge in self._buffers and (not edge.many or self._buffers[edge][port] is not None):
                continue  # what is there already is added to
            there = (edge, port) if edge.many else edge
            shape, dtype = edge.expects()[port] if edge.many else (edge.shape, edge.dtype)
            if gradient.shape != shape or gradient.dtype != dtype:
                continue  # what broadcasting had spread is summed, another dtype made its own: a gradient of its own
            change = changes.get(place)
            made, count = (gradient, 0) if change is None else (change.came, change.writes)
            if made is not None and place < len(own) and own[place]:
                count += own[place]
            elif made is not None and (made is incoming or shows_part_of(made, incoming)):
                count += before
            if count:
                self._additions[there] = count

    def _fitted(
        self, node: Node, incoming: tuple[Gradient, ...], made: list[Gradient], observer: Observer | None
    ) -> list[Gradient]:
        """What ``node`` made as it arrives where it goes to; where that is refused, it is shown as it was."""
        try:
            return all_fitted(node, made, record=self.record)
        except RuntimeError:
            if observer is not None:
                self._tell_ran(node, incoming, made, observer)
            raise

    def _release(self, node: Node, observer: Observer | None) -> None:
        """Let a node that ran go of what it saved, and say so."""
        if not self.keep and node.release() and observer is not None:
            observer.freed(node)

    # What observers are told

    def _tell(self) -> None:
        """Say what happened that was not told yet."""
        nodes, notices = self._untold
        if nodes and state.observer is not None:
            told = nodes[:], notices[:]
            nodes.clear()
            notices.clear()
            state.observer.backward_went(*told)

    def _tell_ran(self, node: Node, incoming: tuple[Gradient, ...], found: list[Gradient], observer: Observer) -> None:
        """Say what ``node`` made of its gradients."""
        first = copied_for_others(incoming[0])
        seen = (first, *[copied_for_others(other) for other in incoming[1:]])
        copies = tuple([first if gradient is incoming[0] else copied_for_others(gradient) for gradient in found])
        observer.node_ran(node, seen, copies)

    def _take_back_letting_go(self, node: Node) -> None:
        """Don't say of a node that it let go of what it saved."""
        nodes, notices = self._untold
        for place in reversed(range(len(nodes))):
            if nodes[place] is node and notices[place] is LET_GO:
                del nodes[place], notices[place]
                return
