"""What takes long, in steps: a generator that says at each of them how much is done, and returns what it came to."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

Stepwise = Generator[float, None, T]
"""Yields parts from 0 to 1: who goes on with it may stop at each, or for good."""


def finished(steps: Generator[object, None, T]) -> T:
    """What steps come to, taken in one go."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            made: T = end.value
            return made


def share(steps: Stepwise[T], start: float, end: float) -> Stepwise[T]:
    """Steps as a share of longer ones: what they say goes from ``start`` to ``end``."""
    while True:
        try:
            part = next(steps)
        except StopIteration as over:
            made: T = over.value
            return made
        yield start + (end - start) * part
