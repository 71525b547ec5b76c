"""Results for which there is no room in memory, and what PyTorch says of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.memory_format import check_size, out_of_memory
from chalkgrad.engine.plans import Plan
from chalkgrad.engine.shapes import COUNTLESS


def shape_of(value: Any) -> Any:
    """The sizes of an array, none for a number; None for an input that isn't there."""
    return value.shape if isinstance(value, np.ndarray) else None if value is None else ()


def without_room(plan: Plan, inputs: tuple[Any, ...], attributes: dict[str, Any], error: Exception) -> Exception:
    """The ``error`` of a forward; where NumPy had no room for it, what PyTorch says of the size of the result."""
    if not isinstance(error, MemoryError) and not str(error).startswith(("array is too big", "Maximum allowed dim")):
        return error
    arrays = [x.array for x in inputs if isinstance(x, TensorBase)]
    if plan.record.shape is not None and arrays:
        shapes = [x.array.shape if isinstance(x, TensorBase) else shape_of(x) for x in inputs]
        shape = plan.record.shape(shapes, **attributes) if plan.variadic else plan.record.shape(*shapes, **attributes)
        if plan.view:
            return RuntimeError(COUNTLESS) if math.prod(shape) >= 1 << 63 else error
        try:
            check_size(shape, arrays[0].itemsize)
        except RuntimeError as told:
            return told
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    return error if shape is None or dtype is None else out_of_memory(math.prod(shape) * dtype.itemsize)
