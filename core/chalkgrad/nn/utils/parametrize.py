"""Parameters that are worked out of others: a module in front of a weight says how, each time it is read."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from chalkgrad.engine.modes import no_grad
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.container import ModuleDict, ModuleList
from chalkgrad.nn.parameter import Parameter

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]


class _Cache:
    """What parametrised tensors came to, while somebody keeps them."""

    def __init__(self) -> None:
        self.users = 0
        self.tensors: dict[tuple[int, str], Tensor] = {}

    def of(self, module: Module, name: str, make: Callable[[], Tensor]) -> Tensor:
        """The tensor ``name`` of ``module``, made unless it is kept."""
        if not self.users:
            return make()
        key = (id(module), name)
        if key not in self.tensors:
            self.tensors[key] = make()
        return self.tensors[key]


_CACHE = _Cache()


@contextmanager
def cached() -> Iterator[None]:
    """Work out each parametrised tensor once only, within the ``with``."""
    _CACHE.users += 1
    try:
        yield
    finally:
        _CACHE.users -= 1
        if not _CACHE.users:
            _CACHE.tensors = {}


def _keep(module: Module, name: str, tensor: Tensor) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


class ParametrizationList(ModuleList):
    """The parametrisations of one tensor, applied in turn, and the tensors they start from."""

    original: Tensor

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        if not modules:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new = self._inverted(original)
        if not isinstance(new, Tensor | Sequence):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(new).__name__}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if isinstance(new, Tensor) else len(new)
        if isinstance(new, Tensor):
            self._keep_one(original, new)
        else:
            self._keep_several(original, new)
        if not unsafe:
            self._check_result(shape, dtype)

    def _inverted(self, original: Tensor) -> Any:
        """What to start from so that the parametrisations make ``original``, as far as they can tell."""
        new: Any = original
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    try:
                        new = module.right_inverse(new)
                    except NotImplementedError:
                        continue
        return new

    def _keep_one(self, original: Tensor, new: Tensor) -> None:
        if original.dtype != new.dtype:
            raise ValueError(
                "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                f"original.dtype: {original.dtype}\n"
                f"right_inverse(original).dtype: {new.dtype}"
            )
        with no_grad():
            original.set_(new)
        _keep(self, "original", original)

    def _keep_several(self, original: Tensor, new: Sequence[Any]) -> None:
        for number, tensor in enumerate(new):
            if not isinstance(tensor, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                    f"Got element {number} of the sequence with type {type(tensor).__name__}."
                )
            one = Parameter(tensor, original.requires_grad) if isinstance(original, Parameter) else tensor
            one.requires_grad_(original.requires_grad)
            _keep(self, f"original{number}", one)

    def _check_result(self, shape: Any, dtype: Any) -> None:
        found = self()
        if not isinstance(found, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(found).__name__}.")
        if found.dtype != dtype:
            raise ValueError(
                "Registering a parametrization may not change the dtype of the tensor, unless `unsafe` flag is "
                f"enabled.\nunparametrized dtype: {dtype}\nparametrized dtype: {found.dtype}"
            )
        if found.shape != shape:
            raise ValueError(
                "Registering a parametrization may not change the shape of the tensor, unless `unsafe` flag is "
                f"enabled.\nunparametrized shape: {shape}\nparametrized shape: {found.shape}"
            )

    def right_inverse(self, value: Any) -> None:
        """Set what the parametrisations start from so that they make ``value``."""
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            if self.is_tensor:
                self._set_one(value)
            else:
                self._set_several(value)

    def _set_one(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise ValueError(f"`right_inverse` should return a tensor. Got {type(value).__name__}")
        if value.dtype != self.original.dtype:
            raise ValueError(
                f"The tensor returned by `right_inverse` has dtype {value.dtype} "
                f"while `original` has dtype {self.original.dtype}"
            )
        self.original.set_(value)

    def _set_several(self, values: Any) -> None:
        if not isinstance(values, Sequence):
            raise ValueError(f"'right_inverse' must return a sequence of tensors. Got {type(values).__name__}.")
        if len(values) != self.ntensors:
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. "
                f"Got a sequence of length {len(values)}."
            )
        for number, tensor in enumerate(values):
            original = getattr(self, f"original{number}")
            if not isinstance(tensor, Tensor):
                raise ValueError(
                    "'right_inverse' must return a sequence of tensors or reference-type opaques. "
                    f"Got element {number} of type {type(tensor).__name__}."
                )
            if original.dtype != tensor.dtype:
                raise ValueError(
                    f"Tensor {number} returned by `right_inverse` has dtype {tensor.dtype} "
                    f"while `original{number}` has dtype {original.dtype}"
                )
            original.set_(tensor)

    def forward(self) -> Tensor:
        """What the parametrisations make of the tensors they start from."""
        first, *rest = list(self)
        start = [self.original] if self.is_tensor else [getattr(self, f"original{n}") for n in range(self.ntensors)]
        found: Tensor = first(*start)
        for module in rest:
            found = module(found)
        return found


def _parametrized_class(module: Module) -> None:
    """Give the module a class of its own, on which properties can stand."""
    cls = type(module)

    def deepcopy(self: Any, memo: dict[int, Any]) -> Any:
        known = memo.get(id(self))
        if known is not None:
            return known
        made = memo[id(self)] = self.__new__(self.__class__)
        made.__dict__ = copy.deepcopy(self.__dict__, memo)
        return made

    def getstate(self: Any) -> Any:
        raise RuntimeError(
            "Serialization of parametrized modules is only supported through state_dict(). See:\n"
            "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
            "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
        )

    members = {"__getstate__": getstate} | ({} if hasattr(cls, "__deepcopy__") else {"__deepcopy__": deepcopy})
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), members)


def _inject(module: Module, name: str) -> None:
    """Let reading ``name`` work the tensor out, and writing it set what that starts from."""

    def read(self: Any) -> Tensor:
        return _CACHE.of(self, name, self.parametrizations[name])

    def write(self: Any, value: Tensor) -> None:
        self.parametrizations[name].right_inverse(value)

    setattr(type(module), name, property(read, write))


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Let ``parametrization`` make the tensor of that name, of what was there or of what those before it make."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_next(module, tensor_name, parametrization)
        lists: Any = module.parametrizations
        lists[tensor_name].append(parametrization)
        lists[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        made = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _parametrized_class(module)
            module.parametrizations = ModuleDict()
        _inject(module, tensor_name)
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
            f"'{tensor_name}'"
        )
    return module


_MAY_NOT = "Registering a parametrization may not change the {} of the tensor, unless the `unsafe` flag is enabled.\n"
_MUST_KEEP = (
    "The tensor returned by parametrization.right_inverse must have the same {} as module.{}, unless the `unsafe` flag "
    "is enabled.\n"
)


def _check_next(module: Module, name: str, parametrization: Any) -> None:
    """ValueError for a further parametrisation that makes something else of the tensor than a tensor like it."""
    before: Tensor = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
    for fact in ("dtype", "shape"):
        if getattr(after, fact) != getattr(before, fact):
            raise ValueError(
                f"{_MAY_NOT.format(fact)}module.{name}.{fact}: {getattr(before, fact)}\n"
                f"parametrization(module.{name}).{fact}: {getattr(after, fact)}"
            )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}")
    for fact in ("dtype", "shape"):
        if getattr(back, fact) != getattr(before, fact):
            raise ValueError(
                f"{_MUST_KEEP.format(fact, name)}module.{name}.{fact}: {getattr(before, fact)}\n"
                f"returned {fact}: {getattr(back, fact)}"
            )


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """True where a tensor of the module, or the one of that name, is worked out of others."""
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Make the tensor a plain one again: as it is worked out now, or as it was before."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    lists: Any = module.parametrizations
    found = lists[tensor_name]
    if found.is_tensor:
        original = found.original
        if leave_parametrized:
            with no_grad():
                original.set_(getattr(module, tensor_name))
    elif leave_parametrized:
        tensor = getattr(module, tensor_name)
        original = Parameter(tensor) if tensor.requires_grad else tensor
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
            "sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del lists[tensor_name]
    _keep(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """The class that the module had before anything of it was parametrised."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Parametrise ``to_module`` as ``from_module`` is, and let it start from the same tensors."""
    if not is_parametrized(from_module):
        return to_module
    lists: Any = from_module.parametrizations
    for name in lists if tensor_name is None else [tensor_name]:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        for parametrization in lists[name]:
            register_parametrization(to_module, name, parametrization)
        target: Any = to_module.parametrizations
        names = ["original"] if lists[name].is_tensor else [f"original{n}" for n in range(lists[name].ntensors)]
        for original in names:
            setattr(target[name], original, getattr(lists[name], original))
    return to_module
