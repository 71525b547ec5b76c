"""Muon, whose steps are matrices with nearly equal singular values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.inplace import overwrite
from chalkgrad.engine.size import Size
from chalkgrad.optim.elementwise import Array, ElementwiseOptimizer, lerp, value_of
from chalkgrad.optim.optimizer import Group

COEFFICIENTS = (3.4445, -4.775, 2.0315)
"""Of the polynomial that brings singular values near 1, from the method's author."""


class Muon(ElementwiseOptimizer):
    """Goes against the gradient's running mean, turned into a matrix that stretches no direction."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = COEFFICIENTS,
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        if isinstance(lr, TensorBase) and lr.array.size != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not value_of(lr) >= 0.0:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not momentum >= 0.0:
            raise ValueError(f"momentum should be >= 0 but is: {momentum}")
        if not weight_decay >= 0.0:
            raise ValueError(f"weight decay should be >= 0 but is: {weight_decay}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        settings = {
            "lr": lr,
            "weight_decay": weight_decay,
            "momentum": momentum,
            "nesterov": nesterov,
            "ns_coefficients": ns_coefficients,
            "eps": eps,
            "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }
        super().__init__(params, settings)
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.array.ndim != 2:
                    size = Size(parameter.array.shape)
                    raise ValueError(f"Muon only supports 2D parameters whereas we found a parameter with size: {size}")

    def _update_one(self, parameter: TensorBase, gradient: Array, group: Group) -> None:
        state, momentum = self.state[parameter], group["momentum"]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = new_tensor(np.zeros_like(gradient))
        buffer: TensorBase = state["momentum_buffer"]
        overwrite(buffer, lerp(buffer.array, gradient, 1 - momentum))
        mean = lerp(gradient, buffer.array, momentum) if group["nesterov"] else buffer.array
        update = balanced(mean, group["ns_coefficients"], group["ns_steps"], group["eps"])
        lr, shape = value_of(group["lr"]), parameter.array.shape
        overwrite(parameter, parameter.array * (1 - lr * group["weight_decay"]))
        size = lr * _stretch(group["adjust_lr_fn"], *shape)
        overwrite(parameter, parameter.array + update.astype(parameter.array.dtype) * -size)


def _stretch(name: str | None, rows: int, columns: int) -> float:
    """How much longer the steps of a matrix of this shape are made."""
    if name == "match_rms_adamw":
        return 0.2 * math.sqrt(max(rows, columns))
    return math.sqrt(max(1, rows / columns))


def balanced(matrix: Array, coefficients: tuple[float, ...], steps: int, eps: float) -> Array:
    """``matrix`` with singular values near 1, by some steps of Newton and Schulz in numbers of 8 bits."""
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    high = matrix.shape[0] > matrix.shape[1]
    found = _bfloat16(matrix.T if high else matrix)
    norm = _bfloat16(np.sqrt((found * found).sum(keepdims=True)))
    found = _bfloat16(found / np.maximum(norm, np.float32(eps)))
    a, b, c = map(np.float32, coefficients)
    for _ in range(steps):
        gram = _bfloat16(found @ found.T)
        change = _bfloat16(b * gram + c * (gram @ gram))
        found = _bfloat16(a * found + change @ found)
    return found.T if high else found


def _bfloat16(array: Array) -> Array:
    """The nearest numbers that have 8 significant bits, as floats of 32."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    found: Array = (rounded & np.uint32(0xFFFF0000)).view(np.float32)
    return found


Muon.__module__ = "torch.optim._muon"
