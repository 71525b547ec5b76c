"""The factories that make tensors from values, or filled with a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from chalkgrad.engine import memory_format, messages
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.device import check_device
from chalkgrad.engine.dtype import DType, dtype_of, dtype_of_number, get_default_dtype
from chalkgrad.engine.dtype import cast as cast_to
from chalkgrad.engine.parameter import type_name
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import COUNTLESS
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.tensor import Tensor
from chalkgrad.engine.values import READ_ONLY_BUFFER, array_of, check_fits, values_of
from chalkgrad.engine.warning import warn
from chalkgrad.ops.factory import NO_PINNING, OUT, PLACE, Options, factory, made

__all__ = ["made"]

Size = tuple[int, ...]

# From values

_TENSOR = Parser.of(
    "tensor(Any data, *, ScalarType? dtype=None, Device? device=None, bool pin_memory=False, bool requires_grad=False)"
)
_AS_TENSOR = Parser.of("as_tensor(Any data, ScalarType? dtype=None, Device? device=None)")
_ASARRAY = Parser.of(
    "asarray(Any obj, *, ScalarType? dtype=None, Device? device=None, bool? copy=None, bool requires_grad=False)"
)


def tensor(*args: Any, **kwargs: Any) -> Tensor:
    """``tensor(data)``: a new tensor holding a copy of ``data``, a number, nested lists, an array, or a tensor."""
    _, values = _TENSOR.parse(args, kwargs)
    data = values["data"]
    if isinstance(data, TensorBase):
        warn(messages.COPY_CONSTRUCT)
    check_device(values.get("device"))
    if values.get("pin_memory"):
        raise RuntimeError(NO_PINNING)
    return made(copied(data, values.get("dtype")), values.get("requires_grad", False))


def copied(data: Any, dtype: DType | None) -> np.ndarray:
    """The values of ``data`` on memory of their own."""
    found = values_of(data, dtype)
    if isinstance(data, TensorBase):
        return memory_format.copied(found, found.dtype)
    return np.array(found, order="K", copy=True) if isinstance(data, np.ndarray) else found


def as_tensor(*args: Any, **kwargs: Any) -> Tensor:
    """``as_tensor(data, dtype=None)``: ``data`` as a tensor, on the same memory where that is possible."""
    _, values = _AS_TENSOR.parse(args, kwargs)
    check_device(values.get("device"))
    data, dtype = values["data"], values.get("dtype")
    if isinstance(data, TensorBase):
        return cast("Tensor", data).to(dtype)
    return made(values_of(data, dtype))


def asarray(*args: Any, **kwargs: Any) -> Tensor:
    """``asarray(obj)``: a tensor on the memory of ``obj`` where that is possible and ``copy`` doesn't say otherwise."""
    _, values = _ASARRAY.parse(args, kwargs)
    check_device(values.get("device"))
    obj, dtype, copy = values["obj"], values.get("dtype"), values.get("copy")
    if not isinstance(obj, TensorBase | np.ndarray | np.generic) and has_buffer(obj):  # its bytes are not converted
        obj = frombuffer(obj, dtype=dtype or get_default_dtype())
    shares = isinstance(obj, TensorBase | np.ndarray | np.generic)
    if copy is False and not shares:
        raise ValueError("can't alias arbitrary sequence into a tensor.")
    if isinstance(obj, TensorBase):
        known = dtype_of(obj.array)
        if copy is False and dtype not in (None, known):
            raise ValueError(
                f"can't alias tensor with dtype '{known.scalar_type}' into dtype '{cast('DType', dtype).scalar_type}'."
            )
        found = cast("Tensor", obj)
        if copy or dtype not in (None, known):
            found = TENSORS.to_copy(obj, dtype or known)
    else:
        array = values_of(obj, dtype)
        found = made(array.copy() if copy and shares else array)
    if values.get("requires_grad") and not found.requires_grad:
        found.requires_grad_()
    return found


def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor on the memory of ``array``."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(array)})")
    return made(array_of(array))


def frombuffer(buffer: Any, *, dtype: DType, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """A tensor in one dimension on the memory of an object such as a bytearray."""
    if not has_buffer(buffer):
        raise ValueError("object does not implement Python buffer protocol.")
    _check_part(memoryview(buffer).nbytes, dtype.itemsize, count, offset)
    return made(array_of(np.frombuffer(buffer, dtype.numpy, count, offset), READ_ONLY_BUFFER), requires_grad)


def has_buffer(value: Any) -> bool:
    """True for what shows its memory to others, as a bytearray does."""
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


def _check_part(length: int, width: int, count: int, offset: int) -> None:
    """ValueError unless a buffer of so many bytes has ``count`` elements (below 0: all that come) after ``offset``."""
    if not length or not count:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
        )
    if count < 0 and (length - offset) % width:
        raise ValueError(
            f"buffer length ({length} bytes) after offset ({offset} bytes) must be a multiple of element size ({width})"
        )
    if count > 0 and offset + count * width > length:
        raise ValueError(
            f"requested buffer length ({count} * {width} bytes) after offset ({offset} bytes) must not be greater than "
            f"actual buffer length ({length} bytes)"
        )


def _scalar(options: Options, s: Any) -> np.ndarray:
    """A number as a tensor without dimensions."""
    return np.array(cast_to(s, options.dtype or get_default_dtype()))


scalar_tensor = factory(_scalar, f"scalar_tensor(Scalar s, *, {PLACE})")

# Of a shape


def _filled(value: Any) -> Callable[..., np.ndarray]:
    def make(options: Options, size: Size) -> np.ndarray:
        found = memory_format.empty(size, (options.dtype or get_default_dtype()).numpy, options.memory_format)
        if value:
            found.fill(value)
        return found

    return make


def _zeros(options: Options, size: Size) -> np.ndarray:
    """Zeros in a shape."""
    if any(length < 0 for length in size):
        raise RuntimeError("zeros: Dimension size must be non-negative.")
    return memory_format.empty(size, (options.dtype or get_default_dtype()).numpy)


zeros = factory(_zeros, f"zeros(SymInt[] size, *, {OUT})")
ones = factory(_filled(1), f"ones(SymInt[] size, *, {OUT})")
empty = factory(_filled(0), f"empty(SymInt[] size, *, MemoryFormat? memory_format=None, {OUT})")


def _full(options: Options, size: Size, fill_value: Any) -> np.ndarray:
    """One number everywhere."""
    dtype = options.dtype or dtype_of_number(fill_value)
    found = memory_format.empty(size, dtype.numpy)
    found[...] = check_fits(fill_value, dtype)
    return found


full = factory(_full, f"full(SymInt[] size, Scalar fill_value, *, {OUT})")


def _strided(options: Options, size: Size, stride: Size) -> np.ndarray:
    """Zeros that lie in memory as ``stride`` says."""
    if len(size) != len(stride):
        raise RuntimeError(
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides ({len(stride)})"
        )
    if any(step < 0 for step in stride):
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}")
    dtype = (options.dtype or get_default_dtype()).numpy
    last = sum((length - 1) * step for length, step in zip(size, stride, strict=True)) if all(size) else -1
    flat = memory_format.empty((last + 1,), dtype)
    return np.lib.stride_tricks.as_strided(flat, size, [step * dtype.itemsize for step in stride])


empty_strided = factory(_strided, f"empty_strided(SymInt[] size, SymInt[] stride, *, {PLACE})")


def _like(value: Any) -> Callable[..., np.ndarray]:
    def make(options: Options, input: TensorBase, fill_value: Any = value) -> np.ndarray:
        dtype = options.dtype or dtype_of(input.array)
        found = memory_format.empty_like(input.array, dtype.numpy, options.memory_format)
        if fill_value or type(fill_value) is float:  # -0.0 is written, too
            found[...] = check_fits(fill_value, dtype)
        return found

    return make


LIKE = f"MemoryFormat? memory_format=None, {PLACE}"

zeros_like = factory(_like(0), f"zeros_like(Tensor input, *, {LIKE})")
ones_like = factory(_like(1), f"ones_like(Tensor input, *, {LIKE})")
empty_like = factory(_like(0), f"empty_like(Tensor input, *, {LIKE})")
full_like = factory(_like(None), f"full_like(Tensor input, Scalar fill_value, *, {LIKE})")


def _eye(options: Options, n: int, m: int | None = None) -> np.ndarray:
    """Ones on the diagonal, zeros elsewhere."""
    for name, count in (("n", n), ("m", n if m is None else m)):
        if count < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {count}")
    dtype = (options.dtype or get_default_dtype()).numpy
    shape = (n, n if m is None else m)
    if math.prod(shape) >= 1 << 63:
        raise RuntimeError(COUNTLESS)
    found = memory_format.empty(shape, dtype)
    np.fill_diagonal(found, 1)
    return found


eye = factory(_eye, f"eye(SymInt n, *, {OUT})", f"eye(SymInt n, SymInt m, *, {OUT})")

# In the dtype of another tensor


def _new(make: Callable[..., np.ndarray], signature: str) -> Callable[..., Tensor]:
    """A factory that is a method: what it makes has the dtype of the tensor it is called on."""
    parser = Parser.of(signature)

    def call(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        options = {} if kwargs.get("dtype") is not None else {"dtype": self.dtype}
        parser.parse(args, kwargs)
        return create(*args, **kwargs | options)

    create = factory(make, signature)
    call.__name__ = parser.name
    call.__doc__ = make.__doc__
    return call


def new_tensor(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """``new_tensor(data)``: a copy of ``data`` in the dtype of this tensor."""
    _, values = _NEW_TENSOR.parse(args, kwargs)
    data = values["data"]
    if isinstance(data, TensorBase):
        text = messages.COPY_CONSTRUCT.replace("torch.tensor(", "tensor.new_tensor(")
        warn(text)
    check_device(values.get("device"))
    return made(copied(data, values.get("dtype") or self.dtype), values.get("requires_grad", False))


_NEW_TENSOR = Parser.of(
    "new_tensor(Any data, *, ScalarType? dtype=None, Device? device=None, bool pin_memory=False, "
    "bool requires_grad=False)"
)

NEW: dict[str, Callable[..., Any]] = {
    "new_tensor": new_tensor,
    "new_zeros": _new(_filled(0), f"new_zeros(SymInt[] size, *, {PLACE})"),
    "new_ones": _new(_filled(1), f"new_ones(SymInt[] size, *, {PLACE})"),
    "new_empty": _new(_filled(0), f"new_empty(SymInt[] size, *, {PLACE})"),
    "new_full": _new(_full, f"new_full(SymInt[] size, Scalar fill_value, *, {PLACE})"),
    "new_empty_strided": _new(_strided, f"new_empty_strided(SymInt[] size, SymInt[] stride, *, {PLACE})"),
}

for _name, _method in NEW.items():
    setattr(Tensor, _name, _method)
