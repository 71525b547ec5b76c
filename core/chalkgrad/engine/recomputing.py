"""Checkpoints: parts of a forward that keep nothing of what they compute and run again in the backward."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from chalkgrad.engine import autograd, messages
from chalkgrad.engine.backward import running
from chalkgrad.engine.base import TensorBase, meta_of, state
from chalkgrad.engine.custom import CustomNode, entry
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.function import Function
from chalkgrad.engine.generator import default_generator
from chalkgrad.engine.lineage import requires_grad_of
from chalkgrad.engine.modes import enable_grad, no_grad
from chalkgrad.engine.operator_log import OperatorLog
from chalkgrad.engine.packing import saved_tensors_hooks
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.size import Size

Contexts = Callable[[], tuple[AbstractContextManager[Any], AbstractContextManager[Any]]]

_early_stop: list[bool] = []
"""What :func:`set_checkpoint_early_stop` says in the blocks that are open."""


class CheckpointError(RuntimeError):
    """A part ran otherwise the second time."""


class _Stop(Exception):  # noqa: N818  nothing went wrong
    """All that is needed has been computed again."""


def noop_context_fn() -> tuple[AbstractContextManager[Any], AbstractContextManager[Any]]:
    """Contexts that do nothing, for the part itself and for running it again."""
    return nullcontext(), nullcontext()


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Whether checkpoints of this block stop running again as soon as they have what is needed."""
    _early_stop.append(enable)
    try:
        yield
    finally:
        _early_stop.pop()


_debug: list[bool | None] = [None]
"""What :func:`set_checkpoint_debug_enabled` says in the blocks that are open; None for nothing."""


@contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Whether checkpoints of this block list the operators of both runs where these differ; None leaves it to each."""
    _debug.append(enabled)
    try:
        yield
    finally:
        _debug.pop()


@contextmanager
def _same_draws(drawn_from: bytes | None) -> Iterator[None]:
    """Draw what was drawn from ``drawn_from`` on, without the global stream noticing; None for no such thing."""
    before = default_generator.state_bytes()
    if drawn_from is not None:
        default_generator.restore(drawn_from)
    try:
        yield
    finally:
        if drawn_from is not None:
            default_generator.restore(before)


# With the graph of the first run, whose nodes ask for what they saved (use_reentrant=False)


class _Holder:
    """What a node keeps in the place of a tensor: for each backward the tensor computed again, None once taken."""

    __slots__ = ("__weakref__", "found")

    def __init__(self) -> None:
        self.found: weakref.WeakKeyDictionary[Any, TensorBase | None] = weakref.WeakKeyDictionary()


class _Outside:
    """Stands for the backward where there is none: somebody looks at a saved value by hand."""


class Part:
    """One call of a function that saves nothing: how to run it again, and who asks for what it would have saved."""

    def __init__(
        self,
        again: Callable[..., Any],
        describe: Callable[[TensorBase], Any],
        *,
        stops: bool,
        logs: tuple[OperatorLog, OperatorLog] | None,
    ) -> None:
        self.again = again
        self.logs = logs
        self.describe = describe
        self.stops = stops
        self.over = False
        self.holders: list[weakref.ref[_Holder]] = []
        self.facts: list[Any] = []
        self.loose = False
        self._counts: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._done: weakref.WeakSet[Any] = weakref.WeakSet()
        self._inputs: list[Any] = []
        self._tensors = CustomNode()

    def keep_inputs(self, inputs: tuple[Any, ...]) -> None:
        """Keep what the function is called with; tensors as any node keeps them, by hooks too."""
        tensors = [value for value in inputs if isinstance(value, TensorBase)]
        self._tensors._keep(tuple(entry(self._tensors, tensor) for tensor in tensors))
        self._inputs = [None if isinstance(value, TensorBase) else (value,) for value in inputs]

    def pack(self, tensor: TensorBase) -> _Holder:
        """Keep nothing of ``tensor`` but what it is like."""
        holder = _Holder()
        self.holders.append(weakref.ref(holder))
        self.facts.append(self.describe(tensor))
        return holder

    def unpack(self, holder: _Holder) -> TensorBase:
        """The tensor that ``holder`` stands for, computed again if this backward has not done so yet."""
        run = running[-1] if running else _Outside()
        if run not in self._done:
            try:
                self._run_again(run)
            except CheckpointError as error:
                if self.logs is None:
                    raise
                raise CheckpointError(self.logs[0].compared_with(self.logs[1])) from error
        found = holder.found[run]
        if found is None:
            raise CheckpointError(messages.UNPACKED_TWICE)
        holder.found[run] = None
        return found

    def _run_again(self, run: Any) -> None:
        tensors = iter(self._tensors.saved_tensors)
        inputs = [next(tensors) if kept is None else kept[0] for kept in self._inputs]

        def pack(tensor: TensorBase) -> TensorBase:
            return self._found(run, tensor)

        try:
            with saved_tensors_hooks(pack, _as_it_is), enable_grad():
                self.again(*inputs)
        except _Stop:
            pass
        self._done.add(run)
        self._check(run)

    def _found(self, run: Any, tensor: TensorBase) -> TensorBase:
        """A tensor that is saved while the function runs again: the next in order."""
        plain: TensorBase = TENSORS.detach(tensor) if requires_grad_of(tensor) else tensor
        place = self._counts.get(run, 0)
        self._counts[run] = place + 1
        if place >= len(self.holders):
            if self.over:
                raise CheckpointError(messages.MORE_SAVED)
            self.loose = True  # a backward within the function: what follows it is saved for the first time
            return plain
        holder = self.holders[place]()
        if holder is not None:  # one whose node was freed meanwhile is needed no more
            holder.found[run] = plain
        if self.stops and place + 1 == len(self.holders):
            raise _Stop
        return plain

    def _check(self, run: Any) -> None:
        """Raise where the second run saved other things than the first."""
        if self.loose:
            return
        count = self._counts.get(run, 0)
        if count != len(self.holders):
            raise CheckpointError(messages.other_number_saved(len(self.holders), count))
        differing = []
        for place, reference in enumerate(self.holders):
            holder = reference()
            found = None if holder is None else holder.found[run]
            if found is not None and self.describe(found) != self.facts[place]:
                differing.append((place, self.facts[place], self.describe(found)))
        if differing:
            raise CheckpointError(messages.others_saved(differing))


def _as_it_is(tensor: TensorBase) -> TensorBase:
    return tensor


def _looks(tensor: TensorBase) -> dict[str, Any]:
    """What is compared of a tensor that is saved again."""
    device = tensor.device  # type: ignore[attr-defined]
    return {"shape": Size(tensor.array.shape), "dtype": dtype_of(tensor.array), "device": device}


def _nothing(tensor: TensorBase) -> None:
    """Nothing is compared."""


CHECKS: dict[str, Callable[[TensorBase], Any]] = {"default": _looks, "none": _nothing}


def recomputed(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    preserve: bool,
    contexts: Contexts,
    check: str,
    early_stop: bool,
    debug: bool = False,
) -> Any:
    """``function(*args, **kwargs)``, of which nodes keep nothing: what they need is computed again."""
    if check not in CHECKS:
        raise ValueError(f"determinism_check should be one of {list(CHECKS)}, but got {check}")
    forward_context, second_context = contexts()
    logs = (OperatorLog(), OperatorLog()) if (debug if _debug[-1] is None else _debug[-1]) else None
    drawn_from = default_generator.state_bytes() if preserve else None

    def again(*inputs: Any) -> None:
        with _same_draws(drawn_from), second_context, logs[1].listening() if logs else nullcontext():
            function(*inputs, **kwargs)

    if not state.grad:
        return function(*args, **kwargs)
    part = Part(again, CHECKS[check], stops=_early_stop[-1] if _early_stop else early_stop, logs=logs)
    part.keep_inputs(args)
    listening = logs[0].listening() if logs else nullcontext()
    with saved_tensors_hooks(part.pack, part.unpack), forward_context, listening:
        result = function(*args, **kwargs)
    part.over = True
    return result


# Without a graph of the first run: one node for the whole, whose backward runs a backward of its own (use_reentrant)


class CheckpointFunction(Function):
    """A function as one operator: its backward runs it again, with a graph, and goes back through that."""

    @staticmethod
    def forward(ctx: Any, run_function: Callable[..., Any], preserve_rng_state: bool, *args: Any) -> Any:
        """What ``run_function`` gives."""
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.fwd_cpu_state = default_generator.state_bytes() if preserve_rng_state else None
        ctx.inputs = [None if isinstance(value, TensorBase) else (value,) for value in args]
        ctx.save_for_backward(*[value for value in args if isinstance(value, TensorBase)])
        with no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        """Gradients of the arguments."""
        if not (running and running[-1].for_all):
            raise RuntimeError(messages.REENTRANT_PARTLY)
        tensors = iter(ctx.saved_tensors)
        inputs = detach_variable(tuple(next(tensors) if kept is None else kept[0] for kept in ctx.inputs))
        with _same_draws(ctx.fwd_cpu_state), enable_grad():
            outputs = ctx.run_function(*inputs)
        outputs = (outputs,) if isinstance(outputs, TensorBase) else outputs
        followed = [
            (output, gradient)
            for output, gradient in zip(outputs, args, strict=False)
            if isinstance(output, TensorBase) and requires_grad_of(output)
        ]
        if not followed:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        autograd.backward([output for output, _ in followed], [gradient for _, gradient in followed])
        gradients = [meta_of(value).grad if isinstance(value, TensorBase) else None for value in inputs]
        return None, None, *gradients


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tensors among ``inputs`` as leaves on the same memory that require grad where they did; all else as it is."""
    if not isinstance(inputs, tuple):
        kind = type(inputs).__name__
        raise RuntimeError(f"Only tuple of tensors is supported. Got Unsupported input type: {kind}")
    found = []
    for value in inputs:
        if isinstance(value, TensorBase):
            leaf = TENSORS.detach(value)
            leaf.requires_grad = requires_grad_of(value)
            value = leaf
        found.append(value)
    return tuple(found)


def check_backward_validity(inputs: Iterable[Any]) -> None:
    """Warn where no tensor among ``inputs`` requires grad."""
    if not any(isinstance(value, TensorBase) and requires_grad_of(value) for value in inputs):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


CheckpointError.__module__ = CheckpointFunction.__module__ = "torch.utils.checkpoint"
