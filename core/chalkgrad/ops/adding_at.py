"""Slices added up where their numbers say, as ``np.add.at`` does it, which takes its time for each element."""

from __future__ import annotations

from typing import Any

import numpy as np

MANY = 4096
"""Of fewer elements ``np.add.at`` is done sooner."""

OFTEN = 32
"""Where one place comes more often than that, so is it with all their slices in turn."""


def add_at(target: np.ndarray, places: np.ndarray, values: np.ndarray, axis: int = 0) -> None:
    """Add ``values``, slices along ``axis``, to those of ``target`` at ``places``, which has one dimension.

    Those that come first to their places are added all at once, then those that come second, and so on: each place gets
    its slices in their order.
    """
    before: Any = (slice(None),) * axis
    turns = None if values.size < MANY else _turns(places % target.shape[axis])
    if turns is None:
        np.add.at(target, (*before, places), values)
        return
    for turn in turns:
        to, taken = _evenly(places[turn]), _evenly(turn)
        target[(*before, to)] += values[(*before, taken)] if isinstance(taken, slice) else values.take(turn, axis)


def _evenly(places: np.ndarray) -> np.ndarray | slice:
    """A slice where ``places`` are those of one, which is quicker by far; upsampling takes every second, say."""
    first, last = int(places[0]), int(places[-1])
    step = int(places[1]) - first if len(places) > 1 else 1
    if first < 0 or step < 1 or not np.array_equal(places, np.arange(first, last + 1, step)):
        return places
    return slice(first, last + 1, step)


def _turns(places: np.ndarray) -> list[np.ndarray] | None:
    """Positions in ``places`` of those that come first, second, ...; None where that are more than :data:`OFTEN`."""
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    counts = np.diff(first, append=len(places))
    most = int(counts.max())
    if most > OFTEN:
        return None
    return [np.sort(order[first[counts > turn] + turn]) for turn in range(most)]
