"""``torch.xpu`` where there is no such GPU: it says so, as PyTorch built without it does."""

from __future__ import annotations

from chalkgrad.torch._no_gpu import (
    device_count,
    empty_cache,
    is_available,
    manual_seed,
    manual_seed_all,
    max_memory_allocated,
    memory_allocated,
    refusing,
)
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

current_device = refusing(AssertionError("Torch not compiled with XPU enabled"))
set_device = get_device_name = synchronize = current_device

__getattr__ = _absent("torch.xpu")
