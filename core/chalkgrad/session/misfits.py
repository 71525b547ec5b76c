"""What PyTorch says of a line's arguments before it runs.

Of those that no way to call an operator takes together, whatever their values are; of those with which no leaf can be
made.
"""

from __future__ import annotations

from math import prod

import numpy as np

from chalkgrad import torch
from chalkgrad.engine.memory_format import out_of_memory
from chalkgrad.engine.record import OPS
from chalkgrad.program.arguments import caller, is_called_so
from chalkgrad.program.known import Unknown
from chalkgrad.program.leaf_shapes import leaf
from chalkgrad.program.statement import Array, Dtype, Kind, Operand, Ref, Statement
from chalkgrad.program.vocabulary import FACTORIES
from chalkgrad.session.calls import make_leaf, operate

TRIED = 4096
"""A leaf of no more numbers is made to see whether it can be; for a larger one it is only seen whether it has room."""
UNSTEPPED = "arange"
"""Its length is unknown only where its step leads nowhere, which is said at once."""
REFUSED = (TypeError, RuntimeError, LookupError, ValueError, ArithmeticError, AttributeError)


def misfit(statement: Statement) -> str | None:
    """PyTorch's message about a line that names arguments which do not go together; None where they may do.

    ``torch.sum(x, keepdim=True)`` lacks ``dim``, ``torch.randn(-3)`` has no shape.
    """
    if statement.kind is Kind.LEAF:
        return _unmade(statement)
    record = OPS.get(statement.call)
    if statement.kind is not Kind.OP or record is None or statement.style == "operator" or statement.is_waiting:
        return None
    if record.inputs == ("tensors",) or any(isinstance(value, Ref) for _, value in statement.options):
        return None
    public = caller(record.name)
    style = "method" if public.method and (statement.style == "method" or not public.function) else "function"
    operands = [torch.empty(0) if isinstance(value, Ref) else value for value in statement.operands]
    given = [name for name, value in zip(record.inputs, operands, strict=False) if value is not None]
    if is_called_so(record.name, style, (*given, *(name for name, _ in statement.options))):
        return None
    try:
        operate(statement.call, statement.style, operands, dict(statement.options))
    except TypeError as error:
        return str(error)
    except (RuntimeError, LookupError, ValueError, ArithmeticError, AttributeError):
        pass
    return None


def _unmade(statement: Statement) -> str | None:
    """What PyTorch says of a leaf that can't be made."""
    values = (*statement.operands, *(value for _, value in statement.options))
    if statement.is_waiting or any(True for _ in statement.refs()) or any(isinstance(it, Array) for it in values):
        return None
    try:
        known = leaf(statement)
    except Unknown:
        return _refusal(statement) if statement.call == UNSTEPPED else None
    except REFUSED:
        return None
    if prod(known.shape) <= TRIED or min(known.shape) < 0:
        return _refusal(statement)
    try:
        np.empty(known.shape, known.dtype)
    except (MemoryError, ValueError):
        return str(out_of_memory(prod(known.shape) * np.dtype(known.dtype).itemsize))
    return None


def _refusal(statement: Statement) -> str | None:
    """What PyTorch says where it refuses to make a leaf; random numbers are drawn from no generator but its own."""
    options = {name: _meant(value) for name, value in statement.options}
    if statement.call in FACTORIES and FACTORIES[statement.call].random:
        options.setdefault("seed", 0)
    try:
        make_leaf(statement.call, [_meant(value) for value in statement.operands], options)
    except REFUSED as error:
        return str(error)
    return None


def _meant(value: Operand) -> object:
    return getattr(torch, value.name) if isinstance(value, Dtype) else value
