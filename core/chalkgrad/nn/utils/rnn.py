"""Sequences of different lengths as one tensor: padded at the end, or packed step by step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from chalkgrad.engine.dtype import int64
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.packed import PackedSequence, invert_permutation, numbers
from chalkgrad.ops.create import as_tensor, full
from chalkgrad.ops.ranges import arange

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack padded sequences of these lengths, which fall unless the sequences may be sorted."""
    lengths = lengths.to(dtype=int64) if isinstance(lengths, Tensor) else as_tensor(lengths, dtype=int64)
    order = None
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    data, batch_sizes = TENSORS._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, order, None)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """The padded sequences, and their lengths."""
    sizes = sequence.batch_sizes.array
    steps = len(sizes)
    if total_length is not None:
        if total_length < steps:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {steps}"
            )
        steps = total_length
    padded = _padded(sequence.data, sizes, steps, padding_value)
    padded = padded.transpose(0, 1) if batch_first else padded
    lengths = numbers((sizes[:, None] > np.arange(sizes[0])).sum(0))
    back = sequence.unsorted_indices
    if back is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, back), lengths[back]


def _padded(data: Tensor, sizes: np.ndarray, steps: int, value: float) -> Tensor:
    """The steps one below the other; those with as many sequences are written in one go, as PyTorch does."""
    made = full((steps, int(sizes[0]), *data.shape[1:]), value, dtype=data.dtype)
    ends = [*(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(sizes)]
    start = place = 0
    for end in ends:
        count = int(sizes[start])
        length = count * (end - start)
        part = data.narrow(0, place, length).view(end - start, count, *data.shape[1:])
        made[start:end, :count].copy_(part)
        start, place = end, place + length
    return made


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Sequences side by side, the shorter ones filled up at one side."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    given = tuple(sequences)
    if not given:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    longest, rest = max(one.size(0) for one in given), given[0].shape[1:]
    shape = (len(given), longest) if batch_first else (longest, len(given))
    made = full((*shape, *rest), padding_value, dtype=given[0].dtype)
    for number, one in enumerate(given):
        start = longest - one.size(0) if padding_side == "left" else 0
        if batch_first:
            place = made.select(0, number).narrow(0, start, one.size(0))
        else:
            place = made.narrow(0, start, one.size(0)).select(1, number)
        place.copy_(one)
    return made


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The sequences without what was filled up."""
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    steps = arange(padded_sequences.shape[1])
    return [one[steps < length] for one, length in zip(padded_sequences, lengths, strict=True)]


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences of different lengths."""
    lengths = as_tensor([one.size(0) for one in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
