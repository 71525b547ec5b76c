"""Shapes, as PyTorch shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex, overload


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple that prints itself as ``torch.Size([2, 3])``."""

    __slots__ = ()

    def __new__(cls, sizes: Iterable[Any] = ()) -> Size:
        """From any iterable of ints; TypeError for another member."""
        if type(sizes) is not tuple:
            sizes = tuple(sizes)
        for place, size in enumerate(sizes):
            if type(size) is not int:
                sizes = (*sizes[:place], _integer(size, place), *sizes[place + 1 :])
        return tuple.__new__(cls, sizes)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    __str__ = __repr__

    def numel(self) -> int:
        """Number of elements of a tensor of this shape."""
        product = 1
        for size in self:
            product *= size
        return product

    def __add__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            raise TypeError(f"can only concatenate tuple (not {type(other).__name__}) to torch.Size")
        return Size((*self, *other))

    def __radd__(self, other: Any) -> Any:
        return Size((*other, *self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, number: Any) -> Any:
        found = tuple.__mul__(self, number)
        return found if found is NotImplemented else Size(found)

    __rmul__ = __mul__

    def __reduce__(self) -> tuple[Any, ...]:
        return size_of, (tuple(self),)

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> Size: ...
    def __getitem__(self, key: SupportsIndex | slice) -> int | Size:
        """One size, or the sizes of a slice as a Size."""
        if isinstance(key, slice):
            return Size(tuple.__getitem__(self, key))
        return tuple.__getitem__(self, key)


Size.__module__ = "torch"


def _integer(size: Any, place: int) -> int:
    if not hasattr(size, "__index__"):
        raise TypeError(f"torch.Size() takes an iterable of 'int' (item {place} is '{type(size).__name__}')")
    return int(size.__index__())


def size_of(sizes: tuple[int, ...]) -> Size:
    """A size from what its pickle holds."""
    return Size(sizes)


def brackets(shape: Sequence[int]) -> str:
    """``shape`` as PyTorch's errors write it: ``[2, 3]``."""
    return str(list(shape))


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape that tensors of these ``shapes`` (sequences, or single ints) broadcast to."""
    for shape in shapes:
        if not isinstance(shape, int | tuple | list):
            raise RuntimeError(f"Input shapes should be of type ints, a tuple of ints, or a list of ints, got {shape}")
    given = [(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes]
    result = [1] * max((len(shape) for shape in given), default=0)
    for place, shape in enumerate(given):
        for dim in range(-1, -1 - len(shape), -1):
            if shape[dim] < 0:
                raise ValueError("Attempting to broadcast a dimension with negative length!")
            if shape[dim] in (1, result[dim]):
                continue
            if result[dim] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[dim]} at {dim}! Mismatching argument at "
                    f"index {place} had {shapes[place]}; but expected shape should be broadcastable to {result}"
                )
            result[dim] = shape[dim]
    return Size(result)
