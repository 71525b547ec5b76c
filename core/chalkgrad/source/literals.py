"""Python values as the text that means them: numbers, strings, lists, dtypes, big arrays."""

from __future__ import annotations

import json
import math

import numpy as np

from chalkgrad.program.statement import Array, Dtype, Operand

OPEN = "?"
"""How an open port is written; the line it stands in is a comment."""


def number_text(value: bool | int | float, in_list: bool = False) -> str:
    """A number as Python reads it; inside a list ``1.0`` is written ``1.``, as PyTorch prints it."""
    if not isinstance(value, float):
        return repr(value)
    if not math.isfinite(value):
        return f'-float("{-value}")' if value < 0 else f'float("{value}")'
    text = repr(value)
    return text[:-1] if in_list and text.endswith(".0") else text


def string_text(value: str) -> str:
    """A string as a Python literal in double quotes."""
    return json.dumps(value, ensure_ascii=False)


def value_text(value: Operand) -> str:
    """A value without references: a number, None, a string, a dtype, a nested list or an array."""
    if isinstance(value, tuple):
        return _list_text(value)
    if isinstance(value, Array):
        return _array_text(value.numpy())
    if isinstance(value, Dtype):
        return f"torch.{value.name}"
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, bool | int | float):
        return number_text(value)
    return "None" if value is None else OPEN


def shape_text(sizes: tuple[Operand, ...]) -> str:
    """A size as Python's tuple: ``(2, 3)``, ``(2,)``, ``()``."""
    inner = ", ".join(value_text(size) for size in sizes)
    return f"({inner},)" if len(sizes) == 1 else f"({inner})"


def _list_text(values: tuple[Operand, ...]) -> str:
    return f"[{', '.join(_member_text(value) for value in values)}]"


def _member_text(value: Operand) -> str:
    if isinstance(value, float):
        return number_text(value, in_list=True)
    return value_text(value)


def _array_text(array: np.ndarray) -> str:
    if array.ndim:
        return f"[{', '.join(_array_text(row) for row in array)}]"
    value = array[()]
    if array.dtype.kind == "f" and np.isfinite(value):
        text = str(value)
        return text[:-1] if text.endswith(".0") else text
    return number_text(array.item())
