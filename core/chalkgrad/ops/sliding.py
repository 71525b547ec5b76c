"""Windows that slide over a dimension of a tensor: views that overlap."""

from __future__ import annotations

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import wrap_dim
from chalkgrad.ops.samples import V3, ones

Shape = tuple[int, ...]


def _unfolded(self: Shape, dimension: int, size: int, step: int) -> Shape:
    axis = wrap_dim(dimension, len(self))
    length = self[axis] if self else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {axis} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    count = (length - size) // step + 1
    return (*self[:axis], count, *self[axis + 1 :], size) if self else (size,)


def _unfold(self: np.ndarray, dimension: int, size: int, step: int) -> np.ndarray:
    shape = _unfolded(self.shape, dimension, size, step)
    axis = wrap_dim(dimension, self.ndim)
    strides = list(self.strides)
    inner = strides[axis] if strides else self.itemsize
    if strides:
        strides[axis] = inner * step
    return np.lib.stride_tricks.as_strided(self, shape, (*strides, inner))


def _unfold_backward(grad_in: np.ndarray, input_sizes: Shape, dim: int, size: int, step: int) -> np.ndarray:
    whole = np.zeros(input_sizes, grad_in.dtype)
    windows = _unfold(whole, dim, size, step)
    for offset in range(size):  # elements of one offset are all different ones
        windows[..., offset] += grad_in[..., offset]
    return whole


register(
    Record(
        name="unfold",
        inputs=("self",),
        attributes=tuple(Attribute(name, "int", required=True) for name in ("dimension", "size", "step")),
        promotes="none",
        forward=_unfold,
        vjps={
            "self": lambda o, g, self_sym_sizes, dimension, size, step: o.unfold_backward(
                g, self_sym_sizes, dimension, size, step
            )
        },
        grad_fn="UnfoldBackward0",
        method="unfold",
        signatures=("Tensor.unfold(int dimension, int size, int step)",),
        style="method",
        shape=_unfolded,
        section="shape",
        view=True,
        hidden=True,
        samples=(((V3, 0, 2, 1), {}), ((ones(2, 5), -1, 3, 2), {})),
    )
)

register(
    Record(
        name="unfold_backward",
        inputs=("grad_in",),
        attributes=(
            Attribute("input_sizes", "size", required=True),
            *(Attribute(name, "int", required=True) for name in ("dim", "size", "step")),
        ),
        promotes="none",
        forward=_unfold_backward,
        vjps={"grad_in": lambda o, g, dim, size, step: o.unfold(g, dim, size, step)},
        grad_fn="UnfoldBackwardBackward0",
        shape=lambda grad_in, input_sizes, dim, size, step: input_sizes,
        section="shape",
        hidden=True,
        part_of="unfold",
    )
)
