"""The axes of a plot: what they go over, where their ticks lie, and where a number lies on them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

STEPS = (1.0, 2.0, 5.0, 10.0)
LEAST_DECADE = 1e-300
TRIES = 8
"""Two ticks are found with at most so many smaller steps."""


class Axis(NamedTuple):
    """From ``low`` to ``high``, in numbers, or in their powers of ten where it is logarithmic."""

    low: float
    high: float
    log: bool = False

    def share(self, values: np.ndarray) -> np.ndarray:
        """Where numbers lie, from 0 at the low end to 1 at the high one; NaN for what has no place."""
        with np.errstate(divide="ignore", invalid="ignore"):
            placed = np.where(values > 0, np.log10(values), np.nan) if self.log else values
        return np.asarray((placed - self.low) / (self.high - self.low))

    def ticks(self, most: int) -> list[float]:
        """Round numbers on the axis, at most about so many, but two at least: one alone is no scale."""
        if self.log:
            decades = max(1, math.ceil((self.high - self.low) / max(1, most)))
            found = [10.0**power for power in range(math.ceil(self.low), math.floor(self.high) + 1, decades)]
            return found if len(found) > 1 else [10.0**self.low, *found, 10.0**self.high]
        ticks: list[float] = []
        for count in range(max(1, most), max(1, most) + TRIES):
            step = _step((self.high - self.low) / count)
            first = math.ceil(self.low / step - 1e-9)
            ticks = [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]
            if len(ticks) > 1:
                break
        return ticks


def axis_over(values: Iterable[np.ndarray], log: bool = False) -> Axis:
    """The axis on which all finite values lie with a little room."""
    numbers = np.concatenate([np.zeros(0), *values])
    numbers = numbers[np.isfinite(numbers)]
    if log:
        numbers = np.log10(numbers[numbers > LEAST_DECADE])
    if not len(numbers):
        return Axis(0.0, 1.0, log)
    low, high = float(numbers.min()), float(numbers.max())
    room = (high - low) * 0.06 or max(abs(high) * 0.1, 0.05 if log else 1e-6)
    return Axis(low - room, high + room, log)


def whole_axis(last: int, first: int = 1) -> Axis:
    """The axis of the numbers from ``first`` to ``last``."""
    return Axis(first - 0.5, last + 0.5) if last - first < 2 else Axis(float(first), float(last))


def number_text(value: float) -> str:
    """A number beside an axis or under the pointer: four digits."""
    if not math.isfinite(value):
        return {"nan": "nan", "inf": "inf", "-inf": "-inf"}[str(float(value))]
    text = f"{value:.4g}"
    return "0" if text == "-0" else text


def _step(least: float) -> float:
    """The round number that is not below ``least``."""
    least = max(least, LEAST_DECADE)
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in STEPS if factor * power >= least * (1 - 1e-9))
