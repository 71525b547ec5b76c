"""Functions that ask about tensors and dtypes and make none: ``torch.equal``, ``torch.result_type`` and their kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chalkgrad.engine import dtype as dtypes
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import COMPLEX, DType
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.storages import Storage
from chalkgrad.engine.tensor import Tensor

__all__ = [
    "allclose",
    "can_cast",
    "equal",
    "get_device",
    "imag",
    "is_complex",
    "is_conj",
    "is_floating_point",
    "is_neg",
    "is_nonzero",
    "is_same_size",
    "is_signed",
    "is_storage",
    "is_tensor",
    "numel",
    "promote_types",
    "resize_as_",
    "result_type",
    "typename",
]


def is_tensor(obj: object, /) -> bool:
    """True for a tensor."""
    return isinstance(obj, TensorBase)


def is_storage(obj: object, /) -> bool:
    """True for the memory of a tensor."""
    return isinstance(obj, Storage)


def typename(obj: Any, /) -> str:
    """The name of a tensor's old class, or of another object's with its module."""
    if isinstance(obj, TensorBase):
        found: str = obj.type()  # type: ignore[attr-defined]
        return found
    kind = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", None) or ""
    return kind.__qualname__ if module in ("", "builtins", "__builtin__") else f"{module}.{kind.__qualname__}"


def _asked(name: str, answer: Callable[[Any], Any]) -> Callable[..., Any]:
    """A function of one tensor."""
    parser = Parser.of(f"{name}(Tensor input)")

    def call(*args: Any, **kwargs: Any) -> Any:
        return answer(parser.parse(args, kwargs)[1]["input"])

    call.__name__ = call.__qualname__ = name
    return call


def _is_nonzero(tensor: Tensor) -> bool:
    return bool(tensor)


imag = _asked("imag", lambda tensor: tensor.imag)
numel = _asked("numel", lambda tensor: tensor.array.size)
is_floating_point = _asked("is_floating_point", Tensor.is_floating_point)
is_complex = _asked("is_complex", Tensor.is_complex)
is_signed = _asked("is_signed", Tensor.is_signed)
is_conj = is_neg = is_complex
is_nonzero = _asked("is_nonzero", _is_nonzero)
get_device = _asked("get_device", Tensor.get_device)

# Of two

_EQUAL = Parser.of("equal(Tensor input, Tensor other)")
_SAME_SIZE = Parser.of("is_same_size(Tensor input, Tensor other)")
_ALLCLOSE = Parser.of("allclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)")
_CAN_CAST = Parser.of("can_cast(ScalarType from_, ScalarType to)")
_PROMOTE = Parser.of("promote_types(ScalarType type1, ScalarType type2)")
_RESULT = Parser.of(
    "result_type(Tensor tensor, Tensor other)",
    "result_type(Scalar scalar, Tensor tensor)",
    "result_type(Tensor tensor, Scalar other)",
    "result_type(Scalar scalar1, Scalar scalar2)",
)


def equal(*args: Any, **kwargs: Any) -> bool:
    """True when two tensors have the same shape and the same elements."""
    _, values = _EQUAL.parse(args, kwargs)
    one, other = values["input"].array, values["other"].array
    return bool(one.shape == other.shape and (one == other).all())


def is_same_size(*args: Any, **kwargs: Any) -> bool:
    """True when two tensors have the same shape."""
    _, values = _SAME_SIZE.parse(args, kwargs)
    return bool(values["input"].array.shape == values["other"].array.shape)


def allclose(*args: Any, **kwargs: Any) -> bool:
    """True when all elements are nearly equal; RuntimeError for different dtypes."""
    _, values = _ALLCLOSE.parse(args, kwargs)
    one, other = values.pop("input"), values.pop("other")
    if one.array.dtype != other.array.dtype:
        raise RuntimeError(f"{one.dtype_title} did not match {other.dtype_title}")
    broadcast(one.array.shape, other.array.shape)
    return bool(TENSORS.isclose_of(one, other, **values).array.all())


def can_cast(*args: Any, **kwargs: Any) -> bool:
    """True when an in-place operator may write a result of the one dtype into a tensor of the other."""
    _, values = _CAN_CAST.parse(args, kwargs)
    return dtypes.can_cast(values["from_"], values["to"])


_HALVES = frozenset({"float16", "bfloat16"})


def promote_types(*args: Any, **kwargs: Any) -> DType:
    """The smallest dtype that holds both."""
    _, values = _PROMOTE.parse(args, kwargs)
    one: DType = values["type1"]
    other: DType = values["type2"]
    if {one.name, other.name} == _HALVES:
        return dtypes.float32
    if one.kind == COMPLEX or other.kind == COMPLEX:
        parts = [found.to_real() for found in (one, other) if found.kind >= dtypes.FLOATING]
        return max(parts, key=lambda found: found.itemsize).to_complex()
    if one.kind == other.kind == dtypes.FLOATING:
        return one if one.itemsize >= other.itemsize else other
    return dtypes.promote_types(one, other)


def result_type(*args: Any, **kwargs: Any) -> DType:
    """The dtype in which two operands are computed together."""
    _, values = _RESULT.parse(args, kwargs)
    operands = [value.array if isinstance(value, TensorBase) else value for value in values.values()]
    return dtypes.result_type(operands)


def _method(function: Callable[..., Any], parser: Parser) -> Callable[..., Any]:
    """A function of two tensors as a method of the first."""
    of_method = Parser([signature.of_method() for signature in parser.signatures])

    def call(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        _, values = of_method.parse(args, kwargs)
        return function(self, **values)

    call.__name__ = function.__name__
    call.__doc__ = function.__doc__
    return call


_RESIZE_AS = Parser.of("resize_as_(Tensor input, Tensor the_template, *, MemoryFormat? memory_format=None)")


def resize_as_(*args: Any, **kwargs: Any) -> Tensor:
    """Give a tensor the shape of another."""
    _, values = _RESIZE_AS.parse(args, kwargs)
    resized: Tensor = values["input"].resize_as_(values["the_template"], memory_format=values.get("memory_format"))
    return resized


Tensor.equal = _method(equal, _EQUAL)  # type: ignore[attr-defined]
Tensor.allclose = _method(allclose, _ALLCLOSE)  # type: ignore[attr-defined]
Tensor.is_nonzero = _is_nonzero  # type: ignore[attr-defined]
