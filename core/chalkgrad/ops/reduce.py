"""Sums and means, over everything or along dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import reduced, wrap_dims
from chalkgrad.ops.samples import M23, V3, S, ones

DIM = Attribute("dim", "dim", None)
KEEPDIM = Attribute("keepdim", "bool", False)
DTYPE = Attribute("dtype", "dtype", None, positional=False)
SIZE = tuple[int, ...]

_RANGE = "Dimension out of range (expected to be in range of [-1, 0], but got 3)"


def _sum(self: np.ndarray, dim: Any = None, keepdim: bool = False) -> np.ndarray:
    axes = wrap_dims(dim, self.ndim)
    if self.dtype.kind in "biu":
        return np.asarray(self.sum(axis=axes, keepdims=keepdim, dtype=np.int64))
    return np.asarray(self.sum(axis=axes, keepdims=keepdim))


def _check_floating(self: np.ndarray) -> None:
    if self.dtype.kind != "f":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: "
            f"{dtype_of(self).scalar_type}"
        )


def _mean(self: np.ndarray, dim: Any = None, keepdim: bool = False) -> np.ndarray:
    _check_floating(self)
    axes = wrap_dims(dim, self.ndim)
    count = max(int(np.prod([self.shape[axis] for axis in axes], dtype=np.int64)), 0)
    return np.asarray(np.divide(self.sum(axis=axes, keepdims=keepdim), np.asarray(count, self.dtype)))


def spread(o: Any, g: Any, sizes: SIZE, dim: Any, keepdim: bool) -> Any:
    """``g``, the gradient of a sum along ``dim``, repeated for all that was summed."""
    dims = wrap_dims(dim, len(sizes))
    if not keepdim and sizes:
        for axis in sorted(dims):
            g = o.unsqueeze(g, axis)
    return o.expand(g, sizes)


def _counted(sizes: SIZE, dim: Any) -> int:
    count = 1
    for axis in wrap_dims(dim, len(sizes)):
        count *= sizes[axis]
    return count


def _compose(everything: str, along: str) -> Any:
    def compose(o: Any, self: Any, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
        if dtype is not None and dtype.numpy != self.array.dtype:
            self = o.to_copy(self, dtype)
        if dim is None and not keepdim:
            return getattr(o, everything)(self)
        dims = dim if isinstance(dim, tuple) else () if dim is None else (dim,)
        return getattr(o, along)(self, dims, keepdim)

    return compose


def _mean_composed(o: Any, self: Any, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    if dtype is None:
        _check_floating(self.array)
    return _compose("mean_all", "mean_dim")(o, self, dim, keepdim, dtype)


def _with_dtype(forward: Any) -> Any:
    def run(self: np.ndarray, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> np.ndarray:
        found: np.ndarray = forward(self if dtype is None else self.astype(dtype.numpy), dim, keepdim)
        return found

    return run


register(
    Record(
        name="sum",
        inputs=("self",),
        attributes=(DIM, KEEPDIM, DTYPE),
        forward=_with_dtype(_sum),
        compose=_compose("sum_all", "sum_dim"),
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
        promotes="none",
        forward=_sum,
        vjps={"self": lambda o, g, self_sym_sizes: o.expand(g, self_sym_sizes)},
        grad_fn="SumBackward0",
        shape=reduced,
        section="reduce",
        latex=r"\sum \self",
        derivatives={"self": "1"},
        hidden=True,
        part_of="sum",
        samples=(((M23,), {}),),
    )
)

register(
    Record(
        name="sum_dim",
        inputs=("self",),
        attributes=(DIM, KEEPDIM),
        promotes="none",
        forward=_sum,
        vjps={
            "self": lambda o, g, self_sym_sizes, dim, keepdim: spread(o, g, self_sym_sizes, dim, keepdim),
        },
        grad_fn="SumBackward1",
        shape=reduced,
        section="reduce",
        latex=r"\sum \self",
        derivatives={"self": "1"},
        hidden=True,
        part_of="sum",
        samples=(((M23, (0,), False), {}), ((M23, (1,), True), {})),
    )
)

_NOT_FLOAT = (
    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long"
)

register(
    Record(
        name="mean",
        inputs=("self",),
        attributes=(DIM, KEEPDIM, DTYPE),
        forward=_with_dtype(_mean),
        compose=_mean_composed,
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
        promotes="none",
        forward=_mean,
        vjps={
            "self": lambda o, g, self_sym_sizes, self_sym_numel: o.div_number(
                o.expand(g, self_sym_sizes), self_sym_numel
            ),
        },
        grad_fn="MeanBackward0",
        shape=reduced,
        section="reduce",
        latex=r"\frac{1}{n} \sum \self",
        derivatives={"self": r"\frac{1}{n}"},
        hidden=True,
        part_of="mean",
        samples=(((M23,), {}),),
    )
)


def mean_gradient(o: Any, g: Any, sizes: SIZE, numel: int, dim: Any, keepdim: bool) -> Any:
    """Derivative of a mean along ``dim``; ``numel`` is saved because PyTorch saves it."""
    return o.div_number(spread(o, g, sizes, dim, keepdim), _counted(sizes, dim))


register(
    Record(
        name="mean_dim",
        inputs=("self",),
        attributes=(DIM, KEEPDIM),
        promotes="none",
        forward=_mean,
        vjps={
            "self": lambda o, g, self_sym_sizes, self_sym_numel, dim, keepdim: mean_gradient(
                o, g, self_sym_sizes, self_sym_numel, dim, keepdim
            ),
        },
        grad_fn="MeanBackward1",
        shape=reduced,
        section="reduce",
        latex=r"\frac{1}{n} \sum \self",
        derivatives={"self": r"\frac{1}{n}"},
        hidden=True,
        part_of="mean",
        samples=(((M23, (0,), False), {}), ((M23, (1,), True), {})),
    )
)
