"""Reading a part of a tensor: one index, or a slice, along one dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import wrap_dim
from chalkgrad.ops.samples import M23, V3

Shape = tuple[int, ...]


def _integers(*names: str) -> tuple[Attribute, ...]:
    return tuple(Attribute(name, "int", required=True) for name in names)


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


def _slice_of(start: int, end: int, step: int) -> slice:
    return slice(start, end, step)


def _sliced(self: Shape, dim: int, start: int, end: int, step: int) -> Shape:
    axis = wrap_dim(dim, len(self))
    length = len(range(*_slice_of(start, end, step).indices(self[axis])))
    return (*self[:axis], length, *self[axis + 1 :])


def _slice_backward(
    grad_output: np.ndarray, input_sizes: Shape, dim: int, start: int, end: int, step: int
) -> np.ndarray:
    whole = np.zeros(input_sizes, grad_output.dtype)
    whole[_pick(len(input_sizes), dim, _slice_of(start, end, step))] = grad_output
    return whole


register(
    Record(
        name="select",
        inputs=("self",),
        attributes=_integers("dim", "index"),
        promotes="none",
        forward=lambda self, dim, index: self[_pick(self.ndim, dim, index)],
        vjps={
            "self": lambda o, g, self_sym_sizes, dim, index: o.select_backward(g, self_sym_sizes, dim, index),
        },
        grad_fn="SelectBackward0",
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
        attributes=(Attribute("input_sizes", "size", required=True), *_integers("dim", "index")),
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
        attributes=_integers("dim", "start", "end", "step"),
        promotes="none",
        forward=lambda self, dim, start, end, step: self[_pick(self.ndim, dim, _slice_of(start, end, step))],
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
        attributes=(Attribute("input_sizes", "size", required=True), *_integers("dim", "start", "end", "step")),
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
