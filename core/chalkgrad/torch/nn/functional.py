"""``torch.nn.functional``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn.functional import linear, mse_loss, relu, sigmoid, softmax, tanh
from chalkgrad.torch.functions import absent as _absent

__all__ = ["linear", "mse_loss", "relu", "sigmoid", "softmax", "tanh"]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn.functional")
