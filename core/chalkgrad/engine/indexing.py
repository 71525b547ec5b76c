"""``x[...]`` and ``x[...] = v``: integers, slices, ``None`` and ``...``, as PyTorch breaks them up into views."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.size import brackets

END = (1 << 63) - 1

_ZERO_DIM = (
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim "
    "tensor to a number"
)


def read(tensor: Any, index: Any) -> Any:
    """``tensor[index]``: a view, recorded step by step."""
    if isinstance(index, slice):
        return _sliced(tensor, 0, index, always=True)
    found = part(tensor, index)
    return TENSORS.alias(found) if found is tensor else found


def part(tensor: Any, index: Any) -> Any:
    """The view that ``index`` means, ``tensor`` itself where it means everything."""
    steps = index if isinstance(index, tuple) else (index,)
    for step in steps:
        _check_kind(step)
    if isinstance(index, tuple) and _consumed(steps) > tensor.array.ndim:
        raise IndexError(f"too many indices for tensor of dimension {tensor.array.ndim}")
    dim = 0
    for place, step in enumerate(steps):
        if step is Ellipsis:
            dim += tensor.array.ndim - dim - _consumed(steps[place + 1 :])
        elif step is None:
            tensor, dim = TENSORS.unsqueeze(tensor, dim), dim + 1
        elif isinstance(step, slice):
            tensor, dim = _sliced(tensor, dim, step), dim + 1
        else:
            tensor = _selected(tensor, dim, step)
    return tensor


def write(tensor: Any, index: Any, value: Any) -> None:
    """``tensor[index] = value``: the view that ``index`` means is overwritten."""
    if not isinstance(value, TensorBase | bool | int | float | np.number | np.bool_):
        raise TypeError(f"can't assign a {type(value).__name__} to a torch.{tensor.dtype_title}Tensor")
    target = part(tensor, index)
    source = value if isinstance(value, TensorBase) else new_tensor(np.asarray(value, target.array.dtype))
    while source.array.ndim > target.array.ndim and source.array.shape[0] == 1:
        source = TENSORS.select(source, 0, 0)
    if source.array.ndim == 0:
        TENSORS.fill_tensor_(target, source)
        return
    if source.array.ndim > target.array.ndim:
        kind = "CPUBoolType" if source.dtype_title == "Bool" else f"torch.{source.dtype_title}Tensor"
        raise RuntimeError(
            f"expand({kind}{{{brackets(source.array.shape)}}}, "
            f"size={brackets(target.array.shape)}): the number of sizes provided ({target.array.ndim}) must be "
            f"greater or equal to the number of dimensions in the tensor ({source.array.ndim})"
        )
    if source.array.shape != target.array.shape:
        source = TENSORS.expand(source, tuple(target.array.shape))
    TENSORS.copy_(target, source)


def _check_kind(step: Any) -> None:
    if step is None or step is Ellipsis or isinstance(step, slice):
        return
    if isinstance(step, str):
        raise TypeError(f"new(): invalid data type '{type(step).__name__}'")
    if isinstance(step, float):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
            f"(got {type(step).__name__})"
        )
    if isinstance(step, bool | list | tuple | np.ndarray) or not hasattr(step, "__index__") or _has_dims(step):
        raise NotImplementedError("indexing with a list, a mask or a tensor of indices is not supported")


def _has_dims(step: Any) -> bool:
    return isinstance(step, TensorBase) and (step.array.ndim > 0 or step.array.dtype.kind == "b")


def _consumed(steps: tuple[Any, ...]) -> int:
    """How many dimensions ``steps`` use up."""
    return sum(1 for step in steps if step is not None and step is not Ellipsis)


def _selected(tensor: Any, dim: int, step: Any) -> Any:
    index = step.__index__()
    if tensor.array.ndim == 0 and index == 0:
        raise IndexError(_ZERO_DIM)
    size = tensor.array.shape[dim] if tensor.array.ndim else 0
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")
    return TENSORS.select(tensor, dim, index)


def _sliced(tensor: Any, dim: int, step: slice, always: bool = False) -> Any:
    if tensor.array.ndim == 0:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    stride = 1 if step.step is None else step.step.__index__()
    if stride <= 0:
        raise ValueError("step must be greater than zero")
    start = 0 if step.start is None else step.start.__index__()
    end = END if step.stop is None else step.stop.__index__()
    if not always and start == 0 and stride == 1 and end in (END, tensor.array.shape[dim]):
        return tensor
    return TENSORS.slice(tensor, dim, start, end, stride)
