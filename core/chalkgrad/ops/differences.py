"""Differences of neighbours, and quantiles, which lie between neighbours in sorted order."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import reduced, wrap_dim
from chalkgrad.ops.composing import array_in, like, through
from chalkgrad.ops.reduce import KEEPDIM
from chalkgrad.ops.samples import M23, V3, vector
from chalkgrad.ops.slopes import of_diff

Shape = tuple[int, ...]


# diff


def _diff(o: Any, self: Any, prepend: Any = None, append: Any = None, n: int = 1, dim: int = -1) -> Any:
    count = len(self.shape)
    if not count:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    axis = wrap_dim(dim, count)
    for other in (prepend, append):
        if other is not None:
            _check_beside(tuple(self.shape), tuple(other.shape), axis)
    if n == 0:
        return o.copy_(o.zeros_of(self, tuple(self.shape)), self)
    given = [piece for piece in (prepend, self, append) if piece is not None]
    self = o.cat(given, dim) if len(given) > 1 else self
    less = o.ne if array_in(self).dtype.kind == "b" else o.sub
    for _ in range(min(n, self.shape[axis])):
        size = self.shape[axis]
        lower = o.slice(self, dim, 0, max(size - 1, 0), 1)
        self = less(o.slice(self, dim, 1, size, 1), lower)
    return self


def _check_beside(self: Shape, other: Shape, axis: int) -> None:
    if len(other) != len(self):
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    for place, (mine, theirs) in enumerate(zip(self, other, strict=True)):
        if place != axis and mine != theirs:
            raise RuntimeError(
                "diff expects the shape of tensor to prepend or append to match that of input except along the "
                f"differencing dimension; input.size({place}) = {mine}, but got tensor.size({place}) = {theirs}"
            )


register(
    Record(
        name="diff",
        inputs=("self", "prepend", "append"),
        optional=frozenset({"prepend", "append"}),
        attributes=(Attribute("n", "int", 1), Attribute("dim", "int", -1)),
        promotes="none",
        forward=through(_diff),
        compose=_diff,
        signatures=(
            "diff(Tensor input, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, *, Tensor out=None)",
        ),
        grad_fn="SubBackward0",
        function="torch.diff",
        method="diff",
        style="method",
        section="reduce",
        latex=r"\self_{i+1} - {\self}_i",
        varying=of_diff,
        samples=(((M23, None, None), {}), ((M23, None, None, 1, 0), {}), ((V3, vector(1.0), None), {})),
    )
)


# quantile

_ROUNDINGS: dict[str, Any] = {"lower": np.floor, "higher": np.ceil, "nearest": np.round}
_WAYS = ("linear", "lower", "higher", "midpoint", "nearest")


def _check_quantile(self: Any, q: Any, interpolation: str) -> None:
    values, wanted = array_in(self), array_in(q)
    if not values.size:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if wanted.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if values.dtype.kind != "f":
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if dtype_of(values) is not dtype_of(wanted):
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if interpolation not in _WAYS:
        raise RuntimeError(
            f"quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
            f"{interpolation}"
        )


def _ranks(o: Any, ordered: Any, q: Any, skip_nan: bool) -> Any:
    """The places among the sorted elements, with fractions; a line with a NaN means its last place, the NaN's."""
    missing = np.isnan(array_in(ordered)).sum(axis=-1, keepdims=True)
    last = ordered.shape[-1] - 1
    if not skip_nan:
        places, sizes = o.mul_number(q, last), np.broadcast_shapes(tuple(q.shape), missing.shape)
        places = places if tuple(q.shape) == sizes else o.expand(places, sizes)
        return o.masked_fill_number(places, like(ordered, missing > 0), last)
    found = o.mul(q, like(ordered, (last - missing).astype(array_in(q).dtype)))
    return o.masked_fill_number(found, like(ordered, array_in(found) < 0), 0)


def _quantile_of(name: str, skip_nan: bool) -> Any:
    def compose(
        o: Any, self: Any, q: Any, dim: int | None = None, keepdim: bool = False, interpolation: str = "linear"
    ) -> Any:
        _check_quantile(self, q, interpolation)
        sizes = tuple(self.shape)
        axis = None if dim is None else wrap_dim(dim, len(sizes))
        wanted = array_in(q)
        if not ((wanted >= 0) & (wanted <= 1)).all():
            raise RuntimeError("quantile() q values must be in the range [0, 1]")
        ordered = o.sort(_lines(o, self, axis), -1, False)[0]
        rest = reduced(sizes, axis, keepdim)
        ordered = o.view(ordered, (*rest, ordered.shape[-1]))
        ranks = _ranks(o, ordered, q, skip_nan)
        found = _between(o, ordered, ranks, interpolation)
        if wanted.ndim:
            found = o.transpose_(o.unsqueeze_(found, 0), 0, -1)
        return o.squeeze_(found, -1)

    return compose


def _lines(o: Any, self: Any, axis: int | None) -> Any:
    """``self`` with what is to be sorted along the last dimension."""
    count = len(self.shape)
    if axis is None:
        return self if count == 1 else o.reshape(self, (-1,))
    return self if axis == count - 1 else o.transpose(o.unsqueeze(self, -1), axis, -1)


def _between(o: Any, ordered: Any, ranks: Any, interpolation: str) -> Any:
    """The values at ``ranks``, which fall between elements."""
    places = array_in(ranks)
    if interpolation in ("lower", "higher", "nearest"):
        places = _ROUNDINGS[interpolation](places)
    low, high = np.floor(places), np.ceil(places)
    below = o.gather(ordered, like(ordered, low.astype(np.int64)), -1)
    if interpolation not in ("linear", "midpoint"):
        return below
    middle = interpolation == "midpoint"
    weights = like(ordered, np.full_like(places, 0.5)) if middle else o.sub(ranks, like(ordered, low))
    above = o.gather(ordered, like(ordered, high.astype(np.int64)), -1)
    return o.lerp_tensor_(below, above, weights)


def _quantile_record(name: str, skip_nan: bool) -> None:
    compose = _quantile_of(name, skip_nan)
    tail = 'int? dim=None, bool keepdim=False, *, str interpolation="linear", Tensor out=None'

    def by_number(o: Any, self: Any, q: float, *options: Any, **named: Any) -> Any:
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        dtype = array_in(self).dtype if array_in(self).dtype.kind == "f" else np.dtype(np.float32)
        return compose(o, self, like(self, np.asarray(q, dtype)), *options, **named)

    attributes = (
        Attribute("dim", "int", None),
        KEEPDIM,
        Attribute("interpolation", "choice", "linear", positional=False, choices=_WAYS),
    )
    register(
        Record(
            name=name,
            inputs=("self", "q"),
            attributes=attributes,
            promotes="none",
            forward=through(compose),
            compose=compose,
            signatures=(
                f"{name}(Tensor input, Tensor q, {tail})",
                f"{name}(Tensor input, float q, {tail}) -> {name}_number",
            ),
            grad_fn="SqueezeBackward4",
            function=f"torch.{name}",
            method=name,
            style="method",
            section="reduce",
            hidden=True,
        )
    )
    register(
        Record(
            name=f"{name}_number",
            inputs=("self",),
            attributes=(Attribute("q", "float", required=True), *attributes),
            promotes="none",
            forward=through(by_number),
            compose=by_number,
            shape=lambda self, q, dim=None, keepdim=False, interpolation="linear": reduced(self, dim, keepdim),
            section="reduce",
            hidden=True,
            part_of=name,
            samples=(((M23, 0.3), {}), ((M23, 0.5, 0), {})),
        )
    )


_quantile_record("quantile", skip_nan=False)
_quantile_record("nanquantile", skip_nan=True)
