"""Writes ``engine/methods.pyi``, what the operators' methods look like to a type checker, from the table.

``python -m chalkgrad.ops.write_methods`` writes it anew.
"""

from __future__ import annotations

from pathlib import Path

import chalkgrad.ops  # noqa: F401  the table is filled by it
from chalkgrad.engine import methods
from chalkgrad.engine.conversion import Conversion
from chalkgrad.engine.geometry import Geometry
from chalkgrad.engine.record import OPS, Attribute, Record
from chalkgrad.engine.signature import Signature
from chalkgrad.engine.spelling import special_methods
from chalkgrad.ops.create import NEW

HEAD = """# Written by chalkgrad.ops.write_methods from the table of operators.

from typing import Any, TypeAlias

from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import Number
from chalkgrad.engine.tensor import Tensor

Operand: TypeAlias = Tensor | Number

class Methods(TensorBase):
"""

TYPES = {"number": "Number", "int": "int", "float": "float", "bool": "bool", "dtype": "DType | None", "choice": "str"}

BY_HAND = frozenset(vars(Conversion)) | frozenset(vars(Geometry))
"""Methods that the classes of tensors define themselves: those of the table are below them and never called."""


def methods_text() -> str:
    """The whole file."""
    lines: dict[str, str] = {}
    for record in OPS.values():
        if record.method is not None:
            names = (record.method, *record.aliases)
            lines |= {name: _method(record, name) for name in names if name not in BY_HAND}
        lines |= {name: _special(record, name) for name in special_methods(record)}
    lines |= {name: f"def {name}(self, *args: Any, **kwargs: Any) -> Tensor: ..." for name in NEW}
    return HEAD + "".join(f"    {line}\n" for line in lines.values())


def _method(record: Record, name: str) -> str:
    params = ["self", *_parameters(record)] if _is_plain(record) else ["self", "*args: Any", "**kwargs: Any"]
    return f"def {name}({', '.join(params)}) -> {_result(record)}: ..."


def _is_plain(record: Record) -> bool:
    """True where inputs and attributes are all there is to say about a call."""
    own = [text for text in record.signatures if Signature(text).name not in _plain_names(record.aliases)]
    return not own and not any(attribute.kind == "size" for attribute in record.attributes)


def _plain_names(aliases: tuple[str, ...]) -> list[str]:
    """Aliases as signatures write them, which those of in-place operators share with the others."""
    return [alias.removesuffix("_") for alias in aliases]


def _result(record: Record) -> str:
    targets = [Signature(text).target for text in record.signatures]
    computed = [OPS[target] if target else record for target in targets] or [record]
    return "Tensor" if all(len(each.outputs) == 1 for each in computed) else "Any"


def _parameters(record: Record) -> list[str]:
    """The further inputs and the attributes, those that need their name behind a star."""
    found = [f"{name}: {_operand(record, name)}" for name in record.inputs[1:]]
    starred = False
    for attribute in record.attributes:
        if not attribute.positional and not starred:
            found.append("*")
            starred = True
        found.append(_parameter(attribute))
    return found


def _operand(record: Record, name: str) -> str:
    kind = "Operand" if name in record.numbers else "Tensor"
    return f"{kind} | None = ..." if name in record.optional else kind


def _parameter(attribute: Attribute) -> str:
    kind = TYPES.get(attribute.kind, "int | tuple[int, ...] | None")
    return f"{attribute.name}: {kind}" + ("" if attribute.required else " = ...")


def _special(record: Record, name: str) -> str:
    if len(record.inputs) == 1:
        return f"def {name}(self) -> Tensor: ..."
    ignore = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
    kind = "Operand" if record.numbers or name == "__rsub__" else "Tensor"
    kind = "object" if ignore else kind
    return f"def {name}(self, other: {kind}) -> Tensor: ...{ignore}"


def methods_path() -> Path:
    """Where the file is."""
    return Path(methods.__file__).with_suffix(".pyi")


if __name__ == "__main__":
    methods_path().write_text(methods_text(), encoding="utf-8")
