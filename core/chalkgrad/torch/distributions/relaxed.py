"""What distributions have in common that are others made continuous, by a temperature."""

from __future__ import annotations

from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions.transformed_distribution import TransformedDistribution


class Relaxed(TransformedDistribution):
    """Values that a transform makes of those of a distribution with a temperature."""

    has_rsample = True

    @property
    def temperature(self) -> Tensor:
        """How far the values are from those of what was made continuous."""
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        """The logarithms of the odds or chances."""
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        """The chances."""
        return self.base_dist.probs
