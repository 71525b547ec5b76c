"""Products, sums of exponentials, and whether anything or everything is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import DType, get_default_dtype
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import reduced, wrap_dim, wrap_dims
from chalkgrad.ops.composing import array_in
from chalkgrad.ops.reduce import DIM, DTYPE, KEEPDIM, one_or_many, summed_dtype, with_dims
from chalkgrad.ops.samples import M23, V3, S, matrix, ones, vector

Shape = tuple[int, ...]
ONE_DIM = Attribute("dim", "int", required=True)

_RANGE = "Dimension out of range (expected to be in range of [-1, 0], but got 3)"


# Products


def _prod(self: np.ndarray, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> np.ndarray:
    axes = wrap_dims(dim, self.ndim)
    return np.asarray(self.prod(axis=axes, keepdims=keepdim, dtype=summed_dtype(self, dtype)))


def has_zeros(values: Any) -> bool:
    """True when an array or a tensor has an element 0."""
    return bool((array_in(values) == 0).any())


def prod_gradient(o: Any, g: Any, self: Any, result: Any) -> Any:
    """Derivative of the product of everything."""
    self = _as_gradient(o, self, g)
    if not tuple(self.shape):
        return g
    if not has_zeros(self):
        return o.mul(g, o.div(result, self))
    if isinstance(self, np.ndarray) and np.count_nonzero(self == 0) > 1:
        # whatever the others are, even if one is nan; with a graph PyTorch computes it
        return np.zeros(self.shape, self.dtype)
    flat = o.reshape(self, (-1,))
    return o.reshape(_product_of_others(o, g, flat, 0), tuple(self.shape))


def prod_dim_gradient(o: Any, g: Any, self: Any, result: Any, dim: int, keepdim: bool) -> Any:
    """Derivative of a product along ``dim``."""
    self = _as_gradient(o, self, g)
    sizes = tuple(self.shape)
    if not sizes:
        return g
    g, result = with_dims(o, g, sizes, dim, keepdim), with_dims(o, result, sizes, dim, keepdim)
    if not has_zeros(self):
        return o.mul(g, o.div(result, self))
    return _product_of_others(o, g, self, wrap_dim(dim, len(sizes)))


def _as_gradient(o: Any, self: Any, g: Any) -> Any:
    return self if self.dtype == g.dtype else o.to_copy(self, g.dtype)


def _product_of_others(o: Any, g: Any, self: Any, dim: int) -> Any:
    """``g`` times, for each element, the product of the others along ``dim``, without dividing."""
    size = self.shape[dim]
    if size == 1:
        return g
    edge = o.add(o.zeros_of(g, tuple(1 if axis == dim else n for axis, n in enumerate(self.shape))), 1)
    before = o.cumprod(o.cat([edge, o.slice(self, dim, 0, size - 1, 1)], dim), dim)
    after = o.flip(o.slice(self, dim, 1, size, 1), (dim,))
    after = o.flip(o.cumprod(o.cat([edge, after], dim), dim), (dim,))
    return o.mul(g, o.mul(before, after))


_ZERO_ROW = matrix((0.5, 0.0, 2.0), (0.0, 0.75, 0.0))

register(
    Record(
        name="prod",
        said=("∏",),
        inputs=("self",),
        attributes=(Attribute("dim", "int", None), KEEPDIM, DTYPE),
        promotes="none",
        forward=_prod,
        compose=one_or_many("prod_all", "prod_int", several=False),
        signatures=(
            "prod(Tensor input, *, ScalarType? dtype=None) -> prod_all",
            "prod(Tensor input, int dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None) -> prod_int",
        ),
        grad_fn="ProdBackward0",
        function="torch.prod",
        method="prod",
        style="method",
        shape=reduced,
        section="reduce",
        latex=r"\prod \self",
        derivatives={"self": r"\frac{\prod \self}{\self}"},
        samples=(((M23,), {}), ((M23, 0), {}), ((M23,), {"dim": 1, "keepdim": True}), ((S,), {}), ((_ZERO_ROW,), {})),
        bad_samples=(((ones(2), 3), {}, "IndexError", _RANGE),),
    )
)
register(
    Record(
        name="prod_all",
        inputs=("self",),
        attributes=(DTYPE,),
        promotes="none",
        forward=lambda self, dtype=None: _prod(self, None, False, dtype),
        vjps={"self": lambda o, g, self, result: prod_gradient(o, g, self, result)},
        grad_fn="ProdBackward0",
        shape=reduced,
        section="reduce",
        hidden=True,
        part_of="prod",
        samples=(((M23,), {}), ((vector(0.5, 0.0, 2.0),), {}), ((vector(0.0, 0.0, 2.0),), {})),
    )
)
register(
    Record(
        name="prod_int",
        inputs=("self",),
        attributes=(ONE_DIM, KEEPDIM, DTYPE),
        promotes="none",
        forward=_prod,
        vjps={
            "self": lambda o, g, self, result, dim, keepdim: prod_dim_gradient(o, g, self, result, dim, keepdim),
        },
        grad_fn="ProdBackward1",
        shape=reduced,
        section="reduce",
        hidden=True,
        part_of="prod",
        samples=(((M23, 0, False), {}), ((_ZERO_ROW, 1, True), {}), ((_ZERO_ROW, 0, False), {})),
    )
)


# Logarithm of a sum of exponentials


def _logsumexp(self: np.ndarray, dim: Any, keepdim: bool = False) -> np.ndarray:
    if self.dtype.kind != "f":
        self = self.astype(get_default_dtype().numpy)
    axes = wrap_dims(dim, self.ndim)
    if not self.size:
        return np.asarray(np.log(np.exp(self).sum(axis=axes, keepdims=keepdim)))
    top = self.max(axis=axes, keepdims=True)
    top = np.where(np.isinf(top), np.zeros((), self.dtype), top)
    total = np.log(np.exp(self - top).sum(axis=axes, keepdims=True)) + top
    return np.asarray(total if keepdim else total.reshape(reduced(self.shape, dim)))


def _logsumexp_shape(self: Shape, dim: Any, keepdim: bool = False) -> Shape:
    if dim == () and self and not keepdim and 0 not in self:
        raise RuntimeError(f"output with shape [] doesn't match the broadcast shape {[1] * len(self)}")
    return reduced(self, dim, keepdim)


def _logsumexp_gradient(o: Any, g: Any, self: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    sizes = tuple(self.shape)
    g, result = with_dims(o, g, sizes, dim, keepdim), with_dims(o, result, sizes, dim, keepdim)
    return o.mul(g, o.exp(o.sub(self, result)))


register(
    Record(
        name="logsumexp",
        inputs=("self",),
        attributes=(Attribute("dim", "dim", required=True), KEEPDIM),
        promotes="none",
        forward=_logsumexp,
        vjps={
            "self": lambda o, g, self, result, dim, keepdim: _logsumexp_gradient(o, g, self, result, dim, keepdim),
        },
        signatures=("logsumexp(Tensor input, int[1] dim, bool keepdim=False, *, Tensor out=None)",),
        grad_fn="LogsumexpBackward0",
        function="torch.logsumexp",
        method="logsumexp",
        style="method",
        shape=_logsumexp_shape,
        section="reduce",
        latex=r"\ln \sum e^{\self}",
        derivatives={"self": r"\operatorname{softmax}(\self)"},
        samples=(((M23, (0,)), {}), ((M23, (0, 1)), {}), ((V3, (0,)), {"keepdim": True})),
        bad_samples=(((ones(2), 3), {}, "IndexError", _RANGE),),
    )
)


# What is true


def _truth(ufunc: np.ufunc) -> Any:
    def forward(self: np.ndarray, dim: Any = None, keepdim: bool = False) -> np.ndarray:
        axes = () if dim == () else wrap_dims(dim, self.ndim)  # unlike elsewhere, no dimension means none
        found = ufunc.reduce(self != 0, axis=axes, keepdims=keepdim)
        return np.asarray(found, np.uint8 if self.dtype == np.uint8 else np.bool_)

    return forward


def _truth_shape(self: Shape, dim: Any = None, keepdim: bool = False) -> Shape:
    return self if dim == () else reduced(self, dim, keepdim)


def _truths(name: str, ufunc: np.ufunc, latex: str) -> None:
    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(DIM, KEEPDIM),
            promotes="none",
            forward=_truth(ufunc),
            signatures=(
                f"{name}(Tensor input, *, Tensor out=None)",
                f"{name}(Tensor input, int[]? dim=None, bool keepdim=False, *, Tensor out=None)",
                f"{name}(Tensor input, int dim, bool keepdim=False, *, Tensor out=None)",
            ),
            function=f"torch.{name}",
            method=name,
            style="method",
            shape=_truth_shape,
            section="reduce",
            latex=latex,
            samples=(((np.array([[True, False], [True, True]]),), {}), ((M23, 0), {}), ((M23, 1, True), {})),
        )
    )


_truths("any", np.logical_or, r"\bigvee \self")
_truths("all", np.logical_and, r"\bigwedge \self")


def _count_nonzero(self: np.ndarray, dim: Any = None) -> np.ndarray:
    return np.asarray((self != 0).sum(axis=wrap_dims(dim, self.ndim), dtype=np.int64))


register(
    Record(
        name="count_nonzero",
        inputs=("self",),
        attributes=(DIM,),
        promotes="none",
        forward=_count_nonzero,
        signatures=("count_nonzero(Tensor input, int? dim=None)", "count_nonzero(Tensor input, int[] dim)"),
        function="torch.count_nonzero",
        method="count_nonzero",
        style="method",
        shape=reduced,
        section="reduce",
        latex=r"\sum [\self \neq 0]",
        samples=(((_ZERO_ROW,), {}), ((_ZERO_ROW, 1), {}), ((_ZERO_ROW, (0, 1)), {})),
    )
)
