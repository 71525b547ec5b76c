"""How far normal distributions of vectors are from each other where the covariance of one is of low rank."""

from __future__ import annotations

from chalkgrad import torch
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions.kl import register_kl
from chalkgrad.torch.distributions.lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
    log_det,
    low_rank_mahalanobis,
)
from chalkgrad.torch.distributions.multivariate_normal import MultivariateNormal, half_log_det, mahalanobis, squares


def _check(p: MultivariateNormal | LowRankMultivariateNormal, q: object, kind: str) -> None:
    if p.event_shape != q.event_shape:  # type: ignore[attr-defined]
        gap = " " * 26  # PyTorch's sentence is broken in the middle of its text
        raise ValueError(
            f"KL-divergence between two {kind} Multivariate Normals with{gap}different event shapes cannot be computed"
        )


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _low_low(p: LowRankMultivariateNormal, q: LowRankMultivariateNormal) -> Tensor:
    _check(p, q, "Low Rank")
    (our_factor, ours, our_capacitance), (factor, diagonal, capacitance) = p._parts(), q._parts()
    determinants = log_det(diagonal, capacitance) - log_det(ours, our_capacitance)
    away = low_rank_mahalanobis(factor, diagonal, q.loc - p.loc, capacitance)
    scaled = torch.linalg.solve_triangular(capacitance, factor.mT / diagonal.unsqueeze(-2), upper=False)
    first = (ours / diagonal).sum(-1)
    second = squares(our_factor * diagonal.rsqrt().unsqueeze(-1))
    third = squares(scaled * ours.sqrt().unsqueeze(-2))
    fourth = squares(scaled.matmul(our_factor))
    return 0.5 * (determinants + (first + second - third - fourth) + away - p.event_shape[0])


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _full_low(p: MultivariateNormal, q: LowRankMultivariateNormal) -> Tensor:
    _check(p, q, "(Low Rank)")
    ours, (factor, diagonal, capacitance) = p._unbroadcasted_scale_tril, q._parts()
    determinants = log_det(diagonal, capacitance) - 2 * half_log_det(ours)
    away = low_rank_mahalanobis(factor, diagonal, q.loc - p.loc, capacitance)
    scaled = torch.linalg.solve_triangular(capacitance, factor.mT / diagonal.unsqueeze(-2), upper=False)
    trace = squares(ours * diagonal.rsqrt().unsqueeze(-1)) - squares(scaled.matmul(ours))
    return 0.5 * (determinants + trace + away - p.event_shape[0])


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _low_full(p: LowRankMultivariateNormal, q: MultivariateNormal) -> Tensor:
    _check(p, q, "(Low Rank)")
    (our_factor, ours, our_capacitance), theirs = p._parts(), q._unbroadcasted_scale_tril
    determinants = 2 * half_log_det(theirs) - log_det(ours, our_capacitance)
    away = mahalanobis(theirs, q.loc - p.loc)
    batch = torch.broadcast_shapes(theirs.shape[:-2], our_factor.shape[:-2])
    size = p.event_shape[0]
    theirs = theirs.expand((*batch, size, size))
    wide = our_factor.expand((*batch, size, our_factor.shape[-1]))
    deviations = torch.diag_embed(ours.sqrt()).expand((*batch, size, size))
    first = squares(torch.linalg.solve_triangular(theirs, wide, upper=False))
    second = squares(torch.linalg.solve_triangular(theirs, deviations, upper=False))
    return 0.5 * (determinants + (first + second) + away - size)
