"""The loss of sequences that are spread over more steps than they have labels, as a layer."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.modules.loss import _Loss


class CTCLoss(_Loss):
    """How improbable the labels are, by all ways to spread them over the steps."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any) -> Tensor:
        """:func:`functional.ctc_loss`."""
        return functional.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
