"""What several modules make their parameters and sizes with."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any

from chalkgrad.nn.parameter import Parameter
from chalkgrad.ops.create import empty


def empty_parameter(shape: tuple[int, ...], device: Any = None, dtype: Any = None) -> Parameter:
    """A parameter that is still to be filled."""
    return Parameter(empty(shape, device=device, dtype=dtype))


def repeated(value: Any, count: int) -> tuple[Any, ...]:
    """A size given once for all dimensions, or one for each."""
    return tuple(value) if isinstance(value, Iterable) else (value,) * count


def own_init(cls: type[Any]) -> None:
    """Give a class the ``__init__`` of its base as its own, so that errors of its arguments name the class."""
    base: Any = cls.__init__
    made = FunctionType(base.__code__, base.__globals__, "__init__", base.__defaults__, base.__closure__)
    made.__kwdefaults__, made.__annotations__ = base.__kwdefaults__, base.__annotations__
    made.__qualname__ = f"{cls.__name__}.__init__"
    cls.__init__ = made
