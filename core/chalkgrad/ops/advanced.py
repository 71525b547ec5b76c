"""Elements read and written by tensors of indices and masks: what ``x[i]`` and ``x[mask] = v`` come down to."""

from __future__ import annotations

from itertools import count
from math import prod
from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import new_tensor
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.memory_format import copied
from chalkgrad.engine.ordering import ordered_along
from chalkgrad.engine.places import check_apart
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.saved import TensorList
from chalkgrad.engine.shapes import is_expandable
from chalkgrad.engine.size import brackets
from chalkgrad.engine.storage import copied_with_repeats
from chalkgrad.engine.warning import warn
from chalkgrad.errors import blame
from chalkgrad.ops.adding_at import add_at
from chalkgrad.ops.composing import array_in, warn_expanded
from chalkgrad.ops.masking import check_mask, filling, warn_of_fill

Shape = tuple[int, ...]
Places = tuple[Any, ...]

_BYTES = "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."


def _expanded(indices: Any, shape: Shape) -> list[np.ndarray | None]:
    """The indices by dimension, a mask made the indices of its true elements; None where all is taken."""
    found: list[np.ndarray | None] = []
    for index in indices:
        if index is None:
            found.append(None)
            continue
        values = array_in(index)
        if values.dtype.kind not in "iub" or values.dtype in (np.int8, np.int16):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if values.dtype == np.uint8:
            warn(_BYTES)
        if values.dtype in (np.bool_, np.uint8):
            _check_mask(values.shape, shape, len(found))
            found.extend(values.nonzero())
        else:
            found.append(values)
    if len(found) > len(shape):
        raise IndexError(f"too many indices for tensor of dimension {len(shape)} (got {len(found)})")
    return found


def _check_mask(mask: Shape, shape: Shape, start: int) -> None:
    for place, size in enumerate(mask):
        axis = start + place
        if axis >= len(shape) or size != shape[axis]:
            raise IndexError(
                f"The shape of the mask {brackets(mask)} at index {place} does not match the shape of the indexed "
                f"tensor {brackets(shape)} at index {axis}"
            )


def _places(indices: Any, shape: Shape, anywhere: bool = False) -> Places:
    """NumPy's index for ``indices``, checked and counted from the front; one of that form where any place will do."""
    found = _expanded(indices, shape)
    given = [index for index in found if index is not None]
    try:
        common = np.broadcast_shapes(*[index.shape for index in given])
    except ValueError:
        shapes = ", ".join(brackets(index.shape) for index in given)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None
    if any(index is not None and index.size and not size for index, size in zip(found, shape, strict=False)):
        raise IndexError("index is out of bounds for dimension with size 0")
    kept = [size for axis, size in enumerate(shape) if axis >= len(found) or found[axis] is None]
    nothing, number = anywhere or 0 in (*common, *kept), count()
    return tuple(
        [
            slice(None) if index is None else _in_range(index, next(number), shape[axis], nothing)
            for axis, index in enumerate(found)
        ]
    )


def _in_range(index: np.ndarray, number: int, size: int, nothing: bool) -> np.ndarray:
    """``index``, one of those that are there, counted from the front; PyTorch calls its number the dimension.

    Where ``nothing`` is read or written no place is looked at, and any will do.
    """
    if nothing:
        return np.zeros(index.shape, np.intp)
    wrong = (index < -size) | (index >= size)
    if wrong.any():
        first = index[wrong][0]
        raise blame(IndexError(f"index {first} is out of bounds for dimension {number} with size {size}"), index=first)
    return np.where(index < 0, index + size, index).astype(np.intp)


def _index(self: np.ndarray, indices: Any) -> np.ndarray:
    places = _places(indices, self.shape)
    found = np.array(self[places], order="C")
    plain = (
        self.flags.c_contiguous
        and 1 not in self.shape
        and max([place.ndim for place in places if type(place) is not slice]) < 2
    )
    return found if plain or not found.size else ordered_along(found, _steps(self, places))


def _steps(self: np.ndarray, places: Places) -> list[Shape]:
    """The steps that ``self``, and each index, takes along the dimensions of what is read.

    An index is given dimensions of size 1 for those that it leaves alone, which have steps where they stay such.
    """
    given = [axis for axis, place in enumerate(places) if not isinstance(place, slice)]
    shape = np.broadcast_shapes(*(places[axis].shape for axis in given))
    others = [axis for axis in range(self.ndim) if axis not in given]
    kept = [self.strides[axis] for axis in others]
    front = 0 if given[-1] - given[0] >= len(given) else given[0]
    own = (*kept[:front], *(0,) * len(shape), *kept[front:])
    alone = [int(self.shape[axis] == 1) * np.dtype(np.intp).itemsize for axis in others]
    before, after = [step * prod(shape) for step in alone[:front]], alone[front:]
    return [own, *((*before, *np.broadcast_to(places[axis], shape).strides, *after) for axis in given)]


register(
    Record(
        name="index",
        inputs=("self", "indices"),
        promotes="none",
        forward=_index,
        vjps={
            "self": lambda o, g, self_sym_sizes, indices: o.put_back(
                o.zeros_in_order(g, self_sym_sizes), indices, g, True
            ),
        },
        grad_fn="IndexBackward0",
        fills=1,
        section="index",
        hidden=True,
        part_of="select",
    )
)


def _are_one_mask(indices: Any, shape: Shape) -> bool:
    """True where a mask is all that the indices are: a single value fills it, whatever its dtype."""
    given = [(place, array_in(index)) for place, index in enumerate(indices) if index is not None]
    if len(given) != 1 or given[0][1].dtype not in (np.bool_, np.uint8):
        return False
    ((place, mask),) = given
    _check_mask(mask.shape, shape, place)
    check_mask("masked_fill_", mask)
    return True


def _with_masks(indices: Any) -> Any:
    """The indices with bools for bytes, which no single number fills."""
    if all(index is None or array_in(index).dtype != np.uint8 for index in indices):
        return indices
    warn(_BYTES)
    masks = [None if index is None else array_in(index) for index in indices]
    return TensorList(
        [
            new_tensor(mask != 0) if mask is not None and mask.dtype == np.uint8 else index
            for mask, index in zip(masks, indices, strict=True)
        ]
    )


def _put_indexed(self: np.ndarray, indices: Any, values: np.ndarray, accumulate: bool = False) -> np.ndarray:
    return _put_into(copied(self, self.dtype), indices, values, accumulate)


def _put_in_place(self: np.ndarray, indices: Any, values: np.ndarray, accumulate: bool = False) -> np.ndarray:
    if values.size == 1 and not accumulate and _are_one_mask(indices, self.shape):
        warn_of_fill(self)  # with a number, whosever memory that lies in
    else:
        check_apart(self, *[array_in(index) for index in indices if index is not None], values)
    return _put_into(copied_with_repeats(self), indices, values, accumulate)


def _put_into(whole: np.ndarray, indices: Any, values: np.ndarray, accumulate: bool) -> np.ndarray:
    """``whole``, into which ``values`` were written."""
    if values.size == 1 and not accumulate and _are_one_mask(indices, whole.shape):
        values = filling(values.item(), whole.dtype)
    try:
        places = _places(indices, whole.shape)
    except IndexError as error:
        if hasattr(error, "index"):  # which is looked at while it writes
            _wanted(whole, _places(indices, whole.shape, anywhere=True), values)
        raise
    wanted = _wanted(whole, places, values)
    if accumulate:
        _add_at(whole, places, np.broadcast_to(values, wanted))
    else:
        whole[places] = values
    return whole


def _wanted(whole: np.ndarray, places: Places, values: np.ndarray) -> Shape:
    """The shape of what is written at ``places``; RuntimeError for ``values`` that can't be written there."""
    wanted = whole[places].shape
    if not is_expandable(values.shape, wanted):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {brackets(values.shape)} cannot be broadcast to indexing result "
            f"of shape {brackets(wanted)}"
        )
    if whole.dtype != values.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{dtype_of(whole).scalar_type} for the destination and {dtype_of(values).scalar_type} for the source."
        )
    return wanted


def _add_at(whole: np.ndarray, places: Places, values: np.ndarray) -> None:
    """Add up ``values`` where the index ``places`` points to; one list of numbers among slices takes less time."""
    lists = [axis for axis, place in enumerate(places) if isinstance(place, np.ndarray)]
    if len(lists) == 1 and places[lists[0]].ndim == 1:
        add_at(whole, places[lists[0]], values, lists[0])
    else:
        np.add.at(whole, places, values)


_PUT = Record(
    name="put_indexed",
    inputs=("self", "indices", "values"),
    attributes=(Attribute("accumulate", "bool", False),),
    promotes="none",
    forward=_put_indexed,
    vjps={
        "self": lambda o, g, indices, accumulate: (
            g if accumulate else o.put_indexed(g, _with_masks(indices), o.zeros_of(g, ()), False)
        ),
        "values": lambda o, g, indices: o.index(g, indices),
    },
    grad_fn="IndexPutBackward0",
    section="index",
    hidden=True,
    part_of="index_put",
)


def _check_put(self: np.ndarray, indices: Any, values: np.ndarray) -> None:
    warn_expanded("index_put_", self, "[indices] = tensor")


def _public(name: str, target: str) -> Record:
    """``index_put`` as it is called: the indices come as a list."""

    def compose(o: Any, self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
        return getattr(o, target)(self, TensorList(indices), values, accumulate)

    return Record(
        name=name,
        inputs=("self", "indices", "values"),
        attributes=(Attribute("accumulate", "bool", False),),
        promotes="none",
        forward=_put_indexed,
        compose=compose,
        signatures=(f"{name}(Tensor input, Tensor?[] indices, Tensor values, bool accumulate=False)",),
        grad_fn="IndexPutBackward0",
        function=f"torch.{name}",
        method=name,
        style="method",
        section="index",
        hidden=True,
    )


register(_PUT)
register(_PUT._replace(name="put_back", grad_fn="IndexPutImplBackward0", part_of="select"))
register(
    Record(
        name="put_indexed_",
        inputs=_PUT.inputs,
        attributes=_PUT.attributes,
        promotes="none",
        forward=_put_in_place,
        vjps=_PUT.vjps,
        writes="self",
        check=_check_put,
        grad_fn="IndexPutBackward0",
        section="in-place",
        hidden=True,
        part_of="index_put",
    )
)
register(_public("index_put", "put_indexed"))
register(_public("index_put_", "put_indexed_"))
