"""Which values, as a text means them, a parameter of PyTorch's takes."""

from __future__ import annotations

from collections.abc import Sequence

from chalkgrad.engine.parameter import Parameter
from chalkgrad.program.statement import Dtype, Empty, Operand, Ref
from chalkgrad.source.meaning import is_number, is_tensor

SPREAD = {"einsum": 1, "meshgrid": 0}
"""Functions that take the tensors of their list one by one, and where the list begins."""


def gathered(name: str, args: Sequence[Operand]) -> list[Operand]:
    """Arguments without names, tensors given one by one as the list they mean."""
    start = SPREAD.get(name)
    if start is None or len(args) <= start or isinstance(args[start], tuple):
        return list(args)
    return [*args[:start], tuple(args[start:])]


def takes(parameter: Parameter, value: Operand) -> bool:
    """True where ``parameter`` takes ``value``; what is not known yet is taken everywhere."""
    if isinstance(value, Empty):
        return True
    if value is None:
        return parameter.allow_none
    if parameter.kind == "Tensor":
        return is_tensor(value) or (parameter.numbers and is_number(value))
    if parameter.kind.endswith("[]"):
        return _takes_list(parameter, value)
    if parameter.kind in ("Scalar", "float"):
        return is_number(value) or _is_item(value)
    if parameter.kind in ("int", "SymInt"):
        return _is_integer(value)
    if parameter.kind == "bool":
        return isinstance(value, bool)
    if parameter.kind == "str":
        return isinstance(value, str)
    return parameter.kind == "ScalarType" and isinstance(value, Dtype)


def _takes_list(parameter: Parameter, value: Operand) -> bool:
    if not isinstance(value, tuple):
        return parameter.is_list and parameter.count > 0 and _is_integer(value)
    if parameter.kind == "Tensor[]":
        return all(is_tensor(member) for member in value)
    return all(_is_integer(member) if parameter.is_list else is_number(member) for member in value)


def _is_item(value: Operand) -> bool:
    return isinstance(value, Ref) and value.path[-1:] == ("item()",)


def _is_integer(value: Operand) -> bool:
    return _is_item(value) or (isinstance(value, int) and not isinstance(value, bool))
