"""What a module holds under names: parameters, buffers and other modules, and how they are reached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.naming import typename
from chalkgrad.nn.parameter import Buffer, Parameter

HOOK_TABLES = (
    "_backward_pre_hooks",
    "_backward_hooks",
    "_is_full_backward_hook",
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)
"""The tables of hooks that every module has, in PyTorch's order; one of them is a flag."""

TABLES = ("_parameters", "_buffers", "_modules")

NO_PERSISTENT = (
    "Registering a non-persistent buffer on a Module subclass that implements register_buffer() without the persistent "
    "argument is not allowed."
)


class Attributes:
    """Keeps parameters, buffers and modules that are assigned to it in tables of their own."""

    call_super_init = False
    """Whether classes that stand after Module among the bases are initialised, too, with what came."""

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        name = type(self).__name__
        passes_on = self.call_super_init
        if kwargs and not passes_on:
            raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'")
        if args and not passes_on:
            raise TypeError(f"{name}.__init__() takes 1 positional argument but {len(args) + 1} were given")
        own = self.__dict__
        own["training"] = True
        own["_parameters"] = {}
        own["_buffers"] = {}
        own["_non_persistent_buffers_set"] = set()
        for table in HOOK_TABLES:
            own[table] = None if table == "_is_full_backward_hook" else OrderedDict()
        own["_modules"] = {}
        if passes_on:
            super().__init__(*args, **kwargs)

    # Registration

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Put ``param`` inside under ``name``; TypeError, KeyError or ValueError for what can't be one."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name, "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To "
                f"express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Put a tensor that is no parameter inside; ``persistent`` ones are part of the state dict."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, TensorBase):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Put ``module`` inside under ``name``; None keeps the name free."""
        if module is not None and not isinstance(module, Attributes):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        self._modules[name] = module

    def register_module(self, name: str, module: Any) -> None:
        """:meth:`add_module`."""
        self.add_module(name, module)

    def _check_name(self, kind: str, name: str, table: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in self.__dict__[table]:
            raise KeyError(f"attribute '{name}' already exists")

    # Attributes

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in own:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_buffers", "_modules")
            self.register_parameter(name, value)
        elif name in own.get("_parameters", ()):
            _check_assigned(value, f"as parameter '{name}' (torch.nn.Parameter or None expected)")
            self.register_parameter(name, value)
        elif isinstance(value, Attributes):
            if "_modules" not in own:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, "_parameters", "_buffers")
            self._modules[name] = value
        elif name in own.get("_modules", ()):
            _check_assigned(value, f"as child module '{name}' (torch.nn.Module or None expected)")
            self._modules[name] = value
        elif name in own.get("_buffers", ()) or isinstance(value, Buffer):
            self._set_buffer(name, value)
        else:
            object.__setattr__(self, name, value)

    def _set_buffer(self, name: str, value: Any) -> None:
        if not isinstance(value, TensorBase):
            _check_assigned(value, f"as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)")
        if isinstance(value, Buffer):
            self._register_as_it_may(name, value)
        else:
            self._buffers[name] = value

    def _register_as_it_may(self, name: str, value: Buffer) -> None:
        """Register a buffer, by a method of a subclass that may not know of ``persistent``."""
        if "persistent" in signature(self.register_buffer).parameters:
            self.register_buffer(name, value, value.persistent)
            return
        if not value.persistent:
            raise RuntimeError(NO_PERSISTENT)
        self.register_buffer(name, value)

    def _forget(self, name: str, *tables: str) -> None:
        """Take ``name`` out of where it was before it becomes something else."""
        self.__dict__.pop(name, None)
        for table in tables:
            self.__dict__[table].pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in TABLES:
            if table in own and name in own[table]:
                return own[table][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for table in TABLES:
            if name in self.__dict__.get(table, ()):
                del self.__dict__[table][name]
                if table == "_buffers":
                    self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        found = [*object.__dir__(self)]
        for table in TABLES:
            found += self.__dict__.get(table, ())
        return sorted({name for name in found if not name[0].isdigit()})

    # Reaching what is inside

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, in the order they were assigned, each once."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All parameters with the names by which they are reached."""
        yield from self._named("_parameters", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers, each once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers with the names by which they are reached."""
        yield from self._named("_buffers", prefix, recurse, remove_duplicate)

    def _named(self, table: str, prefix: str, recurse: bool, once: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        inside = self.named_modules(prefix=prefix, remove_duplicate=once) if recurse else [(prefix, self)]
        for path, module in inside:
            for name, member in list(getattr(module, table).items()):
                if member is None or id(member) in seen:
                    continue
                if once:
                    seen.add(id(member))
                yield (f"{path}.{name}" if path else name), member

    def children(self) -> Iterator[Any]:
        """The modules directly inside, each once."""
        for _, module in self.named_children():
            yield module

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """The modules directly inside, with their names."""
        seen: set[int] = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def modules(self) -> Iterator[Any]:
        """Itself and all modules inside, at any depth, each once."""
        for _, module in self.named_modules():
            yield module

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Itself and all modules inside, with the names by which they are reached."""
        seen = set() if memo is None else memo
        if self in seen:
            return
        if remove_duplicate:
            seen.add(self)
        yield prefix, self
        for name, module in list(self._modules.items()):
            if module is not None:
                inside = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(seen, inside, remove_duplicate)

    def get_submodule(self, target: str) -> Any:
        """The module at a path such as ``"0.inner"``; AttributeError where there is none."""
        module: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Attributes):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Any, strict: bool = False) -> None:
        """Put ``module`` at a path; with ``strict`` only in place of another."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Attributes):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Attributes):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a path; AttributeError where there is none."""
        return self._at(  # type: ignore[no-any-return]
            target, "is not an nn.Parameter", lambda module, name, found: isinstance(found, Parameter)
        )

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a path; AttributeError where there is none."""
        return self._at(  # type: ignore[no-any-return]
            target, "is not a buffer", lambda module, name, found: name in module._buffers
        )

    def _at(self, target: str, refusal: str, accepted: Callable[[Any, str, Any], bool]) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        found = getattr(module, name)
        if not accepted(module, name, found):
            raise AttributeError(f"`{name}` {refusal}")
        return found

    def _get_name(self) -> str:
        return type(self).__name__


def _check_assigned(value: object, expectation: str) -> None:
    """TypeError for anything but None."""
    if value is not None:
        raise TypeError(f"cannot assign '{typename(value)}' {expectation}")
