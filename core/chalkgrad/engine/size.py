"""Shapes, as PyTorch shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex, overload


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple that prints itself as ``torch.Size([2, 3])``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    __str__ = __repr__

    def numel(self) -> int:
        """Number of elements of a tensor of this shape."""
        product = 1
        for size in self:
            product *= size
        return product

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> Size: ...
    def __getitem__(self, key: SupportsIndex | slice) -> int | Size:
        """One size, or the sizes of a slice as a Size."""
        if isinstance(key, slice):
            return Size(tuple.__getitem__(self, key))
        return tuple.__getitem__(self, key)


def brackets(shape: Sequence[int]) -> str:
    """``shape`` as PyTorch's errors write it: ``[2, 3]``."""
    return str(list(shape))
