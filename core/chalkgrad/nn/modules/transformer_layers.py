"""The layers of a transformer: attention, and what each position computes by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.functional.multi_head import canonical_mask
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.activation import GELU, ReLU
from chalkgrad.nn.modules.attention import MultiheadAttention
from chalkgrad.nn.modules.dropout import Dropout
from chalkgrad.nn.modules.linear import Linear
from chalkgrad.nn.modules.normalization import LayerNorm

Activation = str | Callable[[Tensor], Tensor]


def _activation(activation: Activation) -> Callable[[Tensor], Tensor]:
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    found: Callable[[Tensor], Tensor] = getattr(functional, activation)
    return found


def _attended(
    attention: Module, x: Tensor, memory: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool
) -> Tensor:
    """What ``x`` finds in the memory."""
    found: Tensor = attention(
        x,
        memory,
        memory,
        attn_mask=mask,
        key_padding_mask=padding,
        need_weights=False,
        is_causal=is_causal,
    )[0]
    return found


class _TransformerLayer(Module):
    """What layers of encoders and decoders have in common: attention to itself, and the two linear layers."""

    def _sa_block(
        self, x: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool = False
    ) -> Tensor:
        """The sequence attends to itself."""
        dropped: Tensor = self.dropout1(_attended(self.self_attn, x, x, attn_mask, key_padding_mask, is_causal))
        return dropped

    def _through_linear(self, x: Tensor) -> Tensor:
        """What the linear layers make of each position."""
        found: Tensor = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return found


class TransformerEncoderLayer(_TransformerLayer):
    """A sequence attends to itself, then each position goes through two linear layers; both are added to what was."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = functional.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        place = {"device": device, "dtype": dtype}
        super().__init__()
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **place
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **place)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **place)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.activation = _activation(activation)
        kinds = ((functional.relu, ReLU), (functional.gelu, GELU))
        self.activation_relu_or_gelu = sum(
            number
            for number, (function, module) in enumerate(kinds, 1)
            if self.activation is function or isinstance(self.activation, module)
        )

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """The sequence after attention and the linear layers."""
        padding = canonical_mask(src_key_padding_mask, "src_key_padding_mask", src, src_mask, "src_mask")
        mask = canonical_mask(src_mask, "src_mask", src)
        if self.norm_first:
            src = src + self._sa_block(self.norm1(src), mask, padding, is_causal=is_causal)
            return src + self._ff_block(self.norm2(src))
        src = self.norm1(src + self._sa_block(src, mask, padding, is_causal=is_causal))
        found: Tensor = self.norm2(src + self._ff_block(src))
        return found

    def _ff_block(self, x: Tensor) -> Tensor:
        """What each position computes by itself."""
        found: Tensor = self.dropout2(self._through_linear(x))
        return found


class TransformerDecoderLayer(_TransformerLayer):
    """The same with attention to a second sequence, the memory, between the two."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = functional.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        place = {"device": device, "dtype": dtype}
        super().__init__()
        heads = {"dropout": dropout, "batch_first": batch_first, "bias": bias, **place}
        self.self_attn = MultiheadAttention(d_model, nhead, **heads)
        self.multihead_attn = MultiheadAttention(d_model, nhead, **heads)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **place)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **place)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.dropout1, self.dropout2, self.dropout3 = Dropout(dropout), Dropout(dropout), Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The sequence after attention to itself and to the memory, and the linear layers."""
        itself = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            tgt = tgt + self._sa_block(self.norm1(tgt), *itself)
            tgt = tgt + self._mha_block(self.norm2(tgt), memory, *other)
            return tgt + self._ff_block(self.norm3(tgt))
        tgt = self.norm1(tgt + self._sa_block(tgt, *itself))
        tgt = self.norm2(tgt + self._mha_block(tgt, memory, *other))
        found: Tensor = self.norm3(tgt + self._ff_block(tgt))
        return found

    def _mha_block(
        self,
        x: Tensor,
        mem: Tensor,
        attn_mask: Tensor | None,
        key_padding_mask: Tensor | None,
        is_causal: bool = False,
    ) -> Tensor:
        """The sequence attends to the memory."""
        dropped: Tensor = self.dropout2(_attended(self.multihead_attn, x, mem, attn_mask, key_padding_mask, is_causal))
        return dropped

    def _ff_block(self, x: Tensor) -> Tensor:
        """What each position computes by itself."""
        found: Tensor = self.dropout3(self._through_linear(x))
        return found
