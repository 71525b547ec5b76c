"""Backward hooks of a module: nodes around it that see the gradients of its outputs and inputs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, meta_of, new_tensor, state
from chalkgrad.engine.custom import passed_through
from chalkgrad.engine.graph import Node, edge_of
from chalkgrad.engine.lineage import requires_grad_of

Hook = Callable[..., Any]

UNUSED_INPUTS = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require "
    "gradients. See "
    "https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.register_full_backward_hook "
    "for more details."
)


class BackwardHookFunctionBackward(Node):
    """Passes gradients on as they are, so that hooks on it see those of several tensors at once."""

    __slots__ = ()
    many = True

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object at {id(self):#x}>"

    def run(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """The gradients, zeros for those that didn't come."""
        return [
            np.zeros(shape, dtype) if gradient is None else gradient
            for gradient, shape, dtype in zip(g, self.shape, self.dtype, strict=True)
        ]

    def run_recorded(self, g: Any, edges: tuple[Node | None, ...]) -> list[Any]:
        """The same with tensors."""
        return [
            new_tensor(np.zeros(shape, dtype)) if gradient is None else gradient
            for gradient, shape, dtype in zip(g, self.shape, self.dtype, strict=True)
        ]


BackwardHookFunctionBackward.__module__ = "torch.autograd.function"


def _through_node(tensors: Sequence[TensorBase]) -> tuple[Node, list[TensorBase]]:
    """A node behind ``tensors``, and tensors on their memory that come from it."""
    node = BackwardHookFunctionBackward(
        tuple(edge_of(tensor) for tensor in tensors),
        (),
        (),
        tuple(tensor.array.shape for tensor in tensors),
        tuple(tensor.array.dtype for tensor in tensors),
    )
    node.ports = tuple(tensor.output_nr for tensor in tensors)
    passed = []
    for number, tensor in enumerate(tensors):
        made = passed_through(tensor)
        meta = meta_of(made)
        if requires_grad_of(tensor):
            made.node, meta.output_nr = node, number
        if meta.view is not None:
            meta.view.made = "many" if len(tensors) > 1 else "custom"
        passed.append(made)
    return node, passed


class BackwardHooks:
    """The backward hooks of one call of a module: keeps the outputs' gradients until those of the inputs are there.

    ``outer`` are the gradients of the outputs in between, ``inputs`` and ``outputs`` the places of the tensors among
    the arguments and results, None where none of them requires grad.
    """

    def __init__(self, module: Any, hooks: list[Hook], pre_hooks: list[Hook]) -> None:
        self.module = module
        self.hooks, self.pre_hooks = hooks, pre_hooks
        self.outer: Any = None
        self.inputs: list[int] | None = None
        self.outputs: list[int] | None = None
        self.input_count = self.output_count = 0

    def watch_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, passed through a node that calls the hooks."""
        watched, self.inputs = self._watched(args, self._inputs_done)
        self.input_count = len(args)
        return watched

    def watch_outputs(self, result: Any) -> Any:
        """The results, passed through a node that keeps their gradients."""
        if not isinstance(result, TensorBase | tuple):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                f"{type(result)}",
                stacklevel=4,
            )
        values = result if isinstance(result, tuple) else (result,)
        watched, self.outputs = self._watched(values, self._outputs_done)
        self.output_count = len(values)
        return watched if isinstance(result, tuple) else watched[0]

    def _watched(self, values: tuple[Any, ...], hook: Hook) -> tuple[tuple[Any, ...], list[int] | None]:
        places = [place for place, value in enumerate(values) if isinstance(value, TensorBase)]
        if not state.grad or not any(requires_grad_of(values[place]) for place in places):
            return values, None
        node, passed = _through_node([values[place] for place in places])
        node.register_hook(hook)
        found = list(values)
        for place, tensor in zip(places, passed, strict=True):
            found[place] = tensor
        return tuple(found) if type(values) is tuple else type(values)(*found), places

    def _outputs_done(self, _: Any, gradients: tuple[Any, ...]) -> Any:
        places = self.outputs or []
        self.outer = _spread(places, gradients, self.output_count)
        for hook in self.pre_hooks:
            returned = hook(self.module, self.outer)
            if returned is None:
                continue
            if len(returned) != self.output_count:
                raise RuntimeError(
                    "Backward pre hook returned an invalid number of grad_output, "
                    f"got {len(returned)}, but expected {self.output_count}"
                )
            self.outer = returned
        outer = self.outer
        if self.inputs is None:
            self._call_without_inputs()
        return tuple(outer[place] for place in places)

    def _call_without_inputs(self) -> None:
        """No gradient is going to reach the inputs: the hooks are called at once, with None for each."""
        warnings.warn(UNUSED_INPUTS, stacklevel=5)
        for hook in self.hooks:
            returned = hook(self.module, (None,) * self.input_count, self.outer)
            if returned is not None and not (isinstance(returned, tuple) and all(value is None for value in returned)):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always return None or None for "
                    "all gradients."
                )
        self.outer = None

    def _inputs_done(self, gradients: tuple[Any, ...], _: Any) -> Any:
        if self.outer is None:  # the gradients came past the module's outputs, as in a double backward
            return None
        places = self.inputs or []
        inner: Any = _spread(places, gradients, self.input_count)
        for hook in self.hooks:
            returned = hook(self.module, inner, self.outer)
            if returned is None:
                continue
            if len(returned) != len(inner):
                raise RuntimeError(
                    "Backward hook returned an invalid number of grad_input, "
                    f"got {len(returned)}, but expected {len(inner)}"
                )
            inner = returned
        self.outer = None
        return tuple(inner[place] for place in places)


def _spread(places: list[int], gradients: Sequence[Any], count: int) -> tuple[Any, ...]:
    """Gradients at the places of their tensors, None elsewhere."""
    found: list[Any] = [None] * count
    for place, gradient in zip(places, gradients, strict=True):
        found[place] = gradient
    return tuple(found)
