r"""How a random number changes with the parameters of its distribution, and the incomplete gamma function.

A sample of the gamma or beta distribution is no formula of its parameter, yet it has a derivative by it: with the
chance :math:`F(x; \alpha)` of a number up to :math:`x` kept, :math:`dx/d\alpha = -(\partial F/\partial\alpha) / f`,
where :math:`f` is the density. The numerator is the integral of :math:`f(t) (\ln t - E \ln t)` up to :math:`x`, or less
that from :math:`x` on; of the two the one is taken in which nothing cancels. PyTorch has approximations of this, good
to some three digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from chalkgrad.ops.special_values import Values, digamma, doubled, lgamma

_STEP = 1 / 32
_PLACES = np.arange(-5, 3.75, _STEP)
NODES = np.exp(np.pi / 2 * np.sinh(_PLACES))
"""Where an integral from 0 to infinity is looked at, whatever the size at which its integrand changes."""
WEIGHTS = NODES * np.cosh(_PLACES) * (np.pi / 2 * _STEP)

_AT_ONCE = 2048
"""For so many elements all nodes are worked out together."""


def _in_parts(function: Callable[..., Values]) -> Callable[..., Values]:
    """``function`` of flat columns, called for a part of the elements at a time, their arrays broadcast before."""

    def compute(*arrays: Values) -> Values:
        together = np.broadcast_arrays(*arrays)
        columns = [array.reshape(-1, 1) for array in together]
        with np.errstate(all="ignore"):
            parts = [
                function(*(column[start : start + _AT_ONCE] for column in columns))
                for start in range(0, len(columns[0]), _AT_ONCE)
            ]
        return np.concatenate([*parts, np.empty(0)]).reshape(together[0].shape)

    return compute


def _integral(heights: Values) -> Values:
    found: Values = (np.where(np.isnan(heights), 0, heights) * WEIGHTS).sum(-1)
    return found


@doubled
@_in_parts
def gamma_slope(alpha: Values, x: Values) -> Values:
    """The derivative of a sample ``x`` of the gamma distribution by its shape ``alpha``."""
    logarithm, center = np.log(x), digamma(alpha)
    below = np.exp(-alpha * NODES - x * np.expm1(-NODES)) * (center - logarithm + NODES)
    above = np.exp(alpha * NODES - x * np.expm1(NODES)) * (logarithm + NODES - center)
    found = x[:, 0] * np.where((logarithm < center)[:, 0], _integral(below), _integral(above))
    small = x[:, 0] < 0.5
    if small.any():
        found[small] = _small_slope(alpha[small, 0], x[small, 0])
    return found


def _small_slope(alpha: Values, x: Values) -> Values:
    """The same near 0, by the power series of the incomplete gamma function."""
    term, inverse = 1 / alpha, np.zeros_like(alpha)
    total, change = term.copy(), np.zeros_like(alpha)
    for place in range(1, 30):
        term = term * x / (alpha + place)
        inverse = inverse + 1 / (alpha + place)
        total += term
        change -= term * inverse
    found: Values = -x * (total * (np.log(x) - digamma(alpha + 1)) + change)
    return found


@doubled
@_in_parts
def beta_slope(x: Values, alpha: Values, total: Values) -> Values:
    """The derivative of a share ``x`` by its concentration ``alpha``, divided by the other shares: ``1 - x``.

    The other concentrations, ``total - alpha`` together, are kept.
    """
    beta, rest = total - alpha, 1 - x
    logarithm, center = np.log(x), digamma(alpha) - digamma(total)
    shrinking = np.expm1(-NODES)
    other = np.log((rest - x * shrinking) / rest)
    below = np.exp(-alpha * NODES + (beta - 1) * other) * (center - logarithm + NODES)
    grown = np.log(x - rest * shrinking)
    above = np.exp(-beta * NODES + (alpha - 1) * (grown - logarithm)) * (grown - center)
    found = np.where((logarithm < center)[:, 0], x[:, 0] / rest[:, 0] * _integral(below), _integral(above))
    small = (x * np.maximum(total / (alpha + 1), 1) < 0.5)[:, 0]
    if small.any():
        found[small] = _small_share_slope(x[small, 0], alpha[small, 0], total[small, 0])
    return found


def _small_share_slope(x: Values, alpha: Values, total: Values) -> Values:
    """The same near 0, by the power series of the incomplete beta function."""
    term, inverse = 1 / alpha, np.zeros_like(alpha)
    sum_, change = term.copy(), np.zeros_like(alpha)
    for place in range(1, 60):
        term = term * x * (total + place - 1) / (alpha + place)
        inverse = inverse + 1 / (total + place - 1) - 1 / (alpha + place)
        sum_ += term
        change += term * inverse
    found: Values = -x * (sum_ * (np.log(x) - digamma(alpha + 1) + digamma(total)) + change)
    return found


@doubled
@_in_parts
def lower_gamma(alpha: Values, x: Values) -> Values:
    """The part of the gamma function's integral up to ``x``."""
    return _part_of_gamma(alpha, x, below=True)


@doubled
@_in_parts
def upper_gamma(alpha: Values, x: Values) -> Values:
    """The part of the gamma function's integral from ``x`` on."""
    return _part_of_gamma(alpha, x, below=False)


def _part_of_gamma(alpha: Values, x: Values, below: bool) -> Values:
    """The smaller of both parts is integrated, the other is what it leaves of 1; a large one is as wide as its root."""
    width = 1 / np.sqrt(np.maximum(alpha, 1))
    nodes = NODES * width
    down = np.exp(-alpha * nodes - x * np.expm1(-nodes))
    up = np.exp(alpha * nodes - x * np.expm1(nodes))
    height, lower = _log_density(alpha, x)[:, 0], (x < alpha)[:, 0]
    part = np.exp(height) * width[:, 0] * np.where(lower, _integral(down), _integral(up))
    small = x[:, 0] < 0.5
    if small.any():
        part[small], lower[small] = _small_part(alpha[small, 0], x[small, 0]), True
    found = np.where(lower == below, part, 1 - part)
    return _at_the_edges(found, alpha[:, 0], x[:, 0], below)


def _log_density(alpha: Values, x: Values) -> Values:
    """The logarithm of ``x`` times the density at ``x``, of large ``alpha`` by Stirling's formula."""
    near = (x - alpha) / alpha
    square = 1 / (alpha * alpha)
    tail = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / alpha
    large = alpha * (np.log1p(near) - near) + 0.5 * np.log(alpha / (2 * math.pi)) - tail
    return np.where(alpha > 10, large, alpha * np.log(x) - x - lgamma(alpha))


def _small_part(alpha: Values, x: Values) -> Values:
    term: Values = np.exp(alpha * np.log(x) - lgamma(alpha + 1) - x)
    found: Values = term.copy()
    for place in range(1, 30):
        term = term * x / (alpha + place)
        found += term
    return found


def _at_the_edges(found: Values, alpha: Values, x: Values, below: bool) -> Values:
    empty, full = (0.0, 1.0) if below else (1.0, 0.0)
    found = np.where((x == 0) | np.isposinf(alpha), empty, found)
    found = np.where(np.isposinf(x) | (alpha == 0), full, found)
    both = (alpha == 0) & ~(x > 0) | np.isposinf(alpha) & np.isposinf(x)
    return np.where(both | (alpha < 0) | (x < 0), np.nan, found)
