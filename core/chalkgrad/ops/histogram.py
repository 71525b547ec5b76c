"""How many values, or how much weight, lies between edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of, exact
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.overloads import not_implemented, underivable
from chalkgrad.ops.ranges import spaced

Pair = tuple[np.ndarray, np.ndarray]

_RANGE = Attribute("range", "size", None, positional=False)
_REST = "Tensor? weight=None, bool density=False, Tensor[2] out=None"
_DENSITY = Attribute("density", "bool", False, positional=False)
_BOTH: dict[str, Any] = {
    "promotes": "none",
    "outputs": ("hist", "bin_edges"),
    "returns": "histogram",
    "grad_fn": "NotImplemented",
    "section": "reduce",
    "hidden": True,
}


def _check_count(bins: int) -> None:
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")


def _check_weight(self: np.ndarray, weight: np.ndarray | None) -> None:
    if weight is None:
        return
    if weight.dtype != self.dtype:
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same "
            f"dtype, but got input({dtype_of(self).cpp}), and weight({dtype_of(weight).cpp})"
        )
    if weight.size != self.size:
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
            f"excluding its innermost dimension, but got input with shape [{self.size}, 1] and weight with shape "
            f"[{weight.size}]"
        )


def _ends(self: np.ndarray, limits: tuple[float, ...] | None) -> tuple[float, float]:
    """Where the first bin begins and the last one ends."""
    if limits is None:
        low, high = (float(self.min()), float(self.max())) if self.size else (0.0, 1.0)
    elif len(limits) != 2:
        raise RuntimeError(
            f"torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but got {len(limits)}"
        )
    else:
        low, high = limits
    if not np.isfinite((low, high)).all():
        raise RuntimeError(f"torch.histogramdd: dimension 0's range [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError(
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension 0"
        )
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _counted(self: np.ndarray, edges: np.ndarray, weight: np.ndarray | None, density: bool) -> np.ndarray:
    inside = (self >= edges[0]) & (self <= edges[-1])
    count = len(edges) - 1
    places = np.minimum(np.searchsorted(edges, self[inside], side="right") - 1, count - 1)
    weights = None if weight is None else weight.reshape(self.shape)[inside]
    found = np.bincount(places, weights, count).astype(self.dtype)
    with np.errstate(all="ignore"):
        made: np.ndarray = found / (np.diff(edges) * found.sum(dtype=self.dtype)) if density else found
    return made


def _histogram(
    self: np.ndarray,
    weight: np.ndarray | None = None,
    bins: int = 100,
    range: tuple[float, ...] | None = None,
    density: bool = False,
) -> Pair:
    _check_count(bins)
    whole = self.dtype.kind != "f"
    if whole and range is None and self.size:
        raise not_implemented("histogramdd", self.dtype)
    low, high = (exact(float(end), dtype_of(self)).item() for end in _ends(self, range))
    edges = spaced(low, high, bins + 1, dtype_of(self), "linspace")
    _check_weight(self, weight)
    if whole:
        raise not_implemented("histogram_cpu", self.dtype)
    return _counted(self, edges, weight, density), edges


def _histogram_between(
    self: np.ndarray, bins: np.ndarray, weight: np.ndarray | None = None, density: bool = False
) -> Pair:
    name = "torch.histogramdd:"
    if bins.dtype != self.dtype:
        raise RuntimeError(
            f"{name} input tensor and bins tensors should have the same dtype, but got input with dtype "
            f"{dtype_of(self).cpp} and bins for dimension 0 with dtype {dtype_of(bins).cpp}"
        )
    if bins.ndim != 1:
        raise RuntimeError(
            f"{name} bins tensor should have one dimension, but got {bins.ndim} dimensions in the bins tensor for "
            "dimension 0"
        )
    if not bins.size:
        raise RuntimeError(
            f"{name} bins tensor should have at least 1 element, but got 0 elements in the bins tensor for dimension 0"
        )
    _check_count(bins.size - 1)
    _check_weight(self, weight)
    if self.dtype.kind != "f":
        raise not_implemented("histogram_cpu", self.dtype)
    return _counted(self, bins, weight, density), bins.copy()


register(
    Record(
        name="histogram",
        inputs=("self", "weight"),
        optional=frozenset({"weight"}),
        attributes=(Attribute("bins", "int", 100), _RANGE, _DENSITY),
        forward=_histogram,
        vjps={name: underivable("histogram") for name in ("self", "weight")},
        function="torch.histogram",
        method="histogram",
        style="method",
        shape=lambda self, weight=None, bins=100, **_: ((bins,), (bins + 1,)),
        signatures=(
            f"histogram(Tensor input, Tensor bins, *, {_REST}) -> histogram_between",
            f"histogram(Tensor input, int bins=100, *, float[]? range=None, {_REST})",
        ),
        **_BOTH,
    )
)
register(
    Record(
        name="histogram_between",
        inputs=("self", "bins", "weight"),
        optional=frozenset({"weight"}),
        attributes=(_DENSITY,),
        forward=_histogram_between,
        vjps={name: underivable("histogram") for name in ("self", "bins", "weight")},
        shape=lambda self, bins, weight=None, **_: ((bins[0] - 1 if bins else 0,), bins),
        part_of="histogram",
        **_BOTH,
    )
)
