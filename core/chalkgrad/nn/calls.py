"""Calling a module: its hooks before, around and after ``forward``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.graph import Node
from chalkgrad.engine.handle import Handle
from chalkgrad.nn.attributes import Attributes
from chalkgrad.nn.backward_hooks import BackwardHooks, warn_of_old_hooks
from chalkgrad.nn.everywhere import EVERYWHERE
from chalkgrad.nn.everywhere import SET as EVERYWHERE_SET

Hook = Callable[..., Any]

ONE_KIND = (
    "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
)


def _forward_unimplemented(self: Any, *input: Any) -> NoReturn:
    """What the module computes; a subclass says it."""
    raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


def registered(hooks: Any, hook: Hook, prepend: bool = False) -> Handle:
    """Put ``hook`` last, or first, into a table of hooks."""
    handle = Handle(hooks, hook)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


class Calls(Attributes):
    """Runs ``forward`` when called, and the hooks around it where there are any."""

    _backward_pre_hooks: dict[int, Hook]
    _backward_hooks: dict[int, Hook]
    _forward_hooks: dict[int, Hook]
    _forward_hooks_with_kwargs: dict[int, bool]
    _forward_hooks_always_called: dict[int, bool]
    _forward_pre_hooks: dict[int, Hook]
    _forward_pre_hooks_with_kwargs: dict[int, bool]
    _is_full_backward_hook: bool | None

    forward: Callable[..., Any] = _forward_unimplemented

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` and the hooks."""
        own = self._backward_hooks or self._backward_pre_hooks or self._forward_hooks or self._forward_pre_hooks
        if not (own or EVERYWHERE_SET):
            return self.forward(*args, **kwargs)
        called: set[int] = set()
        try:
            return self._hooked(args, kwargs, called)
        except Exception:
            self._call_the_always_called(args, kwargs, called)
            raise

    def _hooked(self, args: tuple[Any, ...], kwargs: dict[str, Any], called: set[int]) -> Any:
        args, kwargs = self._before(args, kwargs)
        around = None
        full = self._hooks_of_backward(full=True)
        pre = [*EVERYWHERE.backward_pre.values(), *self._backward_pre_hooks.values()]
        if full or pre:
            around = BackwardHooks(self, full, pre)
            args = around.watch_inputs(args)
        result = self.forward(*args, **kwargs)
        for key, hook in [*EVERYWHERE.forward.items(), *self._forward_hooks.items()]:
            if key in self._forward_hooks_always_called or key in EVERYWHERE.always_called:
                called.add(key)
            whole = key in self._forward_hooks_with_kwargs or key in EVERYWHERE.with_kwargs
            returned = hook(self, args, kwargs, result) if whole else hook(self, args, result)
            result = result if returned is None else returned
        if around is not None:
            result = around.watch_outputs(result)
        old = self._hooks_of_backward(full=False)
        if old:
            self._watch_node(old, args, result)
        return result

    def _hooks_of_backward(self, full: bool) -> list[Hook]:
        """The backward hooks of one of the two kinds, those of all modules first."""
        everywhere = EVERYWHERE.backward.values() if EVERYWHERE.is_full is full else ()
        return [*everywhere, *(self._backward_hooks.values() if self._is_full_backward_hook is full else ())]

    def _before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments as the forward pre-hooks leave them."""
        for key, hook in [*EVERYWHERE.forward_pre.items(), *self._forward_pre_hooks.items()]:
            if key in self._forward_pre_hooks_with_kwargs:
                returned = hook(self, args, kwargs)
                if returned is None:
                    continue
                if not isinstance(returned, tuple) or len(returned) != 2:
                    raise RuntimeError(
                        f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {returned}."
                    )
                args, kwargs = returned
            else:
                returned = hook(self, args)
                if returned is not None:
                    args = returned if isinstance(returned, tuple) else (returned,)
        return args, kwargs

    def _call_the_always_called(self, args: tuple[Any, ...], kwargs: dict[str, Any], called: set[int]) -> None:
        """After an error, run the hooks that were to run whatever happens and have not yet."""
        wanted = {**EVERYWHERE.always_called, **self._forward_hooks_always_called}
        for key, hook in [*EVERYWHERE.forward.items(), *self._forward_hooks.items()]:
            if key not in wanted or key in called:
                continue
            try:
                if key in self._forward_hooks_with_kwargs or key in EVERYWHERE.with_kwargs:
                    hook(self, args, kwargs, None)
                else:
                    hook(self, args, None)
            except Exception as error:
                warnings.warn(
                    "module forward hook with ``always_call=True`` raised an exception that was silenced as another "
                    f"error was raised in forward: {error}",
                    stacklevel=3,
                )

    def _watch_node(self, hooks: list[Hook], args: tuple[Any, ...], result: Any) -> None:
        """Let the hooks of the old kind be called with the gradients of the last operator alone."""
        first = result
        while not isinstance(first, TensorBase):
            first = next(value for value in first.values()) if isinstance(first, dict) else first[0]
        node: Node | None = first.grad_fn  # type: ignore[attr-defined]
        if node is not None:
            for hook in hooks:
                node.register_hook(partial(hook, self))
            warn_of_old_hooks(args, result, node)

    # Registration

    def register_forward_pre_hook(self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False) -> Handle:
        """Call ``hook(module, args)`` before ``forward``; what it returns replaces the arguments."""
        handle = registered(self._forward_pre_hooks, hook, prepend)
        if with_kwargs:
            handle.mark(self._forward_pre_hooks_with_kwargs)
        return handle

    def register_forward_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> Handle:
        """Call ``hook(module, args, output)`` after ``forward``; what it returns replaces the output."""
        handle = registered(self._forward_hooks, hook, prepend)
        marks = ((with_kwargs, self._forward_hooks_with_kwargs), (always_call, self._forward_hooks_always_called))
        handle.mark(*[mark for wanted, mark in marks if wanted])
        return handle

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Call ``hook(module, grad_output)`` before the gradients of the module are computed."""
        return registered(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Call ``hook(module, grad_input, grad_output)`` when the gradients of the inputs are computed."""
        if self._is_full_backward_hook is False:
            raise RuntimeError(ONE_KIND)
        self._is_full_backward_hook = True
        return registered(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook: Hook) -> Handle:
        """The old kind, on the node of the last operator."""
        if self._is_full_backward_hook is True:
            raise RuntimeError(ONE_KIND)
        self._is_full_backward_hook = False
        return registered(self._backward_hooks, hook)
