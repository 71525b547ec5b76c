"""``torch.autograd.function``."""

from chalkgrad.engine.function import (
    BackwardCFunction,
    Function,
    FunctionCtx,
    FunctionMeta,
    InplaceFunction,
    once_differentiable,
)
from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "once_differentiable",
]

__getattr__ = _absent("torch.autograd.function")
