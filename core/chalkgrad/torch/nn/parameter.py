"""``torch.nn.parameter``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn.parameter import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.nn.parameter import __all__ as _names
from chalkgrad.nn.uninitialized import UninitializedBuffer, UninitializedParameter, is_lazy
from chalkgrad.torch.functions import absent as _absent

__all__ = ["UninitializedBuffer", "UninitializedParameter", "is_lazy", *_names]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn.parameter")
