"""Lists and dictionaries of parameters."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules.container import not_called, pairs
from chalkgrad.nn.naming import typename
from chalkgrad.nn.parameter import Parameter


def _as_parameter(value: Any) -> Any:
    """Plain tensors become parameters; anything else is kept as it is."""
    if isinstance(value, TensorBase) and not isinstance(value, Parameter):
        return Parameter(value, value.requires_grad)  # type: ignore[attr-defined]
    return value


def _line(name: str, value: Any, kind: str) -> str:
    """One element as the repr shows it; ``kind`` is what a tensor is called."""
    if not isinstance(value, TensorBase):
        return f"  ({name}): Object of type: {type(value).__name__}"
    what = "Parameter" if isinstance(value, Parameter) else "Tensor"
    size = "x".join(str(number) for number in value.array.shape)
    return f"  ({name}): {what} containing: [{kind} of size {size}]"


class ParameterList(Module):
    """A list of parameters."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _name(self, index: Any) -> str:
        number = index.__index__()
        if not -len(self) <= number < len(self):
            raise IndexError(f"index {number} is out of range")
        return str(number % len(self))

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(self[number] for number in range(*index.indices(len(self))))
        return getattr(self, self._name(index))

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, self._name(index), _as_parameter(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter(self[number] for number in range(len(self)))

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value: Any) -> ParameterList:
        """Put ``value`` at the end."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Put several values at the end."""
        if not isinstance(values, Iterable) or isinstance(values, TensorBase):
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """One line for each."""
        return "\n".join(_line(str(n), value, str(getattr(value, "dtype", ""))) for n, value in enumerate(self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refused."""
        not_called("ParameterList")


class ParameterDict(Module):
    """A dictionary of parameters."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def _name(self, key: Any) -> str:
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                f"'{type(key).__name__}'). Open an issue on github if you need non-string keys."
            )
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._name(key))

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[self._name(key)] = None
        setattr(self, key, _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def copy(self) -> ParameterDict:
        """A dictionary of the same parameters."""
        return ParameterDict(OrderedDict((key, self[key]) for key in self._keys))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value of ``key``, which is put in where it is missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Take all out."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Take one out."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Take the last out."""
        key = list(self._keys)[-1]
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """The value of ``key``, or ``default``."""
        return getattr(self, key) if key in self else default

    @classmethod
    def fromkeys(cls, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """A dictionary with one value for all keys."""
        return cls((key, default) for key in keys)

    def keys(self) -> Any:
        """The names."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names and values."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterable[Any]:
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Put in what a dictionary or pairs hold, a plain dictionary in the order of its keys."""
        found = pairs(parameters, "ParameterDict", "ParametersDict")
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            found = sorted(found)
        for key, value in found:
            self[key] = value

    def extra_repr(self) -> str:
        """One line for each."""
        return "\n".join(_line(key, value, typename(value)) for key, value in self.items())

    def __call__(self, input: Any) -> Any:
        """Refused."""
        not_called("ParameterDict")

    def __or__(self, other: Mapping[str, Any]) -> ParameterDict:
        joined = self.copy()
        joined.update(other)
        return joined

    def __ror__(self, other: Mapping[str, Any]) -> ParameterDict:
        joined = ParameterDict(other)
        joined.update(self)
        return joined

    def __ior__(self, other: Mapping[str, Any]) -> ParameterDict:
        self.update(other)
        return self
