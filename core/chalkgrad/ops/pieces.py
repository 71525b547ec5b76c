"""A tensor taken apart along a dimension: as many views as the call asks for."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.shapes import size_at, wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.engine.spelling import function
from chalkgrad.engine.storage import empty_from
from chalkgrad.ops.composing import as_method, through
from chalkgrad.ops.samples import M23, V3

Shape = tuple[int, ...]
Pieces = tuple[np.ndarray, ...]

_DIM = Attribute("dim", "int", 0)


# Split


def _cut(self: np.ndarray, axis: int, sizes: Sequence[int]) -> Pieces:
    """Views of ``sizes``, one after the other along ``axis``."""
    ends = np.cumsum(sizes).tolist()
    before = (slice(None),) * axis
    found = []
    for end, size in zip(ends, sizes, strict=True):
        part = self[(*before, slice(end - size, end))]
        found.append(part if size or not self.size else empty_from(self, part, (end - size) * self.strides[axis]))
    return tuple(found)


def _split_sizes(self: Shape, split_size: int, dim: int) -> list[int]:
    if not self:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
    length = self[wrap_dim(dim, len(self))]
    if split_size == 0 and length:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {length}")
    if not split_size or length <= split_size:
        return [length]
    return [min(split_size, length - start) for start in range(0, length, split_size)]


def _split(self: np.ndarray, split_size: int, dim: int = 0) -> Pieces:
    sizes = _split_sizes(self.shape, split_size, dim)
    return _cut(self, wrap_dim(dim, self.ndim), sizes)


def _joined(o: Any, g: Sequence[Any], self_sizes: Shape, sizes: Sequence[int], dim: int) -> Any:
    """The gradient of what was taken apart: the pieces' gradients in a row, zeros where there is none."""
    axis = wrap_dim(dim, len(self_sizes))
    like = next(piece for piece in g if piece is not None)
    whole = [
        o.zeros_of(like, (*self_sizes[:axis], size, *self_sizes[axis + 1 :])) if piece is None else piece
        for piece, size in zip(g, sizes, strict=True)
    ]
    return o.cat(whole, axis)


def _split_record(name: str, grad_fn: str, view: bool) -> None:
    public = None if view else name
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(Attribute("split_size", "int", required=True), _DIM),
            promotes="none",
            forward=_split,
            vjps={
                "self": lambda o, g, self_sym_sizes, split_size, dim: _joined(
                    o, g, self_sym_sizes, _split_sizes(self_sym_sizes, split_size, dim), dim
                )
            },
            grad_fn=grad_fn,
            outputs=(),
            view=view,
            function=public and f"torch.{public}",
            method=public,
            signatures=(f"{name}(Tensor input, SymInt split_size, int dim=0)",),
            section="shape",
            hidden=True,
        )
    )


_split_record("split_equally", "SplitBackward0", view=True)
_split_record("unsafe_split", "UnsafeSplitBackward0", view=False)


def _split_with_sizes(self: np.ndarray, split_sizes: Shape, dim: int = 0) -> Pieces:
    if not self.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    axis = wrap_dim(dim, self.ndim)
    if any(size < 0 for size in split_sizes):
        raise RuntimeError(
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            f"split_sizes={brackets(split_sizes)}"
        )
    if sum(split_sizes) != self.shape[axis]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {self.shape[axis]} (input tensor's size at "
            f"dimension {dim}), but got split_sizes={brackets(split_sizes)}"
        )
    return _cut(self, axis, split_sizes)


def _split_with_sizes_record(name: str, grad_fn: str, view: bool) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(Attribute("split_sizes", "size", required=True), _DIM),
            promotes="none",
            forward=_split_with_sizes,
            vjps={
                "self": lambda o, g, self_sym_sizes, split_sizes, dim: _joined(o, g, self_sym_sizes, split_sizes, dim)
            },
            grad_fn=grad_fn,
            outputs=(),
            view=view,
            function=f"torch.{name}",
            method=name,
            signatures=(f"{name}(Tensor input, SymInt[] split_sizes, int dim=0)",),
            section="shape",
            hidden=True,
        )
    )


_split_with_sizes_record("split_with_sizes", "SplitWithSizesBackward0", view=True)
_split_with_sizes_record("unsafe_split_with_sizes", "UnsafeSplitWithSizesBackward0", view=False)


def _either_split(o: Any, self: Any, split_size: int | Shape, dim: int = 0) -> Any:
    if isinstance(split_size, tuple):
        return o.split_with_sizes(self, split_size, dim)
    return o.split_equally(self, split_size, dim)


register(
    Record(
        name="split",
        inputs=("self",),
        attributes=(Attribute("split_size", "dim", required=True), _DIM),
        promotes="none",
        forward=through(_either_split),
        compose=_either_split,
        outputs=(),
        function="torch.split",
        method="split",
        signatures=(
            "split(Tensor input, SymInt split_size, int dim=0)",
            "split(Tensor input, SymInt[] split_size, int dim=0)",
        ),
        style="method",
        section="shape",
        latex=r"[\,\self_1 \mid \self_2 \mid \dots\,]",
        derivatives={"self": "1"},
        samples=(((M23, 2, 1), {}), ((V3, (1, 2)), {})),
    )
)


_split_equally = function(OPS["split"])
_split_by_sizes = function(OPS["split_with_sizes"])


def _split_method(self: TensorBase, split_size: Any, dim: int = 0) -> Any:
    """``self`` in pieces along ``dim``, all of one size or of the sizes given; views."""
    if isinstance(split_size, TensorBase) and split_size.array.size == 1:
        with suppress(ValueError):  # nan, which is refused as sizes
            split_size = int(split_size.array.item())
    return (_split_equally if isinstance(split_size, int) else _split_by_sizes)(self, split_size, dim)


as_method(_split_method, "split")


def _chunks(name: str, equally: str, with_sizes: str) -> None:
    """``chunk``, and the one whose results are no views to autograd."""

    def compose(o: Any, self: Any, chunks: int, dim: int = 0) -> Any:
        if not self.shape:
            raise RuntimeError("chunk expects at least a 1-dimensional tensor")
        if chunks <= 0:
            raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
        length = self.shape[wrap_dim(dim, len(self.shape))]
        size = (length + chunks - 1) // chunks
        if not size:
            return getattr(o, with_sizes)(self, (0,) * chunks, dim)
        return getattr(o, equally)(self, size, dim)

    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(Attribute("chunks", "int", required=True), _DIM),
            promotes="none",
            forward=through(compose),
            compose=compose,
            outputs=(),
            function=f"torch.{name}",
            method=name,
            signatures=(f"{name}(Tensor input, int chunks, int dim=0)",),
            style="method",
            section="shape",
            hidden=name != "chunk",
            latex=r"[\,\self_1 \mid \self_2 \mid \dots\,]",
            derivatives={"self": "1"},
            samples=(((M23, 2), {}), ((M23, 2, 1), {})),
        )
    )


_chunks("chunk", "split_equally", "split_with_sizes")
_chunks("unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes")


# Split at places


def _sections(length: int, sections: int) -> list[int]:
    """Where equal sections end, the first ones one longer where it doesn't come out even."""
    least, extra = divmod(length, sections)
    return list(itertools.accumulate(least + (number < extra) for number in range(sections)))


def _tensor_split(
    o: Any,
    self: Any,
    indices: Shape | None = None,
    tensor_indices_or_sections: TensorBase | None = None,
    sections: int | None = None,
    dim: int = 0,
) -> Any:
    ndim = len(self.shape)
    if not ndim:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    if tensor_indices_or_sections is not None:
        indices, sections = _from_tensor(tensor_indices_or_sections.array)
    axis = wrap_dim(dim, ndim)
    length = self.shape[axis]
    if sections is not None:
        if sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        ends = _sections(length, sections)
    else:
        ends = [*(indices or ()), length]
    return tuple(o.slice(self, axis, start, end, 1) for start, end in zip([0, *ends], ends, strict=False))


def _from_tensor(given: np.ndarray) -> tuple[Shape | None, int | None]:
    if given.dtype != np.int64:
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to have dtype of long, but got "
            f"{dtype_of(given).scalar_type}"
        )
    if given.ndim > 1:
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but "
            f"got a tensor with {given.ndim} dims"
        )
    return (tuple(given.tolist()), None) if given.ndim else (None, int(given))


_PLACES = (Attribute("indices", "size", None), Attribute("sections", "int", None))

register(
    Record(
        name="tensor_split",
        inputs=("self",),
        attributes=(_PLACES[0], Attribute("tensor_indices_or_sections", "tensor", None), _PLACES[1], _DIM),
        promotes="none",
        forward=through(_tensor_split),
        compose=_tensor_split,
        outputs=(),
        function="torch.tensor_split",
        method="tensor_split",
        signatures=(
            "tensor_split(Tensor input, SymInt[] indices, int dim=0)",
            "tensor_split(Tensor input, Tensor tensor_indices_or_sections, int dim=0)",
            "tensor_split(Tensor input, SymInt sections, int dim=0)",
        ),
        style="method",
        section="shape",
        latex=r"[\,\self_1 \mid \self_2 \mid \dots\,]",
        derivatives={"self": "1"},
        samples=(((M23,), {"sections": 2, "dim": 1}),),
    )
)


def _split_along(name: str, least: int) -> None:
    """``hsplit`` and its kin: ``tensor_split`` along the dimension in their name, into equal sections only."""

    def compose(o: Any, self: Any, indices: Shape | None = None, sections: int | None = None) -> Any:
        ndim = len(self.shape)
        if ndim < least:
            raise RuntimeError(
                f"torch.{name} requires a tensor with at least {least} dimension, but got a "
                f"tensor with {ndim} dimensions!"
            )
        dim = {"hsplit": 0 if ndim == 1 else 1, "vsplit": 0, "dsplit": 2}[name]
        if sections is None:
            return o.tensor_split(self, indices=indices, dim=dim)
        if sections == 0 or self.shape[dim] % sections:
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension "
                f"{self.shape[dim]} is not divisible by the split_size {sections}!"
            )
        return o.tensor_split(self, sections=sections, dim=dim)

    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=_PLACES,
            promotes="none",
            forward=through(compose),
            compose=compose,
            outputs=(),
            function=f"torch.{name}",
            method=name,
            signatures=(f"{name}(Tensor input, int sections)", f"{name}(Tensor input, int[] indices)"),
            style="method",
            section="shape",
            hidden=True,
        )
    )


_split_along("hsplit", 1)
_split_along("vsplit", 2)
_split_along("dsplit", 3)


# One by one


def _unbind(self: np.ndarray, dim: int = 0) -> Pieces:
    axis = wrap_dim(dim, self.ndim)
    before: tuple[Any, ...] = (slice(None),) * axis
    return tuple(self[(*before, index, ...)] for index in range(size_at(self.shape, axis)))


def _stacked(o: Any, g: Sequence[Any], dim: int) -> Any:
    like = next(piece for piece in g if piece is not None)
    whole = [o.zeros_of(like, tuple(like.shape)) if piece is None else piece for piece in g]
    return o.stack(whole, dim)


register(
    Record(
        name="unbind",
        inputs=("self",),
        attributes=(_DIM,),
        promotes="none",
        forward=_unbind,
        vjps={"self": lambda o, g, dim: _stacked(o, g, dim)},
        grad_fn="UnbindBackward0",
        outputs=(),
        view=True,
        function="torch.unbind",
        method="unbind",
        signatures=("unbind(Tensor input, int dim=0)",),
        style="method",
        section="shape",
        latex=r"(\self_0, \self_1, \dots)",
        derivatives={"self": r"1"},
        samples=(((M23,), {}), ((M23, 1), {})),
    )
)
