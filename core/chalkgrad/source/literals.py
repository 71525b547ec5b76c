"""Python values as the text that means them: numbers, strings, lists, dtypes, big arrays."""

from __future__ import annotations

import json
import math

import numpy as np

from chalkgrad.program.statement import Array, Dtype, Operand

OPEN = "?"
"""How an open port is written; the line it stands in is a comment."""

BRIEF, EDGE, DEEPEST = 1000, 3, 5
"""In brief an array of more numbers has the first and the last few of each dimension, where it has no more of these."""


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


def value_text(value: Operand, in_brief: bool = False) -> str:
    """A value without references: a number, None, a string, a dtype, a nested list or an array.

    ``in_brief`` a large array is written as PyTorch prints one, with dots for most of it, however large it is.
    """
    if isinstance(value, tuple):
        return _list_text(value)
    if isinstance(value, Array):
        return _brief_text(value) if in_brief and value.size > BRIEF else _array_text(value.numpy())
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


def _brief_text(value: Array) -> str:
    """A large array, of which only what is written is looked at."""
    array = value.view()
    if array.ndim > DEEPEST:
        return "[...]"
    shown = array
    for axis, size in enumerate(array.shape):
        if size > 2 * EDGE:
            shown = np.take(shown, [*range(EDGE), *range(size - EDGE, size)], axis=axis)
    return _edges_text(shown, array.shape)


def _edges_text(shown: np.ndarray, shape: tuple[int, ...]) -> str:
    """The first and last few of each dimension of an array of a shape, dots between them."""
    if not shown.ndim:
        return _array_text(shown)
    parts = [_edges_text(row, shape[1:]) for row in shown]
    if len(parts) < shape[0]:
        parts.insert(EDGE, "...")
    return f"[{', '.join(parts)}]"


def _array_text(array: np.ndarray) -> str:
    if array.ndim:
        return f"[{', '.join(_array_text(row) for row in array)}]"
    value = array[()]
    if array.dtype.kind == "f" and np.isfinite(value):
        text = str(value)
        return text[:-1] if text.endswith(".0") else text
    return number_text(array.item())
