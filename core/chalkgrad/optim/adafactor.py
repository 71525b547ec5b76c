"""Adafactor, which remembers of a matrix's squares the means of rows and columns alone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.inplace import overwrite
from chalkgrad.optim.elementwise import Array, ElementwiseOptimizer, State, counted, lerp, scalar, value_of
from chalkgrad.optim.optimizer import Group


class Adafactor(ElementwiseOptimizer):
    """Steps divided by the root of estimated squares, as long as the parameter is large."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        if isinstance(lr, TensorBase) and lr.array.size != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not value_of(lr) >= 0.0:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not beta2_decay <= 0.0:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        for number, value in enumerate(eps, start=1):
            if value is not None and not value >= 0.0:
                raise ValueError(f"epsilon{number} should be >= 0 but is: {value}")
        if not d >= 1.0:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not weight_decay >= 0.0:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        settings = {
            "lr": lr,
            "beta2_decay": beta2_decay,
            "eps": eps,
            "d": d,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _update_one(self, parameter: TensorBase, gradient: Array, group: Group) -> None:
        gradient = -gradient if group["maximize"] else gradient
        state, lr = self._state(parameter, gradient), value_of(group["lr"])
        step = counted(state)
        least, least_size = group["eps"]
        least = float(np.finfo(parameter.array.dtype).eps) if least is None else least
        size = max(least_size, _root_mean_square(parameter.array)) * min(lr, 1 / step**0.5)
        if group["weight_decay"] != 0:
            overwrite(parameter, parameter.array * (1 - lr * group["weight_decay"]))
        squares = _squares(state, gradient, step ** group["beta2_decay"], least)
        update = gradient / np.sqrt(np.maximum(squares, least * least))
        overwrite(parameter, parameter.array + update * (-size / max(1.0, _root_mean_square(update) / group["d"])))

    def _state(self, parameter: TensorBase, gradient: Array) -> State:
        state: State = self.state[parameter]
        if not state:
            state["step"] = scalar(0.0)
            if gradient.ndim > 1:
                shape = gradient.shape
                state["row_var"] = new_tensor(np.zeros((*shape[:-1], 1), gradient.dtype))
                state["col_var"] = new_tensor(np.zeros((*shape[:-2], 1, shape[-1]), gradient.dtype))
            else:
                state["variance"] = new_tensor(np.zeros_like(gradient))
        return state


def _root_mean_square(array: Array) -> float:
    return float(np.sqrt((array * array).sum(dtype=array.dtype))) / math.sqrt(array.size)


def _squares(state: State, gradient: Array, share: float, least: float) -> Array:
    """The estimated squares of the gradient's numbers, this one's taken in."""
    if gradient.ndim <= 1:
        overwrite(state["variance"], lerp(state["variance"].array, gradient * gradient, share))
        squares: Array = state["variance"].array
        return squares
    for name, axis in (("row_var", -1), ("col_var", -2)):
        means = np.sqrt((gradient * gradient).sum(axis, keepdims=True)) ** 2 / gradient.shape[axis]
        overwrite(state[name], lerp(state[name].array, means, share))
    rows, columns = state["row_var"].array, state["col_var"].array
    found: Array = rows @ columns / np.maximum(rows.mean(-2, keepdims=True), least)
    return found


Adafactor.__module__ = "torch.optim._adafactor"
