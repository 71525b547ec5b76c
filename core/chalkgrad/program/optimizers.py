"""The optimisers that a program may make, and the settings that each takes."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, cast

from chalkgrad import optim
from chalkgrad.optim.optimizer import Optimizer
from chalkgrad.program.statement import Operand

NAMES = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop", "ASGD")
"""The classes of ``torch.optim`` by name; one that needs a closure (LBFGS) is none of them."""


class Setting(NamedTuple):
    """An argument of an optimiser after its parameters; ``positional`` where it may be given without its name."""

    name: str
    default: Operand
    positional: bool


@cache
def settings_of(name: str) -> Mapping[str, Setting]:
    """The settings of an optimiser by name, in the order in which PyTorch takes them."""
    parameters = list(inspect.signature(class_of(name)).parameters.values())[1:]
    return {
        parameter.name: Setting(
            parameter.name,
            cast("Operand", parameter.default),
            parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD,
        )
        for parameter in parameters
    }


def class_of(name: str) -> type[Optimizer]:
    """The class of an optimiser; AttributeError, as PyTorch words it, for a name that it doesn't have."""
    if name not in NAMES:
        raise AttributeError(f"module 'torch.optim' has no attribute '{name}'")
    found: type[Optimizer] = getattr(optim, name)
    return found
