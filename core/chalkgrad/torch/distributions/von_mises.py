"""Von Mises's distribution of angles."""

from __future__ import annotations

import math
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.distribution import Distribution
from chalkgrad.torch.distributions.utils import lazy_property

__all__ = ["VonMises"]


def _log_bessel(x: Tensor, order: int) -> Tensor:
    """The logarithm of a modified Bessel function."""
    scaled = torch.special.i0e(x) if order == 0 else torch.special.i1e(x)
    return scaled.log() + x


class VonMises(Distribution):
    """Angles around ``loc``, the nearer the larger ``concentration`` is."""

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    loc: Tensor
    concentration: Tensor

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self._set(validate_args, loc=loc, concentration=concentration)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        shape = Size(batch_shape)
        parameters = self.loc.expand(shape), self.concentration.expand(shape)
        return type(self)(*parameters, validate_args=self.__dict__.get("_validate_args"))

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        """Of the angle on the circle: 1 less the length of the mean of unit vectors."""
        return 1 - (_log_bessel(self.concentration, 1) - _log_bessel(self.concentration, 0)).exp()

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        log_prob = self.concentration * torch.cos(value - self.loc)
        return log_prob - math.log(2 * math.pi) - _log_bessel(self.concentration, 0)

    @lazy_property
    def _proposal_r(self) -> Tensor:
        """The parameter of the wrapped Cauchy distribution that angles are proposed from (Best and Fisher, 1979)."""
        kappa = self.concentration.to(torch.float64)
        tau = 1 + (1 + 4 * kappa**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
        return torch.where(kappa < 1e-5, 1 / kappa + kappa, (1 + rho**2) / (2 * rho))

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            loc, kappa = self.loc.to(torch.float64), self.concentration.to(torch.float64)
            turned = self._turned(kappa, torch.empty(shape, dtype=torch.float64))
            return ((turned + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)

    def _turned(self, kappa: Tensor, x: Tensor) -> Tensor:
        """How far from ``loc``; those refused are drawn again with all others, until none is."""
        done = torch.zeros(x.shape, dtype=torch.bool)
        while not done.all():
            first, second, third = torch.rand((3, *x.shape), dtype=x.dtype).unbind()
            z = torch.cos(math.pi * first)
            cosine = (1 + self._proposal_r * z) / (self._proposal_r + z)
            c = kappa * (self._proposal_r - cosine)
            kept = (c * (2 - c) - second > 0) | ((c / second).log() + 1 - c >= 0)
            if kept.any():
                x = torch.where(kept, (third - 0.5).sign() * cosine.acos(), x)
                done = done | kept
        return x
