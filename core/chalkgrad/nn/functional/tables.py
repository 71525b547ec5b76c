"""Tables of vectors that are looked up by number, one by one or in bags."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from chalkgrad.engine.base import counter_of, new_tensor
from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.making import operator, reads
from chalkgrad.ops.embedding_bag import MAX, MEAN, SUM

_MODES = {"sum": SUM, "mean": MEAN, "max": MAX}

_ONE_HOT = operator("one_hot")
_EMBEDDING = reads(
    "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False)"
)
_RENORM = reads("embedding_renorm_(Tensor input, Tensor indices, float max_norm, float norm_type)")
_BAG = reads(
    "embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, "
    "bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None)"
)


def one_hot(*args: Any, **kwargs: Any) -> Tensor:
    """A row of zeros with a one at each number's place; PyTorch writes it in two steps, which count."""
    result: Tensor = _ONE_HOT(*args, **kwargs)
    counter_of(result).version = 2
    return result


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of ``weight`` by number; rows longer than ``max_norm`` are shortened in place first."""
    if padding_idx is None:
        padding_idx = -1
    elif (padding_idx > 0 and padding_idx >= weight.size(0)) or (padding_idx < 0 and padding_idx < -weight.size(0)):
        raise AssertionError("Padding_idx must be within num_embeddings")
    elif padding_idx < 0:
        padding_idx = weight.size(0) + padding_idx
    if max_norm is not None:
        with no_grad():
            _shorten(weight, input, max_norm, norm_type)
    result: Tensor = TENSORS.embedding(*_EMBEDDING(weight, input, padding_idx, scale_grad_by_freq, sparse))
    return result


def _shorten(weight: Tensor, input: Tensor, max_norm: float, norm_type: float) -> None:
    weight, input, max_norm, norm_type = _RENORM(weight, input, max_norm, norm_type)
    for place in sorted({int(place) for place in input.array.ravel()}):
        row = TENSORS.select(weight, 0, place)
        length = float(row.norm(norm_type))
        if length > max_norm:
            row.mul_(max_norm / (length + 1e-7))


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """What becomes of bags of rows: a row of ``input`` is one, or what lies between two ``offsets``."""
    if weight.dtype.numpy == np.int64 and input.is_floating_point():
        warnings.warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
            "deprecated, and should now be `embedding_bag(input, weight, ...)`.",
            stacklevel=2,
        )
        weight, input = input, weight
    _check_bags(input, weight, offsets, per_sample_weights)
    if input.dim() == 2:
        starts = np.arange(0, input.numel(), input.size(1), dtype=input.array.dtype)
        offsets, include_last_offset = new_tensor(starts), False  # type: ignore[assignment]
        input = input.reshape(-1)
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    code = _mode_code(mode, scale_grad_by_freq, sparse)
    if max_norm is not None:
        with no_grad():
            _shorten(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
            f"(got mode='{mode}'). Please open a feature request on GitHub."
        )
    given = _BAG(
        weight, input, offsets, scale_grad_by_freq, code, sparse, per_sample_weights, include_last_offset, padding_idx
    )
    weight, input, offsets, by_frequency, code, sparse, weights, ends, padding_idx = given
    padding = _padding(padding_idx, weight)
    result: Tensor = TENSORS.embedding_bag(weight, input, offsets, weights, by_frequency, code, sparse, ends, padding)[
        0
    ]
    return result


def _check_bags(input: Tensor, weight: Tensor, offsets: Tensor | None, weights: Tensor | None) -> None:
    """ValueError for shapes that are no table, no numbers or no bags."""
    if weights is not None and input.size() != weights.size():
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({weights.shape}) is not None, then it must have the same shape as "
            f"the input ({input.shape})"
        )
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if input.dim() not in (1, 2):
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if input.dim() == 2 and offsets is not None:
        raise ValueError(
            "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
            f"sequences. However, found offsets of type {type(offsets)}"
        )
    if input.dim() == 1 and offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets is not None and offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")


def _mode_code(mode: str, by_frequency: bool, sparse: bool) -> int:
    if mode not in [*_MODES]:  # nor a list, which a dictionary can't be asked for
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and by_frequency:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    return _MODES[mode]


def _padding(padding_idx: int | None, weight: Tensor) -> int:
    """The number that counts for nothing, counted from the front; -1 where there is none."""
    count = len(weight)
    if padding_idx is None:
        return -1
    if not -count <= padding_idx < count:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, -{count} through {count - 1}, but got {padding_idx}"
        )
    return padding_idx % count
