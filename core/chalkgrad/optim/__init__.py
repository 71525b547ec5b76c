"""Optimisers."""

from chalkgrad.optim import lr_scheduler
from chalkgrad.optim.adam import Adam, Adamax, AdamW, NAdam, RAdam
from chalkgrad.optim.adaptive import ASGD, Adadelta, Adagrad, RMSprop, Rprop
from chalkgrad.optim.lbfgs import LBFGS
from chalkgrad.optim.optimizer import Optimizer
from chalkgrad.optim.sgd import SGD

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]

for _cls in (ASGD, LBFGS, SGD, Adadelta, Adagrad, Adam, AdamW, Adamax, NAdam, RAdam, RMSprop, Rprop):
    _cls.__module__ = f"torch.optim.{_cls.__name__.lower()}"
