"""index_reduce: slices that go to one place are combined there."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.engine.warning import warn_once
from chalkgrad.errors import blame
from chalkgrad.ops.combining import INCLUDE, UFUNCS, product_gradient, refused_again, shares_of, start_of
from chalkgrad.ops.composing import apart, writing
from chalkgrad.ops.folding import ONE_DIM
from chalkgrad.ops.gathering import sizes_of
from chalkgrad.ops.indexed import ROWS, SOURCE, check_added, fill_at, pick
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, matrix

_REDUCE = Attribute("reduce", "choice", required=True, choices=("prod", "mean", "amax", "amin"))


def _combined(
    self: np.ndarray, index: np.ndarray, source: np.ndarray, dim: int, reduce: str, include_self: bool = True
) -> np.ndarray:
    if reduce not in _REDUCE.choices:
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    axis = wrap_dim(dim, self.ndim)
    check_added("index_reduce_", self, index, source, axis)
    warn_once("index_reduce() is in beta and the API may change at any time.")
    whole = self.copy()
    if self.dtype.kind == "b" and not (include_self and self.ndim > 1):
        raise not_implemented("index_func_" if include_self else "index_reduce_func_exclude_input_init", self.dtype)
    if not include_self:
        fill_at(whole, index.astype(np.int64), axis, start_of(self.dtype, reduce))
    target = whole.reshape(sizes_of(self.shape))
    if self.ndim > 1 and index.size and not self.shape[axis]:  # PyTorch takes a slice before it looks at indices
        shown = brackets(self.shape)
        raise IndexError(f"select(): index 0 out of range for tensor of size {shown} at dimension {axis}")
    wrong = index[(index < 0) | (index >= target.shape[axis])]
    if wrong.size:
        raise blame(IndexError("index out of range in self"), index=wrong[0])
    places = pick(axis, index.reshape(-1))
    UFUNCS[reduce].at(target, places, source.reshape(sizes_of(source.shape)))
    if reduce == "mean":
        counts = np.full(target.shape[axis], int(include_self))
        np.add.at(counts, index.reshape(-1), 1)
        counts = np.maximum(counts, 1).reshape((-1, *(1,) * (target.ndim - axis - 1)))
        target[...] = _divided(target, counts)
    return whole


def _divided(total: np.ndarray, counts: np.ndarray) -> np.ndarray:
    if total.dtype.kind == "b":
        raise NotImplementedError("\"div_floor_cpu\" not implemented for 'Bool'")
    return np.asarray(total / counts if total.dtype.kind == "f" else np.floor_divide(total, counts))


def _gradients(
    o: Any,
    g: Any,
    self: Any,
    index: Any,
    source: Any,
    result: Any,
    dim: int,
    reduce: str,
    include_self: bool,
    *,
    grad_input_mask: tuple[bool, ...],
) -> tuple[Any, Any]:
    """Derivatives by both, which PyTorch works out together; what of ``self`` was not included is set to 0 last."""
    rule = {"prod": _of_product, "mean": _of_mean}.get(reduce, _of_extreme)
    by_self, by_source = rule(o, g, self, index, source, result, dim, include_self, grad_input_mask)
    if grad_input_mask[0] and not include_self:
        by_self = o.index_fill_number(by_self, index, dim, 0)
    return by_self, by_source


def _of_product(
    o: Any, g: Any, self: Any, index: Any, source: Any, result: Any, dim: int, include_self: bool, mask: Any
) -> tuple[Any, Any]:
    by_self, by_source = None, None
    if mask[0]:
        others = o.masked_fill_number(self, o.eq(self, 0), 1)
        combined = o.index_reduce(others, index, source, dim, "prod", include_self=include_self)
        by_self = o.div(o.mul(g, combined), others)
    if mask[1]:
        pieces = o.index_select, o.index_add, o.index_reduce, o._index_reduce_once
        by_source = product_gradient(o, pieces, g, self, index, source, result, dim, include_self)
    return by_self, by_source


def _of_mean(
    o: Any, g: Any, self: Any, index: Any, source: Any, result: Any, dim: int, include_self: bool, mask: Any
) -> tuple[Any, Any]:
    shares = shares_of(o, o.index_add, g, index, source, dim, include_self)
    by_self = o.div(g, shares) if mask[0] else None
    return by_self, o.div(o.index_select(g, index, dim), o.index_select(shares, index, dim)) if mask[1] else None


def _of_extreme(
    o: Any, g: Any, self: Any, index: Any, source: Any, result: Any, dim: int, include_self: bool, mask: Any
) -> tuple[Any, Any]:
    """In equal parts to all that are the extreme."""
    mine = o.to_copy(o.eq(self, result), g.dtype)
    theirs = o.to_copy(o.eq(source, o.index_select(result, index, dim)), g.dtype)
    shared = o.div(g, o.index_add(mine, index, theirs, dim))
    by_self = o.mul(mine, shared) if mask[0] else None
    return by_self, o.mul(theirs, o.index_select(shared, index, dim)) if mask[1] else None


refused_again("index_reduce", "source")


_CALL = "int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True"

register(
    Record(
        name="index_reduce",
        inputs=("self", "index", "source"),
        attributes=(ONE_DIM, _REDUCE, INCLUDE),
        promotes="none",
        forward=_combined,
        vjps=dict.fromkeys(("self", "source"), _gradients),
        signatures=(f"index_reduce(Tensor input, {_CALL}, Tensor out=None)",),
        grad_fn="IndexReduceBackward0",
        function="torch.index_reduce",
        method="index_reduce",
        style="method",
        section="index",
        hidden=True,
        samples=(
            ((M23, ROWS, SOURCE, 0, "prod"), {}),
            ((M23, ROWS, SOURCE, 0, "mean"), {"include_self": False}),
            ((M23, np.array([2, 0]), matrix((1.0, 2.0), (4.0, 5.0)), 1, "amax"), {}),
            ((M23, ROWS, SOURCE, 0, "amin"), {"include_self": False}),
        ),
    )
)
writing("index_reduce", f"Tensor.index_reduce_({_CALL})", forward=apart(_combined))
