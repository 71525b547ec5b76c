"""Writes ``engine/methods.py``, the operators as typed methods, from the table.

``python -m chalkgrad.ops.write_methods`` writes it anew.
"""

from __future__ import annotations

from pathlib import Path

import chalkgrad.ops  # noqa: F401  the table is filled by it
from chalkgrad.engine import methods
from chalkgrad.engine.record import OPS, Attribute, Record

HEAD = '''"""The operators as methods of a tensor, written by ``chalkgrad.ops.write_methods`` from the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from chalkgrad.engine.arguments import OperandError
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType, Number
from chalkgrad.engine.rules import TENSORS

if TYPE_CHECKING:
    from chalkgrad.engine.tensor import Tensor

    Operand: TypeAlias = Tensor | Number


class Methods(TensorBase):
    """All operators that have a spelling as a method or with a symbol."""

    __slots__ = ()
'''

TYPES = {"number": "Number", "int": "int", "float": "float", "bool": "bool", "dtype": "DType | None", "choice": "str"}
WIDTH = 120
BINARY = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "**": "pow", "@": "matmul"}
REFLECTED = {"+": "add", "*": "mul", "**": "pow", "@": "matmul"}
COMPARED = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
WRITTEN = {"+=": "iadd", "-=": "isub", "*=": "imul", "/=": "itruediv", "**=": "ipow"}


def methods_text() -> str:
    """The whole file."""
    parts = [HEAD]
    parts += [method_text(record) for record in OPS.values() if record.method is not None]
    for record in OPS.values():
        parts.extend(symbol_texts(record))
    return "\n".join(parts)


def method_text(record: Record) -> str:
    """One operator as a method."""
    rest = record.inputs[1:]
    sizes = [attribute for attribute in record.attributes if attribute.kind == "size"]
    params = ["self", *(f"{name}: {_operand(record, name)}" for name in rest)]
    given = ["self", *rest]
    if sizes:
        params.append(f"*{sizes[0].name}: Any")
        given.append(f"*{sizes[0].name}")
    else:
        params += _parameters(record)
        given += [f"{a.name}={a.name}" for a in record.attributes]
    doc = f'"""``{record.method}``, see the operator ``{record.name}``."""'
    lines = [*_head(record.method or "", params), f"        {doc}"]
    quick = _quick_call(record, rest)
    if quick:
        lines += quick
    lines += [f"        result: Tensor = TENSORS.{record.name}({', '.join(given)})", "        return result", ""]
    return "\n".join(lines)


def _head(name: str, params: list[str]) -> list[str]:
    """The line with ``def``, broken where it is too long."""
    line = f"    def {name}({', '.join(params)}) -> Tensor:"
    if len(line) <= WIDTH:
        return [line]
    return [f"    def {name}(", f"        {', '.join(params)}", "    ) -> Tensor:"]


def _quick_call(record: Record, rest: tuple[str, ...]) -> list[str]:
    """``add`` with nothing but its operands takes the shortest way."""
    if [attribute.name for attribute in record.attributes] != ["alpha"]:
        return []
    return [
        "        if alpha == 1:",
        f"            quick: Tensor = TENSORS.{record.name}({', '.join(('self', *rest))})",
        "            return quick",
    ]


def _operand(record: Record, name: str) -> str:
    return "Operand" if name in record.numbers else "Tensor"


def _parameters(record: Record) -> list[str]:
    """The attributes as parameters, those that need their name behind a star."""
    found: list[str] = []
    starred = False
    for attribute in record.attributes:
        if not attribute.positional and not starred:
            found.append("*")
            starred = True
        found.append(_parameter(attribute))
    return found


def _parameter(attribute: Attribute) -> str:
    kind = TYPES.get(attribute.kind, "int | tuple[int, ...] | None")
    return f"{attribute.name}: {kind}" + ("" if attribute.required else f" = {attribute.default!r}")


def symbol_texts(record: Record) -> list[str]:
    """One operator as the special methods behind its symbol."""
    symbol = record.symbol
    if symbol is None:
        return []
    if record.name == "neg":
        return ["    def __neg__(self) -> Tensor:\n        result: Tensor = TENSORS.neg(self)\n        return result\n"]
    if record.name == "rsub":
        return [_special("rsub", "TENSORS.rsub(self, other)", "Operand")]
    if symbol in WRITTEN:
        return [_special(WRITTEN[symbol], f"TENSORS.{record.name}(self, other)", "Operand")]
    if symbol in COMPARED:
        return [_special(COMPARED[symbol], f"TENSORS.{record.name}(self, other)", "object", symbol in ("==", "!="))]
    kind = "Operand" if record.numbers else "Tensor"
    found = [_special(BINARY[symbol], f"TENSORS.{record.name}(self, other)", kind)]
    if symbol in ("+", "*"):
        found.append(_special(f"r{REFLECTED[symbol]}", f"TENSORS.{record.name}(self, other)", kind))
    elif symbol in REFLECTED:
        found.append(_special(f"r{REFLECTED[symbol]}", f"TENSORS.{record.name}(other, self)", kind))
    elif symbol == "/":
        found.append(_special("rtruediv", "TENSORS.mul(TENSORS.reciprocal(self), other)", kind))
    return found


def _special(name: str, call: str, kind: str, override: bool = False) -> str:
    ignore = "  # type: ignore[override]" if override else ""
    return (
        f"    def __{name}__(self, other: {kind}) -> Tensor:{ignore}\n"
        "        try:\n"
        f"            result: Tensor = {call}\n"
        "        except OperandError:\n"
        "            return NotImplemented\n"
        "        return result\n"
    )


def methods_path() -> Path:
    """Where the file is."""
    return Path(methods.__file__)


if __name__ == "__main__":
    methods_path().write_text(methods_text(), encoding="utf-8")
