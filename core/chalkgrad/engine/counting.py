"""Counting writes by hand: for code that writes into tensors in ways of which autograd should know more, or less."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chalkgrad.engine.base import TensorBase, counter_of, version_of


def increment_version(tensor: TensorBase | Iterable[TensorBase]) -> None:
    """Count a write that autograd could not see."""
    try:
        tensors = [tensor] if isinstance(tensor, TensorBase) else list(tensor)
    except TypeError:
        tensors = [None]  # type: ignore[list-item]
    if not all(isinstance(one, TensorBase) for one in tensors):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for one in tensors:
        counter_of(one).version += 1


def set_versions(tensors: Sequence[TensorBase], versions: Sequence[int]) -> None:
    """Say how often ``tensors`` were written; RuntimeError for less than never."""
    for tensor, version in zip(tensors, versions, strict=True):
        if version < 0:
            raise RuntimeError(f"Cannot set a version_counter to a value below 0: {version}")
        counter_of(tensor).version = version


class _unsafe_preserve_version_counter:  # noqa: N801  PyTorch's name
    """Writes to ``tensors`` inside the block are not counted once it is over."""

    def __init__(self, tensors: TensorBase | Sequence[TensorBase]) -> None:
        self.tensors = (tensors,) if isinstance(tensors, TensorBase) else tuple(tensors)
        self.prev_versions = tuple(version_of(tensor) for tensor in self.tensors)

    def __enter__(self) -> None:
        """Nothing: the versions are known since the object was made."""

    def __exit__(self, *args: object) -> None:
        set_versions(self.tensors, self.prev_versions)


_unsafe_preserve_version_counter.__module__ = "torch.autograd.grad_mode"
