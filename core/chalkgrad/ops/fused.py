"""Arithmetic that is rounded once where NumPy would round twice, as PyTorch's compiled loops have it."""

from __future__ import annotations

import numpy as np


def fused_difference(x: np.ndarray, y: np.ndarray, less: np.ndarray) -> np.ndarray:
    """``x * y - less``, rounded once, for floats: what the processor's fused multiply-add gives.

    The error of the product is found by Dekker's splitting, that of the difference by Knuth's two-sum (both in
    "Handbook of Floating-Point Arithmetic", chapter 4). Where a part overflows, or nothing was lost, the plain result
    is kept, with the sign of its zeros.
    """
    with np.errstate(all="ignore"):
        product = x * y
        plain = product - less
        (x_high, x_low), (y_high, y_low) = _halves(x), _halves(y)
        lost = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
        back = plain - product
        lost += (product - (plain - back)) + (-less - back)
        found = plain + lost
    fused: np.ndarray = np.where(np.isfinite(found) & (lost != 0), found, plain)
    return fused


def _halves(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two numbers of half the digits that make ``x`` together."""
    factor = x.dtype.type(2 ** ((np.finfo(x.dtype).nmant + 2) // 2) + 1)
    high = factor * x - (factor * x - x)
    return high, x - high
