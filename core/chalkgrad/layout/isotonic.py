"""Isotonic regression: the nearest values to those wanted that keep an order and distances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from operator import add


def fit(wanted: Sequence[float], weights: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """Values nearest to ``wanted`` (weighted squares) whose neighbours differ at least as their ``offsets`` do.

    ``offsets`` grow along the row. Pool adjacent violators: those that would come too near form a block, which goes
    to its members' weighted mean.
    """
    means: list[float] = []
    totals: list[float] = []
    counts: list[int] = []
    for value, weight, offset in zip(wanted, weights, offsets, strict=True):
        mean, total, count = value - offset, weight, 1
        while means and means[-1] >= mean:
            upper = totals.pop()
            mean = (means.pop() * upper + mean * total) / (upper + total)
            total += upper
            count += counts.pop()
        means.append(mean)
        totals.append(total)
        counts.append(count)
    spread = chain.from_iterable(repeat(mean, count) for mean, count in zip(means, counts, strict=True))
    return list(map(add, spread, offsets))
