"""The order within each column: few crossings of wires, ports counted, and of equal orders that of shortest wires."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from chalkgrad.layout.graph import Layered
from chalkgrad.layout.place import heights, links, settle
from chalkgrad.layout.ranks import Ranks, Rows, inversions

Score = tuple[int, int, float]
"""Crossings; pairs of leaves in a column that stand against the order of their lines; how far all wires climb."""
Found = tuple[Score, Rows]
Report = Callable[[float], None]
"""Is told how much of the work is done, from 0 to 1."""

SWEEPS = 12
PATIENCE = 4
"""Sweeps without a better order after which a start is given up."""
SMALL = 500
"""Vertices up to which orders that cross equally often are told apart, and the best is bettered until it stays."""
RANK_SWEEPS, RANK_PATIENCE = 24, 6
LARGE = 40_000
"""Vertices above which one start has to do, with a third of the sweeps."""


def silent(_done: float) -> None:
    """A report that nobody reads."""


def arrange(graph: Layered, previous: Sequence[float | None], report: Report = silent) -> None:
    """Order the rows of ``graph``; ``previous`` has the middle of each node as it lies now, or None.

    Cards keep the order that they have unless another saves a fifth of its crossings: first one near to it is tried,
    then fresh ones.
    """
    ranks = Ranks(graph)
    report(0.1)
    best: Found | None = None
    if any(middle is not None for middle in previous):
        best = _kept(graph, ranks, previous)
        report(0.2)
        if best[0][0]:
            best = _worth_it(best, _bettered(graph, ranks, best[1]))
        report(0.4)
    if best is None or best[0][0]:
        fresh = _fresh(graph, ranks, report)
        best = fresh if best is None else _worth_it(best, fresh)
    graph.rows = best[1]


def _fresh(graph: Layered, ranks: Ranks, report: Report) -> Found:
    """The best order found without regard to how the cards lie now."""
    by_readers, by_sources = _from_readers(graph), _from_sources(graph)
    found = [_ranked(ranks, by_readers, borrow=False)]
    report(0.7)
    if len(graph.heights) <= LARGE:
        found.append(_ranked(ranks, _ranked(ranks, by_sources, borrow=True)[1], borrow=False))
    if len(graph.heights) > SMALL:
        return min(found, key=_score)
    best = min((improve(graph, rows) for rows in (by_sources, min(found, key=_score)[1])), key=_score)
    best = min(best, improve(graph, [row[::-1] for row in best[1]]), key=_score)
    for _ in range(3):
        better = improve(graph, best[1], sweeps=4)
        if better[0] >= best[0]:
            break
        best = better
    return best


def _ranked(ranks: Ranks, rows: Rows, borrow: bool, sweeps: int = RANK_SWEEPS) -> Found:
    """The order with the fewest crossings that is met from ``rows`` on."""
    ranks.set_rows(rows)
    large = sum(map(len, rows)) > LARGE
    crossings = ranks.improve(sweeps // 3 if large else sweeps, RANK_PATIENCE, borrow)
    return (crossings, 0, 0.0), ranks.rows()


def _bettered(graph: Layered, ranks: Ranks, rows: Rows) -> Found:
    """An order near to ``rows``."""
    if len(graph.heights) <= SMALL:
        return improve(graph, rows, sweeps=4)
    return _ranked(ranks, rows, borrow=False, sweeps=6)


def _worth_it(kept: Found, other: Found) -> Found:
    """``other`` when it saves at least a fifth of the crossings of ``kept``."""
    saved = kept[0][0] - other[0][0]
    return other if saved > 0 and 5 * saved >= kept[0][0] else kept


def _kept(graph: Layered, ranks: Ranks, previous: Sequence[float | None]) -> Found:
    """The cards in the order they have; only what is new, and lanes, is moved to where it crosses least."""
    graph.rows = _as_it_lies(graph, previous)
    old = [middle is not None for middle in previous]
    loose = [vertex >= graph.cards or not old[vertex] for vertex in range(len(graph.heights))]
    ranks.set_rows(graph.rows)
    for _ in range(3):
        ranks.exchange(loose)
    graph.rows = ranks.rows()
    return (ranks.crossings(), 0, 0.0), ranks.rows()


def improve(graph: Layered, rows: Rows, sweeps: int = SWEEPS) -> Found:
    """The best order met when sweeping to and fro from ``rows``, and its score."""
    graph.rows = [list(row) for row in rows]
    tops = heights(graph, {})
    best = (score(graph, tops), [list(row) for row in graph.rows])
    patience = PATIENCE
    for turn in range(sweeps):
        _sweep(graph, tops, 1 if turn % 2 else -1, median=turn % 4 >= 2)
        _exchange(graph, tops)
        now = score(graph, tops)
        if now[0] <= best[0][0] and len(graph.heights) <= SMALL:
            now = score(graph, heights(graph, {}))
        if now < best[0]:
            best = (now, [list(row) for row in graph.rows])
            patience = PATIENCE
        else:
            patience -= 1
        if not patience:
            break
    return best


def score(graph: Layered, tops: Sequence[float]) -> Score:
    """How good the order of ``graph.rows`` is with its vertices at ``tops``: smaller is better."""
    crossings, disorder, climb = 0, 0, 0.0
    for row in graph.rows:
        disorder += inversions([vertex for vertex in row if vertex < graph.cards and not graph.left[vertex]])
        ends: list[float] = []
        for vertex in row:
            starts = [(tops[vertex] + link.here, tops[link.vertex] + link.there) for link in graph.right[vertex]]
            starts.sort()
            climb += sum(abs(start - end) for start, end in starts)
            ends += [end for _, end in starts]
        crossings += inversions(ends)
    return crossings, disorder, float(round(climb))


def _score(found: Found) -> Score:
    return found[0]


def _sweep(graph: Layered, tops: list[float], side: int, median: bool) -> None:
    """Sort each column by where its wires to the column just passed would have it; ``side`` is where that lies."""
    middle = _median if median else _mean
    for row in graph.rows if side < 0 else reversed(graph.rows):
        wanted = {}
        for vertex in row:
            found = [tops[link.vertex] + link.there - link.here for link in links(graph, vertex, side)]
            wanted[vertex] = middle(found) + graph.heights[vertex] / 2 if found else tops[vertex]
        row.sort(key=wanted.__getitem__)
        settle(graph, tops, row, side, {})


def _exchange(graph: Layered, tops: list[float]) -> None:
    """Exchange neighbours in a row while that saves crossings."""
    for row in graph.rows:
        if len(row) < 2:
            continue
        ends = {vertex: _ends(graph, tops, vertex) for vertex in row}
        changed = False
        for _ in range(4):
            again = False
            for at in range(len(row) - 1):
                upper, lower = row[at], row[at + 1]
                if _saved_by_exchange(ends[upper], ends[lower]) > 0:
                    row[at], row[at + 1] = lower, upper
                    again = changed = True
            if not again:
                break
        if changed:
            settle(graph, tops, row, 0, {})


def _ends(graph: Layered, tops: Sequence[float], vertex: int) -> tuple[list[float], list[float]]:
    """Heights of the far ends of its wires, left and right, sorted."""
    left = sorted(tops[link.vertex] + link.there for link in graph.left[vertex])
    right = sorted(tops[link.vertex] + link.there for link in graph.right[vertex])
    return left, right


def _saved_by_exchange(upper: tuple[list[float], list[float]], lower: tuple[list[float], list[float]]) -> int:
    """Crossings of the wires of two neighbours, less those there would be if the two changed places."""
    saved = 0
    for above, below in zip(upper, lower, strict=True):
        for end in above:
            saved += bisect_left(below, end) - (len(below) - bisect_right(below, end))
    return saved


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _median(values: list[float]) -> float:
    values.sort()
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def _as_it_lies(graph: Layered, previous: Sequence[float | None]) -> Rows:
    """Rows sorted by where their nodes lie; what is new stands level with its neighbours."""
    middle: list[float | None] = [*previous, *[None] * (len(graph.heights) - len(previous))]
    for sweep in (graph.rows, graph.rows[::-1]):
        for row in sweep:
            for vertex in row:
                if middle[vertex] is None:
                    middle[vertex] = _level(graph, middle, vertex)
    return [sorted(row, key=lambda vertex: _known(middle[vertex])) for row in graph.rows]


def _level(graph: Layered, middle: Sequence[float | None], vertex: int) -> float | None:
    found = []
    for link in graph.left[vertex] + graph.right[vertex]:
        there = middle[link.vertex]
        if there is not None:
            found.append(there - graph.heights[link.vertex] / 2 + link.there - link.here + graph.heights[vertex] / 2)
    return _mean(found) if found else None


def _known(value: float | None) -> float:
    return float("inf") if value is None else value


def _from_readers(graph: Layered) -> Rows:
    """Rows in the order in which a walk from the last results back through their ports meets the vertices."""
    return _walk(graph, range(len(graph.rows) - 1, -1, -1), lambda vertex: [link.vertex for link in graph.left[vertex]])


def _from_sources(graph: Layered) -> Rows:
    """Rows in the order in which a walk from the leaves along their wires meets the vertices."""
    return _walk(graph, range(len(graph.rows)), lambda vertex: [link.vertex for link in graph.right[vertex]])


def _walk(graph: Layered, columns: Sequence[int], onward: Callable[[int], list[int]]) -> Rows:
    rank: dict[int, int] = {}
    for column in columns:
        for start in sorted(graph.rows[column]):
            stack = [start]
            while stack:
                vertex = stack.pop()
                if vertex not in rank:
                    rank[vertex] = len(rank)
                    stack.extend(reversed(onward(vertex)))
    return [sorted(row, key=rank.__getitem__) for row in graph.rows]
