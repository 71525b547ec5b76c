"""Mixtures of distributions of one kind."""

from __future__ import annotations

from typing import Any

from chalkgrad import torch
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.categorical import Categorical
from chalkgrad.torch.distributions.distribution import Distribution

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """Values of one of several components, the last dimension of a batch, each with its chance."""

    arg_constraints = {}
    has_rsample = False

    def __init__(
        self, mixture_distribution: Categorical, component_distribution: Any, validate_args: bool | None = None
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        self._mixture_distribution, self._component_distribution = mixture_distribution, component_distribution
        self._check_shapes()
        self._num_component = mixture_distribution.logits.shape[-1]
        event = component_distribution.event_shape
        self._event_ndims = len(event)
        super().__init__(component_distribution.batch_shape[:-1], event, validate_args=validate_args)

    def _check_shapes(self) -> None:
        mixture, components = self._mixture_distribution, self._component_distribution.batch_shape
        for one, other in zip(reversed(mixture.batch_shape), reversed(components[:-1]), strict=False):
            if one not in (1, other) and other != 1:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({mixture.batch_shape}) is not compatible with "
                    f"`component_distribution.batch_shape`({components[:-1]})"
                )
        if mixture.logits.shape[-1] != components[-1]:
            raise ValueError(
                f"`mixture_distribution component` ({mixture.logits.shape[-1]}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({components[-1]})"
            )

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(MixtureSameFamily, _instance)
        shape = Size(batch_shape)
        new._component_distribution = self._component_distribution.expand((*shape, self._num_component))
        new._mixture_distribution = self._mixture_distribution.expand(shape)
        new._num_component, new._event_ndims = self._num_component, self._event_ndims
        self._finish(new, shape)
        return new

    @constraints.dependent_property
    def support(self) -> constraints.Constraint:
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Categorical:
        """Which component is drawn."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Any:
        """The components, along the last dimension of its batch."""
        return self._component_distribution

    @property
    def mean(self) -> Tensor:
        return self._averaged(self.component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        within = self._averaged(self.component_distribution.variance)
        between = (self.component_distribution.mean - self._pad(self.mean)).pow(2.0)
        return within + self._averaged(between)

    def _averaged(self, values: Tensor) -> Tensor:
        probs = self._with_event_dimensions(self.mixture_distribution.probs)
        return torch.sum(probs * values, dim=-1 - self._event_ndims)

    def cdf(self, value: Tensor) -> Tensor:
        chances = self.component_distribution.cdf(self._pad(value))
        return torch.sum(chances * self.mixture_distribution.probs, dim=-1)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        log_prob = self.component_distribution.log_prob(self._pad(value))
        log_mixture = torch.log_softmax(self.mixture_distribution.logits, dim=-1)
        return torch.logsumexp(log_prob + log_mixture, dim=-1)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with torch.no_grad():
            dim = len(sample_shape) + len(self.batch_shape)
            chosen = self.mixture_distribution.sample(sample_shape)
            values = self.component_distribution.sample(sample_shape)
            places = chosen.reshape(chosen.shape + (1,) * (self._event_ndims + 1))
            places = places.repeat((1,) * len(chosen.shape) + (1,) + tuple(self.event_shape))
            return torch.gather(values, dim, places).squeeze(dim)

    def _pad(self, x: Tensor) -> Tensor:
        return x.unsqueeze(-1 - self._event_ndims)

    def _with_event_dimensions(self, x: Tensor) -> Tensor:
        own = len(self.mixture_distribution.batch_shape)
        more = 0 if own == 1 else len(self.batch_shape) - own
        return x.reshape(x.shape[:-1] + (1,) * more + x.shape[-1:] + (1,) * self._event_ndims)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
