"""Sequences of different lengths as one tensor, step by step."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chalkgrad.engine.base import new_tensor
from chalkgrad.engine.dtype import float32, float64
from chalkgrad.engine.tensor import Tensor


class PackedSequence_(NamedTuple):  # noqa: N801  as PyTorch calls it
    """The parts of a packed sequence."""

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(PackedSequence_):
    """The steps of all sequences one after the other, of each step those sequences that have not ended yet."""

    def __new__(  # noqa: D102
        cls,
        data: Any,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> PackedSequence:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not (isinstance(data, list | tuple) and len(data) == 2):
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The same with data of another dtype."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        return type(self)(data, self.batch_sizes, self.sorted_indices, self.unsorted_indices)

    def double(self) -> PackedSequence:
        """The same with data of float64."""
        return self.to(dtype=float64)

    def float(self) -> PackedSequence:
        """The same with data of float32."""
        return self.to(dtype=float32)

    def cpu(self) -> PackedSequence:
        """Itself: there is no other place."""
        return self

    @property
    def is_cuda(self) -> bool:
        """False: there is no other place."""
        return False


PackedSequence_.__module__ = PackedSequence.__module__ = "torch.nn.utils.rnn"


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes another one."""
    if permutation is None:
        return None
    return numbers(np.argsort(permutation.array, kind="stable"))


def numbers(values: np.ndarray) -> Tensor:
    """Whole numbers as a tensor."""
    found: Tensor = new_tensor(np.asarray(values, np.int64))  # type: ignore[assignment]
    return found
