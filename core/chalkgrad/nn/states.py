"""The state dict of a module: written, and loaded back."""

from __future__ import annotations

import itertools
import warnings
import weakref
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.handle import Handle
from chalkgrad.engine.modes import no_grad
from chalkgrad.nn.attributes import Attributes
from chalkgrad.nn.calls import registered
from chalkgrad.nn.parameter import Parameter

Hook = Callable[..., Any]
State = dict[str, Any]

EXTRA = "_extra_state"
"""The key under which a module keeps what it wants to have besides its tensors."""

POSITIONAL = (
    "Positional args are being deprecated, use kwargs instead. Refer to "
    "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details."
)


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What ``load_state_dict`` did not find, and what it found no use for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


_IncompatibleKeys.__module__ = "torch.nn.modules.module"


class States(Attributes):
    """Writes its parameters and persistent buffers into a dictionary by name, and reads them back."""

    _version: int = 1
    _state_dict_hooks: dict[int, Hook]
    _state_dict_pre_hooks: dict[int, Hook]
    _load_state_dict_pre_hooks: dict[int, Hook]
    _load_state_dict_post_hooks: dict[int, Hook]

    def get_extra_state(self) -> Any:
        """What is kept besides the tensors; a subclass that keeps something says it."""
        raise RuntimeError("get_extra_state() is to be defined by the module that has extra state")

    def set_extra_state(self, state: Any) -> None:
        """Take back what :meth:`get_extra_state` gave."""
        raise RuntimeError("set_extra_state() is to be defined by the module that has extra state")

    # Writing

    def state_dict(
        self, *args: Any, destination: State | None = None, prefix: str = "", keep_vars: bool = False
    ) -> State:
        """Parameters and persistent buffers by name, detached unless ``keep_vars``."""
        if args:
            warnings.warn(POSITIONAL, FutureWarning, stacklevel=2)
            given = (*args, *(destination, prefix, keep_vars)[len(args) :])
            destination, prefix, keep_vars = given[:3]
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()  # type: ignore[attr-defined]
        facts = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = facts
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            returned = hook(self, destination, prefix, facts)
            if getattr(hook, "_from_public_api", False):
                if returned is not None:
                    raise RuntimeError("state_dict post-hook must return None")
            elif returned is not None:
                destination = returned
        return destination

    def _save_to_state_dict(self, destination: State, prefix: str, keep_vars: bool) -> None:
        for name, tensor in self._own_state().items():
            if tensor is not None:
                destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if type(self).get_extra_state is not States.get_extra_state:
            destination[prefix + EXTRA] = self.get_extra_state()

    def _own_state(self) -> State:
        """What belongs in the state dict of this module alone, by name."""
        kept = {name: tensor for name, tensor in self._buffers.items() if name not in self._non_persistent_buffers_set}
        return {**self._parameters, **kept}

    # Loading

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Copy values by name into parameters and buffers, or with ``assign`` put them in their place.

        RuntimeError for shapes that don't fit, and with ``strict`` for names that are missing or too many.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        metadata = getattr(state_dict, "_metadata", None)
        _load(self, OrderedDict(state_dict), "", metadata, strict, assign, missing, unexpected, errors)
        if strict:
            if unexpected:
                errors.insert(0, f"Unexpected key(s) in state_dict: {_listed(unexpected)}. ")
            if missing:
                errors.insert(0, f"Missing key(s) in state_dict: {_listed(missing)}. ")
        if errors:
            text = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{text}")
        return _IncompatibleKeys(missing, unexpected)

    def _load_from_state_dict(
        self,
        state_dict: State,
        prefix: str,
        local_metadata: State,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        own = self._own_state()
        for name, tensor in own.items():
            key = prefix + name
            if tensor is None:
                continue
            if key in state_dict:
                assign = local_metadata.get("assign_to_params_buffers", False)
                error = self._load_one(name, tensor, key, state_dict[key], assign)
                if error:
                    error_msgs.append(error)
            elif strict:
                missing_keys.append(key)
        extra = prefix + EXTRA
        if type(self).set_extra_state is not States.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            unexpected_keys += _unexpected(self, own, state_dict, prefix)

    def _load_one(self, name: str, tensor: Any, key: str, value: Any, assign: bool) -> str | None:
        """Take over one value; the text of the error where that fails."""
        if not isinstance(value, TensorBase):
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                f"checkpoint but received {type(value)}"
            )
        if tensor.array.ndim == 0 and value.array.ndim == 1 and not assign:
            value = value[0]  # type: ignore[index]
        if value.shape != tensor.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
                f"the shape in current model is {tensor.shape}."
            )
        try:
            with no_grad():
                if assign:
                    setattr(self, name, _assigned(tensor, value))
                else:
                    tensor.copy_(value)
        except Exception as error:
            return (
                f'While copying the parameter named "{key}", whose dimensions in the model are {tensor.size()} and '
                f"whose dimensions in the checkpoint are {value.size()}, an exception occurred : {error.args}."
            )
        return None

    # Hooks

    def register_state_dict_pre_hook(self, hook: Hook) -> Handle:
        """Call ``hook(module, prefix, keep_vars)`` before the state dict is written."""
        return registered(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Hook) -> Handle:
        """Call ``hook(module, state_dict, prefix, local_metadata)`` after it was written."""
        hook._from_public_api = True  # type: ignore[attr-defined]
        return registered(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Hook) -> Handle:
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously registered via "
                "register_state_dict_post_hook"
            )
        return registered(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Hook) -> Handle:
        """Call ``hook(module, state_dict, prefix, ...)`` before values are loaded."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook: Hook, with_module: bool = False) -> Handle:
        return registered(self._load_state_dict_pre_hooks, _OfModule(hook, self) if with_module else hook)

    def register_load_state_dict_post_hook(self, hook: Hook) -> Handle:
        """Call ``hook(module, incompatible_keys)`` after values were loaded."""
        return registered(self._load_state_dict_post_hooks, hook)


class _OfModule:
    """A hook that is given its module first, which it doesn't keep alive."""

    def __init__(self, hook: Hook, module: States) -> None:
        self.hook = hook
        self.module = weakref.ref(module)

    def __call__(self, *args: Any) -> Any:
        """Call the hook."""
        return self.hook(self.module(), *args)

    def __getstate__(self) -> Any:
        return self.hook, self.module()

    def __setstate__(self, state: Any) -> None:
        _OfModule.__init__(self, *state)


def _load(
    module: Any,
    state: State,
    prefix: str,
    metadata: Any,
    strict: bool,
    assign: bool,
    missing: list[str],
    unexpected: list[str],
    errors: list[str],
) -> None:
    """Load one module and all inside from the keys that begin with ``prefix``."""
    facts = {} if metadata is None else metadata.get(prefix[:-1], {})
    if assign:
        facts["assign_to_params_buffers"] = True
    module._load_from_state_dict(state, prefix, facts, True, missing, unexpected, errors)
    for name, child in module._modules.items():
        if child is not None:
            inside = f"{prefix}{name}."
            part = {key: value for key, value in state.items() if key.startswith(inside)}
            _load(child, part, inside, metadata, strict, assign, missing, unexpected, errors)
    keys = _IncompatibleKeys(missing, unexpected)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, "
                "if incompatible_keys need to be modified, it should be done inplace."
            )


def _unexpected(module: Attributes, own: State, state: State, prefix: str) -> list[str]:
    """The keys of ``state`` that neither this module nor one inside has a place for."""
    found = []
    for key in state:
        if key.startswith(prefix) and key != prefix + EXTRA:
            name, dot, _ = key[len(prefix) :].partition(".")
            if name not in (module._modules if dot else itertools.chain(own, module._modules)):
                found.append(key)
    return found


def _assigned(old: Any, value: Any) -> Any:
    """A loaded tensor as it takes the place of ``old``."""
    if isinstance(old, Parameter):
        if isinstance(value, Parameter):
            value.requires_grad_(old.requires_grad)
        else:
            value = Parameter(value, requires_grad=old.requires_grad)
    return value


def _listed(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
