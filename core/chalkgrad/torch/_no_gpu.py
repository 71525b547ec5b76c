"""What ``torch.cuda`` and its like answer where there is no such GPU, as PyTorch built without it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


def is_available() -> bool:
    """False: there is no such GPU."""
    return False


def device_count() -> int:
    """0: there is no such GPU."""
    return 0


def memory_allocated(device: Any = None) -> int:
    """0: nothing is on such a GPU."""
    return 0


max_memory_allocated = memory_allocated


def manual_seed(seed: int) -> None:
    """Nothing: there is no such GPU whose random numbers could be seeded."""


manual_seed_all = manual_seed


def empty_cache() -> None:
    """Nothing: there is no such GPU whose memory could be given back."""


def refusing(error: Exception) -> Callable[..., NoReturn]:
    """A function of a GPU that can't be called without one."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise type(error)(*error.args)

    return refuse
