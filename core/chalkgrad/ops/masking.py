"""Elements chosen, filled and replaced where a mask is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from chalkgrad.engine.apply import register
from chalkgrad.engine.base import state
from chalkgrad.engine.dtype import DType, cast, dtype_of, exact, from_numpy_dtype, result_type
from chalkgrad.engine.ordering import ordered
from chalkgrad.engine.record import Attribute, Record
from chalkgrad.engine.shapes import broadcast
from chalkgrad.engine.storage import overlaps_itself
from chalkgrad.engine.warning import warn, warn_once
from chalkgrad.ops.composing import writing
from chalkgrad.ops.gathering import VALUE
from chalkgrad.ops.samples import M23, P3, V3, S, ones, scalar
from chalkgrad.ops.selecting import choose

Shape = tuple[int, ...]
MASK = np.array([True, False, True])
MASK23 = np.array([[True, False, True], [False, True, False]])

_BYTES = "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version"


# where


def _condition(condition: np.ndarray) -> np.ndarray:
    if condition.dtype == np.uint8:
        if state.is_news(_BYTES):
            warn(f"{_BYTES} of PyTorch. Use a boolean condition instead.")
        return condition.astype(np.bool_)
    if condition.dtype != np.bool_:  # one that was saved may have come back otherwise from a hook
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{dtype_of(condition).scalar_type}"
        )
    return condition


def _chosen(value: Any, dtype: DType) -> np.ndarray:
    return cast(value, dtype) if isinstance(value, np.ndarray) else exact(value, dtype)


def _where(condition: np.ndarray, self: Any, other: Any) -> np.ndarray:
    chosen = _condition(condition)
    dtype = result_type((self, other))
    found = np.asarray(choose(chosen, _chosen(self, dtype), _chosen(other, dtype)))
    if found.ndim < 2 or chosen.flags.c_contiguous:
        return found
    return ordered(found, [value for value in (chosen, self, other) if isinstance(value, np.ndarray)])


def _check_condition(condition: np.ndarray, *_: Any) -> None:
    if condition.dtype != np.uint8:
        _condition(condition)


def _where_shape(condition: Shape, self: Shape, other: Shape) -> Shape:
    return broadcast(broadcast(condition, self), other)


register(
    Record(
        name="where",
        elementwise=True,
        inputs=("condition", "self", "other"),
        numbers=frozenset({"self", "other"}),
        promotes="none",
        forward=_where,
        check=_check_condition,
        vjps={
            "self": lambda o, g, condition: o.where(condition, g, o.zeros_of(g, ())),
            "other": lambda o, g, condition: o.where(condition, o.zeros_of(g, ()), g),
        },
        signatures=(
            "torch.where(Tensor condition) -> where_nonzero",
            "torch.where(Tensor condition, Tensor input, Tensor other, *, Tensor out=None)",
            "torch.where(Tensor condition, Scalar self, Tensor other)",
            "torch.where(Tensor condition, Tensor input, Scalar other)",
            "torch.where(Tensor condition, Scalar self, Scalar other)",
            "Tensor.where(Tensor condition, Tensor other)",
            "Tensor.where(Tensor condition, Scalar other)",
        ),
        grad_fn="WhereBackward0",
        function="torch.where",
        method="where",
        shape=_where_shape,
        section="index",
        latex=r"\self \text{ where } \condition \text{ else } \other",
        derivatives={"self": r"[\condition]", "other": r"[\text{not } \condition]"},
        samples=(((MASK, V3, P3), {}), ((MASK, M23, 0.0), {}), ((MASK, V3, S), {})),
        bad_samples=(
            (
                (V3, V3, P3),
                {},
                "RuntimeError",
                "where expected condition to be a boolean tensor, but got a tensor with dtype Double",
            ),
        ),
    )
)


# Where something is true


def _nonzero(self: np.ndarray) -> np.ndarray:
    """One row of indices for each element that is not zero; the columns lie together in memory, as in PyTorch."""
    if not self.ndim:
        return np.empty((int(self != 0), 0), np.int64)
    return np.asarray(np.stack(self.nonzero()).astype(np.int64).T)


def _nonzero_columns(self: np.ndarray) -> tuple[np.ndarray, ...]:
    found = _nonzero(self.reshape(self.shape or (1,)))
    return tuple(found[:, axis] for axis in range(found.shape[1]))


register(
    Record(
        name="where_nonzero",
        inputs=("condition",),
        promotes="none",
        forward=_nonzero_columns,
        compose=lambda o, condition: _nonzero_composed(o, condition, as_tuple=True),
        outputs=(),
        section="index",
        hidden=True,
        part_of="where",
    )
)


def _nonzero_composed(o: Any, self: Any, as_tuple: bool = False) -> Any:
    if not as_tuple:
        return o.argwhere(self)
    return o.unbind(o.argwhere(self if len(self.shape) else o.unsqueeze(self, 0)), 1)


register(
    Record(
        name="nonzero",
        inputs=("self",),
        attributes=(Attribute("as_tuple", "bool", False, positional=False),),
        promotes="none",
        forward=lambda self, as_tuple=False: _nonzero_columns(self) if as_tuple else _nonzero(self),
        compose=_nonzero_composed,
        signatures=(
            "torch.nonzero(Tensor input, *, bool as_tuple=False, Tensor out=None)",
            "Tensor.nonzero()",
            "Tensor.nonzero(*, bool as_tuple)",
        ),
        function="torch.nonzero",
        method="nonzero",
        style="method",
        section="index",
        latex=r"\{j : {\self}_j \ne 0\}",
        samples=(((M23,), {}), ((MASK,), {})),
    )
)
register(
    Record(
        name="argwhere",
        inputs=("self",),
        promotes="none",
        forward=_nonzero,
        signatures=("argwhere(Tensor input)",),
        function="torch.argwhere",
        method="argwhere",
        style="method",
        section="index",
        latex=r"\{j : {\self}_j \ne 0\}",
        samples=(((M23,), {}), ((MASK,), {})),
    )
)


# masked_fill


def check_mask(name: str, mask: np.ndarray) -> None:
    """RuntimeError unless ``mask`` holds bools."""
    if mask.dtype != np.bool_:
        found = dtype_of(mask)
        title = found.cpp if name == "masked_fill_" else found.scalar_type
        raise RuntimeError(f"{name} only supports boolean masks, but got mask with dtype {title}")


def filling(value: Any, dtype: np.dtype) -> np.ndarray:
    """The number with which a mask is filled, in ``dtype``, which must be able to hold it."""
    return exact(value, from_numpy_dtype(dtype))


def _masked_fill(self: np.ndarray, mask: np.ndarray, value: Any) -> np.ndarray:
    """As PyTorch fills a copy, which lies row by row."""
    return np.asarray(_with_value(self, mask, value), order="C")


def _with_value(self: np.ndarray, mask: np.ndarray, value: Any) -> np.ndarray:
    if isinstance(value, np.ndarray):
        _check_single(self, mask, value)
    check_mask("masked_fill_", mask)
    if isinstance(value, np.ndarray):
        value = value.item()
    return np.asarray(choose(mask, filling(value, self.dtype), self))


def _check_single(self: np.ndarray, mask: np.ndarray, value: np.ndarray) -> None:
    if value.ndim:
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )


def masked_shape(self: Shape, mask: Shape, *_: Any, **__: Any) -> Shape:
    """The shape rule of what a mask is laid over."""
    return broadcast(mask, self)


def _written_shape(self: Shape, mask: Shape, *_: Any, **__: Any) -> Shape:
    return broadcast(self, mask)


register(
    Record(
        name="masked_fill_number",
        inputs=("self", "mask"),
        attributes=(VALUE,),
        promotes="none",
        forward=_masked_fill,
        vjps={"self": lambda o, g, mask: o.masked_fill_number(g, mask, 0)},
        grad_fn="MaskedFillBackward0",
        shape=masked_shape,
        section="index",
        hidden=True,
        part_of="masked_fill",
        samples=(((V3, MASK, 2.5), {}), ((M23, MASK, 1), {})),
    )
)
register(
    Record(
        name="masked_fill_tensor",
        inputs=("self", "mask", "value"),
        promotes="none",
        forward=_masked_fill,
        vjps={
            "self": lambda o, g, mask: o.masked_fill_number(g, mask, 0),
            "value": lambda o, g, mask: o.sum(o.masked_select(g, mask)),
        },
        grad_fn="MaskedFillBackward1",
        shape=masked_shape,
        section="index",
        hidden=True,
        part_of="masked_fill",
        samples=(((V3, MASK, S), {}), ((M23, MASK23, scalar(0.5)), {})),
    )
)


def _fill_composed(o: Any, self: Any, mask: Any, value: Any) -> Any:
    if isinstance(value, bool | int | float):
        return o.masked_fill_number(self, mask, value)
    return o.masked_fill_tensor(self, mask, value)


def _fill_composed_in_place(o: Any, self: Any, mask: Any, value: Any) -> Any:
    if isinstance(value, bool | int | float):
        return o.masked_fill_number_(self, mask, value)
    return o.masked_fill_tensor_(self, mask, value)


def _masked_fill_record(name: str, tail: str, section: str) -> Record:
    where = "Tensor.masked_fill_(" if tail else "masked_fill(Tensor input, "
    return Record(
        name=name,
        inputs=("self", "mask", "value"),
        numbers=frozenset({"value"}),
        promotes="none",
        forward=_masked_fill,
        compose=_fill_composed_in_place if tail else _fill_composed,
        writes="self" if tail else None,
        signatures=(
            f"{where}Tensor mask, Tensor value) -> masked_fill_tensor{tail}",
            f"{where}Tensor mask, Scalar value) -> masked_fill_number{tail}",
        ),
        grad_fn="MaskedFillBackward0",
        function=None if tail else "torch.masked_fill",
        method=name,
        style="method",
        shape=masked_shape,
        section=section,
        latex=r"\value \text{ where } \mask \text{ else } \self",
        derivatives={"self": r"[\text{not } \mask]", "mask": "0", "value": r"[\mask]"},
        samples=(((V3, MASK, 2.5), {}), ((M23, MASK23, S), {})),
        bad_samples=(
            (
                (V3, MASK, ones(1)),
                {},
                "RuntimeError",
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with 1 dimension(s).",
            ),
        ),
    )


def _check_filled(self: np.ndarray, mask: np.ndarray, value: np.ndarray | None = None) -> None:
    if value is not None:
        _check_single(self, mask, value)
    check_mask("masked_fill_", mask)
    warn_of_fill(self)


def warn_of_fill(self: np.ndarray) -> None:
    """PyTorch's warning where what a mask fills has an element more than once."""
    if overlaps_itself(self):
        warn_once(
            "Use of masked_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this "
            "operation. This also applies to advanced indexing e.g. tensor[mask] = scalar"
        )


def _filled(self: np.ndarray, mask: np.ndarray, value: Any) -> np.ndarray:
    """What is there more than once is filled everywhere, once it is filled anywhere."""
    repeated = tuple(axis for axis, step in enumerate(self.strides) if not step)
    if repeated and mask.ndim == self.ndim:
        mask = np.asarray(mask.any(repeated, keepdims=True))
    return _with_value(self, mask, value)


writing("masked_fill_number", shape=_written_shape, check=_check_filled, forward=_filled)
writing("masked_fill_tensor", shape=_written_shape, check=_check_filled, forward=_filled)
register(_masked_fill_record("masked_fill", "", "index"))
register(_masked_fill_record("masked_fill_", "_", "in-place"))
