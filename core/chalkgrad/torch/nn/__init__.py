"""``torch.nn``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn import Flatten, Identity, Linear, Module, MSELoss, Parameter, ReLU, Sequential, Sigmoid, Softmax, Tanh
from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.nn import functional

__all__ = [
    "Flatten",
    "Identity",
    "Linear",
    "MSELoss",
    "Module",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "functional",
]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn")
