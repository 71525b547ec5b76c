"""``torch.random``: the global stream of random numbers, its seed and its state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.generator import Generator, default_generator, initial_seed, manual_seed, seed
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.factory import made

__all__ = [
    "default_generator",
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]


def state_of(generator: Generator) -> Tensor:
    """Where the stream of ``generator`` is, as bytes."""
    return made(np.frombuffer(bytearray(generator.state_bytes()), np.uint8))


def restore(generator: Generator, new_state: Any) -> Generator:
    """Set the stream of ``generator`` to ``new_state``; TypeError for what are no bytes."""
    if not isinstance(new_state, TensorBase):
        raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
    if new_state.array.dtype != np.uint8:
        raise TypeError("RNG state must be a torch.ByteTensor")
    return generator.restore(new_state.array.tobytes())


def get_rng_state() -> Tensor:
    """Where the global stream is, as 5056 bytes."""
    return state_of(default_generator)


def set_rng_state(new_state: Any) -> None:
    """Go to where the global stream was when :func:`get_rng_state` gave ``new_state``."""
    restore(default_generator, new_state)


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, **_: Any) -> Iterator[None]:
    """Draw inside without the global stream noticing."""
    before = default_generator.state_bytes()
    try:
        yield
    finally:
        if enabled:
            default_generator.restore(before)


Generator.get_state = state_of  # type: ignore[attr-defined]
Generator.set_state = restore  # type: ignore[attr-defined]
