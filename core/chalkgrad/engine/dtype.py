"""The dtypes, PyTorch's rules for mixing them, and the default dtype."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

Number = bool | int | float
"""A Python number as an operand: PyTorch wraps it into a 0-d tensor that yields to every real tensor's dtype."""

np.seterr(all="ignore")  # PyTorch computes 1 / 0 and log(-1) without a word


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """One element type: ``torch.float32`` and its kin.

    ``kind`` orders the categories of promotion: 0 bool, 1 integer, 2 floating point. ``scalar_type`` is the name
    PyTorch's errors use (``Float``), ``cpp`` the C++ name that some of them use instead (``long int``).
    """

    name: str
    numpy: np.dtype[np.generic]
    kind: int
    scalar_type: str
    cpp: str

    @property
    def is_floating_point(self) -> bool:
        """True for float32 and float64."""
        return self.kind == FLOATING

    @property
    def is_signed(self) -> bool:
        """True where negative numbers can be stored."""
        return self.numpy.kind in "if"

    @property
    def is_complex(self) -> bool:
        """False: complex numbers are not offered."""
        return False

    @property
    def itemsize(self) -> int:
        """Size of one element in bytes."""
        return int(self.numpy.itemsize)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str | tuple[object, ...]:
        return dtype_named, (self.name,)


BOOLEAN: Final = 0
INTEGRAL: Final = 1
FLOATING: Final = 2

float32 = DType("float32", np.dtype(np.float32), FLOATING, "Float", "float")
float64 = DType("float64", np.dtype(np.float64), FLOATING, "Double", "double")
int8 = DType("int8", np.dtype(np.int8), INTEGRAL, "Char", "signed char")
int16 = DType("int16", np.dtype(np.int16), INTEGRAL, "Short", "short int")
int32 = DType("int32", np.dtype(np.int32), INTEGRAL, "Int", "int")
int64 = DType("int64", np.dtype(np.int64), INTEGRAL, "Long", "long int")
uint8 = DType("uint8", np.dtype(np.uint8), INTEGRAL, "Byte", "unsigned char")
bool_ = DType("bool", np.dtype(np.bool_), BOOLEAN, "Bool", "bool")

DTYPES: Final[dict[str, DType]] = {
    dtype.name: dtype for dtype in (float32, float64, int8, int16, int32, int64, uint8, bool_)
}
"""All dtypes by name, in the order menus show them."""

_BY_NUMPY: Final[dict[np.dtype[np.generic], DType]] = {dtype.numpy: dtype for dtype in DTYPES.values()}
_default = [float32]


def dtype_named(name: str) -> DType:
    """The dtype called ``name`` (without ``torch.``); KeyError where there is none."""
    return DTYPES[name]


def dtype_of(array: np.ndarray) -> DType:
    """The dtype of ``array``; TypeError for an element type that is not offered."""
    return from_numpy_dtype(array.dtype)


def from_numpy_dtype(dtype: np.dtype[np.generic]) -> DType:
    """Our dtype for one of NumPy's; TypeError, with PyTorch's text, for one that has no counterpart here."""
    try:
        return _BY_NUMPY[dtype.newbyteorder("=")]
    except KeyError:
        names = "float64, float32, int64, int32, int16, int8, uint8, and bool"
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{dtype.type.__name__}. The only supported types are: {names}."
        ) from None


def get_default_dtype() -> DType:
    """The dtype of floating-point results that nothing else decides."""
    return _default[0]


def set_default_dtype(dtype: DType) -> None:
    """Make ``dtype`` the default; TypeError unless it is a floating-point dtype."""
    if not dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default[0] = dtype


def dtype_of_number(number: Number) -> DType:
    """The dtype a Python number has when it becomes a tensor of its own."""
    if isinstance(number, bool):
        return bool_
    return int64 if isinstance(number, int) else _default[0]


def promote_types(first: DType, second: DType) -> DType:
    """The smallest dtype that holds both; integers give way to floats whatever their size."""
    if first.kind != second.kind:
        return first if first.kind > second.kind else second
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
    """``value`` as an array of ``dtype``, itself where it already is one; integers wrap around as in C."""
    if isinstance(value, np.ndarray):
        return value if value.dtype is dtype.numpy else value.astype(dtype.numpy, copy=False)
    if isinstance(value, int) and dtype.kind == INTEGRAL and not isinstance(value, bool):
        return np.asarray(np.int64(_wrapped(value, 64))).astype(dtype.numpy)
    return np.asarray(value, dtype=dtype.numpy)


def _wrapped(value: int, bits: int) -> int:
    """``value`` reduced to a signed integer of ``bits`` bits."""
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half
