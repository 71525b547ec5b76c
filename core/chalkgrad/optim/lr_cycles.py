"""A learning rate that goes up and down again and again."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType
from typing import Any

from chalkgrad.optim.lr_curves import LRScheduler, Rates, for_groups, set_rates
from chalkgrad.optim.optimizer import Optimizer

SHRINKING: dict[str, tuple[str, Callable[[float, float], float]]] = {
    "triangular": ("cycle", lambda x, gamma: 1.0),
    "triangular2": ("cycle", lambda x, gamma: 1 / (2.0 ** (x - 1))),
    "exp_range": ("iterations", lambda x, gamma: gamma**x),
}
"""By mode: what is counted, and what the height of a cycle is multiplied by."""


class CyclicLR(LRScheduler):
    """The learning rate between ``base_lr`` and ``max_lr``, and the momentum the other way, in straight lines."""

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.8,
        max_momentum: float | list[float] = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        base_lrs = for_groups(self.optimizer, "base_lr", base_lr)
        if last_epoch == -1:
            set_rates(optimizer, base_lrs)
        self.max_lrs = for_groups(self.optimizer, "max_lr", max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if mode not in SHRINKING and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma = mode, gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else SHRINKING[mode][0]
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def _begin_momentum(self, lowest: Any, highest: Any, last_epoch: int) -> None:
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in defaults
        self.base_momentums = for_groups(self.optimizer, "base_momentum", lowest)
        self.max_momentums = for_groups(self.optimizer, "max_momentum", highest)
        if last_epoch != -1:
            return
        for group, low, high in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True):
            self._set_momentum(group, high)
            group["max_momentum"], group["base_momentum"] = high, low

    def _set_momentum(self, group: dict[str, Any], momentum: float) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum

    def scale_fn(self, x: float) -> float:
        """What the height of cycle (or step) ``x`` is multiplied by."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        return SHRINKING[self.mode][1](x, self.gamma)

    def get_lr(self) -> Rates:
        """The rates on the line of now; sets the momentum as well."""
        self._now()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        share = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            momenta = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True)
            for group, low, high in momenta:
                self._set_momentum(group, high - (high - low) * share * scale)
        return [low + (high - low) * share * scale for low, high in zip(self.base_lrs, self.max_lrs, strict=True)]

    def state_dict(self) -> dict[str, Any]:
        """All but the optimizer, and of ``scale_fn`` what an object of a class keeps."""
        state = super().state_dict()
        custom = state.pop("_scale_fn_custom")
        plain = custom is None or isinstance(custom, FunctionType)
        state["_scale_fn_custom"] = None if plain else custom.__dict__.copy()
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on where another was saved."""
        values = state_dict.pop("_scale_fn_custom")
        custom = self._scale_fn_custom
        super().load_state_dict(state_dict)
        self._scale_fn_custom = custom
        if values is not None and custom is not None:
            custom.__dict__.update(values)
