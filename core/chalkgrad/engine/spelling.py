"""Operators as PyTorch spells them: ``torch.add(x, y)``, ``x.add(y)`` and ``x + y``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from chalkgrad.engine.apply import BOUND
from chalkgrad.engine.arguments import OperandError
from chalkgrad.engine.base import TensorBase, new_tensor, state
from chalkgrad.engine.outputs import Into
from chalkgrad.engine.plans import plan_of
from chalkgrad.engine.reading import MOST, Key, Meaning, key_of, meaning
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.rules import TENSORS
from chalkgrad.engine.shortcuts import shortcut_of
from chalkgrad.engine.signature import NUMBERS_AS_TENSORS, Parser, Signature
from chalkgrad.engine.values import array_of

Spelled = Callable[..., Any]

KINDS = {
    "number": "Scalar",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "dim": "int[1]",
    "size": "SymInt[]",
    "dtype": "ScalarType",
    "choice": "str",
}
"""How the kinds of attributes are written in signatures."""


def signatures_of(record: Record, name: str) -> list[Signature]:
    """All signatures of ``record`` under the name ``name``, declared or, where there are none, read off its fields.

    A declared one that is written with the name of an alias is one of that alias alone, in place of all others.
    """
    plain = [alias.removesuffix("_") for alias in record.aliases]
    declared = [Signature(text) for text in record.signatures]
    own = [signature for signature in declared if signature.name == name.removesuffix("_") in plain]
    general = [signature for signature in declared if signature.name not in plain]
    found = own or general or [Signature(text) for text in _derived(record)]
    for signature in found:
        signature.name = name
    return found


def _derived(record: Record) -> list[str]:
    """One signature, or where an operand may be a number, one for each choice."""
    numbers = record.numbers if record.name not in NUMBERS_AS_TENSORS else frozenset()
    choices = [("Tensor", "Scalar") if name in numbers else ("Tensor",) for name in record.inputs]
    if record.writes is not None and choices:
        choices[0] = ("Tensor",)
    return [_text(record, kinds) for kinds in product(*choices) if "Tensor" in kinds]


def _text(record: Record, kinds: tuple[str, ...]) -> str:
    names = ["input" if place == 0 and name == "self" else name for place, name in enumerate(record.inputs)]
    if record.variadic:
        kinds = ("Tensor[]",)
    parts = [
        f"{kind}? {name}=None" if name in record.optional else f"{kind} {name}"
        for kind, name in zip(kinds, names, strict=True)
    ]
    starred = False
    for attribute in record.attributes:
        if not attribute.positional and not starred:
            parts.append("*")
            starred = True
        parts.append(_parameter(attribute))
    if record.writes is None and not record.view:
        parts += ["Tensor out=None"] if starred else ["*", "Tensor out=None"]
    return f"{record.name}({', '.join(parts)})"


def _parameter(attribute: Attribute) -> str:
    kind = KINDS.get(attribute.kind, "Scalar")
    if attribute.kind == "dim" and (attribute.required or attribute.default is not None):
        kind = "int"
    if attribute.required:
        return f"{kind} {attribute.name}"
    default = attribute.default
    mark = "?" if default is None else ""
    if isinstance(default, tuple):
        default = "{" + ",".join(str(size) for size in default) + "}"
    return f"{kind}{mark} {attribute.name}={default}"


def function(record: Record, name: str | None = None) -> Spelled:
    """The operator as PyTorch's function of that name; its signatures are read when it is first called."""
    made: list[Spelled] = []

    def call(*args: Any, **kwargs: Any) -> Any:
        if not made:
            made.append(_function(record, name))
        return made[0](*args, **kwargs)

    call.__name__ = call.__qualname__ = name or (record.function or record.name).rpartition(".")[2]
    call.__module__ = "torch"
    return call


def _function(record: Record, name: str | None) -> Spelled:
    module, _, own = (record.function or record.name).rpartition(".")
    name = name or own
    if module == "torch.linalg":
        name = f"linalg_{name}"
    usable = [signature for signature in signatures_of(record, name) if signature.where != "Tensor"]
    read = _Reader(record, Parser(usable))
    direct = _direct(record, usable)
    operator = _on_tensors(record)
    count, cls = len(record.inputs), state.tensor

    def call(*args: Any, **kwargs: Any) -> Any:
        if direct and not kwargs and len(args) == count:
            for value in args:
                if type(value) is not cls:
                    break
            else:
                return operator(*args)
        return read(args, kwargs)

    return call


def method(record: Record, name: str | None = None) -> Spelled:
    """The operator as a tensor's method."""
    name = name or record.method or record.name
    usable = [signature for signature in signatures_of(record, name) if signature.where != "torch"]
    parser = Parser([signature.of_method() for signature in usable])
    read = _Reader(record, parser)
    direct = _direct(record, usable)
    operator = _on_tensors(record)
    count, cls = len(record.inputs) - 1, state.tensor
    shortcut = shortcut_of(record)

    def call(self: TensorBase, *args: Any, **kwargs: Any) -> Any:
        if direct and not kwargs and len(args) == count:
            for value in args:
                if type(value) is not cls:
                    break
            else:
                return operator(self, *args)
        if nothing and (args or kwargs):
            what = f"arguments ({len(args)} given)" if args else "keyword arguments"
            raise TypeError(f"TensorBase.{name}() takes no {what}")
        return read(args, kwargs, self)

    nothing = parser.takes_nothing
    spelled = shortcut(call) if shortcut is not None and direct and not count else call
    spelled.__name__ = name
    spelled.__qualname__ = f"TensorBase.{name}"
    return spelled


def _on_tensors(record: Record) -> Spelled:
    """The operator on nothing but tensors, as many as it has inputs."""
    if shortcut_of(record) is not None:
        operator: Spelled = getattr(TENSORS, record.name)
        return operator
    bound = BOUND[record.name]
    defaults = {attribute.name: attribute.default for attribute in record.attributes}
    return lambda *tensors: bound(tensors, dict(defaults))


def _direct(record: Record, signatures: list[Signature]) -> bool:
    """True when tensors alone, as many as it has inputs, mean the operator itself."""
    for signature in signatures:
        tensors = [parameter.kind == "Tensor" for parameter in signature.parameters if parameter.default is None]
        if len(tensors) == len(record.inputs):
            return all(tensors) and signature.target is None and not record.variadic
    return False


class _Reader:
    """Runs the calls of one function or method; what a call like an earlier one means is not worked out again."""

    def __init__(self, record: Record, parser: Parser) -> None:
        self.record = record
        self.parser = parser
        self.known: dict[Key, Meaning] = {}

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], owner: TensorBase | None = None) -> Any:
        """The result; ``owner`` is the tensor whose method was called."""
        key = key_of(args, kwargs)
        given = args if owner is None else (*args, owner)
        known = None if key is None else self.known.get(key)
        if known is not None:
            return BOUND[known.target.name](known.inputs(given), dict(known.attributes))
        signature, values = self.parser.parse(args, kwargs)
        if owner is not None:
            values["self"] = owner
        target = self.record if signature.target is None else OPS[signature.target]
        out = values.pop("out", None)
        if "input" in values and "input" not in target.inputs:
            values["self"] = values.pop("input")
        inputs = tuple([values.pop(name, None) for name in target.inputs])
        attributes = plan_of(target).defaults | values
        if out is not None:
            return Into(self.record, signature.name, target, inputs, attributes).write(out, BOUND)
        if key is not None and not signature.deprecated:
            self._remember(key, meaning(target, given, inputs, attributes))
        return BOUND[target.name](inputs, dict(attributes))

    def _remember(self, key: Key, found: Meaning | None) -> None:
        if found is not None:
            if len(self.known) >= MOST:
                self.known.clear()
            self.known[key] = found


def attach(cls: type[TensorBase], record: Record) -> None:
    """Give the class of tensors the methods of ``record``, under all its names and signs."""
    if record.method is not None:
        for name in (record.method, *record.aliases):
            setattr(cls, name, _Later(cls, record, name))
    for name, special in special_methods(record).items():
        special.__name__ = name
        setattr(cls, name, special)


class _Later:
    """Stands in a class for a method, which is made and takes that place when it is first asked for."""

    __slots__ = ("_name", "_owner", "_record")

    def __init__(self, owner: type[TensorBase], record: Record, name: str) -> None:
        self._owner, self._record, self._name = owner, record, name

    def __get__(self, tensor: TensorBase | None, cls: type[TensorBase]) -> Any:
        made: Any = method(self._record, self._name)
        if vars(self._owner)[self._name] is self:
            setattr(self._owner, self._name, made)
        return made.__get__(tensor, cls)


# Signs

SIGNS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
}
"""The names of the special methods behind binary signs."""

UNARY = {"-": "neg", "~": "invert"}
SWAPPED = frozenset({"+", "*", "&", "|", "^"})
"""Signs whose reflected form is the same with the operands as they are."""


def special_methods(record: Record) -> dict[str, Spelled]:
    """The special methods behind the sign of ``record``: ``__add__`` and ``__radd__`` for ``+``."""
    sign = record.symbol
    if sign is None:
        return {}
    operator = getattr(TENSORS, record.name)
    if len(record.inputs) == 1:
        if sign == "~":
            return {"__invert__": _inverted(operator)}
        return {f"__{UNARY[sign]}__": lambda self: operator(self)} if sign in UNARY else {}
    shortcut = shortcut_of(record)
    if sign == "==":
        operator = _with_arrays(operator)
    special = _special(operator) if shortcut is None else shortcut(_special(operator))
    if record.name == "rsub":
        return {"__rsub__": special}
    if sign.endswith("=") and sign not in SIGNS:
        return {f"__i{SIGNS[sign[:-1]]}__": special}
    found = {f"__{SIGNS[sign]}__": special}
    if sign in SWAPPED:
        found[f"__r{SIGNS[sign]}__"] = _special(operator)
    elif sign in ("**", "@", "<<", ">>", "//", "%"):
        found[f"__r{SIGNS[sign]}__"] = _special(lambda self, other: operator(other, self))
    elif sign == "/":
        reflected = _special(lambda self, other: TENSORS.mul(TENSORS.reciprocal(self), other))
        found |= {"__rtruediv__": reflected, "__div__": _special(operator), "__rdiv__": reflected}
    return found


def _inverted(operator: Spelled) -> Spelled:
    def call(self: TensorBase) -> Any:
        if self.array.dtype.kind not in "biu":
            raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
        return operator(self)

    return call


def _with_arrays(operator: Spelled) -> Spelled:
    """``operator``, which also takes an array of NumPy in place of its second tensor: ``==`` alone does in PyTorch."""

    def call(self: Any, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            try:
                other = new_tensor(array_of(other))
            except TypeError:  # of texts or objects: never equal
                return NotImplemented
        return operator(self, other)

    return call


def _special(operator: Spelled) -> Spelled:
    """``operator`` as a special method, which leaves operands it can't use to the other one's class."""

    def call(self: Any, other: Any) -> Any:
        try:
            return operator(self, other)
        except OperandError:
            return NotImplemented

    return call
