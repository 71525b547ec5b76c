"""The dtypes, PyTorch's rules for mixing them, and the default dtype."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from chalkgrad.errors import ChalkgradError
from chalkgrad.text import Text

Number = bool | int | float
"""A Python number as an operand: PyTorch wraps it into a 0-d tensor that yields to every real tensor's dtype."""

np.seterr(all="ignore")  # PyTorch computes 1 / 0 and log(-1) without a word


class DType:
    """One element type: ``torch.float32`` and its kin.

    ``kind`` orders the categories of promotion: 0 bool, 1 integer, 2 floating point, 3 complex. ``scalar_type`` is the
    name PyTorch's errors use (``Float``), ``cpp`` the C++ name that some of them use instead (``long int``). ``numpy``
    is NumPy's dtype; asking for that of a dtype which is known but not offered raises :class:`ChalkgradError`.
    """

    __slots__ = ("cpp", "itemsize", "kind", "name", "numpy", "scalar_type")

    name: str
    numpy: np.dtype[np.generic]
    kind: int
    scalar_type: str
    cpp: str
    itemsize: int

    def __new__(cls) -> DType:
        """Refused: the dtypes there are, are all there are."""
        raise TypeError("cannot create 'torch.dtype' instances")

    @property
    def tensor_type(self) -> str:
        """How C++ names the type of a tensor of it in errors, which is not what Python does."""
        return "CPUBoolType" if self.name == "bool" else f"torch.{self.scalar_type}Tensor"

    @property
    def is_floating_point(self) -> bool:
        """True for float32 and float64 (and those that are not offered)."""
        return self.kind == FLOATING

    @property
    def is_signed(self) -> bool:
        """True where negative numbers can be stored."""
        return self.kind == FLOATING or self.kind == COMPLEX or self.name in ("int8", "int16", "int32", "int64")

    @property
    def is_complex(self) -> bool:
        """True for complex numbers, which are not offered."""
        return self.kind == COMPLEX

    def to_complex(self) -> DType:
        """The dtype of complex numbers with parts of this one."""
        return ALL_DTYPES[_COMPLEX_OF.get(self.name, "complex64")] if self.kind != COMPLEX else self

    def to_real(self) -> DType:
        """The dtype of the parts of its numbers."""
        return ALL_DTYPES[_REAL_OF[self.name]] if self.kind == COMPLEX else self

    def __getattr__(self, name: str) -> Any:
        if name == "numpy":
            raise ChalkgradError(Text("error.dtype_not_offered", dtype=repr(self)))
        raise AttributeError(f"'torch.dtype' object has no attribute '{name}'")

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str | tuple[object, ...]:
        return dtype_named, (self.name,)

    def __setstate__(self, state: object) -> None:
        """Refused: a pickle names a dtype, and has nothing to say about it."""
        raise TypeError("a dtype has no state")


DType.__name__ = DType.__qualname__ = "dtype"
DType.__module__ = "torch"

BOOLEAN: Final = 0
INTEGRAL: Final = 1
FLOATING: Final = 2
COMPLEX: Final = 3


def _dtype(name: str, kind: int, scalar_type: str, cpp: str, itemsize: int, offered: bool = True) -> DType:
    made: DType = object.__new__(DType)
    made.name, made.kind, made.scalar_type, made.cpp, made.itemsize = name, kind, scalar_type, cpp, itemsize
    if offered:
        made.numpy = np.dtype(name)
    return made


float32 = _dtype("float32", FLOATING, "Float", "float", 4)
float64 = _dtype("float64", FLOATING, "Double", "double", 8)
int8 = _dtype("int8", INTEGRAL, "Char", "signed char", 1)
int16 = _dtype("int16", INTEGRAL, "Short", "short int", 2)
int32 = _dtype("int32", INTEGRAL, "Int", "int", 4)
int64 = _dtype("int64", INTEGRAL, "Long", "long int", 8)
uint8 = _dtype("uint8", INTEGRAL, "Byte", "unsigned char", 1)
bool_ = _dtype("bool", BOOLEAN, "Bool", "bool", 1)
float16 = _dtype("float16", FLOATING, "Half", "c10::Half", 2, offered=False)
bfloat16 = _dtype("bfloat16", FLOATING, "BFloat16", "c10::BFloat16", 2, offered=False)
complex32 = _dtype("complex32", COMPLEX, "ComplexHalf", "c10::complex<c10::Half>", 4, offered=False)
complex64 = _dtype("complex64", COMPLEX, "ComplexFloat", "c10::complex<float>", 8, offered=False)
complex128 = _dtype("complex128", COMPLEX, "ComplexDouble", "c10::complex<double>", 16, offered=False)
uint16 = _dtype("uint16", INTEGRAL, "UInt16", "short unsigned int", 2, offered=False)
uint32 = _dtype("uint32", INTEGRAL, "UInt32", "unsigned int", 4, offered=False)
uint64 = _dtype("uint64", INTEGRAL, "UInt64", "long unsigned int", 8, offered=False)

_COMPLEX_OF = {"float16": "complex32", "bfloat16": "complex64", "float32": "complex64", "float64": "complex128"}
_REAL_OF = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}

DTYPES: Final[dict[str, DType]] = {
    dtype.name: dtype for dtype in (float32, float64, int8, int16, int32, int64, uint8, bool_)
}
"""All dtypes by name that tensors can have, in the order menus show them."""

NOT_OFFERED: Final = (float16, bfloat16, complex32, complex64, complex128, uint16, uint32, uint64)
"""PyTorch's further dtypes: they have names and facts, but no tensors."""

ALL_DTYPES: Final[dict[str, DType]] = DTYPES | {dtype.name: dtype for dtype in NOT_OFFERED}

_BY_NUMPY: Final[dict[np.dtype[np.generic], DType]] = {dtype.numpy: dtype for dtype in DTYPES.values()}
_default = [float32]


def dtype_named(name: str) -> DType:
    """The dtype called ``name`` (without ``torch.``), offered or not; KeyError where there is none."""
    return ALL_DTYPES[name]


def dtype_of(array: np.ndarray) -> DType:
    """The dtype of ``array``; TypeError for an element type that is not offered."""
    return from_numpy_dtype(array.dtype)


def from_numpy_dtype(dtype: np.dtype[np.generic]) -> DType:
    """Our dtype for one of NumPy's; TypeError, with PyTorch's text, for one that has no counterpart here."""
    found = _BY_NUMPY.get(dtype)
    if found is not None:
        return found
    try:
        return _BY_NUMPY[dtype.newbyteorder("=")]
    except KeyError:
        known = ALL_DTYPES.get(dtype.name)
        if known is not None:
            raise ChalkgradError(Text("error.dtype_not_offered", dtype=repr(known))) from None
        names = (
            "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, "
            "uint8, and bool"
        )
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{dtype.type.__name__}. The only supported types are: {names}."
        ) from None


def get_default_dtype() -> DType:
    """The dtype of floating-point results that nothing else decides."""
    return _default[0]


def set_default_dtype(dtype: DType) -> None:
    """Make ``dtype`` the default; TypeError unless it is a floating-point dtype."""
    if not isinstance(dtype, DType):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if not dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _ = dtype.numpy  # raises where no tensor can have it
    _default[0] = dtype


def limits(dtype: DType) -> tuple[int, int]:
    """The smallest and the largest whole number of an integer dtype, or of bool."""
    if dtype.kind == BOOLEAN:
        return 0, 1
    bits = dtype.itemsize * 8
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if dtype.is_signed else (0, (1 << bits) - 1)


def dtype_of_number(number: Number) -> DType:
    """The dtype a Python number has when it becomes a tensor of its own."""
    if isinstance(number, bool):
        return bool_
    return int64 if isinstance(number, int) else _default[0]


def promote_types(first: DType, second: DType) -> DType:
    """The smallest dtype that holds both; integers give way to floats whatever their size."""
    if first.kind != second.kind or first is second:
        return first if first.kind >= second.kind else second
    return from_numpy_dtype(np.promote_types(first.numpy, second.numpy))


def result_type(operands: Iterable[np.ndarray | Number]) -> DType:
    """The dtype in which ``operands`` are computed together.

    Tensors with dimensions decide first; 0-d tensors have a say only by a higher kind, Python numbers, last, only by a
    still higher one.
    """
    ranks: list[DType | None] = [None, None, None]
    for operand in operands:
        if isinstance(operand, np.ndarray):
            rank, dtype = (0 if operand.ndim else 1), from_numpy_dtype(operand.dtype)
        else:
            rank, dtype = 2, dtype_of_number(operand)
        known = ranks[rank]
        ranks[rank] = dtype if known is None else promote_types(known, dtype)
    result: DType | None = None
    for candidate in ranks:
        if candidate is not None and (result is None or candidate.kind > result.kind):
            result = candidate
    return _default[0] if result is None else result


def can_cast(source: DType, target: DType) -> bool:
    """True when an in-place operator may write a ``source`` result into a ``target`` tensor."""
    return source.kind <= target.kind


def cast(value: np.ndarray | Number, dtype: DType) -> np.ndarray:
    """``value`` as an array of ``dtype``, itself where it already is one; integers wrap around as in C.

    OverflowError for a Python number beyond 64 bits.
    """
    if isinstance(value, np.ndarray):
        return value if value.dtype is dtype.numpy else value.astype(dtype.numpy, copy=False)
    if isinstance(value, int) and not isinstance(value, bool):
        if not -(1 << 63) <= value < 1 << 64:
            raise OverflowError("int too big to convert")
        if dtype.kind == INTEGRAL:
            return np.asarray(np.int64(_wrapped(value, 64))).astype(dtype.numpy)
    return np.asarray(value, dtype=dtype.numpy)


def _wrapped(value: int, bits: int) -> int:
    """``value`` reduced to a signed integer of ``bits`` bits."""
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half


_SCALAR_TYPES = {"int32": "int", "bool": "bool", "float32": "float", "float64": "double"}


def exact(number: Number, dtype: DType) -> np.ndarray:
    """A Python number as an array of ``dtype``; RuntimeError where it is beyond its range."""
    if not isinstance(number, bool) and dtype.numpy.kind != "b" and not _is_held(number, dtype):
        name = _SCALAR_TYPES.get(dtype.name, f"{dtype.name}_t")
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return cast(number, dtype)


def check_held(values: np.ndarray, *numbers: Number | None) -> None:
    """RuntimeError for a number that PyTorch can't compute with in the floating-point dtype of ``values``."""
    for number in numbers:
        if number is not None and not -1e38 < number < 1e38:
            exact(number, from_numpy_dtype(values.dtype))


def _is_held(number: Number, dtype: DType) -> bool:
    """True for a number in the range of ``dtype``; negative integers wrap around where there are none."""
    if dtype.is_floating_point:
        return isinstance(number, int) or not math.isfinite(number) or abs(number) <= float(np.finfo(dtype.name).max)
    limits = np.iinfo(dtype.name)
    least = limits.min if limits.min or isinstance(number, float) else -limits.max
    return bool(least <= number <= limits.max)
