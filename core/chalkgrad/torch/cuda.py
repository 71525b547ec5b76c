"""``torch.cuda`` where there is no GPU: it says so, as PyTorch built for the CPU does."""

from __future__ import annotations

from typing import Any, NoReturn

from chalkgrad.engine.device import NO_CUDA

__all__ = [
    "current_device",
    "device_count",
    "empty_cache",
    "get_device_name",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "memory_allocated",
    "synchronize",
]


def is_available() -> bool:
    """False: there is no GPU for it."""
    return False


is_initialized = is_bf16_supported = is_available


def device_count() -> int:
    """0: there is no GPU for it."""
    return 0


def memory_allocated(device: Any = None) -> int:
    """0: nothing is on a GPU."""
    return 0


max_memory_allocated = memory_allocated


def manual_seed(seed: int) -> None:
    """Nothing: there is no GPU whose random numbers could be seeded."""


manual_seed_all = manual_seed


def empty_cache() -> None:
    """Nothing: there is no GPU whose memory could be given back."""


def current_device(*_: Any) -> NoReturn:
    """Refused: there is no GPU for it."""
    raise AssertionError(NO_CUDA)


synchronize = get_device_name = set_device = get_device_properties = current_device
