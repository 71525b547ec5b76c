"""Attention of given queries, keys and values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chalkgrad.engine.base import new_tensor
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import size_at
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.layers import dropout

_PARSER = Parser.of(
    "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
    "float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False)"
)


def scaled_dot_product_attention(*args: Any, **kwargs: Any) -> Tensor:
    """``softmax(query @ key.T * scale) @ value`` over the last two dimensions.

    A boolean ``attn_mask`` says who takes part, another one is added; ``is_causal`` hides what comes later.
    """
    _, given = _PARSER.parse(args, kwargs)
    return _attention(**given)


def _attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    _check(query, key, value, attn_mask)
    if not query.shape[-2] or not value.array.size:
        return _of_nothing(query, key, value)
    mask = None if attn_mask is None else _added(attn_mask, query)
    if _is_fused(query, key, value, mask, dropout_p, enable_gqa):
        if dropout_p:
            raise RuntimeError("scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0")
        fused = TENSORS._scaled_dot_product_flash_attention_for_cpu
        result: Tensor = fused(query, key, value, mask, 0.0, is_causal, scale)[0]
        return result
    return _composed(query, key, value, mask, dropout_p, is_causal, scale, enable_gqa)


def _check(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> None:
    """RuntimeError for what PyTorch refuses before it chooses how to compute."""
    given = {"query": query, "key": key, "value": value}
    if len({tensor.array.dtype for tensor in given.values()}) > 1:
        found = [f"{name}.dtype: {dtype_of(tensor.array).cpp}" for name, tensor in given.items()]
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got {found[0]} {found[1]} and {found[2]} "
            "instead."
        )
    if any(tensor.array.ndim < 2 for tensor in given.values()):
        found = [f"{name}.dim: {tensor.array.ndim}" for name, tensor in given.items()]
        raise RuntimeError(
            f"Expected query, key, and value to all be  at least 2 dimensional, but got {found[0]} {found[1]} and "
            f"{found[2]} instead."
        )
    if mask is not None and mask.array.dtype.kind != "b" and mask.array.dtype not in (query.array.dtype, np.float32):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{dtype_of(mask.array).cpp} and  query.dtype: {dtype_of(query.array).cpp} instead."
        )


def _of_nothing(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Zeros, which belong to all three all the same: their gradients are zeros, and not None."""
    zeros = TENSORS.zeros_of(query, (*query.shape[:-1], value.shape[-1]))
    last, middle, first = (TENSORS.sum(tensor) for tensor in (value, key, query))
    result: Tensor = TENSORS.add(zeros, TENSORS.mul_number(TENSORS.add(TENSORS.add(first, middle), last), 0))
    return result


def _is_fused(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, dropout_p: float, groups: bool) -> bool:
    """True where PyTorch computes on a CPU all in one node."""
    arrays = [tensor.array for tensor in (query, key, value)]
    if dropout_p > 0 or arrays[0].dtype.kind != "f" or any(array.ndim != 4 or not array.size for array in arrays):
        return False
    if mask is not None and (mask.requires_grad or mask.array.dtype != arrays[0].dtype or not _fits(mask, query, key)):
        return False
    heads, keys, values = (array.shape[1] for array in arrays)
    shared = keys == values and heads % keys == 0 if groups else heads == keys == values
    same = all(len({array.shape[dim] for array in arrays}) == 1 for dim in (0, 3))
    return same and shared and all(array.strides[-1] == array.itemsize for array in arrays)


def _fits(mask: Tensor, query: Tensor, key: Tensor) -> bool:
    """True for a mask of two or four dimensions that is as large as the scores, or stretches to them."""
    whole = (*query.array.shape[:3], key.array.shape[2])
    shape = mask.array.shape
    if len(shape) not in (2, 4):
        return False
    return all(size in (1, wanted) for size, wanted in zip(shape, whole[-len(shape) :], strict=True))


def _composed(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
    groups: bool,
) -> Tensor:
    """The same by the operators that it is made of."""
    if mask is not None and is_causal:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    length = query.shape[-1]
    usual = 1 / math.sqrt(length) if length else math.inf
    factor = math.sqrt(usual if scale is None else abs(scale))
    times = TENSORS.mul_number  # which makes another node than the operator *
    left = times(query, -factor if scale is not None and scale < 0 else factor)
    if groups:
        key, value = _for_all_groups(query, key, value)
    scores: Tensor = left.matmul(times(key.transpose(-2, -1), factor))
    if is_causal:
        mask = _added(new_tensor(np.tri(*scores.array.shape[-2:], dtype=bool)), query)  # type: ignore[arg-type]
    if mask is not None:
        scores = scores.add_(mask)
    weights = TENSORS._safe_softmax(scores, -1)
    if dropout_p > 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {dropout_p:g}")
    return (dropout(weights, dropout_p) if dropout_p > 0 else weights).matmul(value)


def _for_all_groups(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    """Key and value with as many heads as the query has."""
    heads, *others = [size_at(tensor.shape, -3) for tensor in (query, key, value)]
    if all(count == heads for count in others):
        return key, value
    if any(count and heads % count for count in others):
        raise RuntimeError("Number of heads in key and value must divide the number of heads in ")
    return key.repeat_interleave(heads // others[0], -3), value.repeat_interleave(heads // others[1], -3)


def _added(mask: Tensor, query: Tensor) -> Tensor:
    """What is added for ``mask``: 0 where True and -inf where False, or itself."""
    if mask.array.dtype.kind != "b":
        return mask
    zero, infinity = np.zeros((), query.array.dtype), np.array(-np.inf, query.array.dtype)
    found: Tensor = new_tensor(np.where(mask.array, zero, infinity))  # type: ignore[assignment]
    return found
