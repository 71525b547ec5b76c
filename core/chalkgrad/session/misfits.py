"""Arguments that no way to call an operator takes together: what PyTorch says of them, whatever their values are."""

from __future__ import annotations

from chalkgrad import torch
from chalkgrad.engine.record import OPS
from chalkgrad.program.arguments import caller, is_called_so
from chalkgrad.program.statement import Kind, Ref, Statement
from chalkgrad.session.calls import operate


def misfit(statement: Statement) -> str | None:
    """PyTorch's message about a line that names arguments which do not go together; None where they may do.

    ``torch.sum(x, keepdim=True)`` lacks ``dim``.
    """
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
