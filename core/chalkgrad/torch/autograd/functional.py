"""``torch.autograd.functional``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.engine.functional import hessian, hvp, jacobian, jvp, vhp, vjp
from chalkgrad.torch.functions import absent as _absent

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.autograd.functional")
