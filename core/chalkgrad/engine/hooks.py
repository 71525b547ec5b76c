"""Hooks: functions of a learner's that a backward calls with gradients on their way.

Hooks get tensors on copies of the gradients, so that nothing that was handed out before changes. What they return, or
write into what they got, is what the backward goes on with; a tensor that they keep is one that it may not write into.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from sys import getrefcount
from typing import Any, NamedTuple, Protocol

import numpy as np

from chalkgrad.engine.base import TensorBase, meta_of, new_tensor, rare_of, state, version_of
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.graph import Node
from chalkgrad.engine.memory_format import copied, for_others
from chalkgrad.errors import blame

Gradient = Any
Hooks = dict[int, Callable[..., Any]]


class Change(NamedTuple):
    """How often hooks wrote into a gradient, and what it was when it ``came``; None where they made another tensor."""

    writes: int
    came: np.ndarray | None


class Run(Protocol):
    """What hooks need of the backward that calls them."""

    record: bool

    def replaced(self, node: Node, gradient: np.ndarray, change: Change) -> None:
        """``node`` gets ``gradient`` now, which hooks made of what came to it."""

    def hold(self, gradient: np.ndarray) -> None:
        """Somebody outside of the backward has ``gradient``."""


def run_tensor_hooks(node: Node, incoming: tuple[Gradient, ...], run: Run) -> tuple[Gradient, ...]:
    """Call what was registered with ``tensor.register_hook`` on the node's outputs, in order."""
    changed = list(incoming)
    for port, hooks in rare_of(node).hooks.items():
        changed[port] = _through(hooks, changed[port], node, run)
    return tuple(changed)


def run_leaf_hooks(node: Node, variable: TensorBase, gradient: Gradient, run: Run) -> Gradient:
    """Call a leaf's hooks on the gradient that is about to be added to its ``.grad``."""
    return _through(meta_of(variable).hooks or {}, gradient, node, run)


def _through(hooks: Hooks, gradient: Gradient, node: Node, run: Run) -> Gradient:
    """``gradient``, None where none came, after all ``hooks``: the same array unless one of them changed it."""
    if not hooks:
        return gradient
    given = tensor = gradient if run.record or gradient is None else _shown(gradient)
    for hook in list(hooks.values()):
        before = _told((tensor,))
        tensor = _called(hook, tensor, node)
        _tell(node, hook, before, (tensor,))
    if run.record or gradient is None:
        return tensor
    same = tensor is given
    found = gradient
    if not same or version_of(tensor):
        found = copied(tensor.array, tensor.array.dtype)
        run.replaced(node, found, Change(version_of(tensor), gradient if same else None))
    kept_by_observer = not same and state.observer is not None  # who was told of what the hook made, and may keep it
    if not kept_by_observer and getrefcount(tensor) > (3 if same else 2):
        run.hold(found)
    return found


def _called(hook: Any, tensor: TensorBase | None, node: Node) -> TensorBase | None:
    """Call a hook on one gradient; the gradient it returned, or ``tensor`` where it returned None."""
    returned = hook(tensor)
    if returned is None:
        return tensor
    _check(node, hook, tensor, returned)
    checked: TensorBase = returned
    return checked


def _check(node: Node, hook: Any, came: TensorBase | None, returned: Any) -> None:
    """Raise unless a hook may put ``returned`` in the place of the gradient that came."""
    if came is None:
        raise blame(RuntimeError("can't replace a None gradient with a non-None value"), node=node)
    if not isinstance(returned, TensorBase):
        raise blame(TypeError(f"expected Variable, but hook returned '{type(returned).__name__}'"), node=node)
    if returned.array.dtype != came.array.dtype:
        was, got = (f"torch.{dtype_of(tensor.array).scalar_type}Tensor" for tensor in (came, returned))
        what = f"has changed the type of value (was {was} got {got})"
        raise blame(RuntimeError(f"hook '{_name_of(hook)}' {what}"), node=node)
    if returned.array.shape != came.array.shape:
        raise blame(RuntimeError(f"hook '{_name_of(hook)}' has changed the size of value"), node=node)


def _name_of(hook: Any) -> str:
    return getattr(hook, "__name__", "<unknown>")


def run_before_hooks(node: Node, incoming: tuple[Gradient, ...], run: Run) -> tuple[Gradient, ...]:
    """Call what was registered with ``node.register_prehook``."""
    given = tensors = _all_shown(incoming, run)
    for hook in list(rare_of(node).before.values()):
        before = _told(tensors)
        returned = hook(tensors)
        if returned is not None:
            tensors = _checked(node, hook, tensors, returned)
        _tell(node, hook, before, tensors)
    settled, changes = _all_settled(incoming, given, tensors, run)
    if 0 in changes and incoming[0] is not None and not node.many:
        run.replaced(node, settled[0], changes[0])
    return settled


def run_leaf_after_hooks(variable: TensorBase) -> None:
    """Call what was registered with ``tensor.register_post_accumulate_grad_hook``."""
    for hook in list((meta_of(variable).after or {}).values()):
        if hook(variable) is not None:
            raise blame(RuntimeError("Tensor post accumulate grad hooks should return None."), tensor=variable)


def run_after_hooks(
    node: Node, found: tuple[Gradient, ...], incoming: tuple[Gradient, ...], run: Run
) -> tuple[tuple[Gradient, ...], dict[int, Change]]:
    """Call what was registered with ``node.register_hook``; the gradients then, and what hooks did to them by place."""
    outer = _all_shown(incoming, run)
    given = tensors = _all_shown(found, run)
    for hook in list(rare_of(node).after.values()):
        before = _told(tensors)
        returned = hook(tensors, outer)
        if returned is not None:
            tensors = _checked(node, hook, tensors, returned)
        _tell(node, hook, before, tensors)
    return _all_settled(found, given, tensors, run)


def _told(gradients: Sequence[TensorBase | None]) -> tuple[np.ndarray | None, ...]:
    """Copies of gradients for an observer; none where nobody observes."""
    if state.observer is None:
        return ()
    return tuple([None if gradient is None else gradient.array.copy() for gradient in gradients])


def _tell(node: Node, hook: Any, before: Sequence[Gradient], after: Sequence[TensorBase | None]) -> None:
    """Say what a hook made of gradients."""
    if state.observer is not None:
        state.observer.hook_ran(node, getattr(hook, "__name__", type(hook).__name__), before, _told(after))


def _shown(gradient: Gradient) -> TensorBase:
    return new_tensor(for_others(gradient))


def _all_shown(gradients: Sequence[Gradient], run: Run) -> tuple[TensorBase | None, ...]:
    """Gradients as the hooks of nodes get them: one that goes on twice is one tensor."""
    if run.record:
        return tuple(gradients)
    shown = {id(gradient): _shown(gradient) for gradient in gradients if gradient is not None}
    return tuple([shown.get(id(gradient)) for gradient in gradients])


def _all_settled(
    gradients: tuple[Gradient, ...],
    given: tuple[TensorBase | None, ...],
    tensors: tuple[TensorBase | None, ...],
    run: Run,
) -> tuple[tuple[Gradient, ...], dict[int, Change]]:
    """What hooks made of ``gradients``, which they got as ``given``; what they left alone is the same as before."""
    changes: dict[int, Change] = {}
    if run.record:
        return tensors, changes
    settled: list[Gradient] = []
    for gradient, before, after in zip(gradients, given, tensors, strict=True):
        if after is None or (after is before and not version_of(after)):
            settled.append(None if after is None else gradient)
        else:
            changes[len(settled)] = Change(version_of(after), gradient if after is before else None)
            settled.append(after.array.copy(order="K"))
    return tuple(settled), changes


def _checked(
    node: Node, hook: Any, came: tuple[TensorBase | None, ...], returned: Any
) -> tuple[TensorBase | None, ...]:
    """What the hook of a node returned, if that can be in the place of the gradients that came."""
    if not isinstance(returned, tuple):
        raise blame(TypeError(f"expected tuple, but hook returned '{type(returned).__name__}'"), node=node)
    if len(returned) != len(came):
        what = f"has returned an incorrect number of values (got {len(returned)}, but expected {len(came)})"
        raise blame(RuntimeError(f"hook '{_name_of(hook)}' {what}"), node=node)
    for before, after in zip(came, returned, strict=True):
        if after is not None:
            _check(node, hook, before, after)
    return returned
