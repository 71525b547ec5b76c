"""``torch.nn.modules.module``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn.everywhere import (
    register_module_backward_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
)
from chalkgrad.nn.module import Module
from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn.modules.module")
