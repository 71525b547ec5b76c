"""Reading optimisers: ``torch.optim.SGD([w, b], lr=0.1)`` and what is called on it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chalkgrad.program.optimizers import NAMES, settings_of
from chalkgrad.program.statement import EMPTY, Empty, Kind, Operand, Ref
from chalkgrad.program.vocabulary import UPDATES
from chalkgrad.source.meaning import MadeOptimizer, is_tensor
from chalkgrad.source.problem import refuse

if TYPE_CHECKING:
    from chalkgrad.source.operands import Operands

PREFIX = "torch.optim."


@dataclass(frozen=True, slots=True)
class _Call:
    """The arguments of a call, by name."""

    parameters: ast.expr | None
    settings: dict[str, ast.expr]


def read_optimizer(reader: Operands, node: ast.Call, path: str) -> MadeOptimizer | Empty:
    """The optimiser that a call makes."""
    name = path.removeprefix(PREFIX)
    if name not in NAMES:
        raise refuse(node, "unknown_function", name=path)
    call = _arguments(node, name)
    if call.parameters is None:
        raise refuse(node, "missing_argument", name=name, argument="params")
    parameters = reader.operand(call.parameters)
    if isinstance(parameters, Empty):
        return EMPTY
    if not isinstance(parameters, tuple) or not all(is_tensor(member) for member in parameters):
        raise refuse(call.parameters, "parameters", name=name)
    if any(isinstance(member, Empty) for member in parameters):
        return EMPTY
    options = [(key, reader.constant(value)) for key, value in call.settings.items()]
    return MadeOptimizer(Ref(reader.make(Kind.OPTIMIZER, name, ("",), (parameters,), options)))


def read_update(reader: Operands, node: ast.Call, owner: MadeOptimizer, name: str) -> None:
    """``optimizer.step()`` or ``optimizer.zero_grad()``."""
    if name not in UPDATES:
        raise refuse(node, "unknown_method", name=name)
    given = [("set_to_none", value) for value in node.args]
    given += [(str(keyword.arg), keyword.value) for keyword in node.keywords]
    if name == "step" and given:
        raise refuse(given[0][1], "closure")
    if len(given) > 1 or any(key != "set_to_none" for key, _ in given):
        raise refuse(node, "argument_count", name=name)
    options: list[tuple[str, Operand]] = [(key, reader.constant(value)) for key, value in given]
    reader.make(Kind.UPDATE, name, (), (owner.ref,), options, "method")


def _arguments(node: ast.Call, name: str) -> _Call:
    known = settings_of(name)
    order = [setting.name for setting in known.values() if setting.positional]
    if len(node.args) > 1 + len(order):
        raise refuse(node, "argument_count", name=name)
    found: dict[str, ast.expr] = dict(zip(order, node.args[1:], strict=False))
    parameters = node.args[0] if node.args else None
    for keyword in node.keywords:
        key = str(keyword.arg)
        if key == "params" and parameters is None:
            parameters = keyword.value
        elif key in known and key not in found:
            found[key] = keyword.value
        else:
            raise refuse(keyword.value, "unknown_argument", name=name, argument=key)
    return _Call(parameters, found)
