"""Learning rates as functions of the epoch."""

from __future__ import annotations

import functools
import math
import warnings
import weakref
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.optim.optimizer import Optimizer

Rates = list[Any]

EPOCH = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
    "form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose."
)
OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make "
    "sure to call `optimizer.step()` before `lr_scheduler.step()`. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
TOO_EARLY = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call "
    "them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in "
    "PyTorch skipping the first value of the learning rate schedule. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
NOT_RESUMED = (
    "param 'initial_lr' is not specified in param_groups[{}] when resuming scheduler with last_epoch >= 0.\n"
    "This typically happens when:\n"
    "1. You're trying to resume training from a checkpoint but haven't properly loaded the optimizer state\n"
    "2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
)


def settings(optimizer: Optimizer, key: str) -> Rates:
    """A setting of all groups; tensors are copied."""
    return [_own(group[key]) for group in optimizer.param_groups]


def for_groups(optimizer: Optimizer, name: str, value: Any) -> Rates:
    """``value``, or one of a list, for each group; tensors are copied. ValueError for a list of another length."""
    count = len(optimizer.param_groups)
    values = value if isinstance(value, list | tuple) else [value] * count
    if len(values) != count:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(values)} values, "
            f"param_groups has {count}."
        )
    return [_own(member) for member in values]


def _own(value: Any) -> Any:
    """``value``, a tensor copied."""
    return value.clone() if isinstance(value, TensorBase) else value  # type: ignore[attr-defined]


def set_rates(optimizer: Optimizer, rates: Iterable[Any]) -> None:
    """Give every group its learning rate; one that is a tensor is written into."""
    for group, rate in zip(optimizer.param_groups, rates, strict=True):
        if isinstance(group["lr"], TensorBase):
            group["lr"].fill_(float(rate))  # type: ignore[attr-defined]
        else:
            group["lr"] = rate


def check_optimizer(optimizer: Any) -> None:
    """TypeError for what is no optimiser."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


class LRScheduler:
    """Sets the learning rates of an optimiser anew at every :meth:`step`."""

    _get_lr_called_within_step = False
    _is_initial = False
    _get_closed_form_lr: Callable[[], Rates] | None = None

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                rate = group["lr"]
                group.setdefault("initial_lr", _own(rate))
            elif "initial_lr" not in group:
                raise KeyError(NOT_RESUMED.format(number))
        self.base_lrs = settings(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _note_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take back what :meth:`state_dict` gave."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> Rates:
        """The learning rates that were set last."""
        return self._last_lr

    def get_lr(self) -> Rates:
        """The learning rates of this epoch, computed from the last ones; a subclass says how."""
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch, or to a given one."""
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warnings.warn(OVERRIDDEN, UserWarning, stacklevel=2)
            elif not getattr(self.optimizer, "_opt_called", False):
                warnings.warn(TOO_EARLY, UserWarning, stacklevel=2)
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        self._get_lr_called_within_step = True
        try:
            self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
            closed = None if epoch is None else self._get_closed_form_lr
            rates = self.get_lr() if closed is None else closed()
        finally:
            self._get_lr_called_within_step = False
        set_rates(self.optimizer, rates)
        self._last_lr = settings(self.optimizer, "lr")

    def _now(self) -> Rates:
        """The learning rates as they are; warns where they were asked for outside of a step."""
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )
        return settings(self.optimizer, "lr")

    def _times(self, factor: float) -> Rates:
        return [group["lr"] * factor for group in self.optimizer.param_groups]


def _note_steps(optimizer: Optimizer) -> None:
    """Have the optimiser remember that it was stepped."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    function: Any = optimizer.step.__func__  # type: ignore[attr-defined]
    reference = weakref.ref(optimizer)

    @functools.wraps(function)
    def step(*args: Any, **kwargs: Any) -> Any:
        stepped: Any = reference()
        stepped._opt_called = True
        return function(stepped, *args, **kwargs)

    step._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.step = step  # type: ignore[method-assign]


class _ByFunctions(LRScheduler):
    """Learning rates by functions of the epoch, one for all groups or one for each."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.optimizer = optimizer
        count = len(optimizer.param_groups)
        if not isinstance(lr_lambda, list | tuple):
            lr_lambda = [lr_lambda] * count
        elif len(lr_lambda) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda)
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser and plain functions; callable objects leave their attributes."""
        state = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "lr_lambdas")}
        state["lr_lambdas"] = [
            None if isinstance(function, FunctionType) else function.__dict__.copy() for function in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take back what :meth:`state_dict` gave."""
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "lr_lambdas"})
        for function, kept in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=True):
            if kept is not None:
                function.__dict__.update(kept)


class LambdaLR(_ByFunctions):
    """The first learning rate times a function of the epoch."""

    def get_lr(self) -> Rates:
        """``base_lr * lr_lambda(epoch)``."""
        self._now()
        return [rate * function(self.last_epoch) for function, rate in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(_ByFunctions):
    """The learning rate times a function of the epoch, every time."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        for function in lr_lambda if isinstance(lr_lambda, list | tuple) else [lr_lambda]:
            if not callable(function):
                raise TypeError(f"lr_lambda should be a function, but got {type(function).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> Rates:
        """``lr * lr_lambda(epoch)``."""
        now = self._now()
        if self._is_initial:
            return now
        return [rate * function(self.last_epoch) for function, rate in zip(self.lr_lambdas, now, strict=True)]


class StepLR(LRScheduler):
    """The learning rate times ``gamma`` every ``step_size`` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Rates:
        """``lr * gamma`` in the epochs where it changes."""
        now = self._now()
        return now if self.last_epoch == 0 or self.last_epoch % self.step_size else self._times(self.gamma)

    def _get_closed_form_lr(self) -> Rates:
        return [rate * self.gamma ** (self.last_epoch // self.step_size) for rate in self.base_lrs]


class MultiStepLR(LRScheduler):
    """The learning rate times ``gamma`` at given epochs."""

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Rates:
        """``lr * gamma``, as often as the epoch is among the milestones."""
        now = self._now()
        count = self.milestones.get(self.last_epoch)
        return now if count is None else self._times(self.gamma**count)

    def _get_closed_form_lr(self) -> Rates:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [rate * self.gamma**passed for rate in self.base_lrs]


class ConstantLR(LRScheduler):
    """The learning rate times ``factor`` for the first epochs."""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Rates:
        """Down at the beginning, up again at the end."""
        now = self._now()
        if self.last_epoch == 0:
            return self._times(self.factor)
        return self._times(1.0 / self.factor) if self.last_epoch == self.total_iters else now

    def _get_closed_form_lr(self) -> Rates:
        factor = self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)
        return [rate * factor for rate in self.base_lrs]


class LinearLR(LRScheduler):
    """The learning rate times a factor that goes evenly from one to another."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Rates:
        """The next factor over the one before, times the learning rate."""
        now = self._now()
        if self.last_epoch == 0:
            return self._times(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return now
        change = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * change
        return self._times(1.0 + change / before)

    def _get_closed_form_lr(self) -> Rates:
        change = self.end_factor - self.start_factor
        factor = self.start_factor + change * min(self.total_iters, self.last_epoch) / self.total_iters
        return [rate * factor for rate in self.base_lrs]


class ExponentialLR(LRScheduler):
    """The learning rate times ``gamma`` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Rates:
        """``lr * gamma``."""
        now = self._now()
        return now if self._is_initial else self._times(self.gamma)

    def _get_closed_form_lr(self) -> Rates:
        return [rate * self.gamma**self.last_epoch for rate in self.base_lrs]


class PolynomialLR(LRScheduler):
    """The learning rate brought to 0 along a power of the time that is left."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Rates:
        """The share that is left over the share before, times the learning rate."""
        now = self._now()
        if self._is_initial or self.last_epoch > self.total_iters:
            return now
        left = 1.0 - self.last_epoch / self.total_iters
        return self._times((left / (1.0 - (self.last_epoch - 1) / self.total_iters)) ** self.power)

    def _get_closed_form_lr(self) -> Rates:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [rate * left**self.power for rate in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """The learning rate brought to ``eta_min`` along a cosine."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:  # noqa: N803
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> Rates:
        """The cosine of this epoch over that of the one before, times the learning rate."""
        now = self._now()
        if self._is_initial:
            return now
        if self._step_count == 1 and self.last_epoch > 0:
            return self._at(self.last_epoch)
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            step = (1 - math.cos(math.pi / self.T_max)) / 2
            return [rate + (base - self.eta_min) * step for base, rate in zip(self.base_lrs, now, strict=True)]
        here, before = (1 + math.cos(math.pi * (self.last_epoch - back) / self.T_max) for back in (0, 1))
        return [here / before * (rate - self.eta_min) + self.eta_min for rate in now]

    def _at(self, epoch: int) -> Rates:
        height = 1 + math.cos(math.pi * epoch / self.T_max)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]

    def _get_closed_form_lr(self) -> Rates:
        return self._at(self.last_epoch)
