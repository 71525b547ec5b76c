"""Dimensions put together and taken apart."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.module import Module


class Flatten(Module):
    """Dimensions ``start_dim`` to ``end_dim`` put into one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        """``input.flatten(start_dim, end_dim)``."""
        flat: Tensor = input.flatten(self.start_dim, self.end_dim)
        return flat

    def extra_repr(self) -> str:
        """The dimensions that are put together."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """One dimension taken apart into several."""

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        if not isinstance(unflattened_size, tuple | list):
            raise TypeError(
                f"unflattened_size must be a tuple of ints, but found type {type(unflattened_size).__name__}"
            )
        for place, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(
                    f"unflattened_size must be tuple of ints, but found element of type {type(size).__name__} at pos "
                    f"{place}"
                )
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        """``input.unflatten(dim, unflattened_size)``."""
        parts: Tensor = input.unflatten(self.dim, self.unflattened_size)
        return parts

    def extra_repr(self) -> str:
        """The dimension and its parts."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
