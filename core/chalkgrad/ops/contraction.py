"""Products made of other operators: outer, inner, tensordot, kron, cross, powers and chains of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, size_at, wrap_dim, wrap_dims
from chalkgrad.engine.size import brackets
from chalkgrad.ops.composing import array_in, through, warn_once
from chalkgrad.ops.fused import fused_difference
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, M32, V2, V3, matrix

Shape = tuple[int, ...]


def _composed(name: str, inputs: tuple[str, ...], compose: Any, *signatures: str, **more: Any) -> None:
    """An operator that PyTorch writes in terms of others."""
    places: dict[str, Any] = {"function": f"torch.{name}", "hidden": True, "part_of": "matmul"} | more
    register(
        Record(
            name=name,
            inputs=inputs,
            promotes="none",
            forward=through(compose),
            compose=compose,
            signatures=signatures,
            section="matrix",
            **places,
        )
    )


# Of vectors


def _outer_shape(self: Shape, vec2: Shape) -> Shape:
    for name, shape in (("self", self), ("vec2", vec2)):
        if len(shape) != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {len(shape)}-D")
    return self[0], vec2[0]


def _outer(o: Any, self: Any, vec2: Any) -> Any:
    rows, _ = _outer_shape(tuple(self.shape), tuple(vec2.shape))
    return o.mul(o.reshape(self, (rows, 1)), vec2)


_composed(
    "outer",
    ("self", "vec2"),
    _outer,
    "outer(Tensor input, Tensor vec2, *, Tensor out=None)",
    aliases=("ger",),
    method="outer",
    grad_fn="MulBackward0",
    shape=_outer_shape,
    latex=r"\self \, \vec2^{\top}",
    derivatives={"self": r"g \, \vec2", "vec2": r"\self^{\top} g"},
    samples=(((V2, V3), {}),),
    bad_samples=(((M23, V2), {}, "RuntimeError", "outer: Expected 1-D argument self, but got 2-D"),),
    hidden=False,
    part_of=None,
)


def _inner(o: Any, self: Any, other: Any) -> Any:
    if not self.shape or not other.shape:
        return o.mul(self, other)
    if self.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{brackets(tuple(self.shape))} and {brackets(tuple(other.shape))}"
        )
    return o.tensordot(self, other, (-1,), (-1,))


_composed(
    "inner",
    ("self", "other"),
    _inner,
    "inner(Tensor input, Tensor other, *, Tensor out=None)",
    method="inner",
    samples=(((M23, V3), {}),),
)


# Over chosen dimensions


def _contracted(o: Any, self: Any, other: Any, first: Shape, second: Shape) -> tuple[Any, Any, int]:
    """Both tensors, what broadcasts summed away, and the number of elements that are contracted."""
    size = 1
    for dim, dim_other in zip(first, second, strict=True):
        length = array_in(self).shape[wrap_dim(dim, len(self.shape))]
        length_other = array_in(other).shape[wrap_dim(dim_other, len(other.shape))]
        if length_other == 1:
            self = o.sum(self, (dim,), True, dtype=dtype_of(array_in(self)))
        elif length == 1:
            other = o.sum(other, (dim_other,), True, dtype=dtype_of(array_in(other)))
        elif length != length_other:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {length} in dim {dim} and second has size "
                f"{length_other} in dim {dim_other}"
            )
        else:
            size *= length
    return self, other, size


def _tensordot(o: Any, self: Any, other: Any, dims_self: Shape, dims_other: Shape) -> Any:
    if len(dims_self) != len(dims_other):
        raise RuntimeError("both dimension lists should have same length")
    if array_in(self).dtype != array_in(other).dtype:
        raise RuntimeError("both inputs should have same dtype")
    self, other, size = _contracted(o, self, other, dims_self, dims_other)
    first = wrap_dims(dims_self, len(self.shape)) if dims_self else ()
    second = wrap_dims(dims_other, len(other.shape)) if dims_other else ()
    kept = tuple(axis for axis in range(len(self.shape)) if axis not in first)
    kept_other = tuple(axis for axis in range(len(other.shape)) if axis not in second)
    rows = tuple(self.shape[axis] for axis in kept)
    columns = tuple(other.shape[axis] for axis in kept_other)
    left, right = o.permute(self, kept + first), o.permute(other, second + kept_other)
    if prod(rows) == prod(columns) == 1:
        return o.reshape(o.dot(o.flatten(left), o.flatten(right)), rows + columns)
    product = o.mm(o.reshape(left, (prod(rows), size)), o.reshape(right, (size, prod(columns))))
    return o.reshape(product, rows + columns)


_composed(
    "tensordot",
    ("self", "other"),
    _tensordot,
    "tensordot(Tensor input, Tensor other, int[] dims_self, int[] dims_other, *, Tensor out=None)",
    function=None,
    attributes=(Attribute("dims_self", "size", required=True), Attribute("dims_other", "size", required=True)),
    samples=(((M23, M32, (1,), (0,)), {}), ((M23, M23, (0, 1), (0, 1)), {})),
)


def _kron(o: Any, self: Any, other: Any) -> Any:
    ndim = max(len(self.shape), len(other.shape))
    sizes = [(1,) * (ndim - len(one.shape)) + tuple(one.shape) for one in (self, other)]
    spread = tuple(size for length in sizes[0] for size in (length, 1))
    spread_other = tuple(size for length in sizes[1] for size in (1, length))
    product = o.mul(o.unsafe_view(self, spread), o.unsafe_view(other, spread_other))
    return o.unsafe_view(product, tuple(a * b for a, b in zip(*sizes, strict=True)))


_composed(
    "kron",
    ("self", "other"),
    _kron,
    "kron(Tensor input, Tensor other, *, Tensor out=None)",
    method="kron",
    samples=(((M23, V2), {}),),
)


# Cross product


def _cross_shape(self: Shape, other: Shape, dim: int = -1) -> Shape:
    if len(self) != len(other):
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    sizes = [size_at(shape, dim) for shape in (self, other)]
    if sizes != [3, 3]:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {sizes[0]} and {sizes[1]}")
    return broadcast(self, other)


def _cross(self: np.ndarray, other: np.ndarray, dim: int = -1) -> np.ndarray:
    if self.dtype.kind == "b":
        raise not_implemented("cross", self.dtype)
    if self.dtype != other.dtype:
        names = [dtype_of(array).scalar_type for array in (self, other)]
        raise RuntimeError(f"expected scalar type {names[0]} but found {names[1]}")
    if self.dtype.kind != "f":
        return np.ascontiguousarray(np.cross(self, other, axis=dim))
    left, right = np.moveaxis(self, dim, -1), np.moveaxis(other, dim, -1)
    after, before = [1, 2, 0], [2, 0, 1]
    found = fused_difference(left[..., after], right[..., before], left[..., before] * right[..., after])
    return np.ascontiguousarray(np.moveaxis(found, -1, dim))


register(
    Record(
        name="linalg_cross",
        inputs=("self", "other"),
        attributes=(Attribute("dim", "int", -1, positional=False),),
        promotes="none",
        forward=_cross,
        vjps={
            "self": lambda o, g, other, dim: o.linalg_cross(other, g, dim=dim),
            "other": lambda o, g, self, dim: o.linalg_cross(g, self, dim=dim),
        },
        grad_fn="LinalgCrossBackward0",
        function="torch.linalg.cross",
        signatures=("linalg_cross(Tensor input, Tensor other, *, int dim=-1, Tensor out=None)",),
        shape=_cross_shape,
        section="matrix",
        hidden=True,
        part_of="matmul",
        samples=(((V3, V3 + 1), {}), ((M32, M32 * 2 + 1), {"dim": 0})),
    )
)


_NO_DIM = (
    "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply "
    "use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a future "
    "release."
)


def _cross_somewhere(o: Any, self: Any, other: Any, dim: int | None = None) -> Any:
    if dim is None:
        warn_once(_NO_DIM)
        dim = next((axis for axis, size in enumerate(self.shape) if size == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return o.linalg_cross(self, other, dim=dim)


_composed(
    "cross",
    ("self", "other"),
    _cross_somewhere,
    "cross(Tensor input, Tensor other, int? dim=None, *, Tensor out=None)",
    method="cross",
    attributes=(Attribute("dim", "dim", None),),
)


# Powers and chains


def check_square(name: str, shape: Shape) -> None:
    """RuntimeError unless ``shape`` is that of square matrices."""
    if len(shape) < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if shape[-1] != shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {shape[-2]} by {shape[-1]} matrices"
        )


def _matrix_power(o: Any, self: Any, n: int) -> Any:
    check_square("linalg.matrix_power", tuple(self.shape))
    if n == 0:
        array = array_in(self)
        ones = np.broadcast_to(np.eye(array.shape[-1], dtype=array.dtype), array.shape)
        return o.mul_number(o.clone(self), 0) + ones if isinstance(self, np.ndarray) else _identity(o, self, ones)
    if n < 0:
        self, n = o.linalg_inv(self), -n
        if n == 1:
            return self
    if n == 1:
        return o.contiguous(self, memory_format=contiguous_format)
    if n == 3:
        return o.matmul(o.matmul(self, self), self)
    result = None
    while n:
        if n & 1:
            result = self if result is None else o.matmul(result, self)
        n >>= 1
        if n:
            self = o.matmul(self, self)
    return result


def _identity(o: Any, self: Any, values: np.ndarray) -> Any:
    """Identity matrices written over a copy of ``self``, so that they are recorded as made from it."""
    whole = o.contiguous(self, memory_format=contiguous_format)
    ones = o.detach(o.clone(self))
    ones.array[...] = values
    return o.copy_(whole, ones)


_composed(
    "matrix_power",
    ("self",),
    _matrix_power,
    "matrix_power(Tensor input, int n, *, Tensor out=None)",
    method="matrix_power",
    attributes=(Attribute("n", "int", required=True),),
    samples=(((matrix((1.0, 0.5), (0.25, 2.0)), 2), {}), ((matrix((1.0, 0.5), (0.25, 2.0)), 5), {})),
)


_composed(
    "linalg_matrix_power",
    ("self",),
    _matrix_power,
    "linalg_matrix_power(Tensor input, int n, *, Tensor out=None)",
    function="torch.linalg.matrix_power",
    attributes=(Attribute("n", "int", required=True),),
)
_composed(
    "linalg_matmul",
    ("self", "other"),
    lambda o, self, other: o.matmul(self, other),
    "linalg_matmul(Tensor input, Tensor other, *, Tensor out=None)",
    function="torch.linalg.matmul",
)


def _vecdot(o: Any, x: Any, y: Any, dim: int = -1) -> Any:
    first, second = dtype_of(array_in(x)), dtype_of(array_in(y))
    if not first.is_floating_point:
        raise RuntimeError(
            f"linalg.vecdot: Expected a floating point or complex tensor as input. Got {first.scalar_type}"
        )
    if first is not second:
        raise RuntimeError(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
            f"{first.scalar_type} and y of type {second.scalar_type} instead"
        )
    if len(x.shape) == len(y.shape) == 1:
        return o.vdot(x, y)
    return o.sum(o.mul(x, y), (dim,))


_composed(
    "linalg_vecdot",
    ("x", "y"),
    _vecdot,
    "linalg_vecdot(Tensor x, Tensor y, *, int dim=-1, Tensor out=None)",
    function="torch.linalg.vecdot",
    attributes=(Attribute("dim", "int", -1, positional=False),),
)
_composed(
    "linalg_diagonal",
    ("A",),
    lambda o, A, offset=0, dim1=-2, dim2=-1: o.diagonal(A, offset, dim1, dim2),  # noqa: N803  PyTorch's name
    "linalg_diagonal(Tensor A, *, int offset=0, int dim1=-2, int dim2=-1)",
    function="torch.linalg.diagonal",
    attributes=(
        Attribute("offset", "int", 0, positional=False),
        Attribute("dim1", "int", -2, positional=False),
        Attribute("dim2", "int", -1, positional=False),
    ),
)


def _cheapest(sizes: Sequence[int]) -> dict[tuple[int, int], int]:
    """Where to split each part of a chain of matrices so that the fewest multiplications are needed."""
    count = len(sizes) - 1
    cost = {(place, place): 0 for place in range(count)}
    cuts: dict[tuple[int, int], int] = {}
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            ways = [
                cost[first, cut] + cost[cut + 1, last] + sizes[first] * sizes[cut + 1] * sizes[last + 1]
                for cut in range(first, last)
            ]
            cost[first, last] = min(ways)
            equal = [place for place, way in enumerate(ways) if way == min(ways)]
            cuts[first, last] = first + equal[-1 if count == 3 else 0]
    return cuts


def _multiply(o: Any, tensors: Sequence[Any], cuts: dict[tuple[int, int], int], first: int, last: int) -> Any:
    if first == last:
        return tensors[first]
    cut = cuts[first, last]
    return o.mm(_multiply(o, tensors, cuts, first, cut), _multiply(o, tensors, cuts, cut + 1, last))


def _check_chain(tensors: Sequence[Any]) -> None:
    count = len(tensors)
    if count < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {count}")
    for which, place in (("first", 0), ("last", count - 1)):
        if len(tensors[place].shape) not in (1, 2):
            raise RuntimeError(f"multi_dot(): the {which} tensor must be 1D or 2D but got {len(tensors[place].shape)}D")
    for place in range(1, count - 1):
        if len(tensors[place].shape) != 2:
            raise RuntimeError(f"multi_dot(): tensor {place} must be 2D but got {len(tensors[place].shape)}D")
    for place in range(1, count):
        if array_in(tensors[place]).dtype != array_in(tensors[0]).dtype:
            raise RuntimeError(
                f"multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                f"{dtype_of(array_in(tensors[0])).cpp} and tensor {place} {dtype_of(array_in(tensors[place])).cpp}"
            )


def _multi_dot(o: Any, tensors: Sequence[Any]) -> Any:
    _check_chain(tensors)
    chain = list(tensors)
    shape = [*chain[0].shape[:-1], *chain[-1].shape[1:]]
    if len(chain[0].shape) == 1:
        chain[0] = o.unsqueeze(chain[0], 0)
    if len(chain[-1].shape) == 1:
        chain[-1] = o.unsqueeze(chain[-1], -1)
    for place, (left, right) in enumerate(pairwise(chain)):
        if left.shape[1] != right.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {place} and {place + 1} with shapes {brackets(tuple(tensors[place].shape))} and "
                f"{brackets(tuple(tensors[place + 1].shape))} cannot be multiplied"
            )
    cuts = _cheapest([chain[0].shape[0], *(one.shape[1] for one in chain)])
    return o.view(_multiply(o, chain, cuts, 0, len(chain) - 1), tuple(shape))


def _chain_matmul(o: Any, matrices: Sequence[Any]) -> Any:
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for one in matrices:
        if len(one.shape) != 2:
            raise RuntimeError(f"Tensor dimension is {len(one.shape)}, expected 2 instead.")
    return matrices[0] if len(matrices) == 1 else _multi_dot(o, matrices)


_composed(
    "chain_matmul",
    ("matrices",),
    _chain_matmul,
    "chain_matmul(Tensor[] matrices, *, Tensor out=None)",
    function=None,
    variadic=True,
)
_composed(
    "linalg_multi_dot",
    ("tensors",),
    _multi_dot,
    "linalg_multi_dot(Tensor[] tensors, *, Tensor out=None)",
    function="torch.linalg.multi_dot",
    variadic=True,
)
