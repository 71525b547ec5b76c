"""What a check found: one comparison for each fact that was looked at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Comparison:
    """One fact of one tensor, as this program has it and as it should be.

    ``statement`` is the one that made the tensor; ``fact`` is ``"value"``, ``"grad"``, a flag's name or
    ``"output"``. Both sides are written as text, ``error`` is the largest absolute difference of numbers.
    """

    statement: int | None
    name: str
    fact: str
    found: str
    expected: str
    agrees: bool
    error: float = 0.0

    def __str__(self) -> str:
        if self.agrees:
            return f"{self.name}.{self.fact}: ok"
        return f"{self.name}.{self.fact}: {self.found}, expected {self.expected}"


@dataclass(frozen=True, slots=True)
class Report:
    """All comparisons of one check. ``against`` says what was compared with."""

    against: str
    comparisons: tuple[Comparison, ...]

    @property
    def agrees(self) -> bool:
        """True when nothing differs."""
        return all(comparison.agrees for comparison in self.comparisons)

    @property
    def differences(self) -> tuple[Comparison, ...]:
        """Only what differs."""
        return tuple(comparison for comparison in self.comparisons if not comparison.agrees)


def numbers(
    statement: int | None,
    name: str,
    fact: str,
    found: np.ndarray,
    expected: np.ndarray,
    tolerance: tuple[float, float],
) -> Comparison:
    """Compare numbers: they agree within ``tolerance``, relative and absolute; shapes must be equal."""
    relative, absolute = tolerance
    same = found.shape == expected.shape
    agrees = same and bool(np.allclose(found, expected, relative, absolute, equal_nan=True))
    error = float(np.nanmax(np.abs(_wide(found) - _wide(expected)), initial=0.0)) if same and not agrees else 0.0
    return Comparison(statement, name, fact, _text(found), _text(expected), agrees, error)


def facts(statement: int | None, name: str, fact: str, found: object, expected: object) -> Comparison:
    """Compare two plain values."""
    return Comparison(statement, name, fact, str(found), str(expected), found == expected)


def _wide(array: np.ndarray) -> np.ndarray:
    return np.asarray(array, np.float64)


def _text(array: np.ndarray) -> str:
    return np.array2string(array, threshold=16, separator=", ").replace("\n", "")
