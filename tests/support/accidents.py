"""Where rounding, the processor or memory that is not there decides what PyTorch gives, told by line and values."""

from __future__ import annotations

import re
from typing import Any

import numpy as np


def memory_at(tensor: Any) -> Any:
    """Where a tensor's memory begins; something that no other has for PyTorch's zeros without memory."""
    try:
        return tensor.untyped_storage().data_ptr()
    except RuntimeError:
        return id(tensor)


def correlates_equals(line: str, values: list[np.ndarray]) -> bool:
    """True for ``corrcoef`` of numbers that are all but equal: rounding their mean leaves 0 or not to be divided by."""
    if re.search(r"\bcorrcoef\b", line) is None:
        return False
    rows = [row for value in values for row in (value if value.ndim > 1 else [value])]
    return any(row.size > 0 and np.ptp(row) <= 1e-6 * np.abs(row).max() for row in rows)


def gelu_of_infinity(line: str, values: list[np.ndarray], ours: Any, theirs: Any) -> bool:
    """True for a ``gelu`` of infinity of which PyTorch makes nan, and the same as ours of all that is finite."""
    if re.search(r"\bgelu\b", line) is None or not any(np.isinf(value).any() for value in values):
        return False
    numbers = ~np.isnan(theirs)
    return bool(np.allclose(ours[numbers], theirs[numbers], 1e-4, 1e-5))


def zero_instead_of_nan(ours: Any, theirs: Any) -> bool:
    """True for numbers of which PyTorch has 0 where nan is here, and the same elsewhere: 0 times nan, left out."""
    if not isinstance(ours, np.ndarray) or not isinstance(theirs, np.ndarray) or ours.shape != theirs.shape:
        return False
    nans = np.isnan(ours)
    return bool(nans.any() and (theirs[nans] == 0).all() and np.allclose(ours[~nans], theirs[~nans], 1e-4, 1e-5))


def turns_far(line: str, values: list[np.ndarray]) -> bool:
    """True for a sine, cosine or tangent of numbers so large that their last digits turn it visibly."""
    if re.search(r"\b(sin|cos|tan)_?\(", line) is None:
        return False
    floats = [value[np.isfinite(value)] for value in values if value.dtype.kind == "f"]
    return any(bool((np.spacing(np.abs(one)) > (1e-10 if one.dtype == np.float64 else 1e-5)).any()) for one in floats)
