"""The loss of sequences that are spread over more steps than they have labels."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.functional.making import code_of
from chalkgrad.ops.ctc import ctc_loss as _ctc_loss


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """How improbable the labels are, by all ways to spread them over the steps."""
    lengths = (input_lengths, target_lengths)
    result: Tensor = _ctc_loss(TENSORS, log_probs, targets, *lengths, blank, code_of(reduction), zero_infinity)
    return result
