"""``torch.optim.swa_utils``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.optim.swa_utils import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.optim.swa_utils import __all__ as __all__
from chalkgrad.torch.functions import absent as _absent

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.optim.swa_utils")
