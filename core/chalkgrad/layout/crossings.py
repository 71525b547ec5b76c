"""Where wires cross columns of cards: through which gap, at which height, and how far from one another."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from chalkgrad.layout.isotonic import fit
from chalkgrad.stepwise import Steps

CLEAR, EASY = 6.0, 16.0
"""How near to a card a wire may run, and how much further off it runs where there is room."""
SPACING = 6.0
"""Between wires that share a gap."""
REACH = 20 * SPACING
"""So far at most a lane has been moved by those beside it."""
NOWHERE, INFINITY = float("-inf"), float("inf")

Column = tuple[float, float]
"""From where to where a column goes."""

Gaps = tuple[list[float], list[float]]
"""Where the gaps of a column begin, and where each ends, in order."""


@dataclass(slots=True)
class Crossing:
    """Where a wire crosses a column: the column's edges, the gap's, and the height it takes."""

    left: float
    right: float
    low: float
    high: float
    at: float
    wire: tuple[int, float]


def columns_of(sides: np.ndarray, turn: float) -> list[Column]:
    """Cards (left and right side), sorted by their left sides, as columns: those without room to ``turn`` between."""
    if not len(sides):
        return []
    reach = np.maximum.accumulate(sides[:, 1])
    first = np.flatnonzero(sides[1:, 0] - reach[:-1] >= (2 * CLEAR + turn if turn else 0.0)) + 1
    lefts = sides[np.concatenate(([0], first)), 0]
    rights = reach[np.concatenate((first - 1, [len(sides) - 1]))]
    return list(zip(lefts.tolist(), rights.tolist(), strict=True))


def gaps_between(sides: np.ndarray) -> Gaps:
    """Lowest and highest places for wires in the gaps between cards (top, bottom) of a column, from top to bottom."""
    if not len(sides):
        return [NOWHERE], [INFINITY]
    tops, bottoms = sides[np.argsort(sides[:, 0], kind="stable")].T
    reach = np.concatenate(([NOWHERE], np.maximum.accumulate(bottoms) + CLEAR))
    ends = np.concatenate((tops - CLEAR, [INFINITY]))
    wide = reach <= ends
    return reach[wide].tolist(), ends[wide].tolist()


def nearest_gap(gaps: Gaps, wanted: float, last: float | None = None) -> tuple[float, float]:
    """The gap that is nearest to where a wire wants to cross; in a lane, to the ``last`` height where it ends, too."""
    lows, highs = gaps
    at = bisect_right(lows, wanted) - 1
    if wanted > highs[at]:
        below, above = (abs(y - wanted) + (0.0 if last is None else abs(y - last)) for y in (highs[at], lows[at + 1]))
        at += above < below
    return lows[at], highs[at]


def eased(wanted: float, low: float, high: float) -> float:
    """The height nearest to the one that is wanted at which a wire is not near to the edges of a gap."""
    easy = min(EASY, (high - low) / 2)
    return min(max(wanted, low + easy), high - easy)


def levelled(crossings: Sequence[Crossing], first: float, last: float) -> list[Crossing]:
    """Those of a wire from its ``first`` height to its ``last``, in as few steps as the gaps have room for."""
    found: list[Crossing] = []
    for crossing in crossings:
        before = found[-1] if found else None
        low, high = (max(before.low, crossing.low), min(before.high, crossing.high)) if before else (0.0, 0.0)
        if before is None or before.at == first or crossing.at == last or high - low < 2 * EASY:
            found.append(crossing)
        else:
            at = eased((before.at + crossing.at) / 2, low, high)
            found[-1] = Crossing(before.left, crossing.right, low, high, at, crossing.wire)
    return found


def spreading(crossings: Iterable[Sequence[Crossing]]) -> Steps[None]:
    """Give wires that cross a column through one gap heights of their own; those of one port stay together."""
    gaps: dict[tuple[float, float, float], list[Crossing]] = {}
    for found in crossings:
        for crossing in found:
            gaps.setdefault((crossing.left, crossing.low, crossing.high), []).append(crossing)
        yield
    for (_, low, high), found in gaps.items():
        wires: dict[tuple[int, float], float] = {}
        for crossing in sorted(found, key=lambda crossing: crossing.at):
            wires.setdefault(crossing.wire, crossing.at)
        if len(wires) > 1:
            heights = _apart(list(wires.values()), low, high)
            wires = dict(zip(wires, heights, strict=True))
        for crossing in found:
            crossing.at = wires[crossing.wire]
        yield


def spreading_lanes(crossings: Iterable[Sequence[Crossing]]) -> Steps[None]:
    """Keep long lanes of several wires apart also where they are not of one gap."""
    placed: list[Crossing] = []
    for crossing in sorted((each for found in crossings for each in found), key=lambda each: each.at):
        nearest = NOWHERE
        for other in reversed(placed):
            if other.at < crossing.at - REACH:
                break
            if other.wire != crossing.wire and other.left < crossing.right and crossing.left < other.right:
                nearest = max(nearest, other.at)
        if crossing.low < crossing.high and crossing.at < nearest + SPACING <= crossing.high:
            crossing.at = nearest + SPACING
        placed.append(crossing)
        yield


def _apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Growing heights near to those wanted, a spacing apart, nearer together where the gap is too narrow."""
    spacing = min(SPACING, (high - low) / (len(wanted) - 1))
    offsets = [spacing * at for at in range(len(wanted))]
    last = offsets[-1]
    heights = fit(wanted, [1.0] * len(wanted), offsets)
    return [min(max(at, low + offset), high - last + offset) for at, offset in zip(heights, offsets, strict=True)]
