"""The geometric distribution."""

from __future__ import annotations

from typing import Any

from chalkgrad import torch
from chalkgrad.engine.device import contiguous_format
from chalkgrad.engine.tensor import Tensor
from chalkgrad.torch.distributions import constraints
from chalkgrad.torch.distributions.chances import BinaryChances
from chalkgrad.torch.distributions.utils import broadcast_all, empty_as

__all__ = ["Geometric"]


class Geometric(BinaryChances):
    """How many tries fail before the first succeeds, each with the chance ``probs``."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._set_chances(validate_args, probs, logits)
        if self._validate_args and probs is not None:
            self._check_positive(self.probs)

    def _check_positive(self, value: Tensor) -> None:
        valid = value > 0
        if not valid.all():
            raise ValueError(
                f"Expected parameter probs ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                f"{self!r} to be positive but found invalid values:\n{value.data[~valid]}"
            )

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expanded_chances(Geometric, _instance, batch_shape)

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return torch.zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            u = empty_as(self.probs, shape).uniform_(torch.finfo(self.probs.dtype).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.clone(memory_format=contiguous_format)
        probs[(probs == 1) & (value == 0)] = 0
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self) -> Tensor:
        cross_entropy = torch.nn.functional.binary_cross_entropy_with_logits
        return cross_entropy(self.logits, self.probs, reduction="none") / self.probs
