"""The generalised Pareto distribution."""

from __future__ import annotations

import math
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.distribution import Distribution

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """By how much numbers are above the threshold ``loc``; with ``concentration`` 0, exponentially."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True

    loc: Tensor
    scale: Tensor
    concentration: Tensor

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self._set(validate_args, loc=loc, scale=scale, concentration=concentration)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expanded(GeneralizedPareto, _instance, batch_shape, "loc", "scale", "concentration")

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> constraints.Constraint:
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, torch.where(self.concentration < 0, end, math.inf))

    def _nonzero(self) -> tuple[Tensor, Tensor]:
        """Where the concentration is 0, and it with 1 put in there."""
        zero = torch.isclose(self.concentration, torch.zeros_like(self.concentration))
        return zero, torch.where(zero, torch.ones_like(self.concentration), self.concentration)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self.icdf(torch.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        z = (value - self.loc) / self.scale
        zero, concentration = self._nonzero()
        y = 1 / concentration + torch.ones_like(z)
        heavy = torch.where(y == 0, y, y * torch.log1p(concentration * z))
        return -self.scale.log() - torch.where(zero, z, heavy)

    def log_survival_function(self, value: Tensor) -> Tensor:
        """The logarithm of the chance of what is larger than a value."""
        self._check(value)
        z = (value - self.loc) / self.scale
        zero, concentration = self._nonzero()
        return torch.where(zero, -z, -torch.log1p(concentration * z) / concentration)

    def log_cdf(self, value: Tensor) -> Tensor:
        """The logarithm of the chance of what is not."""
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        return torch.exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        zero, concentration = self._nonzero()
        left = torch.log1p(-value)
        heavy = self.loc + self.scale / concentration * torch.expm1(-concentration * left)
        return torch.where(zero, self.loc - self.scale * left, heavy)

    def _moment(self, least: float, of: Any) -> Tensor:
        """What ``of`` gives for the concentration, where it is small enough for it."""
        valid = self.concentration < least
        return torch.where(valid, of(torch.where(valid, self.concentration, least / 2)), math.nan)

    @property
    def mean(self) -> Tensor:
        return self._moment(1, lambda one: self.loc + self.scale / (1 - one))

    @property
    def variance(self) -> Tensor:
        return self._moment(0.5, lambda one: self.scale**2 / ((1 - one) ** 2 * (1 - 2 * one)))

    @property
    def mode(self) -> Tensor:
        return self.loc

    def entropy(self) -> Tensor:
        return torch.broadcast_to(torch.log(self.scale) + self.concentration + 1, self._batch_shape)
