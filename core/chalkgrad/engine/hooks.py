"""Hooks: functions of a learner's that a backward calls with gradients on their way."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.base import TensorBase, meta_of, new_tensor, rare_of
from chalkgrad.engine.graph import Node
from chalkgrad.errors import blame

Gradient = Any


def as_tensor(gradient: Gradient, record: bool) -> TensorBase | None:
    """A gradient as hooks get it: a copy, so that they may keep it and write to it."""
    if gradient is None or record:
        return gradient  # type: ignore[no-any-return]
    return new_tensor(gradient.copy())


def as_gradient(value: TensorBase | None, record: bool) -> Gradient:
    """What a hook returned, as the engine passes it on."""
    return value if value is None or record else value.array.copy()


def call_hook(hook: Any, tensor: TensorBase, node: Node) -> TensorBase:
    """Call a hook on one gradient; the gradient it returned, or ``tensor`` where it returned None."""
    returned = hook(tensor)
    if returned is None:
        return tensor
    if not isinstance(returned, TensorBase):
        raise blame(TypeError(f"expected Variable, but hook returned '{type(returned).__name__}'"), node=node)
    if returned.array.shape != tensor.array.shape:
        name = getattr(hook, "__name__", type(hook).__name__)
        raise blame(RuntimeError(f"hook '{name}' has changed the size of value"), node=node)
    return returned


def run_tensor_hooks(node: Node, incoming: tuple[Gradient, ...], *, record: bool) -> tuple[Gradient, ...]:
    """Call what was registered with ``tensor.register_hook`` on the node's outputs, in order."""
    changed = list(incoming)
    for port, hooks in rare_of(node).hooks.items():
        tensor = as_tensor(changed[port], record)
        for hook in list(hooks.values()):
            if tensor is not None:
                tensor = call_hook(hook, tensor, node)
        changed[port] = as_gradient(tensor, record)
    return tuple(changed)


def run_leaf_hooks(node: Node, variable: TensorBase, gradient: Gradient, *, record: bool) -> Gradient:
    """Call a leaf's hooks on the gradient that is about to be added to its ``.grad``."""
    tensor = as_tensor(gradient, record)
    for hook in list((meta_of(variable).hooks or {}).values()):
        if tensor is not None:
            tensor = call_hook(hook, tensor, node)
    return as_gradient(tensor, record)


def run_before_hooks(node: Node, incoming: tuple[Gradient, ...], *, record: bool) -> tuple[Gradient, ...]:
    """Call what was registered with ``node.register_prehook``."""
    for hook in list(rare_of(node).before.values()):
        returned = hook(tuple(as_tensor(gradient, record) for gradient in incoming))
        if returned is not None:
            incoming = _checked(node, returned, len(incoming), record)
    return incoming


def run_after_hooks(
    node: Node, found: tuple[Gradient, ...], incoming: tuple[Gradient, ...], *, record: bool
) -> tuple[Gradient, ...]:
    """Call what was registered with ``node.register_hook``."""
    outer = tuple(as_tensor(gradient, record) for gradient in incoming)
    for hook in list(rare_of(node).after.values()):
        returned = hook(tuple(as_tensor(gradient, record) for gradient in found), outer)
        if returned is not None:
            found = _checked(node, returned, len(found), record)
    return found


def _checked(node: Node, returned: Any, count: int, record: bool) -> tuple[Gradient, ...]:
    values = tuple(returned) if isinstance(returned, tuple | list) else (returned,)
    if len(values) != count:
        text = f"hook has returned an incorrect number of values (got {len(values)}, but expected {count})"
        raise blame(RuntimeError(text), node=node)
    for value in values:
        if value is not None and not isinstance(value, TensorBase):
            text = f"expected Variable, but hook returned '{type(value).__name__}'"
            raise blame(TypeError(text), node=node)
    return tuple(as_gradient(value, record) for value in values)
