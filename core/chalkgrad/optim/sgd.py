"""Stochastic gradient descent, step by step as PyTorch computes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.modes import enable_grad, no_grad
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.module import forget_gradient

Group = dict[str, Any]


class Optimizer:
    """Groups of parameters with their settings, and what is remembered for each parameter."""

    def __init__(self, params: Iterable[Any], defaults: Group) -> None:
        if isinstance(params, TensorBase):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                f"torch.{params.dtype_title}Tensor"
            )
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self.defaults = defaults
        self.state: dict[Tensor, dict[str, Any]] = {}
        self.param_groups: list[Group] = []
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, group: Group) -> None:
        """Take on more parameters; TypeError or ValueError for what can't be optimised."""
        given = group["params"]
        tensors = [given] if isinstance(given, TensorBase) else list(given)
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {_kind(tensor)}")
            if not (tensor.is_leaf or tensor.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        self.param_groups.append({**self.defaults, **group, "params": tensors})

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget (or zero) the gradients of all parameters."""
        for group in self.param_groups:
            for tensor in group["params"]:
                forget_gradient(tensor, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update all parameters that have a gradient; ``closure`` computes the loss once more first."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for tensor in group["params"]:
                    if tensor.peek_grad() is not None:
                        self.update(tensor, tensor.peek_grad(), group)
        return loss

    def update(self, tensor: Tensor, gradient: Tensor, group: Group) -> None:
        """One step of one parameter."""
        raise NotImplementedError


class SGD(Optimizer):
    """Goes against the gradient, with momentum, weight decay and Nesterov's variant if asked for."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        settings = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
        super().__init__(params, {**settings, "nesterov": nesterov, "maximize": maximize})

    def update(self, tensor: Tensor, gradient: Tensor, group: Group) -> None:
        """``tensor -= lr * gradient``, the gradient first taken through weight decay and momentum."""
        if group["maximize"]:
            gradient = -gradient
        if group["weight_decay"] != 0:
            gradient = gradient.add(tensor, alpha=group["weight_decay"])
        if group["momentum"] != 0:
            gradient = self._with_momentum(tensor, gradient, group)
        tensor.add_(gradient, alpha=-group["lr"])

    def _with_momentum(self, tensor: Tensor, gradient: Tensor, group: Group) -> Tensor:
        memory = self.state.setdefault(tensor, {})
        buffer: Tensor | None = memory.get("momentum_buffer")
        if buffer is None:
            buffer = memory["momentum_buffer"] = gradient.detach().clone()
        else:
            buffer.mul_(group["momentum"]).add_(gradient, alpha=1 - group["dampening"])
        return gradient.add(buffer, alpha=group["momentum"]) if group["nesterov"] else buffer


def _kind(value: object) -> str:
    return f"torch.{value.dtype_title}Tensor" if isinstance(value, TensorBase) else type(value).__name__


SGD.__module__ = Optimizer.__module__ = "torch.optim"
