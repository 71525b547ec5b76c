"""``torch.autograd.Variable``: what tensors with gradients were called before they became all tensors."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from chalkgrad.engine import messages
from chalkgrad.engine.backward import running
from chalkgrad.engine.base import TensorBase, counter_of
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.factory import made


class VariableMeta(type):
    """Makes every tensor an instance of :class:`Variable`, and a call of that a tensor."""

    def __instancecheck__(cls, other: object) -> bool:
        return isinstance(other, TensorBase)

    def __call__(cls, data: Any = None, requires_grad: bool = False, volatile: bool = False) -> Tensor:
        """A leaf on the memory of ``data``; TypeError for what is no tensor."""
        if volatile:
            warnings.warn(messages.VOLATILE, UserWarning, stacklevel=2)
        source = Tensor() if data is None else data
        if not isinstance(source, TensorBase):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        found = made(source.array, bool(requires_grad))
        found.counter = counter_of(source)
        return found


class ImperativeEngine:
    """What old code asks the engine itself for."""

    def queue_callback(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` at the end of the backward that is running."""
        if not running:
            raise RuntimeError("Final callbacks can only be installed during backward pass.")
        running[-1].callbacks.append(callback)


class Variable(metaclass=VariableMeta):
    """A tensor, by its old name."""

    _execution_engine = ImperativeEngine()


Variable.__module__ = VariableMeta.__module__ = "torch.autograd.variable"
