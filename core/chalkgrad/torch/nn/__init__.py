"""``torch.nn``."""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn.module import Module
from chalkgrad.nn.modules import *  # noqa: F403 - the same names, under PyTorch's
from chalkgrad.nn.modules import __all__ as _modules
from chalkgrad.nn.parameter import Buffer, Parameter
from chalkgrad.nn.uninitialized import UninitializedBuffer, UninitializedParameter
from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.nn import functional, grad, init, modules, parameter, utils

__all__ = [
    "Buffer",
    "Module",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "functional",
    "grad",
    "init",
    "modules",
    "parameter",
    "utils",
    *_modules,
]

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch.nn")
