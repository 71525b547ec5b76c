"""``torch.xpu`` where there is no such GPU: it says so, as PyTorch built without it does."""

from __future__ import annotations

from typing import Any, NoReturn

from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "current_device",
    "device_count",
    "empty_cache",
    "get_device_name",
    "is_available",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "memory_allocated",
    "set_device",
    "synchronize",
]


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


def current_device(*_: Any) -> NoReturn:
    """Refused: there is no such GPU."""
    raise AssertionError("Torch not compiled with XPU enabled")


set_device = get_device_name = synchronize = current_device

__getattr__ = _absent("torch.xpu")
