"""Whole slices, read and written at the places that a vector of indices says."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import cast, dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.ops.composing import array_in, writing
from chalkgrad.ops.folding import ONE_DIM
from chalkgrad.ops.gathering import VALUE, check_range, sizes_of
from chalkgrad.ops.samples import M23, S, matrix

Shape = tuple[int, ...]
ALPHA = Attribute("alpha", "number", 1, positional=False)
ROWS = np.array([1, 0, 1])
SOURCE = matrix((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (0.5, 0.25, 1.5))


def _pick(axis: int, index: Any) -> tuple[Any, ...]:
    return (*(slice(None),) * axis, index)


# index_select


def _index_select(self: np.ndarray, index: np.ndarray, dim: int) -> np.ndarray:
    axis = wrap_dim(dim, self.ndim)
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if not self.ndim and index.size != 1:
        raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {index.size} value(s)")
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    values = self.reshape(sizes_of(self.shape))
    places = index.reshape(-1)
    if ((places < 0) | (places >= values.shape[axis])).any():
        raise IndexError("index out of range in self")
    found = np.ascontiguousarray(np.take(values, places, axis=axis))
    return found if self.ndim else reshaped(found, ())


register(
    Record(
        name="index_select",
        inputs=("self", "index"),
        attributes=(ONE_DIM,),
        promotes="none",
        forward=_index_select,
        vjps={
            "self": lambda o, g, self_sym_sizes, index, dim: o.index_add(o.zeros_of(g, self_sym_sizes), index, g, dim),
        },
        signatures=("index_select(Tensor input, int dim, Tensor index, *, Tensor out=None)",),
        grad_fn="IndexSelectBackward0",
        fills=1,
        function="torch.index_select",
        method="index_select",
        style="method",
        section="index",
        latex=r"\self_{\index}",
        derivatives={"self": r"[j \in \index]"},
        samples=(((M23, ROWS, 0), {}), ((M23, np.array([2, 2]), 1), {}), ((S, np.array([0]), 0), {})),
    )
)


def _source_gradient(o: Any, g: Any, index: Any, sizes: Shape, dim: int) -> Any:
    """What slices put at ``index`` along ``dim`` get back."""
    if not sizes:
        return o.index_select(g, o.squeeze(index, 0) if len(index.shape) else index, dim)
    return o.expand(o.index_select(g, index, dim), sizes)


# index_add


def _check_added(self: np.ndarray, index: np.ndarray, source: np.ndarray, axis: int) -> None:
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"index_add_(): Expected dtype int32/int64 for index but got: {dtype_of(index).scalar_type}")
    if self.dtype != source.dtype:
        raise RuntimeError(
            f"index_add_(): self ({dtype_of(self).scalar_type}) and source ({dtype_of(source).scalar_type}) must have "
            "the same scalar type"
        )
    if index.ndim > 1:
        raise IndexError(
            f"index_add_(): Index is supposed to be a vector, but got dim: {index.ndim} with type: "
            f"{dtype_of(index).scalar_type} and size: {brackets(index.shape)}"
        )
    mine, theirs = sizes_of(self.shape), sizes_of(source.shape)
    if axis < len(theirs) and theirs[axis] != index.size:
        raise RuntimeError(
            f"index_add_(): Number of indices ({index.size}) should be equal to source.size(dim): "
            f"({theirs[axis]}), for dim: {axis}"
        )
    if len(mine) != len(theirs) or mine[:axis] + mine[axis + 1 :] != theirs[:axis] + theirs[axis + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{brackets(self.shape)} source.shape = {brackets(source.shape)}"
        )
    check_range(index, axis, mine[axis])


def _index_add(self: np.ndarray, index: np.ndarray, source: np.ndarray, dim: int, alpha: Any = 1) -> np.ndarray:
    axis = wrap_dim(dim, self.ndim)
    _check_added(self, index, source, axis)
    whole = self.copy(order="K")
    target = whole.reshape(sizes_of(self.shape))
    values = source.reshape(sizes_of(source.shape))
    if alpha != 1:
        values = np.multiply(values, np.asarray(alpha).astype(values.dtype))
    np.add.at(target, _pick(axis, index.reshape(-1)), values)
    return whole


def _added_gradient(o: Any, g: Any, index: Any, sizes: Shape, dim: int, alpha: Any) -> Any:
    found = _source_gradient(o, g, index, sizes, dim)
    return found if alpha == 1 else o.mul_number(found, alpha)


register(
    Record(
        name="index_add",
        inputs=("self", "index", "source"),
        attributes=(ONE_DIM, ALPHA),
        promotes="none",
        forward=_index_add,
        vjps={
            "self": lambda o, g: g,
            "source": lambda o, g, index, source, source_dim, dim, alpha: _added_gradient(
                o, g, index, tuple(source.shape), dim, alpha
            ),
        },
        signatures=(
            "index_add(Tensor input, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor out=None)",
        ),
        grad_fn="IndexAddBackward0",
        function="torch.index_add",
        method="index_add",
        style="method",
        section="index",
        latex=r"\self_{\index} + \alpha\,\source",
        derivatives={"self": r"1", "source": r"\alpha\,[j \in \index]"},
        samples=(((M23, ROWS, SOURCE, 0), {}), ((M23, np.array([2]), matrix((1.0,), (2.0,)), 1), {"alpha": 2})),
    )
)
writing("index_add", "Tensor.index_add_(int dim, Tensor index, Tensor source, *, Scalar alpha=1)")


# index_copy


def _check_copied(self: np.ndarray, index: np.ndarray, source: np.ndarray, axis: int) -> None:
    if index.ndim > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {index.ndim})")
    if not source.ndim and index.size != 1:
        raise IndexError(f"index_copy_(): When source is scalar, index should have one element (got {index.size})")
    if source.ndim != self.ndim and source.ndim and self.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
            f"dimensionality ({source.ndim}), destination dimensionality ({self.ndim})"
        )
    if index.dtype != np.int64:
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {dtype_of(index).scalar_type}")
    if self.dtype != source.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{dtype_of(self).scalar_type} and (source) {dtype_of(source).scalar_type}"
        )
    mine = self.shape[:axis] + self.shape[axis + 1 :]
    theirs = source.shape[:axis] + source.shape[axis + 1 :]
    if mine != theirs:
        shown = [" ".join(str(size) for size in sizes) for sizes in (mine, theirs)]
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
            f"{shown[0]} at dimension {axis} and source slice shape: {shown[1]} at dimension 0."
        )
    if source.ndim and index.size != source.shape[axis]:
        raise IndexError(
            f"index_copy_(): Number of indices ({index.size}) should be equal to source.size(dim) "
            f"({source.shape[axis]})"
        )
    check_range(index, axis, sizes_of(self.shape)[axis], IndexError, "index_copy_(): ")


def _index_copy(self: np.ndarray, index: np.ndarray, source: np.ndarray, dim: int) -> np.ndarray:
    axis = wrap_dim(dim, self.ndim)
    _check_copied(self, index, source, axis)
    whole = self.copy(order="K")
    whole.reshape(sizes_of(self.shape))[_pick(axis, index.reshape(-1))] = source.reshape(sizes_of(source.shape))
    return whole


register(
    Record(
        name="index_copy",
        inputs=("self", "index", "source"),
        attributes=(ONE_DIM,),
        promotes="none",
        forward=_index_copy,
        vjps={
            "self": lambda o, g, index, dim: o.index_fill_number(g, index, dim, 0),
            "source": lambda o, g, index, source, source_dim, dim: _source_gradient(
                o, g, index, tuple(source.shape), dim
            ),
        },
        signatures=("index_copy(Tensor input, int dim, Tensor index, Tensor source, *, Tensor out=None)",),
        grad_fn="IndexCopyBackward0",
        function="torch.index_copy",
        method="index_copy",
        style="method",
        section="index",
        latex=r"\self_{\index} \leftarrow \source",
        derivatives={"self": r"[j \notin \index]", "source": r"[j \in \index]"},
        samples=(((SOURCE, np.array([2, 0]), M23, 0), {}), ((M23, np.array([2]), matrix((1.0,), (2.0,)), 1), {})),
    )
)
writing("index_copy", "Tensor.index_copy_(int dim, Tensor index, Tensor source)")


# index_fill


def _index_fill(self: np.ndarray, index: np.ndarray, dim: int, value: Any) -> np.ndarray:
    axis = wrap_dim(dim, self.ndim)
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if index.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    whole = self.copy(order="K")
    target = whole.reshape(sizes_of(self.shape))
    size = target.shape[axis]
    places = np.where(index < 0, index + size, index).reshape(-1)
    wrong = (places < 0) | (places >= size)
    if wrong.any():
        raise IndexError(f"index {index.reshape(-1)[wrong][0]} is out of bounds for dimension {axis} with size {size}")
    target[_pick(axis, places)] = cast(value, dtype_of(self)) if not isinstance(value, np.ndarray) else value
    return whole


def _index_fill_tensor(self: np.ndarray, index: np.ndarray, value: np.ndarray, dim: int) -> np.ndarray:
    if value.ndim:
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    return _index_fill(self, index, dim, value)


def _filled_gradient(o: Any, g: Any, index: Any, dim: int) -> Any:
    places = np.unique(array_in(index))
    return o.sum(o.index_select(g, index if places.size == array_in(index).size else _as(index, places), dim))


def _as(index: Any, places: np.ndarray) -> Any:
    """``places`` as what ``index`` is: an array or a tensor."""
    from chalkgrad.engine.base import TensorBase, new_tensor

    return new_tensor(places) if isinstance(index, TensorBase) else places


register(
    Record(
        name="index_fill_number",
        inputs=("self", "index"),
        attributes=(ONE_DIM, VALUE),
        promotes="none",
        forward=_index_fill,
        vjps={"self": lambda o, g, index, dim: o.index_fill_number(g, index, dim, 0)},
        grad_fn="IndexFillBackward0",
        section="index",
        hidden=True,
        samples=(((M23, np.array([1]), 0, 2.5), {}), ((M23, np.array([0, -1]), 1, 2), {})),
    )
)
register(
    Record(
        name="index_fill",
        inputs=("self", "index", "value"),
        attributes=(ONE_DIM,),
        promotes="none",
        forward=_index_fill_tensor,
        vjps={
            "self": lambda o, g, index, dim: o.index_fill_number(g, index, dim, 0),
            "value": lambda o, g, index, dim: _filled_gradient(o, g, index, dim),
        },
        signatures=(
            "index_fill(Tensor input, int dim, Tensor index, Tensor value)",
            "index_fill(Tensor input, int dim, Tensor index, Scalar value) -> index_fill_number",
        ),
        grad_fn="IndexFillBackward1",
        function="torch.index_fill",
        method="index_fill",
        style="method",
        section="index",
        latex=r"\self_{\index} \leftarrow \value",
        derivatives={"self": r"[j \notin \index]", "value": r"[j \in \index]"},
        samples=(((M23, np.array([1]), S, 0), {}), ((M23, np.array([0, 0]), S, 1), {})),
    )
)
writing("index_fill_number")
writing(
    "index_fill",
    "Tensor.index_fill_(int dim, Tensor index, Tensor value)",
    "Tensor.index_fill_(int dim, Tensor index, Scalar value) -> index_fill_number_",
)
