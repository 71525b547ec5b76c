"""Attention of several heads: queries, keys and values are projected, attended to, and brought together again."""

from __future__ import annotations

import math
import warnings
from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.attention import scaled_dot_product_attention
from chalkgrad.nn.functional.layers import dropout, linear, pad

Projected = tuple[Tensor, Tensor, Tensor]


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """What attends to what, and with ``need_weights`` how much; the sequence comes before the batch."""
    batched = _is_batched(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    length, batch, width = query.shape
    padding = canonical_mask(key_padding_mask, "key_padding_mask", query, attn_mask, "attn_mask")
    mask, is_causal = _hint(attn_mask, padding, query, need_weights, is_causal)
    _check_sizes(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    if use_separate_proj_weight:
        projected = _projected_apart(query, key, value, weights, in_proj_bias)
    else:
        projected = _projected(query, key, value, in_proj_weight, in_proj_bias)
    mask = _whole_mask(mask, length, len(key), batch * num_heads)
    heads, masks = _heads(
        projected, (mask, padding), batch * num_heads, (bias_k, bias_v), (static_k, static_v), add_zero_attn
    )
    merged = _merged(*masks, batch, num_heads, heads[1].size(1))
    chance = dropout_p if training else 0.0
    if need_weights:
        found, scores = _weighted(heads, merged, chance, is_causal)
        rows = found.transpose(0, 1).reshape(length * batch, width)
        scores = scores.view(batch, num_heads, length, heads[1].size(1))
        scores = scores.mean(dim=1) if average_attn_weights else scores
    else:
        found, scores = _fused(heads, merged, chance, is_causal, batch, num_heads), None
        rows = found.permute(2, 0, 1, 3).reshape(batch * length, width)
    output = linear(rows, out_proj_weight, out_proj_bias)
    output = output.view(length, batch, output.size(1))
    if not batched:
        output = output.squeeze(1)
        scores = None if scores is None else scores.squeeze(0)
    return output, scores


# What is refused


def _is_batched(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Tensor | None,
    attn_mask: Tensor | None,
    num_heads: int,
) -> bool:
    """True for sequences of several examples; AssertionError where one of them has another number of dimensions."""
    dims = query.dim()
    if dims not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor")
    what = f"For {'batched (3-D)' if dims == 3 else 'unbatched (2-D)'} `query`, expected"
    if key.dim() != dims or value.dim() != dims:
        raise AssertionError(
            f"{what} `key` and `value` to be {dims}-D but found {key.dim()}-D and {value.dim()}-D tensors respectively"
        )
    if key_padding_mask is not None and key_padding_mask.dim() != dims - 1:
        raise AssertionError(
            f"{what} `key_padding_mask` to be `None` or {dims - 1}-D but found {key_padding_mask.dim()}-D tensor "
            "instead"
        )
    if attn_mask is not None and attn_mask.dim() not in (2, 3):
        raise AssertionError(
            f"{what} `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D tensor instead"
        )
    if dims == 2 and attn_mask is not None and attn_mask.dim() == 3:
        wanted = (num_heads, query.shape[0], key.shape[0])
        if attn_mask.shape != wanted:
            raise AssertionError(f"Expected `attn_mask` shape to be {wanted} but got {attn_mask.shape}")
    return dims == 3


def canonical_mask(
    mask: Tensor | None, name: str, like: Tensor, other: Tensor | None = None, other_name: str = ""
) -> Tensor | None:
    """``mask`` as what is added to the scores, of the dtype of ``like``: a boolean one is -inf where it is True."""
    if mask is None:
        return None
    is_float = mask.is_floating_point()
    if mask.array.dtype.kind != "b" and not is_float:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if other is not None and mask.dtype != other.dtype:
        warnings.warn(
            f"Support for mismatched {name} and {other_name} is deprecated. Use same type for both instead.",
            stacklevel=3,
        )
    if is_float:
        return mask
    zeros = TENSORS.to_copy(TENSORS.zeros_of(mask.detach(), tuple(mask.shape)), like.array.dtype)
    found: Tensor = zeros.masked_fill_(mask, float("-inf"))
    return found


def _hint(
    mask: Tensor | None, padding: Tensor | None, query: Tensor, need_weights: bool, is_causal: bool
) -> tuple[Tensor | None, bool]:
    """The mask to add, and whether the scores are still to be masked as causal ones."""
    if is_causal and mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
            "`generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and padding is None and not need_weights:
        return None, True
    return canonical_mask(mask, "attn_mask", query), is_causal and padding is None


def _check_sizes(query: Tensor, key: Tensor, value: Tensor, wanted: int, num_heads: int, apart: bool) -> None:
    width = query.shape[-1]
    if width != wanted:
        raise AssertionError(f"was expecting embedding dimension of {wanted}, but got {width}")
    if width % num_heads:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")
    if apart and key.shape[:2] != value.shape[:2]:
        raise AssertionError(f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")
    if not apart and key.shape != value.shape:
        raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")


# Projections


def _projected(query: Tensor, key: Tensor, value: Tensor, weight: Tensor | None, bias: Tensor | None) -> Projected:
    """The projections by one weight, whose rows are those of queries, keys and values; the same tensor goes once."""
    if weight is None:
        raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
    if key is not value:
        weights = weight.chunk(3)
        biases = (None, None, None) if bias is None else bias.chunk(3)
        first, second, third = (linear(*parts) for parts in zip((query, key, value), weights, biases, strict=True))
        return first, second, third
    width = query.size(-1)
    if query is key:
        whole = _apart(linear(query, weight, bias), 3)
        return whole[0], whole[1], whole[2]
    of_query, of_rest = weight.split([width, width * 2])
    bias_of_query, bias_of_rest = (None, None) if bias is None else bias.split([width, width * 2])
    found = linear(query, of_query, bias_of_query)
    whole = _apart(linear(key, of_rest, bias_of_rest), 2)
    return found, whole[0], whole[1]


def _apart(projection: Tensor, count: int) -> Tensor:
    """What lies side by side in the last dimension, as ``count`` tensors one after the other."""
    parts = projection.unflatten(-1, (count, projection.size(-1) // count))
    return parts.unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()


def _projected_apart(
    query: Tensor, key: Tensor, value: Tensor, weights: tuple[Tensor | None, ...], bias: Tensor | None
) -> Projected:
    """The projections by three weights, which let keys and values have a width of their own."""
    for letter, weight in zip("qkv", weights, strict=True):
        if weight is None:
            raise AssertionError(f"use_separate_proj_weight is True but {letter}_proj_weight is None")
    biases = (None, None, None) if bias is None else bias.chunk(3)
    _check_projections(query, key, value, weights, biases)
    first, second, third = (linear(*parts) for parts in zip((query, key, value), weights, biases, strict=True))
    return first, second, third


def _check_projections(query: Tensor, key: Tensor, value: Tensor, weights: Any, biases: Any) -> None:
    width = query.size(-1)
    names = ("query", "key", "value")
    for name, given, weight in zip(names, (query, key, value), weights, strict=True):
        wanted = (width, given.size(-1))
        if weight.shape != wanted:
            raise AssertionError(f"expecting {name} weights shape of {wanted}, but got {weight.shape}")
    for name, bias in zip(names, biases, strict=True):
        if bias is not None and bias.shape != (width,):
            raise AssertionError(f"expecting {name} bias shape of {(width,)}, but got {bias.shape}")


# Masks and heads


def _whole_mask(mask: Tensor | None, length: int, keys: int, heads: int) -> Tensor | None:
    """The mask with a dimension for the heads; RuntimeError where its sizes are others."""
    if mask is None:
        return None
    wanted = (length, keys) if mask.dim() == 2 else (heads, length, keys)
    if mask.shape != wanted:
        raise RuntimeError(f"The shape of the {mask.dim()}D attn_mask is {mask.shape}, but should be {wanted}.")
    return mask.unsqueeze(0) if mask.dim() == 2 else mask


def _heads(
    projected: Projected,
    masks: tuple[Tensor | None, Tensor | None],
    heads: int,
    biases: tuple[Tensor | None, Tensor | None],
    statics: tuple[Tensor | None, Tensor | None],
    zero: bool,
) -> tuple[Projected, tuple[Tensor | None, Tensor | None]]:
    """Queries, keys and values of each head, and the masks widened by what was added to the keys."""
    query, key, value = projected
    batch, size = query.shape[1], query.shape[2] * query.shape[1] // heads
    key, value, masks = _with_bias(key, value, masks, biases, statics, batch)
    query = query.view(len(query), heads, size).transpose(0, 1)
    key, value = (
        _given(name, given, heads, size) if given is not None else whole.view(len(whole), heads, size).transpose(0, 1)
        for name, given, whole in zip("kv", statics, (key, value), strict=True)
    )
    if zero:
        key, value = (TENSORS.cat([one, TENSORS.zeros_of(one.detach(), (heads, 1, size))], 1) for one in (key, value))
        masks = _widened(masks)
    return (query, key, value), masks


def _given(name: str, given: Tensor, heads: int, size: int) -> Tensor:
    """Keys or values that stand in for the projected ones."""
    if given.size(0) != heads:
        raise AssertionError(f"expecting static_{name}.size(0) of {heads}, but got {given.size(0)}")
    if given.size(2) != size:
        raise AssertionError(f"expecting static_{name}.size(2) of {size}, but got {given.size(2)}")
    return given


def _with_bias(
    key: Tensor,
    value: Tensor,
    masks: tuple[Tensor | None, Tensor | None],
    biases: tuple[Tensor | None, Tensor | None],
    statics: tuple[Tensor | None, Tensor | None],
    batch: int,
) -> tuple[Tensor, Tensor, tuple[Tensor | None, Tensor | None]]:
    """Keys and values with a learned one at the end."""
    of_key, of_value = biases
    if of_key is None or of_value is None:
        if of_key is not None:
            raise AssertionError("bias_k is set but bias_v is None")
        if of_value is not None:
            raise AssertionError("bias_v is set but bias_k is None")
        return key, value, masks
    for name, static in zip(("key", "value"), statics, strict=True):
        if static is not None:
            raise AssertionError(f"bias cannot be added to static {name}.")
    longer = [TENSORS.cat([one, bias.repeat(1, batch, 1)]) for one, bias in ((key, of_key), (value, of_value))]
    return longer[0], longer[1], _widened(masks)


def _widened(masks: tuple[Tensor | None, Tensor | None]) -> tuple[Tensor | None, Tensor | None]:
    first, second = (None if mask is None else pad(mask, (0, 1)) for mask in masks)
    return first, second


def _merged(mask: Tensor | None, padding: Tensor | None, batch: int, heads: int, keys: int) -> Tensor | None:
    """Both masks as one, for each head of each example."""
    if padding is None:
        return mask
    if padding.shape[0] != batch:
        raise AssertionError(f"Expected key_padded_mask.shape[0] to be {batch}, but got {padding.shape[0]}")
    if padding.shape[1] != keys:
        raise AssertionError(f"Expected key_padded_mask.shape[1] to be {keys}, but got {padding.shape[1]}")
    whole = padding.view(batch, 1, 1, keys).expand(-1, heads, -1, -1).reshape(batch * heads, 1, keys)
    return whole if mask is None else mask + whole


# Attention


def _weighted(heads: Projected, mask: Tensor | None, chance: float, is_causal: bool) -> tuple[Tensor, Tensor]:
    """The values mixed by how much each query looks at each key, and these weights."""
    query, key, value = heads
    scaled = query * math.sqrt(1.0 / float(query.shape[2]))
    if is_causal and mask is None:
        raise AssertionError("FIXME: is_causal not implemented for need_weights")
    turned = key.transpose(-2, -1)
    scores = scaled.bmm(turned) if mask is None else TENSORS.baddbmm(mask, scaled, turned)
    weights = scores.softmax(-1)
    if chance > 0.0:
        weights = dropout(weights, p=chance)
    return weights.bmm(value), weights


def _fused(heads: Projected, mask: Tensor | None, chance: float, is_causal: bool, batch: int, count: int) -> Tensor:
    """The same without the weights, in as few nodes as there can be."""
    query, key, value = (one.view(batch, count, one.size(1), one.size(2)) for one in heads)
    if mask is not None:
        alone = mask.size(0) == 1 and mask.dim() == 3
        mask = mask.unsqueeze(0) if alone else mask.view(batch, count, -1, key.size(2))
    return scaled_dot_product_attention(query, key, value, mask, chance, is_causal)
