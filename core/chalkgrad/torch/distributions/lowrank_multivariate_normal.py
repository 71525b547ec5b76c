"""The normal distribution of vectors whose covariance is a diagonal and little more."""

from __future__ import annotations

import math
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.multivariate_normal import NormalVectors, mahalanobis, times_vectors
from chalkgrad.torch.distributions.utils import lazy_property, standard_normal

__all__ = ["LowRankMultivariateNormal"]


def _with_ones(matrices: Tensor) -> Tensor:
    """Matrices to whose diagonals 1 is added."""
    size = matrices.size(-1)
    made = matrices.contiguous()
    made.view(-1, size * size)[:, :: size + 1] += 1
    return made


def log_det(diagonal: Tensor, capacitance: Tensor) -> Tensor:
    """The logarithm of the covariance's determinant, by the lemma of matrix determinants."""
    return 2 * capacitance.diagonal(dim1=-2, dim2=-1).log().sum(-1) + diagonal.log().sum(-1)


def low_rank_mahalanobis(factor: Tensor, diagonal: Tensor, x: Tensor, capacitance: Tensor) -> Tensor:
    """Squares of lengths in deviations, by Woodbury's formula."""
    along = times_vectors(factor.mT / diagonal.unsqueeze(-2), x)
    first = (x.pow(2) / diagonal).sum(-1)
    return first - mahalanobis(capacitance, along)


class LowRankMultivariateNormal(NormalVectors):
    """The normal distribution with mean ``loc`` and covariance ``cov_factor @ cov_factor.T + diag(cov_diag)``."""

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }

    def __init__(self, loc: Tensor, cov_factor: Tensor, cov_diag: Tensor, validate_args: bool | None = None) -> None:
        _check_parameters(loc, cov_factor, cov_diag)
        try:
            mean, self.cov_factor, diagonal = torch.broadcast_tensors(
                loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1)
            )
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from error
        self.loc, self.cov_diag = mean[..., 0], diagonal[..., 0]
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        scaled = cov_factor.mT / cov_diag.unsqueeze(-2)
        self._capacitance_tril = torch.linalg.cholesky(_with_ones(torch.matmul(scaled, cov_factor)))
        super().__init__(self.loc.shape[:-1], loc.shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._expanded(
            LowRankMultivariateNormal, _instance, batch_shape, "loc", "cov_diag", event=self._event_shape
        )
        new.cov_factor = self.cov_factor.expand((*batch_shape, *self.cov_factor.shape[-2:]))
        for name in ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril"):
            setattr(new, name, getattr(self, name))
        return new

    @lazy_property
    def variance(self) -> Tensor:
        """The diagonal of the covariance."""
        squares = self._unbroadcasted_cov_factor.pow(2).sum(-1)
        return (squares + self._unbroadcasted_cov_diag).expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower factor of the covariance."""
        deviations = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / deviations
        inner = _with_ones(torch.matmul(scaled, scaled.mT))
        return self._in_batch(deviations * torch.linalg.cholesky(inner))

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        factor = self._unbroadcasted_cov_factor
        return self._in_batch(torch.matmul(factor, factor.mT) + torch.diag_embed(self._unbroadcasted_cov_diag))

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """Its inverse."""
        scaled = self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)
        part = torch.linalg.solve_triangular(self._capacitance_tril, scaled, upper=False)
        return self._in_batch(torch.diag_embed(self._unbroadcasted_cov_diag.reciprocal()) - part.mT @ part)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        along = standard_normal(Size((*shape[:-1], self.cov_factor.shape[-1])), self.loc)
        beside = standard_normal(shape, self.loc)
        moved = self.loc + times_vectors(self._unbroadcasted_cov_factor, along)
        return moved + self._unbroadcasted_cov_diag.sqrt() * beside

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        factor, diagonal, capacitance = self._parts()
        squares = low_rank_mahalanobis(factor, diagonal, value - self.loc, capacitance)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + log_det(diagonal, capacitance) + squares)

    def entropy(self) -> Tensor:
        _, diagonal, capacitance = self._parts()
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + log_det(diagonal, capacitance))
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy

    def _parts(self) -> tuple[Tensor, Tensor, Tensor]:
        return self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag, self._capacitance_tril


def _check_parameters(loc: Tensor, cov_factor: Tensor, cov_diag: Tensor) -> None:
    if loc.dim() < 1:
        raise ValueError("loc must be at least one-dimensional.")
    shape = loc.shape[-1:]
    if cov_factor.dim() < 2:
        raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
    if cov_factor.shape[-2:-1] != shape:
        raise ValueError(f"cov_factor must be a batch of matrices with shape {shape[0]} x m")
    if cov_diag.shape[-1:] != shape:
        raise ValueError(f"cov_diag must be a batch of vectors with shape {shape}")
