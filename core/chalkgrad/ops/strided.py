"""What the backward of an overwritten view is made of: pieces of a tensor's memory, taken and put back.

A geometry is sizes, strides, offset, and the storage's size, all in elements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine import storage
from chalkgrad.engine.apply import register
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.size import brackets
from chalkgrad.ops.samples import M23

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
    """A storage with ``self`` added where the view lies, seen as the base sees it; what that shows twice is shared."""
    places = np.arange(max(base[3], 1))
    whole = np.zeros(places.shape, self.dtype)
    np.add.at(whole, storage.as_strided(places, *view[:3]), self)
    shown = storage.as_strided(places, *base[:3])
    if storage.overlaps_itself(shown):
        whole /= np.maximum(np.bincount(shown.reshape(-1), minlength=whole.size), 1)
    return storage.as_strided(whole, *base[:3])


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
        grad_fn="AsStridedBackward0",
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


def _as_strided(self: np.ndarray, size: Shape, stride: Shape, storage_offset: int | None = None) -> np.ndarray:
    offset = storage.storage_offset(self) if storage_offset is None else storage_offset
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(step < 0 for step in stride):
        raise RuntimeError(
            f"as_strided: Negative strides are not supported at the moment, got strides: {brackets(stride)}"
        )
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if any(length < 0 for length in size):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={brackets(size)} and strides={brackets(stride)}"
        )
    reach = sum((length - 1) * step for length, step in zip(size, stride, strict=True)) + 1
    needed, there = (offset + reach) * self.itemsize, storage.owner(self).nbytes
    if 0 not in size and needed > there:
        raise RuntimeError(
            f"setStorage: sizes {brackets(size)}, strides {brackets(stride)}, storage offset {offset}, and itemsize "
            f"{self.itemsize} requiring a storage size of {needed} are out of bounds for storage of size {there}"
        )
    return storage.as_strided(self, size, stride, offset)


def _as_strided_gradient(
    o: Any, g: Any, geometry: Geometry, size: Shape, stride: Shape, storage_offset: int | None
) -> Any:
    offset = geometry[2] if storage_offset is None else storage_offset
    if 0 in size:
        return o.zeros_of(g, geometry[0])
    return o.put_strided(g, geometry, (size, stride, offset, 0))


register(
    Record(
        name="as_strided",
        inputs=("self",),
        attributes=(
            Attribute("size", "size", required=True),
            Attribute("stride", "size", required=True),
            Attribute("storage_offset", "int", None),
        ),
        promotes="none",
        forward=_as_strided,
        vjps={
            "self": lambda o, g, self_args_geometry, size, stride, storage_offset: _as_strided_gradient(
                o, g, self_args_geometry, size, stride, storage_offset
            ),
        },
        grad_fn="AsStridedBackward0",
        fills=1,
        function="torch.as_strided",
        method="as_strided",
        signatures=("as_strided(Tensor input, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)",),
        style="method",
        shape=lambda self, size, stride, storage_offset=None: size,
        section="shape",
        view=True,
        hidden=True,
        part_of="view",
        samples=(((M23, (2, 2), (1, 2)), {}), ((M23, (2,), (3,), 1), {})),
    )
)
