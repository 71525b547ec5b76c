"""Distributions of functions of random values."""

from __future__ import annotations

from typing import Any

from chalkgrad import torch
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.distribution import Distribution
from chalkgrad.torch.distributions.independent import Independent
from chalkgrad.torch.distributions.transform import ComposeTransform, Transform
from chalkgrad.torch.distributions.utils import sum_rightmost

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """Values of a distribution to which transforms are applied, one after the other."""

    arg_constraints = {}

    def __init__(self, base_distribution: Any, transforms: Any, validate_args: bool | None = None) -> None:
        self.transforms = _listed(transforms)
        whole = ComposeTransform(self.transforms)
        needed, given = whole.domain.event_dim, len(base_distribution.event_shape)
        shape = whole.forward_shape(_base_shape(base_distribution, needed))
        base = whole.inverse_shape(shape)
        if base != base_distribution.batch_shape + base_distribution.event_shape:
            base_distribution = base_distribution.expand(base[: len(base) - given])
        if needed > given:
            base_distribution = Independent(base_distribution, needed - given)
        self.base_dist = base_distribution
        count = max(whole.codomain.event_dim, given + whole.codomain.event_dim - needed)
        cut = len(shape) - count
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(TransformedDistribution, _instance)
        shape = Size(batch_shape)
        base = ComposeTransform(self.transforms).inverse_shape(shape + self.event_shape)
        new.base_dist = self.base_dist.expand(base[: len(base) - len(self.base_dist.event_shape)])
        new.transforms = self.transforms
        self._finish(new, shape)
        return new

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self.event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    @property
    def has_rsample(self) -> bool:
        return bool(self.base_dist.has_rsample)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with torch.no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self._transformed(self.base_dist.rsample(sample_shape))

    def _transformed(self, x: Tensor) -> Tensor:
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        count = len(self.event_shape)
        log_prob: Any = 0.0
        for transform in reversed(self.transforms):
            before = transform.inv(value)
            count += transform.domain.event_dim - transform.codomain.event_dim
            term = transform.log_abs_det_jacobian(before, value)
            log_prob = log_prob - sum_rightmost(term, count - transform.domain.event_dim)
            value = before
        return log_prob + sum_rightmost(self.base_dist.log_prob(value), count - len(self.base_dist.event_shape))

    def _monotonize_cdf(self, value: Tensor) -> Tensor:
        """The chance of the other side, where the transforms turn the order round."""
        sign: Any = ComposeTransform(self.transforms).sign
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value: Tensor) -> Tensor:
        for transform in self.transforms[::-1]:
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._monotonize_cdf(self.base_dist.cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        return self._transformed(self.base_dist.icdf(self._monotonize_cdf(value)))


def _listed(transforms: Any) -> list[Transform]:
    if isinstance(transforms, Transform):
        return [transforms]
    if not isinstance(transforms, list):
        raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
    if not all(isinstance(transform, Transform) for transform in transforms):
        raise ValueError("transforms must be a Transform or a list of Transforms")
    return transforms


def _base_shape(base: Any, needed: int) -> Size:
    shape: Size = base.batch_shape + base.event_shape
    if len(shape) < needed:
        raise ValueError(f"base_distribution needs to have shape with size at least {needed}, but got {shape}.")
    return shape
