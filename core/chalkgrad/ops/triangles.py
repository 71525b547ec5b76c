"""Triangles and diagonals of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import new_tensor
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import wrap_dim
from chalkgrad.engine.storage import copied_memory
from chalkgrad.ops.composing import in_sequence, through, writing
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.reshaping import in_order
from chalkgrad.ops.samples import M23, M32, V2, V3, matrix, ones

Shape = tuple[int, ...]


# Triangles


def _triangle(name: str, latex: str) -> None:
    """``tril`` and ``triu``."""
    keep = getattr(np, name)

    def shape(self: Shape, diagonal: int = 0) -> Shape:
        if len(self) < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return self

    def compute(self: np.ndarray, diagonal: int = 0) -> Any:
        shape(self.shape)  # NumPy would make a matrix of a vector
        return keep(self, diagonal)

    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(Attribute("diagonal", "int", 0),),
            promotes="none",
            forward=in_sequence(compute),
            vjps={"self": lambda o, g, diagonal: getattr(o, name)(g, diagonal)},
            grad_fn=f"{name.capitalize()}Backward0",
            function=f"torch.{name}",
            method=name,
            signatures=(f"{name}(Tensor input, SymInt diagonal=0, *, Tensor out=None)",),
            style="method",
            shape=shape,
            section="matrix",
            latex=rf"\operatorname{{{latex}}}(\self)",
            derivatives={"self": rf"\operatorname{{{latex}}}(g, \diagonal)"},
            samples=(((M23,), {}), ((M32, 1), {}), ((ones(2, 2, 2), -1), {})),
            bad_samples=(((V3,), {}, "RuntimeError", f"{name}: input tensor must have at least 2 dimensions"),),
        )
    )
    writing(name, f"Tensor.{name}_(SymInt diagonal=0)", visible=False)


_triangle("tril", "tril")
_triangle("triu", "triu")


# Diagonals

_PLACE = (Attribute("offset", "int", 0), Attribute("dim1", "int", 0), Attribute("dim2", "int", 1))


def _axes(ndim: int, dim1: int, dim2: int) -> tuple[int, int]:
    first, second = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return first, second


def _diagonal_shape(self: Shape, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Shape:
    first, second = _axes(len(self), dim1, dim2)
    rows, columns = self[first], self[second]
    length = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    return (*(size for axis, size in enumerate(self) if axis not in (first, second)), length)


def diagonal_of(self: np.ndarray, offset: int = 0, dim1: int = 0, dim2: int = 1) -> np.ndarray:
    """A view that can be written, which NumPy's own is not."""
    shape = _diagonal_shape(self.shape, offset, dim1, dim2)
    first, second = _axes(self.ndim, dim1, dim2)
    kept = [stride for axis, stride in enumerate(self.strides) if axis not in (first, second)]
    start = [slice(None)] * self.ndim
    if shape[-1]:
        start[second if offset >= 0 else first] = slice(abs(offset), None)
    strides = (*kept, self.strides[first] + self.strides[second])
    return np.lib.stride_tricks.as_strided(self[tuple(start)], shape, strides)


def _diagonal_backward(grad_output: np.ndarray, input_sizes: Shape, offset: int, dim1: int, dim2: int) -> np.ndarray:
    whole = np.zeros(input_sizes, grad_output.dtype)
    diagonal_of(whole, offset, dim1, dim2)[...] = grad_output
    return whole


def _diagonal_record(name: str, grad_fn: str, **more: Any) -> None:
    """The diagonal as a view, and the copy of it that ``diag`` gives."""
    view = name == "diagonal"
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=_PLACE,
            promotes="none",
            forward=diagonal_of if view else lambda *values, **named: diagonal_of(*values, **named).copy(),
            vjps={
                "self": lambda o, g, self_sym_sizes, offset, dim1, dim2: o.diagonal_backward(
                    g, self_sym_sizes, offset, dim1, dim2
                )
            },
            grad_fn=grad_fn,
            shape=_diagonal_shape,
            section="matrix",
            view=view,
            samples=(((M23,), {}), ((M32, -1), {}), ((ones(2, 3, 2), 1, 1, 0), {})),
            **more,
        )
    )


_diagonal_record(
    "diagonal",
    "DiagonalBackward0",
    function="torch.diagonal",
    method="diagonal",
    signatures=("diagonal(Tensor input, int offset=0, int dim1=0, int dim2=1)",),
    style="method",
    latex=r"\operatorname{diag}(\self)",
    derivatives={"self": r"\operatorname{diag}(g, \offset)"},
    bad_samples=(
        ((M23, 0, 1, 1), {}, "RuntimeError", "diagonal dimensions cannot be identical 1, 1"),
        (
            (V3,),
            {},
            "IndexError",
            "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
        ),
    ),
)
_diagonal_record("diagonal_copy", "DiagonalBackward0_copy", hidden=True, part_of="diagonal")

register(
    Record(
        name="diagonal_backward",
        inputs=("grad_output",),
        attributes=(Attribute("input_sizes", "size", required=True), *_PLACE),
        promotes="none",
        forward=_diagonal_backward,
        vjps={"grad_output": lambda o, g, offset, dim1, dim2: o.diagonal(g, offset, dim1, dim2)},
        grad_fn="DiagonalBackwardBackward0",
        shape=lambda grad_output, input_sizes, **_: input_sizes,
        section="matrix",
        hidden=True,
        part_of="diagonal",
        samples=(((V2, (2, 3), 0, 0, 1), {}),),
    )
)


def _embedded_shape(self: Shape, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Shape:
    ndim = len(self) + 1
    first, second = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    length = self[-1] + abs(offset)
    rest = iter(self[:-1])
    return tuple(length if axis in (first, second) else next(rest) for axis in range(ndim))


def _embedded(self: np.ndarray, offset: int = 0, dim1: int = -2, dim2: int = -1) -> np.ndarray:
    whole = np.zeros(_embedded_shape(self.shape, offset, dim1, dim2), self.dtype)
    diagonal_of(whole, offset, dim1, dim2)[...] = self
    return whole


register(
    Record(
        name="diag_embed",
        inputs=("self",),
        attributes=(Attribute("offset", "int", 0), Attribute("dim1", "int", -2), Attribute("dim2", "int", -1)),
        promotes="none",
        forward=_embedded,
        vjps={"self": lambda o, g, offset, dim1, dim2: o.diagonal(g, offset, dim1, dim2)},
        grad_fn="DiagEmbedBackward0",
        function="torch.diag_embed",
        method="diag_embed",
        signatures=("diag_embed(Tensor input, int offset=0, int dim1=-2, int dim2=-1)",),
        style="method",
        shape=_embedded_shape,
        section="matrix",
        latex=r"\operatorname{diag}(\self)",
        derivatives={"self": r"\operatorname{diag}(g, \offset)"},
        hidden=True,
        part_of="diag",
        samples=(((V3,), {}), ((M23, 1, 0, 2), {})),
    )
)


def _diag(o: Any, self: Any, diagonal: int = 0) -> Any:
    ndim = len(self.shape)
    if ndim not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {ndim}D")
    if ndim == 1:
        return o.diag_embed(self, diagonal)
    return o.diagonal_copy(self, diagonal)


def _diag_shape(self: Shape, diagonal: int = 0) -> Shape:
    if len(self) not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {len(self)}D")
    return _embedded_shape(self, diagonal) if len(self) == 1 else _diagonal_shape(self, diagonal)


register(
    Record(
        name="diag",
        inputs=("self",),
        attributes=(Attribute("diagonal", "int", 0),),
        promotes="none",
        forward=through(_diag),
        compose=_diag,
        grad_fn="DiagEmbedBackward0",
        function="torch.diag",
        method="diag",
        signatures=("diag(Tensor input, int diagonal=0, *, Tensor out=None)",),
        style="method",
        shape=_diag_shape,
        section="matrix",
        latex=r"\operatorname{diag}(\self)",
        derivatives={"self": r"\operatorname{diag}(g, \diagonal)"},
        samples=(((V3,), {}), ((V2, 1), {}), ((M23,), {})),
        bad_samples=(((ones(2, 2, 2),), {}, "RuntimeError", "diag(): Supports 1D or 2D tensors. Got 3D"),),
    )
)


def _diagflat(o: Any, self: Any, offset: int = 0) -> Any:
    return o.diag_embed(o.view(in_order(o, self), (-1,)), offset)


register(
    Record(
        name="diagflat",
        inputs=("self",),
        attributes=(Attribute("offset", "int", 0),),
        promotes="none",
        forward=through(_diagflat),
        compose=_diagflat,
        function="torch.diagflat",
        method="diagflat",
        signatures=("diagflat(Tensor input, int offset=0)",),
        style="method",
        section="matrix",
        hidden=True,
        part_of="diag",
        samples=(((M23,), {}),),
    )
)


# Trace


def _trace_shape(self: Shape) -> Shape:
    if len(self) != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {len(self)}")
    return ()


def _check_trace(self: np.ndarray) -> None:
    if self.dtype.kind == "b":
        raise not_implemented("trace", self.dtype)


def _trace(self: np.ndarray) -> np.ndarray:
    found = np.trace(self)
    return np.asarray(found if self.dtype.kind == "f" else np.asarray(found, np.int64))


def _trace_backward(grad: np.ndarray, sizes: Shape) -> np.ndarray:
    flat = np.zeros(sizes[0] * sizes[1], grad.dtype)
    flat[: min(sizes) * sizes[1] : sizes[1] + 1] = grad
    return flat.reshape(sizes)


def _trace_recorded(o: Any, grad: Any, sizes: Shape) -> Any:
    """The same by the steps that PyTorch records."""
    flat = o.zero_(o.zeros_of(grad, (sizes[0] * sizes[1],)))  # a write that PyTorch counts
    places = np.arange(0, min(sizes) * sizes[1], sizes[1] + 1)
    return o.view(o.index_fill_(flat, new_tensor(places), grad, 0), sizes)


register(
    Record(
        name="trace",
        inputs=("self",),
        promotes="none",
        check=_check_trace,
        forward=_trace,
        vjps={"self": lambda o, g, self_sym_sizes: o.trace_backward(g, self_sym_sizes)},
        grad_fn="TraceBackward0",
        fills=2,
        function="torch.trace",
        method="trace",
        signatures=("trace(Tensor input)",),
        style="method",
        shape=_trace_shape,
        section="matrix",
        latex=r"\operatorname{tr}(\self)",
        derivatives={"self": r"g \, I"},
        samples=(((M23,), {}), ((matrix((1.0, 2.0), (3.0, 4.0)),), {})),
        bad_samples=(((V3,), {}, "RuntimeError", "trace: expected a matrix, but got tensor with dim 1"),),
    )
)

register(
    Record(
        name="trace_backward",
        inputs=("grad",),
        attributes=(Attribute("sizes", "size", required=True),),
        promotes="none",
        forward=_trace_backward,
        compose=_trace_recorded,
        grad_fn="ViewBackward0",
        shape=lambda grad, sizes: sizes,
        section="matrix",
        hidden=True,
        part_of="trace",
    )
)


# Writing into a diagonal of a copy


def _diagonal_scatter(self: np.ndarray, src: np.ndarray, offset: int = 0, dim1: int = 0, dim2: int = 1) -> np.ndarray:
    whole = copied_memory(self)
    place = diagonal_of(whole, offset, dim1, dim2)
    if place.shape != src.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. src size = "
            f"{list(src.shape)}, slice size = {list(place.shape)}"
        )
    place[...] = src
    return whole


register(
    Record(
        name="diagonal_scatter",
        inputs=("self", "src"),
        attributes=_PLACE,
        promotes="none",
        forward=_diagonal_scatter,
        vjps={
            "self": lambda o, g, offset, dim1, dim2: o.diagonal_scatter(
                g, o.zeros_of(g, _diagonal_shape(tuple(g.shape), offset, dim1, dim2)), offset, dim1, dim2
            ),
            "src": lambda o, g, offset, dim1, dim2: o.diagonal(g, offset, dim1, dim2),
        },
        grad_fn="DiagonalScatterBackward0",
        function="torch.diagonal_scatter",
        method="diagonal_scatter",
        signatures=("diagonal_scatter(Tensor input, Tensor src, int offset=0, int dim1=0, int dim2=1)",),
        section="matrix",
        hidden=True,
        part_of="diagonal",
        samples=(((M23, V2), {}),),
    )
)
