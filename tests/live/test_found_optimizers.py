"""Optimisers over parameters and options of every kind, step by step as PyTorch's: values, versions and state."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch")

import torch

from chalkgrad import torch as ours

OPTIMIZERS: dict[str, list[dict[str, Any]]] = {
    "SGD": [
        {"momentum": 0.9, "maximize": True},
        {"momentum": 0.9, "weight_decay": 0.1},
        {"momentum": 0.9, "nesterov": True, "maximize": True, "weight_decay": 0.1},
        {"momentum": 0.9, "dampening": 0.5, "foreach": True},
    ],
    "Adam": [{"amsgrad": True, "maximize": True}, {"weight_decay": 0.1, "decoupled_weight_decay": True}],
    "RMSprop": [{"centered": True, "momentum": 0.9, "weight_decay": 0.1, "maximize": True}],
    "Rprop": [{}, {"maximize": True, "step_sizes": (0.05, 0.2)}],
    "ASGD": [{"foreach": True, "lambd": 0.1, "t0": 2}, {"foreach": False, "lambd": 0.1, "t0": 2}],
    "Adagrad": [{"lr_decay": 0.3, "initial_accumulator_value": 0.5, "maximize": True}],
    "NAdam": [{"decoupled_weight_decay": True, "weight_decay": 0.1, "maximize": True}],
}
CASES = [(name, options) for name, cases in OPTIMIZERS.items() for options in cases]


def steps(module: Any, name: str, options: dict[str, Any], spoil: bool) -> list[Any]:
    """What parameters and state are after each of four steps; ``spoil`` puts a nan into a gradient."""
    leaves = [
        module.tensor([[1.0, -2.0, 0.5], [0.0, 3.0, -1.0]], requires_grad=True),
        module.tensor([0.3, -0.7], dtype=module.float64, requires_grad=True),
        module.tensor(1.5, requires_grad=True),
    ]
    optimizer = getattr(module.optim, name)(leaves, lr=0.1, **options)
    seen = []
    for number in range(4):
        optimizer.zero_grad()
        sum(((leaf - 1) ** 4).sum() for leaf in leaves).backward()
        if spoil and number == 1:
            leaves[0].grad[0, 0] = float("nan")
        optimizer.step()
        seen += [(leaf._version, leaf.detach().tolist()) for leaf in leaves]
    for number in range(3):
        state = optimizer.state_dict()["state"][number]
        seen.append((0, {key: getattr(value, "tolist", lambda value=value: value)() for key, value in state.items()}))
    return seen


@pytest.mark.parametrize(("name", "options"), CASES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(CASES)])
@pytest.mark.parametrize("spoil", [False, True])
def test_steps(name, options, spoil):
    for mine, other in zip(steps(ours, name, options, spoil), steps(torch, name, options, spoil), strict=True):
        assert mine[0] == other[0]
        assert flat(mine[1]) == pytest.approx(flat(other[1]), rel=1e-5, abs=1e-7, nan_ok=True)


def flat(value: Any) -> list[Any]:
    """All numbers in nested lists and dictionaries."""
    if isinstance(value, dict):
        return [number for key in sorted(value) for number in flat(value[key])]
    return [number for member in value for number in flat(member)] if isinstance(value, list) else [value]
