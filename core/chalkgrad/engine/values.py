"""From what a learner writes, numbers and nested lists, to an array of the dtype PyTorch would choose."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from chalkgrad.engine import memory_format, messages
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.device import check_device
from chalkgrad.engine.dtype import (
    DType,
    Number,
    bool_,
    cast,
    complex64,
    dtype_of,
    dtype_of_number,
    float64,
    from_numpy_dtype,
    get_default_dtype,
    int64,
    limits,
    promote_types,
)
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.size import Size
from chalkgrad.engine.warning import warn_once

DEEPEST = 128
"""More dimensions than this no tensor has."""

ARRAYS_IN_LIST = (
    "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a "
    "single numpy.ndarray with numpy.array() before converting to a tensor."
)
READ_ONLY = (
    "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to "
    "this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it "
    "writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program."
)
READ_ONLY_BUFFER = (
    "The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to "
    "the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its "
    "data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest "
    "of this program."
)
NEGATIVE_STRIDE = (
    "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
    "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
)


def values_of(data: Any, dtype: DType | None = None) -> np.ndarray:
    """``data`` as an array of ``dtype``, or of the dtype PyTorch infers for it; an array stays the same memory."""
    if isinstance(data, TensorBase):
        return data.array if dtype is None else cast(data.array, dtype)
    if isinstance(data, np.ndarray):
        found = array_of(data)
        return found if dtype is None else cast(found, dtype)
    if isinstance(data, str) or (isinstance(data, bytes) and dtype is None):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    shape = _sizes(data)
    wanted = _inferred(data) if dtype is None else dtype
    flat: list[Any] = []
    if 0 not in shape:
        _collect(data, shape, 0, flat)
    return _stored(flat, wanted).reshape(shape)


def array_of(array: np.ndarray, read_only: str = READ_ONLY) -> np.ndarray:
    """An array that a tensor can have as its memory, ``array`` itself; refused where PyTorch refuses it."""
    if any(stride < 0 for stride in array.strides):
        raise ValueError(NEGATIVE_STRIDE)
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion between byte orders is "
            "currently not supported."
        )
    from_numpy_dtype(array.dtype)
    if not array.flags.writeable:
        warn_once(read_only)
        array = array.copy()
    return array


def _is_sequence(value: Any) -> bool:
    """True for what has members by number, and is not a tensor, which counts as one number here."""
    if isinstance(value, list | tuple | range):
        return True
    if isinstance(value, TensorBase | dict | np.generic):
        return False
    return hasattr(value, "__getitem__") and hasattr(value, "__len__") and not isinstance(value, type)


def _sizes(data: Any) -> tuple[int, ...]:
    """The shape, as far as the first member of every level tells."""
    shape: list[int] = []
    while _is_sequence(data):
        shape.append(len(data))
        if len(shape) > DEEPEST:
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
        if not shape[-1]:
            break
        data = data[0]
        if isinstance(data, np.ndarray) and len(shape) == 1:
            warn_once(ARRAYS_IN_LIST)
    return tuple(shape)


def _inferred(value: Any) -> DType:
    """The dtype that holds all elements: their kind decides, floats are of the default dtype."""
    if isinstance(value, np.float64 | np.generic):
        return float64 if isinstance(value, np.float64) else from_numpy_dtype(value.dtype)
    if isinstance(value, bool | int | float):
        return dtype_of_number(value)
    if isinstance(value, complex):
        return complex64
    if isinstance(value, TensorBase | np.ndarray):
        array = value.array if isinstance(value, TensorBase) else value
        return dtype_of(array)
    if isinstance(value, str | bytes):
        raise TypeError(f"new(): invalid data type '{type(value).__name__}'")
    if not _is_sequence(value):
        raise RuntimeError(f"Could not infer dtype of {_type_title(type(value))}")
    if not len(value):
        return get_default_dtype()
    kinds = {type(member) for member in value}
    if kinds <= {bool, int, float}:
        return get_default_dtype() if float in kinds else dtype_of_number(0 if int in kinds else True)
    found = bool_
    for member in value:
        found = promote_types(found, _inferred(member))
    return found


def _type_title(kind: type) -> str:
    """A type's name; those written in C show their module too, if it is not Python's own."""
    in_c = not kind.__flags__ & 1 << 9
    return f"{kind.__module__}.{kind.__name__}" if in_c and kind.__module__ != "builtins" else kind.__name__


def _collect(data: Any, shape: tuple[int, ...], dim: int, flat: list[Any]) -> None:
    """Put all elements into ``flat``; ValueError where a sequence is not as long as the first of its level."""
    if dim == len(shape):
        flat.append(data)
        return
    has_members = hasattr(data, "__iter__") or hasattr(data, "__getitem__")
    if not has_members or (isinstance(data, TensorBase) and data.array.ndim == 0):
        raise TypeError("not a sequence")
    members = list(data)
    if len(members) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(members)})")
    if dim == len(shape) - 1:
        flat += members
        return
    for member in members:
        _collect(member, shape, dim + 1, flat)


def _stored(flat: list[Any], dtype: DType) -> np.ndarray:
    numpy = dtype.numpy
    if dtype.is_floating_point:
        return np.array([value if type(value) is float else _as_float(value) for value in flat], numpy)
    if dtype is bool_:
        return np.array([bool(value) if _is_number(value) else bool(_as_int(value)) for value in flat], numpy)
    least, most = limits(dtype)
    whole = [value if type(value) is int else _as_int(value, dtype) for value in flat]
    for number in whole:
        if not least <= number <= most:
            _check_range(number, dtype, dtype.name)
    return np.array([number & 255 for number in whole] if dtype.name == "uint8" else whole, numpy)


def _is_number(value: object) -> bool:
    return isinstance(value, bool | int | float | complex | np.generic)


def _as_float(value: Any) -> float:
    if isinstance(value, TensorBase):
        return float(_only(value))
    if isinstance(value, complex) or (not hasattr(value, "__float__") and not hasattr(value, "__index__")):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(value)


def _as_int(value: Any, dtype: DType = int64) -> int:
    """The number as an int, cut off; TypeError for what is none, RuntimeError for a float that is beyond ``dtype``."""
    if isinstance(value, TensorBase) and value.array.size == 1:
        value = value.array.item()
    if isinstance(value, float | np.floating):
        least, most = limits(dtype)
        if not least <= value <= most:
            raise RuntimeError(f"value cannot be converted to type {dtype.name} without overflow")
        return int(value)
    return operator.index(value)


def _only(tensor: TensorBase) -> Number:
    if requires_grad_of(tensor):
        warn_once(messages.TO_SCALAR)
    if tensor.array.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return tensor.item()


def _check_range(number: int, dtype: DType, title: str) -> None:
    """Raise where ``number`` can't become ``dtype``; negative numbers wrap around to unsigned ones."""
    if not -(1 << 63) <= number < 1 << 63:
        raise ValueError("Overflow when unpacking long long")
    if dtype.name != "uint8" or not -256 < number < 0:
        raise RuntimeError(f"value cannot be converted to type {title} without overflow")


_C_NAMES = {
    "uint8": "uint8_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int",
    "int64": "int64_t",
    "float32": "float",
}


def _too_large(dtype: DType) -> RuntimeError:
    return RuntimeError(f"value cannot be converted to type {_C_NAMES.get(dtype.name)} without overflow")


def check_fits(value: Number, dtype: DType) -> Number:
    """``value`` as it fills a tensor of ``dtype``; RuntimeError, as PyTorch words it, where it doesn't fit."""
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        raise OverflowError("int too big to convert")
    if dtype is bool_:
        return bool(value)
    if dtype.is_floating_point:
        if math.isfinite(value) and abs(value) > float(np.finfo(dtype.name).max):
            raise _too_large(dtype)
        return value
    least, most = limits(dtype)
    if not math.isfinite(value) or value > most:
        raise _too_large(dtype)
    if value < least and (dtype.name != "uint8" or isinstance(value, float) or value < -255):
        raise _too_large(dtype)
    return int(value) & 255 if dtype.name == "uint8" else int(value)


# torch.Tensor(...) and its kin


def shown_by(args: tuple[Any, ...], options: dict[str, Any]) -> TensorBase | None:
    """The tensor that such a constructor is given alone, and shows: PyTorch makes a view of it."""
    return args[0] if len(args) == 1 and not options and isinstance(args[0], TensorBase) else None


def legacy_values(args: tuple[Any, ...], options: dict[str, Any], dtype: DType | None = None) -> np.ndarray:
    """What ``torch.Tensor(...)`` holds: values, the memory of another tensor, or zeros of a shape."""
    wanted = dtype or get_default_dtype()
    rest = {name: value for name, value in options.items() if name != "device"}
    check_device(options.get("device"))
    only = args[0] if len(args) == 1 else None
    if isinstance(only, TensorBase) and not rest:
        return _shared(only.array, dtype)
    if rest:
        _LEGACY.parse(args, rest)
    if len(args) == 1 and isinstance(only, dict | type(None)):
        raise TypeError(f"new(): data must be a sequence (got {type(only).__name__})")
    if only is not None and not _is_index(only) and not isinstance(only, Size):
        if isinstance(only, np.ndarray):
            return np.array(values_of(only, wanted))
        if isinstance(only, str) or not _is_sequence(only):
            what = "data must be a sequence (got {})" if not isinstance(only, str) else "invalid data type '{}'"
            raise TypeError("new(): " + what.format(type(only).__name__))
        return values_of(only, wanted)
    if isinstance(only, Size) and not only:
        return np.zeros((), wanted.numpy)
    size = tuple(only) if isinstance(only, Size) else args
    shape: tuple[int, ...] = _LEGACY_SIZE.parse((size,), {})[1]["size"] if size else (0,)
    return memory_format.empty(shape, wanted.numpy)


def _shared(array: np.ndarray, dtype: DType | None) -> np.ndarray:
    """The same memory, for a tensor of the right dtype."""
    if dtype is not None and dtype.numpy != array.dtype:
        options = "device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), "
        options += "memory_format=(nullopt))"
        raise TypeError(
            f"expected TensorOptions(dtype={dtype.cpp}, {options} (got TensorOptions(dtype={dtype_of(array).cpp}, "
            f"{options})"
        )
    return array[...]


def _is_index(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


_LEGACY = Parser.of(
    "new(*, Device device=None)",
    "new(Storage storage)",
    "new(Tensor other)",
    "new(SymInt[] size, *, Device device=None)",
    "new(Any data, *, Device device=None)",
)
_LEGACY_SIZE = Parser.of("new(SymInt[] size)")
