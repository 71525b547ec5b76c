"""Pieces of a tensor's memory, and how their gradients are put back into it.

A geometry is sizes, strides, offset, and the storage's size, all in elements.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine import storage
from chalkgrad.engine.apply import register
from chalkgrad.engine.base import new_tensor
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import COUNTLESS, check_reach
from chalkgrad.engine.size import brackets
from chalkgrad.ops.samples import M23

Shape = tuple[int, ...]
Geometry = tuple[Shape, Shape, int, int]


def _put(self: np.ndarray, base: Geometry, view: Geometry) -> np.ndarray:
    """Memory for both with ``self`` added where the view lies, as the base sees it; what that shows twice is shared."""
    if 0 in base[0]:
        return np.zeros(base[0], self.dtype)
    start = min(base[2], view[2])
    first, begin = base[2] - start, view[2] - start
    total = max(_reach(*base[:2], first), _reach(*view[:2], begin))
    places = np.arange(total)
    whole = np.zeros(total, self.dtype)
    np.add.at(whole, storage.as_strided(places, *view[:2], begin), self)
    shown = storage.as_strided(places, *base[:2], first)
    if not _lies_apart(*_pieces(base)):
        whole /= np.maximum(np.bincount(shown.reshape(-1), minlength=total), 1)
    return storage.as_strided(whole, *base[:2], first)


def _pieces(geometry: Geometry) -> tuple[Shape, Shape]:
    """Sizes and strides without those of 1, which say nothing of where elements lie."""
    told = [(size, stride) for size, stride in zip(*geometry[:2], strict=True) if size != 1]
    return tuple([size for size, _ in told]), tuple([stride for _, stride in told])


def _reach(sizes: Shape, strides: Shape, offset: int) -> int:
    """How many elements a storage has to have at least."""
    return offset + 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))


def _lies_apart(sizes: Shape, strides: Shape) -> bool:
    """False where two elements may be one piece of memory."""
    end = 1
    for stride, size in sorted(zip(strides, sizes, strict=True)):
        if stride < end:
            return False
        end = stride * (size - 1) + end
    return True


def _put_recorded(o: Any, self: Any, base: Geometry, view: Geometry) -> Any:
    """What :func:`_put` does, by the steps that PyTorch's backward of ``as_strided`` records."""
    grad = self
    for dim in reversed(range(len(view[0]))):
        if view[0][dim] == 1:
            grad = o.squeeze_dim(grad, dim)
        elif view[1][dim] == 0:
            grad = o.sum(grad, (dim,))
    told = [(size, step) for size, step in zip(*view[:2], strict=True) if size != 1 and step]
    sizes, strides = tuple([size for size, _ in told]), tuple([step for _, step in told])
    if 0 in base[0]:
        return o.zeros_of(grad, base[0])
    shown, steps = _pieces(base)
    start = min(base[2], view[2])
    first, begin = base[2] - start, view[2] - start
    total = max(_reach(shown, steps, first), _reach(sizes, strides, begin))
    memory, places = o.zeros_of(grad, (total,)), np.arange(total)
    if _lies_apart(sizes, strides):
        o.copy_(o.as_strided(memory, sizes, strides, begin), grad)
    else:
        written = new_tensor(storage.as_strided(places, sizes, strides, begin).reshape(-1))
        o.index_add_(memory, written, o.reshape(grad, (-1,)), 0)
    if not _lies_apart(shown, steps):
        counts = np.bincount(storage.as_strided(places, shown, steps, first).reshape(-1), minlength=total)
        o.div_(memory, new_tensor(counts.astype(grad.array.dtype)))
    return o.as_strided(memory, base[0], base[1], first)


register(
    Record(
        name="put_strided",
        inputs=("self",),
        attributes=(Attribute("base", "geometry", required=True), Attribute("view", "geometry", required=True)),
        promotes="none",
        forward=_put,
        compose=_put_recorded,
        grad_fn="AsStridedBackward0",
        section="shape",
        hidden=True,
        part_of="view",
    )
)


def _as_strided(self: np.ndarray, size: Shape, stride: Shape, storage_offset: int | None = None) -> np.ndarray:
    offset = storage.storage_offset(self) if storage_offset is None else storage_offset
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(step < 0 for step in stride):
        raise RuntimeError(
            f"as_strided: Negative strides are not supported at the moment, got strides: {brackets(stride)}"
        )
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    reach = 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    is_beyond = 0 not in size and (offset + reach) * self.itemsize >= 1 << 64
    if is_beyond or any(length < 0 for length in size):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={brackets(size)} and strides={brackets(stride)}"
        )
    check_reach(size, stride, offset, self.itemsize, storage.owner(self).nbytes)
    if math.prod(size) >= 1 << 63:
        raise RuntimeError(COUNTLESS)
    return storage.as_strided(self, size, stride, offset)


def _as_strided_gradient(
    o: Any, g: Any, geometry: Geometry, size: Shape, stride: Shape, storage_offset: int | None
) -> Any:
    offset = geometry[2] if storage_offset is None else storage_offset
    if 0 in size:
        return o.zeros_of(g, geometry[0])
    return o.put_strided(g, geometry, (size, stride, offset, 0))


def _written(self_args_geometry: Geometry, size: Shape) -> tuple[int]:
    """How often PyTorch writes the gradient: it divides among elements that are the same memory."""
    return (1 + (0 not in size and not _lies_apart(*_pieces(self_args_geometry))),)


register(
    Record(
        name="as_strided",
        inputs=("self",),
        attributes=(
            Attribute("size", "size", required=True),
            Attribute("stride", "size", required=True),
            Attribute("storage_offset", "int", None),
        ),
        promotes="none",
        forward=_as_strided,
        vjps={
            "self": lambda o, g, self_args_geometry, size, stride, storage_offset: _as_strided_gradient(
                o, g, self_args_geometry, size, stride, storage_offset
            ),
        },
        grad_fn="AsStridedBackward0",
        fills=_written,
        function="torch.as_strided",
        method="as_strided",
        signatures=("as_strided(Tensor input, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)",),
        style="method",
        shape=lambda self, size, stride, storage_offset=None: size,
        section="shape",
        view=True,
        hidden=True,
        part_of="view",
        samples=(((M23, (2, 2), (1, 2)), {}), ((M23, (2,), (3,), 1), {})),
    )
)
