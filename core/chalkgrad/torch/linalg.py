"""``torch.linalg``: the table's operators of that place."""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.ops.linear_algebra import LinAlgError  # noqa: F401
from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.functions import operators as _operators

globals().update(_operators("torch.linalg"))

__all__ = sorted(name for name in globals() if not name.startswith("_"))

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.linalg")
