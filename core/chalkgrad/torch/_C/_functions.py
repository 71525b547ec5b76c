"""``torch._C._functions``: classes of nodes, by which code that walks a graph knows the leaves."""

from chalkgrad.engine.blocking import DelayedError, Error, UndefinedGrad, UndefinedGradBackward
from chalkgrad.engine.graph import AccumulateGrad
from chalkgrad.torch.functions import absent as _absent

__all__ = ["AccumulateGrad", "DelayedError", "Error", "UndefinedGrad", "UndefinedGradBackward"]

__getattr__ = _absent("torch._C._functions")
