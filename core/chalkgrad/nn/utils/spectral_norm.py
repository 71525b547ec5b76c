"""A weight divided by its spectral norm, by a hook before each forward: the older way."""

from __future__ import annotations

from typing import Any, TypeVar

from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn import functional
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.conv import _ConvTransposeNd
from chalkgrad.nn.parameter import Parameter
from chalkgrad.nn.uninitialized import is_lazy
from chalkgrad.ops.create import empty

M = TypeVar("M", bound=Module)


class SpectralNorm:
    """The hook: it sets the weight anew from ``NAME_orig``, and follows its norm by power iteration."""

    _version: int = 1

    def __init__(self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.name, self.dim, self.n_power_iterations, self.eps = name, dim, n_power_iterations, eps

    def reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        """The weight with one row for each place along its dimension."""
        if self.dim:
            weight = weight.permute(self.dim, *(dim for dim in range(weight.dim()) if dim != self.dim))
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Tensor:
        """The weight over its norm."""
        weight, u, v = (getattr(module, f"{self.name}_{what}") for what in ("orig", "u", "v"))
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    functional.normalize(matrix.t().mv(u), dim=0, eps=self.eps, out=v)
                    functional.normalize(matrix.mv(v), dim=0, eps=self.eps, out=u)
                u, v = u.clone(), v.clone()
        found: Tensor = weight / u.dot(matrix.mv(v))
        return found

    def remove(self, module: Module) -> None:
        """Make the weight a parameter again."""
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for name in (self.name, f"{self.name}_u", f"{self.name}_v", f"{self.name}_orig"):
            delattr(module, name)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        """Work the weight out before a forward."""
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))


class SpectralNormStateDictHook:
    """Says in the facts of a state which version of the hook wrote it."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(self, module: Module, state_dict: Any, prefix: str, local_metadata: dict[str, Any]) -> None:
        """Add the version to the facts."""
        facts = local_metadata.setdefault("spectral_norm", {})
        key = f"{self.fn.name}.version"
        if key in facts:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        facts[key] = self.fn._version


for _class in (SpectralNorm, SpectralNormStateDictHook):
    _class.__module__ = "torch.nn.utils.spectral_norm"


def spectral_norm(
    module: M, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> M:
    """Keep the spectral norm of a weight at 1."""
    if dim is None:
        dim = 1 if isinstance(module, _ConvTransposeNd) else 0
    for hook in module._forward_pre_hooks.values():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
    made = SpectralNorm(name, n_power_iterations, dim, eps)
    weight = module._parameters[name]
    if weight is None:
        raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
    if is_lazy(weight):
        raise ValueError(
            "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run the dummy "
            "forward before applying spectral normalization"
        )
    with no_grad():
        sizes = made.reshape_weight_to_matrix(weight).size()
        vectors = [
            functional.normalize(empty(size, dtype=weight.dtype).normal_(0, 1), dim=0, eps=eps) for size in sizes
        ]
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.data)
    for letter, vector in zip("uv", vectors, strict=True):
        module.register_buffer(f"{name}_{letter}", vector)
    module.register_forward_pre_hook(made)
    module._register_state_dict_hook(SpectralNormStateDictHook(made))
    return module


def remove_spectral_norm(module: M, name: str = "weight") -> M:
    """Make the weight a parameter again."""
    found = [
        key for key, hook in module._forward_pre_hooks.items() if isinstance(hook, SpectralNorm) and hook.name == name
    ]
    if not found:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    hook: Any = module._forward_pre_hooks.pop(found[0])
    hook.remove(module)
    for key, other in list(module._state_dict_hooks.items()):
        if isinstance(other, SpectralNormStateDictHook) and other.fn.name == name:
            del module._state_dict_hooks[key]
    return module
