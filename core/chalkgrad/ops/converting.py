"""The same numbers in another dtype, or in order in memory: itself where it is so already, else a copy in the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import TensorBase
from chalkgrad.engine.dtype import DType, cast, dtype_named
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import same
from chalkgrad.ops.samples import M23

_WHOLE = np.array([1, 0, 3])

SHORTHANDS = {
    "float": "float32",
    "double": "float64",
    "long": "int64",
    "int": "int32",
    "bool": "bool",
}
"""The methods that lessons convert by, and what they give."""


def _converted(o: Any, self: TensorBase, dtype: DType) -> Any:
    return self if self.array.dtype == dtype.numpy else o.to_copy(self, dtype)


def _in_order(o: Any, self: TensorBase) -> Any:
    return self if self.array.flags.c_contiguous else o.contiguous(self)


def _shorthand(name: str, dtype: DType) -> None:
    register(
        Record(
            name=f"to_{name}",
            inputs=("self",),
            promotes="none",
            forward=lambda self: cast(self, dtype),
            compose=lambda o, self: _converted(o, self, dtype),
            method=name,
            style="method",
            shape=same,
            section="shape",
            latex=r"\self",
            hidden=True,
            part_of="to",
            samples=(((_WHOLE,), {}),),
        )
    )


for _name, _dtype in SHORTHANDS.items():
    _shorthand(_name, dtype_named(_dtype))

register(
    Record(
        name="to",
        inputs=("self",),
        attributes=(Attribute("dtype", "dtype", required=True),),
        promotes="none",
        forward=cast,
        compose=_converted,
        method="to",
        style="method",
        shape=lambda self, dtype: self,
        section="shape",
        latex=r"\self",
        samples=(((_WHOLE, dtype_named("float64")), {}),),
    )
)

register(
    Record(
        name="to_contiguous",
        inputs=("self",),
        promotes="none",
        forward=np.ascontiguousarray,
        compose=_in_order,
        method="contiguous",
        style="method",
        shape=same,
        section="shape",
        latex=r"\self",
        hidden=True,
        part_of="clone",
        samples=(((M23,), {}),),
    )
)
