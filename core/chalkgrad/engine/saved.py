"""What nodes keep for their backward: noticed when it was written since, and gone once freed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from chalkgrad.engine import messages
from chalkgrad.engine.base import Stamped, TensorBase, counter_in, new_tensor, state, version_of
from chalkgrad.engine.lineage import grad_fn_of
from chalkgrad.engine.storage import Counter

if TYPE_CHECKING:
    from chalkgrad.engine.graph import Node

Saved = Any
"""What a node keeps of one value: None, a tensor at version 0, a Stamped one, a Python number (which is shown as a 0-d
tensor), or its own result: the array alone while nobody counts writes to it, then ``(array, counter, version)``."""


def keep(tensor: TensorBase) -> Saved:
    """What a node keeps of an input so that a later write is noticed."""
    counter = tensor.counter
    return tensor if counter is None or not counter.version else Stamped(tensor, counter.version)


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
    tensor.node = node
    tensor.counter = counter
    return tensor


def array_of(node: Node, value: Saved) -> Any:
    """One saved value as an array (or a number, or None); raises when it is not what it was any more."""
    if value is None or isinstance(value, bool | int | float | np.ndarray):
        return value
    if isinstance(value, TensorBase):
        check_saved(node, value, 0)
        return value.array
    if isinstance(value, Stamped):
        check_saved(node, value.tensor, value.version)
        return value.tensor.array
    array, counter, version = value
    if counter.version != version:
        raise messages.overwritten(node, result_tensor(node, array, counter), "result", counter.version, version)
    return array


def tensor_of(node: Node, value: Saved) -> Any:
    """One saved value as a tensor (or a number, or None); raises when it is not what it was any more."""
    array_of(node, value)
    if isinstance(value, Stamped):
        return value.tensor
    if isinstance(value, np.ndarray):
        return result_tensor(node, value, counter_in(node, value))
    if isinstance(value, tuple):
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
        else:
            values.append(array_of(node, value))
    if node.constants:
        values += node.constants
    return values


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


def tensors_saved(node: Node) -> list[Any]:
    """The same with tensors as tensors."""
    if node.saved is None:
        raise messages.freed(node)
    return [*(tensor_of(node, value) for value in node.saved), *node.constants]


def saved_value(node: Node, name: str) -> Any:
    """``_saved_<name>``: what ``node`` saved, as PyTorch shows it; RuntimeError once freed or overwritten."""
    if name in node.constant_names:
        return node.constants[node.constant_names.index(name)]
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
    found = tensor_of(node, value)
    if isinstance(found, bool | int | float):
        return new_tensor(np.asarray(found))
    return found


def needed_names(node: Node) -> tuple[str, ...]:
    """Names of what the formulas for the edges that exist read, freed or not."""
    if node.record is None:
        return ()
    names = node.record.inputs
    needs = frozenset(name for name, edge in zip(names, node.edges, strict=False) if edge is not None)
    return node.record.saved(needs)
