"""Backwards that can be stopped for a while: what ``y.backward()`` and ``torch.autograd.grad`` do, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from chalkgrad.engine import autograd
from chalkgrad.engine.graph import TensorBase

GRAD_OPTIONS = frozenset({"allow_unused", "materialize_grads"})


class Backward(Protocol):
    """What can be advanced."""

    def advance(self, count: int | None) -> bool:
        """Run the next ``count`` nodes; True when nothing is left."""


class GradRun:
    """A ``torch.autograd.grad`` on its way: advance it to its end, then ask for the gradients."""

    def __init__(self, outputs: Any, inputs: Any, weights: Any, options: Mapping[str, Any]) -> None:
        given = {name: value for name, value in options.items() if name not in GRAD_OPTIONS}
        self._materialize = bool(options.get("materialize_grads", False))
        allowed = options.get("allow_unused")
        if self._materialize and allowed is False:
            raise ValueError(
                "Expected allow_unused to be True or not passed when materialize_grads=True, "
                "but got: allow_unused=False."
            )
        self._allow_unused = self._materialize if allowed is None else bool(allowed)
        self._inputs = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
        self._run = autograd.start_grad(outputs, inputs, weights, **given)

    def advance(self, count: int | None) -> bool:
        """Run the next ``count`` nodes; True when nothing is left."""
        return self._run.advance(count)

    def gradients(self) -> tuple[TensorBase | None, ...]:
        """One gradient for each input; RuntimeError for one that the graph doesn't use."""
        return autograd.gradients_found(self._run, self._inputs, self._allow_unused, self._materialize)


def begin_backward(roots: Any, weights: Any, options: Mapping[str, Any]) -> Backward:
    """``torch.autograd.backward(roots, weights, ...)``, checked and ready to be advanced."""
    return autograd.start_backward(roots, weights, **options)


def begin_grad(outputs: Any, inputs: Any, weights: Any, options: Mapping[str, Any]) -> GradRun:
    """``torch.autograd.grad(outputs, inputs, weights, ...)``, checked and ready to be advanced."""
    return GradRun(outputs, inputs, weights, options)
