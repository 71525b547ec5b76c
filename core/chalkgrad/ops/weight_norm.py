"""Weights as a direction and a length: the direction normalised over all dimensions but one, times the length."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.windows import Sizes


def _kept(shape: Sizes, dim: int) -> Sizes:
    """The shape of what there is one number of for each place along ``dim``."""
    return tuple(size if axis == dim else 1 for axis, size in enumerate(shape))


def _others(ndim: int, dim: int) -> Sizes:
    return tuple(axis for axis in range(ndim) if axis != dim)


def _weight_norm(v: np.ndarray, g: np.ndarray, dim: int = 0) -> tuple[np.ndarray, np.ndarray]:
    norms = np.sqrt(np.square(v).sum(_others(v.ndim, dim), keepdims=True))
    return v * (g / norms), norms


def _gradients(
    o: Any, grad: Any, v: Any, g: Any, result1: Any, dim: int, *, grad_input_mask: tuple[bool, ...]
) -> tuple[Any, Any]:
    """Along the direction only the length changes, across it only the direction."""
    shape = tuple(v.shape)
    rows = (shape[0], -1) if dim == 0 else (-1, shape[dim])
    norms = result1 if isinstance(v, np.ndarray) else norm_except_dim(o, v, dim)
    along = o.reshape(o.sum(o.reshape(o.mul(grad, v), rows), (1 if dim == 0 else 0,)), _kept(shape, dim))
    across = o.sub(grad, o.mul(v, o.div(along, o.mul(norms, norms))))
    return o.mul(o.div(g, norms), across), o.div(along, norms)


def norm_except_dim(o: Any, v: Any, dim: int) -> Any:
    """The length of what lies at each place along ``dim``; of all where that is -1."""
    shape = tuple(v.shape)
    if dim == -1:
        return o.linalg_vector_norm(v, 2.0)
    if dim not in (0, len(shape) - 1):
        return o.transpose(norm_except_dim(o, o.transpose(v, 0, dim), 0), 0, dim)
    rows = (shape[0], -1) if dim == 0 else (-1, shape[dim])
    return o.reshape(o.linalg_vector_norm(o.reshape(v, rows), 2.0, (1 if dim == 0 else 0,)), _kept(shape, dim))


def weight_norm(o: Any, v: Any, g: Any, dim: int) -> Any:
    """The weight with the direction of ``v`` and the length ``g``, in one node where PyTorch has one for it."""
    if dim in (0, len(tuple(v.shape)) - 1):
        return o._weight_norm_interface(v, g, dim)[0]
    return o.mul(v, o.div(g, norm_except_dim(o, v, dim)))


register(
    Record(
        name="_weight_norm_interface",
        inputs=("v", "g"),
        attributes=(Attribute("dim", "int", 0),),
        promotes="none",
        forward=_weight_norm,
        vjps=dict.fromkeys(("v", "g"), _gradients),
        grad_fn="WeightNormInterfaceBackward0",
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        section="layer",
        hidden=True,
        samples=(
            ((np.sin(np.arange(1.0, 13.0)).reshape(3, 4), np.array([[1.0], [0.5], [2.0]])), {}),
            ((np.sin(np.arange(1.0, 13.0)).reshape(3, 4), np.array([[1.0, 0.5, 2.0, 0.1]]), 1), {}),
        ),
    )
)
