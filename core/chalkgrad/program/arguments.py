"""Where an operator's inputs and attributes stand in PyTorch's call of it, and which operator such a call means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

import chalkgrad.torch  # noqa: F401  fills OPS
from chalkgrad.engine.parameter import Parameter
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.signature import OTHER_NAMES, Signature
from chalkgrad.engine.spelling import signatures_of

T = TypeVar("T")
Fits = Callable[[Parameter, T], bool]

TENSOR = Parameter("input", "Tensor", 0, allow_none=False, default=None, keyword_only=False, numbers=False)
"""The tensor that a method is called on, where its signature leaves it out."""


@dataclass(frozen=True, slots=True)
class Arranged(Generic[T]):
    """A call's values in order, each with the attribute it is (None for an input), and those given by name."""

    positional: tuple[tuple[Attribute | None, T], ...]
    keywords: tuple[tuple[str, T], ...]


@cache
def caller(name: str) -> Record:
    """The record whose name PyTorch calls operator ``name`` by: ``max`` for ``max_dim``."""
    record = OPS[name]
    return record if record.function or record.method or record.symbol else OPS[_meaning().get(name, name)]


@cache
def _meaning() -> Mapping[str, str]:
    """Which record's signatures mean an operator that has no name of its own."""
    found: dict[str, str] = {}
    for record in OPS.values():
        for text in record.signatures:
            _, _, target = text.rpartition(" -> ")
            if target in OPS:
                found.setdefault(target, record.name)
    return found


@cache
def ways(name: str, style: str) -> tuple[tuple[Parameter, ...], ...]:
    """The parameters of each call that means operator ``name`` in a spelling; a method's first is its tensor."""
    record, public = OPS[name], caller(name)
    if not public.signatures:
        return ()
    other = "Tensor" if style == "function" else "torch"
    found = [found for found in signatures_of(public, public.name) if found.where != other and not found.deprecated]
    own = [signature for signature in found if signature.target == name]
    return tuple(_parameters(signature) for signature in own or (found if record is public else []))


def _parameters(signature: Signature) -> tuple[Parameter, ...]:
    return (TENSOR, *signature.parameters) if signature.where == "Tensor" else signature.parameters


def arranged(record: Record, style: str, operands: Sequence[T], options: Sequence[tuple[str, T]]) -> Arranged[T]:
    """A call of ``record`` as PyTorch's signature has it: inputs, sizes and what stands before them have no names.

    Optional inputs that are None are left out, where they may be.
    """
    given = dict(zip(record.inputs, operands, strict=False))
    if record.optional:
        left_out = record.optional - _written_out(record.name, style)
        given = {name: value for name, value in given.items() if value is not None or name not in left_out}
    values = {**given, **dict(options)}
    first, rest = _order(record.name, style, tuple(given), tuple(name for name, _ in options))
    return Arranged(
        tuple([(attribute, values[name]) for name, attribute in first]), tuple([(name, values[name]) for name in rest])
    )


@cache
def _written_out(call: str, style: str) -> frozenset[str]:
    """The inputs that every call has to say, be it None: ``F.batch_norm(x, None, None)``."""
    record = OPS[call]
    said = [
        {own_name(record, parameter) for parameter in parameters if parameter.default is None}
        for parameters in ways(call, style)
    ]
    return frozenset.intersection(*map(frozenset, said)) if said else frozenset()


@cache
def is_called_so(call: str, style: str, names: tuple[str, ...]) -> bool:
    """True where a way to call an operator takes these inputs and options, and needs no others; or none is known."""
    record, told = OPS[call], set(names)
    known = ways(call, style)
    return not known or any(_takes(record, parameters, told) for parameters in known)


def _takes(record: Record, parameters: Sequence[Parameter], told: Collection[str]) -> bool:
    names = {own_name(record, parameter): parameter for parameter in parameters}
    required = {name for name, parameter in names.items() if parameter.default is None}
    return set(told) <= names.keys() and required <= set(told)


@cache
def _order(
    call: str, style: str, given: tuple[str, ...], chosen: tuple[str, ...]
) -> tuple[tuple[tuple[str, Attribute | None], ...], tuple[str, ...]]:
    """Which of these inputs and options stand first, without their names, and which follow with them."""
    record, told = OPS[call], {*given, *chosen}
    for parameters in ways(call, style):
        if _takes(record, parameters, told):
            names = {own_name(record, parameter): parameter for parameter in parameters}
            return _placed(record, [name for name in names if not names[name].keyword_only], given, chosen)
    return _placed(record, [*record.inputs, *(attribute.name for attribute in record.attributes)], given, chosen)


def _placed(
    record: Record, names: Sequence[str], given: Sequence[str], chosen: Sequence[str]
) -> tuple[tuple[tuple[str, Attribute | None], ...], tuple[str, ...]]:
    told = dict.fromkeys((*given, *chosen))
    known = next((place for place, name in enumerate(names) if name not in told), len(names))
    count = max((place + 1 for place, name in enumerate(names[:known]) if name in given), default=0)
    attributes = {attribute.name: attribute for attribute in record.attributes}
    while count < known and names[count] in attributes and is_positional(attributes[names[count]]):
        count += 1
    first = tuple((name, attributes.get(name)) for name in names[:count])
    return first, tuple(name for name in told if name not in names[:count])


def is_positional(attribute: Attribute) -> bool:
    """True for an argument that is usually written without its name: a size, or the dimensions of a transpose."""
    return attribute.positional and (attribute.kind == "size" or (attribute.required and attribute.name != "dim"))


def own_name(record: Record, parameter: Parameter) -> str:
    """What ``record`` calls a parameter of its signature."""
    return "self" if parameter.name == "input" and "input" not in record.inputs else parameter.name


@dataclass(frozen=True, slots=True)
class Meant(Generic[T]):
    """What a call means: an operator, its inputs in order (None for what is left out), its attributes by name."""

    record: Record
    inputs: tuple[T | None, ...]
    options: tuple[tuple[str, T], ...]


def meant(record: Record, style: str, args: Sequence[T], keywords: Mapping[str, T], fits: Fits[T]) -> Meant[T] | None:
    """What PyTorch's call of ``record`` means by the first signature that fits; None where none does.

    ``fits`` says whether a parameter takes a value; it gets ``args`` as they are, sizes given one by one as a tuple.
    """
    other = "Tensor" if style == "function" else "torch"
    found = signatures_of(record, record.name) if record.signatures else []
    for signature in sorted(found, key=lambda signature: signature.deprecated):
        if signature.where == other:
            continue
        values = _bound(_parameters(signature), args, keywords, fits)
        if values is None:
            continue
        target = record if signature.target is None else OPS[signature.target]
        for wanted in (record,) if target is record else (record, target):
            call = _sorted(wanted, values)
            if call is not None and (wanted is target or wanted.outputs == target.outputs):
                return call
    return None


def _bound(
    parameters: Sequence[Parameter], args: Sequence[T], keywords: Mapping[str, T], fits: Fits[T]
) -> dict[str, tuple[Parameter, T]] | None:
    """Values by the parameters' names, or None where they don't fit."""
    places = [parameter for parameter in parameters if not parameter.keyword_only]
    if len(args) > len(places):
        return _spread(parameters, places, args, keywords, fits)
    values = {parameter.name: (parameter, value) for parameter, value in zip(places, args, strict=False)}
    left = dict(keywords)
    for parameter in parameters:
        for name in (parameter.name, *OTHER_NAMES.get(parameter.name, ())):
            if name in left and parameter.name not in values:
                values[parameter.name] = (parameter, left.pop(name))
    missing = any(parameter.default is None and parameter.name not in values for parameter in parameters)
    if left or missing or not all(fits(parameter, value) for parameter, value in values.values()):
        return _spread(parameters, places, args, keywords, fits)
    return values


def _spread(
    parameters: Sequence[Parameter],
    places: Sequence[Parameter],
    args: Sequence[T],
    keywords: Mapping[str, T],
    fits: Fits[T],
) -> dict[str, tuple[Parameter, T]] | None:
    """A size given as separate ints, which takes all that follow."""
    at = next((place for place, parameter in enumerate(places) if parameter.is_list), None)
    if at is None or len(args) <= at or isinstance(args[at], tuple) or not fits(places[at], tuple(args[at:])):  # type: ignore[arg-type]
        return None
    together: list[T] = [*args[:at], tuple(args[at:])]  # type: ignore[list-item]
    return _bound(parameters, together, keywords, fits)


def _sorted(record: Record, values: Mapping[str, tuple[Parameter, T]]) -> Meant[T] | None:
    """The values as inputs and attributes of ``record``; None where it has no place for one of them."""
    found = {own_name(record, parameter): (parameter, value) for parameter, value in values.values()}
    attributes = {attribute.name for attribute in record.attributes}
    for name, (parameter, _) in found.items():
        is_input = name in record.inputs and (parameter.kind.startswith("Tensor") or name in record.numbers)
        if not is_input and name not in attributes:
            return None
    if any(name not in found and name not in record.optional for name in record.inputs):
        return None
    inputs = tuple(found[name][1] if name in found else None for name in record.inputs)
    return Meant(record, inputs, tuple((name, value) for name, (_, value) in found.items() if name in attributes))
