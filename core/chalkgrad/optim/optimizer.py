"""What all optimisers have: groups of parameters with settings, state for each parameter, hooks."""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.handle import Handle
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.module import forget_gradient
from chalkgrad.nn.naming import typename

Group = dict[str, Any]
Hook = Callable[..., Any]


class _Required:
    """Stands for a setting that every group has to bring."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()

HOOK_TABLES = (
    "_optimizer_step_pre_hooks",
    "_optimizer_step_post_hooks",
    "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks",
    "_optimizer_load_state_dict_pre_hooks",
    "_optimizer_load_state_dict_post_hooks",
)


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """``step`` with the hooks before and after it."""

    @functools.wraps(step)
    def run(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        given: tuple[Any, ...] = (self, *args)
        for hook in self._optimizer_step_pre_hooks.values():
            returned = hook(self, given, kwargs)
            if returned is None:
                continue
            if not isinstance(returned, tuple) or len(returned) != 2:
                raise RuntimeError(f"{step} must return None or a tuple of (new_args, new_kwargs), but got {returned}.")
            given, kwargs = returned
        result = step(*given, **kwargs)
        for hook in self._optimizer_step_post_hooks.values():
            hook(self, given, kwargs)
        return result

    return run


class Optimizer:
    """Groups of parameters with their settings, and what is remembered for each parameter."""

    _optimizer_step_pre_hooks: dict[int, Hook]
    _optimizer_step_post_hooks: dict[int, Hook]
    _optimizer_state_dict_pre_hooks: dict[int, Hook]
    _optimizer_state_dict_post_hooks: dict[int, Hook]
    _optimizer_load_state_dict_pre_hooks: dict[int, Hook]
    _optimizer_load_state_dict_post_hooks: dict[int, Hook]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = _with_hooks(cls.step)  # type: ignore[method-assign]

    def __init__(self, params: Iterable[Any], defaults: Group) -> None:
        self.defaults = defaults
        self._make_hook_tables()
        if isinstance(params, TensorBase):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + typename(params)
            )
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[Group] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _make_hook_tables(self) -> None:
        for table in HOOK_TABLES:
            self.__dict__.setdefault(table, OrderedDict())

    # Groups

    def add_param_group(self, param_group: Group) -> None:
        """Take on more parameters; TypeError or ValueError for what can't be optimised."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        _list_parameters(param_group)
        for parameter in param_group["params"]:
            self._check_parameter(parameter)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        mine = {id(parameter) for parameter in param_group["params"]}
        if len(mine) != len(param_group["params"]):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; "
                "see github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=3,
            )
        self._check_other_groups(param_group, mine)
        self.param_groups.append(param_group)

    def _check_parameter(self, parameter: Any) -> None:
        if not isinstance(parameter, Tensor):
            raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {typename(parameter)}")
        if not self.defaults.get("differentiable") and not (parameter.is_leaf or parameter.retains_grad):
            raise ValueError("can't optimize a non-leaf Tensor")

    def _check_other_groups(self, param_group: Group, mine: set[int]) -> None:
        for group in self.param_groups:
            if ("param_names" in param_group) != ("param_names" in group):
                kind = "with names" if "param_names" in param_group else "without names"
                raise ValueError(
                    f"all optimizer param groups should be with/without names. cannot add param group {kind} to the "
                    "optimizer"
                )
        if any(id(parameter) in mine for group in self.param_groups for parameter in group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")

    # Steps

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update the parameters; a subclass says how."""
        raise NotImplementedError

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget (or zero) the gradients of all parameters."""
        for group in self.param_groups:
            for parameter in group["params"]:
                forget_gradient(parameter, set_to_none)

    # State

    def state_dict(self) -> dict[str, Any]:
        """Settings and state, with the parameters replaced by their numbers."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for parameter in group["params"]:
                numbers.setdefault(id(parameter), len(numbers))
            packed = {key: value for key, value in group.items() if key != "params"}
            packed["params"] = [numbers[id(parameter)] for parameter in group["params"]]
            groups.append(packed)
        state = {numbers[id(key)] if isinstance(key, TensorBase) else key: kept for key, kept in self.state.items()}
        found = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            returned = hook(self, found)
            found = found if returned is None else returned
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over settings and state; ValueError where the groups don't match."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            returned = hook(self, state_dict)
            state_dict = state_dict if returned is None else returned
        saved = deepcopy(state_dict["param_groups"])
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(old["params"]) != len(new["params"]) for old, new in zip(self.param_groups, saved, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        parameters = dict(
            zip(
                chain.from_iterable(group["params"] for group in saved),
                chain.from_iterable(group["params"] for group in self.param_groups),
                strict=True,
            )
        )
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, kept in state_dict["state"].items():
            if key in parameters:
                state[parameters[key]] = _fitted(parameters[key], kept)
            else:
                state[key] = kept
        for old, new in zip(self.param_groups, saved, strict=True):
            new["params"] = old["params"]
            if "param_names" in old:
                new.setdefault("param_names", old["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_hook_tables()

    def __reduce_ex__(self, protocol: Any) -> Any:
        # The classes say that they are PyTorch's, where pickle would look for them.
        if type(self).__module__.startswith("torch.optim"):
            return _empty, (type(self).__name__,), self.__getstate__()
        return super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for number, group in enumerate(self.param_groups):
            rows = (f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
            text += f"\nParameter Group {number}\n" + "".join(rows)
        return text + ")"

    # Hooks

    def register_step_pre_hook(self, hook: Hook) -> Handle:
        """Call ``hook(optimizer, args, kwargs)`` before each step; what it returns replaces the arguments."""
        return Handle(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Hook) -> Handle:
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        return Handle(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Call ``hook(optimizer)`` before the state dict is written."""
        return _registered(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Call ``hook(optimizer, state_dict)`` after it was written; what it returns replaces it."""
        return _registered(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Call ``hook(optimizer, state_dict)`` before one is loaded; what it returns replaces it."""
        return _registered(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Call ``hook(optimizer)`` after one was loaded."""
        return _registered(self._optimizer_load_state_dict_post_hooks, hook, prepend)


Optimizer.__module__ = "torch.optim.optimizer"


def _registered(hooks: Any, hook: Hook, prepend: bool) -> Handle:
    handle = Handle(hooks, hook)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _list_parameters(group: Group) -> None:
    """Make a list of the group's parameters, and one of their names where they came in pairs."""
    given = group["params"]
    if isinstance(given, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets "
            "will change between runs. Please use a list instead."
        )
    listed = [given] if isinstance(given, TensorBase) else list(given)
    names = [entry[0] for entry in listed if isinstance(entry, tuple)]
    group["params"] = [entry[1] if isinstance(entry, tuple) else entry for entry in listed]
    if names:
        if len(names) != len(listed):
            raise ValueError("all optimizer params should be with/without names. Some param names are missing")
        group["param_names"] = names


def _fitted(parameter: Tensor, value: Any, key: Any = None) -> Any:
    """Loaded state in the dtype of its parameter; the count of steps keeps its own."""
    if isinstance(value, TensorBase):
        keeps = key == "step" or not parameter.is_floating_point()
        return value if keeps else value.to(parameter.dtype)  # type: ignore[attr-defined]
    if isinstance(value, dict):
        return {name: _fitted(parameter, kept, name) for name, kept in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_fitted(parameter, kept) for kept in value)
    return value


def _empty(name: str) -> Optimizer:
    """An optimiser of the class of that name, of which nothing is set up yet."""
    from chalkgrad import optim

    cls: type[Optimizer] = getattr(optim, name)
    return cls.__new__(cls)
