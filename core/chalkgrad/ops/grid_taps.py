"""Where samples of an image or a volume at places between its elements come from, and with what weights.

A place along one dimension is mixed of a few elements, its taps: one for the nearest, two for linear and four for cubic
mixtures. A sample multiplies the weights of all its dimensions, so that each of its derivatives by a place is the same
sum with the derivatives of one dimension's weights in their stead.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from chalkgrad.ops.windows import Sizes

BILINEAR, NEAREST, BICUBIC = 0, 1, 2
ZEROS, BORDER, REFLECTION = 0, 1, 2
"""PyTorch's numbers for the ways of mixing, and for what lies beyond the edge."""

_BEND = -0.75
"""How strongly a cubic mixture swings over."""


class Sampling(NamedTuple):
    """How places are read: a grid of -1 to 1 over elements or their middles, mixed, and continued beyond the edge."""

    mode: int
    padding: int
    align_corners: bool


class Taps(NamedTuple):
    """Elements along one dimension, whether each is there, and its weight or a derivative of that."""

    places: list[np.ndarray]
    inside: list[np.ndarray]
    weights: list[np.ndarray]


def taps_of(grid: np.ndarray, size: int, sampling: Sampling, order: int, lost: int) -> Taps:
    """The taps of the places ``grid`` along a dimension of ``size``; weights are derived ``order`` times.

    ``lost`` is where places that are no numbers go, if anything lies beyond the edge.
    """
    if sampling.align_corners:
        where, slope = (grid + 1) / 2 * (size - 1), np.full(grid.shape, (size - 1) / 2, grid.dtype)
    else:
        where, slope = ((grid + 1) * size - 1) / 2, np.full(grid.shape, size / 2, grid.dtype)
    if sampling.mode != BICUBIC:
        where, turned = _continued(where, size, sampling, lost)
        slope *= turned
    if sampling.mode == NEAREST:
        first, weights = np.rint(where), [np.full(grid.shape, float(order == 0), grid.dtype)]
    else:
        low = np.floor(where)
        mixture = _linear if sampling.mode == BILINEAR else _cubic
        first, weights = low - (len(mixture(low, 0)) > 2), mixture(where - low, order)
    scale = slope**order
    raw = [first + number for number in range(len(weights))]
    if sampling.mode == BICUBIC:
        raw = [_continued(place, size, sampling, lost)[0] for place in raw]
    inside = [(place >= 0) & (place < size) for place in raw]
    pairs = zip(raw, inside, strict=True)
    places = [np.where(there, place, 0).astype(np.int64) for place, there in pairs]
    return Taps(places, inside, [weight * scale for weight in weights])


def _linear(t: np.ndarray, order: int) -> list[np.ndarray]:
    zeros = np.zeros_like(t)
    return ([1 - t, t], [zeros - 1, zeros + 1], [zeros, zeros])[min(order, 2)]


def _cubic(t: np.ndarray, order: int) -> list[np.ndarray]:
    """Weights of the four elements around a place, ``t`` beyond the second of them."""
    a = _BEND
    outer, inner = (a, -5 * a, 8 * a, -4 * a), (a + 2, -(a + 3), 0.0, 1.0)
    found = []
    for polynomial, distance, sign in ((outer, t + 1, 1), (inner, t, 1), (inner, 1 - t, -1), (outer, 2 - t, -1)):
        derived = np.polyder(np.poly1d(polynomial), order)
        found.append(np.asarray(derived(distance) * sign**order, t.dtype) + np.zeros_like(t))
    return found


def _continued(where: np.ndarray, size: int, sampling: Sampling, lost: int) -> tuple[np.ndarray, np.ndarray]:
    """Places brought inside as ``padding`` says, and by how much they then move where the given ones do."""
    slope = np.ones_like(where)
    if sampling.padding == ZEROS:
        return where, slope
    if sampling.padding == REFLECTION:
        where, slope = _reflected(where, size, sampling.align_corners)
    within = (where > 0) & (where < size - 1)
    return np.clip(np.where(np.isnan(where), lost, where), 0, size - 1), np.where(within, slope, 0)


def _reflected(where: np.ndarray, size: int, align_corners: bool) -> tuple[np.ndarray, np.ndarray]:
    """Places folded back at both edges, which lie on the outermost elements or half a step beyond."""
    low, span = (0.0, size - 1) if align_corners else (-0.5, size)
    if not span:
        return np.zeros_like(where), np.zeros_like(where)
    moved = where - where.dtype.type(low)
    turned = np.where(moved < 0, -1, 1).astype(where.dtype)
    moved = np.abs(moved)
    with np.errstate(invalid="ignore"):
        rest, flips = np.fmod(moved, span), np.floor(moved / span)
    even = np.fmod(flips, 2) == 0
    return np.where(even, rest, span - rest) + where.dtype.type(low), np.where(even, turned, -turned)


def combined(grid: np.ndarray, sizes: Sizes, sampling: Sampling, orders: Sizes) -> Iterator[tuple[np.ndarray, ...]]:
    """Each element that samples are mixed of: its number in the image, whether it is there, and its weight.

    The last number of a place in ``grid`` is along the first of the ``sizes``; ``orders`` says how often the weights
    are derived by each of the numbers.
    """
    dims = len(sizes)
    ends = [(sizes[-1 - number], sizes[-1 - number] - 1 if dims > 2 else 0) for number in range(dims)]
    taps = [taps_of(grid[..., n], size, sampling, orders[n], lost) for n, (size, lost) in enumerate(ends)][::-1]
    for chosen in itertools.product(*(range(len(tap.places)) for tap in taps)):
        place = np.zeros(grid.shape[:-1], np.int64)
        inside = np.ones(place.shape, bool)
        weight = np.ones(place.shape, grid.dtype)
        for tap, at, size in zip(taps, chosen, sizes, strict=True):
            place = place * size + tap.places[at]
            inside &= tap.inside[at]
            weight = weight * tap.weights[at]
        yield place, inside, weight
