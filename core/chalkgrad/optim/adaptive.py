"""Optimisers that scale each number's step by the gradients it had."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.inplace import add_to, multiply_by, overwrite
from chalkgrad.optim.elementwise import (
    Array,
    ElementwiseOptimizer,
    averaged_square,
    check_common,
    check_fused,
    counted,
    lerp,
    scalar,
    value_of,
)
from chalkgrad.optim.optimizer import Group


class RMSprop(ElementwiseOptimizer):
    """Steps divided by the root of a running mean of squares."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_common(lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        check_fused(None, foreach, differentiable)
        settings = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, settings)

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of RMSprop."""
        names = ["square_avg"]
        names += ["momentum_buffer"] if group["momentum"] > 0 else []
        names += ["grad_avg"] if group["centered"] else []
        state = self.state_of(parameter, *names)
        counted(state)
        square = state["square_avg"]
        averaged_square(square, gradient, group["alpha"])
        spread = square.array
        if group["centered"]:
            mean = state["grad_avg"]
            overwrite(mean, lerp(mean.array, gradient, 1 - group["alpha"]))
            spread = spread - mean.array * mean.array
        spread = np.sqrt(spread) + group["eps"]
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"]
            multiply_by(buffer, group["momentum"])
            add_to(buffer, gradient / spread)
            add_to(parameter, buffer.array * -lr)
        else:
            add_to(parameter, (gradient * -lr) / spread)


class Adagrad(ElementwiseOptimizer):
    """Steps divided by the root of the sum of squares."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_common(
            lr,
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            eps=eps,
        )
        settings = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, settings)
        check_fused(fused, foreach, differentiable)
        for group in self.param_groups:
            for parameter in group["params"]:
                self._begin(parameter)

    def _begin(self, parameter: TensorBase) -> None:
        start = self.defaults["initial_accumulator_value"]
        self.state[parameter] = {
            "step": scalar(0.0),
            "sum": new_tensor(np.full_like(parameter.array, start)),
        }

    def share_memory(self) -> None:
        """Nothing: all memory is this process's."""

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of Adagrad."""
        if not self.state[parameter]:
            self._begin(parameter)
        state = self.state[parameter]
        step = counted(state)
        size = lr / (1 + (step - 1) * group["lr_decay"])
        total = state["sum"]
        add_to(total, gradient * gradient)
        add_to(parameter, (gradient * -size) / (np.sqrt(total.array) + group["eps"]))


class Adadelta(ElementwiseOptimizer):
    """Steps in units of the steps before."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_common(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check_common(lr, eps=eps, weight_decay=weight_decay)
        check_fused(None, foreach, differentiable)
        settings = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, settings)

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of Adadelta."""
        state = self.state_of(parameter, "square_avg", "acc_delta")
        counted(state)
        rho, eps = group["rho"], group["eps"]
        averaged_square(state["square_avg"], gradient, rho)
        change = np.sqrt(state["acc_delta"].array + eps) / np.sqrt(state["square_avg"].array + eps) * gradient
        averaged_square(state["acc_delta"], change, rho)
        add_to(parameter, change * -lr)


class Rprop(ElementwiseOptimizer):
    """Steps by the sign of the gradient alone, longer while it stays and shorter when it turns."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_common(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        check_fused(None, foreach, differentiable)
        settings = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, settings)

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of Rprop."""
        state = self.state_of(parameter, "prev")
        sizes = state.setdefault("step_size", new_tensor(np.full_like(gradient, lr)))
        counted(state)
        shorter, longer = group["etas"]
        turn = gradient * state["prev"].array
        factor = np.where(turn > 0, longer, np.where(turn < 0, shorter, 1)).astype(gradient.dtype)
        multiply_by(sizes, factor)
        overwrite(sizes, np.clip(sizes.array, *group["step_sizes"]))
        kept = np.where(turn < 0, gradient.dtype.type(0), gradient)
        overwrite(parameter, parameter.array - np.where(np.isnan(kept), 0, np.sign(kept)) * sizes.array)
        overwrite(state["prev"], kept)


class ASGD(ElementwiseOptimizer):
    """Gradient descent that remembers the mean of where it was."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_common(lr, weight_decay=weight_decay)
        check_fused(None, foreach, differentiable)
        settings = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, settings)

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of ASGD."""
        state = self.state_of(parameter, "ax", eta=lr, mu=1.0)
        step = counted(state)
        size, share, mean = value_of(state["eta"]), value_of(state["mu"]), state["ax"]
        if group["foreach"]:  # in one write
            gradient = gradient + parameter.array * group["lambd"]
        else:
            multiply_by(parameter, 1 - group["lambd"] * size)
        add_to(parameter, gradient * -size)
        overwrite(mean, parameter.array if share == 1 else mean.array + (parameter.array - mean.array) * share)
        overwrite(state["eta"], np.asarray(lr / (1 + group["lambd"] * lr * step) ** group["alpha"]))
        overwrite(state["mu"], np.asarray(1 / max(1, step - group["t0"])))


for _cls in (ASGD, Adadelta, Adagrad, RMSprop, Rprop):
    _cls.__module__ = f"torch.optim.{_cls.__name__.lower()}"
