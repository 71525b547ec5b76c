"""What the backward of an overwritten view is made of: pieces of a tensor's memory, taken and put back.

A geometry is sizes, strides, offset, and the storage's size, all in elements.
"""

from __future__ import annotations

import numpy as np

from chalkgrad.engine import storage
from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record

Shape = tuple[int, ...]
Geometry = tuple[Shape, Shape, int, int]


def _places(base: Geometry, view: Geometry) -> np.ndarray:
    """For each element of a view, its place among the elements of its base."""
    sizes, strides, offset, total = base
    numbers = np.zeros(max(total, 1), np.intp)
    storage.as_strided(numbers, sizes, strides, offset)[...] = np.arange(int(np.prod(sizes))).reshape(sizes)
    return storage.as_strided(numbers, *view[:3])


def _take(self: np.ndarray, base: Geometry, view: Geometry) -> np.ndarray:
    taken: np.ndarray = self.reshape(-1)[_places(base, view)]
    return taken


def _put(self: np.ndarray, base: Geometry, view: Geometry) -> np.ndarray:
    whole = np.zeros(base[0], self.dtype)
    np.add.at(whole.reshape(-1), _places(base, view), self)
    return whole


def _scatter(self: np.ndarray, src: np.ndarray, base: Geometry, view: Geometry) -> np.ndarray:
    whole = self.copy(order="C")
    whole.reshape(-1)[_places(base, view)] = src
    return whole


_GEOMETRIES = (Attribute("base", "geometry", required=True), Attribute("view", "geometry", required=True))

register(
    Record(
        name="take_strided",
        inputs=("self",),
        attributes=_GEOMETRIES,
        promotes="none",
        forward=_take,
        vjps={"self": lambda o, g, base, view: o.put_strided(g, base, view)},
        grad_fn="AsStridedBackward0",
        section="shape",
        hidden=True,
        part_of="view",
    )
)
register(
    Record(
        name="put_strided",
        inputs=("self",),
        attributes=_GEOMETRIES,
        promotes="none",
        forward=_put,
        vjps={"self": lambda o, g, base, view: o.take_strided(g, base, view)},
        grad_fn="AsStridedScatterBackward0",
        section="shape",
        hidden=True,
        part_of="view",
    )
)
register(
    Record(
        name="as_strided_scatter",
        inputs=("self", "src"),
        attributes=_GEOMETRIES,
        promotes="none",
        forward=_scatter,
        vjps={
            "self": lambda o, g, base, view: o.as_strided_scatter(g, o.zeros_of(g, view[0]), base, view),
            "src": lambda o, g, base, view: o.take_strided(g, base, view),
        },
        grad_fn="AsStridedScatterBackward0",
        section="shape",
        hidden=True,
        part_of="view",
    )
)
register(
    Record(
        name="as_strided",
        inputs=("self",),
        attributes=(
            Attribute("size", "size", required=True),
            Attribute("stride", "size", required=True),
            Attribute("storage_offset", "int", 0),
        ),
        promotes="none",
        forward=storage.as_strided,
        vjps={
            "self": lambda o, g, self_args_geometry, size, stride, storage_offset: o.put_strided(
                g, self_args_geometry, (size, stride, storage_offset, 0)
            ),
        },
        grad_fn="AsStridedBackward0",
        section="shape",
        view=True,
        hidden=True,
        part_of="view",
    )
)
