"""Whole slices, read and written at the places that a vector of indices says."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of, exact
from chalkgrad.engine.memory_format import copied
from chalkgrad.engine.places import check_alone, check_apart
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import size_at, wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import copied_with_repeats, reshaped
from chalkgrad.errors import blame
from chalkgrad.ops.adding_at import add_at
from chalkgrad.ops.composing import apart, array_in, like, warn_expanded, writing
from chalkgrad.ops.folding import ONE_DIM
from chalkgrad.ops.gathering import VALUE, check_range, sizes_of
from chalkgrad.ops.samples import M23, S, matrix

Shape = tuple[int, ...]
ALPHA = Attribute("alpha", "number", 1, positional=False)
ROWS = np.array([1, 0, 1])
SOURCE = matrix((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (0.5, 0.25, 1.5))


def pick(axis: int, index: Any) -> tuple[Any, ...]:
    """What an array is indexed with for the slices ``index`` along ``axis``."""
    return (*(slice(None),) * axis, index)


# index_select


def _check_places(places: np.ndarray, size: int) -> None:
    """Refuse, in the words of PyTorch's other loops, ``places`` along a dimension of ``size``."""
    wrong = places[(places < 0) | (places >= size)]
    if wrong.size:
        raise RuntimeError(f"INDICES element is out of DATA bounds, id={wrong[0]} axis_dim={size}")


def check_selected(values: np.ndarray, places: np.ndarray, axis: int) -> None:
    """Raise for ``places`` along ``axis`` at which nothing can be selected."""
    if not values.size and values.ndim > 1 and places.size and not values.shape[axis]:
        raise RuntimeError("index_select(): self indexing axis dim should be positive")
    if values.ndim > 1 and (axis == 1 or not values.size):
        _check_places(places, values.shape[axis])
    if ((places < 0) | (places >= values.shape[axis])).any():
        raise IndexError("index out of range in self")


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
    check_selected(values, places, axis)
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


def check_added(name: str, self: np.ndarray, index: np.ndarray, source: np.ndarray, axis: int) -> None:
    """Raise where the slices of ``source`` can't go into ``self``; the indices themselves are not looked at."""
    if index.ndim > 1:
        raise IndexError(
            f"{name}(): Index is supposed to be a vector, but got dim: {index.ndim} with type: "
            f"{dtype_of(index).scalar_type} and size: {brackets(index.shape)}"
        )
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index but got: {dtype_of(index).scalar_type}")
    if self.dtype != source.dtype:
        raise RuntimeError(
            f"{name}(): self ({dtype_of(self).scalar_type}) and source ({dtype_of(source).scalar_type}) must have "
            "the same scalar type"
        )
    if axis and axis >= source.ndim:
        raise RuntimeError(
            f"{name}(): Indexing dim {axis} is out of bounds of the source tensor with dim {source.ndim}"
        )
    count = sizes_of(source.shape)[axis]
    if count != index.size:
        size_at(source.shape, axis)  # which is said in the text, if there is one
        raise RuntimeError(
            f"{name}(): Number of indices ({index.size}) should be equal to source.size(dim): ({count}), for dim: "
            f"{axis}"
        )
    mine, theirs = (
        sizes if not (self.ndim and source.ndim) else sizes[:axis] + sizes[axis + 1 :]
        for sizes in (self.shape, source.shape)
    )
    if mine != theirs:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{brackets(self.shape)} source.shape = {brackets(source.shape)}"
        )


def _index_add(self: np.ndarray, index: np.ndarray, source: np.ndarray, dim: int, alpha: Any = 1) -> np.ndarray:
    axis = wrap_dim(dim, self.ndim)
    check_added("index_add_", self, index, source, axis)
    whole = self.copy()
    if self.ndim > 1 and not self.size:  # no index is looked at
        return whole
    target = whole.reshape(sizes_of(self.shape))
    if self.ndim == 2 and alpha == 1:  # which PyTorch leaves to scatter_add
        check_range(index, axis, target.shape[axis])
    elif ((index < 0) | (index >= target.shape[axis])).any():
        raise blame(IndexError("index out of range in self"), index=index)
    values = source.reshape(sizes_of(source.shape))
    if alpha != 1:
        values = np.multiply(values, np.asarray(alpha).astype(values.dtype))
    add_at(target, index.reshape(-1), values, axis)
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
writing(
    "index_add",
    "Tensor.index_add_(int dim, Tensor index, Tensor source, *, Scalar alpha=1)",
    forward=apart(_index_add),
)


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


def _index_copy_in_place(self: np.ndarray, index: np.ndarray, source: np.ndarray, dim: int) -> np.ndarray:
    wrap_dim(dim, self.ndim)
    check_alone(self, index, source)
    return _index_copy(self, index, source, dim)


def _index_copy(self: np.ndarray, index: np.ndarray, source: np.ndarray, dim: int) -> np.ndarray:
    axis = wrap_dim(dim, self.ndim)
    _check_copied(self, index, source, axis)
    whole = self.copy()
    whole.reshape(sizes_of(self.shape))[pick(axis, index.reshape(-1))] = source.reshape(sizes_of(source.shape))
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
writing("index_copy", "Tensor.index_copy_(int dim, Tensor index, Tensor source)", forward=_index_copy_in_place)


# index_fill


def _index_fill(self: np.ndarray, index: np.ndarray, dim: int, value: Any) -> np.ndarray:
    return fill_at(copied(self, self.dtype), index, dim, value)


def _check_long(index: np.ndarray) -> None:
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")


def fill_at(whole: np.ndarray, index: np.ndarray, dim: int, value: Any) -> np.ndarray:
    """``whole``, into which ``value`` was written; an index may count from the end."""
    _check_long(index)
    axis = wrap_dim(dim, whole.ndim)
    if index.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    target = whole.reshape(sizes_of(whole.shape))
    size = target.shape[axis]
    places = np.where(index < 0, index + size, index).reshape(-1)
    wrong = (places < 0) | (places >= size)
    if wrong.any():
        first = index.reshape(-1)[wrong][0]
        text = f"index {first} is out of bounds for dimension {axis} with size {size}"
        raise blame(IndexError(text), index=first)
    number = value.item() if isinstance(value, np.ndarray) else value
    target[pick(axis, places)] = exact(number, dtype_of(whole))
    return whole


def _index_fill_tensor(self: np.ndarray, index: np.ndarray, value: np.ndarray, dim: int) -> np.ndarray:
    _check_one(value)
    return _index_fill(self, index, dim, value)


def _check_one(value: np.ndarray) -> None:
    if value.ndim:
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )


def _filled_gradient(o: Any, g: Any, index: Any, dim: int) -> Any:
    places = np.unique(array_in(index))
    return o.sum(o.index_select(g, index if places.size == array_in(index).size else like(index, places), dim))


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


def _check_filled(self: np.ndarray, index: np.ndarray, value: np.ndarray | None = None) -> None:
    if value is not None:
        _check_one(value)
    _check_long(index)
    check_apart(self, index)
    warn_expanded("index_fill_", self, "[mask] = scalar")


def _filled_in_place(self: np.ndarray, index: np.ndarray, dim: int, value: Any) -> np.ndarray:
    return fill_at(copied_with_repeats(self), index, dim, value)


writing("index_fill_number", check=_check_filled, forward=_filled_in_place)
writing(
    "index_fill",
    "Tensor.index_fill_(int dim, Tensor index, Tensor value)",
    "Tensor.index_fill_(int dim, Tensor index, Scalar value) -> index_fill_number_",
    check=_check_filled,
    forward=lambda self, index, value, dim: _filled_in_place(self, index, dim, value),
)
