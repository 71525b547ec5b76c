"""Tosses of a coin made continuous, so that gradients go through them."""

from __future__ import annotations

from typing import Any

from chalkgrad import torch
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.chances import BinaryChances
from chalkgrad.torch.distributions.relaxed import Relaxed
from chalkgrad.torch.distributions.transforms import SigmoidTransform
from chalkgrad.torch.distributions.utils import broadcast_all, clamp_probs

__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]


class LogitRelaxedBernoulli(BinaryChances):
    """The logarithms of the odds of such tosses."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.real

    def __init__(
        self, temperature: Tensor, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self.temperature = temperature
        self._set_chances(validate_args, probs, logits)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._expanded_chances(LogitRelaxedBernoulli, _instance, batch_shape)
        new.temperature = self.temperature
        return new

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        uniforms = clamp_probs(torch.rand(shape, dtype=probs.dtype))
        return (uniforms.log() - (-uniforms).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        diff = logits - value.mul(self.temperature)
        return self.temperature.log() + diff - 2 * diff.exp().log1p()


class RelaxedBernoulli(Relaxed):
    """Numbers between 0 and 1, near the ends where ``temperature`` is low."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval

    def __init__(
        self, temperature: Tensor, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return super().expand(batch_shape, self._get_checked_instance(RelaxedBernoulli, _instance))
