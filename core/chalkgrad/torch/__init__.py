"""The face: ``from chalkgrad import torch``, on which a script written for PyTorch runs unchanged.

Functions come from the operator table; what is not offered is absent, and asking for it raises what PyTorch raises for
a name it doesn't know.
"""

# ruff: noqa: F401

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.engine.dtype import DTYPES as _DTYPES
from chalkgrad.engine.dtype import DType as _DType
from chalkgrad.engine.dtype import (
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    set_default_dtype,
    uint8,
)
from chalkgrad.engine.generator import Generator, default_generator, manual_seed
from chalkgrad.engine.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from chalkgrad.engine.printing import set_printoptions
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.create import (
    arange,
    as_tensor,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    rand,
    rand_like,
    randint,
    randn,
    randn_like,
    randperm,
    tensor,
    zeros,
    zeros_like,
)
from chalkgrad.torch import autograd, nn, optim
from chalkgrad.torch.functions import absent as _absent
from chalkgrad.torch.functions import allclose, equal, is_tensor, numel
from chalkgrad.torch.functions import operators as _operators
from chalkgrad.torch.functions import typed as _typed

__version__ = "2.13.0"

globals().update(_operators("torch"))
globals().update({f"{_dtype.scalar_type}Tensor": _typed(_dtype) for _dtype in _DTYPES.values()})

short, long, double = int16, int64, float64
globals().update({"dtype": _DType, "float": float32, "int": int32, "bool": _DTYPES["bool"]})

__all__ = sorted(name for name in globals() if not name.startswith("_"))

if _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any: ...

else:
    __getattr__ = _absent("torch")
