"""Hooks on saved tensors: who keeps them, and how, between forward and backward."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from chalkgrad.engine.base import TensorBase, state

_refusal: list[str] = []
"""Why hooks on saved tensors may not be used now; the last one counts."""


class saved_tensors_hooks:  # noqa: N801  PyTorch's name
    """Inside the block, ``pack_hook(tensor)`` takes each tensor saved, and ``unpack_hook`` of that gives it back."""

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if _refusal:
            raise RuntimeError(_refusal[-1])
        state.packing.append((self.pack_hook, self.unpack_hook))
        state.look_again()

    def __exit__(self, *args: object) -> None:
        state.packing.pop()
        state.look_again()


class save_on_cpu(saved_tensors_hooks):  # noqa: N801  PyTorch's name
    """Saved tensors are copied to the CPU, which is where they are already."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(tensor: TensorBase) -> Any:
            return tensor.device, tensor.cpu()  # type: ignore[attr-defined]

        def unpack(packed: Any) -> TensorBase:
            device, tensor = packed
            return tensor.to(device, non_blocking=pin_memory)  # type: ignore[no-any-return]

        super().__init__(pack, unpack)


def saved_tensors_hooks_are_allowed() -> bool:
    """False inside a block of :func:`disable_saved_tensors_hooks`."""
    return not _refusal


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Inside the block, hooks on saved tensors raise RuntimeError with ``error_message``."""
    if state.packing:
        raise RuntimeError(error_message)
    _refusal.append(error_message)
    try:
        yield
    finally:
        _refusal.pop()


saved_tensors_hooks.__module__ = save_on_cpu.__module__ = "torch.autograd.graph"
