"""The backward: an object that runs a graph's nodes in PyTorch's order, as far as it is told to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush, heappushpop
from operator import attrgetter
from threading import Thread

import numpy as np

from chalkgrad.engine.anomaly import check_nan, report
from chalkgrad.engine.arrivals import FOREVER, Arrivals, Gradient
from chalkgrad.engine.base import TensorBase, meta_of, state
from chalkgrad.engine.given_out import GivenOut
from chalkgrad.engine.gradients import accumulate, check_root, not_fitted, retain
from chalkgrad.engine.graph import AccumulateGrad, Node
from chalkgrad.engine.hooks import (
    Change,
    run_after_hooks,
    run_before_hooks,
    run_leaf_after_hooks,
    run_leaf_hooks,
    run_tensor_hooks,
)
from chalkgrad.engine.observer import LET_GO, READY, Observer
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.saved import tensors_saved
from chalkgrad.engine.telling import copied_for_others, tell_begun, tell_captured
from chalkgrad.errors import blame

TOLD_AT_ONCE = 500
"""Of so many nodes who watches is told in one piece."""

NESTED = 10
"""How many backwards, each started by a hook or a function within the one before, run in one thread."""

running: list[Backward] = []
"""The backwards that are being advanced: one that a hook or a learner's function started comes after its outer one."""


_age, _edges = attrgetter("seq"), attrgetter("edges")


class Backward(Arrivals):
    """One run through a graph, which can be advanced node by node.

    ``roots`` and ``gradients`` are what it starts from. ``keep`` leaves saved values in place (``retain_graph``),
    ``record`` computes with tensors so that the run leaves a graph of its own (``create_graph``). ``targets`` limits it
    to the nodes that lead to these (``for_all`` says that nothing does); with ``capture``, what arrives at a target is
    not passed on but kept: ``captured`` has it afterwards by ``(node, output)``, ``captured_writes`` how often it was
    written on its way. ``given`` are the ``gradients`` as tensors. ``callbacks`` are called at its end.
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
        given: Sequence[TensorBase | None] = (),
    ) -> None:
        super().__init__(gradients, record, keep)
        self.given_out = GivenOut(given)
        self.done = False
        self.for_all = targets is None
        self.callbacks: list[Callable[[], object]] = []
        self.captured: dict[tuple[Node, int], Gradient] = {}
        self.captured_writes: dict[tuple[Node, int], int] = {}
        self._capturing: dict[Node, list[int]] = {}
        self._wanted: set[Node] | None = None
        nodes = [node for node, _ in roots]
        self._count(nodes)
        if targets is not None:
            self._limit(targets, capture)
        seeds = list(gradients)
        self._left_out: list[tuple[Node, int, Gradient]] = []
        for index, ((node, port), seed) in enumerate(zip(roots, seeds, strict=True)):
            check_root(node, port, seed, index)
        if self._limited and len(roots) == 1 and nodes[0] not in self._needed:  # of several roots those are passed by
            self._left_out = [(*roots[0], seeds[0])]
        if state.observer is not None:
            seeds_shown = [copied_for_others(gradient) for gradient in seeds]
            state.observer.backward_began(tensors, seeds_shown)
            state.observer.backward_planned(self._plan(), nodes)
        self._deliver(tuple(nodes), tuple(port for _, port in roots), seeds, None)

    def run(self) -> None:
        """Run it to its end; so deep within others that Python would refuse further calls, in a thread of its own."""
        if len(running) % NESTED == NESTED - 1:
            _in_new_thread(self.advance)
        else:
            self.advance(None)

    def advance(self, count: int | None) -> bool:
        """Run the next ``count`` nodes (all for None); True when nothing is left. What fails leaves what was done."""
        if self.done:
            return True
        mode, state.grad = state.grad, self.record and not state.inference
        packing = list(state.packing)
        self.done = True
        running.append(self)
        try:
            if self._left_out:
                self._show_left_out()
            self.done = self._advance_far() if count is None else self._advance(count)
            if self.done:
                for callback in self.callbacks:  # one of them may add others
                    callback()
        finally:
            self._tell()
            state.grad = mode
            if state.packing != packing:  # hooks on saved tensors that were opened or closed on the way
                state.packing[:] = packing
                state.look_again()
            running.pop()
            if self.done and state.observer is not None:
                state.observer.backward_ended()
        return self.done

    def will_reach(self, node: Node | None, port: int) -> bool:
        """True when a gradient of output ``port`` of ``node`` is to come, or came, in this run."""
        if node not in self._waiting:
            return False
        if self._wanted is None or node in self._wanted:
            return True
        return port in self._capturing.get(node, ())

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
                        if edge.edges:
                            stack.append(edge)

    def _limit(self, targets: Sequence[tuple[Node, int]], capture: bool) -> None:
        """Find the nodes that must get gradients (``_needed``), and those of them that must run (``_wanted``)."""
        needed = {node for node, _ in targets}
        wanted = set() if capture else set(needed)
        if capture:
            for node, port in targets:
                self._capturing.setdefault(node, []).append(port)
        inner = [node for node in self._waiting if node.edges]
        if self._all_lead_to(needed, inner):
            needed.update(inner)
            wanted.update(inner)
            self._wanted, self._needed = wanted, needed
            return
        rest, grown = sorted(inner, key=_age), True
        while rest and grown:  # what edges lead to is older, except grad_fns that overwritten views got late
            left = []
            for node in rest:
                if needed.isdisjoint(node.edges):
                    left.append(node)
                else:
                    needed.add(node)
                    wanted.add(node)
            rest, grown = left, len(left) < len(rest)
        self._wanted, self._needed = wanted, needed
        # With leaves for targets that everything leads to there is nothing to leave out on the way.
        self._limited = not needed >= self._waiting.keys() or not all(node.accumulates for node, _ in targets)

    def _all_lead_to(self, leaves: set[Node], inner: list[Node]) -> bool:
        """True when ``leaves`` are all the ends there are, and each of the ``inner`` nodes leads on to one."""
        if len(inner) + len(leaves) != len(self._waiting) or not leaves <= self._waiting.keys():
            return False
        return all(leaf.accumulates and not leaf.edges for leaf in leaves) and all(map(any, map(_edges, inner)))

    def _plan(self) -> dict[Node, int]:
        """The nodes that gradients will come to, and how many each waits for."""
        waiting = self._waiting
        return {node: waiting[node] for node in waiting if node in self._needed} if self._limited else waiting

    # One node after the other

    def _advance_far(self) -> bool:
        """Run all nodes; who watches is told of some at a time, so that not all gradients are kept until the end."""
        portion = -1 if state.observer is None else TOLD_AT_ONCE
        while not self._advance(portion):
            self._tell()
        return True

    def _advance(self, count: int) -> bool:
        """Run ``count`` nodes, all for a negative number; True when nothing is left.

        The loop over the edges is :meth:`_deliver` once more, for arrays alone: most of the time of a backward is spent
        here. ``following`` is the youngest ready node as long as it needn't stand in the queue. Who watches is told of
        many nodes at once: what happened to which nodes is in ``notices`` and ``nodes`` until then.
        """
        ready, leaves, buffers, waiting = self._ready, self._leaves, self._buffers, self._waiting
        additions, held, keep, observer, add = self._additions, self._held, self.keep, state.observer, np.add
        nodes, notices = self._untold
        recorded, take = self.record, buffers.pop
        simple = not (self._limited or state.anomaly or state.packing or state.inference or (recorded and observer))
        following: Node | None = None
        while count:
            count -= 1
            if leaves:
                if nodes:
                    self._tell()
                self._run_leaf(leaves.take(len(ready) + (following is not None)), observer)
                continue
            if following is not None:
                node = following if not ready else heappushpop(ready, (-following.seq, following))[1]
                following = None
            elif ready:
                node = heappop(ready)[1]
            else:
                return True
            gradient = take(node, None) if simple and node.rare is None and not node.many else None
            if gradient is None:
                if nodes:
                    self._tell()
                self._run_closely(node, observer)
                continue
            edges = node.edges
            if recorded:
                found = node.run_recorded(gradient, edges)
                if not keep:
                    node.release()
                self._deliver(edges, node.ports, found, node)
                continue
            if nodes and node.record is None:  # a learner's function may do something of which it is told
                self._tell()
            found = node.run(gradient, edges)
            if observer is not None:
                nodes.append(node)
                notices.append((gradient, found))
            if not keep and node.saved:
                node.saved = None
                if observer is not None:
                    nodes.append(node)
                    notices.append(LET_GO)
            if additions and node in additions:
                self._inherit(node, gradient, found)
            if len(edges) > 2:
                self._pass_on(gradient, found)
            elif found[-1] is gradient or id(gradient) in held:
                holders = held.pop(id(gradient), 1) - 1 + (found[-1] is gradient)
                if found[0] is gradient and len(edges) == 2:
                    holders += 1
                if holders > 1:
                    held[id(gradient)] = holders
            for index, edge in enumerate(edges):
                if edge is None:
                    continue
                gradient = found[index]
                if gradient is not None:
                    if gradient.shape != edge.shape or gradient.dtype is not edge.dtype:
                        gradient = found[index] = self._made_to_fit(node, index, edge, gradient)
                    if edge.many:
                        self._tell()
                        self._add(node, index, edge, gradient)
                    elif edge not in buffers:
                        buffers[edge] = gradient
                    else:
                        old = buffers[edge]
                        if id(old) in held:
                            self._let_go(old)
                            additions.pop(edge, None)
                        elif old.base is None and gradient.base is not old:
                            additions[edge] = additions.get(edge, 0) + 1
                        else:
                            additions.pop(edge, None)
                        if id(gradient) in held:
                            self._let_go(gradient)
                        total = add(old, gradient, out=...)
                        if total.ndim > 1 and not old.flags.c_contiguous:
                            total = ordered(total, (old, gradient))
                        buffers[edge] = total
                        if observer is not None:
                            nodes.append(edge)
                            notices.append((gradient, total))
                left = waiting[edge]
                if left > 1:
                    waiting[edge] = left - 1
                    continue
                if observer is not None:
                    nodes.append(edge)
                    notices.append(READY)
                if edge.accumulates:
                    leaves.push(edge, len(ready) + (following is not None))
                elif following is None:
                    following = edge
                else:
                    heappush(ready, (-edge.seq, edge))
        if following is not None:
            heappush(ready, (-following.seq, following))
        return not ready and not leaves

    def _run_closely(self, node: Node, observer: Observer | None) -> None:
        """Run a node that has hooks or is watched, or in a backward that doesn't want everything."""
        if self.record and observer is not None:
            tell_begun(node)
        gradient = self._buffers.pop(node, None)
        if node.many:
            incoming = (None,) * len(node.expects()) if gradient is None else tuple(gradient)
        else:
            incoming = (gradient,)
        if node.rare is not None:
            incoming = self._seen(node, incoming)
            if incoming[0] is not gradient and not node.many:
                self._let_go(gradient)
        for port in self._capturing.get(node, ()):
            self.captured[node, port] = incoming[port]
            self.captured_writes[node, port] = self.additions_to(node, port)
            self._held[id(incoming[port])] = FOREVER
            tell_captured(node, port, incoming[port])
        if self._wanted is not None and node not in self._wanted:
            return
        if node.rare is not None and node.rare.before:
            came, incoming = incoming, run_before_hooks(node, incoming, self)
            if incoming[0] is not came[0] and not node.many:
                self._let_go(came[0])
        made = fit = found = self._results(node, incoming)
        writes = node.writes  # asked before it is freed
        after = node.rare is not None and bool(node.rare.after)
        if after or observer is not None:
            fit = found = self._fitted(node, incoming, made, observer)
        changes: dict[int, Change] = {}
        if after:
            results, changes = run_after_hooks(node, tuple(found), incoming, self)
            found = list(results)
        if observer is not None:
            self._tell_ran(node, incoming, found, observer)
        elif not self.keep:
            node.release()
        if state.anomaly and state.check_nan:
            check_nan(node, found)
        if not self.record and incoming[0] is not None:
            if node in self._additions or writes or changes:
                self._inherit(node, incoming[0], not_fitted(made, fit, found), writes, changes)
            self._pass_on(incoming[0], found)
        self._deliver(node.edges, node.ports, found, node)

    def _results(self, node: Node, incoming: tuple[Gradient, ...]) -> list[Gradient]:
        """What ``node`` makes of its gradients, for the edges that want it."""
        edges = node.edges
        if self._limited:
            edges = tuple(edge if edge in self._needed else None for edge in edges)
        nothing = incoming[0] is None and all(gradient is None for gradient in incoming)
        if nothing and not node.runs_without:
            if node.saved_names:
                tensors_saved(node)  # PyTorch reads them first, and raises where they are gone or overwritten
            return [None] * len(edges)
        run = node.run_recorded if self.record else node.run
        if not state.anomaly:
            return self._wanted_of(node, run(incoming if node.many else incoming[0], edges), edges)
        outer, state.running = state.running, node
        try:
            found = run(incoming if node.many else incoming[0], edges)
        except Exception:
            report(node)
            raise
        finally:
            state.running = outer
        return self._wanted_of(node, found, edges)

    def _wanted_of(self, node: Node, found: list[Gradient], edges: tuple[Node | None, ...]) -> list[Gradient]:
        """The gradients that are wanted; the others were not to be made, but those of a list are made together."""
        if not self._limited or (node.record is not None and node.record.variadic):
            return found
        return [None if edge is None else gradient for gradient, edge in zip(found, edges, strict=True)]

    def _show_left_out(self) -> None:
        """Hooks on roots that lead to none of the targets are called all the same, as in PyTorch."""
        left_out, self._left_out = self._left_out, []
        for node, port, gradient in left_out:
            if isinstance(node, AccumulateGrad):
                run_leaf_hooks(node, node.variable, gradient, self)
            elif node.rare is not None:
                count = len(node.expects()) if node.many else 1
                self._seen(node, tuple([gradient if place == port else None for place in range(count)]))

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

    def _run_leaf(self, node: Node, observer: Observer | None) -> None:
        """Let a gradient arrive at a leaf, or at a node that refuses it."""
        if not isinstance(node, AccumulateGrad):
            self._run_closely(node, observer)
            return
        buffers, variable = self._buffers, node.variable
        if node not in buffers:
            self._tell_leaf_of_nothing(node)
            return
        gradient = buffers.pop(node)
        meta = meta_of(variable)
        came = gradient
        if meta.hooks:
            gradient = run_leaf_hooks(node, variable, gradient, self)
        alone = not self.record and id(gradient) not in self._held
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


def _in_new_thread(advance: Callable[[None], object]) -> None:
    """Call ``advance`` where no other calls are under way yet, and wait for it; what it raises is raised here."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            advance(None)
        except BaseException as error:  # whatever it is, it belongs to the thread that waits
            raised.append(error)

    thread = Thread(target=run)
    thread.start()
    thread.join()
    if raised:
        raise raised.pop()
