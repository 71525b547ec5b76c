"""Adam and its kin: steps scaled by running means of the gradient and of its square."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.inplace import add_to, multiply_by, overwrite
from chalkgrad.optim.elementwise import (
    Array,
    ElementwiseOptimizer,
    averaged_square,
    check_betas,
    check_common,
    check_fused,
    counted,
    lerp,
    value_of,
)
from chalkgrad.optim.optimizer import Group

Betas = tuple[float, float]


class Adam(ElementwiseOptimizer):
    """Adam."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: Betas = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_common(lr, eps=eps)
        check_betas(betas)
        check_common(lr, weight_decay=weight_decay)
        if len({isinstance(beta, TensorBase) for beta in betas}) == 2 or not all(
            isinstance(beta, float | TensorBase) for beta in betas
        ):
            raise ValueError("betas must be either both floats or both Tensors")
        settings = {
            "lr": lr,
            "betas": tuple(value_of(beta) for beta in betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, settings)
        check_fused(fused, foreach, differentiable)

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of Adam."""
        names = ("exp_avg", "exp_avg_sq", *(("max_exp_avg_sq",) if group["amsgrad"] else ()))
        state = self.state_of(parameter, *names)
        beta1, beta2 = group["betas"]
        step = counted(state)
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        overwrite(mean, lerp(mean.array, gradient, 1 - beta1))
        averaged_square(square, gradient, beta2)
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            overwrite(largest, np.maximum(largest.array, square.array))
            square = largest
        size = lr / (1 - beta1**step)
        spread = np.sqrt(square.array) / (1 - beta2**step) ** 0.5 + group["eps"]
        add_to(parameter, (mean.array * -size) / spread)


class AdamW(Adam):
    """Adam with weight decay that doesn't go through the gradient."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: Betas = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )


class Adamax(ElementwiseOptimizer):
    """Adam by the largest gradient instead of the mean square."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 2e-3,
        betas: Betas = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_common(lr, eps=eps)
        check_betas(betas)
        check_common(lr, weight_decay=weight_decay)
        check_fused(None, foreach, differentiable)
        settings = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, settings)

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of Adamax."""
        state = self.state_of(parameter, "exp_avg", "exp_inf")
        beta1, beta2 = group["betas"]
        step = counted(state)
        mean, largest = state["exp_avg"], state["exp_inf"]
        overwrite(mean, lerp(mean.array, gradient, 1 - beta1))
        multiply_by(largest, beta2)
        overwrite(largest, np.maximum(largest.array, np.abs(gradient) + group["eps"]))
        size = lr / (1 - beta1**step)
        add_to(parameter, (mean.array * -size) / largest.array)


class NAdam(ElementwiseOptimizer):
    """Adam with Nesterov's momentum."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 2e-3,
        betas: Betas = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_common(lr, eps=eps)
        check_betas(betas)
        check_common(lr, weight_decay=weight_decay, momentum_decay=momentum_decay)
        check_fused(None, foreach, differentiable)
        settings = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, settings)

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of NAdam, which writes the parameter twice."""
        state = self.state_of(parameter, "exp_avg", "exp_avg_sq", mu_product=1.0)
        product = state["mu_product"]
        beta1, beta2 = group["betas"]
        step = counted(state)
        now, following = (
            beta1 * (1.0 - 0.5 * 0.96 ** (number * group["momentum_decay"])) for number in (step, step + 1)
        )
        multiply_by(product, product.array.dtype.type(now))
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        overwrite(mean, lerp(mean.array, gradient, 1 - beta1))
        averaged_square(square, gradient, beta2)
        spread = np.sqrt(square.array / (1 - beta2**step)) + group["eps"]
        so_far = float(product.item())
        by_gradient = -lr * (1.0 - now) / (1.0 - so_far)
        add_to(parameter, (gradient * by_gradient) / spread)
        by_mean = -lr * following / (1.0 - so_far * following)
        add_to(parameter, (mean.array * by_mean) / spread)


class RAdam(ElementwiseOptimizer):
    """Adam that waits until the mean square can be trusted."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: Betas = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_common(lr, eps=eps)
        check_betas(betas)
        check_common(lr, weight_decay=weight_decay)
        check_fused(None, foreach, differentiable)
        settings = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, settings)

    def update(self, parameter: TensorBase, gradient: Array, group: Group, lr: float) -> None:
        """One step of RAdam."""
        state = self.state_of(parameter, "exp_avg", "exp_avg_sq")
        beta1, beta2 = group["betas"]
        step = counted(state)
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        overwrite(mean, lerp(mean.array, gradient, 1 - beta1))
        averaged_square(square, gradient, beta2)
        correction = 1 - beta2**step
        change = mean.array / (1 - beta1**step) * lr
        limit = 2 / (1 - beta2) - 1
        length = limit - 2 * step * (beta2**step) / correction
        if length > 5.0:
            trust = ((length - 4) * (length - 2) * limit / ((limit - 4) * (limit - 2) * length)) ** 0.5
            change = change * (correction**0.5 / (np.sqrt(square.array) + group["eps"])) * trust
        add_to(parameter, -change)


for _cls in (Adam, AdamW, Adamax, NAdam, RAdam):
    _cls.__module__ = f"torch.optim.{_cls.__name__.lower()}"
