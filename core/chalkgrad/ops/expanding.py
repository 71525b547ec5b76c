"""A tensor repeated along dimensions without copying, and the sum that undoes that."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import COUNTLESS, is_expandable, refuse_expand
from chalkgrad.engine.size import brackets
from chalkgrad.ops.samples import V3, S, ones
from chalkgrad.ops.shape import SHAPE, SIZE

Shape = tuple[int, ...]


def expanded(self: Shape, size: Shape, implicit: bool = False) -> Shape:
    """``size`` with -1 filled in; RuntimeError where ``self`` can't be repeated to it."""
    if is_expandable(self, size) and min(size, default=0) >= 0:
        return size
    lead = len(size) - len(self)
    if lead < 0:
        raise RuntimeError(
            f"the number of sizes provided ({len(size)}) must be greater or equal to the number of dimensions in the "
            f"tensor ({len(self)})"
        )
    found = []
    for axis in reversed(range(len(size))):
        wanted, have = size[axis], self[axis - lead] if axis >= lead else 1
        if wanted == -1 and axis < lead and self:
            raise RuntimeError(
                f"The expanded size of the tensor ({wanted}) isn't allowed in a leading, non-existing dimension {axis}"
            )
        if wanted not in (-1, have) and have != 1:
            raise RuntimeError(
                f"The expanded size of the tensor ({wanted}) must match the existing size ({have}) at non-singleton "
                f"dimension {axis}.  Target sizes: {brackets(size)}.  Tensor sizes: {brackets(self)}"
            )
        found.append(have if wanted == -1 and self else wanted)
    if any(size < 0 for size in found):
        raise RuntimeError(COUNTLESS)
    return tuple(found[::-1])


def _expanded_or_refused(self: Shape, size: Shape, implicit: bool = False) -> Shape:
    """The shape rule of ``expand``, which leaves it to the operator to say with the dtype what is wrong."""
    return expanded(self, size) if len(size) >= len(self) else size


def _expand(self: np.ndarray, size: Shape, implicit: bool = False) -> np.ndarray:
    if not self.ndim and min(size, default=0) >= 0:  # one element, which every place shows
        return np.ndarray(size, self.dtype, self, 0, (0,) * len(size))
    lead = len(size) - self.ndim
    if lead < 0:
        raise refuse_expand(self, size)
    shape = expanded(self.shape, size)
    kept = zip(self.shape, shape[lead:], self.strides, strict=True)
    strides = [0 if have == 1 and want != 1 else step for have, want, step in kept]
    if lead:
        for axis in reversed(range(lead)):  # what is put in front is repeated, unless it is a size of 1
            strides.insert(0, 0 if shape[axis] != 1 else shape[axis + 1] * strides[0])
    if self.flags.c_contiguous and self.size:
        return np.ndarray(shape, self.dtype, self, 0, strides)  # the same in a tenth of the time
    return np.lib.stride_tricks.as_strided(self, shape, strides)


register(
    Record(
        name="expand",
        inputs=("self",),
        attributes=(SIZE, Attribute("implicit", "bool", False, positional=False)),
        promotes="none",
        forward=_expand,
        vjps={"self": lambda o, g, self_sym_sizes: o.sum_to(g, self_sym_sizes) if self_sym_sizes else o.sum_all(g)},
        grad_fn="ExpandBackward0",
        method="expand",
        signatures=("Tensor.expand(SymInt[] size, *, bool implicit=False)",),
        style="method",
        shape=_expanded_or_refused,
        checks_shapes=True,
        section="shape",
        latex=r"\operatorname{expand}(\self)",
        derivatives={"self": "1"},
        view=True,
        hidden=True,
        part_of="sum",
        samples=(((V3, (2, 3)), {}), ((S, (2,)), {}), ((ones(2, 1), (2, 3)), {})),
    )
)


def _sum_to(o: Any, self: Any, shape: Shape) -> Any:
    from chalkgrad.engine.shapes import sum_to

    return sum_to(o, self, shape)


def _sum_to_array(self: np.ndarray, shape: Shape) -> np.ndarray:
    from chalkgrad.engine.rules import ARRAYS

    found: np.ndarray = _sum_to(ARRAYS, self, shape)
    return found


register(
    Record(
        name="sum_to",
        inputs=("self",),
        attributes=(SHAPE,),
        promotes="none",
        forward=_sum_to_array,
        compose=_sum_to,
        section="shape",
        hidden=True,
        part_of="sum",
    )
)
