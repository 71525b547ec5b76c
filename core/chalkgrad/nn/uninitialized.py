"""Parameters and buffers whose shape is not known yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from chalkgrad.engine.base import TensorBase, new_tensor
from chalkgrad.engine.dtype import DType, dtype_of
from chalkgrad.engine.size import Size
from chalkgrad.engine.tensor import Tensor
from chalkgrad.nn.parameter import Parameter, _on_memory_of
from chalkgrad.ops.create import empty

SHAPELESS = (
    "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` "
    "when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the "
    "parameters before accessing their attributes."
)
_USED = (
    "Attempted to use an uninitialized parameter in {}. This error happens when you are using a `LazyModule` or "
    "explicitly manipulating `torch.nn.parameter.{}` objects. When using LazyModules Call `forward` with a dummy batch "
    "to initialize the parameters before calling torch functions"
)


_ARRAY: Any = vars(TensorBase)["array"]


class _Shapeless(Tensor):
    """Refuses to be computed with, since nobody knows its elements; where they would be is :attr:`memory`."""

    __slots__ = ()
    cls_to_become: type[Tensor]

    @property
    def memory(self) -> np.ndarray:
        """An array without elements, of the dtype that there will be."""
        found: np.ndarray = _ARRAY.__get__(self)
        return found

    @property
    def array(self) -> NoReturn:
        """Refused: all that computes asks for it."""
        raise ValueError(_USED.format("a function", type(self).__name__))

    @array.setter
    def array(self, values: np.ndarray) -> None:
        _ARRAY.__set__(self, values)

    @property
    def shape(self) -> NoReturn:
        """What is not known yet."""
        raise RuntimeError(SHAPELESS)

    @property
    def dtype(self) -> DType:
        """The dtype of the elements to come."""
        return dtype_of(self.memory)

    @property
    def ndim(self) -> int:
        """1: that of no elements."""
        return 1

    @property
    def data(self) -> Tensor:
        """A tensor without elements."""
        return new_tensor(self.memory)  # type: ignore[return-value]

    @data.setter
    def data(self, value: Tensor) -> None:
        self.array = value.array

    def size(self, *dim: int) -> Any:
        """That of no elements."""
        return Size(self.memory.shape) if not dim else self.memory.shape[dim[0]]

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Give the tensor its memory, not yet filled, and make it an ordinary one."""
        made = empty((shape,) if isinstance(shape, int) else tuple(shape), dtype=dtype or self.dtype, device=device)
        self.__class__ = self.cls_to_become  # type: ignore[assignment]
        self.data = made

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, dtype=self.dtype)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return type(self), (self.requires_grad,)


_OF_DATA: tuple[str, ...] = (
    "char",
    "copy_",
    "cpu",
    "cuda",
    "double",
    "float",
    "get_device",
    "half",
    "int",
    "is_complex",
)
_OF_DATA += ("is_floating_point", "long", "short", "to")
"""Methods that are called on what is there, as in PyTorch."""

_ARITHMETIC = "add sub mul div truediv floordiv pow matmul mod and or xor lshift rshift"
_OPERATORS = {f"__{side}{name}__": name for name in _ARITHMETIC.split() for side in ("", "r", "i")}


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refuse(self: _Shapeless, *_: Any, **__: Any) -> NoReturn:
        raise ValueError(_USED.format(f"<method '{name}' of 'torch._C.TensorBase' objects>", type(self).__name__))

    return refuse


def _of_data(name: str) -> Callable[..., Any]:
    def call(self: _Shapeless, *args: Any, **kwargs: Any) -> Any:
        data = self.data
        found = getattr(data, name)(*args, **kwargs)
        if found is data:
            return self
        stays_lazy = isinstance(found, Tensor) and not isinstance(self, Parameter)
        return type(self)(dtype=found.dtype) if stays_lazy else found

    return call


for _name in dir(Tensor):
    if _name in vars(_Shapeless) or _name == "peek_grad" or not callable(getattr(Tensor, _name)):
        continue
    if _name in _OF_DATA:
        setattr(_Shapeless, _name, _of_data(_name))
    elif not _name.startswith("_") or _name in _OPERATORS or _name in ("__bool__", "__eq__", "__getitem__", "__len__"):
        setattr(_Shapeless, _name, _refusing(_OPERATORS.get(_name, _name)))
_Shapeless.__hash__ = Tensor.__hash__  # type: ignore[method-assign]


class UninitializedParameter(_Shapeless, Parameter):
    """A parameter that gets its shape with the first input of its module."""

    __slots__ = ()
    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> UninitializedParameter:
        """A parameter without elements."""
        made: UninitializedParameter = _on_memory_of(cls, empty(0, device=device, dtype=dtype), requires_grad)
        return made


class UninitializedBuffer(_Shapeless):
    """A buffer that gets its shape with the first input of its module."""

    __slots__ = ()
    cls_to_become = Tensor

    def __new__(cls, requires_grad: bool = False, device: Any = None, dtype: Any = None) -> UninitializedBuffer:
        """A buffer without elements."""
        made: UninitializedBuffer = _on_memory_of(cls, empty(0, device=device, dtype=dtype), requires_grad)
        return made


def is_lazy(tensor: object) -> bool:
    """True for a parameter or buffer without a shape."""
    return isinstance(tensor, UninitializedParameter | UninitializedBuffer)


UninitializedParameter.__module__ = UninitializedBuffer.__module__ = "torch.nn.parameter"
