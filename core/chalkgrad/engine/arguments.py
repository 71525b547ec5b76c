"""How the arguments of a call become the inputs and attributes of a record, refused in PyTorch's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.saved import TensorList
from chalkgrad.errors import blame

PYTHON_NAMES = {"input": "self", "axis": "dim"}
"""Keyword names that PyTorch's functions take for what its derivatives call otherwise."""


class OperandError(TypeError):
    """An operand of a type that no tensor can be computed with; raised to callers as TypeError."""


OperandError.__name__ = OperandError.__qualname__ = "TypeError"


def type_name(value: object) -> str:
    """The name of a value's type as PyTorch's errors write it."""
    return "Tensor" if isinstance(value, TensorBase) else type(value).__name__


def operand(record: Record, position: int, value: object, method: bool = False) -> Any:
    """Input number ``position`` of ``record`` as a tensor or a Python number; OperandError for anything else."""
    if isinstance(value, TensorBase | TensorList):
        return value
    name = record.inputs[position]
    if value is None and name in record.optional:
        return None
    if name in record.numbers:
        if isinstance(value, bool | int | float):
            return value
        if isinstance(value, np.number | np.bool_) and not np.iscomplexobj(value):
            return value.item()
    raise refused(record, name, position + (0 if method else 1), value)


def refused(record: Record, name: str, position: int, value: object) -> OperandError:
    """What PyTorch says about an argument that is no tensor."""
    called = {"self": "input", "src": "other"}.get(name, name)
    text = f"{record.name}(): argument '{called}' (position {position}) must be Tensor, not {type_name(value)}"
    return blame(OperandError(text), name=name)


def bind(
    record: Record, args: Sequence[Any], kwargs: Mapping[str, Any], method: bool = False
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Inputs and attributes (all of them, defaults filled in) of a call ``record(*args, **kwargs)``.

    TypeError, as PyTorch words it, for too many, too few, unknown or unsuitable arguments.
    """
    named = {key if key in record.inputs else PYTHON_NAMES.get(key, key): value for key, value in kwargs.items()}
    if named.get("out", 0) is None:
        del named["out"]
    count = len(record.inputs)
    given = list(args[:count])
    for name in record.inputs[len(given) :]:
        if name in record.optional and name not in named:
            given.append(None)
            continue
        if name not in named:
            raise TypeError(f'{record.name}() missing 1 required positional arguments: "{_python(name)}"')
        given.append(named.pop(name))
    attributes = _attributes(record, list(args[count:]), named)
    if record.variadic:
        return (_tensor_list(record, given[0]),), attributes
    inputs = tuple(operand(record, position, value, method) for position, value in enumerate(given))
    return inputs, attributes


def in_order(record: Record) -> Callable[[tuple[Any, ...]], tuple[tuple[Any, ...], dict[str, Any]] | None]:
    """Reads calls of tensors and then attributes, each in its place and in its normal form; None for any other call."""
    count, variadic = len(record.inputs), record.variadic
    others = [_instead_of_tensor(record, name) for name in record.inputs]
    read_attributes = attributes_in_order(record)

    def read(args: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        if variadic or len(args) < count:
            return None
        inputs = args[:count]
        for place, value in enumerate(inputs):
            if not isinstance(value, TensorBase) and type(value) not in others[place]:
                return None
        attributes = read_attributes(args[count:])
        return None if attributes is None else (inputs, attributes)

    return read


def attributes_in_order(record: Record) -> Callable[[tuple[Any, ...]], dict[str, Any] | None]:
    """Reads attributes, each in its place and in its normal form; None for any others."""
    places = [
        (attribute.name, _NORMAL.get(attribute.kind, ()) if attribute.positional else ())
        for attribute in record.attributes
    ]
    defaults = {attribute.name: attribute.default for attribute in record.attributes}
    least = max([place for place, attribute in enumerate(record.attributes, 1) if attribute.required], default=0)
    most = len(places)

    def read(values: tuple[Any, ...]) -> dict[str, Any] | None:
        if not least <= len(values) <= most:
            return None
        attributes = defaults.copy()
        for place, value in enumerate(values):
            name, kinds = places[place]
            if type(value) not in kinds:
                return None
            attributes[name] = value
        return attributes

    return read


def _instead_of_tensor(record: Record, name: str) -> tuple[type, ...]:
    """The types of what the input ``name`` may be other than a tensor."""
    return ((type(None),) if name in record.optional else ()) + ((int, float, bool) if name in record.numbers else ())


_NORMAL: Mapping[str, tuple[type, ...]] = {
    "dim": (int, tuple),
    "size": (tuple,),
    "int": (int,),
    "float": (float, int),
    "number": (float, int, bool),
    "bool": (bool,),
    "choice": (str,),
}
"""Types of attributes that are taken as they are, by their kind."""


def _python(name: str) -> str:
    return "input" if name == "self" else name


def _attributes(record: Record, extra: list[Any], named: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for attribute in record.attributes:
        if extra and attribute.positional:
            found[attribute.name] = _take(attribute, extra)
        elif attribute.name in named:
            found[attribute.name] = named.pop(attribute.name)
        elif attribute.required:
            raise TypeError(f'{record.name}() missing 1 required positional arguments: "{attribute.name}"')
        else:
            found[attribute.name] = attribute.default
        found[attribute.name] = _normal(record, attribute, found[attribute.name])
    if extra:
        allowed = len(record.inputs) + sum(attribute.positional for attribute in record.attributes)
        raise TypeError(f"{record.name}() takes {allowed} positional arguments but {allowed + len(extra)} were given")
    if named:
        raise TypeError(f"{record.name}() got an unexpected keyword argument '{next(iter(named))}'")
    return found


def _take(attribute: Attribute, extra: list[Any]) -> Any:
    """The next positional argument; a size may be spelled as separate ints and takes them all."""
    if attribute.kind == "size" and not isinstance(extra[0], tuple | list):
        sizes, extra[:] = tuple(extra), []
        return sizes
    return extra.pop(0)


def _normal(record: Record, attribute: Attribute, value: Any) -> Any:
    """``value`` in the form formulas expect: tuples for lists, ints for NumPy's; TypeError for a wrong type."""
    if value is None or isinstance(value, DType):
        return value
    if attribute.kind == "size":
        return tuple(_integer(record, attribute, size) for size in value)
    if attribute.kind == "dim":
        if isinstance(value, tuple | list):
            return tuple(_integer(record, attribute, size) for size in value)
        return _integer(record, attribute, value)
    if attribute.kind == "int":
        return _integer(record, attribute, value)
    if attribute.kind == "bool":
        return bool(value)
    if attribute.kind in ("number", "float") and isinstance(value, np.number):
        return value.item()
    return value


def _integer(record: Record, attribute: Attribute, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{record.name}(): argument '{attribute.name}' must be int, not {type_name(value)}")
    return int(value.__index__())


def _tensor_list(record: Record, value: Any) -> tuple[TensorBase, ...]:
    if not isinstance(value, tuple | list):
        raise TypeError(
            f"{record.name}(): argument '{record.inputs[0]}' (position 1) must be tuple of Tensors, "
            f"not {type_name(value)}"
        )
    for index, member in enumerate(value):
        if not isinstance(member, TensorBase):
            raise TypeError(f"expected Tensor as element {index} in argument 0, but got {type_name(member)}")
    return tuple(value)
