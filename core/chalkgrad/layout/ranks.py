"""Orders of columns by rank alone, as arrays: weighted medians and exchanges of neighbours, for graphs of any size."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from chalkgrad.layout.graph import Layered, Link

Rows = list[list[int]]
Ints = np.ndarray
Floats = np.ndarray

EXCHANGES = 8
"""Times that all neighbours are looked at after a sweep; medians make the longer moves."""


@dataclass(frozen=True, slots=True)
class _Ends:
    """The wires on one side of all vertices: those of vertex v are ``start[v]`` to ``start[v] + count[v]``."""

    start: Ints
    count: Ints
    near: Ints
    far: Ints
    near_port: Floats
    far_port: Floats
    """Which of the card's ports: how far down it lies, less than 1 for the lowest."""


@dataclass(frozen=True, slots=True)
class _Pull:
    """What a sweep reads of one column: vertices, and for each (by its number here) the far ends of its wires."""

    vertices: Ints
    start: Ints
    count: Ints
    near: Ints
    far: Ints
    far_port: Floats


class Ranks:
    """The order of a layered graph's columns while it is bettered; ``crossings`` is the only measure."""

    def __init__(self, graph: Layered) -> None:
        self._column = np.array(graph.column, np.intp)
        self._sizes = np.array([len(row) for row in graph.rows], np.intp)
        self._begin = np.concatenate([[0], np.cumsum(self._sizes)])
        heights = np.array(graph.heights)
        self._ends = {-1: _ends(graph.left, heights), 1: _ends(graph.right, heights)}
        self._pulls = {(side, borrow): self._pulls_of(graph, side, borrow) for side in (-1, 1) for borrow in (0, 1)}
        self._rank = np.zeros(len(heights), np.intp)
        self.set_rows(graph.rows)
        self._pairs = self._neighbours()

    def set_rows(self, rows: Rows) -> None:
        """Begin from this order."""
        self._order = np.array([vertex for row in rows for vertex in row], np.intp)
        self._number()

    def rows(self) -> Rows:
        """The order now."""
        return [self._order[a:b].tolist() for a, b in pairwise(self._begin.tolist())]

    def crossings(self) -> int:
        """How many wires cross, ports counted."""
        ends = self._ends[1]
        from_ = self._rank[ends.near] + ends.near_port
        to = self._rank[ends.far] + ends.far_port
        column = self._column[ends.near]
        order = np.lexsort((to, from_, column))
        cuts = np.searchsorted(column[order], np.arange(len(self._begin))).tolist()
        sorted_ = to[order].tolist()
        return sum(inversions(sorted_[a:b]) for a, b in pairwise(cuts))

    def improve(self, sweeps: int, patience: int, borrow: bool) -> int:
        """Sweep to and fro and keep the best order met; returns its crossings.

        With ``borrow`` a vertex without wires on the side that a sweep comes from goes by those on the other side.
        """
        best, kept = self.crossings(), self._order.copy()
        wait = patience
        for turn in range(sweeps if best else 0):
            self._sweep(1 if turn % 2 else -1, borrow, median=turn % 4 >= 2)
            self.exchange(ties=turn % 4 >= 2)
            now = self.crossings()
            wait = patience if now < 0.995 * best else wait - 1
            if now < best:
                best, kept = now, self._order.copy()
            if not wait or not best:
                break
        self._order = kept
        self._number()
        return best

    def exchange(self, loose: Sequence[bool] | None = None, ties: bool = False) -> None:
        """Exchange neighbours while that saves crossings; of two one must be ``loose``, where that is given.

        With ``ties`` those that might as well change places do so once, which leads out of dead ends.
        """
        free = None if loose is None else np.array(loose, bool)
        for turn in range(EXCHANGES):
            changed = False
            for pairs in self._pairs:
                at = pairs
                if free is not None:
                    at = at[free[self._order[at]] | free[self._order[at + 1]]]
                saved = self._saved(at)
                swap = at[saved >= 0] if ties and not turn else at[saved > 0]
                upper, lower = self._order[swap], self._order[swap + 1]
                self._order[swap], self._order[swap + 1] = lower, upper
                self._rank[upper] += 1
                self._rank[lower] -= 1
                changed |= bool(len(swap))
            if not changed:
                return

    # ------------------------------------------------------------ inside

    def _number(self) -> None:
        self._rank[self._order] = np.arange(len(self._order)) - self._begin[self._column[self._order]]

    def _neighbours(self) -> list[Ints]:
        """Places of the upper of two neighbours, in four sets within which no exchange bears on another."""
        column = self._column[self._order]
        rank = np.arange(len(column)) - self._begin[column]
        inner = rank + 1 < self._sizes[column]
        return [np.flatnonzero(inner & (column % 2 == c) & (rank % 2 == r)) for c in (0, 1) for r in (0, 1)]

    def _sweep(self, side: int, borrow: bool, median: bool) -> None:
        """Sort each column by where its wires to the column just passed would have it; the others keep their rank."""
        columns = range(len(self._sizes))
        for column in columns if side < 0 else reversed(columns):
            pull = self._pulls[side, int(borrow)][column]
            if not len(pull.vertices):
                continue
            there = (self._rank[pull.far] + pull.far_port) / self._sizes[self._column[pull.far]]
            wanted = _medians(pull, there) if median else np.bincount(pull.near, there) / pull.count
            rank = self._rank[pull.vertices]
            sorted_ = pull.vertices[np.lexsort((rank, wanted))]
            slots = np.sort(rank)
            self._order[self._begin[column] + slots] = sorted_
            self._rank[sorted_] = slots

    def _saved(self, at: Ints) -> Ints:
        """How many crossings each exchange of the vertex at a place with the next one saves."""
        saved = np.zeros(len(at))
        for ends in self._ends.values():
            upper, lower = self._order[at], self._order[at + 1]
            below = ends.count[lower]
            counts = ends.count[upper] * below
            pair = np.repeat(np.arange(len(at)), counts)
            nth = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
            one = ends.start[upper][pair] + nth // below[pair]
            other = ends.start[lower][pair] + nth % below[pair]
            difference = self._rank[ends.far[one]] + ends.far_port[one]
            difference -= self._rank[ends.far[other]] + ends.far_port[other]
            saved += np.bincount(pair, np.sign(difference), len(at))
        return saved

    def _pulls_of(self, graph: Layered, side: int, borrow: int) -> list[_Pull]:
        own, other = self._ends[side], self._ends[-side]
        return [_pull(np.array(sorted(row), np.intp), own, other if borrow else None) for row in graph.rows]


def inversions(values: Sequence[float]) -> int:
    """Pairs of ``values`` of which the earlier is the larger."""
    total = 0
    seen: list[float] = []
    for value in values:
        at = bisect_right(seen, value)
        total += len(seen) - at
        seen.insert(at, value)
    return total


def _ends(links: Sequence[Sequence[Link]], heights: Floats) -> _Ends:
    count = np.fromiter(map(len, links), np.intp, len(links))
    flat = [link for found in links for link in found]
    far = np.fromiter((link.vertex for link in flat), np.intp, len(flat))
    here = np.fromiter((link.here for link in flat), float, len(flat))
    there = np.fromiter((link.there for link in flat), float, len(flat))
    near = np.repeat(np.arange(len(links)), count)
    return _Ends(np.cumsum(count) - count, count, near, far, here / (heights[near] + 1), there / (heights[far] + 1))


def _pull(row: Ints, own: _Ends, other: _Ends | None) -> _Pull:
    groups = [(row[own.count[row] > 0], own)]
    if other is not None:
        groups.append((row[(own.count[row] == 0) & (other.count[row] > 0)], other))
    counts = np.concatenate([ends.count[vertices] for vertices, ends in groups])
    picked = [(ends, _spans(ends.start[vertices], ends.count[vertices])) for vertices, ends in groups]
    far = np.concatenate([ends.far[at] for ends, at in picked])
    port = np.concatenate([ends.far_port[at] for ends, at in picked])
    near = np.repeat(np.arange(len(counts)), counts)
    return _Pull(np.concatenate([v for v, _ in groups]), np.cumsum(counts) - counts, counts, near, far, port)


def _spans(start: Ints, count: Ints) -> Ints:
    """All numbers from each start on, as many as its count."""
    return np.asarray(np.repeat(start - np.cumsum(count) + count, count) + np.arange(count.sum()))


def _medians(pull: _Pull, there: Floats) -> Floats:
    """For each vertex the median of its far ends; of two middle ones the mean, nearer to the denser side."""
    values = there[np.lexsort((there, pull.near))]
    half = pull.count // 2
    upper = values[pull.start + half]
    lower = values[pull.start + np.maximum(half - 1, 0)]
    left, right = lower - values[pull.start], values[pull.start + pull.count - 1] - upper
    spread = left + right
    even = np.where(spread > 0, lower * right + upper * left, lower + upper) / np.where(spread > 0, spread, 2)
    return np.asarray(np.where(pull.count % 2 == 1, upper, even))
