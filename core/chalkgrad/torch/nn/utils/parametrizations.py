"""``torch.nn.utils.parametrizations``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn.utils.parametrizations import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.nn.utils.parametrizations import __all__ as __all__
from chalkgrad.torch.functions import absent as _absent

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn.utils.parametrizations")
