"""What all distributions have in common."""

from __future__ import annotations

import warnings
from typing import Any, TypeVar

from chalkgrad import torch
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.naming import Named
from chalkgrad.torch.distributions.utils import broadcast_all, lazy_property

__all__ = ["Distribution"]

Kind = TypeVar("Kind", bound="Distribution")


class Distribution(Named):
    """A distribution of random values, or a batch of them.

    Parameters of shape ``batch_shape`` (and more, where one value has dimensions of its own) give samples of shape
    ``sample_shape + batch_shape + event_shape``.
    """

    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether parameters and values are looked at before they are used."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape: Any = (), event_shape: Any = (), validate_args: bool | None = None) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()
        super().__init__()

    # Parameters

    def _set(self, validate_args: bool | None, **parameters: Any) -> None:
        """Keep parameters, broadcast against each other, whose shape is that of the batch."""
        self.__dict__.update(zip(parameters, broadcast_all(*parameters.values()), strict=True))
        shape = getattr(self, next(iter(parameters))).size()
        Distribution.__init__(self, shape, validate_args=validate_args)

    def _check_parameters(self) -> None:
        for name, constraint in self._known_constraints().items():
            lazy = isinstance(getattr(type(self), name, None), lazy_property)
            if constraints.is_dependent(constraint) or (lazy and name not in self.__dict__):
                continue
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of "
                    f"distribution {self!r} to satisfy the constraint {constraint!r}, but found invalid "
                    f"values:\n{value}"
                )

    def _known_constraints(self) -> dict[str, Any]:
        try:
            return self.arg_constraints
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize "
                "the distribution with `validate_args=False` to turn off validation.",
                stacklevel=4,
            )
            return {}

    @property
    def arg_constraints(self) -> dict[str, Any]:
        """The set that each parameter must be in, by its name."""
        raise NotImplementedError

    @property
    def support(self) -> Any:
        """The set that samples are in."""
        raise NotImplementedError

    @property
    def batch_shape(self) -> Size:
        """The shape of the distributions that this one stands for."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one value."""
        return self._event_shape

    # Others like it

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution for a larger batch; its parameters are views."""
        raise NotImplementedError

    def _expanded(self, kind: type[Kind], instance: Any, batch_shape: Any, *names: str, event: Any = ()) -> Kind:
        """What ``expand`` of the class ``kind`` gives, with these parameters, each with dimensions of ``event``."""
        new = self._get_checked_instance(kind, instance)
        shape = Size(batch_shape)
        for name in names:
            if name in self.__dict__:
                setattr(new, name, self.__dict__[name].expand(shape + tuple(event)))
        self._finish(new, shape)
        return new

    def _finish(self, new: Any, shape: Size) -> None:
        Distribution.__init__(new, shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args

    def _get_checked_instance(self, cls: type[Kind], _instance: Any = None) -> Kind:
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also "
                "define a custom .expand() method."
            )
        found: Any = type(self).__new__(type(self)) if _instance is None else _instance
        return found

    # What is known of it

    @property
    def mean(self) -> Tensor:
        """The expected value."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The likeliest value."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The expected square of the distance from the mean."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The root of the variance."""
        return self.variance.sqrt()

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density, or of the chance, of a value."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The chance of what is not larger than a value."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The value up to which there is a chance."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values that there are, along the first dimension."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The expected ``-log_prob``."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """How many values of the same chance have this entropy."""
        return torch.exp(self.entropy())

    # Samples

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Random values, which no gradient goes through."""
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Random values, computed of the parameters, to which gradients go."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """The old name of ``sample((n,))``."""
        warnings.warn(
            "`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", category=FutureWarning, stacklevel=2
        )
        return self.sample(Size((n,)))

    def _extended_shape(self, sample_shape: Any = ()) -> Size:
        return Size(sample_shape) + self._batch_shape + self._event_shape

    # Values that are given

    def _check(self, value: Any) -> None:
        if self._validate_args:
            self._validate_sample(value)

    def _validate_sample(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        self._check_shape(value.size())
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `support` to enable sample validation. Please initialize the "
                "distribution with `validate_args=False` to turn off validation.",
                stacklevel=4,
            )
            return
        if not support.check(value).all():
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the "
                f"support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _check_shape(self, shape: Size) -> None:
        first = len(shape) - len(self._event_shape)
        if shape[first:] != self._event_shape:
            raise ValueError(f"The right-most size of value must match event_shape: {shape} vs {self._event_shape}.")
        expected = self._batch_shape + self._event_shape
        for one, other in zip(reversed(shape), reversed(expected), strict=False):
            if one not in (1, other) and other != 1:
                raise ValueError(f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {expected}.")

    def __repr__(self) -> str:
        shown = []
        for name in self.arg_constraints:
            if name in self.__dict__:
                value = self.__dict__[name]
                shown.append(f"{name}: {value if value.numel() == 1 else value.size()}")
        return f"{type(self).__name__}({', '.join(shown)})"


Distribution.__module__ = "torch.distributions.distribution"
