"""``torch.optim``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.optim import SGD, Optimizer
from chalkgrad.torch.functions import absent as _absent

__all__ = ["SGD", "Optimizer"]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.optim")
