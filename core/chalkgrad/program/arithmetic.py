"""Arithmetic on plain numbers that a text says, in which no number gets so large that it would take long."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping

Number = bool | int | float

ARITHMETIC: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
LARGEST = 2**64
"""Whole numbers past this are not worked out."""


def arithmetic(symbol: str, left: Number, right: Number) -> Number:
    """``left symbol right`` for numbers; ArithmeticError where there is no result, or one too large."""
    if symbol == "**":
        return power(left, right)
    result = ARITHMETIC[symbol](left, right)
    if isinstance(result, int) and abs(result) > LARGEST:
        raise OverflowError("the number is too large")
    return result


def power(base: Number, exponent: Number) -> Number:
    """``base ** exponent``; whole powers are refused before they get too large."""
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        if abs(base) > 1 and exponent * math.log2(abs(base)) > math.log2(LARGEST):
            raise OverflowError("the number is too large")
        return int(base**exponent)
    result: float | complex = float(base) ** float(exponent)
    if isinstance(result, complex):
        raise ArithmeticError("the result is no real number")
    return result
