"""The elements where a mask is true: taken out, and put in."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.places import OVERLAP
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast, refuse_expand
from chalkgrad.engine.storage import as_strided, geometry_of, overlaps_itself, reshaped, typed_elements
from chalkgrad.engine.warning import warn_once
from chalkgrad.ops.composing import in_sequence, writing
from chalkgrad.ops.expanding import expanded
from chalkgrad.ops.masking import MASK, MASK23, check_mask, masked_shape
from chalkgrad.ops.overloads import zeros_as
from chalkgrad.ops.samples import M23, P3, V3, vector

Shape = tuple[int, ...]


def _masked_select(self: np.ndarray, mask: np.ndarray) -> np.ndarray:
    if mask.dtype != np.bool_:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    broadcast(mask.shape, self.shape)
    values, chosen = np.broadcast_arrays(self, mask)
    return np.asarray(values[chosen])


def _zeros(o: Any, self: Any, mask: Any) -> Any:
    """Zeros that lie as the tensor does under the mask."""
    shape = broadcast(tuple(self.shape), tuple(mask.shape))
    return o.zeros_of(self if shape == tuple(self.shape) else o.expand(self, shape), shape)


register(
    Record(
        name="masked_select",
        inputs=("self", "mask"),
        promotes="none",
        forward=_masked_select,
        vjps={
            "self": lambda o, g, self, mask: o.masked_scatter_(_zeros(o, self, mask), mask, g),
        },
        signatures=("masked_select(Tensor input, Tensor mask, *, Tensor out=None)",),
        grad_fn="MaskedSelectBackward0",
        fills=1,
        function="torch.masked_select",
        method="masked_select",
        style="method",
        section="index",
        latex=r"\self_{\mask}",
        derivatives={"self": r"[\mask]"},
        samples=(((V3, MASK), {}), ((M23, MASK), {}), ((V3, MASK23), {})),
    )
)


def _check_source(self: np.ndarray, mask: np.ndarray, source: np.ndarray) -> None:
    if self.dtype != source.dtype:
        raise RuntimeError(
            f"masked_scatter: expected self and source to have same dtypes but got{dtype_of(self).scalar_type} and "
            f"{dtype_of(source).scalar_type}"
        )


def _masked_scatter(self: np.ndarray, mask: np.ndarray, source: np.ndarray) -> np.ndarray:
    _check_source(self, mask, source)
    if mask.dtype == np.uint8:  # and refuses it all the same
        warn_once(
            "masked_scatter_ received a mask with dtype torch.uint8, this behavior is now deprecated,please use a mask "
            "with dtype torch.bool instead."
        )
    check_mask("masked_scatter_", mask)
    values, chosen = np.broadcast_arrays(self, mask)
    count = int(chosen.sum())
    if count > source.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    whole = values.copy(order="K")
    whole[chosen] = source.reshape(-1)[:count]
    return whole


def _unscattered(grad_output: np.ndarray, mask: np.ndarray, sizes: Shape) -> np.ndarray:
    found = _masked_select(grad_output, mask)
    whole = np.zeros(int(np.prod(sizes)), grad_output.dtype)
    whole[: found.size] = found
    return reshaped(whole, sizes)


register(
    Record(
        name="masked_scatter",
        inputs=("self", "mask", "source"),
        promotes="none",
        forward=in_sequence(_masked_scatter),
        vjps={
            "self": lambda o, g, mask: o.masked_fill_number(g, mask, 0),
            "source": lambda o, g, mask, source_sym_sizes: o.masked_scatter_backward(g, mask, source_sym_sizes),
        },
        signatures=("masked_scatter(Tensor input, Tensor mask, Tensor source)",),
        grad_fn="MaskedScatterBackward0",
        function="torch.masked_scatter",
        method="masked_scatter",
        style="method",
        shape=masked_shape,
        section="index",
        latex=r"\self_{\mask} \leftarrow \source",
        derivatives={"self": r"[\neg \mask]", "source": r"[\mask]"},
        samples=(((V3, MASK, P3), {}), ((M23, MASK23, vector(1.0, 2.0, 3.0, 4.0)), {})),
    )
)
register(
    Record(
        name="masked_scatter_backward",
        inputs=("grad_output", "mask"),
        attributes=(Attribute("sizes", "size", required=True),),
        promotes="none",
        forward=_unscattered,
        vjps={
            "grad_output": lambda o, g, mask, grad_output_args_info: o.masked_scatter(
                zeros_as(o, g, grad_output_args_info), mask, g
            ),
        },
        grad_fn="MaskedScatterBackwardBackward0",
        section="index",
        hidden=True,
        part_of="masked_scatter",
        samples=(((V3, MASK, (3,)), {}),),
    )
)


def _scattered(self: np.ndarray, mask: np.ndarray, source: np.ndarray) -> np.ndarray:
    """What lies in the memory that is written is read as it is by then, unless PyTorch has to copy it first."""
    found = _masked_scatter(self, mask, source)
    if not (source.flags.c_contiguous and np.may_share_memory(self, source)):
        return found
    memory = typed_elements(self).copy()
    places = np.arange(memory.size)
    written, read = (as_strided(places, *geometry_of(array)[:3]) for array in (self, source))
    for place, other in zip(written[np.broadcast_to(mask, self.shape)], read.flat, strict=False):
        memory[place] = memory[other]
    return as_strided(memory, *geometry_of(self)[:3])


def _check_written(self: np.ndarray, mask: np.ndarray, source: np.ndarray) -> None:
    if overlaps_itself(self):
        raise RuntimeError(OVERLAP)
    _check_source(self, mask, source)
    if mask.ndim > self.ndim:
        raise refuse_expand(mask, self.shape)
    expanded(mask.shape, self.shape)
    if mask.dtype != np.uint8:  # of which there is a warning first
        check_mask("masked_scatter_", mask)


writing(
    "masked_scatter",
    "Tensor.masked_scatter_(Tensor mask, Tensor source)",
    shape=lambda self, mask, source: self,
    check=_check_written,
    forward=_scattered,
)
