"""``x[...]`` and ``x[...] = v``: as PyTorch breaks an index up into views, and what is left for tensors of indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.dtype import from_numpy_dtype
from chalkgrad.engine.lineage import grad_fn_of
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.saved import TensorList
from chalkgrad.engine.shapes import refuse_expand
from chalkgrad.engine.values import check_fits
from chalkgrad.engine.warning import warn

END = (1 << 63) - 1

_ZERO_DIM = (
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim "
    "tensor to a number"
)
_AS_TUPLE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
    "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], "
    "which will result either in an error or a different result"
)
_LONG_SEQUENCE = 32


def read(tensor: Any, index: Any) -> Any:
    """``tensor[index]``: a view, recorded step by step, or a copy where tensors say which elements."""
    if isinstance(index, slice):
        return _sliced(tensor, 0, index, always=True)
    found, indices = parts(tensor, index)
    if indices:
        return TENSORS.index(found, TensorList(indices))
    return TENSORS.alias(found) if found is tensor else found


def write(tensor: Any, index: Any, value: Any) -> None:
    """``tensor[index] = value``: the elements that ``index`` means are overwritten."""
    if not isinstance(value, TensorBase | bool | int | float | np.number | np.bool_):
        raise TypeError(f"can't assign a {type(value).__name__} to a torch.{tensor.dtype_title}Tensor")
    if index is False:
        return
    target, indices = (TENSORS.unsqueeze(tensor, 0), []) if index is True else parts(tensor, index)
    source = value if isinstance(value, TensorBase) else _number(value, tensor.array.dtype)
    if indices:
        TENSORS.put_indexed_(target, TensorList(indices), _without_leading_ones(source))
    else:
        _copy(target, source)


def _number(value: Any, dtype: np.dtype) -> TensorBase:
    """A number as a tensor of ``dtype``, which must be able to hold it."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, int) and not -(1 << 63) <= plain < 1 << 63:
        raise ValueError("Overflow when unpacking long long")
    return new_tensor(np.asarray(check_fits(plain, from_numpy_dtype(dtype)), dtype))


def _without_leading_ones(source: Any) -> Any:
    count = _leading_ones(source)
    return TENSORS.view(source, source.array.shape[count:]) if count else source


def _leading_ones(source: Any) -> int:
    sizes = source.array.shape
    return next((place for place, size in enumerate(sizes) if size != 1), len(sizes))


def _copy(target: Any, source: Any) -> None:
    """Overwrite the view ``target``, broadcasting ``source``."""
    if source.array.ndim == 0 and target.array.ndim:
        TENSORS.fill_tensor_(target, source)
        return
    if source.array.shape != target.array.shape:
        source = TENSORS.view(source, source.array.shape[_leading_ones(source) :])
    if source.array.ndim > target.array.ndim:
        raise refuse_expand(source.array, target.array.shape)
    if source.array.shape != target.array.shape:
        source = TENSORS.expand(source, tuple(target.array.shape))
    TENSORS.copy_(target, source)


# An index taken apart


def parts(tensor: Any, index: Any) -> tuple[Any, list[Any]]:
    """The view that the plain steps of ``index`` mean, and the tensors of indices by dimension of that view."""
    steps = _steps(index)
    one_number = not isinstance(index, tuple | TensorBase) and _is_integer(steps[0])
    if _consumed(steps) > tensor.array.ndim and not one_number:
        raise IndexError(f"too many indices for tensor of dimension {tensor.array.ndim}")
    dim, indices = 0, _Indices()
    for place, step in enumerate(steps):
        if step is Ellipsis:
            dim += tensor.array.ndim - dim - _consumed(steps[place + 1 :])
        elif step is None:
            tensor, dim = TENSORS.unsqueeze(tensor, dim), dim + 1
        elif isinstance(step, slice):
            tensor, dim = _sliced(tensor, dim, step), dim + 1
        elif _is_truth(step):
            tensor = TENSORS.unsqueeze(tensor, dim)
            dim = indices.put(dim, new_tensor(np.zeros(1 if step else 0, np.int64)))
        elif isinstance(step, TensorBase) and not _is_integer(step):
            dim = indices.put(dim, step)
        else:
            tensor = _selected(tensor, dim, step, place)
    return tensor, indices


class _Indices(list[Any]):
    """Tensors of indices in the order of the dimensions they stand for; a mask stands for several."""

    def __init__(self) -> None:
        super().__init__()
        self.covered = 0

    def put(self, dim: int, index: TensorBase) -> int:
        """Let ``index`` stand for ``dim`` and what else it covers; the next dimension."""
        self += [None] * (dim - self.covered)
        self.append(index)
        self.covered = dim + _dims_of(index)
        return self.covered


def _steps(index: Any) -> tuple[Any, ...]:
    """The steps of an index, lists and arrays of indices made tensors."""
    if isinstance(index, tuple):
        return tuple([_step(step) for step in index])
    if _means_tuple(index):
        warn(_AS_TUPLE)
        return tuple([_step(step) for step in index])
    return (_step(index),)


def _means_tuple(index: Any) -> bool:
    """True for short sequences with anything in them that is no plain number."""
    if isinstance(index, TensorBase | np.ndarray) or not _is_sequence(index) or len(index) >= _LONG_SEQUENCE:
        return False
    return any(
        member is None or member is Ellipsis or isinstance(member, slice | TensorBase) or _is_sequence(member)
        for member in index
    )


def _is_sequence(value: object) -> bool:
    return hasattr(value, "__getitem__") and hasattr(value, "__len__") and not isinstance(value, dict)


def _step(step: Any) -> Any:
    """One step, a sequence or an array made a tensor; IndexError for what is no index."""
    if step is None or step is Ellipsis or isinstance(step, slice | bool | int | TensorBase | np.integer):
        return step
    if isinstance(step, str):
        raise TypeError(f"new(): invalid data type '{type(step).__name__}'")
    if isinstance(step, np.ndarray):
        return new_tensor(step) if step.dtype.kind in "biu" else new_tensor(step.astype(np.int64))
    if _is_sequence(step):
        return new_tensor(_index_array(step))
    if hasattr(step, "__index__"):
        return step.__index__()
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
        f"(got {type(step).__name__})"
    )


def _index_array(sequence: Any) -> np.ndarray:
    """The indices that a sequence of numbers means: bools stay a mask, all else becomes whole numbers."""
    values = np.asarray([member.array if isinstance(member, TensorBase) else member for member in sequence])
    return values if values.dtype.kind == "b" and values.size else values.astype(np.int64)


def _is_integer(step: Any) -> bool:
    """True for what selects one place of a dimension."""
    if isinstance(step, TensorBase):
        return step.array.ndim == 0 and step.array.dtype.kind in "iu" and step.array.dtype != np.uint8
    return isinstance(step, int | np.integer) and not isinstance(step, bool)


def _is_truth(step: Any) -> bool:
    """True for a bool, also as a tensor without dimensions."""
    if isinstance(step, TensorBase):
        return step.array.ndim == 0 and (step.array.dtype.kind == "b" or step.array.dtype == np.uint8)
    return isinstance(step, bool)


def _consumed(steps: tuple[Any, ...]) -> int:
    """How many dimensions ``steps`` use up."""
    return sum([_dims_of(step) for step in steps])


def _dims_of(step: Any) -> int:
    if step is None or step is Ellipsis or _is_truth(step):
        return 0
    is_mask = isinstance(step, TensorBase) and (step.array.dtype.kind == "b" or step.array.dtype == np.uint8)
    return int(step.array.ndim) if is_mask else 1


def _selected(tensor: Any, dim: int, step: Any, place: int) -> Any:
    """The part at one place of ``dim``; errors name ``place``, the number of the step, as PyTorch's do."""
    index = step.__index__()
    if tensor.array.ndim == 0 and index == 0:
        raise IndexError(_ZERO_DIM)
    size = tensor.array.shape[dim] if tensor.array.ndim else 0
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {place} with size {size}")
    return TENSORS.select(tensor, dim, index)


def _sliced(tensor: Any, dim: int, step: slice, always: bool = False) -> Any:
    if tensor.array.ndim == 0:
        grad_fn_of(tensor)  # a view that may not be read any more says so first
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    stride = 1 if step.step is None else _slice_index(step.step)
    if stride == 0:
        raise ValueError("slice step cannot be zero")
    start = 0 if step.start is None else _slice_index(step.start)
    end = END if step.stop is None else _slice_index(step.stop)
    if stride < 0:
        raise ValueError("step must be greater than zero")
    if not always and start == 0 and stride == 1 and end >= tensor.array.shape[dim]:
        return tensor
    return TENSORS.slice(tensor, dim, start, end, stride)


def _slice_index(value: Any) -> int:
    if not hasattr(value, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return int(value.__index__())
