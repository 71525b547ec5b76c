"""What distributions have in common that are given either chances or logarithms of them."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions.distribution import Distribution
from chalkgrad.torch.distributions.utils import broadcast_all, lazy_property, logits_to_probs, probs_to_logits


def given(probs: Any, logits: Any) -> str:
    """Which of both is given; ValueError for none and for both."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")
    return "logits" if probs is None else "probs"


class BinaryChances(Distribution):
    """A distribution with the chance ``probs``, or its logarithm of odds ``logits``; the other one is worked out."""

    @lazy_property
    def logits(self) -> Tensor:
        """The logarithm of the odds."""
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self) -> Tensor:
        """The chance."""
        return logits_to_probs(self.logits, is_binary=True)

    @property
    def _param(self) -> Tensor:
        return self.__dict__[self._given]

    @property
    def param_shape(self) -> Size:
        """The shape of what was given."""
        return self._param.size()

    _given: str

    def _set_chances(self, validate_args: bool | None, probs: Any, logits: Any, **parameters: Any) -> None:
        self._given = given(probs, logits)
        chances = {self._given: logits if probs is None else probs}
        self._set(validate_args, **(parameters | chances))

    def _set_counted(self, validate_args: bool | None, total_count: Any, probs: Any, logits: Any) -> None:
        """The same of so many tries, a number of the chances' dtype."""
        self._given = given(probs, logits)
        count, chances = broadcast_all(total_count, logits if probs is None else probs)
        self.total_count = count.type_as(chances)
        setattr(self, self._given, chances)
        Distribution.__init__(self, chances.size(), validate_args=validate_args)

    def _expanded_chances(self, kind: type[Any], instance: Any, batch_shape: Any, *names: str) -> Any:
        new = self._expanded(kind, instance, batch_shape, *names, "probs", "logits")
        new._given = self._given
        return new

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._param.new(*args, **kwargs)
