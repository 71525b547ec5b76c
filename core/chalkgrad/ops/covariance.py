"""How variables vary together: covariances and correlations of the rows of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import new_tensor
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.warning import warn
from chalkgrad.ops.composing import of_arrays
from chalkgrad.ops.samples import M23, V3

Shape = tuple[int, ...]

NO_FREEDOM = "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations."


def _check(name: str, self: np.ndarray) -> None:
    if self.ndim > 2:
        raise RuntimeError(
            f"{name}(): expected input to have two or fewer dimensions but got an input with {self.ndim} dimensions"
        )


def _check_weights(name: str, weights: np.ndarray, count: int, kinds: str, wanted: str) -> None:
    if weights.ndim > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with {weights.ndim} dimensions"
        )
    if weights.dtype.kind not in kinds:
        raise RuntimeError(
            f"cov(): expected {name} to have {wanted} dtype but got {name} with {dtype_of(weights).scalar_type} dtype"
        )
    if weights.size != count:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got "
            f"{weights.size} != {count}"
        )
    if not (weights >= 0).all():  # a nan is refused, too
        raise RuntimeError(f"cov(): {name} cannot be negative")


def _weights(o: Any, fweights: Any, aweights: Any, count: int) -> Any:
    """How much each observation counts: how often it was made times how much it is worth; None for all alike."""
    if fweights is not None:
        _check_weights("fweights", fweights.array, count, "iu", "integral")
    if aweights is not None:
        _check_weights("aweights", aweights.array, count, "f", "floating point")
    if fweights is None or aweights is None:
        return aweights if fweights is None else fweights
    return o.mul(fweights, aweights)


def _freedom(o: Any, total: Any, weights: Any, aweights: Any, correction: int) -> Any:
    """By what the sums of products are divided."""
    if aweights is not None and correction:
        lost = o.div(o.mul_number(o.sum(o.mul(weights, aweights)), correction), total)
        found = o.sub(total, lost)
    else:
        found = o.subtract_number(total, correction) if correction else total
    if (found.array <= 0).all():
        warn(NO_FREEDOM)
        found = new_tensor(np.zeros_like(found.array)) if weights is None else o.zero_(found)
    return found


def _cov(o: Any, self: Any, fweights: Any = None, aweights: Any = None, correction: int = 1) -> Any:
    _check("cov", self.array)
    if self.array.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    rows = self if self.array.ndim == 2 else o.view(self, (1, self.array.size))
    count = rows.array.shape[1]
    weights = _weights(o, fweights, aweights, count)
    total = new_tensor(np.array(count)) if weights is None else o.sum(weights)
    if weights is not None and not total.array:
        raise RuntimeError("cov(): weights sum to zero, can't be normalized")
    mean = o.div(o.sum(rows if weights is None else o.mul(rows, weights), (1,)), total)
    freedom = _freedom(o, total, weights, aweights, correction)
    rows = o.sub(rows, o.unsqueeze(mean, 1))
    products = o.mm(rows, o.t(rows if weights is None else o.mul(rows, weights)))
    return o.squeeze(o.div(products, freedom))


def _corrcoef(o: Any, self: Any) -> Any:
    _check("corrcoef", self.array)
    found = o.cov(self)
    if not found.array.ndim:
        return o.div(found, found)
    deviation = o.sqrt(o.diagonal(found))
    count = deviation.array.size
    found = o.div(found, o.view(deviation, (count, 1)))
    found = o.div(found, o.view(deviation, (1, count)))
    return o.clamp(found, -1, 1)


def _shape(self: Shape, *_: Any, **__: Any) -> Shape:
    return (self[0], self[0]) if len(self) == 2 and self[0] != 1 else ()


_WEIGHTS = ("fweights", "aweights")
register(
    Record(
        name="cov",
        inputs=("self", *_WEIGHTS),
        optional=frozenset(_WEIGHTS),
        attributes=(Attribute("correction", "int", 1, positional=False),),
        promotes="none",
        forward=of_arrays("cov"),
        compose=_cov,
        grad_fn="SqueezeBackward0",
        function="torch.cov",
        method="cov",
        signatures=("cov(Tensor input, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None)",),
        shape=_shape,
        section="reduce",
        hidden=True,
        part_of="var",
        samples=(((M23, None, None), {}), ((V3, None, None), {"correction": 0}), ((M23, None, abs(V3)), {})),
    )
)
register(
    Record(
        name="corrcoef",
        inputs=("self",),
        promotes="none",
        forward=of_arrays("corrcoef"),
        compose=_corrcoef,
        grad_fn="ClampBackward1",
        function="torch.corrcoef",
        method="corrcoef",
        signatures=("corrcoef(Tensor input)",),
        shape=_shape,
        section="reduce",
        hidden=True,
        part_of="var",
        samples=(((M23 * M23,), {}),),
    )
)
