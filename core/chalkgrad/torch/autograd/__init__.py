"""``torch.autograd``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.engine.autograd import backward, grad
from chalkgrad.engine.gradcheck import gradcheck, gradgradcheck
from chalkgrad.engine.modes import enable_grad, no_grad, set_grad_enabled
from chalkgrad.torch.autograd import graph
from chalkgrad.torch.functions import absent as _absent

__all__ = ["backward", "enable_grad", "grad", "gradcheck", "gradgradcheck", "graph", "no_grad", "set_grad_enabled"]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.autograd")
