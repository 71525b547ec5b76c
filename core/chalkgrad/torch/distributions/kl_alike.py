"""How far distributions of the same kind are from each other."""

from __future__ import annotations

import math
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions.bernoulli import Bernoulli
from chalkgrad.torch.distributions.beta import Beta
from chalkgrad.torch.distributions.binomial import Binomial
from chalkgrad.torch.distributions.categorical import Categorical
from chalkgrad.torch.distributions.cauchy import Cauchy
from chalkgrad.torch.distributions.continuous_bernoulli import ContinuousBernoulli
from chalkgrad.torch.distributions.dirichlet import Dirichlet
from chalkgrad.torch.distributions.exp_family import ExponentialFamily
from chalkgrad.torch.distributions.exponential import Exponential
from chalkgrad.torch.distributions.gamma import Gamma
from chalkgrad.torch.distributions.geometric import Geometric
from chalkgrad.torch.distributions.gumbel import Gumbel
from chalkgrad.torch.distributions.half_normal import HalfNormal
from chalkgrad.torch.distributions.independent import Independent
from chalkgrad.torch.distributions.kl import kl_divergence, register_kl
from chalkgrad.torch.distributions.laplace import Laplace
from chalkgrad.torch.distributions.multivariate_normal import (
    MultivariateNormal,
    half_log_det,
    mahalanobis,
    squares,
)
from chalkgrad.torch.distributions.normal import Normal
from chalkgrad.torch.distributions.one_hot_categorical import OneHotCategorical
from chalkgrad.torch.distributions.pareto import Pareto
from chalkgrad.torch.distributions.poisson import Poisson
from chalkgrad.torch.distributions.transformed_distribution import TransformedDistribution
from chalkgrad.torch.distributions.uniform import Uniform
from chalkgrad.torch.distributions.utils import euler_constant, sum_rightmost

# Classes


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Bernoulli, q: Bernoulli) -> Tensor:
    softplus = torch.nn.functional.softplus
    ones = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    ones[q.probs == 0] = math.inf
    ones[p.probs == 0] = 0
    zeros = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    zeros[q.probs == 1] = math.inf
    zeros[p.probs == 1] = 0
    return ones + zeros


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: ContinuousBernoulli, q: ContinuousBernoulli) -> Tensor:
    first = p.mean * (p.logits - q.logits)
    ours = p._cont_bern_log_norm() + torch.log1p(-p.probs)
    theirs = -q._cont_bern_log_norm() - torch.log1p(-q.probs)
    return first + ours + theirs


@register_kl(Categorical, Categorical)
def _categorical(p: Categorical, q: Categorical) -> Tensor:
    parts: Tensor = p.probs * (p.logits - q.logits)
    parts[(q.probs == 0).expand_as(parts)] = math.inf
    parts[(p.probs == 0).expand_as(parts)] = 0
    return parts.sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p: OneHotCategorical, q: OneHotCategorical) -> Tensor:
    return _categorical(p._categorical, q._categorical)


# Counts


@register_kl(Binomial, Binomial)
def _binomial(p: Binomial, q: Binomial) -> Tensor:
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    kl: Tensor = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    more = p.total_count > q.total_count
    kl[more] = torch.full_like(kl[more], math.inf)
    return kl


@register_kl(Geometric, Geometric)
def _geometric(p: Geometric, q: Geometric) -> Tensor:
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(Poisson, Poisson)
def _poisson(p: Poisson, q: Poisson) -> Tensor:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


# Shares


@register_kl(Beta, Beta)
def _beta(p: Beta, q: Beta) -> Tensor:
    total_p, total_q = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    theirs = q.concentration1.lgamma() + q.concentration0.lgamma() + total_p.lgamma()
    ours = p.concentration1.lgamma() + p.concentration0.lgamma() + total_q.lgamma()
    first = (p.concentration1 - q.concentration1) * torch.digamma(p.concentration1)
    other = (p.concentration0 - q.concentration0) * torch.digamma(p.concentration0)
    together = (total_q - total_p) * torch.digamma(total_p)
    return theirs - ours + first + other + together


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Dirichlet, q: Dirichlet) -> Tensor:
    total_p, total_q = p.concentration.sum(-1), q.concentration.sum(-1)
    totals = total_p.lgamma() - total_q.lgamma()
    parts = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    away = p.concentration - q.concentration
    slopes = p.concentration.digamma() - total_p.digamma().unsqueeze(-1)
    return totals - parts + (away * slopes).sum(-1)


# Sizes


@register_kl(Exponential, Exponential)
def _exponential(p: Exponential, q: Exponential) -> Tensor:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def _gamma(p: Gamma, q: Gamma) -> Tensor:
    rates = q.concentration * (p.rate / q.rate).log()
    shapes = torch.lgamma(q.concentration) - torch.lgamma(p.concentration)
    slope = (p.concentration - q.concentration) * torch.digamma(p.concentration)
    return rates + shapes + slope + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Pareto, Pareto)
def _pareto(p: Pareto, q: Pareto) -> Tensor:
    scales, powers = p.scale / q.scale, q.alpha / p.alpha
    first = q.alpha * scales.log()
    result = first + -powers.log() + powers - 1
    result[p.support.lower_bound < q.support.lower_bound] = math.inf
    return result


@register_kl(Uniform, Uniform)
def _uniform(p: Uniform, q: Uniform) -> Tensor:
    result = ((q.high - q.low) / (p.high - p.low)).log()
    result[(q.low > p.low) | (q.high < p.high)] = math.inf
    return result


# Around a place


@register_kl(Normal, Normal)
def _normal(p: Normal, q: Normal) -> Tensor:
    var_ratio = (p.scale / q.scale).pow(2)
    away = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (var_ratio + away - 1 - var_ratio.log())


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p: HalfNormal, q: HalfNormal) -> Tensor:
    return _normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _laplace(p: Laplace, q: Laplace) -> Tensor:
    ratio, away = p.scale / q.scale, (p.loc - q.loc).abs()
    first = -ratio.log()
    second = away / q.scale
    return first + second + ratio * torch.exp(-away / p.scale) - 1


@register_kl(Gumbel, Gumbel)
def _gumbel(p: Gumbel, q: Gumbel) -> Tensor:
    ratio = p.scale / q.scale
    theirs = q.loc / q.scale
    ours = p.loc / q.scale
    first = -ratio.log() - theirs + ours
    second = ratio * euler_constant
    third = torch.exp(theirs + (1 + ratio).lgamma() - ours)
    return first + second + third - (1 + euler_constant)


@register_kl(Cauchy, Cauchy)
def _cauchy(p: Cauchy, q: Cauchy) -> Tensor:
    first = ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log()
    return first - (4 * p.scale * q.scale).log()


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p: MultivariateNormal, q: MultivariateNormal) -> Tensor:
    if p.event_shape != q.event_shape:
        gap = " " * 26  # PyTorch's sentence is broken in the middle of its text
        raise ValueError(
            f"KL-divergence between two Multivariate Normals with{gap}different event shapes cannot be computed"
        )
    ours, theirs = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    determinants = half_log_det(theirs) - half_log_det(ours)
    batch = torch.broadcast_shapes(theirs.shape[:-2], ours.shape[:-2])
    count = p.event_shape[0]
    wide = [factor.expand((*batch, count, count)) for factor in (theirs, ours)]
    ratio = torch.linalg.solve_triangular(*wide, upper=False)
    trace = squares(ratio)
    away = mahalanobis(theirs, q.loc - p.loc)
    return determinants + 0.5 * (trace + away - count)


# Of others


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p: ExponentialFamily, q: ExponentialFamily) -> Tensor:
    if type(p) is not type(q):
        gap = " " * 29
        raise NotImplementedError(
            f"The cross KL-divergence between different exponential families cannot{gap}be computed using Bregman "
            "divergences"
        )
    ours = [parameter.detach().requires_grad_() for parameter in p._natural_params]
    theirs = q._natural_params
    normalizer = p._log_normalizer(*ours)
    gradients: Any = torch.autograd.grad(normalizer.sum(), ours, create_graph=True)
    result = q._log_normalizer(*theirs) - normalizer
    for our, their, gradient in zip(ours, theirs, gradients, strict=True):
        result -= sum_rightmost((their - our) * gradient, len(q.event_shape))
    return result


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: TransformedDistribution, q: TransformedDistribution) -> Tensor:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Independent, Independent)
def _independent(p: Independent, q: Independent) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)
