"""Three tensors multiplied and summed over some of their dimensions: what a bilinear layer is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.overloads import not_implemented
from chalkgrad.ops.samples import M23, M32

Dims = tuple[int, ...]
_INPUTS = ("i1", "i2", "i3")


def _labels(arrays: tuple[Any, ...], expands: tuple[Dims, ...]) -> list[list[int]]:
    """The dimensions of the product that each of the three has: all but those in which it is expanded."""
    total = len(arrays[0]) + len(expands[0])
    return [[dim for dim in range(total) if dim not in missing] for missing in expands]


def _trilinear(
    i1: np.ndarray, i2: np.ndarray, i3: np.ndarray, expand1: Dims, expand2: Dims, expand3: Dims, sumdim: Dims
) -> np.ndarray:
    if i2.ndim != i1.ndim + len(expand1) - len(expand2):
        raise RuntimeError("number of dimensions must match")
    if i1.dtype.kind == "b":
        raise not_implemented("bmm", i1.dtype)
    first, second, third = _labels((i1.shape, i2.shape, i3.shape), (expand1, expand2, expand3))
    kept = [dim for dim in range(i1.ndim + len(expand1)) if dim not in sumdim]
    made = np.einsum(i1, first, i2, second, i3, third, kept, optimize=True)
    whole = made.base is None and made.flags.c_contiguous
    return np.asarray(made) if whole else np.array(made, order="C")


def _shape(i1: Dims, i2: Dims, i3: Dims, expand1: Dims, expand2: Dims, expand3: Dims, sumdim: Dims) -> Dims:
    shapes = (i1, i2, i3)
    sizes: dict[int, int] = {}
    for shape, labels in zip(shapes, _labels(shapes, (expand1, expand2, expand3)), strict=True):
        sizes.update(zip(labels, shape, strict=True))
    return tuple(sizes[dim] for dim in sorted(sizes) if dim not in sumdim)


def _gradients(
    o: Any,
    g: Any,
    i1: Any,
    i2: Any,
    i3: Any,
    expand1: Dims,
    expand2: Dims,
    expand3: Dims,
    sumdim: Dims,
    *,
    grad_input_mask: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    """Each is such a product again: the gradient stands in for the tensor, and what was summed for what it lacked."""
    first, second, third = grad_input_mask
    return (
        o._trilinear(g, i2, i3, sumdim, expand2, expand3, expand1) if first else None,
        o._trilinear(i1, g, i3, expand1, sumdim, expand3, expand2) if second else None,
        o._trilinear(i1, i2, g, expand1, expand2, sumdim, expand3) if third else None,
    )


register(
    Record(
        name="_trilinear",
        inputs=_INPUTS,
        attributes=tuple(
            Attribute(name, "size", required=True) for name in ("expand1", "expand2", "expand3", "sumdim")
        ),
        promotes="none",
        forward=_trilinear,
        vjps=dict.fromkeys(_INPUTS, _gradients),
        grad_fn="TrilinearBackward0",
        shape=_shape,
        section="matrix",
        hidden=True,
        samples=(((M23, M32[None], M32[:2], (1, 3), (0,), (1, 2), (2, 3)), {}),),
    )
)
