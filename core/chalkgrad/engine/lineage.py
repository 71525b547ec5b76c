"""What a tensor comes from: its grad_fn, brought up to date for views, and whether it requires grad."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from chalkgrad.engine import messages
from chalkgrad.engine.base import TensorBase, View, rare_of, state, version_of

if TYPE_CHECKING:
    from chalkgrad.engine.graph import Node


def grad_fn_of(tensor: TensorBase) -> Node | None:
    """The tensor's grad_fn, brought up to date first if it is a view whose memory was written."""
    meta = tensor.meta
    if meta is not None and meta.view is not None:
        refresh_view(tensor, meta.view)
    return tensor.node


def refresh_view(tensor: TensorBase, view: View) -> None:
    """Give a view whose base or sibling was written in place the grad_fn it has now: a strided piece of its base."""
    base = view.base
    if tensor.node is None and not requires_grad_of(base):
        return
    version = version_of(tensor)
    if version == view.version:
        return
    if view.made in messages.BLOCKED_VIEWS:
        raise messages.blocked_view_written(tensor, tensor.node, view.made, indirectly=True)
    if view.made == "many":
        raise messages.one_of_many_views_written(tensor, tensor.node, indirectly=True)
    old = tensor.node
    view.version = version
    tensor.node = node = state.regenerated(tensor, base)
    move_retained(tensor, old)
    if state.observer is not None:
        state.observer.node_made(node, (base,), (tensor,))


def move_retained(tensor: TensorBase, old: Node | None) -> None:
    """After ``tensor`` got another grad_fn: gradients it asked to keep are those of its newest value."""
    meta = tensor.meta
    if meta is None or not meta.retains or tensor.node is None:
        return
    if old is not None and old.rare is not None:
        old.rare.retained.pop(meta.output_nr, None)
    meta.output_nr = 0
    rare_of(tensor.node).retained[0] = weakref.ref(tensor)


def requires_grad_of(tensor: TensorBase) -> bool:
    """``requires_grad``: it has a history, was asked to, or shows memory of a tensor that does."""
    if tensor.node is not None:
        return True
    meta = tensor.meta
    if meta is None:
        return False
    return meta.requires_grad or (meta.view is not None and requires_grad_of(meta.view.base))
