"""Optimisers that update each parameter by itself, number by number, and the arithmetic they share.

The order of operations is PyTorch's, so that results agree to the last digits; what PyTorch writes in place is written
once here as well, so that version counters grow alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.dtype import get_default_dtype
from chalkgrad.engine.inplace import add_to, multiply_by
from chalkgrad.engine.modes import enable_grad, no_grad
from chalkgrad.optim.optimizer import Group, Optimizer

Array = np.ndarray
State = dict[str, Any]


class ElementwiseOptimizer(Optimizer):
    """Updates every parameter that has a gradient by :meth:`update`."""

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update all parameters that have a gradient; ``closure`` computes the loss once more first."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    gradient = parameter.peek_grad()
                    if gradient is not None:
                        self._update_one(parameter, gradient.array, group)
        return loss

    def _update_one(self, parameter: TensorBase, gradient: Array, group: Group) -> None:
        gradient = -gradient if group["maximize"] else gradient
        decay = value_of(group.get("weight_decay", 0))
        if decay != 0:
            if group.get("decoupled_weight_decay"):
                multiply_by(parameter, 1 - value_of(group["lr"]) * decay)
            else:
                gradient = gradient + parameter.array * decay
        self.update(parameter, gradient, group, value_of(group["lr"]))

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of one parameter by its gradient, which weight decay was added to."""
        raise NotImplementedError

    def state_of(self, parameter: TensorBase, *names: str, **numbers: float) -> State:
        """What is remembered for a parameter, begun with step 0, some numbers, and zeros under ``names``."""
        state: State = self.state[parameter]
        if not state:
            state["step"] = scalar(0.0)
            state.update({name: scalar(number) for name, number in numbers.items()})
            state.update({name: new_tensor(np.zeros_like(parameter.array)) for name in names})
        return state


ElementwiseOptimizer.__module__ = "torch.optim.optimizer"


def counted(state: State) -> float:
    """The number of this step, which is written down."""
    step: TensorBase = state["step"]
    add_to(step, 1)
    return float(step.item())


def scalar(value: float) -> TensorBase:
    """A tensor of one number as optimisers keep them."""
    kind = np.float64 if get_default_dtype().name == "float64" else np.float32
    return new_tensor(np.array(value, kind))


def value_of(setting: Any) -> float:
    """A setting as a number, given as one or as a tensor."""
    return float(setting.item()) if isinstance(setting, TensorBase) else setting


def lerp(start: Array, end: Array, weight: float) -> Array:
    """From ``start`` towards ``end``, counted from the nearer side."""
    share = start.dtype.type(weight)
    found: Array = start + share * (end - start) if abs(weight) < 0.5 else end - (end - start) * (1 - share)
    return found


def averaged_square(average: TensorBase, gradient: Array, beta: float) -> None:
    """Move a running mean of squares on, in two writes as PyTorch does."""
    multiply_by(average, beta)
    add_to(average, (gradient * (1 - beta)) * gradient)


# Checks of settings, with PyTorch's words


def check_common(lr: Any, **others: float) -> None:
    """ValueError for a learning rate or another setting below 0."""
    if isinstance(lr, TensorBase) and lr.array.size != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not value_of(lr) >= 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")
    for name, value in others.items():
        if not value_of(value) >= 0.0:
            raise ValueError(f"Invalid {'epsilon' if name == 'eps' else name} value: {value}")


def check_betas(betas: tuple[Any, Any]) -> None:
    """ValueError for a beta outside 0 to 1."""
    for index in (0, 1):
        if not 0.0 <= value_of(betas[index]) < 1.0:
            raise ValueError(f"Invalid beta parameter at index {index}: {betas[index]}")


def check_fused(fused: bool | None, foreach: bool | None, differentiable: bool) -> None:
    """RuntimeError for ways of computing that exclude one another."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
    if differentiable:
        raise NotImplementedError("optimizers with differentiable=True are not offered by Chalkgrad")
