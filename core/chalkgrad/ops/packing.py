"""Sequences of different lengths, sorted by length, packed: step by step those that have not ended yet.

A padded tensor has the steps first here; that of a batch first is turned round before and after.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.windows import Sizes

_BATCH_FIRST = Attribute("batch_first", "bool", False)


def _pack(input: np.ndarray, lengths: np.ndarray, batch_first: bool = False) -> tuple[np.ndarray, np.ndarray]:
    steps = input.swapaxes(0, 1) if batch_first else input
    if lengths.size != steps.shape[1]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {lengths.size} (batch_size={steps.shape[1]})"
        )
    if (np.diff(lengths) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            "do not need ONNX exportability."
        )
    if lengths.size and lengths[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    counts = (lengths[None, :] > np.arange(lengths.max(initial=0))[:, None]).sum(1)
    if len(counts) > len(steps):
        raise RuntimeError(
            f"Expected sequence length to be larger than or equal to the longest in `lengths`, {len(counts)}"
        )
    return np.concatenate([steps[step, :count] for step, count in enumerate(counts)]), counts.astype(np.int64)


def _unpack(grad: np.ndarray, batch_sizes: np.ndarray, input_size: Sizes, batch_first: bool) -> np.ndarray:
    made = np.zeros(input_size, grad.dtype)
    steps = made.swapaxes(0, 1) if batch_first else made
    start = 0
    for step, count in enumerate(batch_sizes.tolist()):
        steps[step, :count] = grad[start : start + count]
        start += count
    return made


def _pack_again(o: Any, g: Any, batch_sizes: Any, batch_first: bool) -> Any:
    """What of ``g`` was packed."""
    steps = o.transpose(g, 0, 1) if batch_first else g
    counts = (batch_sizes if isinstance(batch_sizes, np.ndarray) else batch_sizes.array).tolist()
    return o.cat([o.narrow(o.select(steps, 0, step), 0, 0, count) for step, count in enumerate(counts)], 0)


_PADDED = np.sin(np.arange(12.0)).reshape(3, 2, 2)

register(
    Record(
        name="_pack_padded_sequence",
        inputs=("input", "lengths"),
        attributes=(_BATCH_FIRST,),
        promotes="none",
        forward=_pack,
        vjps={
            "input": lambda o, g, input_sym_sizes, result1, batch_first: o._pack_padded_sequence_backward(
                g, result1, input_sym_sizes, batch_first
            )
        },
        grad_fn="PackPaddedSequenceBackward0",
        outputs=("result0", "result1"),
        not_differentiable=frozenset({"result1"}),
        section="layer",
        hidden=True,
        samples=(((_PADDED, np.array([3, 2])), {}), ((_PADDED, np.array([2, 1, 1]), True), {})),
    )
)
register(
    Record(
        name="_pack_padded_sequence_backward",
        inputs=("grad", "batch_sizes"),
        attributes=(Attribute("input_size", "size", required=True), _BATCH_FIRST),
        promotes="none",
        forward=_unpack,
        vjps={"grad": _pack_again},
        grad_fn="PackPaddedSequenceBackwardBackward0",
        section="layer",
        hidden=True,
    )
)
