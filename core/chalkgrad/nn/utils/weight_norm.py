"""Length and direction of a weight learned apart, by a hook before each forward: the older way."""

from __future__ import annotations

import warnings
from typing import Any, TypeVar

from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.module import Module
from chalkgrad.nn.parameter import Parameter
from chalkgrad.nn.uninitialized import is_lazy
from chalkgrad.ops.weight_norm import norm_except_dim
from chalkgrad.ops.weight_norm import weight_norm as _weighted

M = TypeVar("M", bound=Module)


class WeightNorm:
    """The hook: it sets the weight anew from ``NAME_g`` and ``NAME_v``."""

    def __init__(self, name: str, dim: int) -> None:
        self.name, self.dim = name, dim

    def compute_weight(self, module: Module) -> Tensor:
        """The weight."""
        length, direction = (getattr(module, f"{self.name}_{letter}") for letter in "gv")
        found: Tensor = _weighted(TENSORS, direction, length, self.dim)
        return found

    def remove(self, module: Module) -> None:
        """Make the weight a parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        for letter in "gv":
            del module._parameters[f"{self.name}_{letter}"]
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        """Work the weight out before a forward."""
        setattr(module, self.name, self.compute_weight(module))


WeightNorm.__module__ = "torch.nn.utils.weight_norm"


def weight_norm(module: M, name: str = "weight", dim: int | None = 0) -> M:
    """Learn a weight's length and its direction apart."""
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    for hook in module._forward_pre_hooks.values():
        if isinstance(hook, WeightNorm) and hook.name == name:
            raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
    made = WeightNorm(name, -1 if dim is None else dim)
    weight = getattr(module, name)
    if is_lazy(weight):
        raise ValueError(
            "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy forward "
            "before applying weight normalization"
        )
    del module._parameters[name]
    length: Tensor = norm_except_dim(TENSORS, weight, made.dim)
    module.register_parameter(f"{name}_g", Parameter(length.data))
    module.register_parameter(f"{name}_v", Parameter(weight.data))
    setattr(module, name, made.compute_weight(module))
    module.register_forward_pre_hook(made)
    return module


def remove_weight_norm(module: M, name: str = "weight") -> M:
    """Make the weight a parameter again."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
