"""``torch.utils``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.utils import checkpoint, data, hooks

__all__ = ["checkpoint", "data", "hooks"]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.utils")
