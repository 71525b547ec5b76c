"""Values as a person types them into a field, and nested lists as they are kept."""

from __future__ import annotations

import re

import numpy as np

from chalkgrad.program.statement import Array, Operand

LARGE = 64
"""Lists with more numbers than this are kept as arrays."""

DEEP = 32
"""How deep lists may be nested."""


class BadValueError(ValueError):
    """Numbers that make no tensor; ``key`` (after ``source.``) and ``fields`` are the sentence that says why."""

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key)
        self.key = key
        self.fields = fields


def packed(value: Operand) -> Operand:
    """A number or nested list as a statement keeps it: a big list as an array.

    Raises BadValueError where the rows are not equally long, or something in them is no number.
    """
    shape = _shape(value, 0)
    if int(np.prod(shape)) <= LARGE:
        return value
    array = np.array(value)
    if array.dtype.kind == "f":
        array = array.astype(np.float32)
    if array.dtype.kind not in "fib" or array.shape != shape:
        raise BadValueError("data_number")
    return Array.of(array)


def _shape(value: Operand, depth: int) -> tuple[int, ...]:
    """The shape of a nested list; BadValueError where it has none."""
    if isinstance(value, bool | int | float):
        return ()
    if not isinstance(value, tuple):
        raise BadValueError("data_number")
    if depth > DEEP:
        raise BadValueError("too_deep")
    shapes = {_shape(member, depth + 1) for member in value}
    if len(shapes) > 1:
        raise BadValueError("data_ragged")
    return (len(value), *(next(iter(shapes)) if shapes else ()))


def as_typed(value: Operand, dtype: str | None) -> Operand:
    """A value's numbers as a dtype keeps them: floats for a float, and so on; BadValueError where one does not fit."""
    if isinstance(value, tuple):
        return tuple(as_typed(member, dtype) for member in value)
    if isinstance(value, Array):
        return value if dtype is None else Array.of(value.numpy().astype(dtype))
    if dtype is None or not isinstance(value, bool | int | float):
        return value
    if not dtype.startswith("float") and value - value != 0:
        raise BadValueError("data_whole", value=value)
    if dtype.startswith("float"):
        return float(value)
    if dtype == "bool":
        return bool(value)
    if int(value) != value:
        raise BadValueError("data_whole", value=value)
    limits = np.iinfo(dtype)
    if not limits.min <= value <= limits.max:
        raise BadValueError("data_range", value=value, dtype=dtype)
    return int(value)


GAP = re.compile(r"(?<=[\w.)\]])[ \t\n]+(?=[-+]?[\w.(\[])")
"""White space between two values of a list: what comes next begins, with its sign, right after it."""


def listed(text: str) -> str:
    """``text`` with commas between values set apart by space, and rows set apart by semicolons as lists."""
    text = GAP.sub(", ", text.strip())
    if ";" not in text:
        return text
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    rows = [row.strip() for row in text.split(";")]
    return f"[{', '.join(row if row.startswith('[') else f'[{row}]' for row in rows if row)}]"
