"""From what a learner writes, numbers and nested lists, to an array of the dtype PyTorch would choose."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import (
    DType,
    bool_,
    dtype_of,
    dtype_of_number,
    float64,
    from_numpy_dtype,
    get_default_dtype,
    promote_types,
)


def values_of(data: Any, dtype: DType | None = None) -> np.ndarray:
    """``data`` as an array of ``dtype``, or of the dtype PyTorch infers for it."""
    if isinstance(data, TensorBase):
        return data.array if dtype is None else data.array.astype(dtype.numpy)
    if isinstance(data, np.ndarray | np.generic):
        array = np.asarray(data)
        return array.astype((from_numpy_dtype(array.dtype) if dtype is None else dtype).numpy, copy=False)
    shape, flat = _flattened(data)
    wanted = _inferred(flat) if dtype is None else dtype
    numbers = [value.item() if isinstance(value, TensorBase) else value for value in flat]
    return _filled(numbers, wanted).reshape(shape)


def _flattened(data: Any) -> tuple[tuple[int, ...], list[Any]]:
    """Shape and elements of nested sequences; ValueError where they are ragged."""
    shape: list[int] = []
    level = [data]
    while _is_sequence(level[0]):
        length = len(level[0])
        for member in level:
            if not _is_sequence(member):
                raise TypeError(f"'{type(member).__name__}' object is not a sequence")
            if len(member) != length:
                raise ValueError(f"expected sequence of length {length} at dim {len(shape)} (got {len(member)})")
        shape.append(length)
        level = [element for member in level for element in member]
        if not level:
            return tuple(shape), []
    for element in level:
        _check_element(element, bool(shape))
    return tuple(shape), level


def _is_sequence(value: Any) -> bool:
    return isinstance(value, list | tuple | range) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _check_element(element: Any, nested: bool) -> None:
    if isinstance(element, TensorBase):
        if element.array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return
    if isinstance(element, str):
        if nested:
            raise ValueError("too many dimensions 'str'")
        raise TypeError(f"new(): invalid data type '{type(element).__name__}'")
    if _is_sequence(element):
        raise TypeError(f"'{type(element).__name__}' object cannot be interpreted as an integer")
    if not isinstance(element, bool | int | float | np.number | np.bool_):
        raise RuntimeError(f"Could not infer dtype of {type(element).__name__}")


def _inferred(flat: list[Any]) -> DType:
    """The dtype that holds all elements: their kind decides, floats are of the default dtype."""
    if not flat:
        return get_default_dtype()
    found = bool_
    for value in flat:
        if isinstance(value, TensorBase):
            found = promote_types(found, dtype_of(value.array))
        elif isinstance(value, np.float64):
            found = promote_types(found, float64)
        elif isinstance(value, np.generic):
            found = promote_types(found, from_numpy_dtype(value.dtype))
        else:
            found = promote_types(found, dtype_of_number(value))
    return found


def _filled(numbers: list[Any], dtype: DType) -> np.ndarray:
    if dtype.is_floating_point:
        return np.array(numbers, dtype.numpy)
    if dtype is bool_:
        return np.array([bool(number) for number in numbers], dtype.numpy)
    whole = [int(number) for number in numbers]
    if any(not -(1 << 63) <= number < 1 << 63 for number in whole):
        raise ValueError("Overflow when unpacking long long")
    limits = np.iinfo(dtype.name)
    if any(not limits.min <= number <= limits.max for number in whole):
        raise RuntimeError(f"value cannot be converted to type {_c_name(dtype)} without overflow")
    return np.array(whole, dtype.numpy)


def _c_name(dtype: DType) -> str:
    return {"uint8": "uint8", "int8": "int8", "int16": "int16_t", "int32": "int32_t"}.get(dtype.name, dtype.name)
