"""Stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.inplace import add_to, multiply_by
from chalkgrad.optim.elementwise import Array, ElementwiseOptimizer, check_common, check_fused, value_of
from chalkgrad.optim.optimizer import Group


class SGD(ElementwiseOptimizer):
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
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_common(lr, momentum=momentum, weight_decay=weight_decay)
        settings = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, settings)
        check_fused(fused, foreach, differentiable)

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """``parameter -= lr * gradient``, the gradient first taken through momentum."""
        if group["momentum"] != 0:
            gradient = self._with_momentum(parameter, gradient, group)
        add_to(parameter, gradient * -lr)

    def _with_momentum(self, parameter: TensorBase, gradient: Array, group: Group) -> Array:
        momentum = value_of(group["momentum"])
        state = self.state[parameter]
        buffer: TensorBase | None = state.get("momentum_buffer")
        if buffer is None:
            buffer = state["momentum_buffer"] = new_tensor(np.array(gradient))
        else:
            multiply_by(buffer, momentum)
            add_to(buffer, gradient * (1 - group["dampening"]))
        return gradient + buffer.array * momentum if group["nesterov"] else buffer.array


SGD.__module__ = "torch.optim.sgd"
