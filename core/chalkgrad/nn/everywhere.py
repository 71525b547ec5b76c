"""Hooks of all modules, whatever their class: for looking into a model that somebody else wrote."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from chalkgrad.engine.handle import Handle

Hook = Callable[..., Any]
Table = OrderedDict[int, Hook]
Marks = OrderedDict[int, bool]

ONE_KIND = (
    "Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use only one of "
    "them."
)


class Everywhere:
    """The tables of these hooks, and whether those of a backward are of the full kind."""

    __slots__ = ("always_called", "backward", "backward_pre", "forward", "forward_pre", "is_full", "with_kwargs")

    def __init__(self) -> None:
        self.forward_pre: Table = OrderedDict()
        self.forward: Table = OrderedDict()
        self.backward_pre: Table = OrderedDict()
        self.backward: Table = OrderedDict()
        self.with_kwargs: Marks = OrderedDict()
        self.always_called: Marks = OrderedDict()
        self.is_full: bool | None = None


EVERYWHERE = Everywhere()
"""The hooks that are set now."""

SET: Marks = OrderedDict()
"""All of them by number: each call of a module looks here whether there is one."""


def _set(table: Table, hook: Hook, *marks: Marks) -> Handle:
    handle = Handle(table, hook)
    handle.mark(SET, *marks)
    return handle


def register_module_forward_pre_hook(hook: Hook) -> Handle:
    """Call ``hook(module, args)`` before the ``forward`` of each module."""
    return _set(EVERYWHERE.forward_pre, hook)


def register_module_forward_hook(hook: Hook, *, with_kwargs: bool = False, always_call: bool = False) -> Handle:
    """Call ``hook(module, args, output)`` after the ``forward`` of each module."""
    marks = ((with_kwargs, EVERYWHERE.with_kwargs), (always_call, EVERYWHERE.always_called))
    return _set(EVERYWHERE.forward, hook, *[mark for wanted, mark in marks if wanted])


def register_module_backward_hook(hook: Hook) -> Handle:
    """The old kind: on the node of each module's last operator."""
    if EVERYWHERE.is_full is True:
        raise RuntimeError(ONE_KIND)
    EVERYWHERE.is_full = False
    return _set(EVERYWHERE.backward, hook)


def register_module_full_backward_pre_hook(hook: Hook) -> Handle:
    """Call ``hook(module, grad_output)`` before the gradients of each module are computed."""
    return _set(EVERYWHERE.backward_pre, hook)


def register_module_full_backward_hook(hook: Hook) -> Handle:
    """Call ``hook(module, grad_input, grad_output)`` when the gradients of each module's inputs are computed."""
    if EVERYWHERE.is_full is False:
        raise RuntimeError(ONE_KIND)
    EVERYWHERE.is_full = True
    return _set(EVERYWHERE.backward, hook)
