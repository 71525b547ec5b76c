"""Transforms of vectors into shares of 1, and into factors of matrices."""

from __future__ import annotations

import math
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.transform import OneKind, Transform
from chalkgrad.torch.distributions.utils import tril_matrix_to_vec, vec_to_tril_matrix


def clipped_sigmoid(x: Tensor) -> Tensor:
    """The logistic function, neither 0 nor 1."""
    finfo = torch.finfo(x.dtype)
    return torch.clamp(torch.sigmoid(x), min=finfo.tiny, max=1.0 - finfo.eps)


def _pad(x: Tensor, before: int, after: int) -> Tensor:
    return torch.nn.functional.pad(x, [before, after], value=1)


def _check_dimensions(shape: Any, count: int = 1) -> None:
    if len(shape) < count:
        raise ValueError("Too few dimensions on input")


class SoftmaxTransform(OneKind):
    """Shares that are proportional to e to the power of the values."""

    domain = constraints.real_vector
    codomain = constraints.simplex

    def _call(self, x: Tensor) -> Tensor:
        parts: Tensor = (x - x.max(-1, True)[0]).exp()
        return parts / parts.sum(-1, True)

    def _inverse(self, y: Tensor) -> Tensor:
        return y.log()

    def forward_shape(self, shape: Any) -> Any:
        _check_dimensions(shape)
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        _check_dimensions(shape)
        return shape


class StickBreakingTransform(OneKind):
    """Shares that are broken off a stick, one after the other; there is one more than there are values."""

    domain = constraints.real_vector
    codomain = constraints.simplex
    bijective = True

    def _call(self, x: Tensor) -> Tensor:
        offset = x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)
        broken = clipped_sigmoid(x - offset.log())
        left = (1 - broken).cumprod(-1)
        return _pad(broken, 0, 1) * _pad(left, 1, 0)

    def _inverse(self, y: Tensor) -> Tensor:
        shares = y[..., :-1]
        offset = y.shape[-1] - y.new_ones(shares.shape[-1]).cumsum(-1)
        left = torch.clamp(1 - shares.cumsum(-1), min=torch.finfo(y.dtype).tiny)
        return shares.log() - left.log() + offset.log()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        offset = x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)
        x = x - offset.log()
        return (-x + torch.nn.functional.logsigmoid(x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        _check_dimensions(shape)
        return Size((*shape[:-1], shape[-1] + 1))

    def inverse_shape(self, shape: Any) -> Any:
        _check_dimensions(shape)
        return Size((*shape[:-1], shape[-1] - 1))


class CorrCholeskyTransform(Transform):
    """Factors of correlations, of the values below their diagonal."""

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Tensor) -> Tensor:
        x = torch.tanh(x)
        eps = torch.finfo(x.dtype).eps
        rows = vec_to_tril_matrix(x.clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - rows**2).sqrt().cumprod(-1)
        rows = rows + torch.eye(rows.shape[-1], dtype=rows.dtype)
        return rows * _pad(left[..., :-1], 1, 0)

    def _inverse(self, y: Tensor) -> Tensor:
        left = _pad((1 - torch.cumsum(y * y, dim=-1))[..., :-1], 1, 0)
        values = tril_matrix_to_vec(y, diag=-1)
        t = values / tril_matrix_to_vec(left, diag=-1).sqrt()
        return (t.log1p() - t.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        left = tril_matrix_to_vec(1 - (y * y).cumsum(dim=-1), diag=-2)
        breaking = 0.5 * left.log().sum(-1)
        bending: Tensor = -2 * (x + torch.nn.functional.softplus(-2 * x) - math.log(2.0)).sum(dim=-1)
        return breaking + bending

    def forward_shape(self, shape: Any) -> Any:
        _check_dimensions(shape)
        size = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != shape[-1]:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return Size((*shape[:-1], size, size))

    def inverse_shape(self, shape: Any) -> Any:
        _check_dimensions(shape, 2)
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return Size((*shape[:-2], shape[-1] * (shape[-1] - 1) // 2))


class LowerCholeskyTransform(OneKind):
    """Lower triangles whose diagonals are made positive."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.lower_cholesky

    def _call(self, x: Tensor) -> Tensor:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Tensor) -> Tensor:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(OneKind):
    """Positive definite matrices that have these factors."""

    domain = constraints.independent(constraints.real, 2)
    codomain = constraints.positive_definite

    def _call(self, x: Tensor) -> Tensor:
        factors = LowerCholeskyTransform()(x)
        return factors @ factors.mT

    def _inverse(self, y: Tensor) -> Tensor:
        return LowerCholeskyTransform().inv(torch.linalg.cholesky(y))


for _class in (
    SoftmaxTransform,
    StickBreakingTransform,
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
):
    _class.__module__ = "torch.distributions.transforms"
