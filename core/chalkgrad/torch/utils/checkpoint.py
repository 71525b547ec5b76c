"""``torch.utils.checkpoint``: memory saved at the price of computing twice."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from chalkgrad.engine.recomputing import (
    CheckpointError,
    CheckpointFunction,
    Contexts,
    check_backward_validity,
    detach_variable,
    noop_context_fn,
    recomputed,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)
from chalkgrad.nn import Sequential
from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "detach_variable",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
]

_NOT_SAID = (
    "{}will raise an exception{}. use_reentrant=False is recommended, but if you need to preserve the current default "
    "behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two "
    "variants."
)
_NOT_SAID_OF_ONE = _NOT_SAID.format(
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling "
    "checkpoint without use_reentrant ",
    "",
)
_NOT_SAID_OF_SEVERAL = _NOT_SAID.format(
    "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version "
    "2.9 we ",
    " if use_reentrant is not passed",
)


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Contexts = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args, **kwargs)``, which saves nothing for its backward but runs again there.

    With ``debug`` an error about a second run that differs lists the operators of both.
    """
    if use_reentrant is None:
        warnings.warn(_NOT_SAID_OF_ONE, UserWarning, stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        _refuse(kwargs)
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve, *args)
    if debug and context_fn is not noop_context_fn:
        raise ValueError("debug=True is incompatible with non-default context_fn")
    how = {"preserve": preserve, "contexts": context_fn, "check": determinism_check}
    return recomputed(function, args, kwargs, **how, early_stop=early_stop, debug=debug)


def checkpoint_sequential(
    functions: Sequential | Sequence[Callable[..., Any]],
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    **kwargs: Any,
) -> Any:
    """``functions`` one after the other, in so many segments, each but the last a :func:`checkpoint`."""
    if use_reentrant is None:
        warnings.warn(_NOT_SAID_OF_SEVERAL, UserWarning, stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    _refuse(kwargs)
    parts = list(functions.children()) if isinstance(functions, Sequential) else functions
    size = len(parts) // segments
    end = 0
    for end in range(size, size * segments, size):
        segment = _one_after_the_other(parts[end - size : end])
        input = checkpoint(segment, input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return _one_after_the_other(parts[end:])(input)


def _one_after_the_other(functions: Sequence[Callable[..., Any]]) -> Callable[[Any], Any]:
    def forward(input: Any) -> Any:
        for function in functions:
            input = function(input)
        return input

    return forward


def _refuse(kwargs: dict[str, Any]) -> None:
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))


__getattr__ = _absent("torch.utils.checkpoint")
