"""Writing the diagonals of matrices within formulas: in place where that is recorded, as PyTorch does."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Record
from chalkgrad.ops.triangles import diagonal_of


def _with_diagonal(self: np.ndarray, values: Any) -> np.ndarray:
    whole = self.copy()
    diagonal_of(whole, 0, -2, -1)[...] = values
    return whole


def _diagonal_copied(o: Any, self: Any, values: Any) -> Any:
    o.copy_(o.diagonal(self, 0, -2, -1), values)
    return self


def _diagonal_filled(o: Any, self: Any) -> Any:
    o.fill_number_(o.diagonal(self, 0, -2, -1), 1)
    return self


def _with_halved_diagonal(self: np.ndarray) -> np.ndarray:
    whole = self.copy()
    diagonal_of(whole, 0, -2, -1)[...] *= 0.5
    return whole


def _diagonal_halved(o: Any, self: Any) -> Any:
    o.mul_number_(o.diagonal(self, 0, -2, -1), 0.5)
    return self


for _name, _inputs, _forward, _compose in (
    ("with_halved_diagonal", ("self",), _with_halved_diagonal, _diagonal_halved),
    ("with_diagonal", ("self", "values"), _with_diagonal, _diagonal_copied),
    ("with_unit_diagonal", ("self",), lambda self: _with_diagonal(self, 1), _diagonal_filled),
):
    register(
        Record(
            name=_name,
            inputs=_inputs,
            promotes="none",
            forward=_forward,
            compose=_compose,
            section="matrix",
            hidden=True,
            part_of="diagonal",
        )
    )
