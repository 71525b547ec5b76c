"""``torch.optim``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.optim import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.optim import __all__ as __all__
from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.optim import lr_scheduler as lr_scheduler  # type: ignore[no-redef]
from chalkgrad.torch.optim import swa_utils as swa_utils

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.optim")
