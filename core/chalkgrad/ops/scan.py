"""Running sums, products and extremes along a dimension, and differences of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.record import OPS, Record
from chalkgrad.engine.rules import ARRAYS
from chalkgrad.engine.shapes import along, wrap_dim
from chalkgrad.ops.composing import write_part, writing, written_zeros
from chalkgrad.ops.folding import ONE_DIM, has_zeros
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.reduce import DTYPE, summed_dtype
from chalkgrad.ops.samples import M23, V3, S, matrix, ones, vector

Shape = tuple[int, ...]

_RANGE = "Dimension out of range (expected to be in range of [-1, 0], but got 3)"


def _accumulated(ufunc: np.ufunc) -> Any:
    def forward(self: np.ndarray, dim: int, dtype: DType | None = None) -> np.ndarray:
        wanted = summed_dtype(self, dtype)
        if not self.ndim:
            return self.astype(wanted)
        found = np.asarray(ufunc.accumulate(self, axis=dim, dtype=wanted))
        if ufunc is np.add and found.dtype.kind == "f":
            found += 0  # a sum begins with 0, so that -0 becomes 0
        return found

    return forward


def backwards_sum(o: Any, g: Any, dim: int) -> Any:
    """Running sums from the end of ``dim``."""
    sizes = tuple(g.shape)
    if not sizes or sizes[wrap_dim(dim, len(sizes))] == 1 or 0 in sizes or sizes == (1,) * len(sizes):
        return g
    return o.flip(o.cumsum(o.flip(g, (dim,)), dim), (dim,))


register(
    Record(
        name="cumsum",
        inputs=("self",),
        attributes=(ONE_DIM, DTYPE),
        promotes="none",
        forward=_accumulated(np.add),
        vjps={"self": lambda o, g, dim: backwards_sum(o, g, dim)},
        signatures=("cumsum(Tensor input, int dim, *, ScalarType? dtype=None, Tensor out=None)",),
        grad_fn="CumsumBackward0",
        function="torch.cumsum",
        method="cumsum",
        style="method",
        shape=along,
        section="reduce",
        latex=r"\sum_{j \leq i} {\self}_j",
        derivatives={"self": r"[j \leq i]"},
        samples=(((M23, 0), {}), ((M23, 1), {}), ((V3, -1), {}), ((S, 0), {})),
        bad_samples=(((ones(2), 3), {}, "IndexError", _RANGE),),
    )
)


def _cumprod_gradient(o: Any, g: Any, self: Any, result: Any, dim: int) -> Any:
    sizes = tuple(self.shape)
    if not sizes or 0 in sizes or sizes[wrap_dim(dim, len(sizes))] == 1:
        return g
    if not has_zeros(self):
        return o.div(backwards_sum(o, o.mul(result, g), dim), self)
    axis = wrap_dim(dim, len(sizes))
    return _up_to_zeros(g, self, result, axis) if o is ARRAYS else _cumprod_gradient_with_zeros(o, g, self, axis)


def _up_to_zeros(g: np.ndarray, self: np.ndarray, result: np.ndarray, axis: int) -> np.ndarray:
    """The gradient in one pass: by quotients before the first zero, by a product without it there, 0 after it.

    What comes after the second zero goes in nowhere, not even as a nan.
    """
    count = (self == 0).cumsum(axis)
    before, up_to_second = count == 0, count == 1
    first = up_to_second & (self == 0)
    with np.errstate(all="ignore"):
        summed = np.flip(np.flip(np.where(before, result * g, 0), axis).cumsum(axis), axis)
        others = np.where(up_to_second & ~first, self, 1).cumprod(axis)
        total = (others * np.where(up_to_second, g, 0)).sum(axis, keepdims=True)
        place = first.argmax(axis, keepdims=True)
        earlier = np.take_along_axis(result, np.maximum(place - 1, 0), axis)
        at_zero = total * np.where(place == 0, 1, earlier)
        found = np.where(first, at_zero, np.where(before, summed / self, 0))
    return found.astype(self.dtype, copy=False)


def _cumprod_gradient_with_zeros(o: Any, g: Any, self: Any, dim: int) -> Any:
    """For each element, the products of all others up to each later place, weighted; nothing is divided."""
    sizes = tuple(self.shape)
    size = sizes[dim]
    found = written_zeros(o, g, sizes)
    for place in range(size):  # written piece by piece like PyTorch writes it, which is seen in the graph
        products = _products_without(o, self, dim, place)
        weighted = o.mul(o.slice(g, dim, place, size, 1), products)
        total = o.sum(weighted, (dim,))
        write_part(o, o.select(found, dim, place), total)
    return found


def _products_without(o: Any, self: Any, dim: int, place: int) -> Any:
    """The products up to ``place`` and to each later one, without the element there."""
    sizes = tuple(self.shape)
    before = o.prod(o.slice(self, dim, 0, place, 1), dim, True) if place else None
    if place == sizes[dim] - 1:
        return before
    after = o.cumprod(o.slice(self, dim, place + 1, sizes[dim], 1), dim)
    if before is None:
        before = o.add(o.zeros_of(self, (*sizes[:dim], 1, *sizes[dim + 1 :])), 1)
        return o.cat([before, after], dim)
    return o.cat([before, o.mul(o.expand(before, tuple(after.shape)), after)], dim)


_ZEROS = matrix((0.5, 0.0, 2.0), (0.0, 0.75, 0.0))

register(
    Record(
        name="cumprod",
        inputs=("self",),
        attributes=(ONE_DIM, DTYPE),
        promotes="none",
        forward=_accumulated(np.multiply),
        vjps={"self": lambda o, g, self, dim, result: _cumprod_gradient(o, g, self, result, dim)},
        signatures=("cumprod(Tensor input, int dim, *, ScalarType? dtype=None, Tensor out=None)",),
        grad_fn="CumprodBackward0",
        function="torch.cumprod",
        method="cumprod",
        style="method",
        shape=along,
        section="reduce",
        latex=r"\prod_{j \leq i} {\self}_j",
        derivatives={"self": r"[j \leq i] \frac{\prod_{k \leq i} {\self}_k}{{\self}_j}"},
        samples=(((M23, 0), {}), ((M23, 1), {}), ((V3, -1), {}), ((_ZEROS, 1), {}), ((S, 0), {})),
        bad_samples=(((ones(2), 3), {}, "IndexError", _RANGE),),
    )
)


def _written(forward: Any, kernel: str) -> Any:
    """``forward`` where the result takes the place of what it was made of."""

    def written(self: np.ndarray, dim: int, dtype: DType | None = None) -> np.ndarray:
        if dtype is not None and dtype.numpy != self.dtype:
            raise RuntimeError(
                f"Bad in-place call: input tensor dtype {dtype_of(self).cpp} and output tensor dtype {dtype.cpp} "
                "should match"
            )
        if self.dtype.kind == "b" and self.ndim and self.size:
            raise not_implemented(kernel, self.dtype)
        found: np.ndarray = forward(self, dim, dtype)
        return found

    return written


for _name in ("cumsum", "cumprod"):
    writing(
        _name,
        f"Tensor.{_name}_(int dim, *, ScalarType? dtype=None)",
        forward=_written(OPS[_name].forward, f"{_name}_out_cpu"),
    )


# Running extremes


def _running(better: np.ufunc) -> Any:
    """Values and places of the extremes so far: of equal ones the last, and a NaN stays."""

    def forward(self: np.ndarray, dim: int) -> tuple[np.ndarray, np.ndarray]:
        if not self.ndim or not self.size:
            return self.copy(), np.zeros(self.shape, np.int64)
        lines = np.moveaxis(self, dim, 0)
        values, places = np.empty_like(lines, order="C"), np.zeros(lines.shape, np.int64)
        for place in range(len(lines)):
            values[place], places[place] = lines[place], place
            if place:
                new, old = lines[place], values[place - 1]
                stays = np.where(old != old, new == new, ~(better(new, old) | (new != new)))
                values[place] = np.where(stays, old, new)
                places[place] = np.where(stays, places[place - 1], place)
        return np.moveaxis(values, 0, dim).copy(), np.moveaxis(places, 0, dim).copy()

    return forward


def _running_gradient(o: Any, g: Any, sizes: Shape, indices: Any, dim: int) -> Any:
    return g if 0 in sizes else o.scatter_add(o.zeros_of(g, sizes), indices, g, dim)


def _running_extreme(name: str, better: np.ufunc) -> None:
    def shape(self: Shape, dim: int) -> Shape:
        if not self and dim not in (-1, 0):
            raise IndexError(f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}")
        return self if 0 in self else along(self, dim)  # of nothing PyTorch takes any dimension

    register(
        Record(
            name=name,
            inputs=("self",),
            attributes=(ONE_DIM,),
            promotes="none",
            forward=_running(better),
            outputs=("values", "indices"),
            returns=name,
            not_differentiable=frozenset({"indices"}),
            vjps={
                "self": lambda o, g, self, indices, dim: _running_gradient(o, g, tuple(self.shape), indices, dim),
            },
            signatures=(f"{name}(Tensor input, int dim, *, Tensor[2] out=None)",),
            grad_fn=f"{name.capitalize()}Backward0",
            fills=2,
            function=f"torch.{name}",
            method=name,
            style="method",
            shape=shape,
            section="reduce",
            latex=rf"\{name.removeprefix('cum')}_{{j \le i}} {{\self}}_j",
            derivatives={"self": r"[j = {\indices}_i]"},
            samples=(((M23, 0), {}), ((M23, 1), {}), ((vector(1.0, 0.5, 2.0, 1.5), 0), {})),
        )
    )


_running_extreme("cummax", np.greater_equal)
_running_extreme("cummin", np.less_equal)


def _logcumsumexp(self: np.ndarray, dim: int) -> np.ndarray:
    if self.dtype.kind != "f":
        raise not_implemented("logcumsumexp_out_cpu", self.dtype)
    if not self.ndim:
        return self.copy()
    found = np.logaddexp.accumulate(self, axis=dim, dtype=np.float64)
    return np.asarray(found + 0.0).astype(self.dtype)  # the first is added to nothing, too, and so never -0


def _logcumsumexp_gradient(o: Any, g: Any, self: Any, result: Any, dim: int) -> Any:
    """Positive and negative gradients go through logarithms on their own, so that large values stay finite."""
    if tuple(g.shape) == () or 0 in tuple(g.shape):
        return g
    lowest = o.add(o.zeros_of(g, ()), float(np.finfo(getattr(g.dtype, "numpy", g.dtype)).min))

    size = o.log(o.abs(g))

    def part(logs: Any) -> Any:
        back = o.flip(o.logcumsumexp(o.flip(o.sub(logs, result), (dim,)), dim), (dim,))
        return o.exp(o.add(back, self))

    above, below = o.where(o.gt(g, 0), size, lowest), o.where(o.lt(g, 0), size, lowest)
    positive, negative = part(above), part(below)
    return o.sub(positive, negative)


register(
    Record(
        name="logcumsumexp",
        inputs=("self",),
        attributes=(ONE_DIM,),
        promotes="none",
        forward=_logcumsumexp,
        vjps={"self": lambda o, g, self, result, dim: _logcumsumexp_gradient(o, g, self, result, dim)},
        signatures=("logcumsumexp(Tensor input, int dim, *, Tensor out=None)",),
        grad_fn="LogcumsumexpBackward0",
        function="torch.logcumsumexp",
        method="logcumsumexp",
        style="method",
        shape=along,
        section="reduce",
        latex=r"\ln \sum_{j \leq i} e^{{\self}_j}",
        derivatives={"self": r"[j \leq i] \frac{e^{{\self}_j}}{\sum_{k \leq i} e^{{\self}_k}}"},
        samples=(((M23, 0), {}), ((V3, -1), {}), ((S, 0), {})),
        bad_samples=(((ones(2), 3), {}, "IndexError", _RANGE),),
    )
)
