"""Gradients as the tensors that leave a backward: what is one tensor in PyTorch is one here, and so is its memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chalkgrad.engine.base import TensorBase, View, counter_of, meta_of, new_tensor, state
from chalkgrad.engine.storage import Counter, owner, storage_id


class GivenOut:
    """The tensors made of a backward's gradients: one for each array, with one write counter for each memory.

    ``seeds`` are the tensors that it started from: gradients may be one of them or show its memory.
    """

    __slots__ = ("_made", "_memories", "_seeds")

    def __init__(self, seeds: Sequence[TensorBase | None]) -> None:
        self._seeds = [seed for seed in seeds if seed is not None]
        self._made: dict[int, TensorBase] = {}
        self._memories: dict[int, TensorBase] = {}

    def tensor(self, gradient: np.ndarray, writes: int) -> TensorBase:
        """The tensor on ``gradient``, which was written so often on its way: a view if that is part of another."""
        if not self._made:
            self._made = {id(seed.array): seed for seed in self._seeds}
        found = self._made.get(id(gradient))
        if found is None:
            found = self._view(gradient) if gradient.base is not None else self._whole(gradient)
            if writes > counter_of(found).version:
                counter_of(found).version = writes
            if state.observer is not None:
                state.observer.tensor_made(found)
            self._made[id(gradient)] = found
        return found

    def counter(self, gradient: np.ndarray) -> Counter:
        """The write counter of the memory that ``gradient`` shows."""
        return counter_of(self._memory(gradient))

    def _whole(self, gradient: np.ndarray) -> TensorBase:
        return self._memory(gradient if gradient.flags.writeable else gradient.copy(order="K"))

    def _view(self, gradient: np.ndarray) -> TensorBase:
        made, base = new_tensor(gradient), self._memory(gradient)
        if not state.inference:
            made.counter = counter_of(base)
            meta_of(made).view = View(base, "no_grad", made.counter.version)
        return made

    def _memory(self, array: np.ndarray) -> TensorBase:
        """The tensor that has the memory which ``array`` shows."""
        if not self._memories:
            for seed in self._seeds:
                view = None if seed.meta is None else seed.meta.view
                self._memories[storage_id(seed.array)] = seed if view is None else view.base
        key = storage_id(array)
        if key not in self._memories:
            self._memories[key] = new_tensor(owner(array))
        return self._memories[key]
