"""A part of a tensor along one dimension: one index, a slice; and a tensor with such a part replaced."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.record import Attribute, Record, integers
from chalkgrad.engine.shapes import broadcast, wrap_dim
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import copied_memory, empty_from
from chalkgrad.ops.samples import M23, V2, V3, matrix

Shape = tuple[int, ...]


def _selected(self: Shape, dim: int, index: int) -> Shape:
    if not self:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    axis = wrap_dim(dim, len(self))
    if not -self[axis] <= index < self[axis]:
        raise IndexError(f"select(): index {index} out of range for tensor of size {list(self)} at dimension {axis}")
    return (*self[:axis], *self[axis + 1 :])


def _pick(ndim: int, dim: int, what: int | slice) -> tuple[Any, ...]:
    """An index that takes ``what`` along ``dim`` and gives a view, of a 0-d result too."""
    return (*(slice(None),) * wrap_dim(dim, ndim), what, ...)


def _select_backward(grad_output: np.ndarray, input_sizes: Shape, dim: int, index: int) -> np.ndarray:
    whole = np.zeros(input_sizes, grad_output.dtype)
    whole[_pick(len(input_sizes), dim, index)] = grad_output
    return whole


def _sliced(self: Shape, dim: int, start: int, end: int | None, step: int) -> Shape:
    axis = wrap_dim(dim, len(self))
    length = len(range(*slice(start, end, step).indices(self[axis])))
    return (*self[:axis], length, *self[axis + 1 :])


def _slice(self: np.ndarray, dim: int, start: int, end: int | None, step: int) -> np.ndarray:
    part: np.ndarray = self[_pick(self.ndim, dim, slice(start, end, step))]
    if part.size or not self.size:
        return part
    first = slice(start, None).indices(self.shape[dim])[0]
    return empty_from(self, part, first * self.strides[dim])


def _slice_backward(
    grad_output: np.ndarray, input_sizes: Shape, dim: int, start: int, end: int | None, step: int
) -> np.ndarray:
    whole = np.zeros(input_sizes, grad_output.dtype)
    part = whole[_pick(len(input_sizes), dim, slice(start, end, step))]
    broadcast(part.shape, grad_output.shape)
    part[...] = grad_output
    return whole


register(
    Record(
        name="select",
        inputs=("self",),
        attributes=integers("dim", "index"),
        promotes="none",
        forward=lambda self, dim, index: self[_pick(self.ndim, dim, index)],
        vjps={
            "self": lambda o, g, self_sym_sizes, dim, index: o.select_backward(g, self_sym_sizes, dim, index),
        },
        grad_fn="SelectBackward0",
        signatures=("select(Tensor input, int dim, SymInt index)",),
        function="torch.select",
        method="select",
        style="method",
        shape=_selected,
        section="index",
        latex=r"\self[i]",
        derivatives={"self": "1"},
        view=True,
        hidden=True,
        samples=(((M23, 0, 1), {}), ((M23, 1, -1), {}), ((V3, 0, 2), {})),
    )
)

register(
    Record(
        name="select_backward",
        inputs=("grad_output",),
        attributes=(Attribute("input_sizes", "size", required=True), *integers("dim", "index")),
        promotes="none",
        forward=_select_backward,
        vjps={"grad_output": lambda o, g, dim, index: o.select(g, dim, index)},
        grad_fn="SelectBackwardBackward0",
        shape=lambda grad_output, input_sizes, dim, index: input_sizes,
        section="index",
        hidden=True,
        part_of="select",
        samples=(((V3, (2, 3), 0, 1), {}),),
    )
)

register(
    Record(
        name="slice",
        inputs=("self",),
        attributes=integers("dim", "start", "end", "step"),
        promotes="none",
        forward=_slice,
        vjps={
            "self": lambda o, g, self_sym_sizes, dim, start, end, step: o.slice_backward(
                g, self_sym_sizes, dim, start, end, step
            ),
        },
        grad_fn="SliceBackward0",
        shape=_sliced,
        section="index",
        latex=r"\self[i:j]",
        derivatives={"self": "1"},
        view=True,
        hidden=True,
        part_of="select",
        samples=(((M23, 1, 0, 2, 1), {}), ((V3, 0, 0, 3, 2), {})),
    )
)

register(
    Record(
        name="slice_backward",
        inputs=("grad_output",),
        attributes=(Attribute("input_sizes", "size", required=True), *integers("dim", "start", "end", "step")),
        promotes="none",
        forward=_slice_backward,
        vjps={"grad_output": lambda o, g, dim, start, end, step: o.slice(g, dim, start, end, step)},
        grad_fn="SliceBackwardBackward0",
        shape=lambda grad_output, input_sizes, dim, start, end, step: input_sizes,
        section="index",
        hidden=True,
        part_of="select",
        samples=(((V3, (5,), 0, 1, 4, 1), {}),),
    )
)

register(
    Record(
        name="alias",
        inputs=("self",),
        promotes="none",
        forward=lambda self: self[...],
        vjps={"self": lambda o, g: g},
        grad_fn="AliasBackward0",
        shape=lambda self: self,
        section="index",
        latex=r"\self",
        derivatives={"self": "1"},
        view=True,
        hidden=True,
        part_of="select",
        samples=(((V3,), {}),),
    )
)


# narrow


def _start(self: Shape, dim: int, start: int, length: int) -> tuple[int, int]:
    """The dimension and the start, both from the front; refused where there is no such part."""
    if not self:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    axis = wrap_dim(dim, len(self))
    size = self[axis]
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
    start = start + size if start < 0 else start
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return axis, start


def _narrowed(self: Shape, dim: int, start: Any, length: int) -> Shape:
    axis, _ = _start(self, dim, int(start), length)
    return (*self[:axis], length, *self[axis + 1 :])


def _narrow(o: Any, self: Any, dim: int, start: Any, length: int) -> Any:
    if isinstance(start, TensorBase):
        if start.array.ndim or start.array.dtype.kind not in "iu":
            raise RuntimeError("start must be an 0-dim integral Tensor.")
        start = start.item()
    _, first = _start(tuple(self.shape), dim, start, length)
    return o.slice(self, dim, first, first + length, 1)


def _narrow_array(self: np.ndarray, dim: int, start: int, length: int) -> np.ndarray:
    axis, first = _start(self.shape, dim, start, length)
    part: np.ndarray = self[_pick(self.ndim, axis, slice(first, first + length))]
    return part


def _narrowed_copy(self: Shape, dim: int, start: int, length: int) -> Shape:
    if self and dim >= len(self):
        raise RuntimeError(
            "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false.  (Could this error "
            "message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    axis = wrap_dim(dim, len(self)) if self else 0
    if self and length < 0:
        _, start = _start(self, dim, start, 0)
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({self[axis]}).")
    return _narrowed(self, axis, start, length)


_BEYOND = "start (1) + length (3) exceeds dimension size (3)."

register(
    Record(
        name="narrow",
        inputs=("self",),
        attributes=integers("dim", "start", "length"),
        promotes="none",
        forward=_narrow_array,
        compose=_narrow,
        signatures=(
            "narrow(Tensor input, int dim, Tensor start, SymInt length)",
            "narrow(Tensor input, int dim, SymInt start, SymInt length)",
        ),
        grad_fn="SliceBackward0",
        function="torch.narrow",
        method="narrow",
        style="method",
        shape=_narrowed,
        section="index",
        latex=r"\self[i:i+n]",
        derivatives={"self": "1"},
        view=True,
        samples=(((M23, 1, 1, 2), {}), ((M23, 0, -1, 1), {}), ((V3, 0, 0, 2), {})),
        bad_samples=(((V3, 0, 1, 3), {}, "RuntimeError", _BEYOND),),
    )
)
register(
    Record(
        name="narrow_copy",
        inputs=("self",),
        attributes=integers("dim", "start", "length"),
        promotes="none",
        forward=lambda self, dim, start, length: _narrow_array(self, dim, start, length).copy(),
        vjps={
            "self": lambda o, g, self_sym_sizes, dim, start, length: _narrowed_back(
                o, g, self_sym_sizes, dim, start, length
            ),
        },
        signatures=("narrow_copy(Tensor input, int dim, SymInt start, SymInt length, *, Tensor out=None)",),
        grad_fn="NarrowCopyBackward0",
        function="torch.narrow_copy",
        method="narrow_copy",
        style="method",
        shape=_narrowed_copy,
        section="index",
        hidden=True,
        part_of="narrow",
        samples=(((M23, 1, 1, 2), {}), ((V3, 0, -3, 2), {})),
    )
)


def _narrowed_back(o: Any, g: Any, sizes: Shape, dim: int, start: int, length: int) -> Any:
    """As PyTorch writes it: a start that counts from the end gives a slice that ends before it, where it is the end."""
    return o.slice_backward(g, sizes, dim, start, start + length, 1)


# A part replaced


def _check_part(src: np.ndarray, part: np.ndarray) -> None:
    if src.shape != part.shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = {brackets(src.shape)}, "
            f"slice size = {brackets(part.shape)}"
        )


def _select_scatter(self: np.ndarray, src: np.ndarray, dim: int, index: int) -> np.ndarray:
    _selected(self.shape, dim, index)
    whole = copied_memory(self)
    part = whole[_pick(self.ndim, dim, index)]
    _check_part(src, part)
    part[...] = src
    return whole


def _slice_scatter(
    self: np.ndarray, src: np.ndarray, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> np.ndarray:
    if not self.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    axis = wrap_dim(dim, self.ndim)
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    whole = copied_memory(self)
    part = whole[_pick(self.ndim, axis, slice(start, end, step))]
    _check_part(src, part)
    part[...] = src
    return whole


def _unselected(o: Any, g: Any, dim: int, index: int) -> Any:
    return o.select_scatter(g, o.zeros_of(g, _selected(tuple(g.shape), dim, index)), dim, index)


register(
    Record(
        name="select_scatter",
        inputs=("self", "src"),
        attributes=integers("dim", "index"),
        promotes="none",
        forward=_select_scatter,
        vjps={
            "self": lambda o, g, dim, index: _unselected(o, g, dim, index),
            "src": lambda o, g, dim, index: o.select(g, dim, index),
        },
        signatures=("select_scatter(Tensor input, Tensor src, int dim, SymInt index)",),
        grad_fn="SelectScatterBackward0",
        function="torch.select_scatter",
        method="select_scatter",
        style="method",
        shape=lambda self, src, dim, index: self,
        section="index",
        hidden=True,
        samples=(((M23, V3, 0, 1), {}), ((M23, V2, 1, -1), {})),
    )
)


def _zeroed(o: Any, g: Any, dim: int, start: int | None, end: int | None, step: int) -> Any:
    size = g.shape[wrap_dim(dim, len(g.shape))]
    sizes = list(g.shape)
    sizes[dim] = len(range(*slice(start, end, step).indices(size)))
    return o.slice_scatter(g, o.zeros_of(g, tuple(sizes)), dim, start, end, step)


def _slice_of_gradient(o: Any, g: Any, dim: int, start: int | None, end: int | None, step: int) -> Any:
    return o.slice(g, dim, 0 if start is None else start, END if end is None else end, step)


END = (1 << 63) - 1
_SLICE = "int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1"

register(
    Record(
        name="slice_scatter",
        inputs=("self", "src"),
        attributes=(
            Attribute("dim", "int", 0),
            Attribute("start", "int", None),
            Attribute("end", "int", None),
            Attribute("step", "int", 1),
        ),
        promotes="none",
        forward=_slice_scatter,
        vjps={
            "self": lambda o, g, dim, start, end, step: _zeroed(o, g, dim, start, end, step),
            "src": lambda o, g, dim, start, end, step: _slice_of_gradient(o, g, dim, start, end, step),
        },
        signatures=(f"slice_scatter(Tensor input, Tensor src, {_SLICE}, *, Tensor out=None)",),
        grad_fn="SliceScatterBackward0",
        function="torch.slice_scatter",
        method="slice_scatter",
        style="method",
        shape=lambda self, src, **_: self,
        section="index",
        hidden=True,
        samples=(((M23, matrix((1.0, 2.0), (3.0, 4.0)), 1, 1), {}), ((M23, matrix((1.0, 2.0, 3.0)), 0, 0, 1), {})),
    )
)
