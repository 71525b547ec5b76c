"""The distribution of one of several classes, each written as a vector with one 1."""

from __future__ import annotations

from typing import Any

from chalkgrad import torch
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.categorical import Categorical
from chalkgrad.torch.distributions.distribution import Distribution

__all__ = ["OneHotCategorical", "OneHotCategoricalStraightThrough", "OverClasses"]


class OverClasses(Distribution):
    """A distribution of vectors with a number for each class, made of a :class:`Categorical`."""

    _categorical: Categorical

    def _set_classes(self, validate_args: bool | None, probs: Tensor | None, logits: Tensor | None) -> None:
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape[-1:]
        Distribution.__init__(self, self._categorical.batch_shape, shape, validate_args=validate_args)

    def _expanded_classes(self, kind: type[Any], instance: Any, batch_shape: Any) -> Any:
        new = self._get_checked_instance(kind, instance)
        new._categorical = self._categorical.expand(Size(batch_shape))
        self._finish(new, Size(batch_shape))
        return new

    @property
    def _param(self) -> Tensor:
        return self._categorical._param

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._categorical._new(*args, **kwargs)

    @property
    def probs(self) -> Tensor:
        """The chances."""
        return self._categorical.probs

    @property
    def logits(self) -> Tensor:
        """Their logarithms."""
        return self._categorical.logits

    @property
    def param_shape(self) -> Size:
        """The shape of what was given."""
        return self._categorical.param_shape


class OneHotCategorical(OverClasses):
    """Vectors with one 1."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(
        self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None
    ) -> None:
        self._set_classes(validate_args, probs, logits)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expanded_classes(OneHotCategorical, _instance, batch_shape)

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        return self._as_vectors(self.probs.argmax(dim=-1))

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def _as_vectors(self, classes: Tensor) -> Tensor:
        return torch.nn.functional.one_hot(classes, self.probs.shape[-1]).to(self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        return self._as_vectors(self._categorical.sample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Tensor:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        count = self.event_shape[0]
        values: Tensor = torch.eye(count, dtype=self._param.dtype)
        values = values.view((count, *((1,) * len(self.batch_shape)), count))
        return values.expand((count, *self.batch_shape, count)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """The same; gradients go to the chances as if these were the samples."""

    has_rsample = True

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        samples = self.sample(sample_shape)
        return samples + (self.probs - self.probs.detach())
