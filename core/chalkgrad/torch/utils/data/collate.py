"""Examples put together into batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import float64
from chalkgrad.engine.rules import TENSORS
from chalkgrad.ops.create import as_tensor, tensor

__all__ = ["default_collate", "default_convert"]


def default_collate(batch: Any) -> Any:
    """A batch of examples as one: tensors stacked, numbers as a tensor, tuples and dictionaries element by element."""
    first = batch[0]
    if isinstance(first, TensorBase):
        return TENSORS.stack(list(batch), 0)
    if isinstance(first, np.ndarray | np.generic):
        return default_collate([as_tensor(np.asarray(element)) for element in batch])
    if isinstance(first, float):
        return tensor(batch, dtype=float64)
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([element[key] for element in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(column) for column in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if any(len(element) != len(first) for element in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(column) for column in zip(*batch, strict=True)]
    raise TypeError(
        f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}"
    )


def default_convert(example: Any) -> Any:
    """One example with its arrays as tensors."""
    if isinstance(example, np.ndarray | np.generic):
        return as_tensor(np.asarray(example))
    if isinstance(example, tuple | list):
        return [default_convert(element) for element in example]
    return example


for _name in __all__:
    globals()[_name].__module__ = "torch.utils.data._utils.collate"
