"""Attention, written with the operators that PyTorch's composed form of it is made of."""

from __future__ import annotations

import math

import numpy as np

from chalkgrad.engine.base import new_tensor
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.layers import dropout


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """``softmax(query @ key.T * scale) @ value`` over the last two dimensions.

    A boolean ``attn_mask`` says who takes part, another one is added; ``is_causal`` hides what comes later.
    """
    if is_causal and attn_mask is not None:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    if enable_gqa:
        key = key.repeat_interleave(query.shape[-3] // key.shape[-3], -3)
        value = value.repeat_interleave(query.shape[-3] // value.shape[-3], -3)
    factor = math.sqrt(1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    times = TENSORS.mul_number  # which makes another node than the operator *
    scores: Tensor = times(query, factor).matmul(times(key.transpose(-2, -1), factor))
    mask = _causal(scores) if is_causal else attn_mask
    if mask is not None:
        scores = scores.add_(_added(mask, scores))
    weights = TENSORS._safe_softmax(scores, -1)
    return dropout(weights, dropout_p).matmul(value)


def _causal(scores: Tensor) -> Tensor:
    found: Tensor = new_tensor(np.tri(*scores.array.shape[-2:], dtype=bool))  # type: ignore[assignment]
    return found


def _added(mask: Tensor, scores: Tensor) -> Tensor:
    """What is added for ``mask``: 0 where True and -inf where False, or itself."""
    if mask.array.dtype.kind != "b":
        return mask
    zero, infinity = np.zeros((), scores.array.dtype), np.array(-np.inf, scores.array.dtype)
    found: Tensor = new_tensor(np.where(mask.array, zero, infinity))  # type: ignore[assignment]
    return found
