"""Writing the diagonals of matrices, within formulas too: in place where that is recorded, as PyTorch does."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.ops.composing import of_arrays
from chalkgrad.ops.samples import M23, V2
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

# fill_diagonal_


def _fill_diagonal(o: Any, self: Any, fill_value: Any, wrap: bool = False) -> Any:
    shape = tuple(self.shape)
    if len(shape) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(shape) > 2 and len({*shape}) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    step, offset, length = sum(self.stride()), self.storage_offset(), min(shape)
    o.fill_number_(o.as_strided(self, (length,), (step,), offset), fill_value)
    height, width = shape[:2]
    if wrap and len(shape) == 2 and height > width + 1:
        rows = self.stride(0)
        size = ((height * width + width) // (width + 1)) - length
        o.fill_number_(o.as_strided(self, (size,), (step,), offset + rows * (width + 1)), fill_value)
    return self


register(
    Record(
        name="fill_diagonal_",
        inputs=("self",),
        attributes=(Attribute("fill_value", "number", required=True), Attribute("wrap", "bool", False)),
        writes="self",
        promotes="none",
        forward=lambda self, *values: of_arrays("fill_diagonal_")(self.copy(), *values),
        compose=_fill_diagonal,
        grad_fn="CopySlices",
        method="fill_diagonal_",
        style="method",
        signatures=("Tensor.fill_diagonal_(Scalar fill_value, bool wrap=False)",),
        shape=lambda self, fill_value, wrap=False: self,
        section="in-place",
        latex=r"{\self}_{ii} \leftarrow \fill_value",
        derivatives={"self": r"[i \neq j]"},
        samples=(((M23, 2.5), {}),),
        bad_samples=(((V2, 1.0), {}, "RuntimeError", "dimensions must larger than 1"),),
    )
)
