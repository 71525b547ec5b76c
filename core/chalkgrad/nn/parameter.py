"""Parameters: leaves that a module counts as its own."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.base import Meta, TensorBase
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.create import INTEGRAL_GRAD


class Parameter(Tensor):
    """A leaf that requires grad and that a module registers when it is assigned as an attribute."""

    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        """A parameter on the memory of ``data``."""
        made = object.__new__(cls)
        source = Tensor() if data is None else data
        if not isinstance(source, TensorBase):
            raise TypeError(f"cannot assign '{type(data).__name__}' as parameter data (torch.Tensor or None required)")
        if requires_grad and source.array.dtype.kind != "f":
            raise RuntimeError(INTEGRAL_GRAD)
        made.array = source.array
        made.node = made.counter = None
        made.meta = Meta()
        made.meta.requires_grad = requires_grad
        return made

    def __repr__(self) -> str:
        return "Parameter containing:\n" + Tensor.__repr__(self)


Parameter.__module__ = "torch.nn.parameter"
