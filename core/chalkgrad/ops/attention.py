"""Attention in one node, as PyTorch computes it where nothing is dropped and every tensor has four dimensions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.ordering import like
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.overloads import underivable
from chalkgrad.ops.windows import Sizes

_NAME = "_scaled_dot_product_flash_attention_for_cpu"
_SETTINGS = (
    Attribute("dropout_p", "float", 0.0),
    Attribute("is_causal", "bool", False),
    Attribute("scale", "float", None),
)


def _swapped(array: np.ndarray) -> np.ndarray:
    """``array`` laid out with positions before heads, as PyTorch allocates it here."""
    swapped = array.swapaxes(1, 2)
    if swapped.flags.c_contiguous:
        return array
    made = like(np.empty(swapped.shape, array.dtype).swapaxes(1, 2), array.dtype)
    made[...] = array
    return made


def _factor(query: np.ndarray, scale: float | None) -> Any:
    return query.dtype.type(1 / math.sqrt(query.shape[-1]) if scale is None else scale)


def _for_all_heads(array: np.ndarray, heads: int) -> np.ndarray:
    """Keys or values with each head repeated for the group of queries that shares it."""
    return array if array.shape[1] == heads else np.repeat(array, heads // array.shape[1], 1)


def _of_groups(gradient: np.ndarray, heads: int) -> np.ndarray:
    """The transpose of :func:`_for_all_heads`."""
    batch, repeated, *rest = gradient.shape
    return gradient if repeated == heads else gradient.reshape(batch, heads, repeated // heads, *rest).sum(2)


def _scores(query: np.ndarray, key: np.ndarray, mask: np.ndarray | None, causal: bool, scale: float | None) -> Any:
    """How much each query looks at each key, -inf where it may not."""
    scores = np.matmul(query, key.swapaxes(-2, -1))
    scores *= _factor(query, scale)
    if mask is not None:
        scores += mask
    if causal:
        np.copyto(scores, -np.inf, where=np.tri(*scores.shape[-2:]) == 0)
    return scores


def _attention(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    attn_mask: np.ndarray | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    key, value = (_for_all_heads(array, query.shape[1]) for array in (key, value))
    scores = _scores(query, key, attn_mask, is_causal, scale)
    highest = np.fmax.reduce(scores, -1, keepdims=True)
    nowhere = ~(highest > -np.inf)  # a query that may look nowhere, or that is no number, gets zeros
    shift = np.where(nowhere, 0, highest)
    np.exp(scores - shift, out=scores)
    np.copyto(scores, 0, where=nowhere)
    total = scores.sum(-1, keepdims=True)
    scores /= np.where(total == 0, 1, total)
    with np.errstate(divide="ignore"):
        logsumexp = (np.log(total) + shift)[..., 0]
    output = np.empty_like(query)
    output[...] = np.matmul(scores, value)
    return output, _swapped(logsumexp)


def _backward(
    grad_out: np.ndarray,
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    out: np.ndarray,
    logsumexp: np.ndarray,
    attn_mask: np.ndarray | None,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
) -> tuple[np.ndarray, ...]:
    """The weights are worked out anew, which is what saves their memory."""
    heads, groups = query.shape[1], key.shape[1]
    key, value = (_for_all_heads(array, heads) for array in (key, value))
    scores = _scores(query, key, attn_mask, is_causal, scale)
    weights = np.exp(scores - np.where(np.isinf(logsumexp), 0, logsumexp)[..., None])
    by_value = np.matmul(weights.swapaxes(-2, -1), grad_out)
    by_weights = np.matmul(grad_out, value.swapaxes(-2, -1))
    by_scores = weights * (by_weights - (grad_out * out).sum(-1, keepdims=True)) * _factor(query, scale)
    by_query, by_key = np.matmul(by_scores, key), np.matmul(by_scores.swapaxes(-2, -1), query)
    by_key, by_value = _of_groups(by_key, groups), _of_groups(by_value, groups)
    return tuple(_swapped(gradient) for gradient in (by_query, by_key, by_value))


def _gradients(
    o: Any,
    g: Any,
    query: Any,
    key: Any,
    value: Any,
    output: Any,
    logsumexp: Any,
    attn_mask: Any,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
    *,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    backward = getattr(o, f"{_NAME}_backward")
    return backward(g, query, key, value, output, logsumexp, attn_mask, dropout_p, is_causal, scale)


def _shape(query: Sizes, key: Sizes, value: Sizes, attn_mask: Sizes | None = None, **_: Any) -> Sizes:
    return query


_HEADS = np.sin(np.arange(24.0)).reshape(1, 2, 4, 3)
_INPUTS = ("query", "key", "value")

register(
    Record(
        name=_NAME,
        inputs=(*_INPUTS, "attn_mask"),
        attributes=_SETTINGS,
        optional=frozenset({"attn_mask"}),
        promotes="none",
        forward=_attention,
        vjps=dict.fromkeys(_INPUTS, _gradients),
        grad_fn="ScaledDotProductFlashAttentionForCpuBackward0",
        outputs=("output", "logsumexp"),
        not_differentiable=frozenset({"logsumexp"}),
        shape=_shape,
        section="layer",
        hidden=True,
        part_of="scaled_dot_product_attention",
        samples=(((_HEADS, 2 * _HEADS, np.cos(_HEADS), None), {}), ((_HEADS, _HEADS, _HEADS, None, 0.0, True), {})),
    )
)
register(
    Record(
        name=f"{_NAME}_backward",
        inputs=("grad_out", *_INPUTS, "out", "logsumexp", "attn_mask"),
        attributes=_SETTINGS,
        optional=frozenset({"attn_mask"}),
        promotes="none",
        forward=_backward,
        vjps=dict.fromkeys(("grad_out", *_INPUTS, "out", "logsumexp", "attn_mask"), underivable(f"{_NAME}_backward")),
        grad_fn="NotImplemented",
        outputs=("grad_query", "grad_key", "grad_value"),
        section="layer",
        hidden=True,
        part_of="scaled_dot_product_attention",
    )
)
