"""What normalisations by mean and variance share: statistics, and derivatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.device import channels_last, channels_last_3d, contiguous_format
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.memory_format import is_contiguous
from chalkgrad.engine.record import Attribute
from chalkgrad.ops.windows import Sizes

EPS = Attribute("eps", "float", 1e-5)
IMAGE = (np.linspace(-1.0, 1.0, 24).reshape(2, 4, 3) * 7.3) % 1.1
WEIGHT = np.array([0.5, 1.5, -1.0, 2.0])
BIAS = np.array([0.1, -0.2, 0.3, 0.4])

NORMAL = r"\frac{\self - \mu}{\sigma} \cdot \weight + \bias"
SPREAD = r"\frac{\weight}{\sigma} (I - \frac{1}{n} \mathbf{1} \mathbf{1}^{\top} - \frac{1}{n} \hat{x} \hat{x}^{\top})"
"""By the input: mean and deviation are made of it, too."""
SLOPES = {"self": SPREAD, "weight": r"\frac{\self - \mu}{\sigma}", "bias": "1"}


def lies_in_order(array: np.ndarray) -> bool:
    """True where the elements lie one after the other in memory, or the channels do."""
    forms = (contiguous_format, channels_last, channels_last_3d)
    return any(is_contiguous(array, form) for form in forms)


def along_channels(values: Any, ndim: int) -> Any:
    """One value for each channel, to be used with tensors of ``ndim`` dimensions."""
    return values.reshape(1, -1, *[1] * (ndim - 2))


def check_dtypes(input: np.ndarray, *parameters: np.ndarray | None) -> None:
    """RuntimeError unless all that is there of the ``parameters`` has the dtype of ``input``."""
    check_mixed(input, *parameters)
    wanted = dtype_of(input)
    for parameter in parameters:
        if parameter is not None and dtype_of(parameter) is not wanted:
            found = dtype_of(parameter).scalar_type
            raise RuntimeError(f"expected scalar type {wanted.scalar_type} but found {found}")


def check_mixed(input: np.ndarray, *parameters: np.ndarray | None) -> None:
    """RuntimeError where the first of the ``parameters`` that is there has another dtype than ``input``."""
    there = [dtype_of(parameter) for parameter in parameters if parameter is not None]
    if not there or there[0] is dtype_of(input):
        return
    if any(dtype.scalar_type != "Float" for dtype in there):
        raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def statistics(x: np.ndarray, axes: Sizes, eps: float) -> tuple[Any, Any]:
    """Mean, and 1 by standard deviation, over ``axes``, which are kept."""
    if not math.prod([x.shape[axis] for axis in axes]):  # of nothing
        nothing = x.sum(axis=axes, keepdims=True)
        return nothing, np.full_like(nothing, np.nan)
    mean = x.mean(axis=axes, keepdims=True)
    centred = x - mean
    spread = np.square(centred).mean(axis=axes, keepdims=True)
    return mean, (1 / np.sqrt(spread + eps)).astype(x.dtype)


def affine(x: Any, weight: Any, bias: Any) -> Any:
    """``x``, which may be written over, scaled and moved; PyTorch adds 0 where there is no bias, so no -0 is left."""
    x = x if weight is None else x * weight
    return np.add(x, 0 if bias is None else bias, out=x)


def stretched(x: np.ndarray, mean: Any, scale: Any, weight: Any, bias: Any) -> np.ndarray:
    """What :func:`affine` makes of normalised ``x``, by one factor and one number to add: infinities give nan."""
    factor = scale if weight is None else scale * weight
    constant = -(factor * mean)
    if bias is not None:
        constant = constant + bias
    found: np.ndarray = x * factor
    found += constant
    return found


def of_moments(mean: Any, scale: Any, ds: Any, db: Any, share: Any) -> tuple[Any, Any]:
    """The factor of what is normalised, and the number to add, in the gradient by it, as PyTorch adds that up.

    ``ds`` and ``db`` are the sums of the gradient times what is normalised and of the gradient; ``share`` is 1 by how
    many elements are normalised together.
    """
    of_input = (db * mean - ds) * scale * scale * scale * share
    return of_input, -of_input * mean - db * scale * share


def existing(found: tuple[Any, ...], like: np.ndarray) -> tuple[np.ndarray, ...]:
    """Results of which some were not asked for: those are empty."""
    return tuple([np.zeros(0, like.dtype) if one is None else one for one in found])
