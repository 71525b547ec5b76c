"""What nodes keep for their backward: noticed when it was written since, and gone once freed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.base import (
    Stamped,
    TensorBase,
    counter_in,
    counter_of,
    maker_of_result,
    meta_of,
    new_tensor,
    rare_of,
    state,
    version_of,
)
from chalkgrad.engine.lineage import grad_fn_of, requires_grad_of
from chalkgrad.engine.storage import Counter
from chalkgrad.errors import blame

if TYPE_CHECKING:
    from chalkgrad.engine.graph import Node

Saved = Any
"""What a node keeps of one value: None, a tensor at version 0, a Stamped one, a Python number (which is shown as a 0-d
tensor), or its own result: the array alone while nobody counts writes to it, then ``(array, counter, version)``."""


class TensorList(tuple[Any, ...]):  # noqa: SLOT001  a tuple can have no slots beside its members
    """The tensors of one list argument (None for those that aren't there), with the versions they had when it was made.

    An operator that has such an argument takes it as one input, and its nodes save it as one value.
    """

    versions: tuple[int, ...]

    def __new__(cls, members: Iterable[TensorBase | None]) -> TensorList:
        """The list of ``members`` as they are now."""
        made = super().__new__(cls, members)
        made.versions = tuple(0 if member is None else version_of(member) for member in made)
        return made


def keep(tensor: TensorBase) -> Saved:
    """What a node keeps of an input so that a later write is noticed."""
    counter = tensor.counter
    if counter is None:
        return tensor
    if counter.inference:
        check_countable(tensor)
    return Stamped(tensor, counter.version) if counter.version else tensor


def check_countable(tensor: TensorBase) -> None:
    """Raise for a tensor born in inference mode, writes to which nobody would notice."""
    if tensor.counter is not None and tensor.counter.inference:
        raise blame(RuntimeError(messages.INFERENCE_SAVED), tensor=tensor)


def kept_list(tensors: TensorList) -> TensorList:
    """What a node keeps of an input that is a list of tensors."""
    for tensor in tensors:
        if tensor is not None:
            check_countable(tensor)
    return tensors


class PackedList(tuple[Any, ...]):  # noqa: SLOT001  a tuple can have no slots beside its members
    """The tensors of one list argument of which some are in the keeping of hooks, None for those that aren't there."""

    def tensors(self, owner: Node) -> TensorList:
        """What the hooks make of them."""
        return TensorList([None if member is None else tensor_of(owner, member) for member in self])


def plain_members(value: TensorList | PackedList) -> list[Saved]:
    """The members of a saved list as single tensors are kept."""
    if isinstance(value, PackedList):
        return list(value)
    members = zip(value, value.versions, strict=True)
    return [Stamped(member, version) if version else member for member, version in members]


class Packed:
    """A saved tensor in the keeping of hooks: what ``pack`` made of it, and where the tensor stood in the graph.

    ``node`` is its grad_fn, None where it is the result of the node which saved it (which must not be kept alive by
    that, nor the view that it was written into) or where there is none.
    """

    __slots__ = ("leaf", "node", "output_nr", "requires_grad", "result", "unpack", "value")

    def __init__(self, owner: Node, tensor: TensorBase, pack: Any, unpack: Any, *, detached: bool) -> None:
        rare_of(owner)  # so that a backward knows which node is at work when it calls ``unpack``
        self.result = tensor.node is maker_of_result(owner)
        self.node = None if self.result else grad_fn_of(tensor)
        self.output_nr = tensor.output_nr
        self.leaf = tensor.meta.accumulator if tensor.meta is not None else None
        self.requires_grad = requires_grad_of(tensor)
        self.unpack = unpack
        given = new_tensor(tensor.array) if detached else tensor
        if detached:
            given.counter = counter_of(tensor)
        before, mode = version_of(given), state.grad
        state.grad = False
        try:
            self.value = pack(given)
        finally:
            state.grad = mode
        if version_of(given) != before:
            raise RuntimeError(messages.PACK_WROTE)

    def tensor(self, owner: Node) -> TensorBase:
        """What ``unpack`` makes of it, with the place in the graph that the tensor had."""
        found = self.unpack(self.value)
        if not isinstance(found, TensorBase):
            kind = type(found).__name__
            raise TypeError(f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {kind}")
        if not self.requires_grad:
            return found
        made = new_tensor(found.array)
        made.counter = found.counter
        made.node = maker_of_result(owner) if self.result else self.node
        meta = meta_of(made)
        meta.output_nr = self.output_nr
        if made.node is None:
            meta.requires_grad, meta.accumulator = True, self.leaf
        return made


def pack_all(node: Node, outputs: Sequence[TensorBase] = ()) -> None:
    """Give all tensors that ``node`` saved to the innermost hooks: of ``outputs`` the very tensors."""
    node.saved = tuple([_packed_value(node, value, outputs) for value in node.saved or ()])


def _packed_value(node: Node, value: Saved, outputs: Sequence[TensorBase]) -> Saved:
    if isinstance(value, TensorList):
        return PackedList([None if member is None else packed(node, member) for member in value])
    if not holds_tensor(value):
        return value
    array = value[0] if type(value) is tuple else value
    maker = maker_of_result(node)
    itself = next((output for output in outputs if output.array is array and output.node is maker), None)
    return packed(node, tensor_of(node, value) if itself is None else itself)


def packed(node: Node, tensor: TensorBase) -> Packed:
    """``tensor`` as the innermost hooks keep it for ``node``."""
    pack, unpack = state.packing[-1]
    return Packed(node, tensor, pack, unpack, detached=False)


def holds_tensor(value: Saved) -> bool:
    """True for a saved value that is one tensor."""
    return value is not None and not isinstance(value, bool | int | float | TensorList | Packed | PackedList)


def check_saved(node: Node, tensor: TensorBase, version: int) -> None:
    """Raise PyTorch's error when a saved input has been detached or written since it was saved."""
    meta = tensor.meta
    if meta is not None and meta.detached_at > node.seq and tensor.node is None:
        raise messages.detached(node, tensor, saved_name_of(node, tensor))
    now = version_of(tensor)
    if now != version:
        grad_fn_of(tensor)
        raise messages.overwritten(node, tensor, saved_name_of(node, tensor), now, version)


def saved_name_of(node: Node, tensor: TensorBase) -> str:
    """Under which name ``node`` keeps ``tensor``."""
    for name, value in zip(node.saved_names, node.saved or (), strict=False):
        if value is tensor or (isinstance(value, Stamped) and value.tensor is tensor):
            return name
    return ""


def result_tensor(node: Node, array: np.ndarray, counter: Counter) -> TensorBase:
    """A saved result as a tensor again: the same memory and grad_fn, another object."""
    tensor = new_tensor(array)
    tensor.node = maker_of_result(node)
    tensor.counter = counter
    return tensor


def array_of(node: Node, value: Saved) -> Any:
    """One saved value as an array (or a number, or None); raises when it is not what it was any more."""
    if value is None or isinstance(value, (np.ndarray, bool, int, float)):
        return value
    if isinstance(value, TensorBase):
        check_saved(node, value, 0)
        return value.array
    if isinstance(value, Stamped):
        check_saved(node, value.tensor, value.version)
        return value.tensor.array
    if isinstance(value, Packed):
        return value.tensor(node).array
    if isinstance(value, PackedList):
        return value.tensors(node)
    if isinstance(value, TensorList):
        for member, version in zip(value, value.versions, strict=True):
            if member is not None:
                check_saved(node, member, version)
        return value
    array, counter, version = value
    if counter.version != version:
        held = zip(node.saved_names, node.saved or (), strict=False)
        name = next((name for name, other in held if other is value), "result")
        written = _as_output(node, name, result_tensor(node, array, counter))
        raise messages.overwritten(node, written, "result", counter.version, version)
    return array


def tensor_of(node: Node, value: Saved) -> Any:
    """One saved value as a tensor (or a number, or None); raises when it is not what it was any more."""
    if isinstance(value, Packed):
        return value.tensor(node)
    if isinstance(value, PackedList):
        return value.tensors(node)
    array_of(node, value)
    if isinstance(value, Stamped):
        return value.tensor
    if isinstance(value, np.ndarray):
        return result_tensor(node, value, counter_in(node, value))
    if isinstance(value, tuple) and not isinstance(value, TensorList):
        return result_tensor(node, value[0], value[1])
    return value


def arrays_saved(node: Node) -> list[Any]:
    """All that ``node`` saved, tensors as arrays, then the constants; raises once freed or overwritten."""
    saved = node.saved
    if saved is None:
        raise messages.freed(node)
    cls = state.tensor
    values: list[Any] = []
    for value in saved:
        if type(value) is cls:
            counter = value.counter
            if counter is not None and (counter.version or counter.detached):
                check_saved(node, value, 0)
            values.append(value.array)
        elif type(value) is np.ndarray:
            values.append(value)
        elif type(value) is tuple and value[1].version == value[2]:
            values.append(value[0])
        else:
            values.append(array_of(node, value))
    if node.constants:
        values += node.constants
    return values


def two_saved(node: Node) -> Sequence[Any]:
    """The same for a node that saves two tensors and nothing else, in the plain case that nobody counts writes."""
    if node.saved is not None:
        first, second = node.saved
        cls = state.tensor
        if type(first) is cls and type(second) is cls and first.counter is None and second.counter is None:
            return first.array, second.array
    return arrays_saved(node)


def array_saved(node: Node) -> Any:
    """The one value that ``node`` saved, as an array; raises once freed or overwritten."""
    saved = node.saved
    if saved is None:
        raise messages.freed(node)
    value = saved[0]
    if type(value) is np.ndarray:
        return value
    if type(value) is state.tensor and value.counter is None:
        return value.array
    return array_of(node, value)


def _is_unwritten(tensor: TensorBase) -> bool:
    """True for a tensor whose memory nobody wrote, and that nobody detached in place."""
    counter = tensor.counter
    return counter is None or not (counter.version or counter.detached)


def tensors_saved(node: Node) -> list[Any]:
    """The same with tensors as tensors."""
    if node.saved is None:
        raise messages.freed(node)
    cls = state.tensor
    found: list[Any] = []
    for value in node.saved:
        if type(value) is cls and _is_unwritten(value):
            found.append(value)
        else:
            found.append(in_place_of_output(node, node.saved_names[len(found)], value))
    found += node.constants
    return found


def in_place_of_output(node: Node, name: str, value: Saved) -> Any:
    """One saved value as ``tensor_of`` gives it; a result as the output that it was."""
    return _as_output(node, name, tensor_of(node, value))


def _as_output(node: Node, name: str, found: Any) -> Any:
    """``found``, saved as ``name``, with the number of the output that it was, if it was one."""
    record = node.record
    if record is None or len(record.outputs) < 2 or name not in record.outputs or found.node is not node:
        return found
    if name in record.not_differentiable:
        found.node = None
    else:
        counted = [other for other in record.outputs if other not in record.not_differentiable]
        meta_of(found).output_nr = counted.index(name)
    return found


def saved_value(node: Node, name: str) -> Any:
    """``_saved_<name>``: what ``node`` saved, as PyTorch shows it; RuntimeError once freed or overwritten."""
    if name in node.constant_names:
        return shown_constant(node, name)
    if name not in node.saved_names:
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '_saved_{name}'")
    if node.saved is None:
        if name in needed_names(node):
            raise messages.freed(node, name)
        return None
    value = node.saved[node.saved_names.index(name)]
    if isinstance(value, TensorBase) and version_of(value) == 0:
        return value
    if isinstance(value, Stamped) and version_of(value.tensor) == value.version:
        return value.tensor
    found = in_place_of_output(node, name, value)
    if isinstance(found, bool | int | float):
        return new_tensor(np.asarray(found))
    return found


def shown_constant(node: Node, name: str) -> Any:
    """A saved value that is no tensor; PyTorch shows negative integers as the unsigned numbers of the same bits."""
    value = node.constants[node.constant_names.index(name)]
    attributes = () if node.record is None else node.record.attributes
    if any(attribute.name == name and attribute.kind == "number" for attribute in attributes):
        return value
    if isinstance(value, tuple):
        return tuple([_unsigned(member) for member in value])
    return _unsigned(value)


def _unsigned(value: Any) -> Any:
    return value + (1 << 64) if type(value) is int and value < 0 else value


def needed_names(node: Node) -> tuple[str, ...]:
    """Names of what the formulas for the edges that exist read, freed or not."""
    if node.record is None:
        return ()
    names = node.record.sources
    needs = frozenset(name for name, edge in zip(names, node.edges, strict=False) if edge is not None)
    return node.record.saved(needs)
