"""``torch.func``: functions made into those of their derivatives, and called for many arguments."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.torch.func.gradients import grad, grad_and_value, vjp
from chalkgrad.torch.func.jacobians import hessian, jacfwd, jacrev, jvp, linearize
from chalkgrad.torch.func.modules import functional_call, replace_all_batch_norm_modules_, stack_module_state
from chalkgrad.torch.func.vmap import vmap
from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
    "vmap",
]

for _function in __all__:
    globals()[_function].__module__ = "torch.func"

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.func")
