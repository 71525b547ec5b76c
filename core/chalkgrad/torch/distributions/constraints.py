"""``torch.distributions.constraints``: which values a parameter may have, and which a sample."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions.constraint import (
    Constraint,
    MixtureSameFamilyConstraint,
    dependent,
    dependent_property,
    independent,
    is_dependent,
)

__all__ = [
    "Constraint",
    "MixtureSameFamilyConstraint",
    "boolean",
    "cat",
    "corr_cholesky",
    "dependent",
    "dependent_property",
    "greater_than",
    "greater_than_eq",
    "half_open_interval",
    "independent",
    "integer_interval",
    "interval",
    "is_dependent",
    "less_than",
    "lower_cholesky",
    "lower_triangular",
    "multinomial",
    "nonnegative",
    "nonnegative_integer",
    "one_hot",
    "positive",
    "positive_definite",
    "positive_integer",
    "positive_semidefinite",
    "real",
    "real_vector",
    "simplex",
    "square",
    "stack",
    "symmetric",
    "unit_interval",
]


# Numbers


class _Boolean(Constraint):
    """0 and 1."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value == 0) | (value == 1)


class _Real(Constraint):
    """All numbers but nan."""

    def check(self, value: Tensor) -> Tensor:
        return value == value  # nan differs from itself


class _Above(Constraint):
    """Numbers from a bound on."""

    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound
        super().__init__()

    def __repr__(self) -> str:
        return f"{type(self).__name__[1:]}(lower_bound={self.lower_bound})"


class _Below(Constraint):
    """Numbers up to a bound."""

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound
        super().__init__()

    def __repr__(self) -> str:
        return f"{type(self).__name__[1:]}(upper_bound={self.upper_bound})"


class _Between(Constraint):
    """Numbers between two bounds."""

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound, self.upper_bound = lower_bound, upper_bound
        super().__init__()

    def __repr__(self) -> str:
        return f"{type(self).__name__[1:]}(lower_bound={self.lower_bound}, upper_bound={self.upper_bound})"


class _IntegerInterval(_Between):
    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerLessThan(_Below):
    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value % 1 == 0) & (value <= self.upper_bound)


class _IntegerGreaterThan(_Above):
    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value % 1 == 0) & (value >= self.lower_bound)


class _GreaterThan(_Above):
    def check(self, value: Tensor) -> Tensor:
        return self.lower_bound < value


class _GreaterThanEq(_Above):
    def check(self, value: Tensor) -> Tensor:
        return self.lower_bound <= value


class _LessThan(_Below):
    def check(self, value: Tensor) -> Tensor:
        return value < self.upper_bound


class _Interval(_Between):
    def check(self, value: Tensor) -> Tensor:
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Between):
    def check(self, value: Tensor) -> Tensor:
        return (self.lower_bound <= value) & (value < self.upper_bound)


# Vectors


class _OneHot(Constraint):
    """One 1 among zeros."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        return ((value == 0) | (value == 1)).all(-1) & value.sum(-1).eq(1)


class _Simplex(Constraint):
    """Shares of 1."""

    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(_Below):
    """Counts of at most so many together."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)

    def __repr__(self) -> str:
        return Constraint.__repr__(self)


# Matrices


class _Matrices(Constraint):
    event_dim = 2


def _is_lower(value: Tensor) -> Tensor:
    return (value.tril() == value).reshape((*value.shape[:-2], -1)).min(-1)[0]


class _LowerTriangular(_Matrices):
    def check(self, value: Tensor) -> Tensor:
        return _is_lower(value)


class _LowerCholesky(_Matrices):
    def check(self, value: Tensor) -> Tensor:
        lower = _is_lower(value)
        positive: Tensor = (value.diagonal(dim1=-2, dim2=-1) > 0).min(-1)[0]
        return lower & positive


class _CorrCholesky(_LowerCholesky):
    """Factors of correlations, whose rows have length 1."""

    def check(self, value: Tensor) -> Tensor:
        near = torch.finfo(value.dtype).eps * value.size(-1) * 10
        lengths = torch.linalg.norm(value.detach(), dim=-1)
        return super().check(value) & (lengths - 1.0).abs().le(near).all(dim=-1)


class _Square(_Matrices):
    def check(self, value: Tensor) -> Tensor:
        return torch.full(value.shape[:-2], value.shape[-2] == value.shape[-1], dtype=torch.bool)


class _Symmetric(_Square):
    def check(self, value: Tensor) -> Tensor:
        square = super().check(value)
        if not square.all():
            return square
        return torch.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    def check(self, value: Tensor) -> Tensor:
        symmetric = super().check(value)
        if not symmetric.all():
            return symmetric
        return torch.linalg.eigvalsh(value).ge(0).all(-1)


class _PositiveDefinite(_Symmetric):
    def check(self, value: Tensor) -> Tensor:
        symmetric = super().check(value)
        if not symmetric.all():
            return symmetric
        return torch.linalg.cholesky_ex(value).info.eq(0)


# Several sets, one beside the other


def narrowed(value: Tensor, dim: int, lengths: Sequence[int]) -> list[Tensor]:
    """Pieces of these lengths along a dimension; views, each made by itself."""
    starts = itertools.accumulate((0, *lengths[:-1]))
    return [value.narrow(dim, start, length) for start, length in zip(starts, lengths, strict=True)]


class _Several(Constraint):
    """Sets for the parts of a tensor along a dimension."""

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0) -> None:
        if not all(isinstance(constraint, Constraint) for constraint in cseq):
            raise AssertionError("All elements of cseq must be Constraint instances")
        self.cseq, self.dim = list(cseq), dim
        super().__init__()

    @property
    def is_discrete(self) -> bool:
        return any(constraint.is_discrete for constraint in self.cseq)

    def _check_dim(self, value: Tensor) -> None:
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for value with {value.dim()} dimensions")


class _Cat(_Several):
    def __init__(self, cseq: Sequence[Constraint], dim: int = 0, lengths: Sequence[int] | None = None) -> None:
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})")

    @property
    def event_dim(self) -> int:
        return max(int(constraint.event_dim) for constraint in self.cseq)

    def check(self, value: Tensor) -> Tensor:
        self._check_dim(value)
        pieces = narrowed(value, self.dim, self.lengths)
        return torch.cat([one.check(piece) for one, piece in zip(self.cseq, pieces, strict=True)], self.dim)


class _Stack(_Several):
    @property
    def event_dim(self) -> int:
        most = max(int(constraint.event_dim) for constraint in self.cseq)
        return most + 1 if self.dim + most < 0 else most

    def check(self, value: Tensor) -> Tensor:
        self._check_dim(value)
        pieces = [value.select(self.dim, place) for place in range(value.size(self.dim))]
        return torch.stack([one.check(piece) for one, piece in zip(self.cseq, pieces, strict=False)], self.dim)


boolean = _Boolean()
one_hot = _OneHot()
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real = _Real()
real_vector = independent(real, 1)
positive = _GreaterThan(0.0)
nonnegative = _GreaterThanEq(0.0)
greater_than = _GreaterThan
greater_than_eq = _GreaterThanEq
less_than = _LessThan
multinomial = _Multinomial
unit_interval = _Interval(0.0, 1.0)
interval = _Interval
half_open_interval = _HalfOpenInterval
simplex = _Simplex()
lower_triangular = _LowerTriangular()
lower_cholesky = _LowerCholesky()
corr_cholesky = _CorrCholesky()
square = _Square()
symmetric = _Symmetric()
positive_semidefinite = _PositiveSemidefinite()
positive_definite = _PositiveDefinite()
cat = _Cat
stack = _Stack
