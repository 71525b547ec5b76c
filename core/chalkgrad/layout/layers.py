"""In which column each node stands: right of all it reads, and as near to its neighbours as that allows."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from chalkgrad.stepwise import Stepwise, share

PASSES = 8


def finding_columns(count: int, edges: Sequence[tuple[int, int]]) -> Stepwise[list[int]]:
    """The column of each of ``count`` nodes, from 0; ``edges`` are (source, target). In steps of one look at all.

    A wire that closes a circle is disregarded. Wires are kept short: a leaf stands right before its first reader.
    """
    order = _order(count, edges)
    yield 0.2
    rank = {node: at for at, node in enumerate(order)}
    forward = [(source, target) for source, target in edges if rank[source] < rank[target]]
    readers: list[list[int]] = [[] for _ in range(count)]
    read: list[list[int]] = [[] for _ in range(count)]
    for source, target in forward:
        readers[source].append(target)
        read[target].append(source)
    column = [0] * count
    for node in order:
        column[node] = max((column[source] + 1 for source in read[node]), default=0)
    yield 0.4
    yield from share(_shortening(order, readers, read, column), 0.4, 0.7)
    yield from share(_gathering(order, readers, read, column), 0.7, 1.0)
    first = min(column, default=0)
    return [at - first for at in column]


def _shortening(
    order: Sequence[int], readers: list[list[int]], read: list[list[int]], column: list[int]
) -> Stepwise[None]:
    """Move each node towards the side on which it has more wires, until nothing moves."""
    for at in range(PASSES):
        moved = False
        for node in reversed(order):
            if readers[node] and len(readers[node]) >= len(read[node]):
                best = min(column[reader] for reader in readers[node]) - 1
                moved |= best > column[node]
                column[node] = max(column[node], best)
        yield at / PASSES
        for node in order:
            if read[node] and len(read[node]) > len(readers[node]):
                best = max(column[source] for source in read[node]) + 1
                moved |= best < column[node]
                column[node] = min(column[node], best)
        yield (at + 1) / PASSES
        if not moved:
            return


def _gathering(
    order: Sequence[int], readers: list[list[int]], read: list[list[int]], column: list[int]
) -> Stepwise[None]:
    """Move nodes, with the leaves that only they read, right before their readers where no more lanes come of it.

    Wires from one port share their lanes, so that of many readers of one result all but the first move for nothing:
    the products of a sum stand each beside the place where it is added.
    """
    own = [not read[node] and len(readers[node]) == 1 for node in range(len(column))]
    alone = [len({source for source in read[node] if not own[source]}) <= 1 for node in range(len(column))]
    yield 0.0
    for at in range(PASSES):
        moved = False
        for node in reversed(order):
            best = min((column[reader] for reader in readers[node]), default=0) - 1
            if alone[node] and best > column[node]:
                column[node], moved = best, True
                for source in read[node]:
                    column[source] = best - 1 if own[source] else column[source]
        yield (at + 1) / PASSES
        if not moved:
            return


def _order(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """All nodes, sources first; where a circle leaves none to take, the lowest number goes first."""
    readers: list[list[int]] = [[] for _ in range(count)]
    missing = [0] * count
    for source, target in edges:
        readers[source].append(target)
        missing[target] += 1
    ready = deque(node for node in range(count) if not missing[node])
    done = [False] * count
    order: list[int] = []
    lowest = 0
    while len(order) < count:
        if not ready:
            while done[lowest]:
                lowest += 1
            ready.append(lowest)
        node = ready.popleft()
        if done[node]:
            continue
        done[node] = True
        order.append(node)
        for target in readers[node]:
            missing[target] -= 1
            if not missing[target] and not done[target]:
                ready.append(target)
    return order
