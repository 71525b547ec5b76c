"""Elements taken along a dimension by an index for each, and put there: gather and scatter."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import state
from chalkgrad.engine.dtype import dtype_of, exact
from chalkgrad.engine.places import check_apart
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.shapes import broadcast, size_at, wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import reshaped
from chalkgrad.engine.warning import warn
from chalkgrad.errors import blame
from chalkgrad.ops.composing import apart, array_in, like, through, writing
from chalkgrad.ops.folding import ONE_DIM
from chalkgrad.ops.overloads import underivable
from chalkgrad.ops.samples import M23, matrix

Shape = tuple[int, ...]

INDEX = np.array([[0, 1, 0], [1, 1, 0]])
REDUCE = Attribute("reduce", "choice", required=True, choices=("sum", "prod", "mean", "amax", "amin"))
SMALL = "apart from dimension"


# Where the elements lie


def check_index(name: str, index: np.ndarray) -> None:
    """Indices are int32 or int64."""
    if index.dtype not in (np.int64, np.int32) and index.size:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def check_range(index: np.ndarray, dim: int, size: int, error: type[Exception] = RuntimeError, start: str = "") -> None:
    """Raise for the first index that is out of range; those from the end are none."""
    wrong = (index < 0) | (index >= size)
    if wrong.any():
        first = index[wrong].reshape(-1)[0]
        raise blame(error(f"{start}index {first} is out of bounds for dimension {dim} with size {size}"), index=first)


def sizes_of(shape: Shape) -> Shape:
    """A tensor without dimensions counts as one with a single element."""
    return shape or (1,)


def _places(index: np.ndarray, dim: int) -> tuple[np.ndarray, ...]:
    """The full index of every element that ``index`` means."""
    places = [np.arange(size).reshape((-1,) + (1,) * (index.ndim - axis - 1)) for axis, size in enumerate(index.shape)]
    places[dim] = index
    return tuple(places)


def _checked(name: str, self: np.ndarray, dim: int, index: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
    """The dimension from the front, and both arrays with at least one dimension."""
    axis = wrap_dim(dim, self.ndim)
    check_index(name, index)
    return axis, self.reshape(sizes_of(self.shape)), index.reshape(sizes_of(index.shape))


# gather


def _gather(self: np.ndarray, index: np.ndarray, dim: int, sparse_grad: bool = False) -> np.ndarray:
    axis, values, places = _checked("gather", self, dim, index)
    if not index.size:
        return np.empty(index.shape, self.dtype)
    if values.ndim != places.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    for other, (wanted, size) in enumerate(zip(places.shape, values.shape, strict=True)):
        if other != axis and wanted > size:
            raise RuntimeError(
                f"Size does not match at dimension {other} expected index {brackets(index.shape)} to be no larger than "
                f"self {brackets(self.shape)} {SMALL} {axis}"
            )
    check_range(places, axis, values.shape[axis])
    return reshaped(np.asarray(values[_places(places, axis)], order="C"), index.shape)


register(
    Record(
        name="gather",
        inputs=("self", "index"),
        attributes=(ONE_DIM, Attribute("sparse_grad", "bool", False, positional=False)),
        promotes="none",
        forward=_gather,
        vjps={
            "self": lambda o, g, self, index, dim, sparse_grad: o.scatter_add(
                o.zeros_of(g, tuple(self.shape)), index, g, dim
            ),
        },
        signatures=("gather(Tensor input, int dim, Tensor index, *, bool sparse_grad=False, Tensor out=None)",),
        grad_fn="GatherBackward0",
        fills=1,
        function="torch.gather",
        method="gather",
        style="method",
        section="index",
        latex=r"\self_{{\index}_i}",
        derivatives={"self": r"[j = {\index}_i]"},
        samples=(((M23, INDEX, 0), {}), ((M23, np.array([[2, 2], [0, 1]]), 1), {})),
    )
)


def _from_front(indices: Any, size: int) -> Any:
    """Indices from the end counted from the front."""
    values = array_in(indices)
    if not (values < 0).any():
        return indices
    counted = np.where(values < 0, values + size, values)
    return like(indices, counted)


def _take_along_dim(o: Any, self: Any, indices: Any, dim: int | None = None) -> Any:
    if dim is None:
        return o.gather(o.view(self, (-1,)), o.view(indices, (-1,)), 0)
    count, wanted = len(self.shape), len(indices.shape)
    if count != wanted:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{count} dimensions for input, and {wanted} dimensions for indices"
        )
    given = dtype_of(array_in(indices))
    if given.name != "int64":
        raise RuntimeError(f"torch.take_along_dim(): dtype of indices should be Long but got {given.scalar_type}")
    axis = wrap_dim(dim, count)
    mine = tuple(self.shape)
    size = size_at(mine, axis)
    sizes = list(broadcast((*mine[:axis], 1, *mine[axis + 1 :]), tuple(indices.shape)))
    sizes[axis] = size
    spread = o.expand(self, tuple(sizes))
    sizes[axis] = indices.shape[axis]
    return o.gather(spread, o.expand(_from_front(indices, size), tuple(sizes)), axis)


register(
    Record(
        name="take_along_dim",
        inputs=("self", "indices"),
        attributes=(Attribute("dim", "int", None),),
        promotes="none",
        forward=through(_take_along_dim),
        compose=_take_along_dim,
        signatures=("take_along_dim(Tensor input, Tensor indices, int? dim=None, *, Tensor out=None)",),
        grad_fn="GatherBackward0",
        function="torch.take_along_dim",
        method="take_along_dim",
        style="method",
        section="index",
        latex=r"\self_{{\indices}_i}",
        derivatives={"self": r"[j = {\indices}_i]", "indices": r"[\cdot]"},
        samples=(((M23, INDEX, 0), {}), ((M23, INDEX[:1], 0), {}), ((M23, INDEX), {})),
    )
)


# scatter


def check_scatter(self: np.ndarray, index: np.ndarray, src: np.ndarray | None, dim: int) -> None:
    """RuntimeError unless there is something to put, and room for it, wherever ``index`` means a place."""
    dim, *_ = _checked("scatter", self, dim, index)
    if src is not None and src.dtype != self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not index.size:
        return
    mine, theirs = sizes_of(self.shape), sizes_of(index.shape)
    if len(theirs) != len(mine):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    fits = all(a <= b for axis, (a, b) in enumerate(zip(theirs, mine, strict=True)) if axis != dim)
    if src is not None and fits and src.ndim:  # an IndexError where that has fewer dimensions
        fits = all(size <= size_at(src.shape, axis) for axis, size in enumerate(theirs))
    if src is not None and len(theirs) != len(sizes_of(src.shape)):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    start = f"Expected index {brackets(index.shape)} to be no larger than self {brackets(self.shape)} {SMALL} {dim}"
    if src is None:
        if not fits:
            raise RuntimeError(start)
    elif not fits or any(a > b for a, b in zip(theirs, sizes_of(src.shape), strict=True)):
        raise RuntimeError(f"{start} and to be no larger size than src {brackets(src.shape)}")


def scattered(self: np.ndarray, index: np.ndarray, src: Any, dim: int, put: Any = None) -> np.ndarray:
    """A copy of ``self`` into which ``put(array, places, values)`` has put what ``index`` says."""
    check_scatter(self, index, src if isinstance(src, np.ndarray) else None, dim)
    whole = self.copy()
    if not index.size:
        return whole
    axis, target, places = _checked("scatter", whole, dim, index)
    check_range(places, axis, target.shape[axis])
    if isinstance(src, np.ndarray):
        src = src.reshape(sizes_of(src.shape))[tuple(slice(size) for size in places.shape)]
    else:
        src = exact(src, dtype_of(self))
    (put or _assign)(target, _places(places, axis), src)
    return whole


def _assign(target: np.ndarray, places: tuple[np.ndarray, ...], values: np.ndarray) -> None:
    target[places] = values


def _scatter_src(self: np.ndarray, index: np.ndarray, src: np.ndarray, dim: int) -> np.ndarray:
    return scattered(self, index, src, dim)


def _scatter_value(self: np.ndarray, index: np.ndarray, dim: int, value: Any) -> np.ndarray:
    return scattered(self, index, value, dim)


def _scatter_add(self: np.ndarray, index: np.ndarray, src: np.ndarray, dim: int) -> np.ndarray:
    return scattered(self, index, src, dim, np.add.at)


_BY_NAME = {"add": np.add.at, "multiply": np.multiply.at}


def _combined(self: np.ndarray, index: np.ndarray, src: Any, dim: int, reduce: str) -> np.ndarray:
    """The older way to combine, which PyTorch has no derivative of."""
    if isinstance(src, np.ndarray) and state.is_news("scatter_reduce"):
        warn(_DEPRECATED)
    check_scatter(self, index, src if isinstance(src, np.ndarray) else None, dim)
    if reduce not in _BY_NAME:
        raise RuntimeError("reduce argument must be either add or multiply.")
    return scattered(self, index, src, dim, _BY_NAME[reduce])


_DEPRECATED = (
    "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch "
    "release. Use torch.scatter_reduce instead for more reduction options."
)

VALUE = Attribute("value", "number", required=True)
_SRC = "int dim, Tensor index, Tensor src"
_NUMBER = "int dim, Tensor index, Scalar value"


def _overloads(name: str, start: str, end: str) -> tuple[str, ...]:
    """The four ways to call scatter, or its in-place twin."""
    return (
        f"{name}({start}{_SRC}{end}) -> {_target(name, 'src')}",
        f"{name}({start}{_SRC}, *, str reduce{end.replace(', *', '')}) -> {_target(name, 'combined')}",
        f"{name}({start}{_NUMBER}{end}) -> {_target(name, 'value')}",
        f"{name}({start}{_NUMBER}, *, str reduce{end.replace(', *', '')}) -> {_target(name, 'combined_value')}",
    )


def _target(name: str, kind: str) -> str:
    return f"scatter_{kind}" + ("_" if name.endswith("_") else "")


register(
    Record(
        name="scatter",
        inputs=("self", "index", "src"),
        attributes=(ONE_DIM,),
        promotes="none",
        forward=_scatter_src,
        compose=lambda o, self, index, src, dim: o.scatter_src(self, index, src, dim),
        signatures=_overloads("scatter", "Tensor input, ", ", *, Tensor out=None"),
        grad_fn="ScatterBackward0",
        function="torch.scatter",
        method="scatter",
        section="index",
        latex=r"\self_{{\index}_i} \leftarrow \src_i",
        derivatives={"self": r"[j \notin \index]", "index": r"[\cdot]", "src": r"[j = {\index}_i]"},
        samples=(((M23, np.array([[0, 1, 0]]), matrix((1.0, 2.0, 3.0)), 0), {}),),
    )
)
register(
    Record(
        name="scatter_src",
        inputs=("self", "index", "src"),
        attributes=(ONE_DIM,),
        promotes="none",
        forward=_scatter_src,
        vjps={
            "self": lambda o, g, index, dim: o.scatter_value(g, index, dim, 0),
            "src": lambda o, g, index, dim: _at_index(o, g, index, dim),
        },
        grad_fn="ScatterBackward0",
        section="index",
        hidden=True,
        part_of="scatter",
        samples=(((M23, np.array([[0, 1, 0]]), matrix((1.0, 2.0, 3.0)), 0), {}),),
    )
)


def _at_index(o: Any, g: Any, index: Any, dim: int) -> Any:
    return o.gather(g, index, dim)


register(
    Record(
        name="scatter_value",
        inputs=("self", "index"),
        attributes=(ONE_DIM, VALUE),
        promotes="none",
        forward=_scatter_value,
        vjps={"self": lambda o, g, index, dim: o.scatter_value(g, index, dim, 0)},
        grad_fn="ScatterBackward1",
        section="index",
        hidden=True,
        part_of="scatter",
        samples=(((M23, np.array([[0, 1, 0]]), 0, 2.5), {}),),
    )
)
for _kind, _inputs, _attributes in (
    ("combined", ("self", "index", "src"), (ONE_DIM,)),
    ("combined_value", ("self", "index"), (ONE_DIM, VALUE)),
):
    register(
        Record(
            name=f"scatter_{_kind}",
            inputs=_inputs,
            attributes=(*_attributes, Attribute("reduce", "choice", required=True, choices=("add", "multiply"))),
            promotes="none",
            forward=_combined
            if _kind == "combined"
            else lambda self, index, dim, value, reduce: _combined(self, index, value, dim, reduce),
            vjps={name: underivable("scatter") for name in _inputs if name != "index"},
            grad_fn="NotImplemented",
            section="index",
            hidden=True,
            part_of="scatter",
        )
    )
register(
    Record(
        name="scatter_add",
        inputs=("self", "index", "src"),
        attributes=(ONE_DIM,),
        promotes="none",
        forward=_scatter_add,
        vjps={"self": lambda o, g: g, "src": lambda o, g, index, dim: _at_index(o, g, index, dim)},
        signatures=("scatter_add(Tensor input, int dim, Tensor index, Tensor src, *, Tensor out=None)",),
        grad_fn="ScatterAddBackward0",
        function="torch.scatter_add",
        method="scatter_add",
        style="method",
        section="index",
        latex=r"\self_{{\index}_i} + \src_i",
        derivatives={"self": r"1", "src": r"[j = {\index}_i]"},
        samples=(((M23, INDEX, matrix((1.0, 2.0, 3.0), (4.0, 5.0, 6.0)), 1), {}),),
    )
)

for _name in ("scatter_src", "scatter_value", "scatter_combined", "scatter_combined_value"):
    writing(_name, forward=apart(OPS[_name].forward))
writing("scatter_add", "Tensor.scatter_add_(int dim, Tensor index, Tensor src)", forward=apart(_scatter_add))
writing("scatter", *_overloads("scatter_", "Tensor input, ", ""), check=check_apart)
