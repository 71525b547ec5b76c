"""Choices of a class made continuous, so that gradients go through them: the Gumbel-softmax trick."""

from __future__ import annotations

from typing import Any

from chalkgrad import torch
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.one_hot_categorical import OverClasses
from chalkgrad.torch.distributions.relaxed import Relaxed
from chalkgrad.torch.distributions.transforms import ExpTransform
from chalkgrad.torch.distributions.utils import broadcast_all, clamp_probs

__all__ = ["ExpRelaxedCategorical", "RelaxedOneHotCategorical"]


class ExpRelaxedCategorical(OverClasses):
    """The logarithms of such choices."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        self._set_classes(validate_args, probs, logits)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._expanded_classes(ExpRelaxedCategorical, _instance, batch_shape)
        new.temperature = self.temperature
        return new

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        uniforms = clamp_probs(torch.rand(shape, dtype=self.logits.dtype))
        gumbels = -(-uniforms.log()).log()
        scores = (self.logits + gumbels) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value: Tensor) -> Tensor:
        count = self._categorical._num_events
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        log_scale = torch.full_like(self.temperature, float(count)).lgamma() - self.temperature.log().mul(-(count - 1))
        score = logits - value.mul(self.temperature)
        return (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1) + log_scale


class RelaxedOneHotCategorical(Relaxed):
    """Shares of 1, nearly all of it in one where ``temperature`` is low."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return super().expand(batch_shape, self._get_checked_instance(RelaxedOneHotCategorical, _instance))
