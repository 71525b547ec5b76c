"""Parameters and buffers: the tensors that a module counts as its own."""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.base import Meta, TensorBase, counter_of
from chalkgrad.engine.messages import INTEGRAL_GRAD
from chalkgrad.engine.tensor import Tensor

__all__ = ["Buffer", "Parameter"]


def _on_memory_of(cls: type[Any], data: Any, requires_grad: bool) -> Any:
    """A leaf of class ``cls`` on the memory of ``data``, whose writes count for both."""
    made = object.__new__(cls)
    source = Tensor() if data is None else data
    if not isinstance(source, TensorBase):
        raise AttributeError(f"'{type(data).__name__}' object has no attribute 'detach'")
    if requires_grad and source.array.dtype.kind != "f":
        raise RuntimeError(INTEGRAL_GRAD)
    made.array = source.array
    made.node = None
    made.counter = counter_of(source)
    made.meta = Meta()
    made.meta.requires_grad = requires_grad
    return made


class Parameter(Tensor):
    """A leaf that requires grad and that a module registers when it is assigned as an attribute."""

    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        """A parameter on the memory of ``data``."""
        made: Parameter = _on_memory_of(cls, data, requires_grad)
        return made

    def __repr__(self) -> str:
        return "Parameter containing:\n" + Tensor.__repr__(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        copied: Parameter = memo[id(self)]
        return copied

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return _rebuilt, (self.data, self.requires_grad)


class Buffer(Tensor):
    """A tensor that a module registers as a buffer when it is assigned as an attribute."""

    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Buffer:
        """A buffer on the memory of ``data``."""
        made: Buffer = _on_memory_of(cls, data, requires_grad=data is not None and data.requires_grad)
        made.persistent = persistent
        return made


def _rebuilt(data: Tensor, requires_grad: bool) -> Parameter:
    return Parameter(data, requires_grad)


Parameter.__module__ = Buffer.__module__ = "torch.nn.parameter"
