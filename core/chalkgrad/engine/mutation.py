"""Writing over what a backward needs: inside a block, saved values are copied just before they would be lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.inplace import guards
from chalkgrad.engine.packing import saved_tensors_hooks
from chalkgrad.engine.storage import storage_id

_OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was originally "
    "recorded."
)


class _Kept:
    """One saved tensor, and the copy that stands for it once its memory was written."""

    __slots__ = ("__weakref__", "context", "copy", "original")

    def __init__(self, context: _AllowMutationOnSavedContext, original: TensorBase) -> None:
        self.context = context
        self.original = original
        self.copy: TensorBase | None = None


class _AllowMutationOnSavedContext:
    """What was saved in one block."""

    def __init__(self) -> None:
        self.kept: WeakSet[_Kept] = WeakSet()
        self.over = False

    def pack(self, tensor: TensorBase) -> _Kept:
        """Take a tensor that is saved."""
        kept = _Kept(self, tensor)
        self.kept.add(kept)
        return kept

    def about_to_write(self, target: TensorBase) -> None:
        """Copy all that was saved of the memory that ``target`` shows."""
        storage = storage_id(target.array)
        copies: dict[int, TensorBase] = {}
        for kept in list(self.kept):
            if kept.copy is None and storage_id(kept.original.array) == storage:
                original = kept.original
                if id(original) not in copies:
                    copies[id(original)] = new_tensor(original.array.copy(order="K"))
                kept.copy = copies[id(original)]

    def clear(self) -> None:
        """Forget it all: from now on no graph of this block can be run."""
        self.kept.clear()
        self.over = True


def _unpack(kept: _Kept) -> Any:
    if kept.context.over:
        raise AssertionError(_OUTSIDE)
    return kept.original if kept.copy is None else kept.copy


_AllowMutationOnSavedContext.__module__ = "torch.autograd.graph"


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[_AllowMutationOnSavedContext]:
    """Inside the block, saved tensors may be written in place; backwards of its graphs have to be inside as well."""
    if guards:
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    context = _AllowMutationOnSavedContext()
    with saved_tensors_hooks(context.pack, _unpack):
        guards.append(context.about_to_write)
        try:
            yield context
        finally:
            guards.pop()
            context.clear()
