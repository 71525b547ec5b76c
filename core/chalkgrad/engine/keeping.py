"""Copies of a tensor, and its form in a pickle."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from chalkgrad.engine.base import Meta, TensorBase, counter_of, meta_of, new_tensor, state
from chalkgrad.engine.storage import as_strided, element_strides, owner, storage_offset, typed_elements


def deep_copy(tensor: TensorBase, memo: dict[int, Any]) -> TensorBase:
    """A copy on memory of its own, which it shares with the copies of those it shared its memory with."""
    made: TensorBase = object.__new__(type(tensor))
    source = owner(tensor.array)
    if id(source) not in memo:
        memo[id(source)] = typed_elements(tensor.array).copy()
        memo.setdefault(id(memo), []).append(source)  # what is known by its id must stay alive
    made.array = _placed(memo[id(source)], tensor.array)
    made.node = made.counter = made.meta = None
    counter_of(made).version = 1  # PyTorch sets a new tensor onto the copied memory, which counts
    memo[id(tensor)] = made
    if tensor.meta is not None:
        made.meta = Meta()
        made.meta.requires_grad = tensor.meta.requires_grad
        if tensor.meta.grad is not None:
            made.meta.grad = copy.deepcopy(tensor.meta.grad, memo)
    _further(made).update(copy.deepcopy(_further(tensor), memo))
    return made


def _placed(elements: np.ndarray, like: np.ndarray) -> np.ndarray:
    """The part of ``elements`` that ``like`` is of its own storage."""
    if not like.size:
        return np.empty(like.shape, like.dtype)
    return as_strided(elements, like.shape, element_strides(like), storage_offset(like))


def shallow_copy(tensor: TensorBase) -> TensorBase:
    """Another tensor on the same memory, a leaf with the same flag, whose versions are counted apart."""
    made = rebuild(
        None if type(tensor) is state.tensor else type(tensor),
        tensor.array,
        tensor.meta is not None and tensor.meta.requires_grad,
        {},
    )
    _further(made).update(_further(tensor))
    return made


def reduced(tensor: TensorBase) -> tuple[Any, ...]:
    """What a pickle keeps of a tensor: its values in their order of memory, its flag, and further attributes."""
    requires_grad = tensor.node is not None or (tensor.meta is not None and tensor.meta.requires_grad)
    cls = None if type(tensor) is state.tensor else type(tensor)
    further = {name: value for name, value in _further(tensor).items() if not name.startswith("_")}
    return rebuild, (cls, tensor.array, requires_grad, further)


def rebuild(
    cls: type[TensorBase] | None, array: np.ndarray, requires_grad: bool, further: dict[str, Any]
) -> TensorBase:
    """The leaf that :func:`reduced` described; no class means the usual one."""
    made = new_tensor(array)
    if cls is None:
        counter_of(made).version = 1  # as of :func:`deep_copy`; PyTorch makes parameters of such tensors
    elif type(made) is not cls:
        made.__class__ = cls
    if requires_grad:
        meta_of(made).requires_grad = True
    _further(made).update(further)
    return made


def _further(tensor: TensorBase) -> dict[str, Any]:
    """The attributes that somebody gave the tensor."""
    found: dict[str, Any] = getattr(tensor, "__dict__", {})
    return found
