"""Writing over what a backward needs: inside a block, saved values are copied just before they would be lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from chalkgrad.engine.base import TensorBase, new_tensor, version_of
from chalkgrad.engine.inplace import guards
from chalkgrad.engine.packing import saved_tensors_hooks
from chalkgrad.engine.storage import storage_id

_OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was originally "
    "recorded."
)


class _Handle:
    """Stands for one tensor as it was when it was saved."""

    __slots__ = ("__weakref__", "context")

    def __init__(self, context: _AllowMutationOnSavedContext) -> None:
        self.context = context


class _AllowMutationOnSavedContext:
    """What was saved in one block, as it is for as long as graphs need it.

    ``original`` has the tensors themselves, ``cloned`` the copies of those whose memory was written since.
    ``tid_to_weakhandle`` tells by identity, place and version which tensors have been saved.
    """

    def __init__(self) -> None:
        self.cloned: WeakKeyDictionary[_Handle, TensorBase] = WeakKeyDictionary()
        self.original: WeakKeyDictionary[_Handle, TensorBase] = WeakKeyDictionary()
        self.tid_to_weakhandle: WeakValueDictionary[tuple[int, int, int], _Handle] = WeakValueDictionary()

    def pack(self, tensor: TensorBase) -> _Handle:
        """Take a tensor that is saved; the same one, not written in between, has one handle."""
        identity = (id(tensor), tensor.array.ctypes.data, version_of(tensor))
        handle = self.tid_to_weakhandle.get(identity)
        if handle is None:
            handle = self.tid_to_weakhandle[identity] = _Handle(self)
            self.original[handle] = tensor
        return handle

    def unpack(self, handle: _Handle) -> TensorBase:
        """What was saved, as it was then."""
        found = self.cloned.get(handle)
        if found is None:
            found = self.original.get(handle)
        if found is None:
            raise AssertionError(_OUTSIDE)
        return found

    def about_to_write(self, target: TensorBase) -> None:
        """Copy all that was saved of the memory that ``target`` shows."""
        storage = storage_id(target.array)
        for handle, original in list(self.original.items()):
            if storage_id(original.array) == storage:
                self.cloned[handle] = new_tensor(original.array.copy(order="K"))
                del self.original[handle]

    def clear(self) -> None:
        """Forget it all: from now on no graph of this block can be run."""
        self.cloned.clear()
        self.original.clear()
        self.tid_to_weakhandle.clear()


def _unpack(handle: _Handle) -> Any:
    return handle.context.unpack(handle)


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
