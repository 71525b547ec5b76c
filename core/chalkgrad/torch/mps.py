"""``torch.mps`` where there is no such GPU: it says so, as PyTorch built without it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from chalkgrad.torch._no_gpu import device_count, is_available, manual_seed, refusing
from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "current_allocated_memory",
    "device_count",
    "driver_allocated_memory",
    "empty_cache",
    "is_available",
    "manual_seed",
    "seed",
    "synchronize",
]


def _refused(call: str) -> Callable[..., NoReturn]:
    return refusing(RuntimeError(f"Cannot execute {call}() without MPS backend."))


synchronize = _refused("deviceSynchronize")
empty_cache = _refused("emptyCache")
current_allocated_memory = _refused("getCurrentAllocatedMemory")
driver_allocated_memory = _refused("getDriverAllocatedMemory")
seed = _refused("getDefaultGenerator")

__getattr__ = _absent("torch.mps")
