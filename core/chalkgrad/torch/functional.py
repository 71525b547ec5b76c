"""PyTorch's functions that are written in Python, with Python's signatures."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.parameter import type_name
from chalkgrad.engine.record import OPS
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.size import broadcast_shapes
from chalkgrad.engine.spelling import function
from chalkgrad.engine.tensor import Tensor
from chalkgrad.engine.warning import warn_once
from chalkgrad.ops.central_differences import gradient as _slopes
from chalkgrad.ops.create import tensor as _tensor
from chalkgrad.ops.distinct import unique, unique_consecutive
from chalkgrad.ops.norms import norm
from chalkgrad.ops.stacking import at_least_1d, at_least_2d, at_least_3d

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "cdist",
    "chain_matmul",
    "einsum",
    "gradient",
    "meshgrid",
    "norm",
    "split",
    "tensordot",
    "unique",
    "unique_consecutive",
    "unravel_index",
]


def _listed(name: str, tensors: Sequence[Any]) -> tuple[Tensor, ...]:
    """``tensors`` if they are that, with the parser's TypeError otherwise."""
    found: tuple[Tensor, ...] = _LISTS[name].parse((tensors,), {})[1]["tensors"]
    return found


_einsum, _tensordot, _chain_matmul, _cdist, _block_diag = (
    function(OPS[name]) for name in ("einsum", "tensordot", "chain_matmul", "cdist", "block_diag")
)
_LISTS = {
    name: Parser.of(f"{name}(Tensor[] tensors)")
    for name in ("broadcast_tensors", "block_diag", "cartesian_prod", "meshgrid")
}


# Shapes made alike


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """``tensors``, those expanded that don't have the one shape that all broadcast to; views."""
    shape: tuple[int, ...] = ()
    for tensor in _listed("broadcast_tensors", tensors):
        shape = broadcast(shape, tensor.array.shape)
    return tuple(tensor if tensor.array.shape == shape else TENSORS.expand(tensor, shape) for tensor in tensors)


def _at_least(number: int, make: Any) -> Any:
    name = f"atleast_{number}d"
    parser = Parser.of(f"{name}(Tensor input)", f"{name}(Tensor[] tensors)")

    def function(*tensors: Any) -> Any:
        given = tensors[0] if len(tensors) == 1 else tensors
        _, values = parser.parse((given,), {})
        if "input" in values:
            return make(TENSORS, values["input"])
        return tuple(make(TENSORS, tensor) for tensor in values["tensors"])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Views of the tensors with at least {number} dimensions."
    return function


atleast_1d, atleast_2d, atleast_3d = (
    _at_least(1, at_least_1d),
    _at_least(2, at_least_2d),
    _at_least(3, at_least_3d),
)


# Taken apart and put together


def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """``tensor`` in pieces along ``dim``, all of one size or of the sizes given; views."""
    pieces: tuple[Tensor, ...] = tensor.split(split_size_or_sections, dim)
    return pieces


def block_diag(*tensors: Tensor) -> Tensor:
    """The matrix that has ``tensors`` of up to 2 dimensions along its diagonal."""
    given = _listed("block_diag", tensors)
    if not given:
        return _tensor([[]])
    result: Tensor = _block_diag(given)
    return result


_GRADIENT = Parser.of(
    "gradient(Tensor input, *, int[] dim, int edge_order=1)",
    "gradient(Tensor input, *, Scalar spacing, int[] dim, int edge_order=1)",
    "gradient(Tensor input, *, Scalar? spacing=None, int? dim=None, int edge_order=1)",
    "gradient(Tensor input, *, Scalar[] spacing, int? dim=None, int edge_order=1)",
    "gradient(Tensor input, *, Scalar[] spacing, int[] dim, int edge_order=1)",
    "gradient(Tensor input, *, Tensor[] spacing, int? dim=None, int edge_order=1)",
    "gradient(Tensor input, *, Tensor[] spacing, int[] dim, int edge_order=1)",
)


def gradient(*args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
    """Slopes along dimensions, estimated from neighbours that are one step apart, or at given coordinates."""
    _, values = _GRADIENT.parse(args, kwargs)
    tensor = values.pop("input")
    if isinstance(values.get("spacing"), tuple):
        return _slopes(TENSORS, tensor, **values)
    found: tuple[Tensor, ...] = TENSORS.gradient(tensor, **values)
    return found


def unravel_index(indices: Tensor, shape: int | Sequence[int]) -> tuple[Tensor, ...]:
    """For each dimension of ``shape``, the coordinates of the elements numbered ``indices``."""
    if indices.dtype.is_floating_point or indices.array.dtype.kind == "b":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, int | Sequence):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(size)}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {sizes}")
    steps = [*itertools.accumulate((1, *reversed(sizes[1:])), operator.mul)][::-1] if sizes else [1]
    places = indices.unsqueeze(-1).floor_divide(_tensor(steps)) % _tensor(list(sizes))
    coordinates: tuple[Tensor, ...] = places.unbind(-1)
    return coordinates


# Grids

_INDEXING = (
    "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument. (Triggered internally "
    "at /__w/pytorch/pytorch/aten/src/ATen/native/TensorShape.cpp:4215.)"
)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinates on the grid that vectors span, one tensor for each; ``indexing`` is ``"ij"`` or ``"xy"``."""
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], list | tuple) else tensors
    if indexing is not None and not isinstance(indexing, str):
        raise TypeError(f"meshgrid(): argument 'indexing' must be str, not {type_name(indexing)}")
    return _grid(_listed("meshgrid", given), indexing)


def _grid(tensors: tuple[Tensor, ...], indexing: str | None) -> tuple[Tensor, ...]:
    if indexing is None:
        warn_once(_INDEXING)
    _check_grid(tensors, indexing)
    order = list(range(len(tensors)))
    if indexing == "xy" and len(order) > 1:
        order[:2] = 1, 0
    shape = tuple(tensors[place].array.size for place in order)
    found = []
    for place, tensor in enumerate(tensors):
        thin = [1] * len(order)
        thin[order.index(place)] = tensor.array.size
        found.append(TENSORS.expand(TENSORS.view(tensor, tuple(thin)), shape))
    return tuple(found)


def _check_grid(tensors: tuple[Tensor, ...], indexing: str | None) -> None:
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if any(tensor.array.dtype != tensors[0].array.dtype for tensor in tensors):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    for tensor in tensors:
        if tensor.array.ndim > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {tensor!r}")
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All combinations of one element of each vector, as rows."""
    given = _listed("cartesian_prod", tensors)
    for tensor in given:
        if tensor.array.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(tensor.array.shape)}")
    if len(given) == 1:
        return given[0]
    result: Tensor = TENSORS.stack([TENSORS.flatten(grid) for grid in _grid(given, "ij")], 1)
    return result


# Products


def einsum(*args: Any) -> Tensor:
    """``einsum(equation, *operands)``, or operands and lists of subscript numbers in turn."""
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its "
            "subscripts list"
        )
    if isinstance(args[0], TensorBase):
        equation, operands = _equation(args)
    else:
        equation, operands = args[0], args[1:]
    if len(operands) == 1 and isinstance(operands[0], list | tuple):
        return einsum(equation, *operands[0])
    result: Tensor = _einsum(equation, operands)
    return result


def _equation(args: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """The equation that lists of numbers after each operand mean, and the operands."""
    pairs = len(args) // 2 * 2
    equation = ",".join(_subscripts(numbers) for numbers in args[1:pairs:2])
    if len(args) % 2:
        equation += "->" + _subscripts(args[-1])
    return equation, args[:pairs:2]


def _subscripts(numbers: Sequence[Any]) -> str:
    text = ""
    for number in numbers:
        if number is Ellipsis:
            text += "..."
        elif number >= 0 and number < 52:
            text += chr(ord("A") + number) if number < 26 else chr(ord("a") + number - 26)
        else:
            raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return text


def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """The sum over the last ``dims`` dimensions of ``a`` and the first of ``b``, or over two lists of dimensions."""
    if not isinstance(dims, tuple | list | TensorBase | int):
        raise RuntimeError(
            "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, "
            f"but got dims={dims}"
        )
    dims_a, dims_b = dims if isinstance(dims, tuple | list) else _counted(a, b, dims)
    result: Tensor = _tensordot(a, b, list(dims_a), list(dims_b), **({} if out is None else {"out": out}))
    return result


def _counted(a: Tensor, b: Tensor, dims: Any) -> tuple[list[int], list[int]]:
    if isinstance(dims, TensorBase) and dims.array.size > 1:
        if dims.array.shape[0] != 2:
            raise AssertionError(f"dims tensor must have size 2 in first dimension, got {dims.array.shape[0]}")
        first, second = dims.array.tolist()
        return first, second
    number = int(dims.item()) if isinstance(dims, TensorBase) else dims
    if number < 0:
        raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
    if not isinstance(dims, TensorBase) and number > min(a.array.ndim, b.array.ndim):
        raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    return list(range(-number, 0)), list(range(number))


def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of several matrices, in the order that takes the fewest multiplications."""
    result: Tensor = _chain_matmul(matrices, **({} if out is None else {"out": out}))
    return result


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """The distances, in the norm ``p``, between all rows of ``x1`` and all rows of ``x2``."""
    modes = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")
    if compute_mode not in modes:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    mode = modes.index(compute_mode)
    result: Tensor = _cdist(x1, x2, p, mode or None)
    return result
