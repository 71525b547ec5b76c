"""How far distributions of different kinds are from each other."""

from __future__ import annotations

import math
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions.bernoulli import Bernoulli
from chalkgrad.torch.distributions.beta import Beta
from chalkgrad.torch.distributions.binomial import Binomial
from chalkgrad.torch.distributions.exponential import Exponential
from chalkgrad.torch.distributions.gamma import Gamma
from chalkgrad.torch.distributions.gumbel import Gumbel
from chalkgrad.torch.distributions.kl import register_kl
from chalkgrad.torch.distributions.laplace import Laplace
from chalkgrad.torch.distributions.normal import Normal
from chalkgrad.torch.distributions.pareto import Pareto
from chalkgrad.torch.distributions.poisson import Poisson
from chalkgrad.torch.distributions.uniform import Uniform
from chalkgrad.torch.distributions.utils import euler_constant

# Values that the second distribution never gives


def _infinite(p: Any, q: Any) -> Tensor:
    first = next(value for value in (getattr(p, name, None) for name in p.arg_constraints) if value is not None)
    return torch.full_like(first, math.inf)


for _class, _others in (
    (Beta, (Pareto,)),
    (Exponential, (Beta, Pareto, Uniform)),
    (Gamma, (Beta, Pareto, Uniform)),
    (Gumbel, (Beta, Exponential, Gamma, Pareto, Uniform)),
    (Laplace, (Beta, Exponential, Gamma, Pareto, Uniform)),
    (Normal, (Beta, Exponential, Gamma, Pareto, Uniform)),
    (Pareto, (Beta, Uniform)),
    (Poisson, (Bernoulli, Binomial)),
):
    for _other in _others:
        register_kl(_class, _other)(_infinite)


def _x_log_x(x: Tensor) -> Tensor:
    return torch.special.xlogy(x, x)


def _log_mean(q: Gamma) -> Tensor:
    """What normalises a gamma distribution, as a logarithm."""
    return q.concentration.lgamma() - q.concentration * q.rate.log()


# Of counts and shares


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p: Bernoulli, q: Poisson) -> Tensor:
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Beta, Exponential)
def _beta_exponential(p: Beta, q: Exponential) -> Tensor:
    share = p.concentration1 / (p.concentration1 + p.concentration0)
    return -p.entropy() - q.rate.log() + q.rate * share


@register_kl(Beta, Gamma)
def _beta_gamma(p: Beta, q: Gamma) -> Tensor:
    entropy, normalizer = -p.entropy(), _log_mean(q)
    total = p.concentration1 + p.concentration0
    slope = (q.concentration - 1) * (p.concentration1.digamma() - total.digamma())
    return entropy + normalizer - slope + q.rate * p.concentration1 / total


@register_kl(Beta, Normal)
def _beta_normal(p: Beta, q: Normal) -> Tensor:
    total = p.concentration1 + p.concentration0
    share, variance = p.concentration1 / total, q.scale.pow(2)
    squares = (share * (1 - share) / (total + 1) + share.pow(2)) * 0.5
    away = squares - q.loc * share + q.loc.pow(2) * 0.5
    return -p.entropy() + 0.5 * (variance * 2 * math.pi).log() + away / variance


@register_kl(Beta, Uniform)
def _beta_uniform(p: Beta, q: Uniform) -> Tensor:
    result = -p.entropy() + (q.high - q.low).log()
    result[(q.low > p.support.lower_bound) | (q.high < p.support.upper_bound)] = math.inf
    return result


# Of waiting times


@register_kl(Exponential, Gamma)
def _exponential_gamma(p: Exponential, q: Gamma) -> Tensor:
    ratio = q.rate / p.rate
    first: Tensor = -q.concentration * torch.log(ratio)
    return first + ratio + q.concentration.lgamma() + q.concentration * euler_constant - (1 + euler_constant)


@register_kl(Exponential, Gumbel)
def _exponential_gumbel(p: Exponential, q: Gumbel) -> Tensor:
    product, place = p.rate * q.scale, q.loc / q.scale
    tail = torch.exp(place) * product / (product + 1)
    return product.log() - 1 - place + tail + product.reciprocal()


@register_kl(Exponential, Normal)
def _exponential_normal(p: Exponential, q: Normal) -> Tensor:
    variance, square = q.scale.pow(2), p.rate.pow(2)
    first = 0.5 * torch.log(square * variance * 2 * math.pi)
    away = square.reciprocal() - q.loc / p.rate + q.loc.pow(2) * 0.5
    return first - 1 + away / variance


@register_kl(Gamma, Exponential)
def _gamma_exponential(p: Gamma, q: Exponential) -> Tensor:
    return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate


@register_kl(Gamma, Gumbel)
def _gamma_gumbel(p: Gamma, q: Gumbel) -> Tensor:
    product, place = p.rate * q.scale, q.loc / q.scale
    first = (p.concentration - 1) * p.concentration.digamma() - p.concentration.lgamma() - p.concentration
    second = product.log() + p.concentration / product
    tail = torch.exp(place) * (1 + product.reciprocal()).pow(-p.concentration) - place
    return first + second + tail


@register_kl(Gamma, Normal)
def _gamma_normal(p: Gamma, q: Normal) -> Tensor:
    variance, square = q.scale.pow(2), p.rate.pow(2)
    first = 0.5 * torch.log(square * variance * 2 * math.pi) - p.concentration - p.concentration.lgamma()
    away = 0.5 * (p.concentration.pow(2) + p.concentration) / square
    away = away - q.loc * p.concentration / p.rate + 0.5 * q.loc.pow(2)
    return first + (p.concentration - 1) * p.concentration.digamma() + away / variance


@register_kl(Pareto, Exponential)
def _pareto_exponential(p: Pareto, q: Exponential) -> Tensor:
    product = p.scale * q.rate
    mean = p.alpha * product / (p.alpha - 1)
    result = (p.alpha / product).log() - p.alpha.reciprocal() + mean - 1
    result[p.alpha <= 1] = math.inf
    return result


@register_kl(Pareto, Gamma)
def _pareto_gamma(p: Pareto, q: Gamma) -> Tensor:
    logarithm = p.scale.log() + p.alpha.reciprocal()
    mean = q.rate * p.alpha * p.scale / (p.alpha - 1)
    result = p.alpha.log() - logarithm + _log_mean(q) + (1 - q.concentration) * logarithm + mean - 1
    result[p.alpha <= 1] = math.inf
    return result


@register_kl(Pareto, Normal)
def _pareto_normal(p: Pareto, q: Normal) -> Tensor:
    part = p.scale / (p.alpha - 1)
    first = (math.sqrt(2 * math.pi) * q.scale * p.alpha / p.scale).log()
    away = p.alpha * part.pow(2) / (p.alpha - 2) + (p.alpha * part - q.loc).pow(2)
    result: Tensor = first - p.alpha.reciprocal() + away / (2 * q.scale.pow(2)) - 1
    result[p.alpha <= 2] = math.inf
    return result


# Around a place


@register_kl(Gumbel, Normal)
def _gumbel_normal(p: Gumbel, q: Normal) -> Tensor:
    ratio = p.scale / q.scale
    first = (ratio / math.sqrt(2 * math.pi)).log()
    spread = (math.pi * ratio * 0.5).pow(2) / 3
    away = ((p.loc + p.scale * euler_constant - q.loc) / q.scale).pow(2) * 0.5
    return -first + spread + away - (euler_constant + 1)


@register_kl(Laplace, Normal)
def _laplace_normal(p: Laplace, q: Normal) -> Tensor:
    variance = q.scale.pow(2)
    ratio = p.scale.pow(2) / variance
    first = 0.5 * torch.log(2 * ratio / math.pi)
    away = 0.5 * p.loc.pow(2) - p.loc * q.loc + 0.5 * q.loc.pow(2)
    return -first + ratio + away / variance - 1


@register_kl(Normal, Gumbel)
def _normal_gumbel(p: Normal, q: Gumbel) -> Tensor:
    ours, theirs, ratio = p.loc / q.scale, q.loc / q.scale, (p.scale / q.scale).pow(2)
    tail = torch.exp(-ours + 0.5 * ratio + theirs)
    return -(ratio.log() * 0.5) + (ours - theirs) + tail - 0.5 * (1 + math.log(2 * math.pi))


@register_kl(Normal, Laplace)
def _normal_laplace(p: Normal, q: Laplace) -> Tensor:
    away, ratio = p.loc - q.loc, p.scale / q.scale
    steps = away / p.scale
    spread = math.sqrt(2 / math.pi) * p.scale * torch.exp(-0.5 * steps.pow(2))
    moved = away * torch.erf(math.sqrt(0.5) * steps)
    return -torch.log(ratio) + (spread + moved) / q.scale - 0.5 * (1 + math.log(0.5 * math.pi))


# Of an interval


@register_kl(Uniform, Beta)
def _uniform_beta(p: Uniform, q: Beta) -> Tensor:
    length = p.high - p.low
    first = (q.concentration1 - 1) * (_x_log_x(p.high) - _x_log_x(p.low) - length) / length
    other = (q.concentration0 - 1) * (_x_log_x(1 - p.high) - _x_log_x(1 - p.low) + length) / length
    total = (q.concentration1 + q.concentration0).lgamma()
    normalizer = q.concentration1.lgamma() + q.concentration0.lgamma() - total
    result = other + normalizer - torch.log(length) - first
    result[(p.high > q.support.upper_bound) | (p.low < q.support.lower_bound)] = math.inf
    return result


@register_kl(Uniform, Exponential)
def _uniform_exponential(p: Uniform, q: Exponential) -> Tensor:
    result = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    result[p.low < q.support.lower_bound] = math.inf
    return result


@register_kl(Uniform, Gamma)
def _uniform_gamma(p: Uniform, q: Gamma) -> Tensor:
    length = p.high - p.low
    logarithm = (1 - q.concentration) * (_x_log_x(p.high) - _x_log_x(p.low) - length) / length
    result = -length.log() + _log_mean(q) + logarithm + q.rate * (p.high + p.low) / 2
    result[p.low < q.support.lower_bound] = math.inf
    return result


@register_kl(Uniform, Gumbel)
def _uniform_gumbel(p: Uniform, q: Gumbel) -> Tensor:
    ratio = q.scale / (p.high - p.low)
    high, low = (p.high - q.loc) / q.scale, (p.low - q.loc) / q.scale
    return ratio.log() + 0.5 * (high + low) - ratio * (torch.exp(-high) - torch.exp(-low))


@register_kl(Uniform, Normal)
def _uniform_normal(p: Uniform, q: Normal) -> Tensor:
    length = p.high - p.low
    first = (math.sqrt(math.pi * 2) * q.scale / length).log()
    spread, away = length.pow(2) / 12, ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return first + 0.5 * (spread + away) / q.scale.pow(2)


@register_kl(Uniform, Pareto)
def _uniform_pareto(p: Uniform, q: Pareto) -> Tensor:
    length = p.high - p.low
    first = (q.alpha * q.scale.pow(q.alpha) * length).log()
    logarithm = (_x_log_x(p.high) - _x_log_x(p.low) - length) / length
    result = logarithm * (q.alpha + 1) - first
    result[p.low < q.support.lower_bound] = math.inf
    return result
