"""A tensor in another dtype, and what becomes of it outside: numbers, lists, NumPy's arrays, text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from chalkgrad.engine import memory_format, messages
from chalkgrad.engine.base import TensorBase, new_tensor, state
from chalkgrad.engine.device import check_device, preserve_format
from chalkgrad.engine.dtype import DTYPES, DType, dtype_named, dtype_of, dtype_of_number, float64
from chalkgrad.engine.geometry import Geometry
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.signature import Parser, bare
from chalkgrad.engine.warning import warn_once

if TYPE_CHECKING:
    from chalkgrad.engine.tensor import Tensor

_TO = Parser.of(
    "to(Device? device=None, ScalarType? dtype=None, bool non_blocking=False, bool copy=False, *, "
    "MemoryFormat? memory_format=None)",
    "to(ScalarType dtype, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None)",
    "to(Tensor tensor, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None)",
)
_COPY = Parser.of("copy_(Tensor other, bool non_blocking=False)", "copy_(Tensor other, bool async=False)|deprecated")
_CPU = Parser.of("cpu(*, MemoryFormat? memory_format=None)")
_CUDA = Parser.of("cuda(Device? device=None, bool non_blocking=False, *, MemoryFormat? memory_format=None)")
_TYPE = Parser.of("type(Any dtype=None, bool non_blocking=False, *, MemoryFormat? memory_format=None)")
_TYPE_AS = Parser.of("type_as(Tensor other)")
_NUMPY = Parser.of("numpy(*, bool force=False)")

TYPE_NAMES = {f"torch.{dtype.scalar_type}Tensor": dtype for dtype in DTYPES.values()}
"""The dtypes by the names that PyTorch's classes of tensors used to have."""


class Conversion(Geometry):
    """Other dtypes, and leaving tensors for Python and NumPy."""

    __slots__ = ()

    __array_priority__ = 1000

    # Another dtype or device

    def to(self, *args: Any, **kwargs: Any) -> Tensor:
        """In another dtype, of another tensor or named, itself where it is that already and ``copy`` is False."""
        _, values = _TO.parse(args, kwargs)
        check_device(values.get("device"))
        wanted = values.get("dtype")
        like = values.get("tensor")
        if like is not None:
            wanted = dtype_of(like.array) if isinstance(like, TensorBase) else _dtype_of_wrapped(like)
        return self._converted(wanted, values.get("copy", False), values.get("memory_format"))

    def _converted(self, dtype: DType | None, copy: bool = False, form: Any = None) -> Tensor:
        wanted = dtype_of(self.array) if dtype is None else dtype
        same = wanted.numpy == self.array.dtype
        if same and not copy and (form is None or _has_format(self.array, form)):
            return self  # type: ignore[return-value]
        copied = TENSORS.to_copy if wanted.is_floating_point else TENSORS.to_copy_whole
        result: Tensor = copied(self, wanted, memory_format=form)
        return result

    def cpu(self, *args: Any, **kwargs: Any) -> Tensor:
        """Itself: it is on the CPU."""
        _, values = _CPU.parse(args, kwargs)
        return self._converted(None, form=values.get("memory_format"))

    def cuda(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused as PyTorch built for the CPU refuses it."""
        device = _CUDA.parse(args, kwargs)[1].get("device")
        check_device("cuda" if device is None else device)
        raise RuntimeError("Invalid device, must be cuda device")

    def type(self, *args: Any, **kwargs: Any) -> Any:
        """The name of its type as PyTorch used to write it, or the tensor in the dtype that is named."""
        _, values = _TYPE.parse(args, kwargs)
        dtype = values.get("dtype")
        if dtype is None:
            return f"torch.{self.dtype_title}Tensor"
        return self._converted(_named(dtype), form=values.get("memory_format"))

    def type_as(self, *args: Any, **kwargs: Any) -> Tensor:
        """In the dtype of another tensor."""
        other: TensorBase = _TYPE_AS.parse(args, kwargs)[1]["other"]
        return self._converted(dtype_of(other.array))

    def copy_(self, *args: Any, **kwargs: Any) -> Tensor:
        """Overwrite its elements with those of another tensor, or with a number."""
        other = _COPY.parse(args, kwargs)[1]["other"]
        source = other if isinstance(other, TensorBase) else new_tensor(np.asarray(other))
        result: Tensor = TENSORS.copy_(self, source)
        return result

    # Numbers and lists

    @bare
    def item(self) -> bool | int | float:
        """Its one element as a Python number; RuntimeError unless there is exactly one."""
        return TensorBase.item(self)

    @bare
    def tolist(self) -> Any:
        """Its elements as nested lists of Python numbers."""
        return self.array.tolist()

    def _number(self) -> bool | int | float:
        if self.array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return TensorBase.item(self)

    def __bool__(self) -> bool:
        """True unless its one element is zero."""
        if self.array.size != 1:
            count = "no values" if self.array.size == 0 else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {count} is ambiguous")
        return bool(self.array.item())

    def __float__(self) -> float:
        """Its one element as a float."""
        if state.grad and self.requires_grad:  # type: ignore[attr-defined]
            warn_once(messages.TO_SCALAR)
        return float(self._number())

    def __complex__(self) -> complex:
        """Its one element as a complex number."""
        return complex(self._number())

    def __int__(self) -> int:
        """Its one element as an int, cut off."""
        return int(self._number())

    def __index__(self) -> int:
        """Its one integer element, for use as an index."""
        if self.array.size != 1 or self.array.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.array.item())

    def __len__(self) -> int:
        """Size of the first dimension."""
        if self.array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return int(self.array.shape[0])

    def __iter__(self) -> Iterator[Tensor]:
        """Its parts along the first dimension."""
        if self.array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        unbind = getattr(TENSORS, "unbind", None)
        if unbind is not None:
            return iter(unbind(self, 0))
        return (self[index] for index in range(self.array.shape[0]))  # type: ignore[index]

    def __contains__(self, element: Any) -> bool:
        """True when one of its elements equals ``element``."""
        if isinstance(element, TensorBase):
            return bool(np.any(self.array == element.array))
        if not isinstance(element, bool | int | float | complex | np.number):
            raise RuntimeError(
                "Tensor.__contains__ only supports Tensor or scalar, but you passed in a " + str(type(element)) + "."
            )
        return bool(np.any(self.array == element))

    def __reversed__(self) -> Tensor:
        """Its parts along the first dimension in reverse order."""
        if self.array.ndim == 0:
            return self  # type: ignore[return-value]
        found: Tensor = TENSORS.flip(self, (0,))
        return found

    def __format__(self, spec: str) -> str:
        if self.array.ndim == 0:
            return format(self.item(), spec)
        return object.__format__(self, spec)

    # NumPy

    def numpy(self, *args: Any, **kwargs: Any) -> np.ndarray:
        """An array on the same memory; refused for a tensor that requires grad, unless ``force``."""
        values = _NUMPY.parse(args, kwargs)[1] if args or kwargs else {}
        if state.grad and self.requires_grad and not values.get("force"):  # type: ignore[attr-defined]
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        return self.array

    def __array__(self, dtype: Any = None) -> np.ndarray:
        """What NumPy's functions get."""
        found = self.numpy()
        return found if dtype is None else found.astype(dtype, copy=False)

    def __array_wrap__(self, array: np.ndarray) -> Tensor:
        """The tensor that a NumPy function gives for a tensor; booleans come as numbers, as in PyTorch."""
        made = np.asarray(array)
        found: Any = new_tensor(made.astype(np.uint8) if made.dtype == bool else made)
        if state.observer is not None:
            state.observer.tensor_made(found)
        return found  # type: ignore[no-any-return]

    # Python functions on every element

    def apply_(self, function: Callable[[Any], Any]) -> Tensor:
        """Replace every element by what ``function`` makes of it."""
        return self._mapped("apply_", function)

    def map_(self, tensor: TensorBase, function: Callable[[Any, Any], Any]) -> Tensor:
        """Replace every element by what ``function`` makes of it and its partner in ``tensor``."""
        return self._mapped("map_", function, tensor)

    def map2_(self, x: TensorBase, y: TensorBase, function: Callable[[Any, Any, Any], Any]) -> Tensor:
        """Replace every element by what ``function`` makes of it and its partners in ``x`` and ``y``."""
        return self._mapped("map2_", function, x, y)

    def _mapped(self, name: str, function: Callable[..., Any], *others: TensorBase) -> Tensor:
        if self.requires_grad:  # type: ignore[attr-defined]
            raise RuntimeError(
                f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead."
            )
        for label, other in zip(("other",) if len(others) == 1 else ("x", "y"), others, strict=False):
            if other.array.dtype != self.array.dtype:
                raise TypeError(f"{name}: expected {self.type()} for '{label}' (got {other.type()})")  # type: ignore[attr-defined]
        partners = [TENSORS.expand(other.detach(), self.array.shape).array.ravel().tolist() for other in others]  # type: ignore[attr-defined]
        results = [function(*values) for values in zip(self.array.ravel().tolist(), *partners, strict=True)]
        wrong = [result for result in results if not isinstance(result, TensorBase | int | float | np.generic)]
        if wrong and self.array.dtype.kind == "f":
            raise TypeError(f"must be real number, not {type(wrong[0]).__name__}")
        if wrong:
            raise TypeError(f"'{type(wrong[0]).__name__}' object cannot be interpreted as an integer")
        self.array[...] = np.array(results, self.array.dtype).reshape(self.array.shape)
        return self  # type: ignore[return-value]


def _has_format(array: np.ndarray, form: Any) -> bool:
    return form is preserve_format or memory_format.suggested(array) is form


def _dtype_of_wrapped(number: Any) -> DType:
    """A number stands for a tensor of its widest dtype."""
    return float64 if isinstance(number, float) else dtype_of_number(number)


def _named(dtype: Any) -> DType | None:
    """The dtype that ``type(...)`` was asked for; None for the default class of tensors."""
    if isinstance(dtype, DType):
        return dtype
    if isinstance(dtype, str):
        if dtype.startswith("torch.cuda."):
            check_device("cuda")
        if dtype not in TYPE_NAMES:
            raise ValueError(f"invalid type: '{dtype}'")
        return TYPE_NAMES[dtype]
    if isinstance(getattr(dtype, "dtype", None), DType):
        return dtype.dtype  # type: ignore[no-any-return]
    if isinstance(dtype, type) and issubclass(dtype, TensorBase):
        return None
    if dtype in (float, int, bool):
        return dtype_named({float: "float64", int: "int64", bool: "bool"}[dtype])
    raise TypeError("dtype must be a type, str, or dtype object")


_CASTS = {
    "float": "float32",
    "double": "float64",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "half": "float16",
    "bfloat16": "bfloat16",
    "chalf": "complex32",
    "cfloat": "complex64",
    "cdouble": "complex128",
}


def _caster(name: str, dtype: DType) -> Callable[..., Tensor]:
    parser = Parser.of(f"{name}(*, MemoryFormat? memory_format=None)")

    def convert(self: Conversion, *args: Any, **kwargs: Any) -> Tensor:
        values = parser.parse(args, kwargs)[1] if args or kwargs else {}
        return self._converted(dtype, form=values.get("memory_format"))

    convert.__name__ = name
    convert.__doc__ = f"The tensor as {dtype!r}, itself where it already is."
    return convert


for _name, _dtype in _CASTS.items():
    setattr(Conversion, _name, _caster(_name, dtype_named(_dtype)))
