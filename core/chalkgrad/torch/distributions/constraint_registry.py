"""``torch.distributions.constraint_registry``: transforms of all numbers into those that a parameter may have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chalkgrad.torch.distributions import constraints, transforms
from chalkgrad.torch.distributions.naming import Named
from chalkgrad.torch.distributions.utils import is_number

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]

Factory = Callable[[Any], Any]


class ConstraintRegistry(Named):
    """The transform for each kind of constraint."""

    def __init__(self) -> None:
        self._registry: dict[type, Factory] = {}

    def register(self, constraint: Any, factory: Factory | None = None) -> Any:
        """Let ``factory``, or the function decorated, make the transform for a class of constraints."""
        if factory is None:
            return lambda made: self.register(constraint, made)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Any) -> Any:
        """The transform for a constraint; NotImplementedError where nobody knows one."""
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to = ConstraintRegistry()
"""Transforms that can be inverted."""
transform_to = ConstraintRegistry()
"""Transforms that are easy to learn through."""


def _to_both(*kinds: Any) -> Callable[[Factory], Factory]:
    def register(factory: Factory) -> Factory:
        for kind in kinds:
            biject_to.register(kind, factory)
            transform_to.register(kind, factory)
        return factory

    return register


@_to_both(constraints.real)
def _real(constraint: Any) -> Any:
    return transforms.identity_transform


@_to_both(constraints.positive, constraints.nonnegative)
def _positive(constraint: Any) -> Any:
    return transforms.ExpTransform()


@_to_both(constraints.greater_than, constraints.greater_than_eq)
def _greater_than(constraint: Any) -> Any:
    steps = [transforms.ExpTransform(), transforms.AffineTransform(constraint.lower_bound, 1)]
    return transforms.ComposeTransform(steps)


@_to_both(constraints.less_than)
def _less_than(constraint: Any) -> Any:
    steps = [transforms.ExpTransform(), transforms.AffineTransform(constraint.upper_bound, -1)]
    return transforms.ComposeTransform(steps)


@_to_both(constraints.interval, constraints.half_open_interval)
def _interval(constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    if is_number(low) and is_number(high) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)])


@_to_both(constraints.corr_cholesky)
def _corr_cholesky(constraint: Any) -> Any:
    return transforms.CorrCholeskyTransform()


def _broken_stick(constraint: Any) -> Any:
    return transforms.StickBreakingTransform()


def _softmax(constraint: Any) -> Any:
    return transforms.SoftmaxTransform()


def _lower_cholesky(constraint: Any) -> Any:
    return transforms.LowerCholeskyTransform()


def _positive_definite(constraint: Any) -> Any:
    return transforms.PositiveDefiniteTransform()


biject_to.register(constraints.simplex, _broken_stick)
transform_to.register(constraints.simplex, _softmax)
transform_to.register(constraints.lower_cholesky, _lower_cholesky)
transform_to.register(constraints.positive_definite, _positive_definite)
transform_to.register(constraints.positive_semidefinite, _positive_definite)


def _register_of_parts(registry: ConstraintRegistry) -> None:
    """The same for constraints that are made of others."""

    def independent(constraint: Any) -> Any:
        base = registry(constraint.base_constraint)
        return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)

    def cat(constraint: Any) -> Any:
        return transforms.CatTransform([registry(one) for one in constraint.cseq], constraint.dim, constraint.lengths)

    def stack(constraint: Any) -> Any:
        return transforms.StackTransform([registry(one) for one in constraint.cseq], constraint.dim)

    registry.register(constraints.independent, independent)
    registry.register(constraints.cat, cat)
    registry.register(constraints.stack, stack)


_register_of_parts(biject_to)
_register_of_parts(transform_to)
