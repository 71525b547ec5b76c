"""A tensor's elements several times: laid beside each other, or each one after itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.memory_format import check_size
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import size_at, wrap_dim
from chalkgrad.ops.composing import array_in, through, written_zeros
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, V3, S

Shape = tuple[int, ...]

_FEW = "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"


def _repeated(self: Shape, repeats: Shape) -> Shape:
    lead = len(repeats) - len(self)
    if lead < 0:
        raise RuntimeError(_FEW)
    shape = tuple(size * times for size, times in zip((1,) * lead + self, repeats, strict=True))
    if any(size < 0 for size in shape):
        check_size(shape, 1)
    return shape


def _copies(self: np.ndarray, repeats: Shape) -> np.ndarray:
    """The array side by side with itself; where that is nothing, NumPy would show the memory of ``self``."""
    shape = _repeated(self.shape, repeats)
    check_size(shape, self.itemsize)
    return np.asarray(np.tile(self, repeats), order="C") if 0 not in shape else np.empty(shape, self.dtype)


def _repeat_gradient(o: Any, g: Any, sizes: Shape, repeats: Shape) -> Any:
    """The copies' gradients added up."""
    if 0 in repeats:
        return written_zeros(o, g, sizes)
    lead = len(repeats) - len(sizes)
    for _ in range(lead):
        g = o.sum(g, (0,), False)
    shape: list[int] = []
    copies: list[int] = []
    for size, times in zip(sizes, repeats[lead:], strict=True):
        if times != 1:
            copies.append(len(shape))
            shape.append(times)
        shape.append(size)
    return o.sum(o.reshape(g, tuple(shape)), tuple(copies), False) if copies else g


register(
    Record(
        name="repeat",
        inputs=("self",),
        attributes=(Attribute("repeats", "size", required=True),),
        promotes="none",
        forward=_copies,
        vjps={"self": lambda o, g, self_sym_sizes, repeats: _repeat_gradient(o, g, self_sym_sizes, repeats)},
        grad_fn="RepeatBackward0",
        fills=lambda repeats: (0 in repeats,),
        method="repeat",
        signatures=("Tensor.repeat(SymInt[] repeats)",),
        style="method",
        shape=_repeated,
        section="shape",
        latex=r"\operatorname{repeat}(\self)",
        derivatives={"self": r"\sum g"},
        samples=(((V3, (2,)), {}), ((M23, (2, 1, 2)), {}), ((S, (3,)), {})),
        bad_samples=(((M23, (2,)), {}, "RuntimeError", _FEW),),
    )
)


def _tile(o: Any, self: Any, dims: Shape) -> Any:
    return o.repeat(self, (1,) * (len(self.shape) - len(dims)) + dims)


register(
    Record(
        name="tile",
        inputs=("self",),
        attributes=(Attribute("dims", "size", required=True),),
        promotes="none",
        forward=through(_tile),
        compose=_tile,
        function="torch.tile",
        method="tile",
        signatures=("tile(Tensor input, SymInt[] dims)",),
        style="method",
        section="shape",
        hidden=True,
        part_of="repeat",
        samples=(((M23, (2,)), {}),),
    )
)


# Each element after itself


def _places(repeats: np.ndarray, output_size: int | None = None) -> np.ndarray:
    """For each element of the result, the place where it comes from."""
    if repeats.dtype not in (np.int32, np.int64):
        raise not_implemented("repeat_interleave_cpu", repeats.dtype)
    if repeats.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if not repeats.size:  # whatever size is asked for
        return repeats.copy()
    if (repeats < 0).any():
        raise RuntimeError("repeats can not be negative")
    if output_size is not None and output_size < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {output_size}: [{output_size}]")
    if output_size is not None and output_size != repeats.sum():
        raise RuntimeError("allocated size does not match required size")
    return np.repeat(np.arange(repeats.size, dtype=repeats.dtype), repeats)


register(
    Record(
        name="repeated_places",
        inputs=("repeats",),
        attributes=(Attribute("output_size", "int", None),),
        promotes="none",
        forward=_places,
        section="shape",
        hidden=True,
        part_of="repeat_interleave",
    )
)


def _repeat_interleave(o: Any, self: Any, repeats: Any, dim: int | None = None, output_size: int | None = None) -> Any:
    if isinstance(repeats, TensorBase | np.ndarray):
        return _by_tensor(o, self, repeats, dim, output_size)
    if dim is None:
        self, dim = o.flatten(self), 0
    axis = wrap_dim(dim, len(self.shape))
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    shape = tuple(self.shape)
    spread = o.unsqueeze(self, axis + 1)  # which is refused of a number
    if output_size is not None and output_size != (length := shape[axis] * repeats):
        raise RuntimeError(f"repeat_interleave: Invalid output_size, expected {length} but got {output_size}")
    spread = o.expand(spread, (*shape[: axis + 1], repeats, *shape[axis + 1 :]))
    return o.flatten(o.contiguous(spread, memory_format=contiguous_format), axis, axis + 1)


def _by_tensor(o: Any, self: Any, repeats: Any, dim: int | None, output_size: int | None) -> Any:
    if dim is None:
        self, dim = o.flatten(self), 0
    counts = array_in(repeats)
    if counts.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    length = size_at(tuple(self.shape), dim)
    if counts.size == 1:
        repeats = o.expand(o.reshape(repeats, (1,)), (length,))
    elif counts.size != length:
        raise RuntimeError(
            f"repeats must have the same size as input along dim, but got repeats.size(0) = {counts.size} and "
            f"input.size({dim}) = {length}"
        )
    return o.index_select(self, o.repeated_places(repeats, output_size), dim)


register(
    Record(
        name="repeat_interleave",
        inputs=("self",),
        attributes=(
            Attribute("repeats", "tensor", required=True),
            Attribute("dim", "dim", None),
            Attribute("output_size", "int", None, positional=False),
        ),
        promotes="none",
        forward=through(_repeat_interleave),
        compose=_repeat_interleave,
        function="torch.repeat_interleave",
        method="repeat_interleave",
        signatures=(
            "repeat_interleave(Tensor input, Tensor repeats, int? dim=None, *, SymInt? output_size=None)",
            "torch.repeat_interleave(Tensor repeats, *, SymInt? output_size=None) -> repeated_places",
            "repeat_interleave(Tensor input, SymInt repeats, int? dim=None, *, SymInt? output_size=None)",
        ),
        style="method",
        section="shape",
        hidden=True,
        samples=(((V3, 2), {}), ((M23, 2, 1), {})),
    )
)
