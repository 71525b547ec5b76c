"""How operators and factories are spelled: the tables that writing and reading share, made from the operator table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import chalkgrad.ops  # noqa: F401  fills OPS
from chalkgrad.engine.record import OPS, Attribute, Record

FUNCTIONAL = "torch.nn.functional."


@dataclass(frozen=True, slots=True)
class Factory:
    """A function that makes a leaf: its positional arguments by name; a last ``*size`` takes separate ints too."""

    name: str
    arguments: tuple[str, ...]
    random: bool = False
    required: int = 0


FACTORIES: Mapping[str, Factory] = {
    factory.name: factory
    for factory in (
        Factory("tensor", ("data",), required=1),
        Factory("ones", ("*size",)),
        Factory("zeros", ("*size",)),
        Factory("empty", ("*size",)),
        Factory("full", ("size", "fill_value"), required=2),
        Factory("eye", ("n", "m"), required=1),
        Factory("arange", ("start", "end", "step"), required=1),
        Factory("linspace", ("start", "end", "steps"), required=3),
        Factory("rand", ("*size",), random=True),
        Factory("randn", ("*size",), random=True),
        Factory("zeros_like", ("input",), required=1),
        Factory("ones_like", ("input",), required=1),
        Factory("full_like", ("input", "fill_value"), required=2),
    )
}
"""Factories by name; each is called as ``torch.<name>``."""

DTYPES = ("float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool")
DTYPE_NAMES = {name: name for name in DTYPES} | {"float": "float32", "double": "float64"}
DTYPE_NAMES |= {"long": "int64", "int": "int32", "short": "int16"}
"""PyTorch's dtypes by every name they go by after ``torch.``."""

MODES = ("no_grad", "enable_grad")
"""Modes that a ``with`` block may set."""

ACTIONS = ("retain_grad", "requires_grad_", "detach_")
"""Methods that change a tensor's flags."""

FLAGS = ("grad", "requires_grad", "data")
"""Attributes that may be assigned."""

FACTS = ("is_leaf", "grad_fn", "requires_grad", "shape", "dtype", "_version", "retains_grad")
"""Attributes that may be printed, beside ``grad`` and ``data``."""

LAST_STEPS = ("item()", "is None", "is not None")
"""Steps that end the path of a reference."""

BINARY = {"+": 11, "-": 11, "*": 12, "/": 12, "//": 12, "%": 12, "@": 12, "**": 14}
BINARY |= dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 6)
"""How strongly Python's binary operators bind."""

UNARY_STRENGTH = 13
ATOM = 20


@cache
def by_function() -> Mapping[str, Record]:
    """Records by their function's full name, and by the other names it has."""
    found: dict[str, Record] = {}
    for record in OPS.values():
        names = [record.function] if record.function else []
        names += [alias if "." in alias else f"torch.{alias}" for alias in record.aliases]
        for name in names:
            found.setdefault(full_name(name), record)
    return found


@cache
def by_method() -> Mapping[str, Record]:
    """Records by the name of their method, and by the other names it has."""
    found = {record.method: record for record in OPS.values() if record.method}
    for record in OPS.values():
        for alias in record.aliases:
            if record.method and "." not in alias:
                found.setdefault(alias, record)
    return found


@cache
def by_symbol() -> Mapping[tuple[str, int], Record]:
    """Records by operator sign and number of inputs: ``("-", 1)`` is the negative, ``("-", 2)`` the difference."""
    found: dict[tuple[str, int], Record] = {}
    for record in OPS.values():
        if record.symbol:
            found.setdefault((record.symbol, len(record.inputs)), record)
    return found


def full_name(name: str) -> str:
    """A function's name with its module in full: ``F.relu`` is ``torch.nn.functional.relu``."""
    return FUNCTIONAL + name.removeprefix("F.") if name.startswith("F.") else name


def is_positional(attribute: Attribute) -> bool:
    """True for an argument that is usually written without its name: a size, or the dimensions of a transpose."""
    return attribute.positional and (attribute.kind == "size" or (attribute.required and attribute.name != "dim"))
