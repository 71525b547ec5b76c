"""Norms of vectors and matrices: all come down to ``linalg.vector_norm``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.shapes import reduced, wrap_dim, wrap_dims
from chalkgrad.engine.size import brackets
from chalkgrad.engine.spelling import function
from chalkgrad.ops.composing import array_in, as_dims, as_method, through, written_zeros
from chalkgrad.ops.reduce import DIM, DTYPE, KEEPDIM, with_dims
from chalkgrad.ops.samples import M23, P3, V3
from chalkgrad.ops.shape import inverse_permutation
from chalkgrad.ops.slopes import of_norm

Shape = tuple[int, ...]
ORD = Attribute("ord", "number", None)
_OPTIONS = "int[1]? dim=None, bool keepdim=False, Tensor out=None, ScalarType? dtype=None"
_TAIL = "bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None"


# The one norm that all others are made of


def _check_floating(self: np.ndarray, name: str = "linalg.vector_norm") -> None:
    if self.dtype.kind != "f":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {dtype_of(self).scalar_type}"
        )


def _check_wanted(dtype: DType | None, name: str = "linalg.vector_norm") -> None:
    if dtype is not None and not dtype.is_floating_point:
        raise RuntimeError(f"{name}: dtype should be floating point or complex, but got {dtype.scalar_type}")


def _check_width(self: np.ndarray, dtype: DType | None, name: str = "linalg.vector_norm") -> None:
    if dtype is not None and dtype.numpy.itemsize < self.dtype.itemsize:
        raise RuntimeError(
            f"{name}: the dtype of the input ({dtype_of(self).scalar_type}) should be convertible without narrowing to "
            f"the specified dtype ({dtype.scalar_type})"
        )


def check_elements(self: np.ndarray, order: float, dim: Any) -> None:
    """RuntimeError where there are no elements for a norm of which nothing has none."""
    name = "linalg.vector_norm"
    if self.size or not (order < 0 or order == math.inf):
        return
    shown = "inf" if order == math.inf else "-inf" if order == -math.inf else f"{order:g}"
    if dim is None or dim == ():
        raise RuntimeError(
            f"{name} cannot compute the {shown} norm on an empty tensor because the operation does not have an identity"
        )
    for axis in wrap_dims(dim, self.ndim):
        if not self.shape[axis]:
            raise RuntimeError(
                f"{name} cannot compute the {shown} norm on the dimension {axis}because this dimension is empty and "
                "the operation does not have an identity"
            )


def _sum_of_squares(values: np.ndarray, axes: tuple[int, ...], keepdim: bool) -> np.ndarray:
    """In double precision. Along one dimension, and of everything, BLAS takes a fifth of NumPy's time."""
    wide = values.astype(np.float64, copy=False)
    if len(axes) == 1:
        lines = np.moveaxis(wide, axes[0], -1)
        sums = np.asarray(np.vecdot(lines, lines))
        return np.expand_dims(sums, axes[0]) if keepdim else sums
    if len(axes) == values.ndim and not keepdim:
        flat = wide.reshape(-1)
        return np.asarray(np.vecdot(flat, flat))
    return np.asarray(np.square(wide).sum(axis=axes, keepdims=keepdim))


def _vector_norm(
    self: np.ndarray, ord: Any = 2, dim: Any = None, keepdim: bool = False, dtype: DType | None = None
) -> np.ndarray:
    order = float(ord)
    _check_wanted(dtype)
    _check_width(self, dtype)
    axes = wrap_dims(dim, self.ndim)
    check_elements(self, order, dim)
    values = self if dtype is None else self.astype(dtype.numpy)
    if order == 2:
        return np.asarray(np.sqrt(_sum_of_squares(values, axes, keepdim)), values.dtype)
    values = np.abs(values)
    if order == math.inf:
        found = values.max(axis=axes, keepdims=keepdim)
    elif order == -math.inf:
        found = values.min(axis=axes, keepdims=keepdim)
    elif order == 0 or not values.size:
        found = (values != 0).sum(axis=axes, keepdims=keepdim)
    elif order == 1:
        found = values.sum(axis=axes, keepdims=keepdim)
    else:
        power = values.dtype.type(order)  # of single precision, where the tensor is: powers overflow as in PyTorch
        sums = np.power(values, power).sum(axis=axes, keepdims=keepdim, dtype=np.float64)
        found = np.power(sums.astype(values.dtype), 1 / power)
    return np.asarray(found).astype(values.dtype)


def norm_gradient(o: Any, g: Any, self: Any, result: Any, order: float, dim: Any, keepdim: bool) -> Any:
    """Derivative of a norm of vectors, by cases as PyTorch has them; 0 where the norm is."""
    sizes = tuple(self.shape)
    g, norm = (value if not dim else with_dims(o, value, sizes, dim, keepdim) for value in (g, result))
    if order == 0:
        return None
    if order == 1:
        return o.mul(o.sgn(self), g)
    if order == 2:
        return o.mul(g, _filled(o, o.div(self, norm), norm))
    if math.isinf(order):
        return _extreme_gradient(o, g, self, norm, dim)
    if order >= 2:
        scaled = o.mul(self, o.pow_number_(o.abs(self), order - 2))
    else:
        slope = o.pow_number_(o.abs(self), order - 1)
        slope = _filled(o, slope, self) if order < 1 else slope
        scaled = o.mul(o.sgn(self), slope)
    if order < 1:
        grown = o.pow_number(norm, 1 - order)
        return o.mul(o.mul(scaled, g), grown)
    return o.mul(scaled, _filled(o, o.div(g, o.pow_number(norm, order - 1)), norm))


def _filled(o: Any, value: Any, zeros: Any) -> Any:
    """``value`` with 0 where ``zeros`` is 0."""
    if isinstance(zeros, np.ndarray) and zeros.all():
        return value
    return o.masked_fill_number_(value, o.eq(zeros, 0), 0)


def _extreme_gradient(o: Any, g: Any, self: Any, norm: Any, dim: Any) -> Any:
    size = o.abs(self)
    mask = o.logical_or(o.eq(size, norm), o.ne(size, size))
    dims = dim or tuple(range(len(self.shape)))
    counts = o.sum(mask, dims, True) if dims else o.sum(mask)
    share = o.mul(o.div(g, o.to_copy(counts, g.dtype)), mask)
    return o.mul(o.sgn(self), share)


def _norm_shape(self: Shape, ord: Any = 2, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Shape:
    _check_wanted(dtype)
    return reduced(self, dim, keepdim)


register(
    Record(
        name="linalg_vector_norm",
        inputs=("self",),
        attributes=(Attribute("ord", "number", 2), DIM, KEEPDIM, DTYPE),
        promotes="none",
        check=_check_floating,
        forward=_vector_norm,
        vjps={
            "self": lambda o, g, self, result, ord, dim, keepdim: norm_gradient(
                o, g, self, result, float(ord), dim, keepdim
            ),
        },
        signatures=(f"linalg_vector_norm(Tensor input, Scalar ord=2, int[1]? dim=None, {_TAIL})",),
        grad_fn="LinalgVectorNormBackward0",
        function="torch.linalg.vector_norm",
        shape=_norm_shape,
        checks_shapes=True,
        section="reduce",
        latex=r"\lVert \self \rVert",
        varying=of_norm,
        samples=(((M23,), {}), ((M23, 1), {}), ((M23, 3, (0,)), {}), ((V3, math.inf), {}), ((P3, 1.5), {})),
    )
)

register(
    Record(
        name="norm_along",
        inputs=("self",),
        attributes=(Attribute("p", "number", 2), DIM, KEEPDIM),
        promotes="none",
        check=_check_floating,
        forward=lambda self, p=2, dim=None, keepdim=False: _vector_norm(self, p, dim, keepdim),
        vjps={
            "self": lambda o, g, self, result, p, dim, keepdim: norm_gradient(
                o, g, self, result, float(p), dim, keepdim
            )
        },
        grad_fn="NormBackward1",
        shape=lambda self, p=2, dim=None, keepdim=False: _norm_shape(self, p, dim, keepdim),
        section="reduce",
        hidden=True,
        part_of="linalg_vector_norm",
        samples=(((M23, 2, (1,)), {}),),
    )
)


# Norms of matrices


_SINGULAR = (2, -2)
_SUMMED = (1, -1, math.inf, -math.inf)


def _checked_dims(self: Any, dim: Shape, dtype: DType | None) -> Shape:
    name, count = "linalg.matrix_norm", len(self.shape)
    if count < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    _check_floating(array_in(self), name)
    if len(dim) != 2:
        raise RuntimeError(f"{name}: dim must be a 2-tuple. Got {' '.join(str(one) for one in dim)}")
    found = tuple(wrap_dim(one, count) for one in dim)
    if found[0] == found[1]:
        raise RuntimeError(f"{name}: dims must be different. Got ({dim[0]}, {dim[1]})")
    _check_wanted(dtype, name)
    _check_width(array_in(self), dtype, name)
    return found


def _matrix_norm(
    o: Any, self: Any, ord: Any = "fro", dim: Shape = (-2, -1), keepdim: bool = False, dtype: DType | None = None
) -> Any:
    order: Any = ord if isinstance(ord, str) else float(ord)
    if order not in ("fro", "nuc", *_SINGULAR, *_SUMMED):
        told = order if isinstance(order, str) else f"{order:g}"
        raise RuntimeError(f"linalg.matrix_norm: Order {told} not supported.")
    rows, columns = _checked_dims(self, dim, dtype)
    if order == "fro":
        return o.linalg_vector_norm(self, 2, (rows, columns), keepdim, dtype=dtype)
    if order == "nuc" or order in _SINGULAR:
        return _by_singular_values(o, self, order, (rows, columns), keepdim, dtype)
    summed, kept = (columns, rows) if math.isinf(order) else (rows, columns)
    if not keepdim and summed < kept:
        kept -= 1
    sums = o.linalg_vector_norm(self, 1.0, (summed,), keepdim, dtype=dtype)
    return _greatest(o, sums, kept, keepdim) if order > 0 else o.amin(sums, (kept,), keepdim)


def _greatest(o: Any, norms: Any, dim: int, keepdim: bool) -> Any:
    """The greatest of ``norms``, which are not negative; 0 where there are none."""
    if norms.shape[dim]:
        return o.amax(norms, (dim,), keepdim)
    return written_zeros(o, norms, reduced(tuple(norms.shape), dim, keepdim))


def _by_singular_values(o: Any, self: Any, order: Any, dims: Shape, keepdim: bool, dtype: DType | None) -> Any:
    if dtype is not None and dtype.numpy != array_in(self).dtype:
        self = o.to_copy(self, dtype)
    others = tuple(axis for axis in range(len(self.shape)) if axis not in dims)
    values = o.linalg_svdvals(o.permute(self, (*others, *dims)))
    if order == "nuc":
        found = o.sum(values, (-1,), keepdim)
    else:
        found = _greatest(o, values, -1, keepdim) if order > 0 else o.amin(values, (-1,), keepdim)
    return o.permute(o.unsqueeze(found, -1), inverse_permutation((*others, *dims))) if keepdim else found


register(
    Record(
        name="linalg_matrix_norm",
        inputs=("self",),
        attributes=(
            Attribute("ord", "choice", "fro", choices=("fro", "nuc")),
            Attribute("dim", "dim", (-2, -1)),
            KEEPDIM,
            DTYPE,
        ),
        promotes="none",
        forward=through(_matrix_norm),
        compose=_matrix_norm,
        signatures=(
            f"linalg_matrix_norm(Tensor input, Scalar ord, int[] dim={{-2,-1}}, {_TAIL})",
            f'linalg_matrix_norm(Tensor input, str ord="fro", int[] dim={{-2,-1}}, {_TAIL})',
        ),
        grad_fn="LinalgVectorNormBackward0",
        function="torch.linalg.matrix_norm",
        section="matrix",
        hidden=True,
        part_of="linalg_vector_norm",
        samples=(((M23,), {}), ((M23, 1), {}), ((M23, -math.inf), {})),
    )
)


def _linalg_norm(
    o: Any, self: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, dtype: DType | None = None
) -> Any:
    count = len(self.shape)
    if dim is not None and len(as_dims(dim)) not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {brackets(as_dims(dim))}"
        )
    if ord is not None and dim is None and count not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {count}D."
        )
    dims = as_dims(dim)
    if ord is None:
        return o.linalg_vector_norm(self, 2.0, dims, keepdim, dtype=dtype)
    if isinstance(ord, str) or (dims is None and count == 2) or (dims is not None and len(dims) == 2):
        return o.linalg_matrix_norm(self, ord, (-2, -1) if dims is None else dims, keepdim, dtype=dtype)
    return o.linalg_vector_norm(self, ord, dims, keepdim, dtype=dtype)


register(
    Record(
        name="linalg_norm",
        inputs=("self",),
        attributes=(ORD, DIM, KEEPDIM, DTYPE),
        promotes="none",
        forward=through(_linalg_norm),
        compose=_linalg_norm,
        signatures=(
            f"linalg_norm(Tensor input, Scalar? ord=None, int[1]? dim=None, {_TAIL})",
            f"linalg_norm(Tensor input, str ord, int[1]? dim=None, {_TAIL})",
        ),
        grad_fn="LinalgVectorNormBackward0",
        function="torch.linalg.norm",
        shape=_norm_shape,
        section="reduce",
        hidden=True,
        part_of="linalg_vector_norm",
        samples=(((M23,), {}), ((V3, 1), {})),
    )
)


def _norm(o: Any, self: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    dims = as_dims(dim)
    if isinstance(p, str) and not (p == "fro" and (dims is None or len(dims) <= 2)):
        every = tuple(range(len(self.shape))) if dims is None else dims
        return o.linalg_matrix_norm(self, p, every, keepdim, dtype=dtype)
    order = 2 if p == "fro" else 2.0 if p is None else p
    return o.linalg_vector_norm(self, order, dims, keepdim, dtype=dtype)


register(
    Record(
        name="norm",
        said=("‖x‖",),
        inputs=("self",),
        attributes=(Attribute("p", "number", "fro"), DIM, KEEPDIM, Attribute("dtype", "dtype", None)),
        promotes="none",
        forward=through(_norm),
        compose=_norm,
        signatures=(
            f'norm(Tensor input, str p="fro", {_OPTIONS})',
            f"norm(Tensor input, Scalar? p, {_OPTIONS})",
        ),
        grad_fn="LinalgVectorNormBackward0",
        function="torch.norm",
        method="norm",
        style="method",
        shape=lambda self, p="fro", dim=None, keepdim=False, dtype=None: reduced(self, dim, keepdim),
        section="reduce",
        latex=r"\lVert \self \rVert",
        varying=of_norm,
        samples=(((M23,), {}), ((M23, 1), {}), ((M23, 2, 0), {}), ((V3, 3), {})),
    )
)
_vector, _matrix = function(OPS["linalg_vector_norm"]), function(OPS["linalg_matrix_norm"])


def norm(
    input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: DType | None = None
) -> Any:
    """The norm of vectors, or with a name for ``p`` of matrices, with Python's signature as PyTorch wrote it."""
    if not isinstance(input, TensorBase):
        title = f"type object '{input.__name__}'" if isinstance(input, type) else f"'{type(input).__name__}' object"
        raise AttributeError(f"{title} has no attribute 'layout'")
    dims = [dim] if isinstance(dim, int) else dim
    if not isinstance(p, str):
        return _vector(input, 2.0 if p is None else p, dims, keepdim, dtype=dtype, out=out)
    if p == "fro" and (dims is None or len(dims) <= 2):
        return _vector(input, 2, dims, keepdim, dtype=dtype, out=out)
    return _matrix(input, p, list(range(input.array.ndim)) if dims is None else dims, keepdim, dtype=dtype, out=out)


def _norm_method(self: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    """The same as a method."""
    return norm(self, p, dim, keepdim, dtype=dtype)


as_method(_norm_method, "norm")
