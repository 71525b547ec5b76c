"""``torch.nn.functional``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn import functional as _functional
from chalkgrad.torch.functions import absent as _absent

globals().update({name: getattr(_functional, name) for name in _functional.__all__})

__all__ = list(_functional.__all__)

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn.functional")
