"""Values of special functions that NumPy lacks, computed in double precision."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from chalkgrad.ops.selecting import choose

Values = np.ndarray[Any, np.dtype[Any]]


def doubled(function: Callable[..., Values]) -> Callable[..., Values]:
    """``function`` of doubles for arrays of any floating-point dtype; the result has the first one's dtype."""

    def compute(*arrays: Values, **attributes: Any) -> Values:
        found = function(*[np.asarray(array, np.float64) for array in arrays], **attributes)
        first = arrays[0]
        like = first.shape == np.shape(found) and 0 not in first.strides  # an expanded one has no order to keep
        made = np.empty_like(first) if like else np.empty(np.shape(found), first.dtype)
        made[...] = found
        return made

    return compute


def _each(function: Callable[[float], float], x: Values) -> Values:
    return np.fromiter(map(function, x.ravel().tolist()), np.float64, x.size).reshape(x.shape)


MANY = 512
"""Of fewer elements the function of one number, called for each, is done sooner."""

_AT_ONCE = 8192
"""So many elements stay near the processor while they are worked on."""

_FAR, _STEPS = 6, 256
"""From so far out erf is 1; into so many parts each unit is divided for :func:`_from_nearest`."""


@doubled
def erf(x: Values) -> Values:
    """The error function."""
    return _each(math.erf, x) if x.size < MANY else _in_pieces(_erf_of_many, x)


@doubled
def erfc(x: Values) -> Values:
    """1 - erf(x), exact where that is small."""
    return _each(math.erfc, x) if x.size < MANY else _in_pieces(_erfc_of_many, x)


def _in_pieces(function: Callable[[Values], Values], x: Values) -> Values:
    flat = x.ravel()
    parts = [function(flat[start : start + _AT_ONCE]) for start in range(0, x.size, _AT_ONCE)]
    return np.concatenate(parts).reshape(x.shape)


def _erf_of_many(x: Values) -> Values:
    heights, _, slopes = _erf_table()
    place, rise = _from_nearest(np.abs(x), slopes)
    rise += heights.take(place, mode="clip")
    signed: Values = np.copysign(rise, x, out=rise)
    return signed


def _erfc_of_many(x: Values) -> Values:
    _, depths, slopes = _erf_table()
    place, rise = _from_nearest(np.abs(x), slopes)
    depth = depths.take(place, mode="clip") - rise
    found: Values = choose(x < 0, 2 - depth, depth)
    far = x >= _FAR
    if far.any():
        found[far] = _each(math.erfc, x[far])
    return found


@cache
def _erf_table() -> tuple[Values, Values, Values]:
    """erf, erfc and the derivative of erf at the ends of the parts."""
    ends = np.arange(_FAR * _STEPS + 1) / _STEPS
    return _each(math.erf, ends), _each(math.erfc, ends), 2 / math.sqrt(math.pi) * np.exp(-ends * ends)


def _from_nearest(size: Values, slopes: Values) -> tuple[Values, Values]:
    """The number of the nearest end of a part, and how much erf rises from there, which may be less than nothing.

    That is Taylor's series up to the fifth power; erf is off by 2 in the last place at most.
    """
    np.minimum(size, _FAR, out=size)
    place = np.rint(size * _STEPS)
    near = place / _STEPS
    away, square = size - near, near * near
    with np.errstate(invalid="ignore"):  # what is no number stays none
        place = place.astype(np.intp)
    rise = away * ((4 / 30 * square - 12 / 30) * square + 3 / 30)
    rise = away * (rise - near * (2 / 6 * square - 3 / 6))
    rise = away * (rise + (2 / 3 * square - 1 / 3))
    rise = away * (away * (rise - near) + 1)
    return place, rise * slopes.take(place, mode="clip")


def _lgamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):
        return math.inf


@doubled
def lgamma(x: Values) -> Values:
    """The logarithm of the absolute value of the gamma function; infinite at its poles."""
    return _each(_lgamma, x)


@doubled
def erfinv(y: Values) -> Values:
    """The inverse of the error function: a rough start, then Halley's method on erfc, which is exact in the tails."""
    size = np.abs(y)
    inside = size < 1
    target = np.where(inside, 1 - size, 1.0)
    rest = np.log(target * (2 - target))
    middle = 2 / (math.pi * 0.147) + rest / 2
    x = np.sqrt(np.sqrt(middle * middle - rest / 0.147) - middle)
    for _ in range(3):
        error = np.where(size < 0.5, np.where(inside, size, 0) - _each(math.erf, x), _each(math.erfc, x) - target)
        step = error * (math.sqrt(math.pi) / 2) * np.exp(x * x)
        x = x + step / (1 - x * step)
    found = np.where(inside, x, np.where(size == 1, np.inf, np.nan))
    return np.copysign(found, y)


_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""Coefficients of its asymptotic series, of x**-2, x**-4 and so on."""


def _positive_digamma(x: Values) -> Values:
    shift = np.zeros_like(x)
    while (small := x < 10).any():
        shift = np.where(small, shift - 1 / x, shift)
        x = np.where(small, x + 1, x)
    square = 1 / (x * x)
    series = np.zeros_like(x)
    for coefficient in reversed(_DIGAMMA):
        series = (series + coefficient) * square
    return np.log(x) - 0.5 / x - series + shift


@doubled
def digamma(x: Values) -> Values:
    """The derivative of lgamma; nan at the negative integers."""
    usual = x > 0
    found = _positive_digamma(np.where(usual, x, 1.0))
    if usual.all():
        return found
    left = np.where(x < 0, x, -0.5)
    part = np.modf(left)[0]
    mirrored = _positive_digamma(1 - left) - math.pi / np.tan(math.pi * part)
    mirrored = np.where(part == 0, np.nan, mirrored)
    at_zero = np.copysign(np.inf, -x)
    return np.where(usual, found, np.where(x < 0, mirrored, np.where(x == 0, at_zero, x)))


_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)
"""Every second Bernoulli number."""


def _zeta(s: float, q: Values) -> Values:
    """Hurwitz zeta for one exponent above 1, by the Euler-Maclaurin formula; infinite at the poles."""
    pole = (q <= 0) & (q == np.floor(q))
    q = np.where(pole, 1.0, q)
    total = np.zeros_like(q)
    while (small := q < 10).any():
        total = np.where(small, total + q**-s, total)
        q = np.where(small, q + 1, q)
    total = total + q ** (1 - s) / (s - 1) + 0.5 * q**-s
    factor, power = s, q ** (-s - 1)
    for number, bernoulli in enumerate(_BERNOULLI, start=1):
        total = total + bernoulli / math.factorial(2 * number) * factor * power
        factor *= (s + 2 * number - 1) * (s + 2 * number)
        power = power / (q * q)
    return np.where(pole, np.inf, total)


def _trigamma(x: Values) -> Values:
    """The second derivative of lgamma: reflected below a half, moved up by 6, then three terms of the series.

    Its error, at worst some 1e-11 of the value, is PyTorch's.
    """
    low = x < 0.5
    pi = x.dtype.type(math.pi)
    total = np.where(low, -np.square(pi / np.sin(pi * x)), 0).astype(x.dtype)
    moved = np.where(low, 1 - x, x)
    for _ in range(6):
        total = total + 1 / (moved * moved)
        moved = moved + 1
    square = 1 / (moved * moved)
    series = 1 + 1 / (2 * moved) + square * (1 / 6 - square * (1 / 30 - square * (1 / 42)))
    total = total + series / moved
    return np.where(low, -total, total).astype(x.dtype)


def polygamma(n: int, x: Values) -> Values:
    """The derivative of order ``n`` of digamma."""
    if n == 0:
        return digamma(x)
    if n == 1:
        return _trigamma(x)
    sign = 1 if n % 2 else -1
    found = sign * math.gamma(n + 1) * _zeta(n + 1, np.asarray(x, np.float64))
    return np.where(np.isposinf(x), np.nan, found).astype(x.dtype)  # where PyTorch comes to 0 times infinity
