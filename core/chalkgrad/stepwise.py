"""What takes long, in steps: a generator at each of whose steps one may stop, and that returns what it came to."""

from __future__ import annotations

from collections.abc import Callable, Generator
from math import isnan, nan
from threading import Thread
from time import perf_counter
from typing import Generic, TypeVar

T = TypeVar("T")

Steps = Generator[None, None, T]
"""Who goes on with it may stop at each step, or for good."""

Stepwise = Generator[float, None, T]
"""The same where it is known how much is done: yields parts from 0 to 1, or :data:`WAITING`."""

WAITING = nan
"""Said in place of a part where somebody else is at work: to go on at once would do nothing."""

WAIT_S = 0.004
"""For how long at most a step waits for somebody else, in seconds."""


def is_waiting(part: float) -> bool:
    """True where a step said :data:`WAITING`."""
    return isnan(part)


class Work(Generic[T]):
    """Steps taken for some time, again and again; ``result`` is there when :meth:`advance` has said True."""

    def __init__(self, steps: Generator[object, None, T]) -> None:
        self._steps = steps
        self.result: T | None = None

    def advance(self, milliseconds: float) -> bool:
        """Go on for about so long; True when there is a result."""
        deadline = perf_counter() + milliseconds / 1000
        try:
            while self.result is None and perf_counter() < deadline:
                next(self._steps)
        except StopIteration as end:
            self.result = end.value
        return self.result is not None

    def finish(self) -> T:
        """Work it out now."""
        if self.result is None:
            self.result = finished(self._steps)
        return self.result


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


def beside(work: Callable[[], T], at_once: float = 0.0) -> Stepwise[T]:
    """What ``work`` comes to, done in a thread of its own: one call that is long and leaves others the interpreter.

    It must touch nothing that others use. Given up, it ends unheard. No step is taken where it is over ``at_once``, in
    so many seconds.
    """
    made: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            made.append(work())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(at_once)
    while thread.is_alive():
        thread.join(WAIT_S)
        yield WAITING
    if failed:
        raise failed[0]
    return made[0]
