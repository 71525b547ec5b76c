"""Calls that were read before: one that differs from an earlier one only in its tensors means the same.

The parser takes its time to try overloads and to convert. What it finds depends on nothing but the kinds of the
arguments and the values of those that are no tensors, so that it is asked once for each of these.
"""

from __future__ import annotations

from typing import Any

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType
from chalkgrad.engine.record import Record
from chalkgrad.engine.signature import Parser

Key = tuple[Any, ...]

_AS_THEY_ARE = frozenset({int, bool, str, type(None), DType})
"""Types whose values are told apart by ``==``; of floats that is not true: 0.0 is -0.0, and nan is not nan."""

MOST = 200
"""How many ways to call one function are remembered."""


class Check:
    """Lets a parser look whether the arguments of a call fit, once for calls that are alike."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self.fitting: set[Key] = set()

    def __call__(self, *args: Any) -> None:
        """TypeError, as PyTorch words it, for arguments that don't fit."""
        key = key_of(args, {})
        if key is None or key not in self.fitting:
            self.parser.parse(args, {})
            if key is not None:
                if len(self.fitting) >= MOST:
                    self.fitting.clear()
                self.fitting.add(key)


class Meaning:
    """What a call means: the operator it runs, its attributes, and where in the call each input stands.

    ``places`` count the positional arguments, then the tensor that the method belongs to, then ``constants``.
    """

    __slots__ = ("attributes", "constants", "places", "target")

    def __init__(
        self, target: Record, places: tuple[int, ...], constants: tuple[Any, ...], attributes: dict[str, Any]
    ) -> None:
        self.target = target
        self.places = places
        self.constants = constants
        self.attributes = attributes

    def inputs(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """The operator's inputs in a call with these arguments, after which the method's own tensor stands."""
        pool = given + self.constants
        return tuple([pool[place] for place in self.places])


def key_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Key | None:
    """What the reading of a call depends on; None where that is more than can be remembered.

    A tensor without dimensions may stand for a number, and is read anew each time.
    """
    parts: list[Any] = []
    for value in args:
        if isinstance(value, TensorBase):
            if not value.array.ndim:
                return None
            parts.append(TensorBase)
        elif type(value) in _AS_THEY_ARE:
            parts += (type(value), value)
        elif type(value) is float:
            parts += (float, value.hex())
        elif type(value) is tuple and all(type(member) is int for member in value):
            parts.append(value)
        else:
            return None
    for name, value in kwargs.items():
        if type(value) not in _AS_THEY_ARE:
            return None
        parts += (name, type(value), value)
    return tuple(parts)


def meaning(
    target: Record, given: tuple[Any, ...], inputs: tuple[Any, ...], attributes: dict[str, Any]
) -> Meaning | None:
    """What a call with these arguments, read as these inputs, means; None where that does not tell of other tensors."""
    tensors = {id(value): place for place, value in enumerate(given) if isinstance(value, TensorBase)}
    if len(tensors) != sum(isinstance(value, TensorBase) for value in given):
        return None  # one tensor given twice: which input is which can't be seen
    places: list[int] = []
    constants: list[Any] = []
    for value in inputs:
        if isinstance(value, TensorBase):
            place = tensors.pop(id(value), None)
            if place is None:
                return None
            places.append(place)
        elif isinstance(value, tuple):
            return None
        else:
            places.append(len(given) + len(constants))
            constants.append(value)
    return None if tensors else Meaning(target, tuple(places), tuple(constants), attributes)
