"""The parameters of a signature: which values each of them takes, and what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase, state
from chalkgrad.engine.dtype import DType, bool_, float64, int64
from chalkgrad.engine.lineage import requires_grad_of

TYPE_NAMES = {
    "Any": "object",
    "Tensor": "Tensor",
    "Scalar": "Number",
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "ScalarType": "torch.dtype",
    "Generator": "torch.Generator",
    "Layout": "torch.layout",
    "Device": "torch.device",
    "MemoryFormat": "torch.memory_format",
    "Storage": "torch.Storage",
    "Dimname": "name",
    "Tensor[]": "tuple of Tensors",
    "int[]": "tuple of ints",
    "SymInt[]": "tuple of ints",
    "float[]": "tuple of floats",
    "Scalar[]": "tuple of Scalars",
    "Dimname[]": "tuple of names",
}
PYTHON_DTYPES: Mapping[type, DType] = {float: float64, int: int64, bool: bool_}


def type_name(value: object) -> str:
    """The name of a value's type as PyTorch's errors write it."""
    if isinstance(value, TensorBase):
        return "Parameter" if type(value).__name__ == "Parameter" else "Tensor"
    return type(value).__name__ if type(value).__module__ == "builtins" else _dotted(type(value))


def _dotted(kind: type) -> str:
    """Types written in C show their module in PyTorch's errors, those written in Python don't."""
    in_c = kind.__module__ in ("numpy", "collections") and not kind.__flags__ & 1 << 9
    in_c = in_c or kind.__module__ in ("torch", "torch._C")
    return f"{kind.__module__}.{kind.__name__}" if in_c else kind.__name__


_END = 1 << 63
_PLAIN: Mapping[str, tuple[type, ...]] = {
    "Scalar": (float, int),
    "int": (int,),
    "SymInt": (int,),
    "float": (float,),
    "bool": (bool,),
    "str": (str,),
}
"""Types that a parameter takes as they are, by its kind."""


_NOT_WHOLE = (
    "Expected scalar.isIntegral( false) to be true, but got false.  (Could this error message be improved?  If so, "
    "please report an enhancement request to PyTorch.)"
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a signature; ``kind`` is a key of :data:`TYPE_NAMES`, ``count`` the number in its brackets.

    ``for_none`` is what operators get for None: PyTorch reads it as no sizes in ``int[2] stride=None``.
    """

    name: str
    kind: str
    count: int
    allow_none: bool
    default: str | None
    keyword_only: bool
    numbers: bool
    for_none: tuple[()] | None = None

    @property
    def title(self) -> str:
        """Its type as the errors write it."""
        return TYPE_NAMES[self.kind]

    @property
    def is_list(self) -> bool:
        """True for a tuple of ints."""
        return self.kind in ("int[]", "SymInt[]")

    def __str__(self) -> str:
        return f"{self.title} {self.name}" + ("" if self.default is None else f" = {self.default}")

    def is_plain(self, value: Any) -> bool:
        """True for a value that needs neither a closer look nor a conversion."""
        kind = type(value)
        if kind is state.tensor:
            return self.kind == "Tensor"
        if kind is tuple:
            return self.is_list and all(type(member) is int and -_END <= member < _END for member in value)
        if kind is int and not -_END <= value < _END:
            return False
        return kind in _PLAIN.get(self.kind, ())

    def accepts(self, value: Any, number: int) -> bool:
        """True when ``value`` is of its kind; TypeError for a list, argument ``number``, with a wrong member."""
        kind = self.kind
        if kind == "Any":
            return True
        if kind == "Tensor":
            return isinstance(value, TensorBase) or (self.numbers and _is_number(value))
        if kind == "Scalar":
            return _is_number(value) or _is_plain_scalar(value)
        if kind == "float":
            return _is_number(value) or _is_plain_scalar(value)
        if kind == "int":
            return _is_integer(value) or (_is_plain_scalar(value) and value.array.dtype.kind in "iu")
        if kind == "SymInt":
            return _is_index(value)
        if self.is_list:
            return self.accepts_list(value)
        if kind == "Tensor[]":
            return _is_tensor_list(value, number)
        if kind == "float[]":
            return isinstance(value, tuple | list) and all(_is_number(member) for member in value)
        if kind == "Scalar[]":
            return isinstance(value, tuple | list) and all(_is_number(member) for member in value)
        return _is_instance(kind, value)

    def accepts_list(self, value: Any) -> bool:
        """True for a tuple of ints, as far as its first member tells, or one int for ``count`` of them."""
        if isinstance(value, tuple | list):
            return not value or _is_index(value[0])
        return self.count > 0 and _is_index(value)

    def converted(self, value: Any, function: str) -> Any:
        """``value`` in the form that operators expect; TypeError for a member that can't be one of an int tuple."""
        if value is None:
            return self.for_none
        if self.is_list:
            return self._integers(value, function)
        if self.kind in ("int", "SymInt"):
            return _unpacked(value.item() if isinstance(value, TensorBase) else value.__index__())
        if self.kind in ("Scalar", "Tensor") and type(value) is int:
            return _fitting(value)
        if self.kind in ("Scalar", "Tensor") and isinstance(value, np.number | np.bool_):
            return value.item()
        if self.kind == "Scalar" and isinstance(value, TensorBase):
            return value.item()
        if self.kind == "float":
            return float(value.item() if isinstance(value, TensorBase) else value)
        if self.kind == "ScalarType":
            return value if isinstance(value, DType) else PYTHON_DTYPES[value]
        if self.kind in ("Tensor[]", "float[]", "Scalar[]"):
            return tuple(value)
        return bool(value) if self.kind == "bool" else value

    def _integers(self, value: Any, function: str) -> tuple[int, ...]:
        if not isinstance(value, tuple | list):
            return (_unpacked(value.__index__()),) * max(self.count, 1)
        found = []
        for place, member in enumerate(value):
            if self.kind == "SymInt[]" and _is_bool_tensor(member):
                raise RuntimeError(_NOT_WHOLE)
            try:
                found.append(int(member.__index__()))
                if not -(1 << 63) <= found[-1] < 1 << 63:
                    raise TypeError(
                        f"{function}(): argument '{self.name}' failed to unpack the object at pos {place + 1} with "
                        'error "Overflow when unpacking long long'
                    )
            except (AttributeError, TypeError) as error:
                if "Overflow" in str(error):
                    raise
                raise TypeError(
                    f"{function}(): argument '{self.name}' failed to unpack the object at pos {place + 1} with error "
                    f'"type must be tuple of ints,but got {type_name(member)}"'
                ) from None
        return tuple(found)


def _unpacked(value: Any) -> int:
    """``value`` as the int of 64 bits that C++ gets."""
    if not -(1 << 63) <= value < 1 << 63:
        raise ValueError("Overflow when unpacking long long")
    return int(value)


def _fitting(value: int) -> int:
    """``value``, refused where neither a signed nor an unsigned int of 64 bits can hold it."""
    if value >= 1 << 64:
        raise OverflowError("int too big to convert")
    if value < -(1 << 63):
        raise OverflowError("can't convert negative int to unsigned")
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, bool | int | float | np.number | np.bool_) and not isinstance(value, np.complexfloating)


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_plain_scalar(value: object) -> bool:
    """A tensor without dimensions and without history passes for its number."""
    return isinstance(value, TensorBase) and value.array.ndim == 0 and not requires_grad_of(value)


def _is_index(value: object) -> bool:
    if isinstance(value, bool | np.bool_):
        return False
    if isinstance(value, TensorBase):
        return value.array.size == 1 and value.array.dtype.kind in "iub"
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iu"
    return hasattr(value, "__index__")


def _is_bool_tensor(value: object) -> bool:
    return isinstance(value, TensorBase) and value.array.dtype.kind == "b"


def _is_tensor_list(value: object, number: int) -> bool:
    if not isinstance(value, tuple | list):
        return False
    for place, member in enumerate(value):
        if not isinstance(member, TensorBase):
            raise TypeError(f"expected Tensor as element {place} in argument {number}, but got {type_name(member)}")
    return True


def _is_instance(kind: str, value: object) -> bool:
    if kind == "bool":
        return isinstance(value, bool | np.bool_)
    if kind == "str":
        return isinstance(value, str)
    if kind == "ScalarType":
        return isinstance(value, DType) or value in (float, int, bool)
    if kind == "Storage":
        return type(value).__name__ in ("TypedStorage", "UntypedStorage")
    if kind == "Device":
        return isinstance(value, str) or _is_integer(value) or type(value).__name__ == "device"
    return type(value).__name__ == TYPE_NAMES[kind].rpartition(".")[2]
