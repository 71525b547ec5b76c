"""Losses for several right classes at once."""

from __future__ import annotations

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.modules.loss import _Loss, _WeightedLoss


class MultiLabelMarginLoss(_Loss):
    """By how much the scores of right classes lead those of wrong ones."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """:func:`functional.multilabel_margin_loss`."""
        return functional.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """Cross entropy of yes or no for each class."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """:func:`functional.multilabel_soft_margin_loss`."""
        return functional.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)
