"""Boxes as rows of an array: left, top, right, bottom. What lies edge to edge shares no room."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Corner = Sequence[float] | np.ndarray
"""x and y; arrays of them are compared as NumPy compares arrays with the boxes' sides."""


def meeting(boxes: np.ndarray, low: Corner, high: Corner) -> np.ndarray:
    """For each box whether it shares room with the rectangle between two corners, the upper left one first."""
    across = (boxes[..., 0] < high[0]) & (boxes[..., 2] > low[0])
    return np.asarray(across & (boxes[..., 1] < high[1]) & (boxes[..., 3] > low[1]))


def holding(boxes: np.ndarray, point: Corner) -> np.ndarray:
    """For each box whether a point lies in it, not on its edge."""
    return meeting(boxes, point, point)
