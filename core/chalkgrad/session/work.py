"""Something that takes long, done in slices."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Generic, TypeVar

T = TypeVar("T")
Working = Iterator[T | None]
"""The steps of it: None where one may stop for a while, at last the result."""


class Work(Generic[T]):
    """Something to be worked out; ``result`` is there when :meth:`advance` has said True."""

    def __init__(self, steps: Working[T]) -> None:
        self._steps = steps
        self.result: T | None = None

    def advance(self, milliseconds: float) -> bool:
        """Work on for about so long; True when there is a result."""
        deadline = perf_counter() + milliseconds / 1000
        while self.result is None and perf_counter() < deadline:
            self.result = next(self._steps)
        return self.result is not None

    def finish(self) -> T:
        """Work it out now."""
        while self.result is None:
            self.result = next(self._steps)
        return self.result
