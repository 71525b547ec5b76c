"""How operators and factories are spelled: the tables that writing and reading share, made from the operator table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import chalkgrad.ops  # noqa: F401  fills OPS
from chalkgrad.engine.record import OPS, Record

FUNCTIONAL = "torch.nn.functional."


BINARY = dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 6)
BINARY |= {"|": 7, "^": 8, "&": 9, "<<": 10, ">>": 10, "+": 11, "-": 11, "**": 14}
BINARY |= dict.fromkeys(("*", "/", "//", "%", "@"), 12)
"""How strongly Python's binary operators bind."""

PYTHON_TOO = frozenset({"layer_norm", "group_norm"})
"""Functions of ``torch`` that ``torch.nn.functional`` has too, called in the same way."""

UNARY_STRENGTH = 13
ATOM = 20


@cache
def by_function() -> Mapping[str, Record]:
    """Records by their function's full name, and by the other names it has."""
    found: dict[str, Record] = {}
    for record in sorted(OPS.values(), key=lambda record: record.hidden):
        names = [record.function] if record.function else []
        if record.section == "activation" and record.function:
            names.append(FUNCTIONAL + record.name)
        names += [FUNCTIONAL + record.name] if record.name in PYTHON_TOO else []
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
    for record in sorted(OPS.values(), key=lambda record: record.hidden):
        if record.symbol:
            found.setdefault((record.symbol, len(record.inputs)), record)
    return found


def full_name(name: str) -> str:
    """A function's name with its module in full: ``F.relu`` is ``torch.nn.functional.relu``."""
    return FUNCTIONAL + name.removeprefix("F.") if name.startswith("F.") else name
