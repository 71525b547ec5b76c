"""The module: named parameters and submodules, and a ``forward``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.parameter import Parameter


class Module:
    """Holds parameters and other modules under the names they are assigned to; calling it runs ``forward``."""

    training: bool

    def __init__(self) -> None:
        object.__setattr__(self, "_parameters", {})
        object.__setattr__(self, "_modules", {})
        object.__setattr__(self, "training", True)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes; a subclass says it."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward``."""
        return self.forward(*args, **kwargs)

    # Parameters and submodules

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, in the order they were assigned, each once."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Parameter]]:
        """All parameters with the names by which they are reached."""
        seen: set[int] = set()
        for path, module in self.named_modules(prefix) if recurse else [(prefix, self)]:
            for name, parameter in module.__dict__["_parameters"].items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{path}.{name}" if path else name), parameter

    def children(self) -> Iterator[Module]:
        """The modules directly inside."""
        return iter(self.__dict__["_modules"].values())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules directly inside, with their names."""
        return iter(self.__dict__["_modules"].items())

    def modules(self) -> Iterator[Module]:
        """Itself and all modules inside, at any depth."""
        return (module for _, module in self.named_modules())

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Module]]:
        """Itself and all modules inside, with the names by which they are reached."""
        stack: list[tuple[str, Module]] = [(prefix, self)]
        seen: set[int] = set()
        while stack:
            path, module = stack.pop()
            if id(module) in seen:
                continue
            seen.add(id(module))
            yield path, module
            inside = reversed(list(module.named_children()))
            stack.extend((f"{path}.{name}" if path else name, child) for name, child in inside)

    def add_module(self, name: str, module: Module) -> None:
        """Put ``module`` inside under ``name``."""
        self.__dict__["_modules"][name] = module

    def register_parameter(self, name: str, parameter: Parameter | None) -> None:
        """Put ``parameter`` inside under ``name``."""
        self.__dict__["_parameters"][name] = parameter

    def state_dict(self) -> dict[str, Tensor]:
        """The values of all parameters by name."""
        return {name: parameter.detach() for name, parameter in self.named_parameters()}

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Copy values by name into the parameters; KeyError where one is missing."""
        with no_grad():
            for name, parameter in self.named_parameters():
                parameter.copy_(state[name])

    # Modes

    def train(self, mode: bool = True) -> Module:
        """Put this module and all inside into training mode."""
        for module in self.modules():
            object.__setattr__(module, "training", mode)
        return self

    def eval(self) -> Module:
        """Put this module and all inside into evaluation mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Switch recording on or off for all parameters."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget (or zero) the gradients of all parameters."""
        for parameter in self.parameters():
            forget_gradient(parameter, set_to_none)

    def apply(self, function: Callable[[Module], None]) -> Module:
        """Call ``function`` with every module inside, this one last."""
        for child in self.children():
            child.apply(function)
        function(self)
        return self

    # Python

    def extra_repr(self) -> str:
        """What stands between the brackets of a module without submodules."""
        return ""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Parameter | Module):
            if "_parameters" not in self.__dict__:
                kind = "parameters" if isinstance(value, Parameter) else "module"
                raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
            table = "_parameters" if isinstance(value, Parameter) else "_modules"
            self.__dict__[table][name] = value
        elif name in self.__dict__.get("_parameters", {}):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{type(value).__module__}.{type(value).__name__}' as parameter '{name}' "
                    "(torch.nn.Parameter or None expected)"
                )
            self.__dict__["_parameters"][name] = None
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for table in ("_parameters", "_modules"):
            found = self.__dict__.get(table, {})
            if name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __repr__(self) -> str:
        inside = [f"({name}): {_indented(repr(child))}" for name, child in self.named_children()]
        if not inside:
            return f"{type(self).__name__}({self.extra_repr()})"
        return f"{type(self).__name__}(\n  " + "\n  ".join(inside) + "\n)"


def forget_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Set a parameter's gradient to None, or to zeros cut off from any graph."""
    gradient = parameter.peek_grad()
    if gradient is None:
        return
    if set_to_none:
        parameter.grad = None
        return
    if gradient.grad_fn is not None:
        gradient.detach_()
    else:
        gradient.requires_grad_(False)
    gradient.zero_()


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")
