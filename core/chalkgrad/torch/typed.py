"""PyTorch's old classes of tensors by dtype, and what dtypes can hold: ``FloatTensor``, ``finfo``, ``iinfo``."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, state
from chalkgrad.engine.conversion import TYPE_NAMES
from chalkgrad.engine.device import strided
from chalkgrad.engine.dtype import (
    ALL_DTYPES,
    BOOLEAN,
    COMPLEX,
    FLOATING,
    DType,
    dtype_of,
    get_default_dtype,
    set_default_dtype,
)
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.signature import Parser
from chalkgrad.engine.tensor import Tensor
from chalkgrad.engine.values import legacy_values, shown_by
from chalkgrad.ops.factory import made

SET_TYPE = (
    "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and "
    "torch.set_default_device() as alternatives."
)


class TensorType(type):
    """The class of ``torch.FloatTensor`` and its kin, which only stand for a dtype."""

    dtype: DType
    is_cuda = False
    layout = strided

    def __call__(cls, *args: Any, **kwargs: Any) -> Tensor:
        """A tensor of these values, or of this shape, in that dtype."""
        array, source = legacy_values(args, kwargs, cls.dtype), shown_by(args, kwargs)
        return made(array) if source is None else TENSORS.alias(source)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, TensorBase) and dtype_of(instance.array) is cls.dtype


TensorType.__name__ = TensorType.__qualname__ = "tensortype"
TensorType.__module__ = "torch"


def tensor_types() -> dict[str, type]:
    """All these classes by name."""
    names = {dtype.scalar_type: dtype for dtype in ALL_DTYPES.values() if dtype.kind != COMPLEX}
    return {
        f"{title}Tensor": TensorType(f"{title}Tensor", (), {"__module__": "torch", "dtype": dtype})
        for title, dtype in names.items()
        if not title.startswith("UInt")
    }


def set_default_tensor_type(t: Any) -> None:
    """Make the dtype of a class such as ``torch.DoubleTensor`` the default; PyTorch's older form."""
    if state.is_news(SET_TYPE):
        warnings.warn(SET_TYPE, UserWarning, stacklevel=2)
    if isinstance(t, str) and t not in TYPE_NAMES:
        module, _, name = t.rpartition(".")
        t = getattr(importlib.import_module(module or name), name)
    dtype = TYPE_NAMES[t] if isinstance(t, str) else getattr(t, "dtype", None)
    if not isinstance(dtype, DType):
        raise TypeError("invalid type object")
    set_default_dtype(dtype)


# What dtypes can hold

_FINFO = Parser.of("finfo(ScalarType type)", "finfo()")
_IINFO = Parser.of("iinfo(ScalarType type)")
_HALVES = {
    "float16": (0.0009765625, 65504.0, 6.103515625e-05, 0.001),
    "bfloat16": (0.0078125, 3.3895313892515355e38, 1.1754943508222875e-38, 0.01),
}
"""What NumPy doesn't know, or not of all: eps, max, smallest normal number, resolution."""


class Info:
    """The limits of one dtype."""

    __slots__ = ("bits", "dtype", "max", "min")

    bits: int
    dtype: str
    min: Any
    max: Any

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.dtype == self.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


class finfo(Info):  # noqa: N801  PyTorch's name
    """``torch.finfo(dtype)``: the limits of floating-point numbers, of the default dtype unless one is named."""

    __slots__ = ("eps", "resolution", "smallest_normal", "tiny")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _, values = _FINFO.parse(args, kwargs)
        dtype = values.get("type") or get_default_dtype()
        if dtype.kind not in (FLOATING, COMPLEX):
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        dtype = dtype.to_real()
        self.dtype, self.bits = dtype.name, dtype.itemsize * 8
        if dtype.name in _HALVES:
            self.eps, self.max, self.tiny, self.resolution = _HALVES[dtype.name]
        else:
            known = np.finfo(dtype.numpy)
            self.eps, self.max, self.tiny = float(known.eps), float(known.max), float(known.tiny)
            self.resolution = 10.0**-known.precision
        self.min, self.smallest_normal = -self.max, self.tiny

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        numbers = ", ".join(f"{name}={getattr(self, name):g}" for name in names)
        return f"finfo({numbers}, dtype={self.dtype})"


class iinfo(Info):  # noqa: N801  PyTorch's name
    """``torch.iinfo(dtype)``: the limits of whole numbers."""

    __slots__ = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        dtype = _IINFO.parse(args, kwargs)[1]["type"]
        if dtype.kind in (FLOATING, COMPLEX):
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        if dtype.kind == BOOLEAN:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        self.dtype, self.bits = dtype.name, dtype.itemsize * 8
        self.max = (1 << self.bits - dtype.is_signed) - 1
        self.min = -self.max - 1 if dtype.is_signed else 0

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


Info.__module__ = finfo.__module__ = iinfo.__module__ = "torch"
