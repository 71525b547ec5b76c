"""One of two numbers at each place: without a branch, which costs ten times as much where no pattern can be guessed."""

from __future__ import annotations

from typing import Any

import numpy as np

MANY = 4096
"""Of fewer elements ``np.where`` is done sooner."""

_BITS = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}


def choose(mask: np.ndarray, one: Any, other: Any) -> Any:
    """``np.where(mask, one, other)`` of arrays or NumPy's numbers; many floating-point numbers are mixed bit by bit."""
    if mask.size < MANY or not (_lies_along(one, mask) and _lies_along(other, mask)):
        return np.where(mask, one, other)
    bits = _BITS.get(one.dtype)
    if bits is None or other.dtype != one.dtype or mask.dtype != np.bool_ or not mask.flags.c_contiguous:
        return np.where(mask, one, other)
    found = np.empty(mask.shape, one.dtype)  # an array of its own: a view would count as one of a gradient
    mixed, wanted = found.view(bits), np.negative(mask.view(np.int8))  # all bits where the mask is set, or none
    np.bitwise_xor(one.view(bits), other.view(bits), out=mixed)
    np.bitwise_and(mixed, wanted, out=mixed)
    np.bitwise_xor(mixed, other.view(bits), out=mixed)
    return found


def without(o: Any, found: Any, mask: Any) -> Any:
    """``found``, an array or tensor that is new, with zeros written into it where ``mask`` is true."""
    if isinstance(found, np.ndarray):
        np.copyto(found, 0, where=mask)
        return found
    return o.masked_fill_(found, mask, 0)


def bounded(bound: np.ufunc, self: Any, number: Any) -> Any:
    """``np.maximum`` or ``np.minimum`` of one number and many: NumPy is four times as fast with two arrays.

    Faster still is ``np.clip``, where the number is not 0: of two zeros that takes the number's, not the element's.
    """
    if not (isinstance(self, np.ndarray) and self.size >= MANY and self.dtype in _BITS and self.flags.c_contiguous):
        return bound(number, self)
    if np.ndim(number) or getattr(number, "dtype", None) != self.dtype:
        return bound(number, self)
    if number:
        return np.clip(self, number, np.inf) if bound is np.maximum else np.clip(self, -np.inf, number)
    spread = np.full(self.shape, number, self.dtype)
    return bound(spread, self, out=spread)


def _lies_along(value: Any, mask: np.ndarray) -> bool:
    """True for one number, also one spread out, and for as many as the mask has places, in the order of memory."""
    return not value.ndim or (value.shape == mask.shape and (value.flags.c_contiguous or not any(value.strides)))
