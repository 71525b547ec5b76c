"""Single random numbers that are proposed and kept or thrown away, in the order in which PyTorch draws on the CPU.

How many uniform numbers one of them takes is not known beforehand. The ways are those of the literature: Marsaglia and
Tsang (2000) for the gamma distribution, Hörmann (1993) for Poisson's and the binomial one where these are wide.
"""

from __future__ import annotations

import math

from chalkgrad.engine.generator import Generator

WIDE = 10
"""From this expected number on a distribution of counts is wide."""

THIRD = 11184811 / (1 << 25)
"""A third as PyTorch has it here, a float of 32 bits."""


def gamma_number(source: Generator, alpha: float) -> float:
    """A number of the gamma distribution with shape ``alpha`` and rate 1."""
    if alpha <= 0:
        return 0.0
    scale = 1.0
    if alpha < 1:
        scale = (1 - source.double()) ** (1 / alpha)  # of shape alpha + 1 it would be drawn with few refusals
        alpha += 1
    size = alpha - THIRD
    spread = 1 / math.sqrt(9 * size)
    while True:
        x = source.normal()
        root = 1 + spread * x
        if root <= 0:
            continue
        cube = root**3
        chance = 1 - source.double()
        if chance < 1 - 0.0331 * x**4 or math.log(chance) < 0.5 * x * x + size * (1 - cube + math.log(cube)):
            return scale * size * cube


def poisson_number(source: Generator, rate: float) -> int:
    """How many events there are where ``rate`` are expected."""
    if rate >= WIDE:
        return _wide_poisson(source, rate)
    count, rest, least = 0, 1.0, math.exp(-rate)
    while rate:
        rest *= source.double()
        if rest <= least:
            break
        count += 1
    return count


def _wide_poisson(source: Generator, rate: float) -> int:
    root, logarithm = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse, enough = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = source.double() - 0.5, source.double()
        side = 0.5 - abs(u)
        place = (2 * a / side + b) * u + rate + 0.43
        count = math.floor(place) if math.isfinite(place) else place
        if side >= 0.07 and v <= enough:
            return _counted(count)
        if count < 0 or (side < 0.013 and v > side):
            continue
        height = _log(v) + math.log(inverse) - math.log(a / (side * side) + b)
        if height <= -rate + count * logarithm - math.lgamma(count + 1):
            return _counted(count)


def _counted(number: float) -> int:
    """What the processor makes an integer of 64 bits: of one that has more, and of what is none, the least one."""
    return int(number) if abs(number) < 2.0**63 else -(1 << 63)


def binomial_number(source: Generator, tries: float, chance: float) -> float:
    """How many of ``tries`` succeed, each with ``chance``; nan where that is no chance."""
    if tries <= 0 or chance <= 0:
        return 0.0
    if chance >= 1:
        return tries
    if chance > 0.5:
        return tries - _rare(source, tries, 1 - chance)
    return _rare(source, tries, chance) if chance <= 0.5 else math.nan


def _rare(source: Generator, tries: float, chance: float) -> float:
    """The same for a chance of a half at most."""
    if tries * chance >= WIDE:
        return _wide_binomial(source, tries, chance)
    found, tried, failing = 0, 0.0, math.log1p(-chance)
    while True:
        tried += math.ceil(_log(source.double()) / failing)  # up to the next success
        if tried > tries:
            return float(found)
        found += 1


def _wide_binomial(source: Generator, tries: float, chance: float) -> float:
    deviation = math.sqrt(tries * chance * (1 - chance))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * chance
    enough, odds = 0.92 - 4.2 / b, chance / (1 - chance)
    alpha = (2.83 + 5.1 / b) * deviation
    middle = math.floor((tries + 1) * chance)
    while True:
        u, v = source.double() - 0.5, source.double()
        side = 0.5 - abs(u)
        count = math.floor((2 * a / side + b) * u + tries * chance + 0.5)
        if side >= 0.07 and v <= enough:
            return float(count)
        if not 0 <= count <= tries:
            continue
        if _log(v * alpha / (a / (side * side) + b)) <= _log_ratio(count, middle, tries, odds):
            return float(count)


def _log_ratio(count: float, middle: float, tries: float, odds: float) -> float:
    """How much less likely ``count`` successes are than ``middle``, as a logarithm."""
    return (
        (middle + 0.5) * math.log((middle + 1) / (odds * (tries - middle + 1)))
        + (tries + 1) * math.log((tries - middle + 1) / (tries - count + 1))
        + (count + 0.5) * math.log(odds * (tries - count + 1) / (count + 1))
        + (_tail(middle) + _tail(tries - middle) - _tail(count) - _tail(tries - count))
    )


def _tail(count: float) -> float:
    """What Stirling's formula leaves of the logarithm of the factorial of ``count``."""
    if count < WIDE:
        return math.lgamma(count + 1) - (count + 0.5) * math.log(count + 1) + count + 1 - 0.5 * math.log(2 * math.pi)
    square = (count + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (count + 1)


def _log(x: float) -> float:
    return math.log(x) if x else -math.inf
