"""The backward: an object that runs a graph's nodes in PyTorch's order, as far as it is told to."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

import numpy as np

from chalkgrad.engine.graph import (
    AccumulateGrad,
    Node,
    TensorBase,
    counter_of,
    meta_of,
    new_tensor,
    rare_of,
    requires_grad_of,
    state,
)
from chalkgrad.engine.hooks import run_after_hooks, run_before_hooks, run_leaf_hooks, run_tensor_hooks
from chalkgrad.engine.observer import Observer
from chalkgrad.engine.rules import ARRAYS, TENSORS
from chalkgrad.engine.shapes import is_expandable, sum_to
from chalkgrad.engine.storage import accumulate_like
from chalkgrad.errors import blame

Gradient = Any
"""An array, or a tensor while the backward is recorded, or None."""


class Backward:
    """One run through a graph, which can be advanced node by node.

    ``roots`` and ``gradients`` are what it starts from. ``keep`` leaves saved values in place (``retain_graph``),
    ``record`` computes with tensors so that the run leaves a graph of its own (``create_graph``). ``wanted`` limits it
    to the nodes that lead to these; ``captures`` are nodes whose incoming gradient is wanted itself: ``captured``
    has them afterwards by ``(node, output)``.
    """

    def __init__(
        self,
        roots: Sequence[tuple[Node, int]],
        gradients: Sequence[Gradient],
        *,
        keep: bool = False,
        record: bool = False,
        targets: Sequence[tuple[Node, int]] | None = None,
        capture: bool = False,
        tensors: Sequence[TensorBase] = (),
    ) -> None:
        self.keep = keep
        self.record = record
        self.done = False
        self.captured: dict[tuple[Node, int], Gradient] = {}
        self._capturing: dict[Node, list[int]] = {}
        self._wanted: set[Node] | None = None
        self._needed: set[Node] = set()
        self._buffers: dict[Node, Gradient] = {}
        self._waiting: dict[Node, int] = {}
        self._ready: list[tuple[int, Node]] = []
        self._leaves: deque[Node] = deque()
        nodes = [node for node, _ in roots]
        self._count(nodes)
        if targets is not None:
            self._limit(nodes, targets, capture)
        if state.observer is not None:
            state.observer.backward_began(tensors, gradients)
        self._deliver(tuple(nodes), tuple(port for _, port in roots), tuple(gradients))

    def run(self) -> None:
        """Run it to its end."""
        self.advance(None)

    def advance(self, count: int | None) -> bool:
        """Run the next ``count`` nodes (all for None); True when nothing is left. What fails leaves what was done."""
        mode, state.grad = state.grad, self.record
        try:
            self.done = self._advance(-1 if count is None else count)
        except BaseException:
            self.done = True
            raise
        finally:
            state.grad = mode
            if self.done and state.observer is not None:
                state.observer.backward_ended()
        return self.done

    # Before the first node

    def _count(self, roots: list[Node]) -> None:
        """How many gradients each node waits for."""
        waiting = self._waiting
        stack: list[Node] = []
        for root in roots:
            if root in waiting:
                waiting[root] += 1
            else:
                waiting[root] = 1
                stack.append(root)
        while stack:
            for edge in stack.pop().edges:
                if edge is not None:
                    if edge in waiting:
                        waiting[edge] += 1
                    else:
                        waiting[edge] = 1
                        stack.append(edge)

    def _limit(self, roots: list[Node], targets: Sequence[tuple[Node, int]], capture: bool) -> None:
        """Run only what leads to ``targets``; with ``capture`` keep what arrives there instead of passing it on."""
        wanted = {node for node, _ in targets} if not capture else set()
        needed = {node for node, _ in targets}
        if capture:
            for node, port in targets:
                self._capturing.setdefault(node, []).append(port)
        stack: list[tuple[Node, bool]] = [(root, False) for root in roots]
        seen: set[Node] = set()
        while stack:
            node, finished = stack.pop()
            if finished:
                if any(edge in needed for edge in node.edges if edge is not None):
                    needed.add(node)
                    wanted.add(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((edge, False) for edge in node.edges if edge is not None and edge not in seen)
        self._wanted = wanted
        self._needed = needed

    # One node after the other

    def _advance(self, count: int) -> bool:
        ready, leaves, buffers = self._ready, self._leaves, self._buffers
        keep, record, plain = self.keep, self.record, self._wanted is None
        observer = state.observer
        while count:
            if leaves:
                self._accumulate(leaves.popleft(), observer)
                count -= 1
                continue
            if not ready:
                return True
            node = heappop(ready)[1]
            count -= 1
            gradient = buffers.pop(node, None)
            edges = node.edges
            if not plain or node.rare is not None or observer is not None or node.many:
                self._run_closely(node, gradient, observer)
                continue
            if gradient is None:
                found: tuple[Gradient, ...] = (None,) * len(edges)
            elif record:
                found = node.run_recorded(gradient, edges)
            else:
                found = node.run(gradient, edges)
            if not keep and node.saved != ():
                node.release()
            self._deliver(edges, node.ports, found, node)
        return not ready and not leaves

    def _deliver(
        self,
        edges: tuple[Node | None, ...],
        ports: tuple[int, ...] | None,
        found: tuple[Gradient, ...],
        source: Node | None = None,
    ) -> None:
        """Hand the gradients ``found`` to the nodes at ``edges``; those that have all they wait for are ready."""
        buffers, waiting, wanted = self._buffers, self._waiting, self._wanted
        for index, edge in enumerate(edges):
            if edge is None:
                continue
            gradient = found[index]
            if gradient is not None:
                if edge.many:
                    self._put(edge, ports[index] if ports else 0, gradient, source, index)
                else:
                    if not self.record and (gradient.shape != edge.shape or gradient.dtype is not edge.dtype):
                        gradient = fitted(gradient, edge.shape, edge.dtype, source, index)
                    elif self.record:
                        gradient = fitted_tensor(gradient, edge.shape, edge.dtype, source, index)
                    old = buffers.get(edge)
                    buffers[edge] = gradient if old is None else self._sum(old, gradient)
            left = waiting[edge] - 1
            waiting[edge] = left
            if left == 0 and (wanted is None or edge in self._needed):
                self._make_ready(edge)

    def _make_ready(self, node: Node) -> None:
        if state.observer is not None:
            state.observer.node_ready(node)
        if node.accumulates:
            self._leaves.append(node)
        else:
            heappush(self._ready, (-node.seq, node))

    def _sum(self, old: Gradient, new: Gradient) -> Gradient:
        """Two gradients for one value; the sum is a new array, so what an observer holds stays what it was."""
        return TENSORS.add(old, new) if self.record else np.add(old, new, out=...)

    def _put(self, node: Node, port: int, gradient: Gradient, source: Node | None, index: int) -> None:
        """Add ``gradient`` for output ``port`` of a node that has several."""
        slots = self._buffers.setdefault(node, [None] * len(node.shape))
        fit = fitted_tensor if self.record else fitted
        gradient = fit(gradient, node.shape[port], node.dtype[port], source, index)
        slots[port] = gradient if slots[port] is None else self._sum(slots[port], gradient)

    def _run_closely(self, node: Node, gradient: Gradient, observer: Observer | None) -> None:
        """Run a node that has hooks or is watched, or in a backward that doesn't want everything."""
        incoming = tuple(gradient) if node.many and gradient is not None else (gradient,)
        if node.rare is not None:
            incoming = self._before(node, incoming)
        for port in self._capturing.get(node, ()):
            self.captured[node, port] = incoming[port]
        if self._wanted is not None and node not in self._wanted:
            return
        edges = node.edges
        if self._wanted is not None:
            edges = tuple(edge if edge in self._needed else None for edge in edges)
        found = self._results(node, incoming, edges)
        if node.rare is not None and node.rare.after:
            found = run_after_hooks(node, found, incoming, record=self.record)
        if not self.keep and node.release() and observer is not None:
            observer.freed(node)
        if observer is not None:
            observer.node_ran(node, incoming, found)
        self._deliver(node.edges, node.ports, found, node)

    def _results(self, node: Node, incoming: tuple[Gradient, ...], edges: tuple[Node | None, ...]) -> Any:
        if all(gradient is None for gradient in incoming):
            return (None,) * len(edges)
        run = node.run_recorded if self.record else node.run
        return run(incoming if node.many else incoming[0], edges)

    def _before(self, node: Node, incoming: tuple[Gradient, ...]) -> tuple[Gradient, ...]:
        """Hooks on the node's outputs, then tensors that keep their gradient, then hooks on the node."""
        rare = rare_of(node)
        incoming = run_tensor_hooks(node, incoming, record=self.record)
        for port, reference in list(rare.retained.items()):
            tensor = reference()
            if tensor is not None and incoming[port] is not None:
                retain(tensor, incoming[port], record=self.record)
        return run_before_hooks(node, incoming, record=self.record)

    # Leaves

    def _accumulate(self, node: Node, observer: Observer | None) -> None:
        gradient = self._buffers.pop(node, None)
        assert isinstance(node, AccumulateGrad)
        variable = node.variable
        meta = meta_of(variable)
        if gradient is not None and (meta.hooks or node.rare is not None):
            gradient = run_leaf_hooks(node, variable, gradient, record=self.record)
        for port in self._capturing.get(node, ()):
            self.captured[node, port] = gradient
        if self._wanted is not None and node not in self._wanted:
            return
        if gradient is None or not meta.requires_grad:
            return
        first = meta.grad is None
        accumulate(variable, gradient, record=self.record)
        if observer is not None:
            observer.accumulated(node, variable, gradient, first)
        if meta.after:
            for hook in list(meta.after.values()):
                hook(variable)


def accumulate(variable: TensorBase, gradient: Gradient, *, record: bool) -> None:
    """Add ``gradient`` to ``variable.grad``: in place, unless the backward is recorded."""
    meta = meta_of(variable)
    old = meta.grad
    if record:
        meta.grad = copied(gradient) if old is None else TENSORS.add(old, gradient)
    elif old is None:
        meta.grad = new_tensor(accumulate_like(variable.array, gradient))
    else:
        _add_in_place(old, gradient)
        return
    if state.observer is not None:
        if not record:
            state.observer.tensor_made(meta.grad)
        state.observer.flags_changed(variable)


def copied(gradient: TensorBase) -> TensorBase:
    """A copy of a recorded gradient as PyTorch makes it for ``.grad``: an empty tensor it is copied into."""
    if not requires_grad_of(gradient):
        tensor = new_tensor(gradient.array.copy())
        if state.observer is not None:
            state.observer.tensor_made(tensor)
        return tensor
    empty = new_tensor(np.empty_like(gradient.array))
    if state.observer is not None:
        state.observer.tensor_made(empty)
    result: TensorBase = TENSORS.copy_(empty, gradient)
    return result


def _add_in_place(old: TensorBase, gradient: np.ndarray) -> None:
    observer = state.observer
    if observer is not None:
        observer.about_to_write(old)
    np.add(old.array, gradient, out=old.array)
    counter_of(old).version += 1
    if observer is not None:
        observer.wrote(old)


def retain(tensor: TensorBase, gradient: Gradient, *, record: bool) -> None:
    """Keep ``gradient`` as the ``.grad`` of a tensor that is no leaf."""
    meta = meta_of(tensor)
    old = meta.grad
    if record:
        meta.grad = TENSORS.clone(gradient) if old is None else TENSORS.add(old, gradient)
    else:
        total = gradient.copy() if old is None else np.add(old.array, gradient, out=...)
        meta.grad = new_tensor(total)
        if state.observer is not None:
            state.observer.tensor_made(meta.grad)
    if state.observer is not None:
        state.observer.retained(tensor, meta.grad)
        state.observer.flags_changed(tensor)


# Gradients that don't fit yet


def fitted(g: np.ndarray, shape: tuple[int, ...], dtype: Any, source: Node | None, index: int) -> np.ndarray:
    """``g`` with broadcasting undone and in the dtype of the value it is the gradient of."""
    if g.shape != shape:
        _check_expandable(g.shape, shape, source, index)
        g = sum_to(ARRAYS, g, shape)
    return g if g.dtype is dtype else g.astype(dtype)


def fitted_tensor(g: TensorBase, shape: tuple[int, ...], dtype: Any, source: Node | None, index: int) -> TensorBase:
    """The same for a tensor, recorded."""
    if g.array.shape != shape:
        _check_expandable(g.array.shape, shape, source, index)
        g = sum_to(TENSORS, g, shape)
    return g if g.array.dtype is dtype else TENSORS.to_copy(g, dtype)


def _check_expandable(have: tuple[int, ...], shape: tuple[int, ...], source: Node | None, index: int) -> None:
    if not is_expandable(shape, have):
        name = "unknown" if source is None else source.name()
        text = (
            f"Function {name} returned an invalid gradient at index {index} - got {list(have)} "
            f"but expected shape compatible with {list(shape)}"
        )
        raise blame(RuntimeError(text), node=source)
