"""Joining tensors along a dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine import device
from chalkgrad.engine.apply import register
from chalkgrad.engine.memory_format import copied, suggested
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import wrap_dim
from chalkgrad.ops.samples import M23, M32, V2, V3, ones
from chalkgrad.ops.slopes import of_cat

Shape = tuple[int, ...]

_UNEQUAL = (
    "Sizes of tensors must match except in dimension 0. Expected size 2 but got size 3 for tensor number 1 in the list."
)


def _cat_shape(tensors: list[Shape], dim: int) -> Shape:
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    kept = [(index, shape) for index, shape in enumerate(tensors) if shape != (0,)]
    if not kept:
        return (0,)  # in whatever dimension
    for index, shape in enumerate(tensors):
        if not shape:
            raise RuntimeError(f"zero-dimensional tensor (at position {index}) cannot be concatenated")
    first = kept[0][1]
    axis = wrap_dim(dim, len(first))
    for index, shape in kept[1:]:
        if len(shape) != len(first):
            raise RuntimeError(f"Tensors must have same number of dimensions: got {len(first)} and {len(shape)}")
        for at, (expected, got) in enumerate(zip(first, shape, strict=True)):
            if at != axis and expected != got:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {axis}. Expected size {expected} but got size "
                    f"{got} for tensor number {index} in the list."
                )
    total = sum(shape[axis] for _, shape in kept)
    return (*first[:axis], total, *first[axis + 1 :])


def joined(arrays: list[np.ndarray], axis: int) -> np.ndarray:
    """The arrays one after the other, in order in memory, or with channels last where they all are."""
    whole = np.concatenate(arrays, axis)
    if whole.flags.c_contiguous:
        return whole
    for form in (device.channels_last, device.channels_last_3d):
        if all(suggested(array) is form for array in arrays):
            return copied(whole, whole.dtype, form)
    return np.ascontiguousarray(whole)


def _cat(tensors: list[np.ndarray], dim: int = 0) -> np.ndarray:
    kept = [array for array in tensors if array.shape != (0,)]
    return joined(kept, dim) if kept else joined(tensors, 0)


def cat_gradients(o: Any, g: Any, sizes: tuple[Shape, ...], dim: int) -> list[Any]:
    """The piece of ``g`` that belongs to each of the tensors that were joined."""
    pieces, start = [], 0
    for shape in sizes:
        if shape == (0,):
            pieces.append(o.zeros_of(g, (0,)))
            continue
        length = shape[wrap_dim(dim, len(shape))]
        pieces.append(o.slice(g, wrap_dim(dim, len(shape)), start, start + length, 1))
        start += length
    return pieces


register(
    Record(
        name="cat",
        inputs=("tensors",),
        attributes=(Attribute("dim", "dim", 0),),
        variadic=True,
        forward=_cat,
        vjps={"tensors": lambda o, g, tensors_args_sizes, dim: cat_gradients(o, g, tensors_args_sizes, dim)},
        grad_fn="CatBackward0",
        function="torch.cat",
        signatures=("cat(Tensor[] tensors, int dim=0, *, Tensor out=None)",),
        shape=_cat_shape,
        section="shape",
        latex=r"[\tensors]",
        varying=of_cat,
        aliases=("concat", "concatenate"),
        samples=((([V3, V2],), {}), (([M23, M23], 1), {}), (([M32, M32],), {"dim": 0})),
        bad_samples=(
            (
                ([ones(2, 2), ones(2, 3)], 0),
                {},
                "RuntimeError",
                _UNEQUAL,
            ),
        ),
    )
)
