"""Shape rules that several operators share, with PyTorch's errors, and broadcasting undone."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING, Any

from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.size import brackets

if TYPE_CHECKING:
    from chalkgrad.engine.rules import Operators

Shape = tuple[int, ...]

COUNTLESS = "numel: integer multiplication overflow"
"""What PyTorch says of sizes below 0 where it counts the elements first."""


def same(self: Shape, /, **_: Any) -> Shape:
    """The shape of a pointwise operator of one tensor."""
    return self


def broadcast(self: Shape, other: Shape, /, **_: Any) -> Shape:
    """The shape of a pointwise operator of two tensors; RuntimeError where sizes don't match."""
    if self == other:
        return self
    size = max(len(self), len(other))
    left, right = (1,) * (size - len(self)) + self, (1,) * (size - len(other)) + other
    for axis in range(size - 1, -1, -1):
        if left[axis] != right[axis] and left[axis] != 1 and right[axis] != 1:
            raise RuntimeError(
                f"The size of tensor a ({left[axis]}) must match the size of tensor b ({right[axis]}) "
                f"at non-singleton dimension {axis}"
            )
    return tuple(b if a == 1 else a for a, b in zip(left, right, strict=True))


def broadcast_all(*shapes: Shape, **_: Any) -> Shape:
    """The shape of a pointwise operator of several tensors, absent ones (None) left out; refused like two."""
    result: Shape = ()
    for shape in shapes:
        if shape is not None:
            result = broadcast(result, shape)
    return result


_NUMPYS = "operands could not be broadcast together with shapes "


def refused_by_numpy(error: ValueError) -> Exception:
    """What ``error`` is for PyTorch where an operator of ours asked NumPy to broadcast what can't be; else itself."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    ours = trace is not None and str(trace.tb_frame.f_globals.get("__name__")).startswith("chalkgrad.")
    if not ours or not str(error).startswith(_NUMPYS):
        return error
    shapes = re.findall(r"\(([\d,]*)\)", str(error))
    try:
        broadcast_all(*[tuple([int(size) for size in shape.split(",") if size]) for shape in shapes])
    except RuntimeError as refusal:
        return refusal
    return error


def wrap_dim(dim: int, ndim: int) -> int:
    """``dim`` counted from the front; IndexError where the tensor has no such dimension."""
    count = max(ndim, 1)
    if not -count <= dim < count:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-count}, {count - 1}], but got {dim})")
    return dim % count


def size_at(shape: Shape, dim: int) -> int:
    """The size of one dimension; IndexError where there is none such."""
    if not shape:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return shape[wrap_dim(dim, len(shape))]


def wrap_dims(dim: int | Shape | None, ndim: int) -> Shape:
    """All dims named, counted from the front; all of the tensor's for None or an empty tuple."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    dims = tuple([wrap_dim(one, ndim) for one in (dim if isinstance(dim, tuple) else (dim,))])
    if len(dims) > 1:
        for index, one in enumerate(dims):
            if one in dims[:index]:
                raise RuntimeError(f"dim {one} appears multiple times in the list of dims")
    return dims if ndim else ()


def along(self: Shape, dim: int, **_: Any) -> Shape:
    """The shape of what keeps its shape and needs a dimension to go along."""
    wrap_dim(dim, len(self))
    return self


def reduced(self: Shape, dim: int | Shape | None = None, keepdim: bool = False, **_: Any) -> Shape:
    """The shape left when ``dim`` are summed away."""
    dims = wrap_dims(dim, len(self))
    if keepdim:
        return tuple(1 if axis in dims else size for axis, size in enumerate(self))
    return tuple(size for axis, size in enumerate(self) if axis not in dims)


def inferred(self: Shape, shape: Shape) -> Shape:
    """``shape`` with its -1 worked out; RuntimeError when the number of elements differs."""
    total = prod(self)
    if prod(shape) == total and (not shape or min(shape) > 0):
        return shape
    known = 1
    for size in shape:
        if size < -1:
            raise RuntimeError(
                f"invalid shape dimension {size} at index {shape.index(size)} of shape {brackets(shape)}"
            )
        known *= 1 if size == -1 else size
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if -1 in shape:
        if known == 0 and total == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {brackets(shape)} because the unspecified dimension "
                f"size -1 can be any value and is ambiguous"
            )
        if known == 0 or total % known:
            raise RuntimeError(f"shape '{brackets(shape)}' is invalid for input of size {total}")
        return tuple(total // known if size == -1 else size for size in shape)
    if known != total:
        raise RuntimeError(f"shape '{brackets(shape)}' is invalid for input of size {total}")
    return shape


def is_expandable(shape: Shape, to: Shape) -> bool:
    """True when a tensor of ``shape`` broadcasts to ``to``."""
    lead = len(to) - len(shape)
    if lead < 0:
        return False
    return to[lead:] == shape or all(have in (1, wanted) for have, wanted in zip(shape, to[lead:], strict=True))


def refuse_expand(array: Any, to: Shape) -> RuntimeError:
    """PyTorch's error for an array of more dimensions than the shape that it is to be expanded to."""
    return RuntimeError(
        f"expand({dtype_of(array).tensor_type}{{{brackets(array.shape)}}}, size={brackets(to)}): the number of sizes "
        f"provided ({len(to)}) must be greater or equal to the number of dimensions in the tensor ({array.ndim})"
    )


def sum_to(o: Operators, g: Any, shape: Shape) -> Any:
    """``g``, an array or a tensor, summed over what broadcasting had spread, back to ``shape``."""
    have = tuple(g.shape)
    if have == shape:
        return g
    if not shape:
        return o.sum_all(g)
    lead = len(have) - len(shape)
    spread = [axis for axis in range(lead, len(have)) if shape[axis - lead] == 1 and have[axis] != 1]
    dims = (*range(lead), *spread)
    summed = o.sum_dim(g, dims, True) if dims else g
    return o.view(summed, shape) if lead else summed


def check_reach(size: Shape, stride: Shape, offset: int, itemsize: int, there: int) -> None:
    """RuntimeError for elements that lie beyond the ``there`` bytes of a storage."""
    reach = sum((length - 1) * step for length, step in zip(size, stride, strict=True)) + 1
    needed = (offset + reach) * itemsize
    if 0 not in size and needed > there:
        raise RuntimeError(
            f"setStorage: sizes {brackets(size)}, strides {brackets(stride)}, storage offset {offset}, and itemsize "
            f"{itemsize} requiring a storage size of {needed} are out of bounds for storage of size {there}"
        )
