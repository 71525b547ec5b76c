"""The backward: an object that runs a graph's nodes in PyTorch's order, as far as it is told to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush, heappushpop
from itertools import count, repeat
from threading import Thread

import numpy as np

from chalkgrad.engine.arrivals import Gradient
from chalkgrad.engine.base import TensorBase, state
from chalkgrad.engine.careful import Careful
from chalkgrad.engine.gradients import all_fitted, arrives_as_it_is, check_root
from chalkgrad.engine.graph import Node
from chalkgrad.engine.observer import LET_GO, READY
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.reach import gradients_awaited, nodes_leading_to
from chalkgrad.engine.shapes import refused_by_numpy
from chalkgrad.engine.telling import copied_for_others

TOLD_AT_ONCE = 500
"""Of so many nodes who watches is told in one piece."""

NESTED = 10
"""How many backwards, each started by a hook or a function within the one before, run in one thread."""

_next_number = count().__next__

running: list[Backward] = []
"""The backwards that are being advanced: one that a hook or a learner's function started comes after its outer one."""


class Backward(Careful):
    """One run through a graph, which can be advanced node by node.

    ``roots`` and ``gradients`` are what it starts from. ``keep`` leaves saved values in place (``retain_graph``),
    ``record`` computes with tensors so that the run leaves a graph of its own (``create_graph``). ``targets`` limits it
    to the nodes that lead to these (``for_all`` says that nothing does); with ``capture``, what arrives at a target is
    not passed on but kept. ``given`` are the ``gradients`` as tensors. ``callbacks`` are called at its end.
    ``number`` is how many others there were before, ``sought`` where the gradients that ``grad`` returns arrive.
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
        super().__init__(gradients, record, keep, given)
        self.done = False
        self.for_all = targets is None
        self.callbacks: list[Callable[[], object]] = []
        self.number = _next_number()
        self.sought: list[tuple[Node, int] | None] = []
        self.roots = nodes = [node for node, _ in roots]
        self._waiting = gradients_awaited(nodes)
        if targets is not None:
            self._limit(targets, capture)
        seeds = list(gradients)
        ports = tuple([port for _, port in roots])
        for index, seed in enumerate(seeds):
            check_root(nodes[index], ports[index], seed, index)
        if self._limited and len(roots) == 1 and nodes[0] not in self._needed:  # of several roots those are passed by
            self._left_out = [(*roots[0], seeds[0])]
        if state.observer is not None:
            seeds_shown = [copied_for_others(gradient) for gradient in seeds]
            state.observer.backward_began(tensors, seeds_shown)
            state.observer.backward_planned(self._plan(), nodes)
        self._deliver(tuple(nodes), ports, seeds, None)

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
        packing, outer = list(state.packing), state.running
        self.done = True
        state.running = None
        running.append(self)
        try:
            if self._left_out:
                self._show_left_out()
            self.done = self._advance_far() if count is None else self._advance(count)
            if self.done:
                state.running = None
                for callback in self.callbacks:  # one of them may add others
                    callback()
        except ValueError as error:  # formulas look at no sizes: only those of what got other data can be wrong
            refusal = refused_by_numpy(error)
            if refusal is error:
                raise
            raise refusal from None
        finally:
            self._tell()
            state.grad, state.running = mode, outer
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

    def takes_part(self, node: Node) -> bool:
        """True for a node that gradients are to come to, or came to, in this run."""
        return node in self._waiting and (not self._limited or node in self._needed)

    def ends_at(self, node: Node) -> bool:
        """True for a node at which gradients are captured."""
        return node in self._capturing

    # Before the first node

    def _limit(self, targets: Sequence[tuple[Node, int]], capture: bool) -> None:
        """Let nodes that don't lead to ``targets`` get nothing, and those before which it is captured not run."""
        if capture:
            for node, port in targets:
                self._capturing.setdefault(node, []).append(port)
        ends = {node for node, _ in targets}
        leading = nodes_leading_to(ends, self._waiting)
        self._needed = ends | leading
        self._wanted = leading if capture else self._needed
        # With leaves for targets that everything leads to there is nothing to leave out on the way.
        self._limited = not self._needed >= self._waiting.keys() or not all(node.accumulates for node in ends)

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
        later = self._later
        nodes, notices = self._untold
        turns = repeat(None) if count < 0 else repeat(None, count)
        recorded, take = self.record, buffers.pop
        simple = not (self._limited or state.anomaly or state.packing or state.inference or (recorded and observer))
        following: Node | None = None
        for _ in turns:
            if leaves:
                if nodes:
                    self._tell()
                self._run_leaf(leaves.take(len(ready) + (following is not None)), observer)
                continue
            if following is not None:
                node, following = following, None
                if ready and ready[0][0] < -node.seq:  # another one is younger
                    node = heappushpop(ready, (-node.seq, node))[1]
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
                if len(edges) > 1 and (len(edges) > 2 or not arrives_as_it_is(found[1], edges[1])):
                    found = all_fitted(node, found, record=True)  # all of them before any is added to another
                self._deliver(edges, node.ports, found, node)
                if not keep:
                    node.release()
                continue
            if nodes and node.record is None:  # a learner's function may do something of which it is told
                self._tell()
            found = node.run(gradient, edges)
            if observer is not None:
                nodes.append(node)
                notices.append((gradient, found))
                if not keep and node.saved:
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
            index = -1
            for edge in edges:
                index += 1  # enumerate would take twice the time
                if edge is None:
                    continue
                gradient = found[index]
                if gradient is not None:
                    if gradient.shape != edge.shape or gradient.dtype is not edge.dtype:
                        self._add_unlike(node, index, edge, gradient, found)
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
                            later.append(gradient)
                        depth = old.ndim
                        total = add(old, gradient) if depth else add(old, gradient, out=...)
                        if depth > 1 and not old.flags.c_contiguous:
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
            if not keep and node.saved:  # a node whose gradients don't fit keeps what it saved
                node.saved = None
            if later:
                self._let_go_of_added()
        if following is not None:
            heappush(ready, (-following.seq, following))
        return not ready and not leaves


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
