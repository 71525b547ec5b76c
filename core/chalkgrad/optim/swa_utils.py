"""Averages of a model over its training: of the weights, of the rates that are used then, and what follows of them."""

from __future__ import annotations

import copy
import itertools
import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.batchnorm import _BatchNorm
from chalkgrad.ops.create import tensor
from chalkgrad.optim.lr_curves import LRScheduler, for_groups
from chalkgrad.optim.optimizer import Optimizer

__all__ = [
    "SWALR",
    "AveragedModel",
    "get_ema_avg_fn",
    "get_ema_multi_avg_fn",
    "get_swa_avg_fn",
    "get_swa_multi_avg_fn",
    "update_bn",
]

Average = Callable[..., Any]


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_multi_avg_fn(decay: float = 0.999) -> Average:
    """The function that lets several averages forget the past by ``decay``."""
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param_list: Sequence[Tensor], current_param_list: Sequence[Tensor], _: Any) -> None:
        for average, current in zip(ema_param_list, current_param_list, strict=True):
            if average.is_floating_point():
                average.lerp_(current, 1 - decay)
            else:
                average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> Average:
    """The function that takes the plain mean of all models so far."""

    @no_grad()
    def swa_update(
        averaged_param_list: Sequence[Tensor], current_param_list: Sequence[Tensor], num_averaged: Any
    ) -> None:
        for average, current in zip(averaged_param_list, current_param_list, strict=True):
            if average.is_floating_point():
                average.lerp_(current, float(1 / (num_averaged + 1)))
            else:
                average.addcdiv_(current - average, num_averaged + 1)

    return swa_update


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """The same as :func:`get_ema_multi_avg_fn` of one tensor, as a new one."""
    _check_decay(decay)

    @no_grad()
    def ema_update(ema_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        found: Tensor = decay * ema_param + (1 - decay) * current_param
        return found

    return ema_update


def get_swa_avg_fn() -> Average:
    """The same as :func:`get_swa_multi_avg_fn` of one tensor, as a new one."""

    @no_grad()
    def swa_update(averaged_param: Tensor, current_param: Tensor, num_averaged: Any) -> Tensor:
        found: Tensor = averaged_param + (current_param - averaged_param) / (num_averaged + 1)
        return found

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose weights are the mean of those that it is given, one training step after the other."""

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: Average | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model)
        self.register_buffer("n_averaged", tensor(0, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the averaged model computes."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the weights of ``model`` into the mean."""
        averages = [own.detach() for own in self._averaged(self.module)]
        current = [given.detach() for given in self._averaged(model)]
        if self.n_averaged == 0:
            for average, given in zip(averages, current, strict=False):
                average.copy_(given)
        elif self.avg_fn is None:
            self._average_all(averages, current)
        else:
            for average, given in zip(averages, current, strict=True):
                average.copy_(self.avg_fn(average, given, self.n_averaged))
        if not self.use_buffers:
            for own, given in zip(self.module.buffers(), model.buffers(), strict=True):
                own.detach().copy_(given.detach())
        self.n_averaged += 1

    def _averaged(self, model: Module) -> Iterable[Tensor]:
        return itertools.chain(model.parameters(), model.buffers()) if self.use_buffers else model.parameters()

    def _average_all(self, averages: list[Tensor], current: list[Tensor]) -> None:
        """In one go what has one dtype."""
        update = self.multi_avg_fn or get_swa_multi_avg_fn()
        pairs = list(zip(averages, current, strict=True))
        for dtype in dict.fromkeys(average.dtype for average in averages):
            alike = [pair for pair in pairs if pair[0].dtype == dtype]
            update([average for average, _ in alike], [given for _, given in alike], self.n_averaged)


@no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Work out anew what the batch normalisations of ``model`` know of the data: their running means and variances."""
    momenta: dict[Any, Any] = {}
    for module in model.modules():
        if isinstance(module, _BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    for batch in loader:
        model(batch[0] if isinstance(batch, list | tuple) else batch)
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Brings the rates to ``swa_lr`` within some epochs, and keeps them there."""

    anneal_func: Callable[[float], float]

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        for rate, group in zip(for_groups(optimizer, "swa_lr", swa_lr), optimizer.param_groups, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._set_anneal_func(anneal_strategy)
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _set_anneal_func(self, anneal_strategy: str) -> None:
        self._anneal_strategy = anneal_strategy
        self.anneal_func = self._cosine_anneal if anneal_strategy == "cos" else self._linear_anneal

    @staticmethod
    def _linear_anneal(t: float) -> float:
        return t

    @staticmethod
    def _cosine_anneal(t: float) -> float:
        return (1 - math.cos(math.pi * t)) / 2

    @staticmethod
    def _get_initial_lr(lr: Any, swa_lr: Any, alpha: float) -> Any:
        return swa_lr if alpha == 1 else (lr - alpha * swa_lr) / (1 - alpha)

    def _share(self, step: int) -> float:
        """How far the rates have come after so many steps."""
        return self.anneal_func(max(0, min(1, step / max(1, self.anneal_epochs))))

    def get_lr(self) -> list[Any]:
        """The rates of this step."""
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=2,
            )
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(step - 1), self._share(step)
        groups = self.optimizer.param_groups
        first = [self._get_initial_lr(group["lr"], group["swa_lr"], before) for group in groups]
        return [group["swa_lr"] * now + lr * (1 - now) for group, lr in zip(groups, first, strict=True)]

    def state_dict(self) -> dict[str, Any]:
        """All but the optimizer, and the function, which the name of the strategy says."""
        return {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "anneal_func")}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take a state back."""
        self.__dict__.update(state_dict)
        self._set_anneal_func(self._anneal_strategy)


for _class in (AveragedModel, SWALR):
    _class.__module__ = "torch.optim.swa_utils"
