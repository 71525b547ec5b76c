"""``torch.nn.modules``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn.modules import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.nn.modules import __all__ as _names
from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.nn.modules import module

__all__ = ["module", *_names]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn.modules")
