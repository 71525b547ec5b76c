"""Gradients made smaller where they are too large."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from types import GeneratorType
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.inplace import overwrite
from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.create import made

Tensors = Tensor | Iterable[Tensor]


def get_total_norm(
    tensors: Tensors, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of the norms of all tensors; RuntimeError for one that is not finite, if asked for."""
    norm_type = float(norm_type)
    arrays = [tensor.array for tensor in _listed(tensors)]
    if not arrays:
        return made(np.zeros((), np.float32))
    norms = [_norm(array, norm_type) for array in arrays]
    total = _norm(np.stack(norms), norm_type)
    if error_if_nonfinite and not np.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
            "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    return made(np.asarray(total))


def _norm(values: np.ndarray, order: float) -> Any:
    """The ``order``-norm of all elements, in their own dtype."""
    size = np.abs(values)
    number = values.dtype.type
    if math.isinf(order):
        return (size.max() if order > 0 else size.min()) if values.size else number(0)
    if order == 0:
        return number(np.count_nonzero(values))
    if order == 1:
        return size.sum()
    if order == 2:
        return np.sqrt(np.square(size).sum())
    return number((size ** number(order)).sum() ** number(1 / order))


def clip_grads_with_norm_(
    parameters: Tensors, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale all gradients by ``max_norm / total_norm`` where that is less than 1."""
    total = total_norm.array
    factor = made(np.minimum(np.asarray(float(max_norm) / (total + total.dtype.type(1e-6)), total.dtype), 1))
    with no_grad():
        for gradient in _gradients(parameters):
            gradient.mul_(factor)


def clip_grad_norm_(
    parameters: Tensors,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients so that their norm is at most ``max_norm``; the norm they had."""
    listed = _listed(parameters)
    if isinstance(parameters, GeneratorType) and not listed:
        warnings.warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=2)
    total = get_total_norm(_gradients(listed), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(listed, max_norm, total)
    return total


def clip_grad_norm(
    parameters: Tensors,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """:func:`clip_grad_norm_` under its old name."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


def clip_grad_value_(parameters: Tensors, clip_value: float, foreach: bool | None = None) -> None:
    """Bring all elements of all gradients between ``-clip_value`` and ``clip_value``."""
    limit = float(clip_value)
    for gradient in _gradients(parameters):
        # PyTorch clamps from below and from above: two writes.
        overwrite(gradient, np.maximum(gradient.array, -limit))
        overwrite(gradient, np.minimum(gradient.array, limit))


def _listed(tensors: Tensors) -> list[Tensor]:
    return [tensors] if isinstance(tensors, TensorBase) else list(tensors)


def _gradients(parameters: Tensors) -> list[Tensor]:
    found = (parameter.peek_grad() for parameter in _listed(parameters))
    return [gradient for gradient in found if gradient is not None]
