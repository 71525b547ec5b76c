"""Values of the Bessel functions I0 and I1 and of the normal distribution's, computed in double precision."""

from __future__ import annotations

import math

import numpy as np

from chalkgrad.ops.special_values import Values, doubled, erfc, erfinv

_TERMS = 20
_DEPTH = 80
_FAR, _TERMS_FAR = 50.0, 20


def _scaled_bessel(x: Values, order: int) -> Values:
    """``exp(-|x|)`` times I of ``order``: the mean of a periodic function, which few points give exactly."""
    largest = float(np.max(np.abs(x), initial=0.0, where=np.isfinite(x)))
    angles = (np.arange(64 + 16 * math.ceil(math.sqrt(largest))) + 0.5) * math.pi
    angles /= len(angles)
    exponent = np.multiply.outer(x, np.cos(angles)) - np.abs(x)[..., None]
    return np.asarray(np.mean(np.exp(exponent) * np.cos(order * angles), axis=-1))


def _small_bessel(x: Values, order: int) -> Values:
    """The first terms of the series of I of ``order``, exact for small ``x``."""
    half = x / 2
    term = half**order / math.factorial(order)
    total = term
    for place in range(1, _TERMS):
        term = term * half * half / (place * (place + order))
        total = total + term
    return total


def _far_bessel(x: Values, order: int) -> Values:
    """``exp(-|x|)`` I of ``order`` by the series that gets better the farther ``x`` lies from 0."""
    size = np.abs(x)
    term, total = np.ones_like(size), np.ones_like(size)
    for place in range(1, _TERMS_FAR):
        term = term * ((2 * place - 1) ** 2 - 4 * order**2) / (8 * place * size)
        total = total + term
    found = total / np.sqrt(2 * math.pi * size)
    return np.copysign(found, x) if order % 2 else found


def _bessel(x: Values, order: int, scaled: bool) -> Values:
    small, far = np.abs(x) < 2, np.abs(x) > _FAR
    near = np.where(small, x, 0.0)
    least, most = _small_bessel(near, order), _scaled_bessel(np.where(small | far, 0.0, x), order)
    most = np.where(far, _far_bessel(np.where(far, x, _FAR), order), most)
    found = np.where(small, least * np.exp(-np.abs(near)) if scaled else least, most if scaled else 0.0)
    if not scaled:
        found = np.where(small, found, most * np.exp(np.abs(np.where(small, 0.0, x))))
    endless = (np.copysign(0.0, x) if order else 0.0) if scaled else np.nan  # PyTorch comes to infinity times 0
    return np.where(np.isinf(x), endless, found)


@doubled
def i0(x: Values) -> Values:
    """The modified Bessel function of order 0."""
    return _bessel(x, 0, scaled=False)


@doubled
def i0e(x: Values) -> Values:
    """``exp(-|x|) i0(x)``."""
    return _bessel(x, 0, scaled=True)


@doubled
def i1(x: Values) -> Values:
    """The modified Bessel function of order 1."""
    return _bessel(x, 1, scaled=False)


@doubled
def i1e(x: Values) -> Values:
    """``exp(-|x|) i1(x)``."""
    return _bessel(x, 1, scaled=True)


@doubled
def entr(x: Values) -> Values:
    """``-x ln x``; 0 at 0, and minus infinity below."""
    found = -x * np.log(np.where(x > 0, x, 1.0))
    return np.where(np.isnan(x), x, np.where(x > 0, found, np.where(x == 0, 0.0, -np.inf)))


@doubled
def erfcx(x: Values) -> Values:
    """``exp(x ** 2) erfc(x)``, by a continued fraction where that would be 0 times infinity."""
    far = x > 4
    y = np.where(far, x, 4.0)
    fraction = y
    for place in range(_DEPTH, 0, -1):
        fraction = y + place / 2 / fraction
    near = np.where(far, 0.0, x)
    return np.where(far, 1 / (math.sqrt(math.pi) * fraction), np.exp(near * near) * erfc(near))


def log_ndtr(x: Values) -> Values:
    """The logarithm of the area under the bell curve up to ``x``; computed in its dtype, as its last digits show."""
    number = x.dtype.type
    t = x * number(math.sqrt(0.5))
    low = x < -1
    left = np.where(low, t, number(-1))
    right = np.where(low, number(0), t)
    found: Values = np.where(low, np.log(erfcx(-left) / number(2)) - left * left, np.log1p(-erfc(right) / number(2)))
    return found


@doubled
def ndtri(p: Values) -> Values:
    """Up to where the area under the bell curve is ``p``: from erfinv, then by Newton's method for the tails."""
    inside = (p > 0) & (p < 1)
    area = np.where(inside, np.minimum(p, 1 - p), 0.5)
    x = math.sqrt(2) * erfinv(np.maximum(2 * area - 1, -1 + 1e-15))
    for _ in range(4):
        error = np.log(area) - log_ndtr(x)
        x = x + error * np.exp(log_ndtr(x) + x * x / 2) * math.sqrt(2 * math.pi)
    found = np.where(p > 0.5, -x, x)
    return np.where(inside, found, np.where(p == 0, -np.inf, np.where(p == 1, np.inf, np.nan)))


def xlog1py(x: Values, y: Values) -> Values:
    """``x ln(1 + y)``; 0 where ``x`` is, unless ``y`` is no number."""
    if y.dtype.kind != "f":
        y = y.astype(x.dtype)  # NumPy would take half floats
    return np.where((x == 0) & ~np.isnan(y), np.zeros_like(x), x * np.log1p(y))
