"""Areas by the trapezoidal rule, distances of tensors, and slices cut down to a norm."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of, float64
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, same, size_at, wrap_dim
from chalkgrad.ops.arithmetic import dtype_kind, refuse_bools
from chalkgrad.ops.composing import through, writing
from chalkgrad.ops.norms import check_elements, norm_gradient
from chalkgrad.ops.samples import M23, P3, V3, vector

Shape = tuple[int, ...]


# Areas


def _sides(o: Any, values: Any, axis: int) -> tuple[Any, Any]:
    """``values`` without the last and without the first along ``axis``."""
    size = values.shape[axis]
    return o.slice(values, axis, 0, max(size - 1, 0), 1), o.slice(values, axis, 1, size, 1)


def _widths(o: Any, name: str, y: Any, x: Any, axis: int) -> Any:
    """The distances of the points ``x``, one to each of ``y`` along ``axis``."""
    if len(x.shape) == 1:
        if x.shape[0] != y.shape[axis]:
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        sizes = [1] * len(y.shape)
        sizes[axis] = x.shape[0]
        x = o.view(x, tuple(sizes))
    elif len(x.shape) < len(y.shape):
        x = o.view(x, (1,) * (len(y.shape) - len(x.shape)) + tuple(x.shape))
    left, right = _sides(o, x, axis)
    return o.sub(right, left)


def _scaled(o: Any, values: Any, factor: Any) -> Any:
    """``values`` times a number, also where whole numbers become fractions by that."""
    return (o.mul_number if dtype_kind(values) == "f" else o.mul)(values, factor)


def _halved(o: Any, values: Any) -> Any:
    return (o.div_number if dtype_kind(values) == "f" else o.div)(values, 2)


def _refuse_bools(name: str, y: Any, x: Any) -> None:
    if dtype_kind(y) == "b" or (x is not None and dtype_kind(x) == "b"):
        given = "`y`" if x is None else "`x` or `y`"
        raise RuntimeError(f"{name}: received a bool input for {given}, but bool is not supported")


def _refuse_bool_step(name: str, dx: Any) -> None:
    if isinstance(dx, bool):
        raise RuntimeError(f"{name}: Currently, we only support dx as a real number.")


def _trapezoid(o: Any, y: Any, x: Any = None, dx: Any = 1, dim: int = -1) -> Any:
    if x is not None:
        dim = wrap_dim(dim, len(y.shape))
    size_at(tuple(y.shape), dim)
    axis = wrap_dim(dim, len(y.shape))
    if not y.shape[axis]:
        sizes = tuple(size for place, size in enumerate(y.shape) if place != axis)
        return o.zero_(o.zeros_of(y, sizes))  # a write that PyTorch counts
    _refuse_bools("trapezoid", y, x)
    _refuse_bool_step("trapezoid", dx)
    if x is None:
        last = o.select(y, axis, -1)  # PyTorch's compiler works its arguments out from right to left
        ends = _scaled(o, o.add(o.select(y, axis, 0), last), 0.5)
        return _scaled(o, o.sub(o.sum(y, (axis,)), ends), dx)
    widths = _widths(o, "trapezoid", y, x, axis)
    left, right = _sides(o, y, axis)
    return _halved(o, o.sum(o.mul(o.add(left, right), widths), (axis,)))


def _cumulative(o: Any, y: Any, x: Any = None, dx: Any = 1, dim: int = -1) -> Any:
    if x is not None:
        dim = wrap_dim(dim, len(y.shape))
    _refuse_bools("cumulative_trapezoid", y, x)
    _refuse_bool_step("cumulative_trapezoid", dx)
    axis = wrap_dim(dim, len(y.shape)) if y.shape else dim
    if not y.shape:
        if x is not None and len(x.shape) == 1:
            size_at((), axis)
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    widths = None if x is None else _widths(o, "cumulative_trapezoid", y, x, axis)
    left, right = _sides(o, y, axis)
    if widths is None:
        return o.cumsum(_scaled(o, o.add(left, right), dx / 2), axis)
    return _halved(o, o.cumsum(o.mul(o.add(left, right), widths), axis))


def _areas(name: str, compose: Any, *signatures: str) -> None:
    register(
        Record(
            name=name,
            inputs=("y", "x"),
            optional=frozenset({"x"}),
            attributes=(
                Attribute("dx", "number", 1, positional=False),
                Attribute("dim", "int", -1, positional=False),
            ),
            promotes="none",
            forward=through(compose),
            compose=compose,
            signatures=tuple(f"torch.{signature}" for signature in signatures),
            function=f"torch.{name}",
            section="reduce",
            hidden=True,
        )
    )


for _name, _compose in (("trapezoid", _trapezoid), ("cumulative_trapezoid", _cumulative)):
    _areas(
        _name,
        _compose,
        f"{_name}(Tensor y, Tensor x, *, int dim=-1)",
        f"{_name}(Tensor y, *, Scalar dx=1, int dim=-1)",
    )
_areas(
    "trapz",
    _trapezoid,
    "trapz(Tensor y, *, float dx=1, int dim=-1)",
    "trapz(Tensor y, Tensor x, *, int dim=-1)",
)


# Distance

UNDEFINED = "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #0 'self'"


def _dist(self: np.ndarray, other: np.ndarray, p: Any = 2) -> np.ndarray:
    if self.dtype.kind != "f":
        raise RuntimeError(
            f"norm(): input dtype should be either floating point or complex. Got {dtype_of(self).scalar_type} instead."
        )
    size = np.abs(self - other)
    check_elements(size, p, None)
    if p == inf:
        return np.asarray(size.max())
    if p == -inf:
        return np.asarray(size.min())
    if p == 0:
        return np.asarray(np.count_nonzero(size), size.dtype)
    return np.asarray((size**p).sum() ** (1 / p), size.dtype)


def _dist_gradient(o: Any, g: Any, self: Any, other: Any, result: Any, p: Any) -> Any:
    return norm_gradient(o, g, o.sub(self, other), result, float(p), None, False)


def _other_gradient(o: Any, g: Any, self: Any, other: Any, result: Any, p: Any) -> Any:
    found = _dist_gradient(o, g, self, other, result, p)
    if found is None:  # PyTorch takes the negative of no tensor at all
        raise RuntimeError(UNDEFINED)
    return o.neg(found)


def _dist_shape(self: Shape, other: Shape, **_: Any) -> Shape:
    broadcast(self, other)
    return ()


register(
    Record(
        name="dist",
        inputs=("self", "other"),
        attributes=(Attribute("p", "number", 2),),
        forward=_dist,
        check=refuse_bools,
        vjps={"self": _dist_gradient, "other": _other_gradient},
        signatures=("dist(Tensor input, Tensor other, Scalar p=2)",),
        grad_fn="DistBackward0",
        function="torch.dist",
        method="dist",
        style="method",
        shape=_dist_shape,
        section="reduce",
        hidden=True,
        samples=(((V3, P3 + 0.1), {}), ((M23, P3 + 0.1, 3), {})),
    )
)


# renorm

_TINY = 1e-7


def _others(count: int, dim: int) -> Shape:
    return tuple(axis for axis in range(count) if axis != wrap_dim(dim, count))


def _renorm(self: np.ndarray, p: Any, dim: int, maxnorm: Any) -> np.ndarray:
    if not p > 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if not maxnorm >= 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {float(maxnorm):g}")
    if self.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {self.ndim} dimensions")
    axes = _others(self.ndim, dim)
    if self.dtype.kind != "f":
        found = dtype_of(self).scalar_type
        raise RuntimeError(f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {found}")
    norm = (
        (np.abs(self) ** p).sum(axis=axes, keepdims=True) ** (1 / p)
        if p != inf
        else np.abs(self).max(axes, keepdims=True)
    )
    return np.asarray(self * np.where(norm > maxnorm, maxnorm / (norm + _TINY), 1), self.dtype)


def _renorm_gradient(o: Any, g: Any, self: Any, p: Any, dim: int, maxnorm: Any) -> Any:
    axes = _others(len(self.shape), dim)
    norm = o.linalg_vector_norm(self, p, axes, True, dtype=float64)  # single precision is added up in double
    total = o.sum(o.mul(self, g), axes, True, dtype=float64)
    along = norm_gradient(o, total, self, norm, float(p), axes, True)
    inverse = o.reciprocal(o.add_number(norm, _TINY))
    rest = o.sub(g, o.mul(inverse, along))
    cut = o.mul(o.mul_number(inverse, maxnorm), rest)
    return o.where(o.gt(norm, maxnorm), cut if cut.dtype == g.dtype else o.to_copy(cut, g.dtype), g)


register(
    Record(
        name="renorm",
        inputs=("self",),
        attributes=(
            Attribute("p", "number", required=True),
            Attribute("dim", "int", required=True),
            Attribute("maxnorm", "number", required=True),
        ),
        promotes="none",
        forward=_renorm,
        vjps={"self": _renorm_gradient},
        signatures=("renorm(Tensor input, Scalar p, int dim, Scalar maxnorm, *, Tensor out=None)",),
        grad_fn="RenormBackward0",
        function="torch.renorm",
        method="renorm",
        style="method",
        shape=same,
        section="reduce",
        hidden=True,
        samples=(((M23, 2, 0, 1.0), {}), ((np.stack([vector(1.0, 2.0), vector(0.1, 0.2)]), 3, 0, 1.0), {})),
    )
)
writing("renorm", "Tensor.renorm_(Scalar p, int dim, Scalar maxnorm)")
