"""Transformers: their layers, stacked."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np

from chalkgrad.engine.modes import is_grad_enabled
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.engine.warning import warn_once
from chalkgrad.nn import functional, init
from chalkgrad.nn.functional.multi_head import canonical_mask
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.container import ModuleList
from chalkgrad.nn.modules.normalization import LayerNorm
from chalkgrad.nn.modules.transformer_layers import Activation, TransformerDecoderLayer, TransformerEncoderLayer
from chalkgrad.ops.create import full

_NESTED = (
    "The PyTorch API of nested tensors is in prototype stage and will change in the near future. We recommend "
    "specifying layout=torch.jagged when constructing a nested tensor, as this layout receives active development, has "
    "better operator coverage, and works with torch.compile."
)
"""What PyTorch warns of where it leaves out what is padded."""


def _causal_mask(size: int, device: Any = None, dtype: Any = None) -> Tensor:
    """-inf for what comes later, 0 for the rest."""
    found: Tensor = TENSORS.triu(full((size, size), float("-inf"), dtype=dtype, device=device), 1)
    return found


def _is_causal(mask: Tensor | None, hint: bool | None, sequence: Tensor, batch_first: bool) -> bool:
    """The hint, or whether the mask is the one that hides what comes later."""
    if hint is not None or mask is None:
        return hint is True
    size = sequence.size(1 if batch_first and sequence.dim() > 2 else 0)
    later = np.triu(np.full((size, size), -np.inf).astype(mask.array.dtype), 1)
    return np.array_equal(mask.array, later)


def _copies(module: Module, count: int) -> ModuleList:
    return ModuleList([copy.deepcopy(module) for _ in range(count)])


class TransformerEncoder(Module):
    """Encoder layers, one after the other."""

    norm: Module | None

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _copies(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor = self.use_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        reason = _why_padded(encoder_layer)
        if enable_nested_tensor and reason:
            warnings.warn(
                f"enable_nested_tensor is True, but self.use_nested_tensor is False because {reason}", stacklevel=2
            )
            self.use_nested_tensor = False

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """The sequence after all layers."""
        padding = canonical_mask(src_key_padding_mask, "src_key_padding_mask", src, mask, "mask")
        mask = canonical_mask(mask, "mask", src)
        first: Any = self.layers[0]
        causal = _is_causal(mask, is_causal, src, first.self_attn.batch_first)
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=causal, src_key_padding_mask=padding)
        if padding is not None and mask is None and self._leaves_out_padding(src, padding):
            warn_once(_NESTED)
            output = output.masked_fill(padding.ne(0).unsqueeze(-1), 0.0)
        found: Tensor = output if self.norm is None else self.norm(output)
        return found

    def _leaves_out_padding(self, src: Tensor, padding: Tensor) -> bool:
        """True where PyTorch computes without what is padded, which is 0 then: nobody asks for gradients."""
        first: Any = self.layers[0]
        if not self.use_nested_tensor or first.training or src.dim() != 3:
            return False
        hidden = padding.array != 0
        if self.mask_check and bool((hidden[:, :-1] & ~hidden[:, 1:]).any()):
            return False
        return not (is_grad_enabled() and any(tensor.requires_grad for tensor in (src, *first.parameters())))


def _why_padded(layer: Any) -> str:
    """Why PyTorch can't leave out what is padded with such layers, or nothing."""
    name = "encoder_layer"
    if not isinstance(layer, TransformerEncoderLayer):
        return f"{name} was not TransformerEncoderLayer"
    attention = layer.self_attn
    reasons = {
        f"{name}.norm_first was True": layer.norm_first,
        f"{name}.self_attn.batch_first was not True(use batch_first for better inference performance)": (
            not attention.batch_first
        ),
        f"{name}.self_attn._qkv_same_embed_dim was not True": not attention._qkv_same_embed_dim,
        f"{name}.self_attn was passed bias=False": attention.in_proj_bias is None,
        f"{name}.activation_relu_or_gelu was not True": not layer.activation_relu_or_gelu,
        f"{name}.norm1.eps was not equal to {name}.norm2.eps": layer.norm1.eps != layer.norm2.eps,
        f"{name}.self_attn.num_heads is odd": attention.num_heads % 2 == 1,
    }
    return next((reason for reason, true in reasons.items() if true), "")


class TransformerDecoder(Module):
    """Decoder layers, one after the other."""

    norm: Module | None

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The sequence after all layers."""
        first: Any = self.layers[0]
        causal = _is_causal(tgt_mask, tgt_is_causal, tgt, first.self_attn.batch_first)
        output = tgt
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=causal,
                memory_is_causal=memory_is_causal,
            )
        found: Tensor = output if self.norm is None else self.norm(output)
        return found


class Transformer(Module):
    """An encoder of one sequence, and a decoder of another that attends to it."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = functional.relu,
        custom_encoder: Any | None = None,
        custom_decoder: Any | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        place = {"device": device, "dtype": dtype}
        layer = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        super().__init__()
        if custom_encoder is None:
            encoder_layer = TransformerEncoderLayer(*layer, **place)
            encoder_norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
            custom_encoder = TransformerEncoder(encoder_layer, num_encoder_layers, encoder_norm)
        self.encoder = custom_encoder
        if custom_decoder is None:
            decoder_layer = TransformerDecoderLayer(*layer, **place)
            decoder_norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
            custom_decoder = TransformerDecoder(decoder_layer, num_decoder_layers, decoder_norm)
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """The second sequence, decoded with the first one in mind."""
        place = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(place) != tgt.size(place):
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        output: Tensor = self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )
        return output

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """The mask that hides what comes later."""
        return _causal_mask(sz, device, dtype)
