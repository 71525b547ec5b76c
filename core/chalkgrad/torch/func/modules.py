"""Modules called with other tensors in their parameters' places, and the parameters of several, stacked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.batchnorm import _BatchNorm
from chalkgrad.torch import stack

Places = dict[str, tuple[dict[str, Any], str]]


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """What ``module`` gives with these tensors in the places of its parameters and buffers."""
    given = (args if isinstance(args, tuple) else (args,)) if args is not None else ()
    with _exchanged(module, _merged(parameter_and_buffer_dicts), tie_weights, strict):
        return module(*given, **(kwargs or {}))


def _merged(dicts: Any) -> dict[str, Tensor]:
    if isinstance(dicts, dict):
        return dicts
    if not isinstance(dicts, Sequence):
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(dicts)}"
        )
    if not all(isinstance(one, dict) for one in dicts):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    names = [name for one in dicts for name in one]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise ValueError(f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous")
    return {name: value for one in dicts for name, value in one.items()}


def _places(module: Module) -> Places:
    """Where each parameter and buffer is kept, by its name."""
    found: Places = {}
    for prefix, part in module.named_modules(remove_duplicate=False):
        for kept in (part._parameters, part._buffers):
            for name, value in kept.items():
                if value is not None:
                    found[f"{prefix}.{name}" if prefix else name] = (kept, name)
    return found


@contextmanager
def _exchanged(module: Module, tensors: dict[str, Tensor], tie_weights: bool, strict: bool) -> Iterator[None]:
    places = _places(module)
    wanted = {name: value for name, value in tensors.items() if name in places}
    if tie_weights:
        wanted |= _tied(places, wanted)
    if strict:
        _check_names(module, set(tensors) - set(places), set(places) - set(wanted))
    before = [(kept, name, kept[name]) for kept, name in (places[name] for name in wanted)]
    try:
        for name, value in wanted.items():
            kept, own = places[name]
            kept[own] = value
        yield
    finally:
        for kept, name, value in before:
            kept[name] = value


def _tied(places: Places, wanted: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors for names under which the module keeps one that is exchanged under another."""
    names: dict[int, list[str]] = {}
    for name, (kept, own) in places.items():
        names.setdefault(id(kept[own]), []).append(name)
    found: dict[str, Tensor] = {}
    for tied in names.values():
        given = [name for name in tied if name in wanted]
        if len({id(wanted[name]) for name in given}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(given)}, which are tied. Consider using "
                "tie_weights=False"
            )
        if given:
            found |= dict.fromkeys(tied, wanted[given[0]])
    return found


def _check_names(module: Module, unexpected: set[str], missing: set[str]) -> None:
    lines = [
        f"\n\t{title} key(s): {', '.join(repr(name) for name in sorted(names))}."
        for title, names in (("Unexpected", unexpected), ("Missing", missing))
        if names
    ]
    if lines:
        raise RuntimeError(f"Error(s) in reparametrizing for {type(module).__name__}:{''.join(lines)}")


def stack_module_state(models: Any) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters and the buffers of modules of one class, each stacked."""
    if not len(models):
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = _stacked([dict(model.named_parameters()) for model in models])
    return parameters, _stacked([dict(model.named_buffers()) for model in models])


def _stacked(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    return {name: _leaf(name, [one[name] for one in states]) for name in states[0]}


def _leaf(name: str, tensors: Sequence[Tensor]) -> Tensor:
    if len({tensor.requires_grad for tensor in tensors}) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    found: Tensor = stack(tensors)
    return found.detach().requires_grad_() if tensors[0].requires_grad else found


def replace_all_batch_norm_modules_(root: Module) -> Module:
    """Let all batch normalisations in ``root`` forget what they have seen, and see no more."""
    for part in root.modules():
        if isinstance(part, _BatchNorm):
            part.running_mean = part.running_var = part.num_batches_tracked = None
            part.track_running_stats = False
    return root
