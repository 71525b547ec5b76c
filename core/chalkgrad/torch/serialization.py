"""``torch.save`` and ``torch.load``, in a form of our own; a file that is read can only make plain values and tensors.

It is a pickle in which tensors that share their memory keep doing so. Reading never imports or calls what a file
names: only a short list of harmless classes is known, so that a file from anywhere may be opened.
"""

from __future__ import annotations

import io
import pickle
from collections import Counter, OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DTYPES, DType, dtype_named, dtype_of
from chalkgrad.engine.keeping import rebuild
from chalkgrad.engine.size import Size, size_of
from chalkgrad.engine.storage import as_strided, element_strides, owner, storage_offset, typed_elements
from chalkgrad.nn.parameter import Parameter

MAGIC = b"chalkgrad tensors 1\n"
NOT_OURS = "not a file that torch.save wrote here; files of PyTorch itself can't be read"

Part = tuple[str, bytes, tuple[int, ...], tuple[int, ...], int, bool, bool]


def part(*_: Any) -> Any:
    """Stands in a file for a tensor; :func:`load` alone knows how to make one."""
    raise pickle.UnpicklingError("tensors are read by torch.load")


class _Writer(pickle.Pickler):
    """Writes tensors as parts of memories, each memory once."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file, 4)
        self.memories: dict[int, tuple[Any, bytes]] = {}

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, TensorBase):
            return part, self._part(obj)
        return NotImplemented

    def _part(self, tensor: Any) -> Part:
        source = owner(tensor.array)
        if id(source) not in self.memories:
            self.memories[id(source)] = (source, typed_elements(tensor.array).tobytes())
        memory = self.memories[id(source)][1]
        array = tensor.array
        where = element_strides(array), storage_offset(array)
        kind = isinstance(tensor, Parameter)
        return (dtype_of(array).name, memory, array.shape, *where, tensor.requires_grad, kind)


class _Reader(pickle.Unpickler):
    """Reads plain values, tensors and the few classes in :data:`KNOWN`, and refuses everything else."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self.memories: dict[int, tuple[bytes, np.ndarray]] = {}

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in OURS:
            return getattr(self, OURS[module, name])
        if (module, name) in KNOWN:
            return KNOWN[module, name]
        raise pickle.UnpicklingError(
            f"Weights only load failed. Unsupported global: GLOBAL {module}.{name} was not an allowed global by "
            "default."
        )

    def _dtype(self, name: str) -> DType:
        return dtype_named(name)

    def _size(self, sizes: tuple[int, ...]) -> Size:
        return size_of(sizes)

    def _tensor(self, *values: Any) -> Any:
        if not _is_part(values):
            raise pickle.UnpicklingError("not what a tensor is written as")
        dtype, memory, shape, strides, offset, requires_grad, is_parameter = values
        if id(memory) not in self.memories:
            self.memories[id(memory)] = memory, np.frombuffer(bytearray(memory), dtype_named(dtype).numpy)
        elements = self.memories[id(memory)][1]
        last = offset + sum((size - 1) * step for size, step in zip(shape, strides, strict=True))
        if 0 not in shape and not (offset >= 0 and min(strides, default=0) >= 0 and last < elements.size):
            raise pickle.UnpicklingError("a tensor lies outside of its memory")
        array = np.empty(shape, elements.dtype) if 0 in shape else as_strided(elements, shape, strides, offset)
        if is_parameter:
            return Parameter(rebuild(None, array, False, {}), requires_grad)
        return rebuild(None, array, requires_grad, {})


KNOWN: dict[tuple[str, str], Callable[..., Any]] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("collections", "Counter"): Counter,
    ("builtins", "set"): set,
    ("builtins", "frozenset"): frozenset,
    ("builtins", "slice"): slice,
    ("builtins", "complex"): complex,
    ("builtins", "bytearray"): bytearray,
}
"""The classes that a file may name."""

OURS: dict[tuple[str, str], str] = {
    (part.__module__, part.__name__): "_tensor",
    (dtype_named.__module__, dtype_named.__name__): "_dtype",
    (size_of.__module__, size_of.__name__): "_size",
}
"""What of ours it may name, and the method of the reader that it gets: a file can set attributes of what it gets."""


def _is_part(values: tuple[Any, ...]) -> bool:
    """True for a :data:`Part`, whole numbers being Python's own: others might come round in their arithmetic."""
    if len(values) != 7:
        return False
    dtype, memory, shape, strides, offset, *flags = values
    if type(dtype) is not str or dtype not in DTYPES or type(memory) is not bytes or type(offset) is not int:
        return False
    if not all(type(sizes) is tuple and all(type(size) is int for size in sizes) for sizes in (shape, strides)):
        return False
    if dtype == "bool" and memory.strip(b"\x00\x01"):
        return False
    fits = len(shape) == len(strides) and min(shape, default=0) >= 0 and len(memory) % DTYPES[dtype].itemsize == 0
    return fits and all(type(flag) is bool for flag in flags)


def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2, **_: Any) -> None:
    """Write ``obj``, tensors in any nesting of plain values, to a file or a path."""
    if isinstance(f, str | Path):
        folder = Path(f).parent
        if not folder.is_dir():
            raise RuntimeError(f"Parent directory {folder} does not exist.")
        with open(f, "wb") as file:
            save(obj, file)
        return
    if not hasattr(f, "write"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")
    f.write(MAGIC)
    _Writer(f).dump(obj)


def _check_seekable(f: Any) -> None:
    for name in ("seek", "tell"):
        if not hasattr(f, name):
            raise AttributeError(
                f"'{type(f).__name__}' object has no attribute '{name}'. You can only torch.load from a file that is "
                "seekable. Please pre-load the data into a buffer like io.BytesIO and try to load from it instead."
            )


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: bool | None = None, **_: Any
) -> Any:
    """What :func:`save` wrote; ``pickle.UnpicklingError`` for a file that holds anything but values and tensors."""
    if isinstance(f, str | Path):
        with open(f, "rb") as file:
            return load(file)
    _check_seekable(f)
    if f.read(len(MAGIC)) != MAGIC:
        raise pickle.UnpicklingError(NOT_OURS)
    return _Reader(io.BytesIO(f.read())).load()


__all__ = ["load", "save"]
