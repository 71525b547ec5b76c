"""Calls read as PyTorch's argument parser reads them: overloads, keywords, conversions, and its words of refusal.

A signature is written as PyTorch's schemas write it, ``"sum(Tensor input, int[1]? dim, bool keepdim=False, *,
ScalarType? dtype=None, Tensor out=None)"``. A ``?`` lets None pass, a number in brackets lets a single int stand for
that many, ``|deprecated`` at the end makes it the last that is tried, with a warning. An arrow names the operator that
computes such a call; ``torch.`` or ``Tensor.`` in front limits it to the function or to the method.

What is said about calls that fit no signature follows ``torch/csrc/utils/python_arg_parser.cpp`` and
``invalid_arguments.cpp``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, wraps
from typing import Any, TypeVar

from chalkgrad.engine.base import state
from chalkgrad.engine.keyword_order import hashed_order
from chalkgrad.engine.parameter import Parameter, type_name
from chalkgrad.engine.warning import warn
from chalkgrad.errors import blame

Result = TypeVar("Result")

OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}
"""NumPy's names for parameters, which PyTorch takes too."""

_TAKES_NUMBERS = {"add", "div", "divide", "mul", "multiply", "sub", "subtract", "true_divide", "floor_divide"}
NUMBERS_AS_TENSORS = frozenset({"to", "_to_copy", "copy_", *_TAKES_NUMBERS, *(f"{name}_" for name in _TAKES_NUMBERS)})
"""Functions whose tensors may be given as Python numbers."""

_WHOLE = re.compile(r"(?:(torch|Tensor)\.)?(\w+)\((.*)\)(\|deprecated)?(?: -> (\w+))?")
_PARAMETER = re.compile(r"([\w]+)(?:\[(\d*)\])?(\?)?(\[\d*\])?(\?)? (\w+)(?:=(.*))?")


class MismatchError(TypeError):
    """The arguments don't fit this signature; raised to callers as TypeError."""


MismatchError.__name__ = MismatchError.__qualname__ = "TypeError"
MismatchError.__module__ = "builtins"


class Signature:
    """One way to call a function."""

    __slots__ = (
        "_plain_least",
        "count",
        "deprecated",
        "least",
        "most",
        "name",
        "parameters",
        "spreads",
        "target",
        "where",
    )

    def __init__(self, text: str) -> None:
        found = _WHOLE.fullmatch(text)
        if found is None:
            raise ValueError(f"not a signature: {text!r}")
        self.where, self.name, inside, deprecated, self.target = found.groups()
        self.deprecated = deprecated is not None
        self._set(tuple(_parameters(inside, self.name in NUMBERS_AS_TENSORS)))

    def _set(self, parameters: tuple[Parameter, ...]) -> None:
        self.parameters = parameters
        self.least = sum(parameter.default is None for parameter in parameters)
        self.most = sum(not parameter.keyword_only for parameter in parameters)
        self.count = len(parameters)
        self.spreads = self.most == 1 and bool(parameters) and parameters[0].is_list and not parameters[0].count
        needed = [place for place, parameter in enumerate(parameters) if parameter.default is None]
        self._plain_least = self.count + 1 if needed and needed[-1] >= self.most else len(needed)

    def of_method(self) -> Signature:
        """The same without the tensor it is called on, and without ``out``."""
        made = Signature.__new__(Signature)
        made.where, made.name, made.deprecated, made.target = self.where, self.name, self.deprecated, self.target
        rest = self.parameters if self.where == "Tensor" else self.parameters[1:]
        made._set(tuple(parameter for parameter in rest if parameter.name != "out"))
        return made

    def __str__(self) -> str:
        parts = [str(parameter) for parameter in self.parameters]
        starred = next((place for place, found in enumerate(self.parameters) if found.keyword_only), None)
        if starred is not None:
            parts.insert(starred, "*")
        return f"({', '.join(parts)})"

    def parse(self, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The given values by parameter name; MismatchError, with what PyTorch would say, where they don't fit."""
        if not kwargs and self._plain_least <= len(args):
            plain = self._plain(args)
            if plain is not None:
                return plain
        first = self.parameters[0] if self.parameters else None
        spread = self.most == 1 and first is not None and first.is_list
        if len(args) > self.most and not spread:
            raise self._too_many(len(args))
        found: list[tuple[Parameter, Any]] = []
        place, unused = 0, len(kwargs)
        for number, parameter in enumerate(self.parameters):
            positional = place < len(args)
            if positional:
                if parameter.keyword_only:
                    raise self._too_many(len(args))
                value = args[place]
            else:
                known = next((name for name in _names(parameter) if name in kwargs), None)
                if known is None:
                    if parameter.default is None:
                        raise self._missing(number)
                    continue
                unused -= 1
                value = kwargs[known]
            if (value is None and parameter.allow_none) or parameter.accepts(value, number):
                found.append((parameter, value))
            elif spread and positional and place == 0 and parameter.accepts_list(tuple(args)):
                found.append((parameter, tuple(args)))
                place = len(args)
                continue
            else:
                if len(args) > self.most:
                    raise self._too_many(len(args))
                raise self._wrong(parameter, place if positional else None, value)
            place += positional
        if place < len(args):
            raise self._too_many(len(args))
        if unused:
            raise self._unknown(args, kwargs)
        return {parameter.name: parameter.converted(value, self.name) for parameter, value in found}

    def _plain(self, args: Sequence[Any]) -> dict[str, Any] | None:
        """The values of a call in which everything has its place and its very type already; None for another one."""
        if self.spreads and args and self.parameters[0].is_plain(tuple(args)):
            return {self.parameters[0].name: tuple(args)}
        if len(args) > self.most:
            return None
        values: dict[str, Any] = {}
        for parameter, value in zip(self.parameters, args, strict=False):
            if parameter.is_plain(value):
                values[parameter.name] = value
            elif type(value) is int and parameter.is_list and parameter.count:
                values[parameter.name] = parameter.converted(value, self.name)
            else:
                return None
        return values

    def may_take(self, args: Sequence[Any]) -> bool:
        """False where their number or the first of them shows that the positional arguments ``args`` don't fit."""
        if not args:
            return True
        if not self.parameters or (len(args) > self.most and not self.spreads):
            return False
        first, value = self.parameters[0], args[0]
        if value is None and first.allow_none:
            return True
        return first.accepts(value, 0) or (self.spreads and first.accepts_list(tuple(args)))

    # What is said about calls that don't fit

    def _too_many(self, count: int) -> MismatchError:
        if self.least != self.most:
            return MismatchError(
                f"{self.name}() takes from {self.least} to {self.most} positional arguments but {count} were given"
            )
        verb = "was" if count == 1 else "were"
        arguments = "argument" if self.most == 1 else "arguments"
        return MismatchError(f"{self.name}() takes {self.most} positional {arguments} but {count} {verb} given")

    def _missing(self, number: int) -> MismatchError:
        names = [f'"{found.name}"' for found in self.parameters[number:] if found.default is None]
        plural = "s" if len(names) == 1 else ""
        return MismatchError(
            f"{self.name}() missing {len(names)} required positional argument{plural}: {', '.join(names)}"
        )

    def _wrong(self, parameter: Parameter, place: int | None, value: Any) -> MismatchError:
        where = "" if place is None else f" (position {place + 1})"
        start = f"{self.name}(): argument '{parameter.name}'{where} must be {parameter.title}"
        if place is not None and parameter.is_list and isinstance(value, tuple | list):
            text = f"{start}, but found element of type {type_name(value[0])} at pos 0"
        else:
            text = f"{start}, not {type_name(value)}"
        return blame(MismatchError(text), name=parameter.name)

    def _unknown(self, args: Sequence[Any], kwargs: dict[str, Any]) -> MismatchError:
        for key in kwargs:
            place = next((n for n, found in enumerate(self.parameters) if key == found.name), None)
            if place is None:
                return MismatchError(f"{self.name}() got an unexpected keyword argument '{key}'")
            if place < len(args):
                return MismatchError(f"{self.name}() got multiple values for argument '{key}'")
        return MismatchError("invalid keyword arguments")


def _names(parameter: Parameter) -> tuple[str, ...]:
    return (parameter.name, *OTHER_NAMES.get(parameter.name, ()))


def _parameters(inside: str, numbers: bool) -> Iterator[Parameter]:
    keyword_only = False
    for text in inside.split(", ") if inside else ():
        if text == "*":
            keyword_only = True
            continue
        found = _PARAMETER.fullmatch(text)
        if found is None:
            raise ValueError(f"not a parameter: {text!r}")
        kind, count, inner, brackets, outer, name, default = found.groups()
        is_list = count is not None or brackets is not None
        optional = bool(outer or (inner and brackets is None))  # ``Tensor?[]`` lets members be None, not the list
        size = (brackets or "[]")[1:-1] or count or "0"
        yield Parameter(
            name=name,
            kind=f"{kind}[]" if is_list else kind,
            count=int(size) if size.isdigit() else 0,
            allow_none=optional or default == "None",
            default=default,
            keyword_only=keyword_only,
            numbers=numbers and kind == "Tensor",
            for_none=() if is_list and not optional and name != "out" else None,
        )


class Parser:
    """All ways to call one function, tried in order."""

    def __init__(self, signatures: Iterable[Signature]) -> None:
        self._given = signatures

    @classmethod
    def of(cls, *texts: str) -> Parser:
        """A parser of the signatures that ``texts`` write; they are read at the first call."""
        made = cls(Signature(text) for text in texts)
        made.name = texts[0].partition("(")[0].rpartition(".")[2]
        return made

    @cached_property
    def signatures(self) -> list[Signature]:
        """The signatures in the order in which they are tried; ValueError where there is none."""
        found = sorted(self._given, key=lambda signature: signature.deprecated)
        if not found:
            raise ValueError("a parser needs a signature")
        return found

    @cached_property
    def name(self) -> str:
        """What the function is called."""
        return self.signatures[0].name

    @property
    def takes_nothing(self) -> bool:
        """True for a method that Python itself refuses to give arguments."""
        return len(self.signatures) == 1 and not self.signatures[0].parameters

    def parse(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Signature, dict[str, Any]]:
        """The signature that fits and the given values by its names; TypeError, as PyTorch words it, for none."""
        if len(self.signatures) == 1:
            only = self.signatures[0]
            return only, only.parse(args, kwargs)
        for signature in self.signatures:
            if not signature.may_take(args):
                continue
            try:
                values = signature.parse(args, kwargs)
            except MismatchError:
                continue
            except OverflowError:
                if signature.deprecated:
                    self._warn(signature)
                raise
            if signature.deprecated:
                self._warn(signature)
            return signature, values
        raise self._refused(args, kwargs)

    def _refused(self, args: Sequence[Any], kwargs: dict[str, Any]) -> TypeError:
        shown = [signature for signature in self.signatures if not signature.deprecated]
        count = len(args) + len(kwargs)
        plausible = [signature for signature in shown if signature.least <= count <= signature.count]
        if len(plausible) == 1:
            try:
                plausible[0].parse(args, kwargs)
            except MismatchError as error:
                return error
        return TypeError(_no_overload(self.name, shown, args, kwargs))

    def _warn(self, signature: Signature) -> None:
        text = f"This overload of {self.name} is deprecated:\n\t{self.name}{signature}"
        text += "\nConsider using one of the following signatures instead:"
        text += "".join(f"\n\t{self.name}{found}" for found in self.signatures if not found.deprecated)
        if state.is_news("This overload is deprecated"):  # the first one of all is told of
            warn(text)


def _no_overload(name: str, shown: list[Signature], args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    start = f"{name}() received an invalid combination of arguments - "
    if len(shown) == 1:
        unknown = _unmatched(shown[0], kwargs)
        if unknown:
            return f"{start}got unrecognized keyword arguments: {', '.join(unknown)}"
        fits = _count_fits(shown[0], args, kwargs)
        got = _typed(shown[0], args, kwargs) if fits else _given(args, kwargs)
        return f"{start}got {got}, but expected {shown[0]}"
    lines = [f"{start}got {_given(args, kwargs)}, but expected one of:\n"]
    for signature in shown:
        lines.append(f" * {signature}\n")
        if _count_fits(signature, args, kwargs):
            unknown = _unmatched(signature, kwargs)
            if unknown:
                lines.append(f"      didn't match because some of the keywords were incorrect: {', '.join(unknown)}\n")
            else:
                typed = _typed(signature, args, kwargs)
                lines.append(f"      didn't match because some of the arguments have invalid types: {typed}\n")
    return "".join(lines)


def _words(signature: Signature) -> list[str]:
    """The signature as PyTorch takes it apart again: at commas, so that the star counts."""
    return str(signature)[1:-1].split(", ")


def _count_fits(signature: Signature, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    return len(_words(signature)) == len(args) + len(kwargs)


def _given(args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    parts = [f"{type_name(value)}, " for value in args]
    parts += [f"{key}={type_name(kwargs[key])}, " for key in hashed_order(kwargs)]
    text = "".join(parts)
    return f"({text[:-2] if args else text})"


def _unmatched(signature: Signature, kwargs: dict[str, Any]) -> list[str]:
    words = _words(signature)
    names = {word.rpartition(" ")[2] for word in words[max(len(words) - len(kwargs), 0) :]}
    return [key for key in hashed_order(kwargs) if key not in names]


def _typed(signature: Signature, args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """The given types, those that are wrong between exclamation marks."""
    words = _words(signature)
    parts = []
    for number, word in enumerate(words[: len(args) + len(kwargs)]):
        kind, _, name = word.rpartition(" ")
        value = args[number] if number < len(args) else kwargs[name]
        text = f"{name}={_described(value)}" if number >= len(args) else _described(value)
        parts.append(text if type_name(value) == kind else f"!{text}!")
    return f"({', '.join(parts)}{'' if args else ', '})"


def _described(value: object) -> str:
    if not isinstance(value, tuple | list):
        return type_name(value)
    inside = ", ".join(type_name(member) for member in value)
    if isinstance(value, tuple):
        return f"tuple of ({inside}{',' if len(value) == 1 else ''})"
    return f"list of [{inside}]"


def bare(method: Callable[[Any], Result]) -> Callable[[Any], Result]:
    """A method that is given nothing but its tensor, and says so as PyTorch's do."""
    name = method.__name__

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Result:
        if args:
            raise TypeError(f"TensorBase.{name}() takes no arguments ({len(args)} given)")
        if kwargs:
            raise TypeError(f"TensorBase.{name}() takes no keyword arguments")
        return method(self)

    return call
