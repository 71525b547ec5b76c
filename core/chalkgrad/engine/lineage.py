"""What a tensor comes from: its grad_fn, brought up to date for views, and whether it requires grad."""

from __future__ import annotations

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
    settle_hooks(tensor, old)
    if state.observer is not None:
        state.observer.node_made(node, (base,), (tensor,))


def settle_hooks(tensor: TensorBase, old: Node | None) -> None:
    """After ``tensor`` got another grad_fn: the gradient it keeps is that of its newest value, hooks stay with the old.

    A gradient that was asked for before the tensor was laid anew over its memory stays where it is, too.
    """
    meta = tensor.meta
    if meta is None or tensor.node is None:
        return
    meta.hooks = None
    if meta.retains and old is not None and old.rare is not None and meta.output_nr in old.rare.retained:
        rare_of(tensor.node).retained[0] = old.rare.retained.pop(meta.output_nr)
    meta.output_nr = 0


def requires_grad_of(tensor: TensorBase) -> bool:
    """``requires_grad``: it has a history, was asked to, or shows memory of a tensor that does."""
    if tensor.node is not None:
        return True
    meta = tensor.meta
    if meta is None:
        return False
    return meta.requires_grad or (meta.view is not None and requires_grad_of(meta.view.base))
