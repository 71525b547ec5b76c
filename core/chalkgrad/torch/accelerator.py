"""``torch.accelerator`` where there is none: it says so, as PyTorch built for the CPU does."""

from __future__ import annotations

from typing import Any, NoReturn

from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "current_accelerator",
    "current_device_index",
    "current_stream",
    "device_count",
    "empty_cache",
    "is_available",
    "max_memory_allocated",
    "memory_allocated",
    "set_device_index",
    "synchronize",
]


def is_available() -> bool:
    """False: there is none."""
    return False


def device_count() -> int:
    """0: there is none."""
    return 0


def current_accelerator(check_available: bool = False) -> None:
    """None: there is none."""


def synchronize(*_: Any) -> NoReturn:
    """Refused: there is nothing to wait for."""
    raise RuntimeError("Cannot access accelerator device when none is available.")


current_device_index = set_device_index = current_stream = synchronize
empty_cache = memory_allocated = max_memory_allocated = synchronize

__getattr__ = _absent("torch.accelerator")
