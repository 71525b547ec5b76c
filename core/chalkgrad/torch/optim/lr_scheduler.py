"""``torch.optim.lr_scheduler``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.optim.lr_scheduler import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.optim.lr_scheduler import __all__ as __all__
from chalkgrad.torch.functions import absent as _absent

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.optim.lr_scheduler")
