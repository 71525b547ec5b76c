"""Sums, means and products, over everything or along dimensions, and what is counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import reduced, wrap_dims
from chalkgrad.ops.composing import array_in, as_dims, through
from chalkgrad.ops.samples import M23, V3, S, ones

DIM = Attribute("dim", "dim", None)
KEEPDIM = Attribute("keepdim", "bool", False)
DTYPE = Attribute("dtype", "dtype", None, positional=False)
SIZE = tuple[int, ...]
ALONG = "Tensor input, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None"

_RANGE = "Dimension out of range (expected to be in range of [-1, 0], but got 3)"


def spread(o: Any, g: Any, sizes: SIZE, dim: Any, keepdim: bool) -> Any:
    """``g``, the gradient of a sum along ``dim``, repeated for all that was summed."""
    return o.expand(g if dim is None else with_dims(o, g, sizes, dim, keepdim), sizes)


def with_dims(o: Any, g: Any, sizes: SIZE, dim: Any, keepdim: bool) -> Any:
    """``g``, which belongs to a reduction of ``sizes`` along ``dim``, with the dimensions it lost, of size 1."""
    if keepdim or not sizes or dim == ():
        return g
    for axis in sorted(wrap_dims(dim, len(sizes))):
        g = o.unsqueeze(g, axis)
    return g


def counted(sizes: SIZE, dim: Any) -> int:
    """How many elements are reduced to one."""
    count = 1
    for axis in wrap_dims(dim, len(sizes)):
        count *= sizes[axis]
    return count


def summed_dtype(self: np.ndarray, dtype: DType | None) -> Any:
    """The dtype of a sum or product: integers become int64."""
    if dtype is not None:
        return dtype.numpy
    return np.dtype(np.int64) if self.dtype.kind in "biu" else self.dtype


def one_or_many(everything: str, along: str, several: bool = True) -> Any:
    """The operator that reduces everything, or along dimensions, by what it is called with."""

    def compose(o: Any, self: Any, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
        more = {} if dtype is None else {"dtype": dtype}
        if dim is None and not keepdim:
            return getattr(o, everything)(self, **more)
        return getattr(o, along)(self, as_dims(dim) if several else dim, keepdim, **more)

    return compose


# Sums


def _sum(self: np.ndarray, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> np.ndarray:
    axes = None if dim is None else wrap_dims(dim, self.ndim)
    total: np.ndarray = np.add.reduce(self, axis=axes, keepdims=keepdim, dtype=summed_dtype(self, dtype), out=...)
    return total


def _everything(forward: Any) -> Any:
    return lambda self, dtype=None: forward(self, None, False, dtype)


register(
    Record(
        name="sum",
        said=("total", "∑"),
        inputs=("self",),
        attributes=(DIM, KEEPDIM, DTYPE),
        forward=_sum,
        compose=one_or_many("sum_all", "sum_dim"),
        signatures=(
            "sum(Tensor input, *, ScalarType? dtype=None) -> sum_all",
            f"sum({ALONG}) -> sum_dim",
        ),
        promotes="none",
        grad_fn="SumBackward0",
        function="torch.sum",
        method="sum",
        style="method",
        shape=reduced,
        section="reduce",
        latex=r"\sum \self",
        derivatives={"self": "1"},
        samples=(((M23,), {}), ((M23, 0), {}), ((M23,), {"dim": 1, "keepdim": True}), ((S,), {}), ((M23, (0, 1)), {})),
        bad_samples=(((ones(2), 3), {}, "IndexError", _RANGE),),
    )
)
register(
    Record(
        name="sum_all",
        inputs=("self",),
        attributes=(DTYPE,),
        promotes="none",
        forward=_everything(_sum),
        vjps={"self": lambda o, g, self_sym_sizes: o.expand(g, self_sym_sizes)},
        grad_fn="SumBackward0",
        shape=reduced,
        section="reduce",
        hidden=True,
        part_of="sum",
        samples=(((M23,), {}),),
        checks_shapes=True,
    )
)
register(
    Record(
        name="sum_dim",
        inputs=("self",),
        attributes=(DIM, KEEPDIM, DTYPE),
        promotes="none",
        forward=_sum,
        checks_shapes=True,
        vjps={
            "self": lambda o, g, self_sym_sizes, dim, keepdim: spread(o, g, self_sym_sizes, dim, keepdim),
        },
        grad_fn="SumBackward1",
        shape=reduced,
        section="reduce",
        hidden=True,
        part_of="sum",
        samples=(((M23, (0,), False), {}), ((M23, (1,), True), {})),
    )
)


# Means


def check_floating(self: np.ndarray, dtype: DType | None = None) -> None:
    """PyTorch takes means of floating-point numbers only."""
    found = dtype_of(self) if dtype is None else dtype
    if found.is_floating_point:
        return
    what = "Input" if dtype is None else "Optional"
    raise RuntimeError(
        f"mean(): could not infer output dtype. {what} dtype must be either a floating point or complex dtype. "
        f"Got: {found.scalar_type}"
    )


def _mean(self: np.ndarray, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> np.ndarray:
    check_floating(self, dtype=dtype)
    total = _sum(self, dim, keepdim, dtype)
    return np.asarray(np.divide(total, np.asarray(counted(self.shape, dim), total.dtype)))


def _mean_gradient(o: Any, g: Any, sizes: SIZE, numel: int, dim: Any, keepdim: bool) -> Any:
    """Derivative of a mean along ``dim``; ``numel`` is saved because PyTorch saves it."""
    return o.div_number(spread(o, g, sizes, dim, keepdim), counted(sizes, dim))


_NOT_FLOAT = (
    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long"
)

register(
    Record(
        name="mean",
        said=("avg",),
        inputs=("self",),
        attributes=(DIM, KEEPDIM, DTYPE),
        forward=_mean,
        compose=one_or_many("mean_all", "mean_dim"),
        signatures=(
            "mean(Tensor input, *, ScalarType? dtype=None, Tensor out=None) -> mean_all",
            f"mean({ALONG}) -> mean_dim",
        ),
        promotes="none",
        grad_fn="MeanBackward0",
        function="torch.mean",
        method="mean",
        style="method",
        shape=reduced,
        section="reduce",
        latex=r"\frac{1}{n} \sum \self",
        derivatives={"self": r"\frac{1}{n}"},
        samples=(((M23,), {}), ((M23, 0), {}), ((M23,), {"dim": 1, "keepdim": True}), ((V3,), {})),
        bad_samples=(
            ((ones(2), 3), {}, "IndexError", _RANGE),
            ((np.array([1, 2], np.int64),), {}, "RuntimeError", _NOT_FLOAT),
        ),
    )
)
register(
    Record(
        name="mean_all",
        inputs=("self",),
        attributes=(DTYPE,),
        promotes="none",
        forward=_everything(_mean),
        vjps={
            "self": lambda o, g, self_sym_sizes, self_sym_numel: o.div_number(
                o.expand(g, self_sym_sizes), self_sym_numel
            ),
        },
        grad_fn="MeanBackward0",
        shape=reduced,
        section="reduce",
        hidden=True,
        part_of="mean",
        checks_shapes=True,
        samples=(((M23,), {}),),
    )
)
register(
    Record(
        name="mean_dim",
        inputs=("self",),
        attributes=(DIM, KEEPDIM, DTYPE),
        promotes="none",
        forward=_mean,
        vjps={
            "self": lambda o, g, self_sym_sizes, self_sym_numel, dim, keepdim: _mean_gradient(
                o, g, self_sym_sizes, self_sym_numel, dim, keepdim
            ),
        },
        grad_fn="MeanBackward1",
        section="reduce",
        hidden=True,
        part_of="mean",
        samples=(((M23, (0,), False), {}), ((M23, (1,), True), {})),
    )
)


# Sums and means of what is a number


def _nansum(self: np.ndarray, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> np.ndarray:
    if self.dtype.kind == "f":
        self = np.where(np.isnan(self), np.zeros((), self.dtype), self)
    return _sum(self, dim, keepdim, dtype)


def is_number(o: Any, self: Any) -> Any:
    """True where ``self`` is not NaN."""
    return o.eq(self, self)


register(
    Record(
        name="nansum",
        inputs=("self",),
        attributes=(DIM, KEEPDIM, DTYPE),
        promotes="none",
        forward=_nansum,
        vjps={
            "self": lambda o, g, self, dim, keepdim: o.mul(
                spread(o, g, tuple(self.shape), dim, keepdim), is_number(o, self)
            ),
        },
        signatures=(
            "nansum(Tensor input, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None)",
        ),
        grad_fn="NansumBackward0",
        function="torch.nansum",
        method="nansum",
        style="method",
        shape=reduced,
        section="reduce",
        latex=r"\sum_{\self \neq \mathrm{nan}} \self",
        derivatives={"self": r"[\self \neq \mathrm{nan}]"},
        samples=(((M23,), {}), ((M23, 0), {}), ((M23,), {"dim": 1, "keepdim": True})),
    )
)


def _nanmean(o: Any, self: Any, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    found = dtype_of(array_in(self))
    if not found.is_floating_point:
        raise RuntimeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {found.scalar_type}"
        )
    if dtype is not None and not dtype.is_floating_point:
        raise RuntimeError(
            "nanmean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. "
            f"Got: {dtype.scalar_type}"
        )
    dims = as_dims(dim)
    count = o.sum(is_number(o, o.detach(self)), dims, keepdim)
    total = o.nansum(self, dims, keepdim, dtype=dtype)
    return o.div(total, count)


register(
    Record(
        name="nanmean",
        inputs=("self",),
        attributes=(DIM, KEEPDIM, DTYPE),
        promotes="none",
        forward=through(_nanmean),
        compose=_nanmean,
        signatures=(
            "nanmean(Tensor input, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor out=None)",
        ),
        grad_fn="DivBackward0",
        function="torch.nanmean",
        method="nanmean",
        style="method",
        shape=reduced,
        section="reduce",
        latex=r"\frac{1}{n} \sum_{\self \neq \mathrm{nan}} \self",
        derivatives={"self": r"\frac{1}{n} [\self \neq \mathrm{nan}]"},
        samples=(((M23,), {}), ((M23, 0), {}), ((M23,), {"dim": 1, "keepdim": True})),
    )
)
