"""Products made of other operators: outer, inner, tensordot, kron, cross."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase, all_born_unheard, state
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.saved import check_countable
from chalkgrad.engine.shapes import broadcast, size_at, wrap_dim, wrap_dims
from chalkgrad.engine.size import brackets
from chalkgrad.engine.warning import warn_once
from chalkgrad.ops.composing import array_in, made_of_others
from chalkgrad.ops.fused import fused_difference
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, M32, V2, V3

Shape = tuple[int, ...]


def composed(name: str, inputs: tuple[str, ...], compose: Any, *signatures: str, **more: Any) -> None:
    """An operator that PyTorch writes in terms of others."""
    places: dict[str, Any] = {"function": f"torch.{name}", "hidden": True, "part_of": "matmul"} | more
    made_of_others(name, inputs, compose, *signatures, section="matrix", **places)


# Of vectors


def _outer_shape(self: Shape, vec2: Shape) -> Shape:
    for name, shape in (("self", self), ("vec2", vec2)):
        if len(shape) != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {len(shape)}-D")
    return self[0], vec2[0]


def _outer(o: Any, self: Any, vec2: Any) -> Any:
    rows, _ = _outer_shape(tuple(self.shape), tuple(vec2.shape))
    return o.mul(o.reshape(self, (rows, 1)), vec2)


composed(
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


composed(
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
    if prod(rows) == prod(columns) == 1:
        left, right = o.permute(self, kept + dims_self), o.permute(other, dims_other + kept_other)
        if array_in(left).flags.c_contiguous and array_in(right).flags.c_contiguous:
            other = o.flatten(right)  # PyTorch works out the last operand first
            total = o.dot(o.flatten(left), other)
        else:
            other = o.squeeze(right)
            total = o.sum(o.mul(o.squeeze(left), other), dtype=dtype_of(array_in(left)))
        return o.reshape(total, rows + columns)
    left = o.reshape(o.permute(self, kept + dims_self), (prod(rows), size))
    right = o.reshape(o.permute(other, dims_other + kept_other), (size, prod(columns)))
    product = o.mm(left, right)
    return o.reshape(product, rows + columns)


composed(
    "tensordot",
    ("self", "other"),
    _tensordot,
    "tensordot(Tensor input, Tensor other, int[] dims_self, int[] dims_other, *, Tensor out=None)",
    function=None,
    attributes=(Attribute("dims_self", "size", required=True), Attribute("dims_other", "size", required=True)),
    samples=(((M23, M32, (1,), (0,)), {}), ((M23, M23, (0, 1), (0, 1)), {})),
)


def _kron_shape(self: Shape, other: Shape) -> Shape:
    ndim = max(len(self), len(other))
    sizes = [(1,) * (ndim - len(shape)) + shape for shape in (self, other)]
    return tuple(a * b for a, b in zip(*sizes, strict=True))


def _check_kept(self: Any, other: Any) -> None:
    """Raise for a factor born in inference mode that is to be kept: PyTorch's unsafe views of it are so, too."""
    if not isinstance(self, TensorBase) or all_born_unheard(self, other):
        return
    for one, by in ((self, other), (other, self)):
        if isinstance(one, TensorBase) and state.grad and requires_grad_of(by):
            check_countable(one)


def _kron(o: Any, self: Any, other: Any) -> Any:
    _check_kept(self, other)
    ndim = max(len(self.shape), len(other.shape))
    sizes = [(1,) * (ndim - len(one.shape)) + tuple(one.shape) for one in (self, other)]
    spread = tuple(size for length in sizes[0] for size in (length, 1))
    spread_other = tuple(size for length in sizes[1] for size in (1, length))
    product = o.mul(o.unsafe_view(self, spread), o.unsafe_view(other, spread_other))
    return o.unsafe_view(product, _kron_shape(*sizes))


composed(
    "kron",
    ("self", "other"),
    _kron,
    "kron(Tensor input, Tensor other, *, Tensor out=None)",
    method="kron",
    shape=_kron_shape,
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
        return np.array(np.cross(self, other, axis=dim), order="C")
    left, right = np.moveaxis(self, dim, -1), np.moveaxis(other, dim, -1)
    after, before = [1, 2, 0], [2, 0, 1]
    found = fused_difference(left[..., after], right[..., before], left[..., before] * right[..., after])
    return np.array(np.moveaxis(found, -1, dim), order="C")


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


composed(
    "cross",
    ("self", "other"),
    _cross_somewhere,
    "cross(Tensor input, Tensor other, int? dim=None, *, Tensor out=None)",
    method="cross",
    attributes=(Attribute("dim", "dim", None),),
)
