"""Parameters and buffers whose shape is not known yet."""

from __future__ import annotations

from typing import Any, NoReturn

from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.parameter import Parameter, _on_memory_of
from chalkgrad.ops.create import empty

SHAPELESS = (
    "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` "
    "when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the "
    "parameters before accessing their attributes."
)


def _materialize(self: Any, shape: Any, device: Any = None, dtype: Any = None) -> None:
    """Give the tensor its memory, not yet filled, and make it an ordinary one."""
    self.data = empty(tuple(shape), dtype=self.data.dtype if dtype is None else dtype)
    self.__class__ = self.cls_to_become


def _shape(self: Any) -> NoReturn:
    """What is not known yet."""
    raise RuntimeError(SHAPELESS)


class UninitializedParameter(Parameter):
    """A parameter that gets its shape with the first input of its module."""

    __slots__ = ()
    cls_to_become = Parameter
    materialize = _materialize
    shape = property(_shape)

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> UninitializedParameter:
        """A parameter without elements."""
        made: UninitializedParameter = _on_memory_of(cls, empty(0, device=device, dtype=dtype), requires_grad)
        return made

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> UninitializedParameter:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, dtype=self.data.dtype)
        copied: UninitializedParameter = memo[id(self)]
        return copied

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return type(self), (self.requires_grad,)


class UninitializedBuffer(Tensor):
    """A buffer that gets its shape with the first input of its module."""

    __slots__ = ()
    cls_to_become = Tensor
    materialize = _materialize
    shape = property(_shape)

    def __new__(cls, requires_grad: bool = False, device: Any = None, dtype: Any = None) -> UninitializedBuffer:
        """A buffer without elements."""
        made: UninitializedBuffer = _on_memory_of(cls, empty(0, device=device, dtype=dtype), requires_grad)
        return made

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> UninitializedBuffer:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, dtype=self.data.dtype)
        copied: UninitializedBuffer = memo[id(self)]
        return copied

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return type(self), (self.requires_grad,)


def is_lazy(tensor: object) -> bool:
    """True for a parameter or buffer without a shape."""
    return isinstance(tensor, UninitializedParameter | UninitializedBuffer)


UninitializedParameter.__module__ = UninitializedBuffer.__module__ = "torch.nn.parameter"
