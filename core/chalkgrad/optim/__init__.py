"""Optimisers, each imported when it is first asked for."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.optim.optimizer import Optimizer

if _TYPE_CHECKING:
    from chalkgrad.optim import lr_scheduler
    from chalkgrad.optim.adafactor import Adafactor
    from chalkgrad.optim.adam import Adam, Adamax, AdamW, NAdam, RAdam
    from chalkgrad.optim.adaptive import ASGD, Adadelta, Adagrad, RMSprop, Rprop
    from chalkgrad.optim.lbfgs import LBFGS
    from chalkgrad.optim.muon import Muon
    from chalkgrad.optim.sgd import SGD

_MODULES = {
    **dict.fromkeys(("Adam", "AdamW", "Adamax", "NAdam", "RAdam"), "adam"),
    **dict.fromkeys(("ASGD", "Adadelta", "Adagrad", "RMSprop", "Rprop"), "adaptive"),
    "Adafactor": "adafactor",
    "LBFGS": "lbfgs",
    "Muon": "muon",
    "SGD": "sgd",
}
"""In which module each class is."""

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]


def __getattr__(name: str) -> _Any:
    if name == "lr_scheduler":
        return _import_module("chalkgrad.optim.lr_scheduler")
    if name in _MODULES:
        return getattr(_import_module(f"chalkgrad.optim.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'torch.optim' has no attribute '{name}'")
