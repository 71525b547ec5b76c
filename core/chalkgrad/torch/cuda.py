"""``torch.cuda`` where there is no GPU: it says so, as PyTorch built for the CPU does."""

from __future__ import annotations

from chalkgrad.engine.device import NO_CUDA
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

is_initialized = is_bf16_supported = is_available

current_device = refusing(AssertionError(NO_CUDA))
synchronize = get_device_name = set_device = get_device_properties = current_device
