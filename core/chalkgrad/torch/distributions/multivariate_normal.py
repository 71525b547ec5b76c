"""The normal distribution of vectors."""

from __future__ import annotations

import math
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.distribution import Distribution
from chalkgrad.torch.distributions.utils import lazy_property, standard_normal

__all__ = ["MultivariateNormal"]

_MATRICES = ("covariance_matrix", "precision_matrix", "scale_tril")


def times_vectors(matrices: Tensor, vectors: Tensor) -> Tensor:
    """The products of matrices and vectors."""
    return torch.matmul(matrices, vectors.unsqueeze(-1)).squeeze(-1)


def mahalanobis(factors: Tensor, x: Tensor) -> Tensor:
    """The squares of the lengths of vectors, measured in the deviations of the factors of covariances.

    Vectors may have more batch dimensions than the factors, and be longer along those of both; those that go with one
    factor are solved for together.
    """
    count, batch = x.size(-1), x.shape[:-1]
    own = factors.dim() - 2
    outer = len(batch) - own
    shape = list(x.shape[:outer])
    for wide, long in zip(factors.shape[:-2], x.shape[outer:-1], strict=False):
        shape += [long // wide, wide]
    x = x.reshape((*shape, count))
    places = [*range(outer), *range(outer, outer + 2 * own, 2), *range(outer + 1, outer + 2 * own, 2), outer + 2 * own]
    x = x.permute(places)
    flat = factors.reshape(-1, count, count)
    columns = x.reshape(-1, flat.size(0), count).permute(1, 2, 0)
    squares = torch.linalg.solve_triangular(flat, columns, upper=False).pow(2).sum(-2).t()
    back = list(range(outer))
    for place in range(own):
        back += [outer + place, len(batch) + place]
    return squares.reshape(x.shape[:-1]).permute(back).reshape(batch)


def half_log_det(factors: Tensor) -> Tensor:
    """Half the logarithm of the determinants of the matrices that have these factors."""
    return factors.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def squares(matrices: Tensor) -> Tensor:
    """The sums of the squares of matrices."""
    rows, columns = matrices.shape[-2:]
    return matrices.reshape(-1, rows * columns).pow(2).sum(-1).reshape(matrices.shape[:-2])


def _factor_of_inverse(precision: Tensor) -> Tensor:
    """The lower factor of the inverse of a matrix."""
    turned = torch.linalg.cholesky(torch.flip(precision, (-2, -1)))
    upper = torch.transpose(torch.flip(turned, (-2, -1)), -2, -1)
    one = torch.eye(precision.shape[-1], dtype=precision.dtype)
    return torch.linalg.solve_triangular(upper, one, upper=False)


class NormalVectors(Distribution):
    """What normal distributions of vectors have in common, whichever way their covariance is given."""

    support = constraints.real_vector
    has_rsample = True

    loc: Tensor

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    def _in_batch(self, matrices: Tensor) -> Tensor:
        return matrices.expand(self._batch_shape + self._event_shape + self._event_shape)


class MultivariateNormal(NormalVectors):
    """The normal distribution with mean ``loc``, its covariance given by one of three matrices."""

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = dict(zip(_MATRICES, (covariance_matrix, precision_matrix, scale_tril), strict=True))
        named = [(name, matrix) for name, matrix in matrices.items() if matrix is not None]
        if len(named) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        name, matrix = named[0]
        if matrix.dim() < 2:
            what = f"{name} matrix" if name == "scale_tril" else name
            raise ValueError(f"{what} must be at least two-dimensional, with optional leading batch dimensions")
        batch = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand((*batch, -1, -1)))
        self.loc = loc.expand((*batch, -1))
        super().__init__(batch, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = _factor(name, matrix)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        event = self._event_shape
        new = self._expanded(MultivariateNormal, _instance, batch_shape, "loc", event=event)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril
        for name in _MATRICES:
            if name in self.__dict__:
                setattr(new, name, self.__dict__[name].expand(Size(batch_shape) + event + event))
        return new

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower factor of the covariance."""
        return self._in_batch(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        return self._in_batch(torch.matmul(self._unbroadcasted_scale_tril, self._unbroadcasted_scale_tril.mT))

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        return self._in_batch(torch.cholesky_inverse(self._unbroadcasted_scale_tril))

    @property
    def variance(self) -> Tensor:
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        drawn = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + times_vectors(self._unbroadcasted_scale_tril, drawn)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        squares = mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        half = half_log_det(self._unbroadcasted_scale_tril)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + squares) - half

    def entropy(self) -> Tensor:
        half = half_log_det(self._unbroadcasted_scale_tril)
        entropy = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + half
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy


def _factor(name: str, matrix: Tensor) -> Tensor:
    """The lower factor of the covariance that is given as ``name``."""
    if name == "scale_tril":
        return matrix
    return torch.linalg.cholesky(matrix) if name == "covariance_matrix" else _factor_of_inverse(matrix)
