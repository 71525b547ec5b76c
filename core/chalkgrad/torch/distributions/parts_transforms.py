"""Transforms that are applied to the parts of a tensor, each to its own."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

from chalkgrad import torch
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.transform import Transform
from chalkgrad.torch.distributions.utils import lazy_property, sum_rightmost


class _Several(Transform):
    """Transforms of the parts of a tensor along a dimension."""

    def __init__(self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0) -> None:
        if not all(isinstance(transform, Transform) for transform in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        if cache_size:
            tseq = [transform.with_cache(cache_size) for transform in tseq]
        super().__init__(cache_size=cache_size)
        self.transforms, self.dim = list(tseq), dim

    @property
    def bijective(self) -> bool:
        return all(transform.bijective for transform in self.transforms)

    def _check_dim(self, value: Tensor, name: str = "tensor") -> None:
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for {name} with {value.dim()} dimensions")


class CatTransform(_Several):
    """Transforms of pieces of these lengths, joined again."""

    def __init__(
        self, tseq: Sequence[Transform], dim: int = 0, lengths: Sequence[int] | None = None, cache_size: int = 0
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})")

    @lazy_property
    def event_dim(self) -> int:
        """The most that one of them has."""
        return max(transform.event_dim for transform in self.transforms)

    @lazy_property
    def length(self) -> int:
        """All lengths together."""
        return sum(self.lengths)

    def with_cache(self, cache_size: int = 1) -> Transform:
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _pieces(self, value: Tensor, name: str = "x") -> list[Tensor]:
        if value.size(self.dim) != self.length:
            raise AssertionError(f"{name}.size({self.dim}) = {value.size(self.dim)} must equal length {self.length}")
        return constraints.narrowed(value, self.dim, self.lengths)

    def _call(self, x: Tensor) -> Tensor:
        self._check_dim(x)
        pairs = zip(self.transforms, self._pieces(x), strict=True)
        return torch.cat([transform(piece) for transform, piece in pairs], dim=self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        self._check_dim(y)
        pairs = zip(self.transforms, self._pieces(y, "y"), strict=True)
        return torch.cat([transform.inv(piece) for transform, piece in pairs], dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        self._check_dim(x, "x")
        self._check_dim(y, "y")
        terms = []
        for transform, before, after in zip(self.transforms, self._pieces(x), self._pieces(y, "y"), strict=True):
            term = transform.log_abs_det_jacobian(before, after)
            terms.append(sum_rightmost(term, self.event_dim - transform.event_dim))
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return torch.cat(terms, dim=dim) if dim < 0 else 0 + functools.reduce(operator.add, terms)

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.cat([transform.domain for transform in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.cat([transform.codomain for transform in self.transforms], self.dim, self.lengths)


class StackTransform(_Several):
    """Transforms of slices, one each."""

    def with_cache(self, cache_size: int = 1) -> Transform:
        return self if self._cache_size == cache_size else StackTransform(self.transforms, self.dim, cache_size)

    def _pieces(self, value: Tensor, name: str = "x") -> list[Tensor]:
        self._check_dim(value)
        if value.size(self.dim) != len(self.transforms):
            raise AssertionError(
                f"{name}.size({self.dim}) = {value.size(self.dim)} must equal len(transforms) {len(self.transforms)}"
            )
        return [value.select(self.dim, place) for place in range(value.size(self.dim))]

    def _call(self, x: Tensor) -> Tensor:
        pairs = zip(self.transforms, self._pieces(x), strict=True)
        return torch.stack([transform(piece) for transform, piece in pairs], dim=self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        pairs = zip(self.transforms, self._pieces(y, "y"), strict=True)
        return torch.stack([transform.inv(piece) for transform, piece in pairs], dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        triples = zip(self.transforms, self._pieces(x), self._pieces(y, "y"), strict=True)
        terms = [transform.log_abs_det_jacobian(before, after) for transform, before, after in triples]
        return torch.stack(terms, dim=self.dim)

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.stack([transform.domain for transform in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.stack([transform.codomain for transform in self.transforms], self.dim)
