"""Shapes and dtypes of leaves, read off how they are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

from chalkgrad.engine.dtype import DTYPES, dtype_of_number, get_default_dtype
from chalkgrad.program.known import Known, Number, Shape, Unknown
from chalkgrad.program.statement import Array, Dtype, Operand, Statement


def leaf(statement: Statement, known: Callable[[Operand], Known | None] | None = None) -> Known:
    """Shape and dtype of a leaf."""
    operands = statement.operands
    if statement.call.endswith("_like"):
        like = known(operands[0]) if known is not None and operands else None
        if like is None:
            raise Unknown
        return Known(like.shape, _given(statement) or like.dtype)
    if statement.call == "tensor":
        shape, natural = _literal(operands[0] if operands else ())
    else:
        shape, natural = _factory(statement.call, operands)
    return Known(shape, _given(statement) or natural)


def _given(statement: Statement) -> str | None:
    dtype = statement.option("dtype")
    return dtype.name if isinstance(dtype, Dtype) else None


def _literal(value: Operand) -> tuple[Shape, str]:
    if isinstance(value, Array):
        return value.shape, value.dtype
    if isinstance(value, bool | int | float):
        return (), dtype_of_number(value).name
    if not isinstance(value, tuple):
        raise Unknown
    parts = [_literal(member) for member in value]
    kinds = [DTYPES[dtype] for _, dtype in parts] or [get_default_dtype()]
    return (len(parts), *(parts[0][0] if parts else ())), max(kinds, key=_kind).name


def _kind(dtype: object) -> int:
    return int(getattr(dtype, "kind", 0))


def _factory(call: str, operands: Sequence[Operand]) -> tuple[Shape, str]:
    """Shape and natural dtype of what a factory other than ``tensor`` makes."""
    default = get_default_dtype().name
    if call in ("ones", "zeros", "empty", "rand", "randn"):
        return _size(operands), default
    if call == "full":
        return _size(operands[0]), _literal(operands[1])[1]
    if call == "randint":
        return _size(operands[-1]), "int64"
    numbers = [value for value in operands if isinstance(value, int | float)]
    if len(numbers) != len(operands) or not numbers:
        raise Unknown
    if call == "eye":
        return (int(numbers[0]), int(numbers[-1])), default
    if call == "randperm":
        return (int(numbers[0]),), "int64"
    if call == "linspace":
        return (int(numbers[2]),), default
    if call == "arange":
        return (_steps(*numbers),), "int64" if all(isinstance(n, int) for n in numbers) else default
    raise Unknown


def _size(value: Operand | Sequence[Operand]) -> Shape:
    sizes = (value,) if isinstance(value, int) else value
    if not isinstance(sizes, tuple | list) or not all(isinstance(size, int) for size in sizes):
        raise Unknown
    return tuple(size for size in sizes if isinstance(size, int))


def _steps(start: Number, end: Number | None = None, step: Number = 1) -> int:
    """How many numbers ``arange`` gives."""
    if end is None:
        start, end = 0, start
    if step == 0 or (end - start) / step < 0:
        raise Unknown
    return ceil((end - start) / step)
