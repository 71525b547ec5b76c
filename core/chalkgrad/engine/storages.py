"""The memory behind a tensor as PyTorch shows it: ``untyped_storage()``, bytes, and ``storage()``, elements."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from chalkgrad.engine.device import CPU, Device
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.storage import bytes_of, data_ptr, typed_elements

TYPED = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. "
    "This should only matter to you if you are using storages directly.  To access UntypedStorage directly, use "
    "tensor.untyped_storage() instead of tensor.storage()"
)

_said: set[str] = set()


class Storage:
    """The memory of one tensor and its views; ``elements`` are what counting and reading go by."""

    __slots__ = ("array", "elements")

    def __init__(self, array: np.ndarray, elements: np.ndarray) -> None:
        self.array = array
        self.elements = elements

    def data_ptr(self) -> int:
        """Address of the first byte."""
        return data_ptr(self.elements)

    def nbytes(self) -> int:
        """Size in bytes."""
        return self.elements.nbytes

    def size(self) -> int:
        """How many elements there are."""
        return self.elements.size

    __len__ = size

    @property
    def device(self) -> Device:
        """Where it is: always the CPU."""
        return CPU

    def tolist(self) -> list[Any]:
        """The elements as Python numbers."""
        found: list[Any] = self.elements.tolist()
        return found

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, index: Any) -> Any:
        found = self.elements[index]
        return found.item() if isinstance(found, np.generic) else type(self)(found)  # type: ignore[call-arg]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.elements[index] = value

    def _listed(self) -> str:
        return "\n ".join(str(number) for number in self.tolist())


class UntypedStorage(Storage):
    """``torch.UntypedStorage``: the memory as bytes."""

    __slots__ = ()

    def __init__(self, array: np.ndarray) -> None:
        super().__init__(array, bytes_of(array))

    def element_size(self) -> int:
        """1: its elements are bytes."""
        return 1

    def __repr__(self) -> str:
        return f" {self._listed()}\n[torch.storage.UntypedStorage(device=cpu) of size {self.size()}]"


class TypedStorage(Storage):
    """``torch.TypedStorage``: the memory as elements of one dtype."""

    __slots__ = ()

    def __init__(self, array: np.ndarray) -> None:
        super().__init__(array, typed_elements(array))

    @property
    def dtype(self) -> DType:
        """The dtype of its elements."""
        return dtype_of(self.elements)

    def element_size(self) -> int:
        """Size of an element in bytes."""
        return self.elements.itemsize

    def untyped(self) -> UntypedStorage:
        """The same memory as bytes."""
        return UntypedStorage(self.array)

    def __repr__(self) -> str:
        kind = f"dtype={self.dtype!r}, device=cpu"
        return f" {self._listed()}\n[torch.storage.TypedStorage({kind}) of size {self.size()}]"


UntypedStorage.__module__ = TypedStorage.__module__ = "torch.storage"


def typed_storage_warning() -> None:
    """PyTorch's warning that storages with a dtype go away, given once."""
    if TYPED not in _said:
        _said.add(TYPED)
        warnings.warn(TYPED, UserWarning, stacklevel=3)


def array_in(source: Storage, dtype: np.dtype[np.generic]) -> np.ndarray:
    """All whole elements of a storage in ``dtype``; a storage with a dtype keeps it."""
    if isinstance(source, TypedStorage):
        return source.elements
    whole = source.elements.size // dtype.itemsize * dtype.itemsize
    return source.elements[:whole].view(dtype)
