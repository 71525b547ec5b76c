"""How the result of a pointwise operator lies in memory when its operands lie differently.

NumPy then takes the order of C. PyTorch asks the operands in turn which of two dimensions has the larger steps; the
first that has an answer decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chalkgrad.engine.storage import is_dense

Shape = tuple[int, ...]


def ordered(result: np.ndarray, operands: Sequence[np.ndarray]) -> np.ndarray:
    """``result`` of ``operands``, laid out in memory as PyTorch would."""
    shape = result.shape
    for operand in operands:
        if operand.shape != shape or not operand.flags.c_contiguous:
            break
    else:
        return result
    alike = all(operand.shape == shape for operand in operands)
    if all(_asks_for_no_order(operand, alike) for operand in operands):
        return result
    arrays = [operand for operand in operands if operand.ndim]
    if not all(_spreads(array.shape, shape) for array in arrays):
        return result
    first = arrays[0]
    if alike and is_dense(first) and all(array.strides == first.strides for array in arrays):
        laid = like(first, result.dtype)
    else:
        laid = laid_out(shape, _order([_steps(array, shape) for array in arrays], shape), result.dtype)
    if laid.strides == result.strides:
        return result
    np.copyto(laid, result)
    return laid


def ordered_along(result: np.ndarray, steps: list[Shape]) -> np.ndarray:
    """``result`` of operands that take these ``steps`` along its dimensions, 0 where they are repeated."""
    laid = laid_out(result.shape, _order(steps, result.shape), result.dtype)
    if laid.strides == result.strides:
        return result
    np.copyto(laid, result)
    return laid


def _asks_for_no_order(operand: np.ndarray, alike: bool) -> bool:
    """True for one element repeated, and for the order of C, in which a size of 1 may have any stride."""
    if operand.flags.c_contiguous:
        return alike or 1 not in operand.shape
    return not any(operand.strides)


def like(array: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    """A new array, not yet filled, with the strides of ``array``, which has no gaps."""
    return np.ndarray(array.shape, dtype, strides=[step // array.itemsize * dtype.itemsize for step in array.strides])


def laid_as(result: np.ndarray, array: np.ndarray) -> np.ndarray:
    """``result``, which PyTorch writes into a tensor made like ``array``: with its very strides if it has no gaps."""
    if array.flags.c_contiguous and 1 not in array.shape:
        return result
    if not is_dense(array):
        return ordered(result, (array,))
    laid = like(array, result.dtype)
    if laid.strides == result.strides:
        return result
    np.copyto(laid, result)
    return laid


def ordered_by(first: np.ndarray, second: np.ndarray, result: np.ndarray) -> np.ndarray:
    """``result`` of two operands of which PyTorch asks ``first`` first, whatever order they are written in."""
    result = np.asarray(result, order="C")
    return result if result.ndim < 2 or first.flags.c_contiguous else ordered(result, (first, second))


def laid_out(shape: Shape, order: Sequence[int], dtype: np.dtype[np.generic]) -> np.ndarray:
    """A new array, not yet filled, whose dimensions have the larger steps the earlier they come in ``order``."""
    steps, step = [0] * len(shape), dtype.itemsize
    for axis in reversed(order):
        steps[axis] = step
        step *= max(shape[axis], 1)
    return np.ndarray(shape, dtype, strides=steps)


def order_of(array: np.ndarray) -> list[int]:
    """The dimensions of ``array``, those of larger steps first; where it is repeated that says nothing."""
    return _order([_steps(array, array.shape)], array.shape)


def _spreads(shape: Shape, to: Shape) -> bool:
    """True where an operand of ``shape`` is one element for each of the result's, repeated or not."""
    lead = len(to) - len(shape)
    return lead >= 0 and all(size in (1, whole) for size, whole in zip(shape, to[lead:], strict=True))


def _steps(array: np.ndarray, shape: Shape) -> Shape:
    """The strides of ``array`` spread over ``shape``: 0 where it is repeated, or has only one element."""
    lead = len(shape) - array.ndim
    have = zip(array.shape, shape[lead:], array.strides, strict=True)
    own = [0 if size == 1 != whole else step for size, whole, step in have]
    return (*(0,) * lead, *own)


def _order(steps: list[Shape], shape: Shape) -> list[int]:
    """The dimensions, those of large steps first."""
    order = list(range(len(shape)))[::-1]
    for start in range(1, len(order)):
        place = start
        for before in range(start - 1, -1, -1):
            larger = _compared(order[before], order[place], steps, shape)
            if larger < 0:
                break
            if larger > 0:
                order[before], order[place] = order[place], order[before]
                place = before
    return order[::-1]


def _compared(one: int, other: int, steps: list[Shape], shape: Shape) -> int:
    """1 when dimension ``one`` has the larger steps, -1 when ``other`` has, 0 where no operand can tell."""
    for own in steps:
        if own[one] and own[other]:
            if own[one] != own[other]:
                return 1 if own[one] > own[other] else -1
            if shape[one] > shape[other]:
                return 1
    return 0
