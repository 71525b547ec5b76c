"""Distributions whose density is the exponential function of a product of parameters and values."""

from __future__ import annotations

from typing import Any

from chalkgrad import torch
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions.distribution import Distribution

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """A distribution that is known by its natural parameters and the logarithm of what normalises it."""

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> float:
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """By the gradient of the normaliser, Bregman's way."""
        result: Any = -self._mean_carrier_measure
        parameters = [one.detach().requires_grad_() for one in self._natural_params]
        normalizer = self._log_normalizer(*parameters)
        gradients: Any = torch.autograd.grad(normalizer.sum(), parameters, create_graph=True)
        result += normalizer
        for parameter, gradient in zip(parameters, gradients, strict=True):
            result -= (parameter * gradient).reshape((*self._batch_shape, -1)).sum(-1)
        return result
