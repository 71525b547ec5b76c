"""The largest and smallest elements and where they are: of everything, or along a dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Formula, Record
from chalkgrad.engine.shapes import reduced, wrap_dim, wrap_dims
from chalkgrad.ops.composing import array_in
from chalkgrad.ops.folding import ONE_DIM
from chalkgrad.ops.reduce import KEEPDIM
from chalkgrad.ops.samples import M23, V3, S, vector
from chalkgrad.ops.slopes import of_two

Shape = tuple[int, ...]


# Gradients that several share


def evenly(o: Any, g: Any, self: Any, result: Any) -> Any:
    """``g`` in equal parts to all elements that are the result."""
    found = o.ne(self, self) if np.isnan(array_in(result)).any() else o.eq(self, result)
    return o.masked_fill_tensor(o.zeros_of(g, tuple(self.shape)), found, o.div(g, counted_as(o, found, g)))


def counted_as(o: Any, mask: Any, g: Any) -> Any:
    """How many are true, in the dtype of ``g``."""
    return o.to_copy(o.sum(mask), g.dtype)


def to_chosen(o: Any, g: Any, indices: Any, sizes: Shape, dim: int, keepdim: bool) -> Any:
    """``g`` to the elements that ``indices`` chose along ``dim``."""
    if not keepdim and sizes:
        axis = wrap_dim(dim, len(sizes))
        g, indices = o.unsqueeze(g, axis), o.unsqueeze(indices, axis)
    return o.scatter_src(o.zeros_of(g, sizes), indices, g, dim)


OF_CHOSEN: dict[str, Formula] = {
    "self": lambda o, g, self_sym_sizes, indices, dim, keepdim: to_chosen(o, g, indices, self_sym_sizes, dim, keepdim)
}
"""The formula of what picks one element of each line."""


def _shared(o: Any, g: Any, self: Any, result: Any, dim: Any, keepdim: bool, *, as_named: bool = False) -> Any:
    """``g`` in equal parts to the elements that are the extreme along ``dim``.

    Where it is ``as_named`` it gets back those dimensions that a call names: none, where that means all of them.
    """
    sizes = tuple(self.shape)
    dims = wrap_dims(dim, len(sizes))
    mask = o.eq(_restored(o, result, sizes, dims, keepdim), self)
    counts = o.to_copy(o.sum(mask, dims, True) if sizes else o.sum(mask), g.dtype)
    if as_named and dim in (None, ()) and not keepdim:
        return o.mul(o.div(o.view(g, ()), counts), mask)
    if not sizes and dim not in (None, ()) and not keepdim:  # PyTorch gives it a dimension, and sums that away again
        return o.mul(o.div(o.view(g, (1,)), counts), mask)
    return o.mul(o.div(_restored(o, g, sizes, dims, keepdim), counts), mask)


def _restored(o: Any, value: Any, sizes: Shape, dims: Shape, keepdim: bool) -> Any:
    if keepdim:
        return value
    return o.view(value, tuple(1 if axis in dims else size for axis, size in enumerate(sizes)))


# What is refused


def check_line(name: str, shape: Shape, dim: int) -> int:
    """The dimension from the front; IndexError where it is empty."""
    axis = wrap_dim(dim, len(shape))
    if shape and not shape[axis]:
        raise IndexError(f"{name}(): Expected reduction dim {axis} to have non-zero size.")
    return axis


def check_something(name: str, array: np.ndarray, kind: type[Exception] = RuntimeError) -> None:
    """Raise where there is nothing to choose from."""
    if not array.size:
        end = " Specify the reduction dim with the 'dim' argument." if kind is RuntimeError else ""
        raise kind(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.{end}")


def without(shape: Shape, dim: int, keepdim: bool) -> Shape:
    """The shape left when one dimension is reduced."""
    return reduced(shape, dim, keepdim)


def chosen(self: np.ndarray, places: np.ndarray, axis: int, keepdim: bool) -> tuple[np.ndarray, np.ndarray]:
    """Values at ``places``, which have the dimension ``axis`` with size 1, and the places."""
    values = np.take_along_axis(self, places, axis)
    if not keepdim:
        values, places = values.squeeze(axis), places.squeeze(axis)
    return np.ascontiguousarray(values).reshape(values.shape), places.astype(np.int64)


# max and min


def _along(name: str, places: Any) -> Any:
    def forward(self: np.ndarray, dim: int, keepdim: bool = False) -> tuple[np.ndarray, np.ndarray]:
        axis = check_line(name, self.shape, dim)
        if not self.ndim:
            return self.copy(), np.zeros((), np.int64)
        return chosen(self, places(self, axis=axis, keepdims=True), axis, keepdim)

    return forward


def _of_all(name: str, extreme: Any) -> Any:
    def forward(self: np.ndarray) -> np.ndarray:
        check_something(name, self)
        return np.asarray(extreme(self))

    return forward


def selecting(name: str, forward: Any, grad_fn: str, sample: np.ndarray = M23) -> Record:
    """The record ``<name>_dim``: values along a dimension and where they are."""
    return register(
        Record(
            name=f"{name}_dim",
            inputs=("self",),
            attributes=(ONE_DIM, KEEPDIM),
            promotes="none",
            forward=forward,
            outputs=("values", "indices"),
            returns=name,
            not_differentiable=frozenset({"indices"}),
            vjps=OF_CHOSEN,
            fills=2,
            grad_fn=grad_fn,
            section="reduce",
            hidden=name == "nanmedian",
            latex=rf"\operatorname{{{name}}}_d \self",
            derivatives={"self": r"[j = {\indices}_i]"},
            samples=(((sample, 0, False), {}), ((sample, 1, True), {}), ((V3, -1, False), {})),
        )
    )


def _extreme(name: str, extreme: Any, places: Any, pairwise: str) -> None:
    title = name.capitalize()
    register(
        Record(
            name=name,
            inputs=("self",),
            promotes="none",
            forward=_of_all(name, extreme),
            vjps={"self": lambda o, g, self, result: evenly(o, g, self, result)},
            fills=1,
            signatures=(
                f"{name}(Tensor input, *, Tensor out=None)",
                f"{name}(Tensor input, Tensor other, *, Tensor out=None) -> {pairwise}",
                f"{name}(Tensor input, int dim, bool keepdim=False, *, Tensor[2] out=None) -> {name}_dim",
            ),
            grad_fn=f"{title}Backward1",
            function=f"torch.{name}",
            method=name,
            style="method",
            shape=reduced,
            section="reduce",
            latex=rf"\{name} \self",
            derivatives={"self": rf"\frac{{[\self = \{name} \self]}}{{n}}"},
            samples=(((M23,), {}), ((V3,), {}), ((S,), {})),
        )
    )
    selecting(name, _along(name, places), f"{title}Backward0")


_extreme("max", np.max, np.argmax, "maximum")
_extreme("min", np.min, np.argmin, "minimum")


def _amax(name: str, extreme: Any) -> Any:
    def forward(self: np.ndarray, dim: Any = (), keepdim: bool = False) -> np.ndarray:
        if dim is None or dim == ():
            check_something(name, self)
        elif not self.size:
            for one in dim if isinstance(dim, tuple) else (dim,):
                if not self.shape[wrap_dim(one, self.ndim)]:
                    raise IndexError(f"{name}(): Expected reduction dim {one} to have non-zero size.")
        axes = wrap_dims(dim, self.ndim)
        found = np.asarray(extreme(self, axis=axes, keepdims=keepdim))
        if found.dtype.kind == "f" and not found.all():
            np.copysign(found, _first_zeros(self, axes).reshape(found.shape), out=found, where=found == 0)
        return found

    return forward


def _first_zeros(self: np.ndarray, axes: Shape) -> np.ndarray:
    """The first 0 of those that go together, with its sign: NumPy takes the sign of one or another."""
    kept = [axis for axis in range(self.ndim) if axis not in axes]
    lines = self.transpose(*kept, *sorted(axes)).reshape(*(self.shape[axis] for axis in kept), -1)
    return np.take_along_axis(lines, (lines == 0).argmax(-1)[..., None], -1)


for _name, _ufunc, _sign in (("amax", np.max, "max"), ("amin", np.min, "min")):
    register(
        Record(
            name=_name,
            inputs=("self",),
            attributes=(Attribute("dim", "dim", ()), KEEPDIM),
            promotes="none",
            forward=_amax(_name, _ufunc),
            checks_shapes=True,
            vjps={
                "self": lambda o, g, self, result, dim, keepdim: _shared(
                    o, g, self, result, dim, keepdim, as_named=True
                ),
            },
            signatures=(f"{_name}(Tensor input, int[1]? dim={{}}, bool keepdim=False, *, Tensor out=None)",),
            grad_fn=f"{_name.capitalize()}Backward0",
            function=f"torch.{_name}",
            method=_name,
            style="method",
            shape=reduced,
            section="reduce",
            latex=rf"\{_sign} \self",
            derivatives={"self": rf"\frac{{[\self = \{_sign} \self]}}{{n}}"},
            samples=(((M23, (0,)), {}), ((M23, (0, 1)), {"keepdim": True}), ((M23,), {}), ((S,), {})),
        )
    )


# Both at once

OF_NOTHING = "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."


def _aminmax(self: np.ndarray, dim: int | None = None, keepdim: bool = False) -> tuple[np.ndarray, np.ndarray]:
    if dim is None:
        if not self.size:
            raise RuntimeError(OF_NOTHING)
        return np.asarray(self.min(keepdims=keepdim)), np.asarray(self.max(keepdims=keepdim))
    axis = wrap_dim(dim, self.ndim)
    if self.ndim and not self.shape[axis]:
        raise IndexError(f"aminmax: Expected reduction dim {axis} to have non-zero size.")
    if not self.ndim:
        return self.copy(), self.copy()
    least, most = self.min(axis=axis, keepdims=keepdim), self.max(axis=axis, keepdims=keepdim)
    return np.asarray(least, order="C"), np.asarray(most, order="C")


def _aminmax_gradient(o: Any, g: Any, self: Any, least: Any, most: Any, dim: int | None, keepdim: bool) -> Any:
    low = None if g[0] is None else _shared(o, g[0], self, least, dim, keepdim)
    high = None if g[1] is None else _shared(o, g[1], self, most, dim, keepdim)
    if low is None or high is None:
        return high if low is None else low
    return o.add_(low, high)


register(
    Record(
        name="aminmax",
        inputs=("self",),
        attributes=(Attribute("dim", "int", None, positional=False), Attribute("keepdim", "bool", False, False, False)),
        promotes="none",
        forward=_aminmax,
        outputs=("min", "max"),
        returns="aminmax",
        vjps={
            "self": lambda o, g, self, min, max, dim, keepdim: _aminmax_gradient(o, g, self, min, max, dim, keepdim),
        },
        signatures=("aminmax(Tensor input, *, int? dim=None, bool keepdim=False, Tensor[2] out=None)",),
        fills=lambda came: (came[0] is not None and came[1] is not None,),  # one is added to the other
        grad_fn="AminmaxBackward0",
        function="torch.aminmax",
        method="aminmax",
        style="method",
        section="reduce",
        latex=r"(\min \self, \max \self)",
        varying=of_two(r"[\self = \min \self]", r"[\self = \max \self]"),
        samples=(((M23,), {}), ((M23,), {"dim": 1})),
    )
)


# Where they are


def _not_bool(name: str) -> Any:
    def check(self: np.ndarray) -> None:
        if self.dtype == np.bool_:
            raise RuntimeError(f"{name}(): does not support bool input")

    return check


def _arg(name: str, places: Any) -> Any:
    def forward(self: np.ndarray, dim: int | None = None, keepdim: bool = False) -> np.ndarray:
        if dim is None:
            check_something(name, self, IndexError)
            found = np.asarray(places(self), np.int64)
            return found.reshape((1,) * self.ndim) if keepdim else found
        axis = check_line(name, self.shape, dim)
        if not self.ndim:
            return np.zeros((), np.int64)
        return np.asarray(places(self, axis=axis, keepdims=keepdim), np.int64)

    return forward


for _name, _places in (("argmax", np.argmax), ("argmin", np.argmin)):
    register(
        Record(
            name=_name,
            inputs=("self",),
            attributes=(Attribute("dim", "int", None), KEEPDIM),
            promotes="none",
            check=_not_bool(_name),
            forward=_arg(_name, _places),
            signatures=(f"{_name}(Tensor input, int? dim=None, bool keepdim=False, *, Tensor out=None)",),
            function=f"torch.{_name}",
            method=_name,
            style="method",
            shape=reduced,
            section="reduce",
            latex=rf"\operatorname{{{_name}}} \self",
            samples=(((M23,), {}), ((M23, 0), {}), ((vector(1.0, 3.0, 3.0), 0, True), {})),
        )
    )
