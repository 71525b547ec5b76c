"""scatter_reduce: elements that go to one place are combined there."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.composing import apart, array_in, writing
from chalkgrad.ops.folding import ONE_DIM
from chalkgrad.ops.gathering import INDEX, REDUCE, check_scatter, scattered
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, matrix

UFUNCS = {"sum": np.add, "prod": np.multiply, "mean": np.add, "amax": np.maximum, "amin": np.minimum}
INCLUDE = Attribute("include_self", "bool", True, positional=False)


def start_of(dtype: np.dtype[Any], reduce: str) -> Any:
    """What places begin with that don't count their own value."""
    if reduce in ("sum", "mean"):
        return 0
    if reduce == "prod":
        return 1
    if dtype.kind == "b":
        return reduce == "amin"
    if dtype.kind == "f":
        return -np.inf if reduce == "amax" else np.inf
    limits = np.iinfo(dtype.type)
    return limits.min if reduce == "amax" else limits.max


def _combined(
    self: np.ndarray, index: np.ndarray, src: np.ndarray, dim: int, reduce: str, include_self: bool = True
) -> np.ndarray:
    check_scatter(self, index, src, dim)
    if reduce not in UFUNCS:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if reduce == "mean" and self.dtype.kind == "b":
        raise not_implemented("scatter_gather_tensor_cpu_reduce_mean" if index.size else "div_floor_cpu", self.dtype)
    if not include_self:
        self = scattered(self, index, start_of(self.dtype, reduce), dim)
    found = scattered(self, index, src, dim, UFUNCS[reduce].at)
    if reduce != "mean":
        return found
    counts = np.ones(self.shape, np.int64)
    if not include_self:
        counts = scattered(counts, index, 0, dim)
    counts = np.maximum(scattered(counts, index, np.ones(src.shape, np.int64), dim, np.add.at), 1)
    if self.dtype.kind == "f":
        return np.asarray(found / counts.astype(self.dtype))
    return np.asarray(np.floor_divide(found, counts)).astype(self.dtype)


# Gradients, each for self and for src


def _gradients(
    o: Any,
    g: Any,
    self: Any,
    index: Any,
    src: Any,
    result: Any,
    dim: int,
    reduce: str,
    include_self: bool,
    *,
    grad_input_mask: tuple[bool, ...],
) -> tuple[Any, Any]:
    """Derivatives by both, which PyTorch works out together; what of ``self`` was not included is set to 0 last."""
    by_self, by_src = _GRADIENTS[reduce](o, g, self, index, src, result, dim, reduce, include_self, grad_input_mask)
    if grad_input_mask[0] and not include_self:
        by_self = o.scatter_value(by_self, index, dim, 0)
    return by_self, by_src


def _of_sum(o: Any, g: Any, self: Any, index: Any, src: Any, result: Any, dim: int, *rest: Any) -> tuple[Any, Any]:
    return g, o.gather(g, index, dim) if rest[-1][1] else None


def _of_mean(
    o: Any, g: Any, self: Any, index: Any, src: Any, result: Any, dim: int, reduce: str, include_self: bool, mask: Any
) -> tuple[Any, Any]:
    shares = shares_of(o, o.scatter_add, g, index, src, dim, include_self)
    by_self = o.div(g, shares) if mask[0] else None
    return by_self, o.div(o.gather(g, index, dim), o.gather(shares, index, dim)) if mask[1] else None


def _of_product(
    o: Any, g: Any, self: Any, index: Any, src: Any, result: Any, dim: int, reduce: str, include_self: bool, mask: Any
) -> tuple[Any, Any]:
    by_self, by_src = None, None
    if mask[0]:
        others = o.masked_fill_number(self, o.eq(self, 0), 1)
        without = o.scatter_reduce(others, index, src, dim, reduce, include_self=include_self)
        by_self = o.div(o.mul(g, without), others)
    if mask[1]:
        pieces = o.gather, o.scatter_add, o.scatter_reduce, o._scatter_reduce_once
        by_src = product_gradient(o, pieces, g, self, index, src, result, dim, include_self)
    return by_self, by_src


def _of_extreme(
    o: Any, g: Any, self: Any, index: Any, src: Any, result: Any, dim: int, reduce: str, include_self: bool, mask: Any
) -> tuple[Any, Any]:
    """In equal parts to all that are the extreme."""
    mine = o.eq(self, result)
    theirs = o.eq(src, o.gather(result, index, dim))
    counts = o.scatter_add(o.to_copy(mine, g.dtype), index, o.to_copy(theirs, g.dtype), dim)
    shared = o.div(g, counts)
    by_self = o.mul(mine, shared) if mask[0] else None
    return by_self, o.mul(theirs, o.gather(shared, index, dim)) if mask[1] else None


_GRADIENTS = {"sum": _of_sum, "mean": _of_mean, "prod": _of_product, "amax": _of_extreme, "amin": _of_extreme}


def shares_of(o: Any, add: Any, g: Any, index: Any, src: Any, dim: int, include_self: bool) -> Any:
    """By how many values each place was divided; ``add`` is the operator that adds to places."""
    counts = o.add(o.zeros_of(g, tuple(g.shape)), int(include_self))
    counts = add(counts, index, o.add(o.zeros_of(g, tuple(src.shape)), 1), dim)
    return o.masked_fill_number(counts, o.eq(counts, 0), 1)


def product_gradient(
    o: Any,
    pieces: tuple[Any, Any, Any, Any],
    g: Any,
    self: Any,
    index: Any,
    src: Any,
    result: Any,
    dim: int,
    include_self: bool,
) -> Any:
    """A single zero at a place gets the product of the others there; else the result is divided.

    ``pieces`` are the operators that take from places, add to them and combine there, and the one that refuses to be
    differentiated again.
    """
    take, add, combine, once = pieces
    zero = o.eq(src, 0)
    counts = add(o.zeros_of(g, tuple(self.shape)), index, o.to_copy(zero, g.dtype), dim)
    counts = take(counts, index, dim)
    single = o.logical_and(zero, o.eq(counts, 1))
    without = o.masked_fill_number(src, single, 1)
    others = combine(self, index, without, dim, "prod", include_self=include_self)
    below = o.masked_fill_number(src, zero, 1)  # PyTorch works out the last operand first
    divided = o.div(take(o.mul(g, result), index, dim), below)
    found = o.where(single, take(o.mul(g, others), index, dim), divided)
    return once(found) if (array_in(counts) > 1).any() else found


def refused_again(name: str, source: str) -> None:
    """Register what makes the gradient of ``source`` refuse to be differentiated: too many of its factors are 0."""

    def refuse(o: Any, g: Any) -> NoReturn:
        raise RuntimeError(
            f"{name}(): Double backward is unsupported for {source} when >1 zeros in {source} are scattered to the "
            "same position in self"
        )

    register(
        Record(
            name=f"_{name}_once",
            inputs=("self",),
            promotes="none",
            forward=lambda self: self,
            vjps={"self": refuse},
            grad_fn="Error",
            section="index",
            hidden=True,
        )
    )


refused_again("scatter_reduce", "src")


_CALL = "int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True"
_WEIGHTS = matrix((1.0, 2.0, 3.0), (4.0, 5.0, 6.5))

register(
    Record(
        name="scatter_reduce",
        inputs=("self", "index", "src"),
        attributes=(ONE_DIM, REDUCE, INCLUDE),
        promotes="none",
        forward=_combined,
        vjps=dict.fromkeys(("self", "src"), _gradients),
        signatures=(f"scatter_reduce(Tensor input, {_CALL}, Tensor out=None)",),
        grad_fn="ScatterReduceBackward0",
        function="torch.scatter_reduce",
        method="scatter_reduce",
        style="method",
        section="index",
        hidden=True,
        samples=(
            ((M23, INDEX, _WEIGHTS, 0, "sum"), {}),
            ((M23, INDEX, _WEIGHTS, 0, "prod"), {}),
            ((M23, INDEX, _WEIGHTS, 1, "mean"), {"include_self": False}),
            ((M23, INDEX, _WEIGHTS, 0, "amax"), {}),
        ),
    )
)
writing(
    "scatter_reduce",
    f"Tensor.scatter_reduce_({_CALL})",
    forward=apart(_combined),
)
