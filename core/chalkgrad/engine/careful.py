"""How a backward runs a node that needs care: with hooks, watched, not wanted whole, or a leaf."""

from __future__ import annotations

from collections.abc import Sequence

from chalkgrad.engine.anomaly import check_nan, report
from chalkgrad.engine.arrivals import FOREVER, Arrivals, Gradient
from chalkgrad.engine.base import TensorBase, meta_of, state
from chalkgrad.engine.given_out import GivenOut
from chalkgrad.engine.gradients import accumulate, not_fitted, retain
from chalkgrad.engine.graph import AccumulateGrad, Node
from chalkgrad.engine.hooks import (
    Change,
    run_after_hooks,
    run_before_hooks,
    run_leaf_after_hooks,
    run_leaf_hooks,
    run_tensor_hooks,
)
from chalkgrad.engine.observer import Observer
from chalkgrad.engine.saved import tensors_saved
from chalkgrad.engine.telling import copied_for_others, tell_begun, tell_captured
from chalkgrad.errors import blame


class Careful(Arrivals):
    """Runs single nodes with all that may go along with it.

    ``captured`` has what came to the targets of a backward that captures, by ``(node, output)``, ``captured_writes``
    how often each was written on its way. ``given`` are the gradients that it starts from, as tensors.
    """

    def __init__(self, seeds: Sequence[Gradient], record: bool, keep: bool, given: Sequence[TensorBase | None]) -> None:
        super().__init__(seeds, record, keep)
        self.given_out = GivenOut(given)
        self.captured: dict[tuple[Node, int], Gradient] = {}
        self.captured_writes: dict[tuple[Node, int], int] = {}
        self._capturing: dict[Node, list[int]] = {}
        self._wanted: set[Node] | None = None
        self._left_out: list[tuple[Node, int, Gradient]] = []

    def _run_closely(self, node: Node, observer: Observer | None) -> None:
        """Run a node that has hooks or is watched, or in a backward that doesn't want everything."""
        state.running = node
        if self.record and observer is not None:
            tell_begun(node)
        gradient = self._buffers.pop(node, None)
        if node.many:
            incoming = (None,) * len(node.expects()) if gradient is None else tuple(gradient)
        else:
            incoming = (gradient,)
        ends = self._wanted is not None and node not in self._wanted
        if not ends:  # PyTorch takes what came before hooks see it, unless it goes no further
            self._capture(node, incoming)
        if node.rare is not None:
            incoming = self._seen(node, incoming)
            if incoming[0] is not gradient and not node.many:
                self._let_go(gradient)
        if ends:
            self._capture(node, incoming)
            return
        if node.rare is not None and node.rare.before:
            came, incoming = incoming, run_before_hooks(node, incoming, self)
            if incoming[0] is not came[0] and not node.many:
                self._let_go(came[0])
        expected = node.rare is not None and bool(node.rare.after)
        made = found = self._results(node, incoming)
        writes = node._writes(incoming) if callable(node._writes) else node._writes  # asked before it is freed
        for gradient in node._kept_outside:
            self.hold(gradient)
        if node.record is None and not self.record:
            self._share(incoming[0], found)
        fit = found = self._fitted(node, incoming, made, observer)  # all, before any is added, or what is saved is gone
        changes: dict[int, Change] = {}
        if node.rare is not None and node.rare.after:
            handed_on = incoming if expected else ()  # to hooks that came while it ran
            results, changes = run_after_hooks(node, tuple(found), handed_on, self)
            found = list(results)
        if observer is not None:
            self._tell_ran(node, incoming, found, observer)
        self._release(node, observer)
        if state.anomaly and state.check_nan:
            check_nan(node, found)
        first: Gradient = next((gradient for gradient in incoming if gradient is not None), None)
        if not self.record and first is not None:
            if node in self._additions or writes or changes:
                self._inherit(node, first, not_fitted(made, fit, found), writes, changes)
            if incoming[0] is not None:
                self._pass_on(incoming[0], found)
        self._deliver(node.edges, node.ports, found, node)

    def _capture(self, node: Node, incoming: tuple[Gradient, ...]) -> None:
        """Keep what is to be returned of the gradients that came to ``node``."""
        for port in self._capturing.get(node, ()):
            self.captured[node, port] = incoming[port]
            self.captured_writes[node, port] = self.additions_to(node, port)
            self._held[id(incoming[port])] = FOREVER
            tell_captured(node, port, incoming[port])

    def _results(self, node: Node, incoming: tuple[Gradient, ...]) -> list[Gradient]:
        """What ``node`` makes of its gradients, for the edges that want it."""
        edges = node.edges
        if self._limited:
            edges = tuple(edge if edge in self._needed else None for edge in edges)
        nothing = incoming[0] is None and all(gradient is None for gradient in incoming)
        if nothing and not node._runs_without:
            if node.saved_names:
                tensors_saved(node)  # PyTorch reads them first, and raises where they are gone or overwritten
            return [None] * len(edges)
        run = node.run_recorded if self.record else node.run
        if not state.anomaly:
            return self._wanted_of(node, run(incoming if node.many else incoming[0], edges), edges)
        try:
            found = run(incoming if node.many else incoming[0], edges)
        except Exception:
            report(node)
            raise
        return self._wanted_of(node, found, edges)

    def _wanted_of(self, node: Node, found: list[Gradient], edges: tuple[Node | None, ...]) -> list[Gradient]:
        """The gradients that are wanted; the others were not to be made, but those of a list are made together."""
        if not self._limited or (node.record is not None and node.record.variadic):
            return found
        return [None if edge is None else gradient for gradient, edge in zip(found, edges, strict=True)]

    def _run_leaf(self, node: Node, observer: Observer | None) -> None:
        """Let a gradient arrive at a leaf, or at a node that refuses it."""
        if not isinstance(node, AccumulateGrad):
            self._run_closely(node, observer)
            return
        buffers, variable, state.running = self._buffers, node.variable, node
        if node not in buffers:
            self._tell_leaf_of_nothing(node)
            return
        gradient = buffers.pop(node)
        meta = meta_of(variable)
        came = gradient
        if meta.hooks:
            gradient = run_leaf_hooks(node, variable, gradient, self)
        alone = not self.record and id(gradient) not in self._held
        if id(came) in self._held:
            self._let_go(came)
        for port in self._capturing.get(node, ()):
            self.captured[node, port] = gradient
            self.captured_writes[node, port] = self.additions_to(node, port)
            tell_captured(node, port, gradient)
        if self._wanted is not None and node not in self._wanted:
            return
        if node.rare is not None and node.rare.before:
            (gradient,) = run_before_hooks(node, (gradient,), self)
        if variable.node is not None:
            raise blame(
                RuntimeError("leaf variable has been moved into the graph interior"), tensor=variable, node=node
            )
        first = meta.grad is None
        shown = None if observer is None else copied_for_others(gradient)
        if meta.requires_grad:
            if self.record:
                tell_begun(node)
            writes = self._additions.get(node, 0) if alone else -1
            accumulate(variable, gradient, record=self.record, version=writes, given_out=self.given_out)
            if observer is not None:
                observer.accumulated(node, variable, shown, first)
        elif observer is not None:
            observer.dropped(node, shown)
        if meta.after:
            run_leaf_after_hooks(variable)
        if node.rare is not None and node.rare.after:
            run_after_hooks(node, (), (gradient,), self)

    def _tell_leaf_of_nothing(self, node: AccumulateGrad) -> None:
        """Call the hooks of a leaf that all nodes before it had no gradient for."""
        run_leaf_hooks(node, node.variable, None, self)
        if self._wanted is not None and node not in self._wanted:
            return
        if node.rare is not None and node.rare.before:
            run_before_hooks(node, (None,), self)
        if state.observer is not None:
            state.observer.dropped(node, None)
        run_leaf_after_hooks(node.variable)
        if node.rare is not None and node.rare.after:
            run_after_hooks(node, (), (None,), self)

    def _seen(self, node: Node, incoming: tuple[Gradient, ...]) -> tuple[Gradient, ...]:
        """Hooks on the node's outputs, then tensors that keep their gradient."""
        rare = node.rare
        assert rare is not None
        incoming = run_tensor_hooks(node, incoming, self)
        for port, reference in list(rare.retained.items()):
            tensor = reference()
            if tensor is not None and incoming[port] is not None:
                retain(tensor, incoming[port], record=self.record)
        return incoming

    def _show_left_out(self) -> None:
        """Hooks on roots that lead to none of the targets are called all the same, as in PyTorch."""
        left_out, self._left_out = self._left_out, []
        for node, port, gradient in left_out:
            state.running = node
            if isinstance(node, AccumulateGrad):
                run_leaf_hooks(node, node.variable, gradient, self)
            elif node.rare is not None:
                count = len(node.expects()) if node.many else 1
                self._seen(node, tuple([gradient if place == port else None for place in range(count)]))
