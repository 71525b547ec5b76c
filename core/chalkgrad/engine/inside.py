"""What code that a backward calls, hooks and learners' functions, can ask of that backward."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from chalkgrad.engine.backward import Backward, running
from chalkgrad.engine.base import state
from chalkgrad.engine.graph import Node
from chalkgrad.engine.modes import is_multithreading_enabled
from chalkgrad.engine.reach import gradients_awaited
from chalkgrad.engine.ready_leaves import ReadyLeaves


def current_node() -> Node | None:
    """The node that is at work, None outside of a backward."""
    return state.running


def current_run_number() -> int:
    """Which backward of this process it is, counted from 0; -1 outside of one."""
    return running[-1].number if running else -1


def will_run(node: Any) -> bool:
    """True where the backward comes to ``node``, or has come to it."""
    if not isinstance(node, Node):
        raise RuntimeError(f"_will_engine_execute_node expects an grad_fn, but got {type(node).__name__}")
    if not running:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    found = running[-1].takes_part(node)
    if found and running[-1].ends_at(node) and not node.edges:
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). This is "
            "currently not supported."
        )
    return found


def order_of_nodes() -> list[Node]:
    """All nodes of the backward that is under way, in the order in which it comes to them."""
    if not running:
        raise RuntimeError("_current_graph_task_execution_order should only be called during the backward pass")
    if is_multithreading_enabled():
        raise RuntimeError(
            "get_current_graph_task_execution_order expects the current backward to be executed with multithreading "
            "disabled, e.g. by running:\n\n>>> with torch.autograd.set_multithreading_enabled(False):\n"
            "...     torch.autograd.grad(...)\n"
        )
    return _order(running[-1])


def _order(run: Backward) -> list[Node]:
    waiting = gradients_awaited(run.roots)
    ready: list[tuple[int, Node]] = []
    leaves, order = ReadyLeaves(), list[Node]()

    def come_to(nodes: Any) -> None:
        for node in nodes:
            if node is None or not run.takes_part(node):
                continue
            waiting[node] -= 1
            if waiting[node]:
                continue
            if node.accumulates:
                leaves.push(node, len(ready))
            else:
                heappush(ready, (-node.seq, node))

    come_to(run.roots)
    while leaves or ready:
        order.append(leaves.take(len(ready)) if leaves else heappop(ready)[1])
        come_to(order[-1].edges)
    return order
