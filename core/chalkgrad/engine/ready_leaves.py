"""The leaves that have all they wait for, in the order in which PyTorch takes them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chalkgrad.engine.graph import Node


class ReadyLeaves(deque["Node"]):
    """The leaves in PyTorch's queue of ready nodes, which come before all others there.

    That queue is a binary heap, and to it leaves are equal: which one is next follows from how a heap of the C++
    library moves its elements (of six that one node makes ready it takes 0, 2, 5, 4, 1, 3), and one sees it in the
    order of hooks. As leaves stand at the top of the heap and are all taken before the next node runs, it is enough to
    follow their places, where it is known how many ``others`` stand below them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sizes: list[int] = []

    def push(self, leaf: Node, others: int) -> None:
        """Put a leaf into the queue."""
        self._sizes.append(len(self) + others)
        self.append(leaf)

    def take(self, others: int) -> Node:
        """The next leaf, which leaves the queue."""
        if self._sizes:
            if len(self) > 2:
                self._sort(len(self) + others)
            self._sizes.clear()
        return self.popleft()

    def _sort(self, size: int) -> None:
        at: dict[int, Node] = {}
        for leaf, place in zip(self, self._sizes, strict=True):
            while place and (place - 1) // 2 not in at:  # it rises above all that are no leaves
                place = (place - 1) // 2
            at[place] = leaf
        self.clear()
        while at:
            self.append(at.pop(0))
            size -= 1
            last, hole = at.pop(size, None), 0
            while (child := _larger_child(hole, size, at)) in at:
                at[hole], hole = at.pop(child), child
            if last is not None:
                at[hole] = last


def _larger_child(hole: int, size: int, leaves: dict[int, Node]) -> int:
    """The place of the child that moves up: of two equal ones it is the right one."""
    right = 2 * hole + 2
    return right if right < size and (right in leaves or right - 1 not in leaves) else right - 1
