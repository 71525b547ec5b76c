"""``torch.accelerator`` where there is none: it says so, as PyTorch built for the CPU does."""

from __future__ import annotations

from chalkgrad.torch._no_gpu import device_count, is_available, refusing
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


def current_accelerator(check_available: bool = False) -> None:
    """None: there is none."""


synchronize = refusing(RuntimeError("Cannot access accelerator device when none is available."))
current_device_index = set_device_index = current_stream = synchronize
empty_cache = memory_allocated = max_memory_allocated = synchronize

__getattr__ = _absent("torch.accelerator")
