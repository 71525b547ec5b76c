"""Attention of several heads as a layer."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional, init
from chalkgrad.nn.functional.multi_head import canonical_mask
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.linear import NonDynamicallyQuantizableLinear
from chalkgrad.nn.modules.making import empty_parameter


class MultiheadAttention(Module):
    """Each head projects queries, keys and values and attends by itself; a last projection brings them together."""

    in_proj_weight: Tensor | None
    in_proj_bias: Tensor | None
    q_proj_weight: Tensor | None
    k_proj_weight: Tensor | None
    v_proj_weight: Tensor | None
    bias_k: Tensor | None
    bias_v: Tensor | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "embed_dim and num_heads must be greater than 0, "
                f"got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim, self.vdim = (embed_dim if size is None else size for size in (kdim, vdim))
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads, self.dropout, self.batch_first = num_heads, dropout, batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self._make_projections(device, dtype)
        self.register_parameter("in_proj_bias", empty_parameter((3 * embed_dim,), device, dtype) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        if add_bias_kv:
            self.bias_k = empty_parameter((1, 1, embed_dim), device, dtype)
            self.bias_v = empty_parameter((1, 1, embed_dim), device, dtype)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _make_projections(self, device: Any, dtype: Any) -> None:
        """One weight for all three, or one for each where their widths differ."""
        width = self.embed_dim
        apart = {"q_proj_weight": width, "k_proj_weight": self.kdim, "v_proj_weight": self.vdim}
        if self._qkv_same_embed_dim:
            self.in_proj_weight = empty_parameter((3 * width, width), device, dtype)
            for name in apart:
                self.register_parameter(name, None)
        else:
            for name, size in apart.items():
                setattr(self, name, empty_parameter((width, size), device, dtype))
            self.register_parameter("in_proj_weight", None)

    def _reset_parameters(self) -> None:
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            assert self.out_proj.bias is not None
            init.constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """:func:`functional.multi_head_attention_forward`, with the batch first where the layer says so."""
        padding = canonical_mask(key_padding_mask, "key_padding_mask", query, attn_mask, "attn_mask")
        mask = canonical_mask(attn_mask, "attn_mask", query)
        turned = self.batch_first and query.dim() == 3
        if turned:
            query, key, value = _turned(query, key, value)
        output, weights = functional.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=padding,
            need_weights=need_weights,
            attn_mask=mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (output.transpose(1, 0) if turned else output), weights


def _turned(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The three with the sequence first; what is one tensor stays one."""
    if key is not value:
        return query.transpose(1, 0), key.transpose(1, 0), value.transpose(1, 0)
    turned = query.transpose(1, 0)
    other = turned if query is key else key.transpose(1, 0)
    return turned, other, other
