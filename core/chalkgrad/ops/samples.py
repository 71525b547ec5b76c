"""Small tensors for the samples in operator records: arrays stand for tensors, Python numbers for numbers."""

from __future__ import annotations

import numpy as np


def vector(*values: float) -> np.ndarray:
    """A tensor of one dimension."""
    return np.array(values)


def scalar(value: float) -> np.ndarray:
    """A tensor without dimensions."""
    return np.array(value)


def matrix(*rows: tuple[float, ...]) -> np.ndarray:
    """A tensor of two dimensions."""
    return np.array(rows)


def ones(*shape: int, dtype: str = "float64") -> np.ndarray:
    """A tensor of ones."""
    return np.ones(shape, dtype)


V2 = vector(0.5, -1.5)
V3 = vector(0.5, -1.5, 2.0)
P3 = vector(0.5, 1.5, 2.0)
M23 = matrix((0.5, -1.5, 2.0), (1.25, 0.75, -0.5))
M32 = matrix((0.5, -1.0), (2.0, 0.25), (-0.75, 1.5))
S = scalar(1.5)

MISMATCH = "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"
